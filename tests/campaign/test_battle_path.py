"""A battle from plan to posting, and out of the journal again."""

from __future__ import annotations

import json

import pytest

from campaigns import engine, muster, projection
from campaigns.models import Battle, ForceSnapshot, Posting, Result, StoredReport
from campaigns.operations import (
    adjustments,
    battle_postings,
    battles,
    corrections,
    table_reports,
    turns,
)
from campaigns.refusals import NotFound, Refused
from campaigns.reports import battle as battle_report
from campaigns.reports import history
from tests.campaign.conftest import Cast

pytestmark = pytest.mark.usefixtures("balanced")


def strength(cast: Cast, key: str) -> dict[str, dict[str, int]]:
    unit = cast.unit(key)
    return {k: dict(v) for k, v in muster.on_hand([unit])[unit.pk].items()}


def test_a_unit_starts_with_what_it_is_authorised(cast: Cast) -> None:
    assert strength(cast, "r1") == {"toy-squad": {"fit": 2}, "toy-gun": {"fit": 1}}


def test_a_battle_is_fought_posted_and_its_losses_leave_the_units(cast: Cast) -> None:
    battle, posting = cast.posted()
    assert battle.state == Battle.State.POSTED
    result = engine.read_result(battle.latest_result().document)
    for key in ("r1", "r2", "b1", "b2"):
        left = sum(sum(c.values()) for c in strength(cast, key).values())
        gone = sum(f.after == engine.ELIMINATED for f in result.elements if f.unit == key)
        assert left == 3 - gone
    assert posting.lines.filter(account__holder="destroyed").exists()


def test_a_gun_that_loses_its_barrel_becomes_a_crew_and_the_sums_stay_zero(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    for fate in document["elements"]:
        fate.update(after=fate["before"], became="", cause="")
    gun = next(f for f in document["elements"] if f["element"] == "r1/toy-gun/1")
    gun.update(after="fit", became="toy-crew", cause="shot")
    document["spent"] = []
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="as it was")
    posting = cast.post(battle)
    assert strength(cast, "r1") == {"toy-squad": {"fit": 2}, "toy-crew": {"fit": 1}}
    converted = posting.lines.filter(account__holder="converted")
    assert sorted(converted.values_list("item", "quantity")) == [("toy-crew", -1), ("toy-gun", 1)]


def test_the_preview_is_the_posting(cast: Cast) -> None:
    battle = cast.resolved()
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid)
    posting = cast.post(battle)
    written = sorted(posting.lines.values_list("account__code", "item", "quantity", "cause"))
    assert written == sorted(
        (e.account.code, e.item.key, e.quantity, e.cause) for e in plan.entries
    )


def test_a_stale_plan_is_refused_and_nothing_is_written(cast: Cast) -> None:
    battle = cast.resolved()
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid)
    adjustments.adjust(
        seat=cast.referee,
        unit_id=cast.unit("r1").uid,
        element="toy-squad",
        condition="fit",
        quantity=1,
        reason="a late arrival",
        key="1",
    )
    with pytest.raises(Refused, match="changed since the preview"):
        battle_postings.post_result(seat=cast.referee, battle_id=battle.uid, plan_hash=plan.hash)
    assert not Posting.objects.filter(battle=battle).exists()


def test_a_double_click_posts_once(cast: Cast) -> None:
    battle = cast.resolved()
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid)
    first = battle_postings.post_result(
        seat=cast.referee, battle_id=battle.uid, plan_hash=plan.hash
    )
    second = battle_postings.post_result(
        seat=cast.organiser, battle_id=battle.uid, plan_hash=plan.hash
    )
    assert first == second
    assert Posting.objects.filter(battle=battle).count() == 1


def test_unknown_blocks_posting_until_a_person_decides(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["elements"][0]["after"] = "unknown"
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="?")
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid)
    assert "unknown" in plan.blocks[0]
    with pytest.raises(Refused, match="cannot be posted yet"):
        cast.post(battle)


def test_absent_is_never_destroyed(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    missing = document["elements"].pop()
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="?")
    blocks = battles.preview(seat=cast.referee, battle_id=battle.uid).blocks
    assert any(missing["element"] in block and "not reported" in block for block in blocks)


def test_an_element_that_was_not_there_cannot_be_reported(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["elements"].append({**document["elements"][0], "element": "r9/toy-squad/1"})
    with pytest.raises(Refused, match="was not in the battle"):
        battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="?")


def test_an_overruled_result_keeps_the_one_it_overrules_with_the_reason(cast: Cast) -> None:
    battle = cast.resolved()
    engines = battle.latest_result()
    document = json.loads(engines.document)
    document["ending"]["how"] = "night fell"
    with pytest.raises(Refused, match="needs a reason"):
        battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason=" ")
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="night")
    assert battle.latest_result().overrules == engines
    assert Result.objects.get(pk=engines.pk).document == engines.document
    cast.post(battle)
    report = battle_report.battle_aar(cast.red, battle.uid)
    assert report is not None
    assert report.overruled == "night"


def test_the_commitment_is_published_at_the_lock_and_the_key_only_after_the_fight(
    cast: Cast,
) -> None:
    battle = cast.locked()
    proof = battle_report.battle(cast.red, battle.uid).proof
    assert proof is not None
    assert len(proof.commitment) == 64
    assert not proof.key
    with pytest.raises(Refused, match="cannot be opened"):
        battles.reveal_key(seat=cast.referee, battle_id=battle.uid)


def test_a_revealed_key_audits_every_die_and_fights_the_same_battle_again(cast: Cast) -> None:
    from campaigns import battle_log

    battle, _ = cast.posted()
    key = battles.reveal_key(seat=cast.referee, battle_id=battle.uid)
    snapshot = battle.latest_snapshot()
    log = battle_log.of_snapshot(snapshot)
    result = engine.read_result(battle.latest_result().document)
    assert engine.commitment(bytes.fromhex(key), snapshot.hash, "1", 1) == snapshot.commitment
    assert engine.audit(log, bytes.fromhex(key)) > 0
    assert engine.rerun(log, result, bytes.fromhex(key)) == result.hash
    assert battle_report.battle_aar(cast.red, battle.uid).proof.key == key
    with pytest.raises(Refused, match="dice do not hold"):
        engine.audit(log, bytes(32))


def test_a_reversed_battle_leaves_every_unit_as_it_was(cast: Cast) -> None:
    before = strength(cast, "r1"), strength(cast, "b1")
    battle, posting = cast.posted()
    battle_postings.reverse_battle(
        seat=cast.referee, battle_id=battle.uid, reason="the wrong scenario"
    )
    battle.refresh_from_db()
    assert battle.state == Battle.State.REVERSED
    assert (strength(cast, "r1"), strength(cast, "b1")) == before
    with pytest.raises(Refused):
        battle_postings.reverse_posting(
            seat=cast.referee, posting_id=posting.uid, reason="once more"
        )
    with pytest.raises(Refused, match="is not reversed"):
        battle_postings.reverse_posting(
            seat=cast.referee, posting_id=posting.reversed_by.uid, reason="and back"
        )
    standings = history.standings(projection.viewer_for(cast.referee), cast.campaign)
    assert [s.victory for s in standings] == [0, 0]


def test_a_reversal_needs_a_reason(cast: Cast) -> None:
    battle, _ = cast.posted()
    with pytest.raises(Refused, match="needs a reason"):
        battle_postings.reverse_battle(seat=cast.referee, battle_id=battle.uid, reason="")


def test_a_reversed_rung_can_be_fought_again(cast: Cast) -> None:
    battle, _ = cast.posted()
    battle_postings.reverse_battle(seat=cast.referee, battle_id=battle.uid, reason="again")
    again, posting = cast.posted()
    assert again.number == 2
    assert posting.battle == again


def test_a_correction_is_a_reversal_and_a_replacement_in_one_act(cast: Cast) -> None:
    battle, old = cast.posted()
    document = json.loads(battle.latest_result().document)
    for fate in document["elements"]:
        fate.update(after=fate["before"], became="", cause="")
    new = corrections.correct_battle(
        seat=cast.referee, battle_id=battle.uid, document=document, reason="misread"
    )
    assert new.replaces == old
    assert old.reversed_by.reason == "misread"
    assert strength(cast, "r1") == {"toy-squad": {"fit": 2}, "toy-gun": {"fit": 1}}
    assert StoredReport.objects.filter(posting=new).count() == 4
    assert Posting.standing_for(battle) == new


def test_the_impact_list_names_later_battles_and_what_would_go_below_nothing(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["ending"] = {"kind": "draw", "how": "dusk", "winner": ""}
    for fate in document["elements"]:
        fate.update(after=fate["before"], became="", cause="")
    squad = next(f for f in document["elements"] if f["element"] == "r1/toy-squad/1")
    squad.update(after="reduced", cause="shot")
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="set up")
    posting = cast.post(battle)
    turns.open_next(seat=cast.referee)
    second = cast.resolved()
    document = json.loads(second.latest_result().document)
    for fate in document["elements"]:
        gone = fate["before"] == "reduced"
        fate.update(after="eliminated" if gone else fate["before"], became="", cause="shot")
    battles.overrule(seat=cast.referee, battle_id=second.uid, document=document, reason="set up")
    cast.post(second)
    impact = battle_postings.impact(seat=cast.referee, posting_id=posting.uid)
    assert "The second fight (turn 2)" in impact.later_battles[0]
    assert impact.negative == ("Red platoon 1 would be left with -1 Toy squad (reduced).",)
    with pytest.raises(Refused, match="has not got so many"):
        battle_postings.reverse_posting(
            seat=cast.referee, posting_id=posting.uid, reason="too late"
        )


def test_a_unit_is_in_one_battle_at_a_time(cast: Cast) -> None:
    battle = cast.locked()
    Battle.objects.filter(pk=battle.pk).update(rung="elsewhere")
    cast.planned()
    other = cast.campaign.battles.last()
    with pytest.raises(Refused, match="One battle after the other"):
        battles.lock_forces(seat=cast.referee, battle_id=other.uid)


def test_a_commander_stays_within_the_battle_limit_and_the_referee_may_go_over(
    cast: Cast,
) -> None:
    battle = cast.planned()
    battle.limits = {"red": 4, "blue": 6}
    battle.save()
    both = [(cast.unit(key).uid, {}) for key in ("r1", "r2")]
    with pytest.raises(Refused, match="Leave 2 behind"):
        battles.choose_detachment(seat=cast.red, battle_id=battle.uid, side_key="red", picks=both)
    battles.choose_detachment(seat=cast.referee, battle_id=battle.uid, side_key="red", picks=both)
    battles.choose_detachment(
        seat=cast.red,
        battle_id=battle.uid,
        side_key="red",
        picks=[(cast.unit("r1").uid, {"toy-squad": 1})],
    )
    snapshot = battles.lock_forces(seat=cast.referee, battle_id=battle.uid)
    forces = json.loads(snapshot.document)["forces"]
    assert [u["id"] for u in forces[0]["units"]] == ["r1"]
    assert [e["id"] for e in forces[0]["units"][0]["elements"]] == ["r1/toy-squad/1"]
    assert len(forces[1]["units"]) == 2


def test_a_detachment_cannot_bring_what_a_unit_has_not_got(cast: Cast) -> None:
    battle = cast.planned()
    with pytest.raises(Refused, match="has 2 Toy squad; 5 cannot come"):
        battles.choose_detachment(
            seat=cast.red,
            battle_id=battle.uid,
            side_key="red",
            picks=[(cast.unit("r1").uid, {"toy-squad": 5})],
        )


def test_unlocking_and_locking_again_is_a_second_visible_attempt(cast: Cast) -> None:
    battle = cast.locked()
    battles.unlock_forces(seat=cast.referee, battle_id=battle.uid)
    battles.lock_forces(seat=cast.referee, battle_id=battle.uid)
    commitments = set(ForceSnapshot.objects.filter(battle=battle).values_list("commitment"))
    assert len(commitments) == 2
    assert battle_report.battle(cast.red, battle.uid).attempt == 2


def test_a_table_result_takes_the_same_road(cast: Cast) -> None:
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    form = battle_report.result_form(cast.referee, battle.uid)
    form["ending"] = {"kind": "win", "how": "by nightfall", "winner": "red"}
    form["elements"][-1]["after"] = "eliminated"
    battles.save_draft(seat=cast.referee, battle_id=battle.uid, document=form)
    assert battles.draft_of(seat=cast.referee, battle_id=battle.uid) == form
    assert battles.draft_of(seat=cast.red, battle_id=battle.uid) == {}
    battles.enter_result(seat=cast.referee, battle_id=battle.uid, document=form)
    posting = cast.post(battle)
    assert posting.lines.filter(account__holder="destroyed", quantity=1).count() == 1


def test_two_players_report_a_half_each_and_a_difference_becomes_a_dispute(cast: Cast) -> None:
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    red = battle_report.result_form(cast.red, battle.uid)
    blue = battle_report.result_form(cast.blue, battle.uid)
    assert {f["unit"] for f in red["elements"]} == {"r1", "r2"}
    red["ending"] = {"kind": "win", "how": "", "winner": "red"}
    assert table_reports.report_side(seat=cast.red, battle_id=battle.uid, document=red) is None
    with pytest.raises(Refused, match="only your own elements"):
        table_reports.report_side(seat=cast.blue, battle_id=battle.uid, document=red)
    whole = table_reports.report_side(seat=cast.blue, battle_id=battle.uid, document=blue)
    assert whole is not None
    battle.refresh_from_db()
    assert battle.state == Battle.State.REPORTED
    assert "a win for Red, the other a draw" in battle.comments.get().text
    cast.post(battle)


def test_the_ladder_goes_on_by_who_won_and_ends_where_the_pack_says(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["ending"] = {"kind": "draw", "how": "dusk", "winner": ""}
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="dusk")
    with pytest.raises(Refused, match="post or cancel it"):
        turns.open_next(seat=cast.referee)
    cast.post(battle)
    turn = turns.open_next(seat=cast.referee)
    assert turn is not None
    assert (turn.number, turn.rung, turn.title) == (2, "two", "The second fight")
    cast.posted()
    assert turns.open_next(seat=cast.referee) is None
    with pytest.raises(Refused, match="ladder has ended"):
        cast.planned()


def test_a_foreign_battle_is_not_found(cast: Cast) -> None:
    with pytest.raises(NotFound):
        battles.lock_forces(seat=cast.referee, battle_id="0" * 20)

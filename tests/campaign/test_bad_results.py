"""Results that cannot be: outsize, contradictory, or told by whom they are not of."""

from __future__ import annotations

import msgspec
import pytest
from django.db import DatabaseError, connection, transaction

from campaigns import engine, reconcile
from campaigns.models import Result, ResultDraft, Status, append_only
from campaigns.operations import (
    adjustments,
    battle_postings,
    battles,
    corrections,
    members,
    oob,
    table_reports,
    turns,
)
from campaigns.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_table(cast):
    battle = cast.locked()
    return battles.play_at_table(seat=cast.referee, battle_id=battle.uid)


HELD = {"place": "A1", "name": "the hill", "side": "red"}
SPENT = {"unit": "r1", "item": "toy-gun", "quantity": 1}


def document_of(cast, battle):
    from campaigns.reports import battle as reports

    return reports.result_form(cast.referee, battle.uid)


def entered(cast, battle, document):
    battles.enter_result(seat=cast.referee, battle_id=battle.uid, document=document)
    return battles.preview(seat=cast.referee, battle_id=battle.uid)


def outsize_points(document):
    document["points"] = [{"side": "red", "what": "victory", "why": "", "quantity": 10**30}]


def outsize_turns(document):
    document["turns"] = 2**40


def outsize_words(document):
    document["ending"]["how"] = "x" * 100_000


def half_a_character(document):
    document["ending"]["how"] = "\ud800"


def nul(document):
    document["ending"]["how"] = "a\0b"


def outsize_cause(document):
    document["elements"][0]["cause"] = "x" * 201


@pytest.mark.parametrize(
    "change", [outsize_cause, outsize_points, outsize_turns, outsize_words, half_a_character, nul]
)
def test_a_result_that_no_ledger_could_hold_is_refused_when_it_is_entered(change, cast, at_table):
    document = document_of(cast, at_table)
    change(document)
    with pytest.raises(Refused):
        battles.enter_result(seat=cast.referee, battle_id=at_table.uid, document=document)


def merged_into_itself(document):
    fate = document["elements"][0]
    fate |= {"after": "eliminated", "merged_into": fate["element"]}


def merged_into_the_enemy(document):
    first, last = document["elements"][0], document["elements"][-1]
    first |= {"after": "eliminated", "merged_into": last["element"]}


def squads_of(document):
    return [f for f in document["elements"] if f["type"] == "toy-squad"]


def merged_in_a_ring(document):
    one, two = squads_of(document)[:2]
    one |= {"after": "eliminated", "merged_into": two["element"]}
    two |= {"after": "eliminated", "merged_into": one["element"]}


def merged_into_a_gun(document):
    squad = squads_of(document)[0]
    gun = next(
        f for f in document["elements"] if f["type"] == "toy-gun" and f["unit"] == squad["unit"]
    )
    squad |= {"after": "eliminated", "merged_into": gun["element"]}


def a_squad_became_a_gun(document):
    squads_of(document)[0] |= {"after": "fit", "became": "toy-gun"}


def fewer_turns_than_none(document):
    document["turns"] = -4


def became_what_nobody_knows_and_was_lost(document):
    squads_of(document)[0] |= {"after": "eliminated", "became": "<b>nonsense</b>"}


def a_draw_that_somebody_won(document):
    document["ending"] = {"kind": "draw", "how": "dark", "winner": "red"}


def a_place_held_twice(document):
    document["holdings"] = [
        {"place": "A1", "name": "the farm", "side": side} for side in ("red", "blue")
    ]


def a_mood_of_no_rulebook(document):
    document["elements"][0]["morale"] = "sulking"


@pytest.mark.parametrize(
    ("field", "value", "path", "mend"),
    [
        ("holdings", [HELD, {**HELD, "place": "A11"}], "holdings[1].place", 'Did you mean "A1"?'),
        ("holdings", [{**HELD, "place": "the hill"}], "holdings[0].place", 'Its place is "A1".'),
        ("spent", [{**SPENT, "item": "toy-shell"}], "spent[0].item", "There are: toy-gun"),
        ("spent", [SPENT, {**SPENT, "item": "toy-guns"}], "spent[1].item", 'mean "toy-gun"?'),
        ("spent", [{**SPENT, "unit": "r11"}], "spent[0].unit", 'Did you mean "r1"?'),
        ("spent", [{**SPENT, "quantity": 0}], "spent[0].quantity", "or leave it out"),
    ],
)
def test_a_result_that_speaks_of_another_battle_is_refused_at_its_field(
    field, value, path, mend, cast, at_table
):
    document = {**document_of(cast, at_table), field: value}
    with pytest.raises(Refused) as refused:
        battles.enter_result(seat=cast.referee, battle_id=at_table.uid, document=document)
    assert refused.value.path == path
    assert mend in refused.value.why
    assert at_table.latest_result() is None
    at_table.refresh_from_db()
    assert at_table.state == at_table.State.AT_TABLE


def test_a_half_that_speaks_of_another_battle_is_refused_before_the_other_half_comes(
    cast, at_table
):
    document = {**document_of(cast, at_table), "holdings": [{**HELD, "place": "Z9"}]}
    own = [fate for fate in document["elements"] if fate["unit"].startswith("r")]
    with pytest.raises(Refused) as refused:
        table_reports.report_side(
            seat=cast.red, battle_id=at_table.uid, document={**document, "elements": own}
        )
    assert refused.value.path == "holdings[0].place"
    assert not ResultDraft.objects.exists()


def test_what_the_unit_brought_and_what_the_engine_spent_may_be_told(cast, at_table):
    document = {**document_of(cast, at_table), "holdings": [HELD], "spent": [SPENT]}
    entered(cast, at_table, document)
    assert at_table.latest_result().source == "table"


def test_a_result_after_the_engines_may_keep_what_came_with_the_scenario(cast):
    battle = cast.resolved()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    assert document["spent"][0]["item"] == "toy-shell"
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="as told")
    other = {**document["spent"][0], "unit": "r2"}
    with pytest.raises(Refused) as refused:
        battles.overrule(
            seat=cast.referee,
            battle_id=battle.uid,
            document={**document, "spent": [other]},
            reason="as told",
        )
    assert refused.value.path == "spent[0].item"


@pytest.mark.parametrize(
    ("change", "path", "told"),
    [
        (merged_into_itself, "elements[0].merged_into", "another element of its side"),
        (merged_into_the_enemy, "elements[0].merged_into", "another element of its side"),
        (merged_in_a_ring, "elements[1].merged_into", "in a ring"),
        (merged_into_a_gun, "elements[1].merged_into", "two of a type that merges"),
        (became_what_nobody_knows_and_was_lost, "elements[1].became", "There are"),
        (a_squad_became_a_gun, "elements[1].became", "cannot turn into one"),
        (fewer_turns_than_none, "turns", "less than none"),
        (a_draw_that_somebody_won, "ending.winner", "yet that a side won"),
        (a_place_held_twice, "holdings[1].place", "is reported twice"),
        (a_mood_of_no_rulebook, "elements[0].morale", "morale can be good order"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused_at_its_field(
    change, path, told, cast, at_table
):
    document = document_of(cast, at_table)
    change(document)
    with pytest.raises(Refused) as refused:
        battles.enter_result(seat=cast.referee, battle_id=at_table.uid, document=document)
    assert refused.value.path == path
    assert told in refused.value.why
    assert at_table.latest_result() is None


@pytest.mark.parametrize("change", [a_place_held_twice, a_draw_that_somebody_won, merged_in_a_ring])
def test_a_result_that_was_kept_all_the_same_blocks_posting(change, cast, at_table):
    """A row that no operation of now would write: of an older version, or of an engine's fault."""
    document = document_of(cast, at_table)
    entered(cast, at_table, document)
    change(document)
    row = at_table.latest_result()
    Result.objects.create(
        snapshot=row.snapshot,
        battle=at_table,
        source="engine",
        document=engine.canonical(document).decode(),
        hash="0" * 64,
        by_name="the engine",
    )
    plan = battles.preview(seat=cast.referee, battle_id=at_table.uid)
    assert plan.blocks
    with pytest.raises(Refused):
        battle_postings.post_result(seat=cast.referee, battle_id=at_table.uid, plan_hash=plan.hash)


def test_a_result_of_another_version_of_the_rules_is_pointed_out(cast, at_table):
    document = document_of(cast, at_table)
    assert not entered(cast, at_table, document).warnings
    document["version"] = "0.0"
    battles.overrule(seat=cast.referee, battle_id=at_table.uid, document=document, reason="as told")
    plan = battles.preview(seat=cast.referee, battle_id=at_table.uid)
    assert any("names version 0.0 of the rules" in warning for warning in plan.warnings)


def test_a_result_by_hand_never_passes_for_the_engines(cast, at_table):
    document = document_of(cast, at_table)
    document["source"] = "engine"
    entered(cast, at_table, document)
    assert at_table.latest_result().source == "table"


def test_a_correction_does_not_take_back_what_was_said_of_a_unit_since(cast, monkeypatch):
    toy = engine.catalogue("toy")
    moods = msgspec.structs.replace(toy, morale=("good", "shaken", "broken"))
    monkeypatch.setattr(engine, "catalogue", lambda ruleset: moods)
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    alive = next(f for f in document["elements"] if f["after"] != "eliminated")
    unit = cast.unit(alive["unit"])
    turns.open_next(seat=cast.referee)
    oob.set_level(
        seat=cast.referee, unit_id=unit.uid, kind="morale", value="shaken", reason="the night"
    )
    alive["morale"] = "broken"
    corrections.correct_battle(
        seat=cast.referee, battle_id=battle.uid, document=document, reason="misread"
    )
    last = Status.objects.filter(unit=unit, kind=Status.Kind.MORALE).order_by("pk").last()
    assert last.value == "shaken"
    assert reconcile.reconcile() == []


def test_no_act_moves_more_than_a_ledger_of_a_campaign_holds(cast):
    with pytest.raises(Refused):
        adjustments.award(seat=cast.referee, side_key="red", points=10**30, reason="x", key="x")
    with pytest.raises(Refused):
        adjustments.adjust(
            seat=cast.referee,
            unit_id=cast.unit("r1").uid,
            element="toy-squad",
            condition="fit",
            quantity=10**30,
            reason="x",
            key="y",
        )


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite replaces rows so")
@pytest.mark.parametrize("table", sorted(append_only.CAMPAIGN_OF))
def test_a_row_of_the_journal_cannot_be_replaced(table, cast):
    cast.posted()
    unit = cast.unit("r1")
    oob.set_level(seat=cast.referee, unit_id=unit.uid, kind="fatigue", value="1", reason="cold")
    again = f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1"
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute(again)


def test_who_has_handed_a_campaign_over_cannot_hand_it_over_again(cast):
    in_another_tab = type(cast.organiser).objects.get(pk=cast.organiser.pk)
    members.hand_over(seat=cast.organiser, seat_id=cast.referee.uid)
    with pytest.raises(Refused):
        members.hand_over(seat=in_another_tab, seat_id=cast.red.uid)
    assert cast.campaign.seats.filter(role="organiser").count() == 1

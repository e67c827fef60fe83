"""Bodies that are broken, outsize or of another's: each is answered with a problem."""

from __future__ import annotations

import json

import pytest

from campaigns.models import Role
from campaigns.operations import adjustments, battles, members
from tests.api.conftest import V1
from tests.campaign.conftest import person

pytestmark = pytest.mark.django_db

HALF = '"\\ud800"'


def raw(caller, address, text):
    at = address if address.startswith("/") else f"{caller.home}/{address}"
    return caller.client.post(at, text, content_type="application/json")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"pack":' * 500 + "1" + "}" * 500,
        f'{{"pack": {HALF}}}',
        '{"pack": "toy\\u0000pack"}',
        '{"pack": "toy-pack", "options": {"public": ' + "9" * 30 + "}}",
    ],
)
def test_a_body_that_no_database_could_keep_is_malformed(text, calls):
    answer = raw(calls("organiser"), f"{V1}/campaigns/", text)
    assert answer.status_code == 400
    assert answer["Content-Type"].startswith("application/problem+json")


@pytest.mark.parametrize(("most", "status"), [(100.0, 202), (99.5, 400), (0, 400)])
def test_a_whole_number_may_be_written_with_a_point(most, status, cast, calls):
    battle = cast.planned()
    answer = calls("referee").post(f"battles/{battle.uid}/odds/", {"most": most})
    assert answer.status_code == status, answer.content


def test_a_body_of_megabytes_is_too_large_and_that_is_said_in_json(calls):
    answer = raw(calls("organiser"), f"{V1}/campaigns/", f'{{"pack": "{"x" * 3_000_000}"}}')
    assert answer.status_code == 413
    assert answer["Content-Type"].startswith("application/problem+json")


@pytest.mark.parametrize("more", [{"options": {"secret": True}}, {"side_names": {"mars": "Mars"}}])
def test_a_campaign_is_not_made_with_what_its_pack_has_not(more, calls):
    answer = calls("organiser").post(f"{V1}/campaigns/", {"pack": "toy-pack", **more})
    assert answer.status_code == 409


def test_a_campaign_of_a_blank_title_or_side_is_called_as_in_its_pack(calls):
    caller = calls("organiser")
    blank = {"pack": "toy-pack", "title": "  ", "side_names": {"red": " "}}
    made = caller.post(f"{V1}/campaigns/", blank).json()
    assert made["title"] == "The toy war"
    sides = caller.get(f"{V1}/campaigns/{made['slug']}/").json()["sides"]
    assert [side["name"] for side in sides] == ["Red", "Blue"]


def test_a_comment_of_a_kind_that_is_not_is_refused(cast, calls):
    battle = cast.planned()
    answer = calls("red").post(f"battles/{battle.uid}/comments/", {"text": "x", "kind": "shouts"})
    assert answer.status_code == 409


def test_a_unit_is_chosen_once_and_none_of_it_is_not_all_of_it(cast, calls):
    battle = cast.planned()
    first, second = cast.unit("r1"), cast.unit("r2")
    twice = {"picks": [{"unit": first.uid}, {"unit": first.uid}]}
    assert calls("red").put(f"battles/{battle.uid}/forces/red/", twice).status_code == 409
    none = {"unit": second.uid, "elements": {"toy-squad": 0}}
    chosen = calls("red").put(
        f"battles/{battle.uid}/forces/red/", {"picks": [{"unit": first.uid}, none]}
    )
    force = next(f for f in chosen.json()["forces"] if f["key"] == "red")
    assert [unit["key"] for unit in force["units"]] == ["r1"]
    only = calls("red").put(f"battles/{battle.uid}/forces/red/", {"picks": [none]})
    assert only.status_code == 409


def test_a_referee_who_looks_through_a_side_reads_no_posting_of_the_other(cast, calls):
    from campaigns.operations import oob

    posting = oob.set_level(
        seat=cast.referee, unit_id=cast.unit("b1").uid, kind="fatigue", value="3", reason="cold"
    )
    caller = calls("referee")
    assert caller.get(f"journal/{posting.uid}/").status_code == 200
    assert caller.get(f"journal/{posting.uid}/?as=blue").status_code == 200
    assert caller.get(f"journal/{posting.uid}/?as=red").status_code == 404


# --- an organiser who commands a side is no referee ---------------------------------------------


@pytest.fixture
def red_organiser(cast, calls):
    """The organiser, seated on Red."""
    cast.organiser.side = cast.campaign.sides.get(key="red")
    cast.organiser.save()
    return calls("organiser")


def names_of_blue(cast):
    return [
        word
        for unit in cast.campaign.units.filter(side__key="blue")
        for word in (unit.name, unit.key + "/")
    ]


def test_what_blocks_a_posting_names_no_enemy_to_an_organiser_with_a_side(cast, red_organiser):
    battle = cast.resolved()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    fate = next(f for f in document["elements"] if f["unit"].startswith("b"))
    fate["after"] = "unknown"
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="who knows")
    plan = red_organiser.get(f"battles/{battle.uid}/preview/").json()["plan_hash"]
    answer = red_organiser.post(f"battles/{battle.uid}/postings/", {"plan_hash": plan})
    assert answer.status_code == 409
    assert not [name for name in names_of_blue(cast) if name in answer.content.decode()]


def test_what_depends_on_a_posting_names_no_enemy_to_an_organiser_with_a_side(cast, red_organiser):

    _, posting = cast.posted()
    moved = posting.lines.filter(quantity__gt=0, account__holder="unit", account__side__key="blue")
    line = moved.select_related("account__unit").first()
    assert line is not None, "the toy battle reduces somebody of Blue"
    adjustments.adjust(
        seat=cast.referee,
        unit_id=line.account.unit.uid,
        element=line.item,
        condition=line.account.condition,
        quantity=-1,
        reason=f"{line.account.unit.name} lost one on the march",
        key="march",
    )
    impact = red_organiser.get(f"journal/{posting.uid}/impact/")
    back = red_organiser.post(f"journal/{posting.uid}/reversals/", {"reason": "again"})
    assert back.status_code == 409
    text = impact.content.decode() + back.content.decode()
    assert impact.json()["negative"]
    assert not [name for name in names_of_blue(cast) if name in text]


@pytest.mark.parametrize("who", ["red", "red_player", "spectator"])
def test_hashes_by_which_a_guess_could_be_tried_are_the_referees_until_the_reveal(who, cast, calls):
    battle = cast.resolved()
    proof = calls(who).get(f"battles/{battle.uid}/").json()["proof"]
    assert proof["commitment"]
    assert [proof[f"{name}_hash"] for name in ("snapshot", "log", "result")] == ["", "", ""]
    assert calls("referee").get(f"battles/{battle.uid}/").json()["proof"]["snapshot_hash"]
    battles.reveal_key(seat=cast.referee, battle_id=battle.uid)
    shown = calls(who).get(f"battles/{battle.uid}/").json()["proof"]
    assert shown["snapshot_hash"]
    assert shown["key"]


# --- both sides report ----------------------------------------------------------------------------


def test_a_draft_that_saves_itself_after_the_report_does_not_take_the_report_back(cast, calls):
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    at = f"battles/{battle.uid}/result/"
    red, blue = calls("red"), calls("blue")
    assert red.post(at, {"document": red.get(at).json()["document"]}).status_code == 201
    draft = f"/c/{cast.campaign.slug}/battles/{battle.uid}/result/draft/"
    assert red.client.post(draft, {"winner": "red"}).status_code == 200
    done = blue.post(at, {"document": blue.get(at).json()["document"]})
    assert done.status_code == 201
    assert done.json()["state"] == "reported"


def test_a_place_at_another_table_does_not_mix_the_reports_of_this_one(cast, calls):
    other = members.invite(
        seat=calls_seat(person("elsewhere")), role=Role.COMMANDER, side_key="blue"
    )
    members.accept(user=cast.red.user, token=other.token)
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    red = calls("red")
    at = f"battles/{battle.uid}/result/"
    answer = red.post(at, {"document": red.get(at).json()["document"]})
    assert answer.status_code == 201
    assert answer.json()["state"] == "at_table"


def calls_seat(user):
    from campaigns.operations import campaigns

    return campaigns.create_from_pack(user=user, pack_key="toy-pack")


def test_where_the_house_rule_says_so_players_do_not_comment(cast, calls):
    battle = cast.planned()
    cast.campaign.options["opponent_comments"] = False
    cast.campaign.save()
    at = f"battles/{battle.uid}/comments/"
    assert calls("red").post(at, {"text": "Well?"}).status_code == 409
    assert calls("referee").post(at, {"text": "Well."}).status_code == 201


def test_the_answer_to_a_half_a_character_is_json(calls):
    answer = raw(calls("red"), f"{V1}/join/", f'{{"token": {HALF}}}')
    assert json.loads(answer.content)["status"] == 400

"""Two reports of one battle: each held to its battle when it is sent, and its side's for good."""

from __future__ import annotations

import copy
import importlib
from pathlib import Path

import msgspec
import pytest
from django.apps import apps

from campaigns import engine, fates, scope
from campaigns.models import Comment, Result, ResultDraft, Role
from campaigns.operations import battles, members, table_reports
from campaigns.refusals import Refused
from campaigns.reports import battle as reports
from rulesengine import loader

FIXTURES = Path(__file__).parents[2] / "fixtures"

HELD = {"place": "A1", "name": "the hill", "side": "red"}
SCORED = {"side": "red", "what": "victory", "why": "the hill", "quantity": 2}


@pytest.fixture
def at_table(cast):
    battle = cast.locked()
    return battles.play_at_table(seat=cast.referee, battle_id=battle.uid)


def half(seat, battle, **changes):
    return {**copy.deepcopy(reports.result_form(seat, battle.uid)), **changes}


def send(seat, battle, document):
    return table_reports.report_side(seat=seat, battle_id=battle.uid, document=document)


def one(place, **changes):
    """A change of the first fate, or of the one at a place."""

    def change(document):
        document["elements"][place] |= changes

    return change


def all_of(**changes):
    return lambda document: document.update(copy.deepcopy(changes))


def first_twice(document):
    document["elements"].append(document["elements"][0])


IMPOSSIBLE = {
    "another game": (all_of(ruleset="ost"), "ruleset", 'locked under "toy"'),
    "another version": (all_of(version="0.0"), "version", "locked under"),
    "other forces": (all_of(scenario="deadbeef"), "scenario", "other forces"),
    "points of nobody": (
        all_of(points=[SCORED, {**SCORED, "side": "rod"}]),
        "points[1].side",
        'Did you mean "red"?',
    ),
    "negative points": (all_of(points=[{**SCORED, "quantity": -5}]), "points[0].quantity", "-5"),
    "held by nobody known": (
        all_of(holdings=[{**HELD, "side": "bleu"}]),
        "holdings[0].side",
        'Did you mean "blue"?',
    ),
    "held twice": (all_of(holdings=[HELD, {**HELD, "side": ""}]), "holdings[1].place", "twice"),
    "a place by its name": (
        all_of(holdings=[{**HELD, "place": "The Hill"}]),
        "holdings[0].place",
        'Its place is "A1".',
    ),
    "won by nobody known": (
        all_of(ending={"kind": "win", "how": "", "winner": "mars"}),
        "ending.winner",
        "There are: blue, red.",
    ),
    "failed": (all_of(ending={"kind": "failed", "how": "rain"}), "ending.kind", "win or a draw"),
    "turns below none": (all_of(turns=-1), "turns", "less than none"),
    "too many turns": (all_of(turns=21), "turns", "this battle has 20 at most"),
    "an element twice": (first_twice, "elements[6].element", "reported twice"),
    "an element of nobody": (
        one(0, element="r1/toy-gum/1"),
        "elements[0].element",
        'Did you mean "r1/toy-gun/1"?',
    ),
    "an element of the enemy": (one(0, element="b1/toy-gun/1"), "elements[0].element", "own"),
    "another unit": (one(0, unit="r2"), "elements[0].unit", 'started as "r1"'),
    "another type": (one(0, type="toy-squad"), "elements[0].type", 'started as "toy-gun"'),
    "another before": (one(1, before="reduced"), "elements[1].before", 'started as "fit"'),
    "no such after": (one(1, after="reducd"), "elements[1].after", 'Did you mean "reduced"?'),
    "became nothing known": (
        one(0, became="toy-crow"),
        "elements[0].became",
        'Did you mean "toy-crew"?',
    ),
    "became what it cannot": (one(1, became="toy-gun"), "elements[1].became", "cannot turn"),
    "no such morale": (one(0, morale="good odour"), "elements[0].morale", '"good order"?'),
    "merged into the enemy": (
        one(1, after="eliminated", merged_into="b1/toy-squad/1"),
        "elements[1].merged_into",
        "its side",
    ),
    "merged into nobody": (
        one(1, after="eliminated", merged_into="r1/toy-squat/2"),
        "elements[1].merged_into",
        "r1/toy-squad/2",
    ),
    "merged and still there": (
        one(1, merged_into="r1/toy-squad/2"),
        "elements[1].after",
        "no more",
    ),
    "spent more than there was": (
        all_of(spent=[{"unit": "r1", "item": "toy-squad", "quantity": 3}]),
        "spent[0].quantity",
        "had 2 Toy squad: 3 cannot be spent",
    ),
    "spent by the enemy": (
        all_of(spent=[{"unit": "b1", "item": "toy-gun", "quantity": 1}]),
        "spent[0].unit",
        "There are: r1, r2.",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_half_that_cannot_be_is_refused_when_it_is_sent(name, cast, at_table):
    change, path, told = IMPOSSIBLE[name]
    document = half(cast.red, at_table)
    assert [f["type"] for f in document["elements"][:2]] == ["toy-gun", "toy-squad"]
    change(document)
    with pytest.raises(Refused) as refused:
        send(cast.red, at_table, document)
    assert (refused.value.path, told in refused.value.why) == (path, True), refused.value.why
    assert not ResultDraft.objects.exists()
    known = {"b1", "b2"} - {f["unit"] for f in document["elements"]}
    sent = str(document)
    for unit in known:
        assert unit in sent or unit not in refused.value.why, "the enemy's units are his own"


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(set(IMPOSSIBLE) - {"another version"}))
def test_a_whole_that_cannot_be_is_refused_when_it_is_entered(name, cast, at_table):
    change, path, _ = IMPOSSIBLE[name]
    if name in ("an element of the enemy", "spent by the enemy"):
        change = one(0, element="r9/toy-gun/1")
        path = "elements[0].element"
    document = half(cast.referee, at_table)
    count = len(document["elements"])
    change(document)
    with pytest.raises(Refused) as refused:
        battles.enter_result(seat=cast.referee, battle_id=at_table.uid, document=document)
    assert refused.value.path == path.replace("[6]", f"[{count}]")
    assert not Result.objects.exists()
    at_table.refresh_from_db()
    assert at_table.state == at_table.State.AT_TABLE


@pytest.mark.django_db
def test_what_is_both_spent_and_lost_is_told_so_and_not_put_on_somebody_else(cast, at_table):
    spent = [{"unit": "r1", "item": "toy-gun", "quantity": 1}]
    document = half(cast.red, at_table, spent=spent)
    document["elements"][0]["after"] = "eliminated"
    with pytest.raises(Refused, match="1 of them reported lost: 1 cannot be spent") as refused:
        send(cast.red, at_table, document)
    assert refused.value.path == "spent[0].quantity"
    document["elements"][0]["after"] = "fit"
    assert send(cast.red, at_table, document) is None


@pytest.mark.django_db
def test_a_held_place_is_called_as_the_scenario_calls_it(cast, at_table):
    held = {**HELD, "name": "<b>my hill</b>"}
    send(cast.red, at_table, half(cast.red, at_table, holdings=[held]))
    whole = send(cast.blue, at_table, half(cast.blue, at_table, holdings=[HELD]))
    (holding,) = engine.read_result(whole.document).holdings
    assert holding.name == "the hill"
    assert not Comment.objects.exists()


WON = {"kind": "win", "winner": "red", "how": "held the hill"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reds", "blues", "told"),
    [
        ({"ending": WON}, {"ending": {**WON, "how": "more points"}}, ""),
        (
            {"points": [SCORED, SCORED]},
            {"points": [{**SCORED, "why": "all in all", "quantity": 4}]},
            "",
        ),
        ({"points": []}, {"points": [{**SCORED, "quantity": 0}]}, ""),
        ({"points": [SCORED]}, {"points": [{**SCORED, "what": "casualty"}]}, "different points"),
        ({"holdings": [HELD]}, {"holdings": [{**HELD, "side": "blue"}]}, "different ground"),
        ({"turns": 4}, {"turns": 3}, "One side reports 4 turns played, the other 3."),
        ({"ending": WON}, {"ending": {**WON, "winner": "blue"}}, "a win for Red, the other a win"),
    ],
)
def test_words_are_no_difference_between_two_halves_and_numbers_are(
    reds, blues, told, cast, at_table
):
    assert send(cast.red, at_table, half(cast.red, at_table, **reds)) is None
    assert send(cast.blue, at_table, half(cast.blue, at_table, **blues)) is not None
    texts = list(at_table.comments.values_list("text", flat=True))
    assert len(texts) == bool(told)
    assert all(told in text for text in texts)


@pytest.mark.django_db
def test_who_changes_sides_has_reported_for_the_side_he_was_on(cast, at_table):
    reds, blues = half(cast.red, at_table), half(cast.blue, at_table)
    assert send(cast.red_player, at_table, reds) is None
    members.change_seat(
        seat=cast.organiser, seat_id=cast.red_player.uid, role=Role.PLAYER, side_key="blue"
    )
    cast.red_player.refresh_from_db()
    with pytest.raises(Refused, match="You have reported this battle for Red"):
        send(cast.red_player, at_table, blues)
    assert ResultDraft.objects.get().side.key == "red"
    whole = send(cast.blue, at_table, blues)
    told = engine.read_result(whole.document)
    assert sorted(f.element for f in told.elements) == sorted(
        f["element"] for f in reds["elements"] + blues["elements"]
    )


@pytest.mark.django_db
def test_a_report_sent_before_reports_kept_their_side_is_of_where_its_author_sat(cast, at_table):
    send(cast.red, at_table, half(cast.red, at_table))
    battles.save_draft(seat=cast.blue, battle_id=at_table.uid, document={"turns": 1})
    ResultDraft.objects.update(side=None)
    step = importlib.import_module("campaigns.migrations.0011_reports_by_seat")
    step.from_the_seat(apps, None)
    sides = dict(ResultDraft.objects.values_list("author__username", "side__key"))
    assert sides == {"red-commander": "red", "blue-commander": None}


@pytest.mark.django_db
def test_a_half_is_of_one_attempt(cast, at_table):
    """What was reported of forces that have been unlocked since binds nobody."""
    send(cast.red_player, at_table, half(cast.red_player, at_table))
    battles.leave_table(seat=cast.referee, battle_id=at_table.uid)
    battles.unlock_forces(seat=cast.referee, battle_id=at_table.uid)
    battles.lock_forces(seat=cast.referee, battle_id=at_table.uid)
    battles.play_at_table(seat=cast.referee, battle_id=at_table.uid)
    members.change_seat(
        seat=cast.organiser, seat_id=cast.red_player.uid, role=Role.PLAYER, side_key="blue"
    )
    cast.red_player.refresh_from_db()
    assert send(cast.red_player, at_table, half(cast.red_player, at_table)) is None
    assert send(cast.red, at_table, half(cast.red, at_table)) is not None


@pytest.mark.parametrize(
    ("what", "quantities", "path"),
    [
        ("victory", (-11,), ""),
        ("victory", (-12,), "points[0].quantity"),
        ("victory", (-6, 4, -5), ""),
        ("victory", (-6, 4, -6), "points[2].quantity"),
        ("casualty", (-1,), "points[0].quantity"),
    ],
)
def test_only_a_side_that_starts_behind_has_fewer_points_than_none(what, quantities, path):
    scenario = loader.load_scenario(PACK / "noville-afternoon.toml")
    assert scenario.head_start == (0, -11)
    result = engine.fight(scenario, bytes(32), 1, lambda _: True).result
    rows = [engine.Points(side="axis", what=what, why="", quantity=n) for n in quantities]
    told = scope.faults(scenario, msgspec.structs.replace(result, points=tuple(rows)))
    assert [fault.path for fault in told] == [path] * bool(path)


PACK = FIXTURES / "packs" / "road-to-bastogne" / "scenarios"
FIGHTS = [*sorted(PACK.glob("*.toml")), *sorted((FIXTURES / "bench").glob("*.toml"))]


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_nothing_that_the_engine_made_is_refused_whole_or_by_halves(path):
    scenario = loader.load_scenario(path)
    for seed in range(4):
        result = engine.fight(scenario, bytes([seed]) * 32, 1, lambda _: True).result
        assert [*scope.faults(scenario, result), *fates.faults(scenario, result)] == []
        assert scope.settled(scenario, result) == result
        for force in scenario.forces:
            own = {unit.id for unit in force.units}
            fought = tuple(fate for fate in result.elements if fate.unit in own)
            mine = msgspec.structs.replace(result, elements=fought)
            assert scope.settled(scenario, mine, side=force.side) == mine

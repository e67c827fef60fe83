"""Questions about single rolls: leaders, crews, bogs, Impulse Points, stealth; worked by hand."""

from __future__ import annotations

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.fate_questions import (
    BogRoll,
    CrewSurvival,
    ImpulsePoints,
    LeaderCasualty,
    StealthMove,
)
from tests.engine.ost.test_questions import chances, odds

FAILS = odds(15)
"""A gut check of 7: 2 to 6 on 2D6."""


@pytest.mark.parametrize(
    ("result", "reduced", "killed"),
    [
        pytest.param("X", False, 3, marks=pytest.mark.rule("ost", "28.2.1")),
        pytest.param("C", True, 3, marks=pytest.mark.rule("ost", "28.2.1")),
        pytest.param("C-B", True, 3, marks=pytest.mark.rule("ost", "28.2.1")),
        pytest.param("C", False, 1, marks=pytest.mark.rule("ost", "28.2.2")),
        pytest.param("C-S", False, 1, marks=pytest.mark.rule("ost", "28.2.2", "28.2.4")),
        pytest.param("C-B", False, 1, marks=pytest.mark.rule("ost", "28.2.2", "28.2.4")),
    ],
)
def test_a_leader_dies_with_his_unit_or_with_a_casualty(ask, result, reduced, killed):
    found = chances(ask(LeaderCasualty(result=result, reduced=reduced)))
    assert found == {"killed": odds(killed, 6), "no effect": odds(6 - killed, 6)}


@pytest.mark.rule("ost", "28.2.3")
@pytest.mark.parametrize(
    ("result", "morale", "leader", "expected"),
    [
        ("S", "good order", "good order", {"shaken": FAILS**2, "no effect": 1 - FAILS**2}),
        ("B", "good order", "good order", {"broken": FAILS**2, "no effect": 1 - FAILS**2}),
        ("S", "good order", "shaken", {"broken": FAILS**2, "no effect": 1 - FAILS**2}),
        ("S", "shaken", "good order", {"shaken": FAILS**2, "no effect": 1 - FAILS**2}),
        ("S", "broken", "good order", {"no effect": 1}),
        ("B", "good order", "broken", {"no effect": 1}),
    ],
)
def test_a_leader_checks_only_where_his_unit_has_failed(ask, result, morale, leader, expected):
    found = ask(LeaderCasualty(result=result, morale=morale, leader_morale=leader))
    assert chances(found) == expected


def test_a_reduced_unit_that_is_only_shaken_kills_no_leader(ask):
    assert "killed" not in chances(ask(LeaderCasualty(result="B", reduced=True)))


@pytest.mark.rule("ost", "29.6.2", "29.6.3")
def test_a_six_gets_the_crew_out_and_saves_a_point(ask):
    assert chances(ask(CrewSurvival(vehicle="us-m4"))) == {
        "the crew get out, 1 casualty point": odds(1, 6),
        "nobody gets out, 2 casualty points": odds(5, 6),
    }


@pytest.mark.parametrize(
    ("vehicle", "melee", "said"),
    [
        pytest.param(
            "ger-truck", False, "1 casualty point", marks=pytest.mark.rule("ost", "29.6.4")
        ),
        pytest.param("ger-251", True, "1 casualty point", marks=pytest.mark.rule("ost", "29.6.4")),
        pytest.param("us-m4", True, "2 casualty points", marks=pytest.mark.rule("ost", "30.4.8")),
    ],
)
def test_carriers_and_vehicles_lost_in_melee_have_no_roll(ask, vehicle, melee, said):
    found = chances(ask(CrewSurvival(vehicle=vehicle, melee=melee)))
    assert found == {f"nobody gets out, {said}": 1}


@pytest.mark.rule("ost", "23.5.1")
@pytest.mark.parametrize(
    ("vehicle", "terrain", "hexside", "bogs"),
    [
        ("us-m4", ("stream",), "", 1),
        ("us-m4", ("marsh",), "", 2),
        ("us-m4", ("open",), "hedge", 1),
        ("ger-truck", ("open",), "hedge", 2),
    ],
)
def test_how_often_a_vehicle_bogs_down(ask, vehicle, terrain, hexside, bogs):
    found = chances(ask(BogRoll(vehicle=vehicle, terrain=terrain, hexside=hexside)))
    assert found == {"bogs down": odds(bogs, 6), "gets through": odds(6 - bogs, 6)}


@pytest.mark.rule("ost", "14.0.3")
def test_open_ground_takes_no_bog_roll(ask):
    assert chances(ask(BogRoll(vehicle="us-m4", terrain=("open",)))) == {"no bog roll there": 1}


@pytest.mark.rule("ost", "14.0.4")
@pytest.mark.parametrize(
    ("terrain", "hexside"), [(("heavy structure",), ""), (("open",), "bocage")]
)
def test_where_a_vehicle_may_not_go_there_is_nothing_to_roll(ask, terrain, hexside):
    answer = ask(BogRoll(vehicle="us-m4", terrain=terrain, hexside=hexside))
    assert "may not go" in answer.text
    assert not answer.chances


@pytest.mark.rule("ost", "23.5.5", "23.5.6", "23.5.7")
@pytest.mark.parametrize(
    ("terrain", "free", "stays", "never"), [("stream", 4, 1, 1), ("marsh", 3, 1, 2)]
)
def test_how_often_a_bogged_vehicle_gets_free(ask, terrain, free, stays, never):
    found = chances(ask(BogRoll(vehicle="us-m4", terrain=(terrain,), bogged=True)))
    assert found == {
        "is free": odds(free, 6),
        "stays bogged": odds(stays, 6),
        "stuck for good": odds(never, 6),
    }


@pytest.mark.rule("ost", "4.0.3")
def test_the_points_of_a_turn_are_the_dice_and_what_is_added(ask):
    found = chances(ask(ImpulsePoints(dice=2, plus=3)))
    assert (found["5"], found["10"], found["15"]) == (odds(1), odds(6), odds(1))


@pytest.mark.border("ost", "1")
@pytest.mark.rule("ost", "1.7.p2")
@pytest.mark.parametrize(("losses", "least", "most"), [(5, 2, 7), (9, 2, 7), (10, 1, 6)])
def test_each_five_casualty_points_cost_one(ask, losses, least, most):
    found = chances(ask(ImpulsePoints(dice=1, plus=2, losses=losses)))
    assert {int(name) for name in found} == set(range(least, most + 1))


def test_four_casualty_points_cost_nothing_and_one_point_is_always_left(ask):
    assert ask(ImpulsePoints(dice=1, losses=4)).chances == ask(ImpulsePoints(dice=1)).chances
    assert chances(ask(ImpulsePoints(dice=1, losses=99))) == {"1": 1}


@pytest.mark.rule("ost", "23.3.2")
@pytest.mark.parametrize(("shaken", "points"), [(False, 2), (True, 1)])
def test_stealth_takes_half_of_the_points(ask, shaken, points):
    assert ask(StealthMove(counter="us-sniper", shaken=shaken)).value == points


@pytest.mark.rule("ost", "23.3.p1")
def test_a_squad_without_the_skill_does_not_move_by_stealth(ask):
    assert ask(StealthMove(counter="us-rifle")).value == 0


@pytest.mark.parametrize(
    ("question", "word"),
    [
        (LeaderCasualty(result="S", gut_check=14), "gut_check"),
        (CrewSurvival(vehicle="us-rifle"), "vehicle"),
        (BogRoll(vehicle="us-m4", terrain=()), "terrain"),
        (BogRoll(vehicle="us-m4", terrain=("moon",)), "terrain"),
        (BogRoll(vehicle="us-m4", terrain=("open",), hexside="ditch"), "hexside"),
        (ImpulsePoints(dice=0), "dice"),
        (ImpulsePoints(dice=7), "dice"),
        (ImpulsePoints(dice=1, plus=100), "plus"),
        (ImpulsePoints(dice=1, losses=-1), "losses"),
        (StealthMove(counter="us-m4"), "counter"),
    ],
)
def test_a_wrong_question_names_its_field(ask, question, word):
    with pytest.raises(BadDocument, match=f"^{word}"):
        ask(question)

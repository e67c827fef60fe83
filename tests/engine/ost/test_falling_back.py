"""Where those go who must leave a melee (OST 30.4.3, 24.0.15, 30.1.4): and who cannot."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from tests.engine.ost.melees import NEXT_TURN
from tests.engine.table import GERMAN, US, ControlHex, find

MEADOW = ("........",) * 8


def beaten(table, kind, *, at="C4", **more):
    """A broken German that is assaulted by a squad."""
    board = table(MEADOW).put("us", "us-rifle", "C3").put("g", kind, at, morale="broken", **more)
    return board.put("away", "ger-rifle", "H8").points(1, 1)


def fought(play, *dice):
    play.do(play.assault("us", "C4"))
    return play.out(1, 1, *dice)


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(
    ("kind", "lost"), [("ger-pak36", False), ("ger-infantry-gun-75", False), ("ger-flak36", True)]
)
def test_a_gun_that_only_a_vehicle_can_move_does_not_fall_back(table, kind, lost):
    play = beaten(table, kind).start()
    news = fought(play, *(NEXT_TURN if lost else ()))
    assert (play.steps("g") == 0) == lost
    if lost:
        assert find(news, e.Eliminated).why == "no retreat"
        assert play.state.loss_points[GERMAN] == 2
        assert not play.state.unmanned, "it goes with its crew"
    else:
        play.dice(6, 6, *NEXT_TURN).do(a.Retreat(unit=play["g"], to=play.hex("C5")))
        assert play.at("g") == "C5"


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize("deserted", [False, True])
def test_nobody_falls_back_into_another_melee(table, deserted):
    """Not where the enemy has gone from it either, before it is fought."""
    board = beaten(table, "ger-rifle").put("two", "us-rifle", "D4").put("h", "ger-rifle", "D5")
    play = board.points(3, 1).start()
    play.do(play.assault("two", "D5"))
    play.idle()
    if deserted:
        play.given(e.Eliminated(unit=play["two"], points=2, why="destroyed"))
    play.do(play.assault("us", "C4"))
    play.out(1, 1)
    assert (play.wants, play.owed) == ("a retreat out of the melee", GERMAN)
    assert play.hex("D5") in play.state.melees
    refusal = play.refused(a.Retreat(unit=play["g"], to=play.hex("D5")))
    assert refusal.rule == "30.4.3"
    assert play.state.side[play["us"]] == US


def manned(table, gun):
    """A broken German squad that has manned a gun is assaulted, and has to leave."""
    board = beaten(table, "ger-rifle").put("gun", gun, "C4")
    play = board.start()
    play.given(
        e.Eliminated(unit=play["gun"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("C4"), roll=Roll(0, 6, (6,)), remains=True),
        v.GunManned(unit=play["g"], gun=play["gun"]),
    )
    fought(play)
    return play


@pytest.mark.rule("ost", "8.2.2", "8.2.3")
@pytest.mark.parametrize("destroy", [False, True])
def test_squads_leave_a_towed_gun_behind_when_they_fall_back(table, destroy):
    play = manned(table, "ger-flak36")
    away = a.Retreat(unit=play["g"], to=play.hex("C5"), destroy=destroy)
    rules = ruleset("ost")
    asked = rules.view(play.state, play.owed), rules.awaiting(play.state)[0]
    assert away in list(rules.candidates(*asked))
    news = play.dice(6, 6, *NEXT_TURN).do(away)
    assert find(news, v.GunAbandoned).destroyed == destroy
    assert (play.at("g"), play.steps("g")) == ("C5", 2)
    assert play.state.kind[play["g"]] == play.state.start_types[play["g"]]
    assert (play.state.unmanned.get(play["gun"]) == play.hex("C4")) is not destroy
    assert play.state.loss_points[GERMAN] == 2, "for the crew that was lost before"


@pytest.mark.rule("ost", "8.2.2")
def test_a_gun_that_walks_goes_along(table):
    play = manned(table, "ger-pak36")
    away = a.Retreat(unit=play["g"], to=play.hex("C5"), destroy=True)
    assert play.refused(away).rule == "8.2.2"
    play.dice(6, 6, *NEXT_TURN).do(a.Retreat(unit=play["g"], to=play.hex("C5")))
    assert play["g"] in play.state.manning


@pytest.mark.rule("ost", "3.2.2")
def test_a_tank_in_good_order_that_backs_out_of_a_duel_takes_the_place_it_comes_into(table):
    mill = ControlHex(hex="C3", name="Mill", owner="german", per_turn=3)
    board = table(MEADOW).scenario(control=(mill,)).put("us", "us-m4", "D4", facing=5)
    board.put("g", "ger-pz4h", "C4", facing=3).put("away", "ger-rifle", "H8").points(1, 1)
    play = board.start()
    play.do(play.assault("us", "C4"))
    play.out(6, 6, 6, 5, 1, 1, 1, 1)
    news = play.dice(*NEXT_TURN).do(a.Retreat(unit=play["us"], to=play.hex("C3")))
    assert find(news, e.ControlTaken).side == US

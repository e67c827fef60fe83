"""Where those go who must leave a melee (OST 30.4.3, 24.0.15, 30.1.4): and who cannot."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from tests.engine.ost.melees import NEXT_TURN
from tests.engine.table import GERMAN, US, find

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

"""The sum of fire at a landing (OST 26.3.9, 27.8, 17.2.2): weapons, nerve, groups, and what is
halved when."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost.landing_fire import force
from rulesengine.rulesets.ost.state import NONE
from tests.engine.ost.test_airborne import QUIET, all_of, stick
from tests.engine.table import GERMAN


def against(table, *units):
    """A squad comes down on J13; these stand next to it."""
    board = stick(table, falls=(1, 1))
    for name, kind, at, more in units:
        board.put(name, kind, at, **more)
    return board.start()


def strength(play, one, two=""):
    partner = play[two] if two else NONE
    return force(play.state, play[one], partner, play["a"])[1].value


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(
    ("more", "power"),
    [
        ({}, (4 + 1) // 2),
        ({"weapon": "ger-lmg"}, (4 + 2 + 1) // 2),
        ({"weapon": "ger-panzerfaust"}, (4 + 1) // 2),
        ({"weapon": "ger-mortar-50"}, (4 + 1) // 2),
        ({"morale": "shaken"}, (4 + 1) // 2 // 2),
        ({"morale": "shaken", "weapon": "ger-lmg"}, (4 + 2 + 1) // 2 // 2),
        ({"reduced": True, "morale": "shaken"}, 1),
    ],
)
def test_one_unit(table, more, power):
    assert strength(against(table, ("b", "ger-rifle", "J12", more)), "b") == power


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(
    ("first", "second", "power"),
    [
        ("good order", "good order", (4 + 4 + 1) // 2),
        ("good order", "shaken", (4 + 2 + 1) // 2),
        ("shaken", "shaken", (2 + 2 + 1) // 2),
    ],
)
def test_of_a_group_each_halves_his_own(table, first, second, power):
    play = against(
        table,
        ("b", "ger-rifle", "J12", {"morale": first, "leader": "boss"}),
        ("c", "ger-rifle", "J12", {"morale": second}),
    )
    assert strength(play, "b", "c") == power


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(
    ("leader", "at", "rule"),
    [("boss", "K12", ""), ("boss", "I12", ""), ("boss", "K13", "27.8.p1"), ("", "J12", "27.8.p1")],
)
def test_a_group_is_led_and_side_by_side(table, leader, at, rule):
    play = against(table, ("b", "ger-rifle", "J12", {"leader": leader}), ("c", "ger-rifle", at, {}))
    shot = a.FireAtLanding(firer=play["b"], partner=play["c"])
    if rule:
        assert play.refused(shot).rule == rule
    else:
        play.tape.faces.extendleft(QUIET)
        play.do(shot)
        assert all_of(play, x.LandingFired)[0].firers == (play["b"], play["c"])


def test_who_lets_them_land_has_held_his_fire(table):
    play = against(table, ("b", "ger-rifle", "J12", {}))
    news = play.do(a.HoldFire())
    held = next(event for event in news if isinstance(event, x.LandingFireHeld))
    assert held.side == GERMAN

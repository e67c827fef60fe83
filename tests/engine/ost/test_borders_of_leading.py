"""Whom a leader in command range helps, to rally and to spot (OST 18.0.4, 33.2.3, 7.2.3, 7.4.2,
7.5.2), and what a vehicle brings to a melee with what works of it (30.2.5, 30.3.2)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import melee
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.state import BROKEN, GOOD, HULL_OUT, MAIN_OUT, MGS_OUT, SHAKEN
from rulesengine.rulesets.ost.vehicles import HE, HULL_HE, MG
from tests.engine.ost.test_artillery import call, guns
from tests.engine.table import find


@pytest.mark.border("ost", "18")
@pytest.mark.parametrize(
    ("shaken", "leader", "at", "helps"),
    [
        ("us-rifle", "us-sergeant", "C4", True),
        ("us-rifle", "us-sergeant", "C5", False),
        ("us-rifle", "us-lieutenant", "C5", True),
        ("us-rifle", "us-airborne-sergeant", "C4", True),
        ("us-sergeant", "us-lieutenant", "C4", True),
        ("us-rifle", "us-sniper", "C4", False),
        ("us-m4", "us-sergeant", "C4", False),
    ],
)
def test_who_helps_whom_to_rally(table, shaken, leader, at, helps):
    """Within one hex a sergeant, within two a lieutenant, of whatever branch; those on foot."""
    board = table().put("us", shaken, "C3", morale="shaken").put("him", leader, at)
    play = board.put("g", "ger-rifle", "H8").start()
    rallied = find(play.dice(3, 2).do(a.Rally(unit=play["us"])), e.Rallied)
    assert rallied.total == 5 + helps


@pytest.mark.border("ost", "18")
@pytest.mark.parametrize(("shaken", "helps"), [("us-m4", True), ("us-rifle", False)])
def test_an_armor_leader_helps_crews_alone(table, shaken, helps):
    board = table().put("us", shaken, "C3", morale="shaken").put("tank", "us-m4", "C4", leader="al")
    play = board.put("g", "ger-rifle", "H8").start()
    rallied = find(play.dice(3, 2).do(a.Rally(unit=play["us"])), e.Rallied)
    assert rallied.total == 5 + helps


@pytest.mark.border("ost", "18")
def test_a_leader_who_has_not_come_yet_helps_nobody(table):
    board = table().put("us", "us-rifle", "A1", morale="shaken").put("g", "ger-rifle", "H8")
    board.put("late", "us-airborne-rifle", leader="him").put("home", "us-rifle", "B8")
    board.flies(0, ("transport", "A5", ("late", "him")), turn=3)
    play = board.start()
    rallied = find(play.dice(3, 2).do(a.Rally(unit=play["us"])), e.Rallied)
    assert rallied.total == 5


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(
    ("leader", "at", "change"),
    [
        ("us-sergeant", "C10", 1),
        ("us-sergeant", "C9", 0),
        ("us-lieutenant", "C9", 1),
        ("us-airborne-sergeant", "C10", 0),
        ("us-sniper", "C10", 0),
    ],
)
def test_whom_a_leader_helps_to_spot(table, leader, at, change):
    """Within his range, and of his own branch."""
    play = guns(table).put("him", leader, at).start()
    rolled = find(play.dice(5).do(call(play, "C4")), s.AccuracyRolled)
    assert rolled.total == 5 + change


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize("kind", ["us-m4", "us-m3-lee", "us-m3-halftrack", "us-truck"])
@pytest.mark.parametrize("out", [0, MGS_OUT, MAIN_OUT, MAIN_OUT | MGS_OUT, HULL_OUT])
def test_what_works_of_a_vehicle_strikes(kind, out):
    """All of its HE and its machine guns; with nothing that works it does not shock either."""
    number = BY_KEY[kind]
    parts = (
        0 if out & MAIN_OUT else HE[number],
        0 if out & HULL_OUT else HULL_HE[number],
        0 if out & MGS_OUT else MG[number],
    )
    found = melee.vehicle(number, out, GOOD, 0)
    assert found.firepower == sum(parts)
    assert found.shock == (any(parts) and kind != "us-truck")
    for morale in (SHAKEN, BROKEN):
        assert not melee.vehicle(number, out, morale, 0).shock

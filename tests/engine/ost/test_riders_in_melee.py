"""Riders caught in a melee (OST 24.0.14): halved, targets all the same, and led out with it."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import melee
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.kinds import SQUAD
from rulesengine.rulesets.ost.melee_phase import may_concentrate
from rulesengine.rulesets.ost.state import GOOD, SHAKEN
from rulesengine.rulesets.ost.tally import code
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("..........",) * 9


def caught(table, vehicle="us-truck", unit="us-rifle", *, attacker="ger-rifle", **more):
    """A vehicle with passengers in C5 that a German unit of C4 has assaulted."""
    board = table(FIELD).put("v", vehicle, "C5").put("a", unit, "C5", on="v", **more)
    board.put("z", attacker, "C4", facing=3).put("y", "us-rifle", "A9").put("x", "ger-rifle", "J9")
    play = board.to_move(GERMAN).start()
    play.do(play.assault("z", "C5"))
    return play


def fought(play, *dice):
    """The turn is played out; then the melee, with these dice."""
    before = len(play.log)
    play.dice(*dice)
    while play.wants == "an impulse" and play.state.phase == 2:
        play.idle()
    assert play.wants == "concentrate the attack or not"  # one unit against two
    play.do(a.Concentrate())
    return play.log[before:]


@pytest.mark.rule("ost", "24.0.14")
def test_their_firepower_and_defense_are_halved_and_added_and_they_are_targets(table):
    play = caught(table)
    news = fought(play, *(1, 1) * 3)
    joined = find(news, e.MeleeJoined)
    play.cited.take(joined)
    truck = 1
    assert joined.firepower == (4 // 2 + 2, 4 + 2)
    assert joined.defense == (4 // 2 + truck, 4)
    struck = {x.target for x in news if isinstance(x, (e.Struck, v.VehicleStruck))}
    assert struck == {play["a"], play["v"], play["z"]}


@pytest.mark.rule("ost", "30.5.5")
def test_one_against_a_squad_and_a_loaded_lorry_may_concentrate_as_well(table):
    """Three units to one, with the passengers."""
    board = table(FIELD).put("v", "us-truck", "C5").put("a", "us-rifle", "C5", on="v")
    board.put("b", "us-rifle", "C5").put("z", "ger-rifle", "C4", facing=3)
    play = board.put("x", "ger-rifle", "J9").to_move(GERMAN).start()
    play.do(play.assault("z", "C5"))
    play.dice(*(1, 1) * 2)
    while play.wants == "an impulse" and play.state.phase == 2:
        play.idle()
    assert (play.wants, play.owed) == ("concentrate the attack or not", GERMAN)
    play.dice(*(1, 1, 6, 6, 1, 1))
    news = play.do(a.Concentrate(target=play["b"]))
    struck = [x.target for x in news if isinstance(x, (e.Struck, v.VehicleStruck))]
    assert sorted(struck) == sorted((play["b"], play["z"]))


@pytest.mark.parametrize(
    ("counts", "side"),
    [([1, 2], 0), ([2, 1], 1), ([1, 3], 0), ([2, 3], -1), ([1, 1], -1), ([0, 2], -1), ([4, 2], 1)],
)
def test_who_is_outnumbered_two_to_one(counts, side):
    assert may_concentrate(counts) == side


def member(fire, defense, *, morale=GOOD, rides=True):
    return melee.Member(fire, defense, morale, SQUAD, 0, rides=rides)


@pytest.mark.parametrize(("fire", "half"), [(4, 2), (5, 2), (3, 1), (1, 0)])
def test_fractions_are_rounded_down_for_each_by_himself(fire, half):
    two = [member(fire, fire), member(fire, fire)]
    assert melee.defense(two).value == 2 * half
    assert melee.firepower(two).value == max(1, 2 * half + 2)


def test_shaken_riders_are_halved_twice():
    assert melee.firepower([member(7, 4, morale=SHAKEN)]).value == 7 // 2 // 2 + 2
    halved_after = melee.firepower([member(7, 4, morale=SHAKEN)], halve_after=True)
    assert halved_after.value == (7 // 2 + 2) // 2


def test_others_are_not_halved():
    both = [member(4, 4), member(4, 4, rides=False)]
    assert melee.firepower(both).value == 2 + 4 + 2
    assert melee.defense(both).value == 2 + 4
    parts = melee.firepower(both).parts
    assert parts[:2] == [code("PASSENGER_FIREPOWER"), -2]


def test_with_passengers_there_is_no_tank_duel(table):
    play = caught(table, "us-m4", attacker="ger-pz4h")
    news = fought(play, *(1, 1) * 3, 6, 6, 1, 1, 1, 1)
    assert "DuelOpened" not in kinds(news)
    assert "MeleeJoined" in kinds(news)


def test_in_melee_there_is_no_collateral_damage(table):
    play = caught(table)
    news = fought(play, 1, 1, 6, 6, 1, 1, 6, 6, 1, 1, 1, 1)
    assert find(news, v.Wrecked).unit == play["v"]
    assert "CollateralDue" not in kinds(news)
    assert play.at("a") == "C5"
    assert not play.state.riding


def test_riders_who_must_leave_with_their_vehicle_ride_away(table):
    play = caught(table, "us-m3-halftrack")
    play.given(v.CrewUnnerved(unit=play["v"], now=SHAKEN, why="exposed"))
    play.given(v.CrewUnnerved(unit=play["a"], now=SHAKEN, why="exposed"))
    fought(play, *(1, 1) * 3)
    assert play.wants == "a retreat out of the melee"
    assert play.state.frames[-1].queue == [play["v"], play["a"]]
    play.dice(6, 6, 6, 6, 6, 6, 1, 1, 1, 1)
    play.do(a.Retreat(unit=play["v"], to=play.hex("C6")))
    assert (play.at("v"), play.at("a")) == ("C6", "C6")
    assert play.state.riding == {play["a"]: play["v"]}


def test_shaken_riders_leave_a_vehicle_that_stays(table):
    play = caught(table, "us-m3-halftrack")
    play.given(v.CrewUnnerved(unit=play["a"], now=SHAKEN, why="exposed"))
    fought(play, *(1, 1) * 3)
    assert play.state.frames[-1].queue == [play["a"]]
    play.dice(6, 6, 6, 6, 1, 1, 1, 1)
    play.do(a.Retreat(unit=play["a"], to=play.hex("C6")))
    assert (play.at("v"), play.at("a")) == ("C5", "C6")
    assert not play.state.riding


def test_a_rider_in_a_melee_neither_gets_off_nor_does_anybody_get_on(table):
    play = caught(table)
    assert play.owed == US
    assert play.refused(play.alighting("a")).rule == "30.1.3"
    board = table(FIELD).put("v", "us-truck", "C5").put("y", "us-rifle", "C6")
    board.put("z", "ger-rifle", "C4").put("x", "ger-rifle", "J9")
    play = board.to_move(GERMAN).start()
    play.do(play.assault("z", "C5"))
    assert play.refused(play.boarding("y", "v", "C5")).rule == "24.1.2"


def test_single_persons_who_ride_help_as_always(table):
    play = caught(table, unit="us-sergeant")
    assert find(play.log, t.Loaded).unit == play["a"]
    found = melee.member(play.state, play["a"])
    assert (found.firepower, found.defense, found.rides) == (1, 1, False)

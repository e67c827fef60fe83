"""Vehicles and guns where they stand: houses, bocage, wrecks, arcs that turn (OST 8 to 16)."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.state import NONE
from tests.engine.table import GERMAN, Hexsides, Road, find

STREET = ("........", "........", "..h.....", "........", *("........",) * 4)


def wreck(battle, name):
    """Let a vehicle have been destroyed."""
    return battle.given(v.Wrecked(unit=battle[name], points=2, why="destroyed"))


def fired(battle, firer, target):
    return a.VehicleFire(firer=battle[firer], target=battle[target])


# --- in a street ---------------------------------------------


def street(table):
    road = Road(hexes="C1 C2 C3 C4")
    return table(STREET, roads=(road,)).put("tank", "ger-pz4g", "C3", facing=0)


@pytest.mark.rule("ost", "16.6.6")
def test_a_vehicle_in_a_street_has_nothing_of_the_houses(table):
    battle = street(table).put("us", "us-m4", "C2", facing=3).start()
    shot = find(battle.dice(6, 5, 1, 1).do(fired(battle, "us", "tank")), v.VehicleShot)
    assert (shot.defense, shot.firepower) == (7, 8)
    drive = a.Drive(unit=battle["tank"], path=(battle.hex("D3"),), facings=(1,))
    battle = street(table).put("us", "us-rifle", "H8").to_move(GERMAN).start()
    assert battle.refused(drive).rule == "16.6.6"


# --- bocage ---------------------------------------------


def bocage(table, firer, at, target, to):
    sides = (Hexsides(kind="bocage", sides=("C3/N",)),)
    table = table(hexsides=sides).put("us", firer, at, facing=3)
    return table.put("german", target, to, facing=0).start()


@pytest.mark.rule("ost", "15.3.7")
@pytest.mark.parametrize(
    ("firer", "at", "target", "to"),
    [
        ("us-m4", "C1", "ger-pz4g", "C3"),
        ("us-m4", "C2", "ger-pz4g", "C3"),
        ("us-m4", "C2", "ger-rifle", "C5"),
        ("us-m4", "C2", "ger-pz4g", "C5"),
    ],
)
def test_a_vehicle_beside_bocage_neither_sees_nor_is_seen_through_it(table, firer, at, target, to):
    battle = bocage(table, firer, at, target, to)
    assert battle.refused(fired(battle, "us", "german")).rule == "15.3.7"


@pytest.mark.parametrize(
    ("firer", "at", "target", "to"),
    [("us-m4", "C1", "ger-rifle", "C3"), ("us-m4", "C2", "ger-rifle", "C3")],
)
def test_foot_units_in_bocage_and_vehicles_see_each_other(table, firer, at, target, to):
    battle = bocage(table, firer, at, target, to)
    assert find(battle.dice(1, 1).do(fired(battle, "us", "german")), e.Shot).distance


# --- wrecks ---------------------------------------------


def line_with_wreck(table, **ground):
    battle = table(("........",) * 8, **ground).put("wreck", "ger-pz4g", "C4")
    battle = battle.put("us", "us-rifle", "C2").put("german", "ger-rifle", "C6")
    return wreck(battle.put("other", "ger-rifle", "H8").start(), "wreck")


@pytest.mark.rule("ost", "12.3.3")
def test_a_wreck_dims_the_line_through_its_hex(table):
    battle = line_with_wreck(table)
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).firepower == 3


@pytest.mark.parametrize(("at", "firepower"), [("C6", 4), ("C5", 3)])
def test_from_a_hill_a_wreck_hides_only_the_hex_behind_it(table, at, firepower):
    levels = tuple("00100000" if row == 1 else "00000000" for row in range(8))
    battle = table(levels=levels).put("wreck", "ger-pz4g", "C4").put("us", "us-rifle", "C2")
    battle = wreck(battle.put("german", "ger-rifle", at).start(), "wreck")
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).firepower == firepower


@pytest.mark.rule("ost", "13.10.4")
def test_wrecks_shelter_once_however_many_and_leave_room(table):
    battle = table().put("one", "ger-pz4g", "C4").put("two", "ger-pz4g", "C4")
    battle = battle.put("us", "us-rifle", "C2").put("german", "ger-rifle", "C5")
    battle = battle.put("third", "ger-rifle", "C5").to_move(GERMAN).start()
    wreck(wreck(battle, "one"), "two")
    battle.move("german", "C4")
    assert battle.wants == "opportunity fire"
    shot = find(battle.dice(1, 1).fire("us", "german"), e.Shot)
    assert shot.defense == 5
    assert battle.at("third") == "C5"


# --- starred guns ---------------------------------------------


@pytest.mark.rule("ost", "8.0.13")
def test_a_starred_gun_that_has_turned_fires_as_after_moving(table):
    battle = table().put("pak", "ger-pak40", "D4", facing=3).put("tank", "us-m4", "D1", facing=0)
    battle = battle.to_move(GERMAN).start()
    assert battle.refused(battle.shot("pak", "tank")).rule == "8.0.12"
    battle.do(a.Pivot(unit=battle["pak"], facing=0))
    battle.cited.take(battle.log[-3:])
    battle.idle()
    hit = find(battle.dice(1, 2).fire("pak", "tank"), v.HitRolled)
    assert hit.total == 2


@pytest.mark.rule("ost", "8.0.3", "8.0.5")
def test_a_captured_gun_may_fire_at_once_as_moving_fire(table):
    battle = table().put("pak", "ger-pak40", "C4", reduced=True, facing=0)
    battle = battle.put("us", "us-rifle", "C3").put("tank", "ger-pz4g", "C1", facing=0)
    battle = battle.start()
    battle.given(e.Eliminated(unit=battle["pak"], points=1, why="weapon crew casualties"))
    stays = Roll(0, 6, (6,))
    battle.given(v.GunLeft(gun=battle["pak"], hex=battle.hex("C4"), roll=stays, remains=True))
    move = a.Move(unit=battle["us"], path=(battle.hex("C4"),), gun=battle["pak"])
    battle.do(move)
    while battle.wants == "opportunity fire":
        battle.do(a.HoldFire())
    assert battle.state.kind[battle["us"]] == BY_KEY["ger-pak40"]
    battle.idle()
    hit = find(battle.dice(2, 2).fire("us", "tank"), v.HitRolled)
    assert hit.total == 4 - 1 - 1
    assert "8.0.5" in battle.cited


# --- leaders ---------------------------------------------


@pytest.mark.parametrize(("unit", "helped"), [("us-m4", False), ("us-rifle", True)])
def test_a_leader_on_foot_helps_no_vehicle_to_rally(table, unit, helped):
    battle = table().put("squad", "us-rifle", "C3", leader="sergeant")
    battle = battle.put("unit", unit, "C4", morale="shaken").put("foe", "ger-rifle", "H8").start()
    rally = find(battle.dice(3, 3).do(a.Rally(unit=battle["unit"])), e.Rallied)
    assert rally.total == 6 + helped


# --- what is fired at, and who fires together ---------------------------------------------------


def test_a_vehicle_fired_at_that_assaults_the_firer_is_lost_sight_of_by_nobody(table):
    battle = table().put("tank", "us-m4", "C3", facing=3).put("at", "ger-pak36", "C4", facing=0)
    battle = battle.put("far", "ger-rifle", "H8").to_move(GERMAN).start()
    battle.dice(1, 1).fire("at", "tank")
    battle.do(battle.assault("tank", "C4"))
    assert battle.at("tank") == "C4"
    assert (battle["at"], battle["tank"]) in battle.state.acquired


def test_the_doctrine_asks_no_gun_that_looks_elsewhere_into_a_fire_group(table):
    battle = table().put("mmg", "ger-mmg", "C5", leader="sergeant")
    battle = battle.put("gun", "ger-infantry-gun-75", "C5", facing=3).put("us", "us-rifle", "C3")
    battle = battle.to_move(GERMAN).start()
    rules = battle.battle.ruleset
    choice = Sensible(battle.state, GERMAN).choose(
        rules.view(battle.state, GERMAN), rules.awaiting(battle.state)[0]
    )
    assert isinstance(choice, a.Fire)
    assert choice.partner == NONE


def test_bocage_shelters_no_vehicle(table):
    """15.3.4, 15.3.7: a foot unit has it, a vehicle beside it is not in it."""
    sides = (Hexsides(kind="bocage", sides=("C3/N",)),)
    battle = table(hexsides=sides).put("us", "us-rifle", "C2", weapon="us-bazooka")
    battle = battle.put("german", "ger-pz4g", "C3", facing=0).start()
    news = battle.dice(6, 5, 1, 1).fire("us", "german", weapon="us's weapon")
    assert find(news, v.VehicleShot).defense == 7

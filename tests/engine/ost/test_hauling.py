"""When the doctrine rides (OST 24): far from the aim, with an empty carrier at hand, unseen."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.hauling import best_haul, carriers
from rulesengine.rulesets.ost.ruleset import RULESET
from tests.engine.table import US, ControlHex

PLAIN = ("....",) * 26


def column(table, *, unit="us-rifle", vehicle="us-truck", aim="B2", at="B25", enemy="D1"):
    """A unit and a vehicle in one hex, an aim up the road, an enemy somewhere."""
    board = table(PLAIN).put("v", vehicle, at).put("a", unit, at).put("z", "ger-rifle", enemy)
    return board.scenario(control=(ControlHex(hex=aim, name="Aim", owner="german"),)).start()


def haul(play, floor=0):
    view = RULESET.view(play.state, US)
    return best_haul(view, floor, carriers(view))


@pytest.mark.parametrize(("aim", "gets_on"), [("B9", True), ("B10", False)])
def test_a_squad_gets_on_where_the_way_is_long(table, aim, gets_on):
    found = haul(column(table, aim=aim, enemy="B1"))
    assert isinstance(found[1], a.Load) if gets_on else found is None


@pytest.mark.parametrize(("aim", "gets_on"), [("B15", True), ("B16", False)])
def test_a_gun_that_cannot_walk_gets_on_sooner(table, aim, gets_on):
    found = haul(column(table, unit="us-3inch", aim=aim, enemy="B1"))
    assert isinstance(found[1], a.Load) if gets_on else found is None


def test_nobody_gets_on_under_the_enemys_eyes_nor_on_a_tank_nor_for_little(table):
    assert haul(column(table, enemy="B20")) is None
    assert haul(column(table, vehicle="us-m4")) is None
    assert haul(column(table), floor=40) is None


@pytest.mark.parametrize(("hexes", "gets_off"), [(16, False), (17, True)])
def test_near_the_aim_one_gets_off(table, hexes, gets_off):
    board = table(PLAIN).put("v", "us-truck", f"B{25 - hexes}")
    board.put("a", "us-rifle", f"B{25 - hexes}", on="v").put("z", "ger-rifle", "D26")
    board.scenario(control=(ControlHex(hex="B2", name="Aim", owner="german"),))
    found = haul(board.start())
    assert isinstance(found[1], a.Unload) if gets_off else found is None


def test_from_a_vehicle_that_is_stuck_one_gets_off(table):
    board = table(PLAIN).put("v", "us-truck", "B20", condition="immobilised")
    board.put("a", "us-rifle", "B20", on="v").put("z", "ger-rifle", "D1")
    board.scenario(control=(ControlHex(hex="B2", name="Aim", owner="german"),))
    assert isinstance(haul(board.start())[1], a.Unload)

"""Guns whose cards list collapse, large guns, deep water: OST 16.7.2, 16.7.3, 8.0.8, 14.8.1."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.contract import Illegal
from rulesengine.dice import Roll
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.field_events import Blasted, CollapseRolled
from rulesengine.rulesets.ost.heavy import worth_shelling
from rulesengine.rulesets.ost.heavy_events import BuildingFiredAt
from rulesengine.rulesets.ost.questions import MovementCost
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.state import View
from rulesengine.rulesets.ost.vehicle_events import GunLeft
from tests.engine.table import GERMAN, LEGEND, US, ControlHex, Road, find, kinds

OST = ruleset("ost")
TOWN = ("........", "........", ".lh.....", "...u....", *("........",) * 4)
DEEP = {**LEGEND, "D": "deep water"}


def shelled(table, gun="ger-flak36", at="C6", **more):
    """A heavy gun before the houses."""
    field = table(TOWN).put("gun", gun, at, facing=0, **more).put("a", "us-rifle", "H8")
    return field.to_move(GERMAN)


def at(play, h, name="gun"):
    return a.Demolish(unit=play[name], hex=play.hex(h))


# --- empty houses --------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "hits"), [((2, 3), False), ((3, 3), True), ((6, 6), True)])
@pytest.mark.rule("ost", "16.7.3", "16.7.2")
def test_an_empty_house_is_hit_and_may_fall(table, dice, hits):
    play = shelled(table).start()
    needed = 6
    news = play.dice(*dice, *((1,) if hits else ())).do(at(play, "C3"))
    fired = find(news, BuildingFiredAt)
    assert (fired.distance, fired.needed, fired.hit) == (3, needed, hits)
    assert ("CollapseRolled" in kinds(news)) is hits
    assert play.state.fired[play["gun"]] == 1, "it counts as a firing action"


@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(
    ("where", "roll", "falls"),
    [
        ("C3", 5, False),
        ("C3", 6, True),
        ("B3", 4, False),
        ("B3", 5, True),
        ("D4", 4, False),
        ("D4", 5, True),
    ],
)
def test_a_hit_brings_down_what_the_roll_says(table, where, roll, falls):
    """Heavy on a 6, light on 5 and 6, ruins with one more on the roll."""
    play = shelled(table).start()
    news = play.dice(6, 5, roll).do(at(play, where))
    assert find(news, CollapseRolled).falls is falls
    assert bool(play.state.ground.structure[play.hex(where)]) is not falls


def test_hidden_men_under_a_falling_house_are_found_by_it(table):
    field = shelled(table).put("b", "us-rifle", "C3", hidden=True)
    play = field.start()
    news = play.dice(6, 5, 6, 1, 1).do(at(play, "C3"))
    assert find(news, Blasted).target == play["b"]
    assert find(news, e.Revealed).units == (play["b"],)
    assert kinds(news).index("Revealed") < kinds(news).index("Blasted")
    assert OST.narrate(play.state, find(news, Blasted), GERMAN) is not None


@pytest.mark.parametrize("who", ["us-rifle", "ger-rifle"])
def test_a_house_with_somebody_in_it_is_not_empty(table, who):
    play = shelled(table).put("b", who, "C3").start()
    assert play.refused(at(play, "C3")).rule == "16.7.3"


def test_who_stands_in_the_street_leaves_the_house_empty(table):
    road = (Road(hexes="C1 C2 C3 C4"),)
    field = (
        table(TOWN, roads=road)
        .put("gun", "ger-flak36", "C6")
        .put("b", "us-rifle", "C3", street=True)
    )
    play = field.to_move(GERMAN).start()
    assert "BuildingFiredAt" in kinds(play.dice(1, 1).do(at(play, "C3")))


@pytest.mark.parametrize(
    ("where", "rule"), [("C4", "16.7.3"), ("C6", "16.7.3")], ids=["open ground", "its own hex"]
)
def test_only_buildings_fall(table, where, rule):
    assert shelled(table).start().refused(at(shelled(table).start(), where)).rule == rule


def test_it_has_to_see_the_house_and_to_bear_on_it(table):
    field = table(TOWN).put("gun", "ger-flak36", "B5", facing=0).put("a", "us-rifle", "H8")
    play = field.put("far", "ger-flak36", "C6", facing=3).put("near", "ger-wespe", "C1", facing=3)
    play = play.to_move(GERMAN).start()
    assert play.refused(at(play, "C3", "far")).rule == "8.0.12"
    play = table(("..h..", "..h..", ".....", ".....")).put("gun", "ger-flak36", "C4")
    play = play.put("a", "us-rifle", "E4").to_move(GERMAN).start()
    assert play.refused(at(play, "C1")).rule == "12.2.1"


@pytest.mark.parametrize("gun", ["ger-pak40", "ger-rifle", "ger-pz4h"])
@pytest.mark.rule("ost", "16.7.2")
def test_only_what_lists_collapse_brings_a_house_down(table, gun):
    play = shelled(table, gun).start()
    assert play.refused(at(play, "C3")).rule == "16.7.2"


@pytest.mark.parametrize(
    ("more", "change"),
    [
        ({}, 0),
        ({"reduced": True}, -1),
        ({"morale": "shaken"}, -1),
        ({"quality": "elite"}, 1),
        ({"quality": "poor"}, -1),
        ({"leader": "boss"}, 1),
    ],
)
def test_what_changes_the_roll_to_hit_a_house(table, more, change):
    play = shelled(table, **more).start()
    fired = find(play.dice(1, 2).do(at(play, "C3")), BuildingFiredAt)
    assert fired.total == 3 + change


@pytest.mark.parametrize(("where", "change"), [("C4", 1), ("C5", 0)])
def test_from_the_next_hex_it_is_hit_easier(table, where, change):
    play = shelled(table, at=where).start()
    assert find(play.dice(1, 2).do(at(play, "C3")), BuildingFiredAt).total == 3 + change


def test_a_third_time_is_intensive_fire(table):
    play = shelled(table).points(1, 9).start()
    for _ in range(2):
        play.dice(1, 1).do(at(play, "C3"))
        while play.owed == US:
            play.idle()
    news = play.dice(1, 1).do(at(play, "C3"))
    fired = find(news, BuildingFiredAt)
    assert (fired.intensive, fired.total) == (True, 1)
    assert play.morale("gun") == "shaken"
    while play.owed == US:
        play.idle()
    assert play.refused(at(play, "C3")).rule == "27.7.3"


def test_a_vehicle_fires_its_main_armament(table):
    play = shelled(table, "ger-wespe").start()
    news = play.dice(6, 5, 6).do(at(play, "C3"))
    assert find(news, CollapseRolled).falls
    assert play.state.main_fired[play["gun"]] == 1


# --- houses with somebody in them ----------------------------------------------------------------


ORDER = ("Shot", "HeavyRoundStruck", "CollapseRolled")


@pytest.mark.rule("ost", "16.7.2", "16.7.4")
def test_after_its_attack_on_those_inside_the_house_may_fall(table):
    play = shelled(table).put("b", "us-rifle", "C3").put("c", "us-rifle", "C3").start()
    news = play.dice(1, 1, 6, 1, 1, 1, 1).fire("gun", "b")
    assert [kind for kind in kinds(news) if kind in ORDER] == list(ORDER)
    assert sum(kind == "Blasted" for kind in kinds(news)) == 2, "it falls on everybody inside"


def test_in_the_open_nothing_is_there_to_fall(table):
    play = shelled(table).put("b", "us-rifle", "C4").start()
    assert "HeavyRoundStruck" not in kinds(play.dice(1, 1).fire("gun", "b"))


def test_its_fire_at_men_in_the_street_leaves_the_house_alone(table):
    road = (Road(hexes="C1 C2 C3 C4"),)
    for street in (True, False):
        field = table(TOWN, roads=road).put("gun", "ger-flak36", "C6")
        play = field.put("b", "us-rifle", "C3", street=street).to_move(GERMAN).start()
        news = play.dice(1, 1, *(() if street else (1,))).fire("gun", "b")
        assert ("CollapseRolled" in kinds(news)) is not street


def test_a_bunker_falls_to_it_too(table):
    field = table().put("gun", "ger-flak36", "C6").put("b", "us-rifle", "C3")
    play = field.work(US, "bunker", "C3").to_move(GERMAN).start()
    news = play.dice(1, 1, 6).fire("gun", "b")
    assert find(news, CollapseRolled).bunker


def test_a_vehicles_main_armament_brings_it_down_and_its_machine_guns_do_not(table):
    play = shelled(table, "ger-wespe").put("b", "us-rifle", "C3").start()
    assert "CollapseRolled" not in kinds(play.dice(1, 1).shoot("gun", mg="b"))
    play = shelled(table, "ger-wespe").put("b", "us-rifle", "C3").start()
    assert "CollapseRolled" in kinds(play.dice(1, 1, 1).shoot("gun", "b"))


def test_the_menu_offers_houses_and_an_idle_gun_shells_what_the_enemy_holds(table):
    places = (ControlHex(hex="C3", name="Mill", owner="us"),)
    play = shelled(table).scenario(control=places).start()
    view = View(play.state, GERMAN)
    offered = set(OST.candidates(view, OST.awaiting(play.state)[0]))
    assert {at(play, h) for h in ("C3", "B3")} <= offered
    assert worth_shelling(view) == at(play, "C3")
    play = shelled(table).start()
    assert worth_shelling(View(play.state, GERMAN)) is None


# --- large guns ----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["C3", "B3", "D4"])
@pytest.mark.rule("ost", "8.0.8")
def test_a_large_gun_is_not_set_up_in_a_house(table, where):
    with pytest.raises(Illegal) as caught:
        table(TOWN).put("a", "us-rifle", "H8").put("gun", "ger-flak36", where).start()
    assert caught.value.refusal.rule == "8.0.8"
    play = table(TOWN).put("a", "us-rifle", "H8").put("gun", "ger-pak40", where).start()
    assert play.at("gun") == where, "other guns may"
    play.cited.take(caught.value)


@pytest.mark.parametrize("kind", ["bunker", "pillbox"])
@pytest.mark.rule("ost", "8.0.8")
def test_a_large_gun_is_not_set_up_in_a_bunker_or_pillbox(table, kind):
    field = table().work(GERMAN, kind, "C3", facing="N" if kind == "pillbox" else "")
    with pytest.raises(Illegal) as caught:
        field.put("a", "us-rifle", "H8").put("gun", "ger-flak36", "C3").start()
    assert caught.value.refusal.rule == "8.0.8"
    field.cited.take(caught.value)


@pytest.mark.rule("ost", "8.0.8")
def test_a_large_gun_is_unloaded_into_the_street_only(table):
    road = (Road(hexes="C1 C2 C3 C4"),)
    field = table(TOWN, roads=road).put("lorry", "ger-truck", "C3").put("a", "us-rifle", "H8")
    play = field.put("gun", "ger-flak36", "C3", on="lorry").to_move(GERMAN).start()
    assert play.refused(a.Unload(unit=play["gun"])).rule == "8.0.8"
    order = a.Unload(unit=play["gun"], streets=(play.hex("C3"),))
    assert "Unloaded" in kinds(play.do(order))


def test_a_squad_cannot_man_a_large_gun_from_inside_the_house(table):
    road = (Road(hexes="C1 C2 C3 C4"),)
    field = table(TOWN, roads=road).put("gun", "ger-flak36", "C3", street=True)
    play = field.put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    play.given(
        e.Eliminated(unit=play["gun"], points=2, why="destroyed"),
        GunLeft(gun=play["gun"], hex=play.hex("C3"), roll=Roll(0, 6, (6,)), remains=True),
    )
    claim = a.Move(unit=play["a"], path=(play.hex("C3"),), gun=play["gun"])
    assert play.refused(claim).rule == "8.0.8"
    on_road = msgspec.structs.replace(claim, streets=(play.hex("C3"),))
    assert OST.refuse(View(play.state, US), on_road) is None
    scrapped = msgspec.structs.replace(claim, scrap=True)
    assert OST.refuse(View(play.state, US), scrapped) is None, "to destroy it one need not stay"


# --- deep water ----------------------------------------------------------------------------------

RIVER = ("......", "......", "DDDDDD", "......", "......", "......")


@pytest.mark.rule("ost", "14.8.1")
def test_nobody_enters_deep_water_but_over_a_bridge(ask):
    ground = _river()
    answer = ask(MovementCost(map=ground, path=("A2", "A3")))
    assert "14.8.1" in answer.rules
    assert ask(MovementCost(map=ground, path=("C2", "C3"))).value == 1, "by the bridge"
    assert ask(MovementCost(map=ground, path=("B3", "C3"))).value == 99, "not from the water"


def _river():
    return HexMap(
        key="river", title="River", grid=RIVER, legend=DEEP, roads=(Road(hexes="C1 C2 C3 C4 C5"),)
    )


@pytest.mark.rule("ost", "14.8.1")
def test_deep_water_stops_moves_drives_assaults_and_set_up(table):
    field = table(RIVER)
    field.map = _river()
    field.put("a", "us-rifle", "A2").put("t", "us-m4", "D2", facing=3).put("g", "ger-rifle", "F6")
    play = field.start()
    assert play.refused(play.way("a", "A3")).rule == "14.8.1"
    assert play.refused(play.course("t", ("D3", 3))).rule == "14.8.1"
    wet = table(RIVER)
    wet.map = _river()
    with pytest.raises(Illegal) as caught:
        wet.put("a", "us-rifle", "A3").put("g", "ger-rifle", "F6").start()
    assert caught.value.refusal.rule == "14.8.1"


def test_over_the_bridge_foot_and_wheels_go(table):
    field = table(RIVER)
    field.map = _river()
    play = field.put("a", "us-rifle", "C2").put("g", "ger-rifle", "F6").start()
    news = play.move("a", "C3")
    assert find(news, e.Entered).cost == 1

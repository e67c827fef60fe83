"""Riding together with everything else: both armaments, wrecks, crews, roads, nerves (OST 24)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.actions import HexFire
from rulesengine.rulesets.ost.charts import COLUMNS, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.mobile import halted_by
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.state import OFF
from rulesengine.rulesets.ost.transport_events import HALTS
from tests.engine.ost.duels import HIT
from tests.engine.table import GERMAN, LEGEND, US, Road, Table, find, kinds
from tests.rule_marks import Cited

FIELD = ("..........",) * 9


def loaded(table, vehicle="us-m4", *, rows=FIELD, h="C6", facing=0, **more):
    board = table(rows, **more.pop("ground", {})).put("v", vehicle, h, facing=facing)
    return board.put("a", "us-rifle", h, on="v", **more).put("y", "us-rifle", "A9")


@pytest.mark.example("ost", "24.4.e1")
@pytest.mark.parametrize(("dice", "lost"), [
    pytest.param((6, 5, 1), True, marks=pytest.mark.rule("ost", "24.4.1")),
    pytest.param((3, 2, 6, 1, 1), True, marks=pytest.mark.rule("ost", "24.4.1")),
    pytest.param((1, 1), False, marks=pytest.mark.rule("ost", "24.4.2")),
    pytest.param((3, 2, 3, 6, 6), False, marks=pytest.mark.rule("ost", "24.4.2")),
])  # fmt: skip
def test_the_books_panzerfaust_at_a_loaded_sherman(table, dice, lost):
    """Destroyed, abandoned; merely hit, damaged."""
    board = loaded(table).put("b", "ger-rifle", "C5", weapon="ger-panzerfaust")
    play = board.to_move(GERMAN).start()
    news = play.dice(*HIT, *dice, 1, 1).fire("b", "v", weapon="b's weapon")
    assert find(news, t.CollateralDue).lost == lost
    assert COLUMNS[find(news, f.Blasted).column] == ("-3" if lost else "-5")


@pytest.mark.example("ost", "24.0.d1")
@pytest.mark.rule("ost", "24.3.3")
def test_the_shock_squad_of_the_diagram_rides_exposed_on_its_t34(table):
    board = table(FIELD).put("v", "sov-t34", "C6").put("a", "sov-smg", "C6", on="v")
    play = board.put("b", "us-rifle", "C4").start()
    shot = play.dice(1, 2).fire("b", "a")
    printed = RULESET.catalogue().element("sov-smg").figures
    assert find(shot, e.Shot).defense == int(dict(printed)["Def"]) - 1


def test_main_armament_and_machine_guns_take_vehicle_and_passengers_apart(table):
    board = loaded(table).put("b", "ger-pz4h", "C2", facing=3).to_move(GERMAN)
    play = board.start()
    news = play.dice(*HIT, 1, 1, 1, 1, 1, 2).shoot("b", "v", "a")
    order = [k for k in kinds(news) if k in ("VehicleShot", "CollateralDue", "Blasted", "Shot")]
    assert order == ["VehicleShot", "CollateralDue", "Blasted", "Shot"]


def test_machine_guns_find_passengers_beside_the_wreck(table):
    board = loaded(table).put("b", "ger-pz4h", "C2", facing=3).to_move(GERMAN)
    play = board.start()
    news = play.dice(*HIT, 6, 6, 1, 1, 1, 1, 2).shoot("b", "v", "a")
    shot = find(news, e.Shot)
    assert not play.state.riding
    assert shot.defense >= 4  # no longer exposed; the wreck shelters


def test_crew_and_passengers_stay_where_their_tank_was_even_too_many(table):
    board = loaded(table).put("c", "us-rifle", "C6").put("b", "ger-pak40", "C1", facing=3)
    play = board.put("d", "us-rifle", "C7").to_move(GERMAN).start()
    play.dice(*HIT, 6, 6, 6, 1, 1).fire("b", "v")
    here = {c for c in ("a", "c", "v") if play.at(c) == "C6"}
    assert here == {"a", "c", "v"}
    assert play.refused(play.way("d", "C6")).rule == "20.0.4"
    play.move("c", "D6")
    assert not play.state.room(play.hex("C6"), US, 1)


@pytest.mark.parametrize(("road", "cost"), [("", 3), ("C5 C6", 2)])
def test_on_a_road_one_gets_off_at_its_cost(table, road, cost):
    rows = (*FIELD[:4], "..w.......", *FIELD[:4])
    ground = {"roads": (Road(hexes=road),)} if road else {}
    board = loaded(table, rows=rows, h="C5", ground=ground)
    play = board.put("z", "ger-rifle", "J1").start()
    assert find(play.unload("a"), t.Unloaded).cost == cost


def test_shaken_passengers_get_off_with_all_they_have(table):
    board = loaded(table, morale="shaken").put("z", "ger-rifle", "J1")
    play = board.start()
    assert play.refused(play.alighting("a", "C5")).rule == "24.2.4"
    assert find(play.unload("a"), t.Unloaded).cost == 2


def test_a_bogged_vehicle_lets_its_passengers_off_but_takes_them_nowhere(table):
    rows = (*FIELD[:4], "..w.......", *FIELD[:4])
    play = loaded(table, rows=rows).put("z", "ger-rifle", "J1").start()
    play.dice(1).drive("v", ("C5", 0))
    assert play.state.bogged[play["v"]]
    assert play.at("a") == "C5"
    play.idle()
    play.unload("a", "C4")
    assert (play.at("a"), play.at("v")) == ("C4", "C5")


@pytest.mark.parametrize(("face", "stops"), [(4, False), (5, True)])
def test_damage_that_stops_the_vehicle_stops_its_passengers_with_it(table, face, stops):
    play = loaded(table, "us-m4-76").put("b", "ger-pak40", "C1", facing=3).start()
    play.drive("v", ("C5", 0), ("C4", 0))
    news = play.dice(*HIT, 3, 4, face, 6, 6, 1, 1).fire("b", "v")
    assert find(news, v.DamageRolled).roll.total == face
    assert play.at("a") == play.at("v") == ("C5" if stops else "C4")


def test_a_wreck_in_mid_move_leaves_passengers_and_leader_there(table):
    play = loaded(table, leader="l").put("b", "ger-pak40", "C1", facing=3).start()
    play.drive("v", ("C5", 0), ("C4", 0))
    play.dice(*HIT, 6, 6, 1, 1, 1).fire("b", "v")
    assert play.state.hex[play["v"]] == OFF
    assert play.at("a") == play.at("l") == "C5"
    assert not play.state.frames


def test_a_gun_taken_by_a_squad_rides_and_stays_manned(table):
    board = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak40", "C6", on="v")
    play = board.put("z", "us-rifle", "J1").to_move(GERMAN).start()
    play.drive("v", ("C5", 0))
    assert play.at("a") == "C5"
    assert play.state.facing[play["a"]] == 0


@pytest.mark.rule("ost", "24.0.6")
def test_riders_throw_no_charge_and_fire_no_mortar(table):
    board = loaded(table, weapon="us-satchel").put("z", "ger-rifle", "C5")
    play = board.start()
    charge = HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("C5"))
    assert play.refused(charge).rule == "24.0.6"


# --- laws ------------------------------------------------------------------------------------

SIGNS = st.sampled_from(sorted(LEGEND))


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.text(SIGNS, min_size=5, max_size=5), min_size=5, max_size=5))
def test_mobile_troops_are_stopped_by_what_stands_in_a_hex_alone(rows):
    ground = Ground(HexMap(key="law", title="Law", grid=tuple(rows), legend=LEGEND))
    stopping = {TERRAIN_BY_KEY[key] for key in HALTS if key in TERRAIN_BY_KEY}
    for h in range(ground.grid.columns, ground.grid.size):
        for n in ground.grid.neighbours[h]:
            if n >= 0:
                stops = not stopping.isdisjoint(ground.terrain[n])
                assert bool(halted_by(ground, h, n)) == stops == bool(halted_by(ground, OFF, n))


@settings(max_examples=30, deadline=None)
@given(
    vehicle=st.sampled_from(["us-truck", "us-m4", "us-m3-halftrack"]),
    unit=st.sampled_from(["us-rifle", "us-mmg", "us-3inch", "us-sergeant", "us-sniper"]),
    steps=st.integers(1, 5),
)
def test_on_and_off_again_leaves_nothing_behind(vehicle, unit, steps):
    table = Table(Cited(), FIELD)
    play = table.put("v", vehicle, "C8").put("a", unit, "C8").put("z", "ger-rifle", "J1").start()
    play.load("a", "v")
    play.idle()
    play.drive("v", *((f"C{8 - n}", 0) for n in range(1, steps + 1)))
    assert play.at("a") == f"C{8 - steps}"
    while play.wants == "an impulse" and play.state.turn == 5:
        play.dice(6, 6, 1, 1, 1, 1) if sum(play.state.impulses) == 1 else None
        play.idle()
    if play.wants == "reform":
        return
    play.unload("a")
    state = play.state
    assert not state.riding
    gun = unit == "us-3inch"
    assert state.mute == ({play["a"]} if gun else set())
    armoured = vehicle != "us-truck" and unit not in ("us-sergeant", "us-sniper")
    assert bool(state.rolling) == armoured

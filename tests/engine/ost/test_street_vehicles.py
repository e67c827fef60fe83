"""Vehicles, riders and mobile troops between houses, and what bars the way: OST 16.6.6, 16.6.7."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.adjudicate import adjudicate
from rulesengine.rulesets.ost.carriage import in_street
from rulesengine.rulesets.ost.scenario import Footprint
from rulesengine.rulesets.ost.tracks import step
from rulesengine.rulesets.ost.transport_events import Dismounted, Unloaded
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from rulesengine.rulesets.ost.vehicles import TRACKED
from tests.engine.ost.towns import marks_of, town, walk, way
from tests.engine.table import GERMAN, ControlHex, Road, find, kinds

FIELD = ("........",) * 8

# --- riders and vehicles -------------------------------------------------------------------------


@pytest.mark.rule("ost", "16.6.6")
def test_a_vehicle_is_always_in_the_street(table):
    play = town(table).put("t", "us-m4", "C2", facing=3).put("g", "ger-rifle", "H8").start()
    news = play.drive("t", ("C3", 3))
    assert "on road" in marks_of(play, "t")
    assert "MarkedOnRoad" in kinds(news)
    play = town(table).put("t", "us-m4", "C3", facing=2).put("g", "ger-rifle", "H8").start()
    assert play.refused(play.course("t", ("D4", 2))).rule == "16.6.6", "not out through the house"


def test_who_gets_off_says_where(table):
    for streets, out, cost in (((), False, 3), (("C3",), True, 2)):
        field = town(table).put("t", "us-m4", "C3").put("a", "us-rifle", "C3", on="t")
        play = field.put("g", "ger-rifle", "H8").start()
        order = a.Unload(unit=play["a"], streets=tuple(play.hex(h) for h in streets))
        unloaded = find(play.do(order), Unloaded)
        assert unloaded.cost == cost
        assert unloaded.covered is out, "the tank is in the street"
        assert in_street(play.state, play["a"]) is out


def test_getting_off_and_going_on_by_the_street(table):
    field = town(table).put("t", "us-m4", "C3").put("a", "us-rifle", "C3", on="t")
    play = field.put("g", "ger-rifle", "H8").start()
    both = (play.hex("C3"), play.hex("C4"))
    play.do(a.Unload(unit=play["a"], path=both[1:], streets=both))
    assert play.at("a") == "C4"
    assert in_street(play.state, play["a"])


def test_riders_of_a_lost_vehicle_and_its_crew_are_left_in_the_street(table):
    field = town(table).put("t", "us-m4", "C3").put("a", "us-rifle", "C3", on="t")
    play = field.put("g", "ger-rifle", "E4").to_move(GERMAN).start()
    play.given(v.Wrecked(unit=play["t"], why="destroyed", points=1))
    assert in_street(play.state, play["a"])


def test_rolling_cover_is_in_the_street(table):
    field = town(table).put("t", "us-m4", "C2", facing=3).put("a", "us-rifle", "C2")
    play = field.put("g", "ger-rifle", "H8").start()
    path = (play.hex("C3"), play.hex("C4"))
    news = play.do(a.RollingCover(unit=play["a"], vehicle=play["t"], path=path, facings=(3, 3)))
    assert find(news, e.Entered).cost == 1
    assert in_street(play.state, play["a"])


@pytest.mark.parametrize(("streets", "stops"), [(("C3",), False), ((), True)])
def test_mobile_troops_pass_by_the_street_and_stop_in_the_house(table, streets, stops):
    field = town(table).put("m", "ger-motorcycle", "C2").put("u", "us-rifle", "H8")
    play = field.to_move(GERMAN).start()
    order = way(play, "m", "C3", "C4", streets=streets)
    if stops:
        assert play.refused(order).rule == "16.2.4"
        news = walk(play, "m", "C3")
        assert "Dismounted" in kinds(news)
    else:
        news = walk(play, "m", "C3", streets=streets)
        assert not any(isinstance(event, Dismounted) for event in news)


@pytest.mark.parametrize("street", [True, False])
def test_an_assault_goes_into_the_street_or_into_the_house(table, street):
    field = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "C3")
    play = field.start()
    news = play.do(msgspec.structs.replace(play.assault("a", "C3"), street=street))
    assert find(news, e.Entered).cost == (1 if street else 2)
    assert in_street(play.state, play["a"]) is street
    plain = msgspec.structs.replace(play.assault("a", "C2"), street=True)
    play = town(table).put("a", "us-rifle", "C1").put("g", "ger-rifle", "C2").start()
    assert play.refused(plain).rule == "16.6.1"


def test_rubble_buries_the_street(table):
    field = town(table).put("a", "us-rifle", "C3", street=True).put("g", "ger-rifle", "E4")
    play = field.battery(GERMAN).to_move(GERMAN).start()
    play.dice(6, 1, 1, 6, 1, 1, *(1,) * 8)
    play.do(a.CallArtillery(spotter=play["g"], battery=0, hex=play.hex("C3")))
    assert not play.state.ground.road[play.hex("C3")]
    assert not in_street(play.state, play["a"])


# --- buildings across the way --------------------------------------------------------------------

BESIDE = ((20, -90), (80, -40), (80, 40), (20, 90))
"""A building east of the road that runs north and south."""
ACROSS = ((-30, -80), (30, -80), (30, -60), (-30, -60))
"""One across its northern end."""


def drawn(table, polygon, **more):
    return town(table, footprints=(Footprint(hex="C3", polygon=polygon),), **more)


@pytest.mark.border("ost", "16")
@pytest.mark.example("ost", "16.6.d1")
@pytest.mark.parametrize(
    ("shift", "barred"), [(0, False), (-19, False), (-20, True), (-40, True), (-101, False)]
)
@pytest.mark.rule("ost", "16.6.7")
def test_a_building_between_the_dots_bars_vehicles(table, cited, shift, barred):
    """Up to the line from dot to dot the road is free; on it or over it no vehicle passes."""
    polygon = tuple((x + shift, y) for x, y in BESIDE)
    play = drawn(table, polygon).put("t", "us-m4", "C2", facing=3)
    play = play.put("g", "ger-rifle", "H8").start()
    order = play.course("t", ("C3", 3))
    if barred:
        assert play.refused(order).rule == "16.6.7"
    else:
        assert "Drove" in kinds(play.do(order))
        play = drawn(table, ACROSS).put("t", "us-m4", "C2", facing=3)
        assert play.put("g", "ger-rifle", "H8").start().refused(order).rule == "16.6.7"


def test_a_building_bars_the_way_out_as_well_as_the_way_in(table):
    play = drawn(table, ACROSS).put("t", "us-m4", "C3", facing=3)
    play = play.put("g", "ger-rifle", "H8").start()
    assert play.refused(play.course("t", ("C2", 4))).rule == "16.6.7"
    assert "Drove" in kinds(play.drive("t", ("C4", 3))), "the other end of the street is free"


@pytest.mark.example("ost", "16.6.d1")
def test_foot_units_and_undrawn_houses_are_not_asked(table):
    play = drawn(table, ACROSS).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    assert find(walk(play, "a", "C3", streets=("C3",)), e.Entered).cost == 1
    play = town(table).put("t", "us-m4", "C2", facing=3).put("g", "ger-rifle", "H8").start()
    assert "Drove" in kinds(play.drive("t", ("C3", 3)))


def test_a_corner_that_holds_the_dot_bars_every_way(table):
    round_it = ((-10, -10), (10, -10), (10, 10), (-10, 10))
    play = drawn(table, round_it).put("t", "us-m4", "C2", facing=3)
    play = play.put("g", "ger-rifle", "H8").start()
    assert play.refused(play.course("t", ("C3", 3))).rule == "16.6.7"


def test_it_pays_for_a_hill_into_the_street_beside_a_tall_house(table):
    """14.14.2: it is in the road, not in the house, and pays as men on foot there do."""
    rows = (*FIELD[:3], "....h...", *FIELD[:4])
    levels = ("0" * 8, "0" * 8, "00001000", "00001000", *("0" * 8,) * 4)
    board = table(rows, levels=levels, roads=(Road(hexes="E3 E4 E5"),))
    play = board.put("t", "us-m4", "E3", facing=3).put("g", "ger-rifle", "A1").start()
    ground, (hill, house) = play.state.ground, (play.hex("E3"), play.hex("E4"))
    assert (ground.base[hill], ground.storeys[house] > 0) == (1, True)
    down, up = (step(ground, TRACKED, *way).halves for way in ((hill, house), (house, hill)))
    assert down == up == 3
    assert ground.cost(hill, house, street=True) == 2
    asked = DriveCost(
        map=play.state.scenario.ground,
        vehicle="us-m4",
        facing="S",
        path=("E3", "E4"),
        facings=("S",),
    )
    answer = adjudicate(asked)
    assert answer.text.startswith("1.5 movement points")
    assert "14.14.2" in answer.rules


@pytest.mark.parametrize(("street", "shielded"), [(False, 6), (True, 5)])
def test_who_storms_a_house_beside_a_tank_leaves_its_cover_at_the_door(table, street, shielded):
    rows = (*FIELD[:3], "....h...", *FIELD[:4])
    mill = (ControlHex(hex="E4", name="Mill", owner="german", at_end=1),)
    board = table(rows, roads=(Road(hexes="E3 E4 E5 E6"),)).scenario(control=mill)
    board = board.put("t", "us-m4", "E6", leader="al").put("a", "us-rifle", "E6", leader="l")
    play = board.put("g", "ger-rifle", "E1").start()
    to = (play.hex("E5"),)
    play.do(a.RollingCover(unit=play["a"], vehicle=play["t"], path=to, facings=(0,)))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    play.idle()
    storm = a.AssaultMove(unit=play["a"], partner=play["t"], hex=play.hex("E4"), street=street)
    news = play.do(storm)
    assert ("CoverLeft" in kinds(news)) is not street
    shot = find(play.dice(1, 1).fire("g", "a"), e.Shot)
    assert shot.defense == shielded


@pytest.mark.rule("ost", "16.6.7")
@pytest.mark.parametrize("built", ["h", "."])
def test_in_a_city_what_stands_out_of_the_house_next_door_bars_the_road_too(table, built):
    """12.7.2: a drawing may lie in a hex that is no structure."""
    rows = (*FIELD[:3], f"...h{built}...", *FIELD[:4])
    drawing = Footprint(hex="E4", polygon=((-40, 30), (40, 30), (40, 90), (-40, 90)))
    ways = (Road(hexes="E2 E3 E4 E5"),)
    board = table(rows, heavy_urban=True, roads=ways, footprints=(drawing,))
    play = board.put("t", "us-m4", "E5").put("g", "ger-rifle", "A1").start()
    ground, (a_, b, c) = play.state.ground, (play.hex(h) for h in ("E3", "E4", "E5"))
    ways_through = [step(ground, TRACKED, *pair).rule for pair in ((c, b), (b, a_))]
    assert "16.6.7" in ways_through
    refused = play.course("t", ("E4", 0), ("E3", 0))
    assert play.refused(refused).rule == "16.6.7"

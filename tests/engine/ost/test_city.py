"""Sight in a city and inside of buildings: OST 12.7, 16.3.6."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesengine.geometry.sight import trace
from rulesengine.geometry.walk import nears, point, walk
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import street_events as s
from rulesengine.rulesets.ost.altered import RUBBLE, altered
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.map_check import check_map
from rulesengine.rulesets.ost.questions import LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import Footprint, HexMap, Road
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.street_sight import look as look_in_street
from rulesengine.rulesets.ost.streets import best_streets, step_cost
from tests.engine.table import GERMAN, LEGEND, find, kinds

OST = ruleset("ost")
COLUMNS = "ABCDEFGHI"
ROAD = (Road(hexes="E3 E4 E5 E6 E7"),)


def city(*houses, urban=True, road=ROAD, levels=(), **more):
    """A map of nine by nine with houses in some hexes."""
    rows = [["."] * 9 for _ in range(9)]
    for name in houses:
        rows[int(name[1:]) - 1][COLUMNS.index(name[0])] = "h"
    return HexMap(
        key="city",
        title="City",
        grid=tuple("".join(row) for row in rows),
        legend=LEGEND,
        roads=road,
        levels=levels,
        heavy_urban=urban,
        **more,
    )


def seen(ask, ground, start, end, **more):
    there = ask(LineOfSight(map=ground, start=start, end=end, **more))
    flip = {"start": "end", "end": "start"}
    back = {k: tuple(flip[w] for w in ends) for k, ends in more.items()}
    assert ask(LineOfSight(map=ground, start=end, end=start, **back)).value == there.value
    return there.value


# --- any part of the road ------------------------------------------------------------------------


@pytest.mark.rule("ost", "12.7.6", "12.7.7")
def test_in_a_city_any_part_of_the_road_is_seen_and_looked_from(ask):
    """The house in D5 hides the dot of E5, not the whole of its street."""
    ground = city("E5", "D5")
    assert seen(ask, ground, "B3", "E5", on_road=("end",)) == 1
    assert seen(ask, ground, "E5", "B3", on_road=("start",)) == 1


@pytest.mark.parametrize("urban", [True, False])
def test_who_is_in_the_house_is_seen_at_the_dot_only(ask, urban):
    assert seen(ask, city("E5", "D5", urban=urban), "B3", "E5") == BLOCKED


def test_elsewhere_the_street_is_seen_at_the_dot_too(ask):
    assert seen(ask, city("E5", "D5", urban=False), "B3", "E5", on_road=("end",)) == BLOCKED


@pytest.mark.rule("ost", "12.7.8")
def test_a_road_without_a_house_is_seen_at_its_dot(ask):
    """The same lines, but E5 holds nothing but the road."""
    assert seen(ask, city("D5"), "B3", "E5") == BLOCKED
    with pytest.raises(Exception, match="on_road"):
        ask(LineOfSight(map=city("D5"), start="B3", end="E5", on_road=("end",)))


def test_from_street_to_street_the_best_of_all_lines_counts(ask):
    ground = city("E5", "D5", "B3", road=(*ROAD, Road(hexes="B2 B3 B4")))
    both = seen(ask, ground, "B3", "E5", on_road=("start", "end"))
    assert both <= seen(ask, ground, "B3", "E5", on_road=("end",)) == 1


@pytest.mark.parametrize(("target", "fires"), [("street", True), ("house", False)])
def test_a_squad_fires_at_the_part_of_the_street_it_sees(table, target, fires):
    ground = city("E5", "D5")
    field = table(ground.grid, roads=ROAD, heavy_urban=True).put("a", "us-rifle", "B3")
    play = field.put("g", "ger-rifle", "E5", street=target == "street").start()
    if fires:
        shot = find(play.dice(1, 1).fire("a", "g"), e.Shot)
        assert (shot.firepower, shot.defense) == (3, 4), "dimmed once beside the house"
    else:
        assert play.refused(play.shot("a", "g")).rule == "12.2.1"


def test_opportunity_fire_finds_who_runs_along_the_street(table):
    ground = city("E5", "D5")
    field = table(ground.grid, roads=ROAD, heavy_urban=True).put("a", "us-rifle", "E6")
    play = field.put("g", "ger-rifle", "B3").start()
    order = a.Move(unit=play["a"], path=(play.hex("E5"),), streets=(play.hex("E5"),))
    play.do(order)
    assert play.wants == "opportunity fire"
    assert "Shot" in kinds(play.dice(1, 1).fire("g", "a"))


def test_smoke_on_one_line_leaves_the_others(ask):
    ground = city("E5", "D5")
    clear = seen(ask, ground, "B3", "E5", on_road=("end",))
    veiled = ask(LineOfSight(map=ground, start="B3", end="E5", on_road=("end",), smoke=("D4",)))
    assert clear == 1
    assert veiled.value in (1, 2), "D4 lies on the way, or the line avoids it"


@pytest.mark.rule("ost", "12.7.5")
def test_who_ends_in_the_street_is_marked_in_a_city_too(table):
    ground = city("E5")
    field = table(ground.grid, roads=ROAD, heavy_urban=True).put("a", "us-rifle", "E6")
    play = field.put("g", "ger-rifle", "A9").start()
    play.do(a.Move(unit=play["a"], path=(play.hex("E5"),), streets=(play.hex("E5"),)))
    assert play.wants == "opportunity fire"
    news = play.do(a.HoldFire())
    assert find(news, s.MarkedOnRoad).units == (play["a"],)


@settings(deadline=None, max_examples=60)
@given(
    houses=st.sets(st.sampled_from([c + r for c in COLUMNS for r in "123456789"]), max_size=14),
    end=st.sampled_from([c + r for c in COLUMNS for r in "123456789"]),
    out=st.sampled_from([(True, False), (True, True)]),
)
def test_more_points_to_look_from_never_show_less(houses, end, out):
    names = {*houses, "E5", "E6"}
    if end == "E5" or (out[1] and end not in ("E6",)):
        return
    maps = [Ground(city(*names, urban=urban)) for urban in (True, False)]
    line = (maps[0].grid.find("E5"), maps[0].grid.find(end))
    ways = [look_in_street(ground, line, (0, 0), out) & 3 for ground in maps]
    back = look_in_street(maps[0], line[::-1], (0, 0), out[::-1]) & 3
    assert ways[0] <= ways[1]
    assert ways[0] == back
    if not out[1]:
        assert ways[1] == look(maps[1], *line) & 3, "from dot to dot, as everywhere"


@settings(deadline=None, max_examples=200)
@given(dq=st.integers(-8, 8), dr=st.integers(-8, 8))
def test_the_walk_from_dot_to_dot_is_the_traced_line(dq, dr):
    """Wherever the line meets no corner and runs along no side."""
    traced = trace(dq, dr)
    crossed = walk(point(0, 0), point(dq, dr), ((0, 0), (dq, dr)))
    if traced.pairs or any(len(sides) > 1 for sides in traced.sides):
        assert crossed == ()
    else:
        hexes = [h for h, _ in crossed[1:]]
        assert hexes == [(c.dq, c.dr) for c in traced.hexes]
        assert [nears(point(0, 0), point(dq, dr), *h) for h in hexes] == [
            c.disc for c in traced.hexes
        ]


# --- what is a building --------------------------------------------------------------------------

TALL = ("000000000",) * 4 + ("000200000",) + ("000000000",) * 4


@pytest.mark.rule("ost", "12.7.2")
def test_what_the_map_does_not_call_a_structure_is_open(ask):
    """The diagram's case: the hex between two parts of a building is no part of it."""
    assert seen(ask, city("D5", "D7"), "C5", "E6") == 0
    assert seen(ask, city("D5", "D6", "D7"), "C5", "E6") == BLOCKED


@pytest.mark.parametrize(
    ("levels", "fine"), [((), True), (TALL, False)], ids=["one storey", "three storeys"]
)
@pytest.mark.rule("ost", "12.7.3")
def test_all_that_is_drawn_of_a_building_of_one_storey_counts(ask, levels, fine):
    """What stands out into the next hex blocks; of a building with triangles it may not."""
    piece = Footprint(hex="D6", polygon=((-60, -90), (60, -90), (60, 90), (-60, 90)))
    ground = city("D5", levels=levels, footprints=(piece,))
    found = []
    check_map(ground, found)
    assert (not found) is fine
    if fine:
        assert seen(ask, ground, "D8", "D4") == BLOCKED
        assert seen(ask, ground, "C5", "E6") == BLOCKED
        assert seen(ask, city("D5"), "C5", "E6") == 0
    else:
        assert "12.7.2" in str(found[0])
        assert "12.7.3" in ask(LineOfSight(map=city("D5"), start="D4", end="D7")).rules


def test_outside_a_city_nothing_is_drawn_where_nothing_stands():
    piece = Footprint(hex="D6", polygon=((-60, -90), (60, -90), (60, 90), (-60, 90)))
    found = []
    check_map(city("D5", urban=False, footprints=(piece,)), found)
    assert "nothing stands there" in str(found[0])


# --- rubble and debris by the road ---------------------------------------------------------------


@pytest.mark.parametrize(("sign", "defense"), [("r", 7), ("d", 5)])
@pytest.mark.rule("ost", "12.7.9")
def test_a_road_through_rubble_is_cheap_and_shelters_as_rubble(ask, table, sign, defense):
    rows = ("......",) * 3 + (f"..{sign}...",) + ("......",) * 3
    road = (Road(hexes="C2 C3 C4 C5"),)
    ground = table(rows, roads=road, heavy_urban=True)
    assert ask(MovementCost(map=ground.map, path=("C3", "C4"))).value == 1
    assert ask(MovementCost(map=ground.map, path=("B4", "C4"))).value == 2, "not by the road"
    play = ground.put("a", "us-rifle", "C4").put("g", "ger-rifle", "E5").to_move(GERMAN).start()
    assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == defense
    with pytest.raises(Exception, match="streets"):
        ask(MovementCost(map=ground.map, path=("C3", "C4"), streets=("C4",)))


# --- inside of a building ------------------------------------------------------------------------

BLOCK = ("D4", "D5", "D6", "E4", "E5")


@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(
    ("start", "end", "sees"),
    [("D4", "D5", True), ("D4", "E4", True), ("D4", "D6", False), ("D4", "E5", False)],
)
@pytest.mark.rule("ost", "16.3.6")
def test_indoors_one_sees_no_farther_than_the_next_hex(ask, start, end, sees):
    """D4 to E5 runs along the side of D5 and E4: only the building itself shuts it."""
    ground = city(*BLOCK, urban=False, road=(), buildings=("D4:D6, E4:E5",))
    answer = ask(LineOfSight(map=ground, start=start, end=end))
    assert (answer.value != BLOCKED) is sees
    assert "16.3.6" in answer.rules
    assert seen(ask, ground, start, end) == answer.value


def test_two_houses_side_by_side_are_two_buildings(ask):
    apart = city(*BLOCK, urban=False, road=())
    assert seen(ask, apart, "D4", "E5") != BLOCKED
    assert seen(ask, apart, "D4", "D6") == BLOCKED, "the house between blocks all the same"


@pytest.mark.parametrize("storeys", ["1", "2"])
def test_from_upstairs_one_sees_no_farther_indoors(ask, storeys):
    levels = tuple(
        "".join(storeys if f"{c}{r}" in BLOCK else "0" for c in COLUMNS) for r in range(1, 10)
    )
    ground = city(*BLOCK, urban=False, road=(), levels=levels, buildings=("D4:D6, E4:E5",))
    answer = ask(LineOfSight(map=ground, start="D4", end="E5"))
    assert answer.value == BLOCKED
    assert "16.3.6" in answer.rules


def test_outside_a_building_of_several_hexes_is_a_row_of_houses(ask):
    one = city(*BLOCK, urban=False, road=(), buildings=("D4:D6, E4:E5",))
    two = city(*BLOCK, urban=False, road=())
    for start, end in (("C4", "F6"), ("B4", "D5"), ("D2", "D5"), ("D4", "B7")):
        assert seen(ask, one, start, end) == seen(ask, two, start, end)


def test_the_house_shelters_by_its_kind_inside_too(table):
    rows = city(*BLOCK).grid
    field = table(rows, buildings=("D4:D6, E4:E5",)).put("a", "us-rifle", "D4")
    play = field.put("g", "ger-rifle", "D5").start()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).defense == 6


@pytest.mark.parametrize(
    ("buildings", "what"),
    [
        (("D4:D6, E4:E5",), ""),
        (("D4, D6",), "side by side"),
        (("D4",), "side by side"),
        (("D4, D3",), "no structure in D3"),
        (("D4:D5", "D5:D6"), "another building"),
        (("D4, Z9",), "Z9"),
    ],
)
def test_a_map_says_what_is_wrong_with_a_building(buildings, what):
    found = []
    check_map(city(*BLOCK, road=(), buildings=buildings), found)
    assert bool(found) is bool(what)
    assert what in " ".join(str(fault) for fault in found)


def test_rubble_is_no_part_of_a_building(table):
    field = table(city(*BLOCK).grid, buildings=("D4:D6, E4:E5",)).put("a", "us-rifle", "A1")
    play = field.put("g", "ger-rifle", "A9").start()
    ground = play.state.ground
    fallen = altered(ground, {play.hex("E5"): RUBBLE})
    assert look(ground, play.hex("D4"), play.hex("E5")) & 3 == BLOCKED
    assert look(fallen, play.hex("D4"), play.hex("E5")) & 3 == 1


# --- ways through a town -------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    houses=st.sets(st.sampled_from([c + r for c in COLUMNS for r in "123456789"]), max_size=30),
    start=st.sampled_from([c + r for c in COLUMNS for r in "123456789"]),
    points=st.integers(2, 8),
)
def test_every_way_a_sensible_player_thinks_of_is_paid_for(houses, start, points):
    """Whatever is in reach is in reach with the streets that are chosen, and those are streets."""
    ground = Ground(city(*houses, road=(*ROAD, Road(hexes="A5 B5 C5 D5 E5 F5 G5"))))
    here = ground.grid.find(start)
    for there, path in ground.reach(here, points).items():
        streets = best_streets(ground, here, path, points)
        assert set(streets) <= ground.dual & set(path)
        at, cost = here, 0
        for h in path:
            cost += step_cost(ground, at, h, streets)
            at = h
        assert at == there
        assert cost <= points or len(path) == 1

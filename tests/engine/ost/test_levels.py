"""Levels underfoot and in fire, gullies, and how a map says them. OST 12.4, 12.5.9, 14.14."""

from __future__ import annotations

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.events import Shot
from rulesengine.rulesets.ost.ground import IMPASSABLE, Ground
from rulesengine.rulesets.ost.questions import InfantryAttack, LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from rulesengine.rulesets.ost.sight import BLOCKED
from tests.engine.ost.cross_sections import hexes
from tests.engine.table import GERMAN, find

CLEAR = 0


# --- what a level is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "height"),
    [
        pytest.param("0", 0, marks=pytest.mark.rule("ost", "12.4.1", "12.4.p1")),
        pytest.param("1", 1, marks=pytest.mark.rule("ost", "12.4.2")),
        pytest.param("2", 2, marks=pytest.mark.rule("ost", "12.4.3")),
        pytest.param("3", 3, marks=pytest.mark.rule("ost", "12.4.4")),
        pytest.param("-", -1, marks=pytest.mark.rule("ost", "12.4.5")),
    ],
)
def test_a_sign_of_the_map_is_a_level(ask, level, height):
    document = hexes("...", f"{level}1-")
    ground = Ground(document)
    assert ground.base[ground.grid.find("A1")] == height
    ask(LineOfSight(map=document, start="A1", end="A2"))


# --- gullies -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "12.5.9")
def test_out_of_a_gully_only_its_edge_sees_and_is_seen(sees_along):
    assert sees_along("...", "00-") == CLEAR
    assert sees_along("....", "0---") == BLOCKED
    assert sees_along("...", "-0-") == BLOCKED
    assert sees_along("...", "---") == CLEAR
    assert sees_along(".G.", "---") == 1


@pytest.mark.rule("ost", "12.5.9")
def test_the_plain_hides_what_is_behind_it_from_nobody_but_its_growth_does(sees_along):
    assert sees_along(".w.", "00-") == BLOCKED
    assert sees_along(".b.", "00-") == 1
    assert sees_along("....", "100-") == CLEAR


@pytest.mark.rule("ost", "12.5.10")
def test_over_a_gully_nothing_is_hidden(sees_along):
    assert sees_along("....", "1--0") == CLEAR
    assert sees_along("...", "0-0") == CLEAR
    assert sees_along("..G.", "10-0") == CLEAR


# --- movement ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "14.14.2", "14.14.3")
def test_what_climbing_costs(ask):
    def cost(terrain, levels, **more):
        return ask(MovementCost(map=hexes(terrain, levels, **more), path=("A1", "A2"))).value

    assert cost("..", "01") == cost("..", "10") == 2
    assert cost("..", "02") == cost("..", "20") == 3
    assert cost("..", "11") == 1
    assert cost(".W", "01") == cost(".w", "00") + 1
    assert cost("..", "-0") == cost("..", "0-") == 2


@pytest.mark.rule("ost", "14.14.2", "23.0.4")
def test_a_climb_is_paid_out_of_the_movement_points(table, ask):
    rows, levels = ("..",) * 6, ("00", "10", "10", "10", "10", "00")
    battle = table(rows, levels=levels).put("us", "us-rifle", "A1").start()
    assert battle.refused(battle.way("us", "A2", "A3", "A4", "A5")).rule == "23.0.4"
    battle.move("us", "A2", "A3", "A4")
    assert battle.at("us") == "A4"
    ask(MovementCost(map=battle.state.scenario.ground, path=("A1", "A2")))


@pytest.mark.rule("ost", "14.14.4")
def test_a_steep_slope_stops_everybody(table):
    battle = (
        table(levels=("0" * 8, "0" * 8, "01" + "0" * 6) + ("0" * 8,) * 5, steep=("B2/S",))
        .put("us", "us-rifle", "B2")
        .put("german", "ger-rifle", "B3")
        .start()
    )
    ground = battle.state.ground
    here, there = battle.hex("B2"), battle.hex("B3")
    assert battle.refused(battle.assault("us", "B3")).rule == "14.14.4"
    assert ground.cost(there, here) == ground.cost(here, there) == IMPASSABLE
    assert there not in dict(ground.neighbours(here))
    assert there not in ground.reach(here, 1)
    empty = table(steep=("B2/S",)).put("us", "us-rifle", "B2").start()
    assert empty.refused(empty.way("us", "B3")).rule == "14.14.4"


@pytest.mark.rule("ost", "14.14.4")
def test_a_path_over_a_steep_slope_is_told_to_be_none(ask):
    asked = MovementCost(map=hexes("..", "01", steep=("A1/S",)), path=("A1", "A2"))
    assert "too steep" in ask(asked).text


# --- fire --------------------------------------------------------------------------------------


def hill(**more):
    return {"rows": ("..",) * 9, "levels": ("10",) + ("00",) * 8, **more}


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.4.6", "14.14.8")
def test_downhill_the_range_is_a_hex_longer(table, ask):
    battle = table(**hill()).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A8").start()
    assert find(battle.dice(1, 1).fire("us", "german"), Shot).distance == 7
    assert battle.refused(battle.shot("german", "us")).rule == "27.4.2"
    ask(LineOfSight(map=hexes("........", "10000000"), start="A1", end="A8"))


@pytest.mark.rule("ost", "12.4.11")
def test_downhill_the_roll_is_one_better(table):
    battle = table(**hill()).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A4").start()
    shot = find(battle.dice(3, 4, 6, 6).fire("us", "german"), Shot)
    assert (shot.roll.total, shot.total) == (7, 8)


@pytest.mark.rule("ost", "12.4.12")
def test_uphill_the_roll_is_one_worse(table):
    battle = table(**hill()).put("us", "us-rifle", "A4").put("german", "ger-rifle", "A1").start()
    shot = find(battle.dice(3, 4, 6, 6).fire("us", "german"), Shot)
    assert (shot.roll.total, shot.total) == (7, 6)


@pytest.mark.border("ost", "12")
@pytest.mark.parametrize(
    ("levels", "height"),
    [(("11", "00", "00", "00"), 1), (("10", "00", "00", "00"), 0), (("10", "00", "00", "10"), -1)],
)
def test_a_group_has_the_height_of_its_lower_half(table, levels, height):
    battle = (
        table(("..",) * 4, levels=levels)
        .put("us", "us-rifle", "A1", leader="sergeant")
        .put("too", "us-rifle", "B1")
        .put("german", "ger-rifle", "A4")
        .start()
    )
    shot = find(battle.dice(3, 3, 6, 6).fire("us", "german", partner="too"), Shot)
    assert shot.total == 6 + 1 + height


@pytest.mark.rule("ost", "12.4.11", "12.4.12")
def test_an_attack_that_is_asked_about_knows_height(ask):
    chances = [
        ask(InfantryAttack(firepower=(4,), defense=4, from_ground=ground)).chances
        for ground in ("higher", "level", "lower")
    ]
    unharmed = [next(c.over / c.of for c in each if c.outcome == "no effect") for each in chances]
    assert unharmed == sorted(unharmed)
    assert len(set(unharmed)) == 3


def test_the_doctrine_knows_what_height_is_worth(table):
    """The same shot, down, level and up, is worth what the table says of the changed roll."""
    from rulesengine.rulesets.ost.shots import Shots

    worths = []
    for levels in (("10", "00", "00"), ("00", "00", "00"), ("00", "00", "10")):
        battle = table(("..",) * 3, levels=levels)
        battle = battle.put("us", "us-rifle", "A1").put("german", "ger-rifle", "A3").start()
        shots = Shots(battle.battle.ruleset.view(battle.state, 0))
        worths.append(shots.shot(battle["us"], battle["german"])[0])
    assert worths[0] > worths[1] > worths[2]


def test_the_doctrine_knows_the_longer_range(table):
    from rulesengine.rulesets.ost.shots import NO_SHOT, Shots

    battle = table(**hill()).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A8").start()
    views = [battle.battle.ruleset.view(battle.state, side) for side in (0, GERMAN)]
    assert Shots(views[0]).best(battle["us"]) != NO_SHOT
    assert Shots(views[1]).best(battle["german"]) == NO_SHOT


# --- the map file ------------------------------------------------------------------------------


def faults(table, **ground):
    battle = (
        table(("...",) * 3, **ground).put("us", "us-rifle", "A1").put("german", "ger-rifle", "C3")
    )
    return [
        f"{fault.where}: {fault.what} {fault.mend}".strip()
        for fault in check(battle.document())
        if fault.where.startswith("ground")
    ]


@pytest.mark.parametrize(
    ("ground", "told"),
    [
        (
            {"levels": ("000", "000")},
            "ground.levels: 2 rows, but the grid has 3",
        ),
        (
            {"levels": ("000", "0000", "000")},
            "ground.levels[1] (row 2): 4 hexes, but the map is 3 wide",
        ),
        (
            {"levels": ("000", "0+0", "000")},
            'ground.levels[1] (row 2): "+" in hex B2 is no level; there are: - 0 1 2 3',
        ),
        (
            {"steep": ("B2",)},
            'ground.steep: "B2" names no side; write it as "F5/NE" or "F5/N+NE"',
        ),
        (
            {"footprints": (Footprint(hex="B2", polygon=((0, 0), (9, 0), (0, 9))),)},
            'ground.footprints[0] ("B2"): nothing stands there: the hex is open',
        ),
    ],
)
def test_faults_of_levels_are_named_with_their_place(table, ground, told):
    assert told in faults(table, **ground)


def test_a_hill_without_a_level_is_a_fault(table):
    made = table()
    made.map = HexMap(
        key="t",
        title="T",
        grid=(".^.", "...", "..v"),
        levels=("000", "000", "001"),
        legend={".": "open", "^": "hill", "v": "gully"},
    )
    found = [f"{f.where}: {f.what} {f.mend}" for f in check(made.document())]
    assert (
        "ground.levels[0] (row 1): hex B1 is a hill, but its level is 0. Give it level 1 to 3."
        in (found)
    )
    assert (
        "ground.levels[2] (row 3): hex C3 is a gully, but its level is 1. Give it level -." in found
    )


def test_a_drawn_hill_is_no_fault(table):
    shape = Footprint(hex="B2", polygon=((0, 0), (9, 0), (0, 9)))
    assert faults(table, levels=("000", "010", "000"), footprints=(shape,)) == []


def test_what_is_no_side_of_a_hex_is_refused_as_a_steep_slope():
    with pytest.raises((BadDocument, ValueError)):
        Ground(hexes("..", "01", steep=("A1",)))

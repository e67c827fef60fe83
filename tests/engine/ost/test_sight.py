"""Lines of sight on one level: OST 12.1 to 12.3, 14.0, 15.0 and the rows of 14 to 16."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from rulesengine.rulesets.ost.sight import BLOCKED, look, shield
from tests.engine.table import LEGEND, Hexsides, find

CLEAR = 0


def ground_map(rows, **more):
    return HexMap(key="sight", title="Sight", grid=tuple(rows), legend=LEGEND, **more)


def column(middle: str) -> tuple[str, ...]:
    """A file of hexes running south: open ends, the given terrain between."""
    return ("..", *(f"{sign}." for sign in middle), "..")


@pytest.fixture
def sees(ask):
    """0 to 2 degrading hexes, 3 blocked; asked both ways."""

    def look_between(rows, start, end, **more):
        there = ask(LineOfSight(map=ground_map(rows, **more), start=start, end=end)).value
        back = ask(LineOfSight(map=ground_map(rows, **more), start=end, end=start)).value
        assert there == back
        return there

    return look_between


# --- what each terrain does -----------------------------------------------


@pytest.mark.parametrize(
    ("sign", "seen"),
    [
        pytest.param(".", CLEAR, marks=pytest.mark.rule("ost", "14.1.3")),
        pytest.param("b", 1, marks=pytest.mark.rule("ost", "14.2.4")),
        pytest.param("f", CLEAR, marks=pytest.mark.rule("ost", "14.3.3")),
        pytest.param("t", CLEAR, marks=pytest.mark.rule("ost", "14.4.3")),
        pytest.param("w", BLOCKED, marks=pytest.mark.rule("ost", "14.5.6", "12.2.1")),
        pytest.param("o", 1, marks=pytest.mark.rule("ost", "14.6.5")),
        pytest.param("c", 1, marks=pytest.mark.rule("ost", "14.7.4")),
        pytest.param("s", CLEAR, marks=pytest.mark.rule("ost", "14.8.4")),
        pytest.param("m", CLEAR, marks=pytest.mark.rule("ost", "14.9.5")),
        pytest.param("x", CLEAR, marks=pytest.mark.rule("ost", "14.10.2")),
        pytest.param("d", 1, marks=pytest.mark.rule("ost", "14.11.2")),
        pytest.param("r", 1, marks=pytest.mark.rule("ost", "14.12.2")),
        pytest.param("l", BLOCKED, marks=pytest.mark.rule("ost", "16.1.5")),
        pytest.param("h", BLOCKED, marks=pytest.mark.rule("ost", "16.2.5")),
        pytest.param("u", BLOCKED, marks=pytest.mark.rule("ost", "12.2.3")),
    ],
)
def test_a_line_through_the_middle_of_a_hex_meets_its_terrain(sees, sign, seen):
    assert sees(column(sign), "A1", "A3") == seen


@pytest.mark.rule("ost", "12.1.5", "12.3.1", "12.1.p1")
def test_terrain_leaves_degrades_or_blocks_the_line_from_dot_to_dot(sees):
    assert [sees(column(middle), "A1", "A4") for middle in ("..", ".b", "bb", "w.")] == [0, 1, 2, 3]


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.3.2", "14.0.6")
def test_two_degrading_hexes_may_be_fired_through_a_third_blocks(sees):
    assert sees(column("bob"), "A1", "A5") == BLOCKED
    assert sees(column("bo."), "A1", "A5") == 2


@pytest.mark.rule("ost", "12.1.8", "12.3.5")
def test_the_terrain_of_both_ends_does_not_count(sees):
    rows = ("b.", "..", "o.", "..")
    assert sees(rows, "A1", "A3") == CLEAR
    assert sees(("w.", "..", "w."), "A1", "A3") == CLEAR


@pytest.mark.rule("ost", "12.3.5")
def test_firepower_is_not_reduced_by_the_targets_own_brush(table, ask):
    rows = ("..", "..", "..", "b.")
    battle = table(rows).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A4").start()
    from rulesengine.rulesets.ost.events import Shot

    shot = find(battle.dice(1, 1).fire("us", "german"), Shot)
    assert (shot.firepower, shot.defense) == (4, 5)
    ask(LineOfSight(map=ground_map(rows), start="A1", end="A4"))


@pytest.mark.rule("ost", "12.1.6", "12.1.7")
def test_neither_units_nor_melees_on_the_way_affect_the_line(table, sees):
    from rulesengine.rulesets.ost.events import MeleeMarked, Shot

    battle = (
        table()
        .put("us", "us-rifle", "A1")
        .put("friend", "us-rifle", "A3")
        .put("between", "ger-rifle", "A2")
        .put("german", "ger-rifle", "A4")
        .start()
    )
    assert find(battle.dice(1, 1).fire("us", "german"), Shot).firepower == 4
    battle.given(MeleeMarked(hex=battle.hex("A2"), side=0))
    battle.idle()
    assert find(battle.dice(1, 1).fire("us", "german"), Shot).firepower == 4
    assert sees(column(".."), "A1", "A4") == CLEAR


@pytest.mark.rule("ost", "12.1.1", "27.4.2")
def test_an_attack_needs_a_line_of_sight(table):
    rows = ("....", "w...", "....", "....")
    battle = table(rows).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A3").start()
    assert battle.refused(battle.shot("us", "german")).rule == "12.2.1"
    clear = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "A3").start()
    clear.dice(1, 1).fire("us", "german")


# --- along hexsides and through corners -----------------------------------------------
# C3 to E3 runs along the side between D3 (north) and D4 (south).


@pytest.mark.border("ost", "14")
@pytest.mark.example("ost", "14.0.e1")
@pytest.mark.rule("ost", "14.0.8", "14.0.1")
@pytest.mark.parametrize(
    ("north", "south", "seen"),
    [("b", "w", 3), ("w", "b", 3), ("b", ".", 1), (".", "b", 1), ("b", "o", 1), (".", ".", 0)],
)
def test_along_a_hexside_the_heavier_of_two_terrains_decides(sees, north, south, seen):
    rows = (".....", ".....", f"...{north}.", f"...{south}.", ".....")
    assert sees(rows, "C3", "E3") == seen


@pytest.mark.rule("ost", "14.0.7", "12.2.3")
@pytest.mark.parametrize("sign", ["l", "h", "u"])
def test_along_the_side_of_a_structure_hex_the_line_is_degraded(sees, sign):
    assert sees((".....", ".....", f"...{sign}.", ".....", "....."), "C3", "E3") == 1


@pytest.mark.border("ost", "15")
@pytest.mark.rule("ost", "15.0.11")
def test_along_a_hedge_the_line_is_degraded_once(sees):
    hedge = (Hexsides(kind="hedge", sides=("D3/S",)),)
    assert sees((".....",) * 5, "C3", "E3", hexsides=hedge) == 1
    longer = (Hexsides(kind="hedge", sides=("D3/S", "F3/S")),)
    assert sees((".......",) * 5, "C3", "G3", hexsides=longer) == 2


@pytest.mark.rule("ost", "15.0.11")
def test_along_a_hedge_that_meets_his_corner_a_unit_is_sheltered_once(ask):
    hedge = (Hexsides(kind="hedge", sides=("D3/S",)),)
    answer = ask(LineOfSight(map=ground_map((".....",) * 5, hexsides=hedge), start="C3", end="E3"))
    shelters = [m.amount for m in answer.modifiers if "Defense" in m.name]
    assert shelters == [1]


def test_a_hedge_at_the_far_corner_of_a_hexside_does_not_shelter_the_firer():
    """The side between D3 and E3 borders E3 only: it shelters E3, never C3."""
    hedge = (Hexsides(kind="hedge", sides=("D3/SE",)),)
    ground = Ground(ground_map((".....",) * 5, hexsides=hedge))
    c3, e3 = ground.grid.find("C3"), ground.grid.find("E3")
    assert shield(ground, c3, e3) == 1
    assert shield(ground, e3, c3) == 0


def test_a_hedge_farther_on_does_not_shelter_a_unit_it_does_not_border():
    """C3 to G3: the side between D3 and E3 lies in between and degrades, no more."""
    hedge = (Hexsides(kind="hedge", sides=("D3/SE",)),)
    ground = Ground(ground_map((".......",) * 5, hexsides=hedge))
    c3, g3 = ground.grid.find("C3"), ground.grid.find("G3")
    assert look(ground, c3, g3) & 3 == 1
    assert shield(ground, g3, c3) == 0


@pytest.mark.rule("ost", "15.0.8", "15.0.2")
def test_two_hexsides_of_one_hex_degrade_twice(sees):
    walls = (Hexsides(kind="stone wall", sides=("A3/N+S",)),)
    assert sees(column("..."), "A1", "A5", hexsides=walls) == 2


@pytest.mark.rule("ost", "15.0.1")
def test_where_a_line_meets_a_corner_the_hexsides_that_end_there_count_once(sees):
    """Every line of a small map that runs through the corner of D3, E2 and E3, ends apart."""
    rows = (".......",) * 6
    corner = ("D3/NE", "D3/SE", "E3/N")
    plain = Ground(ground_map(rows))
    alone = [
        Ground(ground_map(rows, hexsides=(Hexsides(kind="hedge", sides=(side,)),)))
        for side in corner
    ]
    both = Ground(ground_map(rows, hexsides=(Hexsides(kind="hedge", sides=corner),)))
    names = plain.grid
    through = [
        (a, b)
        for a in names.hexes
        for b in names.hexes
        if a < b and all(look(ground, a, b) & 3 == 1 for ground in alone)
    ]
    assert through
    assert all(look(both, a, b) & 3 == 1 for a, b in through)
    start, end = (names.name(h) for h in through[0])
    assert sees(rows, start, end, hexsides=(Hexsides(kind="hedge", sides=corner),)) == 1


# --- hexside terrain beside a unit -----------------------------------------------


@pytest.mark.border("ost", "15")
@pytest.mark.parametrize(
    ("kind", "between"),
    [
        pytest.param("hedge", 1, marks=pytest.mark.rule("ost", "15.1.2", "15.1.3")),
        pytest.param("stone wall", 1, marks=pytest.mark.rule("ost", "15.2.2", "15.2.3")),
        pytest.param("bocage", 3, marks=pytest.mark.rule("ost", "15.3.2", "15.3.4")),
    ],
)
def test_hexside_terrain_between_two_hexes_on_the_way(sees, kind, between):
    line = (Hexsides(kind=kind, sides=("A3/N",)),)
    assert sees(column("..."), "A1", "A5", hexsides=line) == between


@pytest.mark.rule("ost", "15.0.10")
@pytest.mark.parametrize("kind", ["hedge", "stone wall", "bocage"])
@pytest.mark.parametrize("side", ["A1/S", "A5/N"])
def test_hexside_terrain_beside_firer_or_target_does_not_degrade(sees, kind, side):
    line = (Hexsides(kind=kind, sides=(side,)),)
    assert sees(column("..."), "A1", "A5", hexsides=line) == CLEAR


@pytest.mark.rule("ost", "15.0.9")
@pytest.mark.parametrize(("kind", "amount"), [("hedge", 1), ("stone wall", 2), ("bocage", 2)])
def test_both_units_beside_the_same_hexside_terrain_are_sheltered(ask, kind, amount):
    line = (Hexsides(kind=kind, sides=("A1/S",)),)
    for start, end in (("A1", "A2"), ("A2", "A1")):
        answer = ask(LineOfSight(map=ground_map(column("."), hexsides=line), start=start, end=end))
        assert [m.amount for m in answer.modifiers] == [amount]


@pytest.mark.example("ost", "15.0.e1")
@pytest.mark.parametrize(
    ("kind", "amount"),
    [
        pytest.param("hedge", 1, marks=pytest.mark.rule("ost", "15.1.5", "15.0.7")),
        pytest.param("stone wall", 2, marks=pytest.mark.rule("ost", "15.2.5", "15.0.7")),
        pytest.param("bocage", 2, marks=pytest.mark.rule("ost", "15.3.4", "15.0.7")),
    ],
)
def test_hexside_terrain_adds_to_the_defense_of_the_hex(table, kind, amount):
    """The book's example for 15.0.7: an orchard behind a wall gives three."""
    from rulesengine.rulesets.ost.events import Shot

    line = (Hexsides(kind=kind, sides=("A4/N",)),)
    battle = (
        table(("..", "..", "..", "o."), hexsides=line)
        .put("us", "us-rifle", "A1")
        .put("german", "ger-rifle", "A4")
        .start()
    )
    shot = find(battle.dice(1, 1).fire("us", "german"), Shot)
    assert (shot.firepower, shot.defense) == (4, 4 + 1 + amount)


@pytest.mark.rule("ost", "15.3.5")
def test_bocage_gives_nothing_against_fire_from_elsewhere(ask):
    line = (Hexsides(kind="bocage", sides=("A3/N",)),)
    rows = ("..", "..", "..", "..", "..")
    answer = ask(LineOfSight(map=ground_map(rows, hexsides=line), start="A5", end="A3"))
    assert (answer.value, answer.modifiers) == (CLEAR, ())


@pytest.mark.border("ost", "15")
@pytest.mark.rule("ost", "15.3.6")
@pytest.mark.parametrize("house", ["l", "h", "u"])
def test_a_house_beside_bocage_sees_only_the_next_hex_through_it(sees, ask, house):
    line = (Hexsides(kind="bocage", sides=("A1/S",)),)
    rows = (f"{house}.", "..", "..")
    assert sees(rows, "A1", "A3", hexsides=line) == BLOCKED
    assert sees(rows, "A1", "A2", hexsides=line) == CLEAR
    into = ask(LineOfSight(map=ground_map(rows, hexsides=line), start="A2", end="A1"))
    assert into.modifiers == ()


# --- houses -----------------------------------------------


@pytest.mark.rule("ost", "12.2.3", "14.0.7")
def test_a_drawn_footprint_takes_the_place_of_the_disc(sees):
    rows = ("..", "h.", "..", "..")
    east = (Footprint(hex="A2", polygon=((30, -50), (90, -50), (90, 50), (30, 50))),)
    assert sees(rows, "A1", "A3") == BLOCKED
    assert sees(rows, "A1", "A3", footprints=east) == 1

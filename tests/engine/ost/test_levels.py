"""Levels: hills, gullies, storeys. OST 12.4 to 12.6, 14.14, 16.3."""

from __future__ import annotations

import random

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.events import Shot
from rulesengine.rulesets.ost.ground import IMPASSABLE, Ground, ground_of
from rulesengine.rulesets.ost.questions import InfantryAttack, LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import Footprint, HexMap, Hexsides
from rulesengine.rulesets.ost.sight import BLOCKED, look, obstacles
from tests.engine.table import LEGEND, find

CLEAR = 0


def hexes(terrain: str, levels: str, **more) -> HexMap:
    """A file of hexes running south in column A, its terrain and its levels."""
    return HexMap(
        key="levels",
        title="Levels",
        grid=tuple(f"{sign}." for sign in terrain),
        levels=tuple(f"{level}0" for level in levels),
        legend=LEGEND | {"H": "hill + light structure", "W": "hill + woods"},
        **more,
    )


@pytest.fixture
def sees(ask):
    """0 to 2 degrading hexes, 3 blocked, from one end of a file to the other; asked both ways."""

    def look_along(terrain, levels, **more):
        ground = hexes(terrain, levels, **more)
        end = f"A{len(terrain)}"
        there = ask(LineOfSight(map=ground, start="A1", end=end)).value
        assert ask(LineOfSight(map=ground, start=end, end="A1")).value == there
        return there

    return look_along


# --- hills -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "12.5.2", "14.14.5", "12.2.4")
@pytest.mark.parametrize("level", "123")
def test_a_hill_blocks_for_units_below_it(sees, level):
    assert sees("...", f"0{level}0") == BLOCKED
    assert sees("...", f"1{level}1") == (CLEAR if level == "1" else BLOCKED)


BESIDE = {"grid": ("....",) * 4, "legend": {".": "open"}}


@pytest.mark.rule("ost", "12.5.3", "14.14.6")
def test_a_line_through_a_hill_hex_beside_the_hill_is_degraded(ask):
    levels = ("0000", "0100", "0000", "0000")
    asked = HexMap(key="m", title="M", levels=levels, **BESIDE)
    ground = ground_of(asked)
    find_ = ground.grid.find
    seen = {
        (a, b): look(ground, a, b) & 3
        for a in range(4, 20)
        for b in range(4, 20)
        if a != b and find_("B2") not in (a, b)
    }
    beside = [pair for pair, sight in seen.items() if sight == 1]
    assert beside
    a, b = beside[0]
    answer = ask(LineOfSight(map=asked, start=ground.name(a), end=ground.name(b)))
    assert any("beside the hill" in step for step in answer.steps)
    assert any(sight == BLOCKED for sight in seen.values())


@pytest.mark.rule("ost", "12.5.3")
def test_a_drawn_hill_fills_what_is_drawn(ask):
    levels = ("0000", "0100", "0000", "0000")
    whole = ((-115, 0), (-58, -100), (58, -100), (115, 0), (58, 100), (-58, 100))
    drawn = HexMap(
        key="m",
        title="M",
        levels=levels,
        footprints=(Footprint(hex="B2", polygon=whole),),
        **BESIDE,
    )
    plain = ground_of(HexMap(key="m", title="M", levels=levels, **BESIDE))
    ground = ground_of(drawn)
    dimmed = [
        (a, b)
        for a in range(4, 20)
        for b in range(4, 20)
        if a != b and look(plain, a, b) & 3 == 1 and not (ground.level[a] or ground.level[b])
    ]
    assert any(look(ground, a, b) & 3 == BLOCKED for a, b in dimmed)
    a, b = dimmed[0]
    ask(
        LineOfSight(
            map=HexMap(key="m", title="M", levels=levels, **BESIDE),
            start=plain.name(a),
            end=plain.name(b),
        )
    )


@pytest.mark.rule("ost", "12.4.7", "12.5.4", "14.14.7")
@pytest.mark.parametrize(
    ("terrain", "seen"),
    [
        (".w..", CLEAR),
        ("..w.", BLOCKED),
        ("..b.", 1),
        (".b..", CLEAR),
        (".wb.", 1),
        ("..o.", 1),
        ("..l.", BLOCKED),
        (".l..", CLEAR),
    ],
)
def test_from_a_hill_low_terrain_hides_one_hex_behind_it(sees, terrain, seen):
    assert sees(terrain, "1000") == seen


@pytest.mark.rule("ost", "12.4.8")
@pytest.mark.parametrize("sign", ["f", "t", "x", "s", "."])
def test_what_is_flat_hides_nothing_from_above(sees, sign):
    assert sees(f"..{sign}.", "1000") == CLEAR


@pytest.mark.rule("ost", "12.5.5")
def test_over_a_hill_only_a_higher_unit_sees_and_not_directly_behind_it(sees):
    assert sees("....", "1010") == BLOCKED
    assert sees(".....", "10100") == BLOCKED
    assert sees("....", "2010") == BLOCKED
    assert sees(".....", "20100") == CLEAR


@pytest.mark.rule("ost", "12.5.6", "12.5.7", "12.5.8")
def test_only_from_the_crest_is_the_low_ground_seen_and_seen_from(sees):
    assert sees("...", "100") == CLEAR
    assert sees("....", "1100") == BLOCKED
    assert sees("....", "0011") == BLOCKED


@pytest.mark.rule("ost", "12.5.7")
def test_on_a_plateau_the_same_and_higher_levels_are_seen(sees):
    assert sees("....", "1111") == CLEAR
    assert sees("....", "1112") == CLEAR
    assert sees("...", "110") == BLOCKED


@pytest.mark.rule("ost", "12.5.6", "12.5.7")
def test_a_sniper_on_a_crest_sees_down_in_front_but_not_across_the_hill_behind(ask):
    rows, levels = ("..",) * 6, ("00", "00", "10", "10", "10", "00")
    ground = HexMap(key="s", title="S", grid=rows, levels=levels, legend={".": "open"})
    front = ask(LineOfSight(map=ground, start="A3", end="A1"))
    behind = ask(LineOfSight(map=ground, start="A3", end="A6"))
    assert (front.value, behind.value) == (CLEAR, BLOCKED)
    assert any("plateau" in step for step in behind.steps)


@pytest.mark.rule("ost", "12.5.11")
def test_down_a_slope_there_is_no_blind_hex(sees):
    assert sees("...", "210") == CLEAR
    assert sees("....", "3210") == CLEAR
    assert sees("....", "2110") == BLOCKED


@pytest.mark.rule("ost", "12.5.12")
def test_what_grows_on_a_slope_throws_its_blind_hex(sees):
    assert sees(".W.", "210") == BLOCKED
    assert sees(".b.", "210") == 1


@pytest.mark.rule("ost", "12.5.13")
def test_terrain_at_the_foot_of_a_hill_makes_no_false_plateau(sees):
    assert sees(".w...", "10000") == CLEAR
    assert sees(".w.", "100") == BLOCKED


@pytest.mark.rule("ost", "12.5.14")
def test_from_hill_to_hill_the_ground_between_does_not_count(sees):
    assert sees(".wbw.", "10001") == CLEAR
    assert sees(".wbw.", "20001") == CLEAR


@pytest.mark.rule("ost", "12.4.9")
@pytest.mark.parametrize(("kind", "flat"), [("hedge", 1), ("stone wall", 1)])
def test_between_levels_hedges_and_walls_do_not_dim(sees, kind, flat):
    along = (Hexsides(kind=kind, sides=("A2/S",)),)
    assert sees("....", "0000", hexsides=along) == flat
    assert sees("....", "1000", hexsides=along) == CLEAR


def test_bocage_is_seen_over_from_above(sees):
    along = (Hexsides(kind="bocage", sides=("A2/S",)),)
    assert sees("....", "0000", hexsides=along) == BLOCKED
    assert sees("....", "1000", hexsides=along) == CLEAR


@pytest.mark.rule("ost", "12.4.9")
def test_a_wall_still_shelters_who_is_beside_it(ask):
    ground = hexes("....", "1000", hexsides=(Hexsides(kind="stone wall", sides=("A3/S",)),))
    along = (Hexsides(kind="hedge", sides=("A2/S",)),)
    answer = ask(LineOfSight(map=ground, start="A1", end="A4"))
    assert any(m.name.startswith("stone wall") and m.amount == 2 for m in answer.modifiers)
    ask(LineOfSight(map=hexes("....", "1000", hexsides=along), start="A1", end="A4"))


# --- gullies ---------------------------------------------------------------------------------


@pytest.mark.rule("ost", "12.5.9")
def test_out_of_a_gully_only_its_edge_sees_and_is_seen(sees):
    assert sees("...", "00-") == CLEAR
    assert sees("....", "0---") == BLOCKED
    assert sees("...", "-0-") == BLOCKED
    assert sees("...", "---") == CLEAR


@pytest.mark.rule("ost", "12.5.10")
def test_over_a_gully_nothing_is_hidden(sees):
    assert sees("....", "1--0") == CLEAR
    assert sees("...", "0-0") == CLEAR


# --- buildings of several storeys --------------------------------------------------------------


@pytest.mark.rule("ost", "12.6.1", "12.6.p1", "16.3.4")
def test_from_an_upper_floor_low_terrain_is_seen_over_save_one_hex(sees):
    assert sees("l.w..", "10000") == CLEAR
    assert sees("l.w.", "1000") == BLOCKED
    assert sees("l.l.", "2010") == BLOCKED
    assert sees("l.l..", "20100") == CLEAR


@pytest.mark.rule("ost", "12.6.2")
def test_a_building_of_three_storeys_is_never_seen_over(sees):
    assert sees("..l..", "30200") == BLOCKED
    assert sees("..l..", "30203") == BLOCKED


@pytest.mark.rule("ost", "12.6.3")
def test_from_tall_building_to_tall_building_the_ground_does_not_count(sees):
    assert sees("lwbwl", "10001") == CLEAR


@pytest.mark.rule("ost", "12.6.4")
def test_height_counts_between_tall_buildings(ask):
    answer = ask(LineOfSight(map=hexes("l.l", "203"), start="A1", end="A3"))
    assert any(m.amount == -1 and m.rule == "12.4.12" for m in answer.modifiers)


@pytest.mark.rule("ost", "16.3.3", "14.14.2", "14.14.3")
def test_what_climbing_costs(ask):
    def cost(terrain, levels):
        return ask(MovementCost(map=hexes(terrain, levels), path=("A1", "A2"))).value

    assert cost("..", "01") == 2
    assert cost("..", "20") == 3
    assert cost(".W", "01") == cost(".w", "00") + 1
    assert cost(".l", "02") == cost(".l", "00")
    assert cost("..", "-0") == 2


@pytest.mark.rule("ost", "14.14.4")
def test_a_steep_slope_stops_everybody(table, ask):
    ask(MovementCost(map=hexes("..", "01", steep=("A1/S",)), path=("A1", "A2")))
    battle = table(steep=("B2/S",)).put("us", "us-rifle", "B2").start()
    assert battle.refused(battle.way("us", "B3")).rule == "14.14.4"
    ground = battle.state.ground
    here, there = battle.hex("B2"), battle.hex("B3")
    assert ground.cost(there, here) == IMPASSABLE
    assert there not in dict(ground.neighbours(here))
    assert there not in ground.reach(here, 1)


# --- fire ------------------------------------------------------------------------------------


def hill(**more):
    return {"rows": ("..",) * 9, "levels": ("10",) + ("00",) * 8, **more}


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


@pytest.mark.rule("ost", "12.4.11", "12.4.12")
def test_an_attack_that_is_asked_about_knows_height(ask):
    chances = [
        ask(InfantryAttack(firepower=(4,), defense=4, from_ground=ground)).chances
        for ground in ("higher", "level", "lower")
    ]
    unharmed = [next(c.over / c.of for c in each if c.outcome == "no effect") for each in chances]
    assert unharmed == sorted(unharmed)
    assert len(set(unharmed)) == 3


def test_the_example_of_a_machine_gun_on_a_hill(ask):
    """12.5, the example: blind behind the woods, clear over the hedge, blind behind the house,
    dim behind the brush."""
    ground = HexMap(
        key="e",
        title="E",
        grid=("......", "......", "..w.l.", "..b...", "......"),
        levels=("000000", "001000", "000000", "000000", "000000"),
        legend=LEGEND,
        hexsides=(Hexsides(kind="hedge", sides=("B3/S",)),),
    )

    def seen(end):
        return ask(LineOfSight(map=ground, start="C2", end=end)).value

    assert seen("C4") == BLOCKED
    assert seen("C5") == 1
    assert seen("A4") == CLEAR


# --- laws ------------------------------------------------------------------------------------


def hilly(seed: int) -> HexMap:
    """Twenty by sixteen hexes of everything, in lumps."""
    chance = random.Random(seed)
    rows, levels = [], []
    for _ in range(16):
        rows.append("".join(chance.choice("......bbwolhf") for _ in range(20)))
        levels.append("".join(chance.choice("0000001123-") for _ in range(20)))
    levels = [
        "".join(
            levels[(r // 2) * 2][(c // 3) * 3] if chance.random() < 0.8 else level
            for c, level in enumerate(row)
        )
        for r, row in enumerate(levels)
    ]
    named = [f"{chr(66 + chance.randrange(18))}{chance.randrange(2, 15)}" for _ in range(60)]
    sides = tuple(f"{name}/{chance.choice(('N', 'NE', 'SE'))}" for name in named)
    kinds = ("hedge", "stone wall", "bocage")
    return HexMap(
        key="hilly",
        title="Hilly",
        grid=tuple(rows),
        levels=tuple(levels),
        legend=LEGEND,
        hexsides=tuple(Hexsides(kind=k, sides=sides[i::3]) for i, k in enumerate(kinds)),
    )


@pytest.mark.rule("ost", "12.5.15")
def test_sight_is_mutual_on_ten_thousand_lines_of_a_hilly_map(ask):
    chance = random.Random("who is seen sees back")
    document = hilly(1)
    forth, back = Ground(document), Ground(document)
    cells = range(20, 20 * 17)
    counts = [0, 0, 0, 0]
    for _ in range(10_000):
        a, b = chance.sample(cells, 2)
        one, other = look(forth, a, b), look(back, b, a)
        assert one == other
        assert one & 3 <= BLOCKED
        if one & 3 != BLOCKED:
            assert len(obstacles(forth, a, b)) <= 2
        counts[one & 3] += 1
    assert all(count > 50 for count in counts), counts
    ask(LineOfSight(map=document, start="B2", end="E5"))


def turned(document: HexMap) -> HexMap:
    """The same map turned half round; its width is even, so columns are mirrored by half rows."""
    return HexMap(
        key=document.key,
        title=document.title,
        grid=tuple(row[::-1] for row in reversed(document.grid)),
        levels=tuple(row[::-1] for row in reversed(document.levels)),
        legend=document.legend,
    )


def test_a_map_turned_half_round_is_seen_the_same():
    document = hilly(2)
    odd = HexMap(
        key="odd",
        title="Odd",
        grid=tuple(row[:19] + "." for row in document.grid),
        levels=document.levels,
        legend=LEGEND,
    )
    here, there = Ground(odd), Ground(turned(odd))
    last = len(odd.grid) * 20 - 1
    chance = random.Random("half round")
    same = 0
    for _ in range(2_000):
        a, b = chance.sample(range(20, 20 * 17), 2)
        ta, tb = (20 + last - (h - 20) for h in (a, b))
        assert look(here, a, b) == look(there, ta, tb)
        same += 1
    assert same == 2_000


def test_a_flat_map_has_no_relief_and_sees_as_before():
    document = hilly(3)
    flat = {"key": "f", "title": "F", "grid": document.grid, "legend": LEGEND}
    plain = Ground(HexMap(**flat, hexsides=document.hexsides))
    zero = Ground(HexMap(**flat, hexsides=document.hexsides, levels=("0" * 20,) * 16))
    assert plain.relief == zero.relief == 0
    raised = Ground(
        HexMap(**flat, hexsides=document.hexsides, levels=("0" * 20,) * 15 + ("0" * 19 + "-",))
    )
    last = 20 * 17 - 1
    chance = random.Random("flat")
    for _ in range(3_000):
        a, b = chance.sample(range(20, 20 * 17), 2)
        if last not in (a, b):
            assert look(plain, a, b) == look(raised, a, b)


def test_what_is_no_side_of_a_hex_is_refused_as_a_steep_slope():
    with pytest.raises((BadDocument, ValueError)):
        Ground(hexes("..", "01", steep=("A1",)))

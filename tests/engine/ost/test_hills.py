"""Sight over hills: crests, plateaus, slopes, blind hexes. OST 12.4.7 to 12.4.9, 12.5."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost.events import Shot
from rulesengine.rulesets.ost.ground import Ground, ground_of
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import Footprint, HexMap, Hexsides
from rulesengine.rulesets.ost.sight import BLOCKED, along, look
from tests.engine.ost.cross_sections import hexes
from tests.engine.table import find

CLEAR = 0


# --- the hill itself ---------------------------------------------------------------------------


@pytest.mark.rule("ost", "12.5.2", "14.14.5", "12.2.4")
@pytest.mark.parametrize("level", "123")
def test_a_hill_blocks_for_units_below_it(sees_along, level):
    assert sees_along("...", f"0{level}0") == BLOCKED
    assert sees_along("...", f"1{level}1") == (CLEAR if level == "1" else BLOCKED)


FIELD = {"grid": ("....",) * 4, "legend": {".": "open"}}
ONE_HILL = HexMap(key="m", title="M", levels=("0000", "0100", "0000", "0000"), **FIELD)


def lines_past(ground: Ground, name: str) -> dict[tuple[int, int], int]:
    """What every line of a map that does not end in a hex meets."""
    hill = ground.grid.find(name)
    ends = [h for h in ground.grid.hexes if h != hill]
    return {(a, b): look(ground, a, b) & 3 for a in ends for b in ends if a != b}


@pytest.mark.example("ost", "14.14.d1")
@pytest.mark.rule("ost", "12.5.3", "14.14.6")
def test_a_line_through_a_hill_hex_beside_the_hill_is_degraded(ask):
    ground = ground_of(ONE_HILL)
    seen = lines_past(ground, "B2")
    beside = [pair for pair, sight in seen.items() if sight == 1]
    assert beside
    assert BLOCKED in seen.values()
    a, b = beside[0]
    answer = ask(LineOfSight(map=ONE_HILL, start=ground.name(a), end=ground.name(b)))
    assert any("beside the hill" in step for step in answer.steps)


def test_a_hill_that_is_drawn_fills_what_is_drawn():
    whole = ((-115, 0), (-58, -100), (58, -100), (115, 0), (58, 100), (-58, 100))
    drawn = HexMap(
        key="m",
        title="M",
        levels=ONE_HILL.levels,
        footprints=(Footprint(hex="B2", polygon=whole),),
        **FIELD,
    )
    beside = [pair for pair, sight in lines_past(ground_of(ONE_HILL), "B2").items() if sight == 1]
    ground = ground_of(drawn)
    hill = ground.grid.find("B2")
    inside = [(a, b) for a, b in beside if hill not in along(ground, a, b)]
    assert inside
    assert all(look(ground, a, b) & 3 == BLOCKED for a, b in inside)


# --- blind hexes -------------------------------------------------------------------------------


@pytest.mark.border("ost", "12")
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
def test_from_a_hill_low_terrain_hides_one_hex_behind_it(sees_along, terrain, seen):
    assert sees_along(terrain, "1000") == seen


def test_an_answer_names_the_blind_hex(ask):
    far = ask(LineOfSight(map=hexes("..w..", "10000"), start="A1", end="A5"))
    near = ask(LineOfSight(map=hexes("..b.", "1000"), start="A4", end="A1"))
    assert "woods in A3: seen over; A4 behind it is blind" in far.steps
    assert "brush in A3: seen over, but A4 directly behind it is dim" in near.steps


def test_an_answer_says_what_hides_nothing(ask):
    slope = ask(LineOfSight(map=hexes("....", "3210"), start="A1", end="A4"))
    low = ask(LineOfSight(map=hexes(".w.", "101"), start="A1", end="A3"))
    assert "hill, level 2 in A2: on the slope, hides nothing" in slope.steps
    assert "woods in A2: lower than both, does not count" in low.steps


@pytest.mark.rule("ost", "12.4.8")
@pytest.mark.parametrize("sign", ["f", "t", "x", "s", "."])
def test_what_is_flat_hides_nothing_from_above(sees_along, sign):
    assert sees_along(f"..{sign}.", "1000") == CLEAR


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.5.5")
def test_over_a_hill_only_a_higher_unit_sees_and_not_directly_behind_it(sees_along):
    assert sees_along("....", "1010") == BLOCKED
    assert sees_along(".....", "10100") == BLOCKED
    assert sees_along("....", "2010") == BLOCKED
    assert sees_along(".....", "20100") == CLEAR


@pytest.mark.rule("ost", "12.5.13")
def test_terrain_at_the_foot_of_a_hill_makes_no_false_plateau(sees_along):
    assert sees_along(".w...", "10000") == CLEAR
    assert sees_along(".w.", "100") == BLOCKED


@pytest.mark.rule("ost", "12.5.14")
def test_from_hill_to_hill_the_ground_between_does_not_count(sees_along):
    assert sees_along(".wbw.", "10001") == CLEAR
    assert sees_along(".wbw.", "20001") == CLEAR
    assert sees_along(".W.", "111") == BLOCKED, "woods on the hill are not ground level"


# --- crests, plateaus, slopes ------------------------------------------------------------------


@pytest.mark.rule("ost", "12.5.6", "12.5.7", "12.5.8")
def test_only_from_the_crest_is_the_low_ground_seen_and_seen_from(sees_along):
    assert sees_along("...", "100") == CLEAR
    assert sees_along("....", "1100") == BLOCKED
    assert sees_along("....", "0011") == BLOCKED


@pytest.mark.rule("ost", "12.5.7")
def test_on_a_plateau_the_same_and_higher_levels_are_seen(sees_along):
    assert sees_along("....", "1111") == CLEAR
    assert sees_along("....", "1112") == CLEAR
    assert sees_along("...", "110") == BLOCKED


def test_along_the_brink_of_a_plateau_the_higher_hex_decides():
    """C3 to E3 runs along the side between D3, on the hill, and D4, below it."""
    levels = ("00000", "00000", "00110", "00000", "00000")
    ground = Ground(
        HexMap(key="b", title="B", grid=(".....",) * 5, levels=levels, legend={".": "open"})
    )
    c3, e3 = ground.grid.find("C3"), ground.grid.find("E3")
    assert (ground.level[c3], ground.level[e3]) == (1, 0)
    assert look(ground, c3, e3) & 3 == BLOCKED


@pytest.mark.example("ost", "12.5.e2")
@pytest.mark.rule("ost", "12.5.6", "12.5.7")
def test_a_sniper_on_a_crest_sees_down_in_front_but_not_across_the_hill_behind(table, ask):
    """12.5, the example."""
    rows, levels = ("..",) * 6, ("00", "00", "10", "10", "10", "00")
    battle = (
        table(rows, levels=levels)
        .put("sniper", "us-sniper", "A3")
        .put("us", "us-rifle", "B1")
        .put("front", "ger-rifle", "A1")
        .put("behind", "ger-rifle", "A6")
        .put("hill", "ger-rifle", "A5")
        .start()
    )
    answer = ask(LineOfSight(map=battle.state.scenario.ground, start="A3", end="A6"))
    assert any("plateau" in step for step in answer.steps)
    ask(LineOfSight(map=battle.state.scenario.ground, start="A3", end="A1"))
    assert battle.refused(battle.shot("sniper", "behind")).rule == "12.2.1"
    shot = find(battle.dice(1, 1).fire("sniper", "front"), Shot)
    assert "12.4.11" in shot.cites()
    battle.idle()
    assert "12.4.11" not in find(battle.dice(1, 1).fire("sniper", "hill"), Shot).cites()


@pytest.mark.example("ost", "12.5.d1")
@pytest.mark.rule("ost", "12.5.11")
def test_down_a_slope_there_is_no_blind_hex(sees_along):
    assert sees_along("...", "210") == CLEAR
    assert sees_along("....", "3210") == CLEAR
    assert sees_along("....", "2110") == BLOCKED


@pytest.mark.rule("ost", "12.5.12")
def test_what_grows_on_a_slope_throws_its_blind_hex(sees_along):
    assert sees_along(".W.", "210") == BLOCKED
    assert sees_along(".R.", "210") == 1
    assert sees_along(".W..", "2100") == CLEAR


# --- hexsides ----------------------------------------------------------------------------------


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.4.9")
@pytest.mark.parametrize("kind", ["hedge", "stone wall"])
def test_between_levels_hedges_and_walls_do_not_dim(sees_along, kind):
    along = (Hexsides(kind=kind, sides=("A2/S",)),)
    assert sees_along("....", "0000", hexsides=along) == 1
    assert sees_along("....", "1000", hexsides=along) == CLEAR
    assert sees_along("....", "1111", hexsides=along) == 1, "all on one level"


@pytest.mark.rule("ost", "12.4.9")
def test_a_wall_still_shelters_who_is_beside_it(table, ask):
    both = (Hexsides(kind="stone wall", sides=("A4/N",)), Hexsides(kind="hedge", sides=("A2/S",)))
    ground = {"levels": ("10", "00", "00", "00"), "hexsides": both}
    battle = table(("..",) * 4, **ground)
    battle = battle.put("us", "us-rifle", "A1").put("german", "ger-rifle", "A4").start()
    assert find(battle.dice(1, 1).fire("us", "german"), Shot).defense == 4 + 2
    ask(LineOfSight(map=battle.state.scenario.ground, start="A1", end="A4"))


def test_bocage_is_seen_over_from_above_but_not_on_the_brink(sees_along):
    low, brink = ((Hexsides(kind="bocage", sides=(side,)),) for side in ("A2/S", "A3/S"))
    assert sees_along("....", "0000", hexsides=low) == BLOCKED
    assert sees_along("....", "1000", hexsides=low) == CLEAR
    assert sees_along("......", "110000", hexsides=brink) == BLOCKED
    assert sees_along("......", "211000", hexsides=brink) == CLEAR


# --- the example of 12.5 -----------------------------------------------------------------------


@pytest.mark.example("ost", "12.5.e1")
def test_the_example_of_a_machine_gun_on_a_hill(table):
    """Blind behind woods, all of it over a hedge, blind behind a house, one less past brush."""
    rows = [list("........") for _ in range(9)]
    for name, sign in (("E3", "w"), ("G4", "l"), ("C4", "b")):
        rows[int(name[1]) - 1]["ABCDEFGH".index(name[0])] = sign
    levels = ["0" * 8] * 9
    levels[4] = "00001000"
    battle = (
        table(
            ["".join(row) for row in rows],
            levels=tuple(levels),
            hexsides=(Hexsides(kind="hedge", sides=("E6/S",)),),
        )
        .put("hmg", "us-hmg", "E5")
        .put("1", "ger-rifle", "E2")
        .put("2", "ger-rifle", "E8")
        .put("3", "ger-rifle", "H4")
        .put("4", "ger-rifle", "B4")
        .start()
    )
    assert battle.refused(battle.shot("hmg", "1")).rule == "12.2.1"
    assert battle.refused(battle.shot("hmg", "3")).rule == "12.2.1"
    full = find(battle.dice(1, 1).fire("hmg", "2"), Shot)
    battle.idle()
    less = find(battle.dice(1, 1).fire("hmg", "4"), Shot)
    assert (full.firepower, less.firepower) == (6, 5)
    assert full.total == less.total == 3


@pytest.mark.example("ost", "12.6.d1")
def test_cross_sections_of_a_hill_of_three_levels(sees_along):
    """12.6, the diagram: from the crest of the third level down slopes (S), across plateaus (P)
    and over what stands at the foot. Clear, degraded, blocked."""
    assert [sees_along("...."[:n], "3210"[:n]) for n in (2, 3, 4)] == [CLEAR] * 3
    assert sees_along(".....", "33210") == BLOCKED, "P: back from the crest"
    assert sees_along("...", "333") == CLEAR, "P: along the plateau"
    assert sees_along(".....", "32210") == CLEAR, "past the slope of the second level"
    assert sees_along("....", "3221") == BLOCKED, "the hex behind the second level's plateau"
    assert sees_along("....w.", "321000") == BLOCKED
    assert sees_along("....w..", "3210000") == CLEAR
    assert sees_along("....b.", "321000") == 1
    assert sees_along("....l.", "321000") == BLOCKED

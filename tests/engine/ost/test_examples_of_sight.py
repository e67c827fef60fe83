"""The worked examples and diagrams of sight, drawn as the text has them, and borders: OST 12."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.sight import BLOCKED
from tests.engine.table import GERMAN, LEGEND, find

CLEAR = 0


def field(*named, rows=8, columns=8):
    """Open ground with a sign in some hexes: ("C4", "b")."""
    made = [["."] * columns for _ in range(rows)]
    for name, sign in named:
        made[int(name[1:]) - 1]["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(name[0])] = sign
    return tuple("".join(row) for row in made)


# --- 12.1 to 12.3 --------------------------------------------------------------------------------


@pytest.mark.example("ost", "12.1.e1")
@pytest.mark.rule("ost", "14.5.4")
def test_a_rifle_in_brush_fires_into_woods_as_if_nothing_dimmed_the_line(table):
    board = table(field(("C3", "b"), ("C6", "w"))).put("us", "us-rifle", "C3")
    play = board.put("german", "ger-rifle", "C6").start()
    shot = find(play.dice(1, 1).fire("us", "german"), e.Shot)
    assert (shot.firepower, shot.defense) == (4, 4 + 2)


@pytest.mark.example("ost", "12.3.d1")
@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.3.3", "12.3.1")
def test_white_yellow_and_red_lines(table, ask):
    """Clear past everything, one less through brush, none through a structure."""
    rows = field(("C3", "b"), ("E4", "h"))
    board = table(rows).put("us", "us-rifle", "C5").put("white", "ger-rifle", "A5")
    play = board.put("yellow", "ger-rifle", "C1").put("red", "ger-rifle", "G3").start()
    white = find(play.dice(1, 1).fire("us", "white"), e.Shot)
    play.idle()
    yellow = find(play.dice(1, 1).fire("us", "yellow"), e.Shot)
    assert (white.firepower, yellow.firepower) == (4, 3)
    play.idle()
    assert play.refused(play.shot("us", "red")).rule == "12.2.1"
    ground = play.state.scenario.ground
    lines = [ask(LineOfSight(map=ground, start="C5", end=end)).value for end in ("A5", "C1", "G3")]
    assert lines == [CLEAR, 1, BLOCKED]


@pytest.mark.border("ost", "12")
@pytest.mark.parametrize(
    ("signs", "power"),
    [("...", 4), ("b..", 3), ("bo.", 2), ("b.d", 2), ("bod", None), ("w..", None)],
)
def test_a_line_is_dimmed_twice_at_most(table, signs, power):
    rows = field(*((f"C{row}", sign) for row, sign in zip((3, 4, 5), signs, strict=True)))
    play = table(rows).put("us", "us-rifle", "C2").put("german", "ger-rifle", "C6").start()
    if power is None:
        assert play.refused(play.shot("us", "german")).rule == "12.2.1"
    else:
        assert find(play.dice(1, 1).fire("us", "german"), e.Shot).firepower == power


# --- 12.4: height and what is thrown -------------------------------------------------------------


def below(table, here="1", there="0", at="C3", weapon="ger-grenade-bundle"):
    """A squad with something to throw in C4, a tank near it, on levels of their own."""
    levels = ["00000000"] * 8
    levels[3] = f"00{here}00000"
    levels[int(at[1]) - 1] = f"00{there}00000"
    board = table(levels=tuple(levels)).put("tank", "us-m4", at, facing=3)
    return board.put("g", "ger-rifle", "C4", weapon=weapon)


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "10.0.8")
@pytest.mark.parametrize(
    ("here", "there", "change"),
    [
        pytest.param("1", "0", 1, marks=pytest.mark.rule("ost", "12.4.11")),
        ("0", "0", 0),
        pytest.param("0", "1", -1, marks=pytest.mark.rule("ost", "12.4.12")),
    ],
)
def test_a_bundle_is_thrown_into_the_next_hex_from_any_height(table, here, there, change):
    play = below(table, here, there).to_move(GERMAN).start()
    shot = find(play.dice(2, 2).do(play.shot("g", "tank", weapon="g's weapon")), v.VehicleShot)
    assert (shot.how, shot.firepower, shot.total) == ("thrown", 2, 4 + change)


@pytest.mark.rule("ost", "10.0.8")
def test_no_height_makes_a_throw_at_a_tank_longer(table):
    play = below(table, at="C2").to_move(GERMAN).start()
    assert play.refused(play.shot("g", "tank", weapon="g's weapon")).rule == "10.0.8"


@pytest.mark.border("ost", "12")
@pytest.mark.parametrize("weapon", ["ger-grenade-bundle", "ger-flamethrower"])
@pytest.mark.parametrize(("at", "power"), [("C3", True), ("C2", False)])
def test_no_height_makes_a_throw_at_men_longer(table, weapon, at, power):
    """Two hexes downhill the squad fires without it, and so does the doctrine."""
    levels = ("00000000",) * 3 + ("00100000",) + ("00000000",) * 4
    board = table(levels=levels).put("men", "us-rifle", at)
    board.put("g", "ger-pioneer", "C4", weapon=weapon)
    play = board.to_move(GERMAN).start()
    shot = play.shot("g", "men", weapon="g's weapon")
    rules = play.battle.ruleset
    view = rules.view(play.state, GERMAN)
    assert (Shots(view).shot(play["g"], play["men"])[2] != -1) is power
    if power:
        assert find(play.dice(1, 1, 6, 6).do(shot), e.Shot).firepower > 5 + 1
    else:
        assert play.refused(shot).rule == "27.4.2"
        assert find(play.dice(1, 1).fire("g", "men"), e.Shot).firepower == 5


@pytest.mark.parametrize(("weapon", "asked"), [("ger-grenade-bundle", True), ("ger-lmg", False)])
def test_who_looks_down_on_a_tank_in_the_next_hex_may_throw_as_it_comes(table, weapon, asked):
    play = below(table, at="C2", weapon=weapon).start()
    play.drive("tank", ("C3", 3))
    assert (play.wants == "opportunity fire") is asked
    if asked:
        play.dice(1, 1).fire("g", "tank", weapon="g's weapon")


# --- 12.7: the hexes beside a building -----------------------------------------------------------


def stalingrad(*marked):
    """Part of a city, columns A to P: the building of the diagram with its triangles."""
    levels = [["0"] * 16 for _ in range(24)]
    for name in marked:
        levels[int(name[1:]) - 1][ord(name[0]) - 65] = "2"
    houses = ((name, "h") for name in marked)
    return HexMap(
        key="city",
        title="City",
        grid=field(*houses, rows=24, columns=16),
        levels=tuple("".join(row) for row in levels),
        legend=LEGEND,
        heavy_urban=True,
        buildings=(", ".join(marked),),
    )


@pytest.mark.example("ost", "12.7.d1")
@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.7.2")
def test_hexes_without_triangles_are_open_whatever_is_painted_in_them(ask):
    """N20 and O20 lie in the hollow of the building: N21 sees N19 and O19 past them. Were they
    marked as well it would not, for inside of a building one sees the next hex only."""
    hollow = ("M19", "M20", "M21", "N21", "O21", "N19", "O19")
    for yard in (stalingrad(*hollow), stalingrad("M19", "N19", "O19")):
        for end in ("N19", "O19"):
            assert ask(LineOfSight(map=yard, start="N21", end=end)).value == CLEAR
    around = stalingrad(*hollow)
    for start, end in (("M19", "M21"), ("N19", "M21")):
        assert ask(LineOfSight(map=around, start=start, end=end)).value == BLOCKED
    filled = stalingrad(*hollow, "N20", "O20")
    for end in ("N19", "O19"):
        answer = ask(LineOfSight(map=filled, start="N21", end=end))
        assert answer.value == BLOCKED
        assert "16.3.6" in answer.rules
    for end in ("N20", "O21", "M21"):
        assert ask(LineOfSight(map=filled, start="N21", end=end)).value != BLOCKED


# --- 12.4.6: guns and machine guns of vehicles ---------------------------------------------------


@pytest.mark.border("ost", "12")
@pytest.mark.parametrize(("arm", "reach", "rule"), [("main", 30, "29.0.2"), ("mg", 8, "29.1.3")])
@pytest.mark.parametrize(
    ("levels", "longer"), [(("0", "0"), 0), (("1", "0"), 1), (("0", "1"), 0), (("1", "1"), 0)]
)
def test_the_armament_of_a_tank_reaches_a_hex_farther_downhill(
    table, arm, reach, rule, levels, longer
):
    for distance in (reach + longer, reach + longer + 1):
        rows = ["0"] * (distance + 1)
        rows[0], rows[-1] = levels
        board = table(("..",) * len(rows), levels=tuple(f"{level}0" for level in rows))
        play = board.put("t", "us-m4", "A1", facing=3)
        play = play.put("g", "ger-rifle", f"A{len(rows)}").start()
        aims = {"target": "g"} if arm == "main" else {"mg": "g"}
        if distance == reach + longer:
            shot = find(play.dice(1, 1).shoot("t", **aims), e.Shot)
            assert shot.distance == distance
        else:
            assert play.refused(play.salvo("t", **aims)).rule == rule

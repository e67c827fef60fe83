"""Fire at a hex instead of a unit, over heights and from ambush: mortars and heavy guns at houses.
OST 10.3, 12.4.6, 12.4.11, 12.4.12, 16.7.3, 21.0.7."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.heavy_events import BuildingFiredAt
from rulesengine.rulesets.ost.strike_questions import MortarRound
from rulesengine.rulesets.ost.vehicles import MAIN_RANGE
from tests.engine.table import GERMAN, find

REACH = 18
"""Of the mortar of the tests; it fires at nobody nearer than two hexes."""


def column(levels):
    """A file of hexes in column A, with its levels."""
    return {"rows": ("..",) * len(levels), "levels": tuple(f"{level}0" for level in levels)}


def mortar(table, levels, at, target):
    board = table(**column(levels)).put("a", "us-rifle", at, weapon="us-mortar-60")
    return board.put("x", "ger-rifle", target).start()


def bomb(play, h):
    return a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex(h))


# --- mortars -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "farthest"),
    [
        ("0", "0", REACH),
        pytest.param("1", "0", REACH + 1, marks=pytest.mark.rule("ost", "10.3.1")),
        ("0", "1", REACH),
    ],
)
@pytest.mark.border("ost", "10")
def test_a_mortar_fires_a_hex_farther_downhill(table, first, last, farthest):
    for distance in (farthest, farthest + 1):
        levels = first + "0" * (distance - 1) + last
        play = mortar(table, levels, "A1", f"A{distance + 1}")
        if distance == farthest:
            rolled = find(play.dice(4, 1, 1).do(bomb(play, f"A{distance + 1}")), s.AccuracyRolled)
            assert rolled.accurate
        else:
            assert play.refused(bomb(play, f"A{distance + 1}")).rule == "10.3.1"


def test_downhill_a_mortar_fires_no_nearer(table):
    play = mortar(table, "100", "A1", "A2")
    assert play.refused(bomb(play, "A2")).rule == "10.3.1"


@pytest.mark.parametrize(
    ("levels", "change"),
    [
        ("000000", 0),
        pytest.param("100000", 1, marks=pytest.mark.rule("ost", "12.4.11")),
        pytest.param("000001", -1, marks=pytest.mark.rule("ost", "12.4.12")),
        ("100001", 0),
    ],
)
@pytest.mark.border("ost", "12")
def test_height_changes_a_mortars_attack_and_not_its_aim(table, levels, change):
    play = mortar(table, levels, "A1", "A6")
    news = play.dice(4, 2, 2).do(bomb(play, "A6"))
    assert find(news, s.AccuracyRolled).total == 4
    struck = find(news, f.Blasted)
    assert struck.total == 4 + change
    play.cited.take(struck)


@pytest.mark.parametrize(("where", "change"), [("higher", 1), ("level", 0), ("lower", -1)])
def test_a_question_about_a_mortar_knows_height(ask, where, change):
    answer = ask(MortarRound(mortar="us-mortar-60", unit="ger-rifle", from_ground=where))
    assert sum(m.amount for m in answer.modifiers if m.rule.startswith("12.4")) == change


# --- houses --------------------------------------------------------------------------------------


def gun(table, levels, rows, at="A1", **more):
    """A heavy gun that faces down a file of hexes."""
    field = {"rows": rows, "levels": tuple(f"{level}0" for level in levels)}
    board = table(**field).put("gun", "ger-flak36", at, facing=3, **more)
    return board.put("us", "us-rifle", "B1").to_move(GERMAN).start()


def demolish(play, h):
    return a.Demolish(unit=play["gun"], hex=play.hex(h))


@pytest.mark.parametrize(
    ("levels", "change"),
    [
        ("0000", 0),
        pytest.param("1000", 1, marks=pytest.mark.rule("ost", "12.4.11", "16.7.3")),
        pytest.param("0001", -1, marks=pytest.mark.rule("ost", "12.4.12")),
        ("1001", 0),
    ],
    ids=["level", "from a hill", "a house of two storeys", "both raised"],
)
@pytest.mark.border("ost", "16")
def test_height_changes_the_roll_to_hit_a_house(table, levels, change):
    play = gun(table, levels, ("..", "..", "..", "h."))
    fired = find(play.dice(1, 2).do(demolish(play, "A4")), BuildingFiredAt)
    assert fired.total == 3 + change


@pytest.mark.rule("ost", "16.7.3")
def test_downhill_a_house_is_hit_a_hex_farther_off(table):
    play = gun(table, "0", ("..",))
    reach = MAIN_RANGE[play.state.kind[play["gun"]]]
    rows = ("..",) * (reach + 1) + ("h.",)
    far = f"A{reach + 2}"
    flat = gun(table, "0" * (reach + 2), rows)
    assert flat.refused(demolish(flat, far)).rule == "27.4.2"
    play = gun(table, "1" + "0" * (reach + 1), rows)
    fired = find(play.dice(1, 2).do(demolish(play, far)), BuildingFiredAt)
    assert fired.distance == reach + 1


@pytest.mark.parametrize(
    ("hidden", "change"),
    [(False, 0), pytest.param(True, 1, marks=pytest.mark.rule("ost", "21.0.7", "16.7.3"))],
)
@pytest.mark.border("ost", "16")
def test_a_hidden_gun_hits_a_house_from_ambush_once(table, hidden, change):
    play = gun(table, "0000", ("..", "..", "..", "h."), hidden=hidden)
    fired = find(play.dice(1, 2).do(demolish(play, "A4")), BuildingFiredAt)
    assert fired.total == 3 + change
    play.idle()
    again = find(play.dice(1, 2).do(demolish(play, "A4")), BuildingFiredAt)
    assert again.total == 3, "it is hidden no more"


# --- melees --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "smoke", [True, pytest.param(False, marks=pytest.mark.rule("ost", "27.4.3"))]
)
def test_a_mortar_lays_smoke_on_a_melee_and_no_bombs(table, smoke):
    board = table(**column("00000000")).put("a", "us-rifle", "A1", weapon="us-mortar-60")
    play = board.put("b", "us-rifle", "A6").put("x", "ger-rifle", "A7").start()
    play.do(play.assault("b", "A7"))
    play.idle()
    action = replace(bomb(play, "A7"), smoke=smoke)
    if smoke:
        assert find(play.dice(4).do(action), f.SmokeLaid).hexes == (play.hex("A7"),)
    else:
        assert play.refused(action).rule == "27.4.3"

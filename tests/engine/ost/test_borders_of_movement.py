"""Both sides of the borders of chapters 23 to 25: movement, riding, assault. Borders tested with
their rules carry their mark there."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.movement import allowance
from rulesengine.rulesets.ost.state import IMMOBILE, MAIN_OUT, MGS_OUT
from tests.engine.ost.borders import may
from tests.engine.ost.duels import LONG, duel_at
from tests.engine.table import GERMAN, ControlHex, find, kinds

OST = ruleset("ost")
N, NE, SE, S, SW, NW = range(6)
FAR = "H8"
LOW = Roll(0, 6, (1, 1))


# --- 23: movement --------------------------------------------------------------------------------


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize(("steps", "goes"), [(4, True), (5, False)])
def test_a_path_takes_all_of_the_points_and_no_more(table, steps, goes):
    play = table().put("a", "us-rifle", "A1").put("g", "ger-rifle", FAR).start()
    path = tuple(f"A{row}" for row in range(2, 2 + steps))
    assert may(play, play.way("a", *path)) == goes


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize(
    ("kind", "sign", "face", "bogs"),
    [
        ("us-m4", "s", 1, True),
        ("us-m4", "s", 2, False),
        ("us-truck", "s", 2, True),
        ("us-truck", "s", 3, False),
    ],
)
def test_tracks_bog_on_one_and_wheels_on_two(table, kind, sign, face, bogs):
    rows = list(LONG)
    rows[6] = f"...{sign}...."
    board = table(tuple(rows)).put("a", kind, "D8", facing=N).put("b", "ger-sergeant", "H1")
    play = board.start()
    news = play.dice(face).drive("a", ("D7", N))
    assert find(news, v.BogRolled).roll.total == face
    assert play.state.bogged[play["a"]] == bogs


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize(
    ("kind", "morale", "steps", "goes"),
    [
        ("us-sniper", "good order", 2, True),
        ("us-sniper", "good order", 3, False),
        ("us-sniper", "shaken", 1, True),
        ("us-sniper", "shaken", 2, False),
    ],
)
def test_stealth_takes_half_of_the_points_and_half_of_a_half(table, kind, morale, steps, goes):
    play = table().put("a", kind, "A1", morale=morale).put("g", "ger-rifle", FAR).start()
    points = allowance(play.state, play["a"])
    path = tuple(f"A{row}" for row in range(2, 2 + steps))
    assert may(play, play.way("a", *path, stealth=True)) == goes
    assert (steps <= points // 2) == goes


# --- 24: riding ----------------------------------------------------------------------------------


@pytest.mark.border("ost", "24")
@pytest.mark.parametrize(
    ("kind", "start", "goes"),
    [
        ("us-rifle", "C9", True),
        ("us-rifle", "C10", False),
        ("us-engineer", "C8", True),
        ("us-engineer", "C9", False),
    ],
)
def test_one_point_is_left_for_getting_on(table, kind, start, goes):
    """Four and three points, to a vehicle in C6."""
    board = table(LONG).put("v", "us-truck", "C6").put("a", kind, start)
    play = board.put("z", "ger-sergeant", "H1").start()
    path = tuple(f"C{row}" for row in range(int(start[1:]) - 1, 5, -1))
    assert may(play, play.boarding("a", "v", *path)) == goes


@pytest.mark.border("ost", "24")
@pytest.mark.parametrize(("steps", "goes"), [(2, True), (3, False)])
def test_getting_off_leaves_what_the_terrain_and_a_point_do_not_take(table, steps, goes):
    board = table(LONG).put("v", "us-truck", "C6").put("a", "us-rifle", "C6", on="v")
    play = board.put("z", "ger-sergeant", "H1").start()
    path = tuple(f"C{row}" for row in range(7, 7 + steps))
    assert may(play, play.alighting("a", *path)) == goes


@pytest.mark.border("ost", "24")
@pytest.mark.parametrize(
    ("dice", "column"),
    [((1, 1), ""), ((3, 3, 1, 1, 1, 1), "-5"), ((3, 3, 6, 5, 1, 1, 1), "-3")],
)
def test_a_miss_a_hit_and_a_wreck_are_worth_nothing_five_and_three_to_the_riders(
    table, dice, column
):
    """6 is needed to hit."""
    board = duel_at(table, "ger-pz4h", "us-m4").put("a rider", "us-rifle", "D3", on="b")
    play = board.put("friend", "us-rifle", "A12").to_move(GERMAN).start()
    news = play.dice(*dice).shoot("a", "b")
    suffered = [COLUMNS[x.column] for x in news if isinstance(x, f.Blasted)]
    assert suffered == ([column] if column else [])
    assert ("Wrecked" in kinds(news)) == (column == "-3")
    assert [x.lost for x in news if isinstance(x, t.CollateralDue)] == (
        [column == "-3"] if column else []
    )


# --- 25: assault ---------------------------------------------------------------------------------


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(("at", "goes"), [("C4", True), ("C5", False)])
def test_an_assault_reaches_the_next_hex_only(table, at, goes):
    play = table().put("a", "us-rifle", "C3").put("b", "ger-rifle", at).start()
    assert may(play, play.assault("a", at)) == goes


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(
    ("morale", "goes"), [("good order", True), ("shaken", False), ("broken", False)]
)
def test_only_good_order_assaults(table, morale, goes):
    board = table().put("a", "us-rifle", "C3", morale=morale).put("b", "ger-rifle", "C4")
    play = board.start()
    assert may(play, play.assault("a", "C4")) == goes


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(
    ("leader", "second_at", "points", "goes"),
    [
        ("led", "C3", 2, True),
        ("led", "D4", 2, True),
        ("led", "B5", 2, False),
        ("", "D4", 2, False),
        ("led", "D4", 1, False),
    ],
)
def test_what_two_need_to_assault_together(table, leader, second_at, points, goes):
    """A leader, two points, one hex or two neighbours; each next to the enemy."""
    board = table().put("a", "us-rifle", "C3", leader=leader).put("c", "us-rifle", second_at)
    play = board.put("b", "ger-rifle", "C4").points(points, 1).start()
    assert may(play, play.assault("a", "C4", partner="c")) == goes


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(
    ("place", "held", "goes"), [("C4", "", True), ("C4", "us-rifle", False), ("D4", "", False)]
)
def test_an_empty_hex_is_assaulted_only_if_it_is_a_control_hex(table, place, held, goes):
    control = (ControlHex(hex=place, name="Mill", owner="german"),)
    board = table().put("a", "us-rifle", "C3").put("z", "ger-rifle", FAR)
    if held:
        board.put("friend", held, "C4")
    play = board.scenario(control=control).start()
    assert may(play, play.assault("a", "C4")) == goes


# --- 23.2: rolling cover -------------------------------------------------------------------------


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize(
    ("squad", "tank", "goes"),
    [
        ({}, {}, True),
        ({"morale": "shaken"}, {}, True),
        ({}, {"morale": "shaken"}, True),
        ({"morale": "shaken"}, {"morale": "shaken"}, False),
        ({"morale": "broken"}, {}, False),
        ({}, {"morale": "broken"}, False),
        ({}, {"condition": "immobilised"}, False),
    ],
)
def test_who_can_go_together_in_rolling_cover(table, squad, tank, goes):
    board = table(LONG).put("v", "us-m4", "D8", **tank).put("a", "us-rifle", "D8", **squad)
    play = board.put("z", "ger-sergeant", "H1").start()
    order = a.RollingCover(unit=play["a"], vehicle=play["v"], path=(play.hex("D7"),), facings=(N,))
    assert may(play, order) == goes


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize("moved", ["a", "v", ""])
def test_who_has_moved_rolls_with_nobody(table, moved):
    board = table(LONG).put("v", "us-m4", "D8", facing=N).put("a", "us-rifle", "D8")
    play = board.put("z", "ger-sergeant", "H1").start()
    if moved == "v":
        play.drive("v", ("D8", NE))
        play.idle()
    elif moved == "a":
        play.load("a", "v")
        play.idle()
    order = a.RollingCover(unit=play["a"], vehicle=play["v"], path=(play.hex("D7"),), facings=(N,))
    assert may(play, order) == (not moved)


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(
    ("kind", "out", "facing", "goes"),
    [
        ("us-m4", 0, S, True),
        ("us-m4", 0, SE, True),
        ("us-m4", 0, NE, False),
        ("us-m4", MAIN_OUT, S, True),
        ("us-m4", MGS_OUT, S, True),
        ("us-m4", MAIN_OUT | MGS_OUT, S, False),
        ("us-m4", IMMOBILE, S, False),
        ("us-truck", 0, S, False),
        ("us-m3-halftrack", 0, S, True),
        ("us-m3-halftrack", MGS_OUT, S, False),
    ],
)
def test_which_vehicles_assault_and_through_their_front(table, kind, out, facing, goes):
    board = table().put("v", kind, "C3", facing=facing).put("b", "ger-rifle", "C4")
    play = board.start()
    roll = find(play.log, e.ImpulsesRolled).roll
    play.given(v.DamageRolled(unit=play["v"], roll=roll, adds=out))
    assert may(play, play.assault("v", "C4")) == goes


@pytest.mark.border("ost", "25")
@pytest.mark.parametrize(("riders", "goes"), [(False, True), (True, False)])
def test_a_loaded_vehicle_assaults_nobody(table, riders, goes):
    board = table().put("v", "us-m4", "C3", facing=S)
    board.put("a", "us-rifle", "C3", on="v" if riders else "")
    play = board.put("b", "ger-rifle", "C4").start()
    assert may(play, play.assault("v", "C4")) == goes

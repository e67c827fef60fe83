"""Both sides of the borders of chapters 17 to 22: nerve, rally, quality, stacking, hiding, limited
actions. Borders tested with their rules carry their mark there."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.movement import allowance
from tests.engine.ost.borders import hold, may
from tests.engine.ost.duels import LONG
from tests.engine.ost.melees import NEXT_TURN, strikes
from tests.engine.ost.test_artillery import call, guns
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")
N, NE, SE, S, SW, NW = range(6)
FAR = "H8"
LOW = Roll(0, 6, (1, 1))


# --- 17: nerve -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "17")
@pytest.mark.parametrize(
    ("kind", "points", "power"),
    [("us-rifle", 2, 2), ("us-engineer", 1, 2), ("us-straggler", 2, 1), ("us-mmg", 1, 2)],
)
def test_half_of_a_shaken_unit_is_rounded_down(table, kind, points, power):
    """Of 4, 3, 4 and 3 movement points, of firepower 4, 5, 3 and 5."""
    play = table().put("a", kind, "C3", morale="shaken").put("b", "ger-rifle", "C6").start()
    assert allowance(play.state, play["a"]) == points
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).firepower == power


@pytest.mark.border("ost", "17")
@pytest.mark.parametrize(
    ("before", "result", "after"),
    [
        ("good order", (3, 4), "shaken"),
        ("good order", (4, 4), "broken"),
        ("shaken", (3, 4), "broken"),
        ("shaken", (4, 4), "broken"),
        ("broken", (3, 4), "broken"),
        ("broken", (4, 4), "broken"),
    ],
)
def test_how_far_nerve_falls(table, before, result, after):
    """S and B of column 0, failed: shaken twice is broken, and broken is the end of it."""
    board = table().put("a", "us-rifle", "C3").put("b", "ger-rifle", "C5", morale=before)
    play = board.start()
    gut = () if before == "broken" else (1, 1)
    play.dice(*result, *gut).fire("a", "b")
    assert (play.morale("b"), play.steps("b")) == (after, 2)


@pytest.mark.border("ost", "17")
@pytest.mark.parametrize(
    ("nerves", "change"),
    [(("good order",) * 2, 0), (("shaken", "good order"), -1), (("shaken",) * 2, -1)],
)
def test_two_shaken_units_in_a_melee_are_one_less_not_two(table, nerves, change):
    first, second = nerves
    board = table().put("us", "us-rifle", "C3").put("g", "ger-rifle", "C4", morale=first)
    board.put("h", "ger-rifle", "C4", morale=second).put("away", "ger-rifle", FAR)
    play = board.points(1, 1).start()
    play.do(play.assault("us", "C4"))
    play.out()
    blows = strikes(play.dice(*(1, 1) * 6, 1, 1, *NEXT_TURN).do(a.Concentrate()))
    assert {x.total - x.roll.total for x in blows if x.side == GERMAN} == {change}
    assert {x.total - x.roll.total for x in blows if x.side == US} == {0}


# --- 18: merging ---------------------------------------------------------------------------------


@pytest.mark.border("ost", "18")
@pytest.mark.parametrize(
    ("at", "kind", "reduced", "merges"),
    [
        ("C3", "us-rifle", True, True),
        ("C4", "us-rifle", True, True),
        ("C5", "us-rifle", True, False),
        ("C4", "us-engineer", True, False),
        ("C4", "us-rifle", False, False),
    ],
)
def test_who_merges_into_a_led_squad(table, at, kind, reduced, merges):
    board = table().put("one", "us-rifle", "C3", reduced=True, leader="boss")
    board.put("two", kind, at, reduced=reduced).put("g", "ger-rifle", FAR).points(1, 1)
    play = board.start()
    play.out(6, 6, 1, 1, 1, 1)
    assert play.wants == "reform"
    assert may(play, a.Merge(kept=play["one"], gone=play["two"])) == merges


# --- 19: quality ---------------------------------------------------------------------------------


@pytest.mark.border("ost", "19")
@pytest.mark.parametrize(
    ("quality", "dice", "hits"),
    [
        ("elite", (2, 2), False),
        ("elite", (2, 3), True),
        ("", (2, 3), False),
        ("", (3, 3), True),
        ("poor", (3, 3), False),
        ("poor", (3, 4), True),
    ],
)
def test_quality_moves_the_number_to_hit_by_one(table, quality, dice, hits):
    """6 is needed at four hexes."""
    board = table(LONG).put("a", "us-m4", "D7", facing=N, quality=quality)
    play = board.put("b", "ger-pz4h", "D3", facing=S).start()
    news = play.dice(*dice, 1, 1).shoot("a", "b")
    assert find(news, v.HitRolled).needed == 6
    assert ("VehicleShot" in kinds(news)) == hits


@pytest.mark.border("ost", "19")
@pytest.mark.parametrize(
    ("one", "two", "change"),
    [
        ("", "", 0),
        ("elite", "", 1),
        ("elite", "elite", 1),
        ("poor", "", -1),
        ("poor", "poor", -1),
        ("elite", "poor", 0),
    ],
)
def test_quality_in_a_melee_counts_once_each_way(table, one, two, change):
    board = table().put("us", "us-rifle", "C3").put("g", "ger-rifle", "C4", quality=one)
    board.put("h", "ger-rifle", "C4", quality=two).put("away", "ger-rifle", FAR)
    play = board.points(1, 1).start()
    play.do(play.assault("us", "C4"))
    play.out()
    blows = strikes(play.dice(*(1, 1) * 4, 6, 6, *NEXT_TURN).do(a.Concentrate()))
    assert {x.total - x.roll.total for x in blows if x.side == GERMAN} == {change}


# --- 20: stacking --------------------------------------------------------------------------------


@pytest.mark.border("ost", "20")
@pytest.mark.parametrize(
    ("there", "leader", "fits"),
    [
        (("us-rifle",), "", True),
        (("us-rifle", "us-rifle"), "", False),
        (("us-rifle", "us-sergeant"), "led", True),
        (("us-sergeant", "us-sergeant"), "", True),
        (("us-sergeant", "us-sergeant"), "led", False),
        (("us-rifle", "us-sniper"), "led", True),
    ],
)
def test_who_fits_into_a_hex(table, there, leader, fits):
    """Two units, two leaders, snipers besides; into it and through it."""
    board = table()
    for number, kind in enumerate(there):
        board.put(f"there {number}", kind, "C4")
    board.put("a", "us-rifle", "C3", leader=leader).put("g", "ger-rifle", FAR)
    play = board.start()
    assert may(play, play.way("a", "C4")) == fits
    assert may(play, play.way("a", "C4", "C5")) == fits


@pytest.mark.border("ost", "20")
@pytest.mark.parametrize(("others", "fits"), [(0, True), (1, True), (2, False)])
def test_a_loaded_vehicle_takes_the_room_of_one_unit(table, others, fits):
    board = table().put("v", "us-m4", "C3", facing=S).put("a", "us-rifle", "C3", on="v")
    for number in range(others):
        board.put(f"there {number}", "us-rifle", "C4")
    play = board.put("g", "ger-rifle", FAR).start()
    assert may(play, play.course("v", ("C4", S))) == fits


@pytest.mark.border("ost", "20")
@pytest.mark.parametrize(("others", "fits"), [(0, True), (1, False)])
def test_who_gets_off_needs_room_beside_the_vehicle(table, others, fits):
    board = table().put("v", "us-m4", "C3").put("a", "us-rifle", "C3", on="v")
    for number in range(others):
        board.put(f"there {number}", "us-rifle", "C3")
    play = board.put("g", "ger-rifle", FAR).start()
    assert may(play, play.alighting("a")) == fits


# --- 21: hiding ----------------------------------------------------------------------------------


@pytest.mark.border("ost", "21")
@pytest.mark.parametrize(("at", "found"), [("C4", True), ("C3", True), ("C2", False)])
def test_shells_find_who_hides_in_their_seven_hexes(table, at, found):
    play = guns(table, at="H11").put("b", "ger-rifle", at, hidden=True).start()
    play.dice(4, *((1, 1) if found else ())).do(call(play, "C4"))
    assert play.state.hidden[play["b"]] != found


@pytest.mark.border("ost", "21")
@pytest.mark.parametrize(("path", "met"), [(("C4",), False), (("C4", "C5"), True)])
def test_only_who_enters_the_hex_meets_who_hides_there(table, path, met):
    play = table().put("a", "us-rifle", "C3").put("b", "ger-rifle", "C5", hidden=True)
    play = play.put("z", "ger-rifle", FAR).start()
    news = play.move("a", *path)
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert ("Revealed" in kinds(news)) == met
    assert play.at("a") == "C4"


# --- 22: limited actions -------------------------------------------------------------------------


ACTIONS = {
    "move": lambda play: play.way("a", "C4") if play.at("a") == "C3" else play.way("a", "C3"),
    "fire": lambda play: play.shot("a", "b"),
    "assault": lambda play: play.assault("a", "D4"),
}


def after(table, *done):
    """A squad that has done so much this turn, with an enemy in sight and one next to it."""
    board = table().put("a", "us-rifle", "C3").put("b", "ger-rifle", "C8", morale="broken")
    play = board.put("c", "ger-sergeant", "D4", morale="broken").start()
    for what in done:
        play.dice(1, 1) if what == "fire" else None
        play.do(ACTIONS[what](play))
        hold(play)
        play.idle()
    return play


@pytest.mark.border("ost", "22")
@pytest.mark.parametrize(
    ("done", "left"),
    [
        ((), {"move", "fire", "assault"}),
        (("fire",), {"move", "fire", "assault"}),
        (("move",), {"fire", "assault"}),
        (("move", "fire"), {"fire"}),
        (("fire", "move"), {"fire"}),
        (("fire", "fire"), {"fire"}),
    ],
)
def test_two_actions_a_turn_one_of_them_a_move(table, done, left):
    """What still may be fired after two is intensive fire."""
    play = after(table, *done)
    able = {what for what, order in ACTIONS.items() if may(play, order(play))}
    assert able == left
    if len(done) == 2:
        news = play.dice(1, 1).fire("a", "b")
        assert find(news, e.FireDeclared).intensive
        assert not may(play, ACTIONS["fire"](play))


@pytest.mark.border("ost", "22")
@pytest.mark.parametrize(
    ("done", "change"),
    [((), 0), (("fire",), 0), (("move",), -1), (("fire", "move"), -2), (("fire", "fire"), -1)],
)
def test_what_was_done_before_changes_the_roll(table, done, change):
    """Moving fire, and one more for intensive fire."""
    shot = find(after(table, *done).dice(3, 3).fire("a", "b"), e.Shot)
    assert shot.total == 6 + change


@pytest.mark.border("ost", "22")
@pytest.mark.border("ost", "27")
@pytest.mark.parametrize("shots", [1, 2, 3])
def test_a_used_unit_rallies_and_seeks_cover_but_not_after_intensive_fire(table, shots):
    play = after(table, *("fire",) * shots)
    if shots < 3:
        play.given(e.GutChecked(unit=play["a"], result=1, roll=LOW, needed=7, now=1))
    for order in (a.SeekCover(unit=play["a"]), a.Rally(unit=play["a"])):
        if shots < 3:
            assert may(play, order)
        else:
            assert play.refused(order).rule == "27.7.3"

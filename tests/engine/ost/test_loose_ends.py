"""Rules that stand alone: actions, groups, fire and melee at their borders (OST 9 to 30)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import melee_events as m
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.blast import collapse
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.questions import LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import HexMap
from tests.engine.table import GERMAN, US, find, kinds

LONG = ("........",) * 12
ROW = ("......",) * 6


# --- actions ---------------------------------------------------------------------------------


@pytest.mark.rule("ost", "22.0.4")
def test_a_used_engineer_lays_no_smoke(table):
    play = table(ROW).put("a", "us-engineer", "C6").put("b", "ger-rifle", "C3").start()
    for _ in range(2):
        play.dice(1, 1).fire("a", "b")
        play.idle()
    assert play.refused(a.LaySmoke(unit=play["a"], hex=play.hex("C5"))).rule == "22.0.4"


@pytest.mark.rule("ost", "22.0.7", "27.5.3")
def test_who_fires_first_and_moves_then_has_not_fired_on_the_move(table):
    play = table(ROW).put("a", "us-rifle", "C6").put("b", "ger-rifle", "C3").start()
    shot = find(play.dice(1, 1).fire("a", "b"), e.Shot)
    assert shot.total == 2
    play.idle()
    news = play.move("a", "D6")
    assert find(news, e.MoveDeclared).after_fire


@pytest.mark.rule("ost", "23.1.7")
def test_vehicles_do_not_move_as_a_group(table):
    board = table(ROW).put("a", "us-m4", "C6", leader="boss").put("b", "us-m4", "C6")
    play = board.put("x", "ger-sergeant", "F1").start()
    assert play.refused(play.way("a", "C5", partner="b")).rule in ("23.1.7", "7.4.3")


@pytest.mark.rule("ost", "23.1.5")
def test_a_moving_group_is_fired_at_once_a_hex(table):
    board = table(LONG).put("a", "us-rifle", "D8", leader="led").put("b", "us-rifle", "D8")
    play = board.put("x", "ger-rifle", "D3").put("y", "ger-rifle", "E3").start()
    play.move("a", "D7", "D6", partner="b")
    news = play.dice(1, 1).fire("x", "a")
    assert find(news, e.FireDeclared).at_group
    assert play.at("a") == play.at("b") == "D6"


# --- fire ------------------------------------------------------------------------------------


@pytest.mark.example("ost", "27.3.e1")
@pytest.mark.rule("ost", "27.1.p1", "27.3.p2")
def test_the_example_of_the_british_and_the_woods(table):
    rows = ("......", "..w...", "......", "......", "......", "......")
    play = table(rows).put("a", "us-rifle", "C5").put("b", "ger-rifle", "C2").start()
    shot = find(play.dice(4, 3, 6, 6).fire("a", "b"), e.Shot)
    assert (shot.firepower, shot.defense, COLUMNS[shot.column]) == (4, 6, "-2")
    assert shot.result == 1


@pytest.mark.rule("ost", "27.4.7")
def test_a_leader_alone_is_fired_at_like_anybody(table):
    play = table(ROW).put("a", "us-rifle", "C5").put("b", "ger-lieutenant", "C2").start()
    assert find(play.dice(1, 1).fire("a", "b"), e.FireDeclared).at_leader
    board = table(ROW).put("a", "us-rifle", "C5").put("b", "ger-lieutenant", "C2")
    play = board.put("c", "ger-rifle", "C2").start()
    assert play.refused(play.shot("a", "b")).rule == "27.4.6"


@pytest.mark.rule("ost", "27.6.10")
def test_artillery_is_no_opportunity_fire(table):
    board = table(LONG).put("a", "us-rifle", "D8").battery(GERMAN).air(GERMAN)
    play = board.put("x", "ger-rifle", "D3").start()
    play.move("a", "D7")
    assert play.wants == "opportunity fire"
    shells = a.CallArtillery(spotter=play["x"], battery=0, hex=play.hex("D7"))
    planes = a.AirStrike(spotter=play["x"], hex=play.hex("D7"), other=play.hex("D8"))
    assert play.refused(shells).rule == play.refused(planes).rule == "27.6.10"


@pytest.mark.rule("ost", "27.8.5")
def test_a_machine_gun_in_a_group_does_not_sustain(table):
    board = table(ROW).put("a", "us-rifle", "C5", leader="led").put("b", "us-mmg", "C5")
    play = board.put("x", "ger-rifle", "C2").put("y", "ger-rifle", "C2").start()
    shot = play.shot("b", "x", partner="a", second="y")
    assert play.refused(shot).rule == "8.1.4"
    play.dice(1, 1).fire("a", "x", partner="b")


@pytest.mark.rule("ost", "28.2.5")
def test_a_leader_rolls_once_under_shells(table):
    board = table(LONG).put("a", "us-rifle", "D10").battery(US)
    board.put("x", "ger-rifle", "D4", leader="with").put("y", "ger-rifle", "D4")
    play = board.start()
    call = a.CallArtillery(spotter=play["a"], battery=0, hex=play.hex("D4"))
    news = play.dice(4, 6, 6, 6, 6, 6, *([6] * 6)).do(call)
    assert kinds(news).count("LeaderRolled") == 1


@pytest.mark.rule("ost", "29.2.4")
def test_acquired_targets_are_lost_at_the_turns_end(table):
    play = table(LONG).put("a", "us-m4", "D7").put("b", "ger-pz4h", "D3", facing=3).start()
    play.dice(1, 1).shoot("a", "b")
    assert play.state.acquired
    play.out(6, 6, 1, 1, 1, 1)
    assert not play.state.acquired


@pytest.mark.rule("ost", "33.4.13")
def test_strike_markers_come_off_at_the_turns_end(table):
    play = table(LONG).put("a", "us-rifle", "D10").battery(US).put("x", "ger-sergeant", "H1")
    play = play.start()
    play.dice(4).do(a.CallArtillery(spotter=play["a"], battery=0, hex=play.hex("D4")))
    assert play.state.strikes
    play.out(6, 6, 1, 1, 1, 1)
    assert not play.state.strikes


@pytest.mark.rule("ost", "29.3.p14")
def test_the_example_of_the_hellcat_has_the_flat_sum(table):
    board = table(LONG).put("m18", "us-m18", "D10").put("hetzer", "ger-hetzer", "D2", facing=3)
    shot = find(board.start().dice(3, 4, 1, 1).shoot("m18", "hetzer"), v.VehicleShot)
    assert (shot.firepower, shot.defense, COLUMNS[shot.column]) == (9, 8, "+1")


# --- melee -----------------------------------------------------------------------------------


def brawl(table, kind="us-m4"):
    board = table(ROW).put("a", "us-rifle", "C4").put("b", "ger-rifle", "C3")
    play = board.put("t", kind, "C6").start()
    play.do(play.assault("a", "C3"))
    play.idle()
    return play


@pytest.mark.rule("ost", "30.1.2")
def test_nobody_fires_into_a_melee(table):
    play = brawl(table)
    assert play.refused(play.salvo("t", "b")).rule == "30.1.2"


@pytest.mark.rule("ost", "30.1.5")
def test_a_melee_does_not_touch_lines_past_it(ask):
    ground = HexMap(key="m", title="M", grid=("...",) * 5, legend={".": "open"})
    assert ask(LineOfSight(map=ground, start="B1", end="B5")).value == 0


@pytest.mark.rule("ost", "30.2.2", "30.5.6")
def test_the_example_of_the_concentrated_attack(table):
    board = table(ROW).put("a", "us-rifle", "C4").put("t", "us-m4", "C4")
    play = board.put("b", "ger-rifle", "C3", leader="led").to_move(GERMAN).start()
    play.do(play.assault("b", "C4"))
    play.out()
    assert play.wants == "concentrate the attack or not"
    news = play.dice(*([1] * 12)).do(a.Concentrate(target=play["a"]))
    joined = find(news, m.MeleeJoined)
    assert joined.firepower[GERMAN] - joined.defense[US] == 3


@pytest.mark.rule("ost", "30.3.10")
def test_a_lorry_adds_defense_and_no_firepower(table):
    board = table(ROW).put("a", "us-rifle", "C3").put("t", "us-truck", "C3")
    play = board.put("b", "ger-rifle", "C4").to_move(GERMAN).start()
    play.do(play.assault("b", "C3"))
    play.dice(*([1] * 20))
    news = play.out()
    if play.wants == "concentrate the attack or not":
        news = play.do(a.Concentrate())
    joined = find(news, m.MeleeJoined)
    assert joined.lorries
    assert joined.firepower[US] == 4 + 2
    assert joined.defense[US] > 4


# --- buildings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "needed", "power"),
    [
        pytest.param("l", 5, 1, marks=pytest.mark.rule("ost", "16.1.8", "16.7.4", "16.7.5")),
        pytest.param("h", 6, 2, marks=pytest.mark.rule("ost", "16.2.8", "16.7.8", "16.7.9")),
        pytest.param("u", 6, 2, marks=pytest.mark.rule("ost", "16.5.8", "16.5.7", "16.7.7")),
    ],
)
def test_what_brings_a_building_down_and_what_it_does(table, sign, needed, power):
    rows = ("......", "......", f"..{sign}...", "......", "......", "......")
    play = table(rows).put("a", "us-rifle", "C3").put("x", "ger-sergeant", "F1").start()
    helped = int(sign == "u")
    news = play.dice(needed - 1 - helped).happens(lambda battle: collapse(battle, play.hex("C3")))
    assert not find(news, f.CollapseRolled).falls
    roll = (needed - helped, 1, 1)
    news = play.dice(*roll).happens(lambda battle: collapse(battle, play.hex("C3")))
    assert find(news, f.Blasted).firepower == power


@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(
    ("storeys", "power"),
    [("0", 2), pytest.param("1", 3, marks=pytest.mark.rule("ost", "16.7.9"))],
)
def test_a_tall_building_strikes_harder(table, storeys, power):
    rows = ("......", "......", "..h...", "......", "......", "......")
    levels = ("000000", "000000", f"00{storeys}000", "000000", "000000", "000000")
    board = table(rows, levels=levels).put("a", "us-rifle", "C3").put("x", "ger-sergeant", "F1")
    play = board.start()
    news = play.dice(6, 1, 1).happens(lambda battle: collapse(battle, play.hex("C3")))
    assert find(news, f.Blasted).firepower == power


@pytest.mark.rule("ost", "16.7.10", "16.7.11")
def test_weapons_are_buried_and_a_crew_is_left(table):
    rows = ("......", "......", "..l...", "......", "......", "......")
    board = table(rows).put("a", "us-mmg", "C3").put("b", "us-rifle", "C3", weapon="us-bar")
    play = board.put("x", "ger-sergeant", "F1").start()
    before = play.state.loss_points[US]
    collapsing = play.dice(5, 1, 1, 1, 1)
    news = collapsing.happens(lambda battle: collapse(battle, play.hex("C3")))
    assert find(news, f.CrewLeft).unit == play["a"]
    assert find(news, f.WeaponBuried).weapon == play["b's weapon"]
    assert play.state.loss_points[US] == before + 1


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param("l", marks=pytest.mark.rule("ost", "16.1.2", "16.1.3")),
        pytest.param("h", marks=pytest.mark.rule("ost", "16.2.2", "16.2.3")),
    ],
)
def test_men_and_crews_go_into_houses(ask, table, sign):
    legend = {".": "open", "l": "light structure", "h": "heavy structure"}
    ground = HexMap(key="m", title="M", grid=("..", f"{sign}."), legend=legend)
    assert ask(MovementCost(map=ground, path=("A1", "A2"))).value == 2
    rows = ("......", "......", f"..{sign}...", "......", "......", "......")
    play = table(rows).put("a", "us-mmg", "C4").put("x", "ger-sergeant", "F1").start()
    play.move("a", "C3")
    assert play.at("a") == "C3"


@pytest.mark.rule("ost", "23.0.7")
def test_markers_change_what_a_hex_costs(ask):
    ground = HexMap(key="m", title="M", grid=("..", ".."), legend={".": "open"})
    plain = ask(MovementCost(map=ground, path=("A1", "A2"))).value
    marked = ask(MovementCost(map=ground, path=("A1", "A2"), roadblocks=("A2",))).value
    assert (plain, marked) == (1, 2)


@pytest.mark.rule("ost", "16.5.4")
def test_a_tank_enters_a_ruin_by_road_only(table):
    rows = ("......", "......", "..u...", "......", "......", "......")
    board = table(rows).put("a", "us-m4", "C4").put("x", "ger-sergeant", "F1")
    play = board.start()
    assert play.refused(play.course("a", ("C3", 0))).rule == "16.5.4"

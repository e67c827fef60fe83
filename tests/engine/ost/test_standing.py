"""What goes for works as long as they stand, and what closes ground to vehicles (OST 13 to 15)."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.questions import LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from tests.engine.table import GERMAN, US, Hexsides, Road, find, kinds

ROW = ("......", "......", "......", "......", "......", "......")


def board(table, kind, at="C4", *, side=GERMAN, facing="", rows=ROW):
    return table(rows).work(side, kind, at, facing)


# --- bunkers and pillboxes -------------------------------------------------------------------


@pytest.mark.rule("ost", "13.4.p1", "13.4.1")
def test_a_bunker_holds_what_a_hex_holds(table):
    field = board(table, "bunker", side=US).put("a", "us-rifle", "C4").put("b", "us-rifle", "C4")
    play = field.put("c", "us-rifle", "C5").put("x", "ger-sergeant", "F1").start()
    assert play.refused(play.way("c", "C4")).rule == "20.0.4"


@pytest.mark.rule("ost", "13.5.p1", "13.5.1")
def test_a_pillbox_holds_what_a_hex_holds(table):
    field = board(table, "pillbox", side=US, facing="N").put("a", "us-rifle", "C4")
    play = field.put("b", "us-rifle", "C4").put("c", "us-rifle", "C5")
    play = play.put("x", "ger-sergeant", "F1").start()
    assert play.refused(play.way("c", "C4")).rule == "20.0.4"


@pytest.mark.rule("ost", "13.4.2")
def test_a_vehicle_in_the_hex_is_not_in_the_bunker(table):
    field = board(table, "bunker").put("a", "us-m4", "C6").put("b", "ger-pz4h", "C4", facing=3)
    shot = find(field.start().dice(6, 5, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert shot.defense == 7


@pytest.mark.parametrize(
    ("kind", "facing", "extra"),
    [
        pytest.param("bunker", "", 3, marks=pytest.mark.rule("ost", "13.4.6")),
        pytest.param("pillbox", "N", 3, marks=pytest.mark.rule("ost", "13.5.6")),
        pytest.param("trench", "", 2, marks=pytest.mark.rule("ost", "13.2.4", "13.2.p1")),
        pytest.param("foxholes", "", 1, marks=pytest.mark.rule("ost", "13.2.4", "13.2.p1")),
    ],
)
def test_either_side_uses_works(table, kind, facing, extra):
    field = board(table, kind, facing=facing).put("a", "us-rifle", "C4").to_move(GERMAN)
    play = field.put("b", "ger-rifle", "C1", facing=3).start()
    assert find(play.dice(1, 1).fire("b", "a"), e.Shot).defense == 4 + extra


@pytest.mark.rule("ost", "13.2.3")
def test_digging_is_nothing_to_a_vehicle(table):
    field = board(table, "trench").put("a", "us-m4", "C6").put("b", "ger-pz4h", "C4", facing=3)
    assert find(field.start().dice(6, 5, 1, 1).shoot("a", "b"), v.VehicleShot).defense == 7


@pytest.mark.rule("ost", "13.4.8")
@pytest.mark.parametrize("target", ["C1", "C6", "A4", "E4"])
def test_out_of_a_bunker_one_fires_every_way(table, target):
    field = board(table, "bunker", side=US).put("a", "us-rifle", "C4")
    play = field.put("b", "ger-rifle", target).start()
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).target == play["b"]


@pytest.mark.rule("ost", "13.4.12")
def test_a_gun_turned_in_a_bunker_has_moved(table):
    field = board(table, "bunker", side=US).put("a", "us-mmg", "C4")
    field = table(ROW).work(GERMAN, "bunker", "C4").put("a", "ger-pak36", "C4", facing=0)
    play = field.put("b", "us-sergeant", "F6").to_move(GERMAN).start()
    play.do(a.Pivot(unit=play["a"], facing=3))
    assert play.state.moved[play["a"]]


@pytest.mark.parametrize(
    ("kind", "facing"),
    [
        pytest.param("bunker", "", marks=pytest.mark.rule("ost", "13.4.13")),
        pytest.param("pillbox", "N", marks=pytest.mark.rule("ost", "13.5.13")),
    ],
)
def test_melee_breaks_out_in_works_all_the_same(table, kind, facing):
    field = board(table, kind, facing=facing).put("a", "us-rifle", "C5")
    play = field.put("b", "ger-rifle", "C4").start()
    news = play.do(play.assault("a", "C4"))
    assert "MeleeMarked" in kinds(news)


@pytest.mark.rule("ost", "13.5.11", "13.5.8")
def test_a_pillbox_never_turns(table):
    field = board(table, "pillbox", facing="N").put("a", "ger-pak36", "C4", facing=0)
    play = field.put("b", "us-sergeant", "F6").to_move(GERMAN).start()
    play.do(a.Pivot(unit=play["a"], facing=3))
    assert play.state.pillboxes == {play.hex("C4"): 0}


@pytest.mark.rule("ost", "13.5.12")
def test_nothing_destroys_a_pillbox(table):
    field = board(table, "pillbox", facing="N").put("a", "us-rifle", "C6").battery(US)
    play = field.put("b", "ger-sergeant", "F1").start()
    news = play.dice(6).do(a.CallArtillery(spotter=play["a"], battery=0, hex=play.hex("C4")))
    assert "CollapseRolled" not in kinds(news)
    assert play.hex("C4") in play.state.works


# --- obstacles -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "13.6.p1")
def test_wire_is_there_from_the_start_for_all_to_see(table):
    play = board(table, "wire").put("a", "us-rifle", "C6").put("b", "ger-rifle", "C1").start()
    laid = find(play.log, f.WorksLaid)
    assert (laid.side, laid.hexes) == (GERMAN, (play.hex("C4"),))


@pytest.mark.rule("ost", "13.7.p1", "13.7.8")
def test_a_roadblock_bars_vehicles_off_the_road_too(table):
    field = board(table, "roadblock", "C5").put("a", "us-m4", "C6").put("b", "ger-rifle", "C1")
    play = field.start()
    assert play.refused(play.course("a", ("C5", 0))).rule == "13.7.1"


def test_a_roadblock_bars_vehicles_on_the_road(table):
    road = (Road(hexes="C6 C5 C4"),)
    field = table(ROW, roads=road).work(GERMAN, "roadblock", "C5")
    play = field.put("a", "us-m4", "C6").put("b", "ger-rifle", "C1").start()
    assert play.refused(play.course("a", ("C5", 0))).rule == "13.7.1"


@pytest.mark.rule("ost", "13.3.p1", "13.3.5")
def test_mines_are_hidden_and_their_owner_passes(table):
    field = board(table, "mines", "C5", side=US).put("a", "us-rifle", "C6")
    play = field.put("b", "ger-sergeant", "F1").start()
    rules = play.battle.ruleset
    laid = find(play.log, f.WorksLaid)
    assert rules.narrate(play.state, laid, GERMAN) is None
    assert rules.narrate(play.state, laid, -1) is None
    assert rules.narrate(play.state, laid, US) is not None
    assert not {"Blasted", "MinesFound"} & set(kinds(play.move("a", "C5", "C4")))


# --- rubble, wrecks, smoke -------------------------------------------------------------------


@pytest.mark.rule("ost", "13.1.5", "13.8.6", "13.8.p1")
def test_cover_is_sought_in_old_rubble_and_never_in_fresh(table):
    rows = (*ROW[:5], "..r...")
    play = table(rows).put("a", "us-rifle", "C6").put("b", "ger-sergeant", "F1").start()
    play.dice(6).do(a.SeekCover(unit=play["a"]))
    assert play.state.shelter[play.hex("C6")] == (1, 1)
    town = (*ROW[:5], "..l...")
    play = table(town).put("a", "us-rifle", "C6").put("b", "ger-sergeant", "F1").start()
    from rulesengine.rulesets.ost.blast import collapse

    play.dice(5, 1, 1).happens(lambda battle: collapse(battle, play.hex("C6")))
    assert play.refused(a.SeekCover(unit=play["a"])).rule == "13.8.6"


@pytest.mark.rule("ost", "13.8.3", "13.8.4")
def test_rubble_costs_two_and_dims(ask):
    ground = HexMap(
        key="m", title="M", grid=("..", "r.", ".."), legend={".": "open", "r": "rubble"}
    )
    assert ask(MovementCost(map=ground, path=("A1", "A2"))).value == 2
    assert ask(LineOfSight(map=ground, start="A1", end="A3")).value == 1


def wrecked(table):
    field = table(ROW).put("a", "us-rifle", "C6").put("c", "us-rifle", "C6")
    play = field.put("b", "ger-pz4h", "C5", facing=3).put("d", "ger-sergeant", "F1").start()
    play.happens(lambda battle: battle.emit(v.Wrecked(unit=play["b"], points=2, why="destroyed")))
    return play


@pytest.mark.rule("ost", "13.10.2", "13.10.3", "13.10.6")
def test_a_wreck_does_not_smoke_costs_nothing_and_fills_no_hex(table):
    play = wrecked(table)
    assert not play.state.smoke
    assert play.state.ground.cost(play.hex("C6"), play.hex("C5")) == 1
    play.move("a", "C5")
    play.idle()
    play.move("c", "C5")
    assert play.at("a") == play.at("c") == "C5"


@pytest.mark.rule("ost", "13.9.p1", "13.9.1")
def test_smoke_is_laid_in_play(table):
    play = table(ROW).put("a", "us-engineer", "C6").put("b", "ger-sergeant", "F1").start()
    assert not play.state.smoke
    play.do(a.LaySmoke(unit=play["a"], hex=play.hex("C5")))
    assert play.state.smoke


# --- what is closed to vehicles --------------------------------------------------------------


def drive(ask, key, grid, *, path=("A1", "A2"), **more):
    legend = {".": "open", "w": "woods", "b": "brush", "l": "light structure", "u": "ruins"}
    ground = HexMap(key="m", title="M", grid=grid, legend=legend, **more)
    return ask(DriveCost(map=ground, vehicle=key, facing="S", path=path, facings=("S",)))


@pytest.mark.border("ost", "14")
@pytest.mark.rule("ost", "14.0.4", "14.5.3")
def test_no_wheels_in_the_woods(ask):
    assert "may not go" in drive(ask, "us-truck", ("..", "w.")).text
    assert "may not go" not in drive(ask, "us-m4", ("..", "w.")).text


@pytest.mark.rule("ost", "15.3.8")
def test_no_vehicle_crosses_bocage(ask):
    sides = (Hexsides(kind="bocage", sides=("A1/S",)),)
    assert "may not go" in drive(ask, "us-m4", ("..", ".."), hexsides=sides).text


@pytest.mark.rule("ost", "15.0.4", "14.0.3")
def test_hexside_and_hex_take_one_bog_roll(ask):
    sides = (Hexsides(kind="hedge", sides=("A1/S",)),)
    answer = drive(ask, "us-truck", ("..", "b."), hexsides=sides)
    bogged = [c for c in answer.chances if "bogs" in c.outcome]
    assert [(c.over, c.of) for c in bogged] == [(2, 6)]


@pytest.mark.border("ost", "14")
@pytest.mark.rule("ost", "14.13.5")
@pytest.mark.parametrize(("bad", "cost"), [(False, "0.5"), (True, "1")])
def test_bad_roads_cost_a_whole_point(ask, bad, cost):
    if not bad:
        cost = "0.5"
    road = (Road(hexes="A1 A2"),)
    answer = drive(ask, "us-m4", ("..", ".."), roads=road, bad_roads=True)
    good = drive(ask, "us-m4", ("..", ".."), roads=road)
    found = answer if bad else good
    assert found.text.startswith(f"{cost} movement point")


@pytest.mark.parametrize("sign", ["l", "u"])
def test_no_vehicle_enters_a_house_or_a_ruin_but_by_a_road(ask, sign):
    assert "may not go" in drive(ask, "us-m4", ("..", f"{sign}.")).text
    road = (Road(hexes="A1 A2"),)
    assert "may not go" not in drive(ask, "us-m4", ("..", f"{sign}."), roads=road).text


def test_a_map_with_bad_roads_is_another_map():
    ground = HexMap(key="m", title="M", grid=("..", ".."), legend={".": "open"})
    assert not ground.bad_roads
    assert msgspec.structs.replace(ground, bad_roads=True) != ground

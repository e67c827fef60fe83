"""Off-board artillery and air strikes (OST 32, 33): the worked examples and each rule."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.air import firepower
from rulesengine.rulesets.ost.artillery import area, drifted
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.support_menu import sorties
from rulesengine.rulesets.ost.works import FRESH, OLD
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")

OPEN = ("............",) * 12
NEAR = {1: "N", 2: "NE", 3: "SE", 4: "S", 5: "SW", 6: "NW"}


def guns(table, *, rows=OPEN, spotter="us-rifle", at="C11", **more):
    board = table(rows).put("eyes", spotter, at, **more).battery(US)
    return board.put("far", "ger-sergeant", "L1")


def call(play, at, *, smoke=False, spotter="eyes", battery=0):
    return a.CallArtillery(spotter=play[spotter], battery=battery, hex=play.hex(at), smoke=smoke)


def struck(news):
    return [event for event in news if isinstance(event, f.Blasted)]


# --- the examples ----------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.4.2", "33.4.4", "33.0.2")
def test_the_example_of_the_french_under_shells(table):
    rows = list(OPEN)
    rows[4], rows[5] = "...w........", "..l........."
    board = guns(table, rows=tuple(rows), at="H11").put("panhard", "fra-panhard178", "D6", facing=0)
    board.put("woods", "ger-rifle", "D5").put("house", "ger-rifle", "C6")
    play = board.start()
    centre = "C5" if play.hex("C5") in around(play, "D5", "C6", "D6") else "D5"
    assert {play.hex(n) for n in ("D5", "C6", "D6")} <= set(area(play.state, play.hex(centre)))
    news = play.dice(4, *(1, 1) * 3, 1).do(call(play, centre))
    found = {event.target: event for event in struck(news)}
    woods, house = found[play["woods"]], found[play["house"]]
    half = 6 if centre == "D5" else 3
    assert (woods.firepower, woods.defense) == (half, 3)
    assert (house.firepower, house.defense, COLUMNS[house.column]) == (3, 5, "-2")
    car = found[play["panhard"]]
    assert (car.firepower, car.vehicle) == (3, True)
    assert find(news, f.CollapseRolled).needed == 5


def around(play, *names):
    """The hexes that have all of these in or next to them."""
    found = [set(area(play.state, play.hex(name))) for name in names]
    return set.intersection(*found)


@pytest.mark.rule("ost", "33.3.1", "33.3.2", "33.3.3")
def test_the_example_of_the_drift(table):
    """From Y11, direction 2, three hexes: BB10 (written on a smaller map: M11 and P10)."""
    play = guns(table, rows=("................",) * 12, at="M12").start()
    news = play.dice(1, 2, 3).do(call(play, "M11"))
    assert find(news, s.Drifted).hex == play.hex("P10")
    assert find(news, s.StrikeFell).hex == play.hex("P10")


@pytest.mark.rule("ost", "32.0.5", "32.0.8", "32.0.6")
def test_the_example_of_the_air_strike(table):
    board = table(OPEN).put("eyes", "us-rifle", "C11").air(US)
    board.put("tank", "ger-pz38t", "C4").put("squad", "ger-rifle", "C5", leader="sergeant")
    play = board.start()
    strike = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    news = play.dice(4, 1, 1, 1, 1).do(strike)
    assert find(news, s.PilotRolled).firepower == 6
    tank, squad = struck(news)
    assert (tank.target, tank.firepower, tank.vehicle) == (play["tank"], 6, True)
    assert (squad.target, squad.defense, COLUMNS[squad.column]) == (play["squad"], 4, "+2")


# --- calling ---------------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.0.1", "33.1.1", "33.1.4")
def test_a_mission_costs_a_point_and_is_spent(table):
    play = guns(table).start()
    before = play.state.impulses[US]
    play.dice(4).do(call(play, "C5"))
    assert play.state.impulses[US] == before - 1
    assert play.state.missions == [[1], []]
    play.idle()
    play.dice(4).do(call(play, "C5"))
    play.idle()
    assert play.refused(call(play, "C5")).rule == "33.0.p1"


@pytest.mark.rule("ost", "17.2.4")
def test_who_is_shaken_spots_nothing(table):
    play = guns(table, morale="shaken").start()
    assert play.refused(call(play, "C5")).rule == "17.2.4"


@pytest.mark.rule("ost", "12.2.2")
def test_the_spotter_sees_the_hex(table):
    rows = list(OPEN)
    rows[7] = "..w........."
    play = guns(table, rows=tuple(rows)).start()
    play.refused(call(play, "C5"))


@pytest.mark.border("ost", "33")
@pytest.mark.rule("ost", "33.1.2")
def test_nobody_spots_past_twenty_hexes(table):
    board = table(("....",) * 24).put("eyes", "us-rifle", "C24").battery(US)
    play = board.put("far", "ger-sergeant", "A1").start()
    assert play.refused(call(play, "C3")).rule == "33.1.2"
    play.dice(4).do(call(play, "C4"))


LED = pytest.mark.rule("ost", "33.2.3")


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(
    ("spotter", "rows", "change"),
    [
        ("us-rifle", 0, 0),
        pytest.param("us-sergeant", 0, 1, marks=LED),
        pytest.param("us-rifle", 1, -1, marks=LED),
        pytest.param("us-sergeant", 2, 0, marks=LED),
    ],
)
def test_who_spots_and_through_what_changes_accuracy(table, spotter, rows, change):
    ground = list(OPEN)
    for row in range(rows):
        ground[6 + row] = "..b........."
    play = guns(table, rows=tuple(ground), spotter=spotter).start()
    rolled = find(play.dice(5).do(call(play, "C4")), s.AccuracyRolled)
    assert rolled.total == 5 + change


@pytest.mark.border("ost", "33")
@pytest.mark.rule("ost", "33.2.1", "33.2.2", "33.2.4")
def test_the_accuracy_number_or_more_stays(table):
    play = guns(table).start()
    assert find(play.dice(4).do(call(play, "C4")), s.StrikeFell).hex == play.hex("C4")
    play.idle()
    news = play.dice(3, 4, 1).do(call(play, "C4"))
    assert find(news, s.StrikeFell).hex == play.hex("C5")


@pytest.mark.rule("ost", "33.3.4")
def test_a_strike_that_leaves_the_map_is_lost(table):
    play = guns(table).start()
    news = play.dice(1, 1, 6).do(call(play, "C4"))
    assert find(news, s.Drifted).hex == -1
    assert "StrikeFell" not in kinds(news)


@pytest.mark.parametrize(("face", "name"), NEAR.items())
def test_drift_counts_from_the_north_clockwise(table, face, name):
    play = guns(table).start()
    h = play.hex("F6")
    grid = play.state.ground.grid
    from rulesengine.geometry.hexes import DIRECTION_NAMES

    there = drifted(play.state, h, face, 1)
    assert there == grid.neighbours[h][DIRECTION_NAMES.index(name)]


# --- what it does ----------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.0.3", "33.0.4")
def test_seven_hexes_the_six_around_at_half(table):
    board = guns(table, at="H11").put("in", "ger-rifle", "C4").put("by", "ger-rifle", "C5")
    play = board.put("out", "ger-rifle", "C6").start()
    news = play.dice(4, 1, 1, 1, 1).do(call(play, "C4"))
    assert {(x.target, x.firepower) for x in struck(news)} == {(play["in"], 6), (play["by"], 3)}


@pytest.mark.rule("ost", "33.0.5", "13.9.3", "33.4.1")
def test_smoke_is_thick_in_the_middle_and_thin_around(table):
    play = guns(table).start()
    news = play.dice(4).do(call(play, "C4", smoke=True))
    assert not struck(news)
    assert play.state.smoke[play.hex("C4")] == FRESH
    assert sorted(play.state.smoke.values()) == [FRESH, *[OLD] * 6]


BURST = pytest.mark.rule("ost", "33.4.11", "33.4.12", "14.5.5")
AMONG_FRUIT = pytest.mark.rule("ost", "14.6.4")


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(
    ("sign", "defense"),
    [pytest.param("w", 3, marks=BURST), pytest.param("o", 3, marks=AMONG_FRUIT), ("b", 5)],
)
def test_shells_burst_in_trees(table, sign, defense):
    rows = list(OPEN)
    rows[3] = f"..{sign}........."
    play = guns(table, rows=tuple(rows), at="H11").put("b", "ger-rifle", "C4").start()
    news = play.dice(4, 1, 1).do(call(play, "C4"))
    assert struck(news)[0].defense == defense


def test_works_shelter_under_an_airburst_too(table):
    rows = list(OPEN)
    rows[3] = "..w........."
    board = guns(table, rows=tuple(rows), at="H11").put("b", "ger-rifle", "C4")
    play = board.work(GERMAN, "foxholes", "C4").start()
    assert struck(play.dice(4, 1, 1).do(call(play, "C4")))[0].defense == 4 - 1 + 1


@pytest.mark.rule("ost", "9.1.4")
def test_an_open_top_is_weaker_from_above(table):
    play = guns(table, at="H11").put("b", "ger-marder3h", "C4").start()
    blast = struck(play.dice(4, 1, 1).do(call(play, "C4")))[0]
    plain = guns(table, at="H11").put("b", "ger-hetzer", "C4").start()
    other = struck(plain.dice(4, 1, 1).do(call(plain, "C4")))[0]
    assert 150 in blast.modifiers
    assert 150 not in other.modifiers


@pytest.mark.rule("ost", "33.4.3")
def test_a_wall_is_no_shelter_from_shells(table):
    from tests.engine.table import Hexsides

    walls = (Hexsides(kind="stone wall", sides=("C4/S", "C4/N")),)
    board = table(OPEN, hexsides=walls).put("eyes", "us-rifle", "C11").battery(US)
    play = board.put("b", "ger-rifle", "C4").start()
    assert struck(play.dice(4, 1, 1).do(call(play, "C4")))[0].defense == 4


@pytest.mark.rule("ost", "21.0.5")
def test_shells_find_who_hides(table):
    play = guns(table).put("b", "ger-rifle", "C4", hidden=True).start()
    news = play.dice(4, 1, 1).do(call(play, "C4"))
    assert find(news, e.Revealed).why == "shelled"
    assert not play.state.hidden[play["b"]]


def test_shells_fall_on_friends_too(table):
    play = guns(table, at="C5").start()
    news = play.dice(4, 1, 1).do(call(play, "C4"))
    assert struck(news)[0].target == play["eyes"]


@pytest.mark.rule("ost", "33.4.9", "33.4.10")
def test_the_strike_lasts_all_turn(table):
    board = guns(table, at="H11").put("b", "ger-rifle", "C4").put("c", "ger-rifle", "C7")
    play = board.start()
    play.dice(4, 1, 1).do(call(play, "C4"))
    news = play.dice(1, 1).move("c", "C6", "C5")
    assert [x.firepower for x in struck(news)] == [3]


@pytest.mark.rule("ost", "33.4.9", "33.4.10")
def test_who_was_in_it_may_leave_it_but_not_through_it(table):
    board = guns(table, at="H11").put("b", "ger-rifle", "C5").put("d", "ger-rifle", "C5")
    play = board.start()
    play.dice(4, 1, 1, 1, 1).do(call(play, "C4"))
    assert not struck(play.move("b", "C6"))
    play.idle()
    assert len(struck(play.dice(1, 1).move("d", "C4"))) == 1


def test_a_strike_ends_with_the_turn(table):
    play = guns(table, at="H11").start()
    play.dice(4).do(call(play, "C4"))
    assert play.state.strikes
    play.out(6, 6, 1, 1, 1, 1)
    assert not play.state.strikes


@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(
    ("kind", "face", "gone"),
    [
        pytest.param("wire", 5, True, marks=pytest.mark.rule("ost", "13.6.8")),
        pytest.param("roadblock", 5, True, marks=pytest.mark.rule("ost", "13.7.6")),
        pytest.param("wire", 4, False, marks=pytest.mark.rule("ost", "13.6.8")),
        pytest.param("roadblock", 4, False, marks=pytest.mark.rule("ost", "13.7.6")),
    ],
)
def test_shells_may_clear_obstacles(table, kind, face, gone):
    play = guns(table, at="H11").work(GERMAN, kind, "C4").start()
    play.dice(4, face).do(call(play, "C4"))
    assert bool(play.state.works) != gone


@pytest.mark.rule("ost", "16.7.p1", "16.7.1")
def test_empty_houses_may_fall_too(table):
    rows = list(OPEN)
    rows[3] = "..l........."
    play = guns(table, rows=tuple(rows), at="H11").start()
    news = play.dice(4, 5).do(call(play, "C4"))
    assert find(news, f.CollapseRolled).falls


def test_rockets_help_a_house_down(table):
    rows = list(OPEN)
    rows[3] = "..l........."
    board = table(tuple(rows)).put("eyes", "us-rifle", "H11").battery(US, "rockets")
    play = board.put("far", "ger-sergeant", "L1").start()
    rolled = find(play.dice(5, 4).do(call(play, "C4")), f.CollapseRolled)
    assert (rolled.total, rolled.falls) == (5, True)


# --- air strikes -----------------------------------------------------------------------------


@pytest.mark.border("ost", "32")
@pytest.mark.parametrize(("face", "power"), [(1, 4), (2, 4), (3, 6), (5, 6), (6, 8)])
def test_pilots(face, power):
    assert firepower(face) == power


@pytest.mark.rule("ost", "32.0.2")
def test_an_air_strike_is_on_two_hexes_side_by_side(table):
    play = table(OPEN).put("eyes", "us-rifle", "C11").air(US).put("b", "ger-rifle", "C4").start()
    far = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C6"))
    assert play.refused(far).rule == "32.0.2"
    same = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C4"))
    assert play.refused(same).rule == "32.0.2"


def test_aircraft_are_called_as_far_as_one_sees(table):
    """The twenty hexes are those of artillery, 33.1.2."""
    board = table(("....",) * 24).put("eyes", "us-rifle", "C24").air(US).battery(US)
    play = board.put("far", "ger-sergeant", "A1").start()
    assert play.refused(call(play, "C3")).rule == "33.1.2"
    play.dice(1).do(a.AirStrike(spotter=play["eyes"], hex=play.hex("C3"), other=play.hex("C2")))


@pytest.mark.rule("ost", "27.4.3")
def test_nobody_aims_shells_or_bombs_at_a_melee(table):
    board = guns(table).air(US).put("x", "us-rifle", "C5").put("y", "ger-rifle", "C4")
    play = board.to_move(US).start()
    play.do(play.assault("x", "C4"))
    play.idle()
    assert play.refused(call(play, "C4")).rule == "27.4.3"
    for one, two in (("C4", "C3"), ("C3", "C4")):
        pair = {"hex": play.hex(one), "other": play.hex(two)}
        assert play.refused(a.AirStrike(spotter=play["eyes"], **pair)).rule == "27.4.3"
    view = OST.view(play.state, US)
    assert not any(play.hex("C4") in (x.hex, x.other) for x in sorties(view))
    play.dice(4).do(call(play, "C4", smoke=True))
    assert play.hex("C4") in play.state.smoke
    play.idle()
    news = play.dice(5, *(1, 1) * 2).do(call(play, "C3"))  # through smoke
    assert {x.target for x in struck(news)} == {play["x"], play["y"]}, "it falls on it all the same"


def test_no_bombs_out_of_play_are_offered(table):
    board = table(OPEN, in_play="A3:L12").put("eyes", "us-rifle", "C11").air(US)
    play = board.put("b", "ger-rifle", "C3").start()
    pairs = list(sorties(OST.view(play.state, US)))
    assert pairs
    assert all(OST.refuse(OST.view(play.state, US), pair) is None for pair in pairs)


@pytest.mark.rule("ost", "32.0.1", "32.0.4")
def test_an_air_strike_costs_a_point_and_is_flown_once(table):
    play = table(OPEN).put("eyes", "us-rifle", "C11").air(US).put("b", "ger-sergeant", "L1").start()
    before = play.state.impulses[US]
    strike = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    play.dice(1).do(strike)
    assert (play.state.impulses[US], play.state.sorties) == (before - 1, [0, 0])
    play.idle()
    play.refused(strike)


def test_a_leader_with_his_unit_rolls_once_and_one_alone_is_struck(table):
    board = table(OPEN).put("eyes", "us-rifle", "C11").air(US)
    board.put("a", "ger-rifle", "C4", leader="with").put("alone", "ger-lieutenant", "C5")
    play = board.start()
    strike = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    news = play.dice(6, 6, 6, 6, 1, 1).do(strike)
    assert [x.target for x in struck(news)] == [play["a"], play["alone"]]
    assert kinds(news).count("LeaderRolled") == 1

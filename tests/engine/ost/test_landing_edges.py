"""Where landings end (OST 26.3.4, 26.3.5, 26.4.12, 14.8.1): in rivers, and at the edge of the part
of the map that is played on."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.contract import Illegal
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.airborne_menu import landings
from rulesengine.rulesets.ost.airborne_questions import GliderLanding, Paradrop
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.events import Shot
from rulesengine.rulesets.ost.scenario import HexMap, Road
from rulesengine.rulesets.ost.state import View
from tests.engine.ost.test_airborne import PLAIN, QUIET, stick, terrain, where
from tests.engine.table import LEGEND, US, find

WET = {**LEGEND, "D": "deep water"}
PART = "A12:T20"
"""J12 and A20 are in play, J11 is not."""


def wet(board):
    board.map = HexMap(key="m", title="M", grid=board.map.grid, legend=WET)
    return board


def part(board, area=PART):
    board.map = HexMap(key="m", title="M", grid=board.map.grid, legend=LEGEND, in_play=area)
    return board


def jump(table, **more):
    """A squad that jumps over J14, everybody else far off in the south."""
    board = table(more.pop("rows", PLAIN)).put("a", "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T20")
    board.flies(US, ("transport", more.pop("at", "J15"), ("a",)), **more)
    return board


# --- rivers --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "26.3.5")
def test_a_deep_river_is_as_hard_as_a_stream(table):
    """14.8 is one terrain, and 26.3.5 names its streams."""
    columns = []
    for sign in "sD":
        play = wet(stick(table, rows=terrain(J13=sign), falls=(1, 1, *QUIET))).start()
        columns.append(COLUMNS[find(play.log, f.Blasted).column])
        assert where(play, "a") == "J13"
    assert columns == ["-3", "-3"]
    play.move("a", "J12")
    assert where(play, "a") == "J12", "who lives gets ashore"
    assert play.refused(play.way("home", "B20", "J13")), "and nobody gets in"


@pytest.mark.rule("ost", "26.3.12")
def test_nobody_chooses_deep_water(table):
    board = stick(table, rows=terrain(J12="D", K13="s"), falls=(1, 1, *QUIET))
    board.put("x", "us-rifle", "J13").put("y", "us-rifle", "J13")
    play = wet(board).start()
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J12"))).rule == "26.3.12"
    play.do(a.Land(unit=play["a"], to=play.hex("K13")))
    assert where(play, "a") == "K13"


@pytest.mark.rule("ost", "14.8.3")
def test_on_a_bridge_over_deep_water_as_over_a_stream(table):
    """14.8 is the chapter of both; a road changes no Defense, 14.13.3."""
    found = []
    for sign in "sD":
        board = wet(table(("....", f"..{sign}.", "....", "....", "....")))
        road = Road(hexes="C1 C2 C3")
        board.map = msgspec.structs.replace(board.map, roads=(road,))
        play = board.put("a", "us-rifle", "C5").put("b", "ger-rifle", "C2").start()
        shot = find(play.dice(1, 1).fire("a", "b"), Shot)
        found.append(shot.defense)
    assert found == [2, 2]


# --- the part of the map in play -----------------------------------------------------------------


@pytest.mark.rule("ost", "26.3.4")
def test_a_drift_ends_in_the_last_hex_that_is_played_on(table):
    board = part(jump(table))
    board.falls = (1, 6)
    play = board.start()
    assert where(play, "a") == "J12"
    assert find(play.log, x.Dropped).edge


def test_nobody_flies_out_of_the_part_in_play_with_men_aboard(table):
    with pytest.raises(Illegal) as caught:
        part(jump(table, at="J12")).start()
    assert caught.value.refusal.rule == "26.3.1"
    with pytest.raises(Illegal):
        part(jump(table, at="J11", heading="S")).start()


def test_nobody_goes_to_a_hex_out_of_play_instead(table):
    board = part(jump(table)).put("x", "us-rifle", "J12").put("y", "us-rifle", "J12")
    board.falls = (1, 6)
    play = board.start()
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J11"))).rule == "3.1.2"
    offered = {play.state.ground.name(each.to) for each in landings(View(play.state, US))}
    assert offered == {"I12", "K12", "J13"}


@pytest.mark.rule("ost", "26.4.12")
def test_a_glider_stops_at_the_edge_of_the_part_in_play(table):
    board = table(PLAIN).put("a", "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T20")
    board.flies(US, ("glider", "J15", ("a",)), heading="")
    board.falls = (4, 1, 1, *QUIET)
    play = part(board).start()
    down = find(play.log, x.GliderDown)
    assert [play.state.ground.name(h) for h in down.path] == ["J15", "J14", "J13", "J12"]
    board = table(PLAIN).put("a", "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T20")
    board.flies(US, ("glider", "J15", ("a",)), heading="")
    board.falls = (1, 1, 1, *QUIET)
    down = find(part(board).start().log, x.GliderDown)
    assert (len(down.path), down.edge) == (2, True)


def test_answers_end_at_the_edge_of_the_part_in_play(ask):
    """North of J12 nothing is played on: five of the six ways lead on."""
    ground = HexMap(key="m", title="M", grid=PLAIN, legend=LEGEND, in_play=PART)
    places = ask(Paradrop(map=ground, over="J12", steps=2, gut_check=7)).places
    assert "J11" not in places
    assert "J13" in places
    rows = terrain(J11="w", J10="w", J9="w")
    woods = HexMap(key="m", title="M", grid=rows, legend=LEGEND, in_play=PART)
    assert ask(GliderLanding(map=woods, over="J14", steps=2, gut_check=7)).text == "A crash: never"


# --- the first turn of a battle in which somebody has landed -------------------------------------


@pytest.mark.border("ost", "2")
@pytest.mark.rule("ost", "2.1.p6")
@pytest.mark.parametrize(("lands", "turn"), [(True, 0), (False, 0), (False, 3)])
def test_who_has_landed_is_reorganised_before_the_first_turn(table, lands, turn):
    """On the first turn there is nothing to reorganise that was not done at set-up, but for those
    who came down since: here a leader who may go to another squad of his hex."""
    board = table(PLAIN).put("home", "us-airborne-rifle", "J13").put("far", "ger-rifle", "T20")
    board.put("a", "us-airborne-rifle", "" if lands else "J13", leader="boss")
    if lands:
        board.flies(US, ("transport", "J15", ("a", "boss")))
        board.falls = (1, 1)
    if turn:
        board.put("late", "us-airborne-rifle").flies(US, ("transport", "J15", ("late",)), turn=turn)
    play = board.start()
    assert play.at("boss") == play.at("home") == "J13"
    assert play.wants == ("reform" if lands else "an impulse")
    if not lands:
        play.out(*QUIET)
        assert play.wants == "reform"
    play.do(a.Detach(leader=play["boss"]))
    news = play.do(a.Attach(leader=play["boss"], unit=play["home"]))
    assert play.state.leader[play["home"]] == play["boss"]
    play.cited.take(news)


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize("bridged", [False, True])
def test_a_bridge_over_deep_water_may_be_chosen(table, bridged):
    """Nobody gets into the water, along a road one does."""
    board = stick(table, rows=terrain(J12="D"), falls=(1, 1, *QUIET))
    board.put("x", "us-rifle", "J13").put("y", "us-rifle", "J13")
    board = wet(board)
    if bridged:
        road = Road(hexes="J11 J12 J13")
        board.map = msgspec.structs.replace(board.map, roads=(road,))
    play = board.start()
    order = a.Land(unit=play["a"], to=play.hex("J12"))
    if bridged:
        play.do(order)
        assert where(play, "a") == "J12"
    else:
        assert play.refused(order).rule == "26.3.12"

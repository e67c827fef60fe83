"""Who cannot stay where he fell (OST 26.3.8, 26.3.12): among enemies, and in full hexes."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.kinds import FIREPOWER
from rulesengine.rulesets.ost.landing_fire import force
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.state import NONE
from rulesengine.rulesets.ost.vehicles import MG
from tests.engine.ost.test_airborne import PLAIN, QUIET, all_of, stick, terrain, where
from tests.engine.table import GERMAN, LEGEND, US, find


@pytest.mark.rule("ost", "26.3.12")
def test_who_falls_into_a_full_hex_takes_one_next_to_it(table):
    board = stick(table, falls=(1, 1))
    board.put("x", "us-rifle", "J13").put("y", "us-rifle", "J13")
    play = board.start()
    assert (play.wants, play.owed) == ("where a unit lands", US)
    far = play.refused(a.Land(unit=play["a"], to=play.hex("J11")))
    assert far.rule == "26.3.12"
    play.do(a.Land(unit=play["a"], to=play.hex("J12")))
    assert where(play, "a") == "J12"
    assert play.wants == "an impulse"


@pytest.mark.rule("ost", "26.3.5")
def test_the_ground_of_the_chosen_hex_counts(table):
    board = stick(table, rows=terrain(J12="w"), falls=(1, 1, *QUIET))
    board.put("x", "us-rifle", "J13").put("y", "us-rifle", "J13")
    play = board.start()
    play.do(a.Land(unit=play["a"], to=play.hex("J12")))
    assert find(play.log, x.Landed).column == -3


@pytest.mark.rule("ost", "26.3.8")
def test_among_enemies_it_lands_in_the_open_next_to_them(table):
    board = stick(table, rows=terrain(J12="w"), falls=(1, 1))
    board.put("b", "ger-rifle", "J13")
    play = board.start()
    assert (play.wants, play.owed) == ("fire at a landing", GERMAN)
    play.do(a.HoldFire())
    assert (play.wants, play.owed) == ("where a unit lands", US)
    woods = play.refused(a.Land(unit=play["a"], to=play.hex("J12")))
    assert woods.rule == "26.3.8"
    play.do(a.Land(unit=play["a"], to=play.hex("J14")))
    assert where(play, "a") == "J14"
    assert not all_of(play, f.Blasted)


@pytest.mark.rule("ost", "26.3.8")
def test_without_open_ground_it_suffers_what_is_there(table):
    grid = ground_of(HexMap(key="m", title="M", grid=PLAIN, legend=LEGEND)).grid
    ring = {grid.name(n): "w" for n in grid.neighbours[grid.find("J13")]}
    board = stick(table, rows=terrain(**ring), falls=(1, 1, *QUIET))
    board.put("b", "ger-rifle", "J13")
    play = board.start()
    play.do(a.HoldFire())
    play.do(a.Land(unit=play["a"], to=play.hex("J12")))
    assert find(play.log, x.Landed).column == -3
    assert len(all_of(play, f.Blasted)) == 1


def test_with_enemies_all_round_it_goes_as_near_as_there_is(table):
    board = stick(table, falls=(1, 1))
    for number, name in enumerate(("J13", "J12", "K12", "K13", "J14", "I13", "I12")):
        board.put(f"b{number}", "ger-rifle", name)
    play = board.start()
    play.do(a.HoldFire())
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J12"))).rule == "26.3.8"
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J9"))).rule == "26.3.8"
    play.do(a.Land(unit=play["a"], to=play.hex("J11")))
    if play.wants == "fire at a landing":
        play.do(a.HoldFire())
    assert where(play, "a") == "J11"


def test_a_leader_whose_unit_falls_in_the_air_comes_down_alone(table):
    board = table(terrain(J13="w")).put("a", "us-airborne-rifle", reduced=True, leader="with")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.put("b", "ger-hmg", "J12").flies(US, ("transport", "J15", ("a", "with")))
    board.falls = (1, 1)
    play = board.start()
    play.tape.faces.extendleft(reversed((6, 6, 6, *QUIET)))
    play.do(a.FireAtLanding(firer=play["b"]))
    landed = find(play.log, x.Landed)
    assert (landed.unit, landed.column) == (play["with"], -3)
    assert find(play.log, f.Blasted).target == play["with"]
    assert where(play, "with") == "J13"


def test_the_weapon_of_who_falls_in_the_air_lies_where_he_was(table):
    board = table(PLAIN).put("a", "us-airborne-rifle", reduced=True, weapon="us-bar")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.put("b", "ger-hmg", "J12").flies(US, ("transport", "J15", ("a", "a's weapon")))
    board.falls = (1, 1)
    play = board.start()
    play.tape.faces.extendleft((6, 6))
    play.do(a.FireAtLanding(firer=play["b"]))
    assert where(play, "a's weapon") == "J13"
    assert play.state.holder[play["a's weapon"]] == NONE


def test_a_vehicle_fires_its_best_armament_and_no_more(table):
    board = stick(table, falls=(1, 1)).put("tank", "ger-pz4h", "J12", facing=3)
    play = board.start()
    kind = play.state.kind[play["tank"]]
    best = max(FIREPOWER[kind][2], MG[kind])
    assert force(play.state, play["tank"], NONE, play["a"])[1].value == (best + 1) // 2
    assert play.refused(a.FireAtLanding(firer=play["tank"], partner=play["tank"])).rule == "27.8.p1"


def test_hidden_enemies_are_found_by_who_falls_among_them(table):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J13", hidden=True)
    play = board.start()
    assert not play.state.hidden[play["b"]]
    play.do(a.HoldFire())
    play.do(a.Land(unit=play["a"], to=play.hex("J12")))
    assert where(play, "a") == "J12"


def test_hidden_enemies_in_the_hex_chosen_are_found_and_another_is_chosen(table):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12", hidden=True)
    board.put("x", "us-rifle", "J13").put("y", "us-rifle", "J13")
    play = board.start()
    play.do(a.Land(unit=play["a"], to=play.hex("J12")))
    assert where(play, "a") == "J13"
    assert not play.state.hidden[play["b"]]
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J12"))).rule == "26.3.12"
    play.do(a.Land(unit=play["a"], to=play.hex("K13")))
    play.do(a.HoldFire()) if play.wants == "fire at a landing" else None
    assert where(play, "a") == "K13"


def narrow(table, *, mine_at="", hidden=("A1", "A2", "A3", "A5")):
    """A map of six hexes in a row, most of them full of hidden enemies: a squad falls into A4."""
    board = table((".",) * 6).put("a", "us-airborne-rifle")
    for name in (*("A6",) * 2, *((mine_at,) * 2 if mine_at else ())):
        board.put(f"home {len(board.counters)}", "us-rifle", name)
    for number, name in enumerate(hidden):
        board.put(f"b{number}", "ger-rifle", name, hidden=True)
    board.flies(US, ("transport", "A6", ("a",)))
    board.falls = (1, 1)
    return board


def found_one_by_one(play, *names):
    """Every hex that looks free turns out to be held."""
    for name in names:
        if play.wants == "fire at a landing":
            play.do(a.HoldFire())
        play.do(a.Land(unit=play["a"], to=play.hex(name)))


@pytest.mark.rule("ost", "26.3.8")
def test_who_finds_enemies_wherever_he_looks_is_lost(table):
    play = narrow(table, hidden=("A1", "A2", "A3", "A4", "A5")).start()
    found_one_by_one(play, "A3", "A5", "A2", "A1")
    assert not play.state.steps[play["a"]]
    assert play.wants == "an impulse"


def test_who_finds_enemies_all_round_his_full_hex_crowds_in(table):
    play = narrow(table, mine_at="A4").start()
    found_one_by_one(play, "A3", "A5", "A2", "A1")
    assert where(play, "a") == "A4"
    assert play.wants == "an impulse"


def test_a_glider_that_spills_men_among_hidden_enemies_leaves_them_where_they_are(table):
    board = table(("......",)).put("a", "us-airborne-rifle").put("b", "us-airborne-rifle")
    for name in ("A1", "A1", "B1", "B1"):
        board.put(f"home {len(board.counters)}", "us-rifle", name)
    for number, name in enumerate(("C1", "D1", "E1", "F1")):
        board.put(f"x{number}", "ger-rifle", name, hidden=True)
    board.flies(US, ("glider", "A1", ("a", "b")))
    board.falls = (1, 1, 1, *(1, 1) * 2)
    play = board.start()
    for name in ("C1", "D1", "E1", "F1"):
        assert play.wants == "where a unit lands"
        play.do(a.Land(unit=play["a"], to=play.hex(name)))
    assert (where(play, "a"), where(play, "b")) == ("A1", "A1")
    assert play.wants == "an impulse"

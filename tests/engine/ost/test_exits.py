"""Leaving the map (OST 23.6.4, 23.6.5): where the scenario lets a side, for a movement point."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.documents import digest
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.scenario import SideTerms
from rulesengine.rulesets.ost.scoring import points_at_end
from rulesengine.rulesets.ost.state import OFF
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("..........",) * 9


def edge(table, unit="us-rifle", at="C3", *, points=2, hexes="A1:E1", **more):
    """A unit near the northern edge, over which the US may leave, and a German far off."""
    board = table(FIELD).put("a", unit, at, **more).put("b", "us-rifle", "A9")
    return board.put("z", "ger-rifle", "J9").way_out(US, hexes, points)


def leaving(play, unit, *path, facings=()):
    way = tuple(play.hex(h) for h in path)
    return a.Exit(unit=play[unit], path=way, facings=facings)


@pytest.mark.rule("ost", "23.6.4", "23.6.5")
def test_a_unit_goes_to_the_edge_and_off_the_map(table):
    play = edge(table, leader="l", weapon="us-bazooka").start()
    news = play.do(leaving(play, "a", "C2", "C1"))
    gone = find(news, t.Exited)
    assert gone.units == (play["a"], play["l"])
    assert gone.points == 2
    assert all(play.state.hex[play[c]] == OFF for c in ("a", "l", "a's weapon"))
    assert play.state.impulses[US] == 20


@pytest.mark.rule("ost", "23.6.4")
@pytest.mark.parametrize(("at", "path", "able"), [
    ("C4", ("C3", "C2", "C1"), True),
    ("C5", ("C4", "C3", "C2", "C1"), False),
])  # fmt: skip
def test_leaving_takes_one_movement_point(table, at, path, able):
    play = edge(table, at=at).start()
    if able:
        play.do(leaving(play, "a", *path))
        assert play.state.hex[play["a"]] == OFF
    else:
        assert play.refused(leaving(play, "a", *path)).rule == "23.6.4"


@pytest.mark.rule("ost", "23.6.5")
def test_nobody_leaves_where_the_scenario_says_nothing_of_it(table):
    play = edge(table, hexes="E1:F1").start()
    assert play.refused(leaving(play, "a", "C2", "C1")).rule == "23.6.5"
    assert play.refused(leaving(play, "a", "C2")).rule == "23.6.5"
    play.idle()
    assert play.refused(leaving(play, "z")).rule == "23.6.5"


def test_a_vehicle_leaves_with_its_passengers_and_both_count(table):
    board = edge(table, "us-m3-halftrack", "C4").put("p", "us-rifle", "C4", on="a", leader="pl")
    play = board.start()
    news = play.do(leaving(play, "a", "C3", "C2", "C1", facings=(0, 0, 0)))
    gone = find(news, t.Exited)
    assert set(gone.units) == {play["a"], play["p"], play["pl"]}
    assert gone.points == 4
    assert not play.state.riding
    play = edge(table, "us-truck", "C9").start()
    way = tuple(f"C{row}" for row in range(8, 0, -1))
    assert play.refused(leaving(play, "a", *way, facings=(0,) * 8)).rule == "23.0.4"


def test_a_vehicle_at_the_edge_leaves_unless_it_cannot_move(table):
    play = edge(table, "us-m4", "C1").start()
    play.do(leaving(play, "a"))
    assert play.state.exited == [play["a"]]
    play = edge(table, "us-m4", "C1", condition="immobilised").start()
    assert play.refused(leaving(play, "a")).rule == "29.3.p7"


def test_single_persons_leave_but_score_nothing(table):
    play = edge(table, "us-sergeant", "C1").start()
    assert find(play.do(leaving(play, "a")), t.Exited).points == 0


def test_a_rider_does_not_leave_by_himself(table):
    board = edge(table, "us-m4", "C1").put("p", "us-rifle", "C1", on="a")
    play = board.start()
    assert play.refused(leaving(play, "p")).rule == "24.0.5"


def test_fire_on_the_way_keeps_who_suffers_on_the_map(table):
    play = edge(table).put("y", "ger-rifle", "E1").start()
    play.do(leaving(play, "a", "C2", "C1"))
    news = play.dice(5, 5, 1, 1).fire("y", "a")
    assert find(news, e.MoveStopped).why == "fire"
    assert "Exited" not in kinds(news)
    assert play.at("a") == "C2"


def test_mines_at_the_edge_do_as_well(table):
    play = edge(table).work(GERMAN, "mines", "C1").start()
    news = play.dice(5, 5, 1, 1).do(leaving(play, "a", "C2", "C1"))
    assert find(news, e.MoveStopped).why == "mines"
    assert play.at("a") == "C1"


def test_who_has_left_is_whole_and_scores_at_the_end(table):
    play = edge(table).start()
    play.do(leaving(play, "a", "C2", "C1"))
    assert ("left the map", 2) in points_at_end(play.state, US)
    assert ("left the map", 2) not in points_at_end(play.state, GERMAN)
    fate = next(x for x in RULESET.result(play.state).elements if x.element == "a")
    assert (fate.after, fate.cause) == ("fit", "")
    assert play.state.loss_points == [0, 0]


def test_weapons_on_a_vehicle_leave_with_it(table):
    board = table(FIELD).put("a", "us-truck", "C1").put("b", "us-rifle", "C1", weapon="us-bazooka")
    play = board.put("z", "ger-rifle", "J9").way_out(US, "C1").start()
    weapon = play["b's weapon"]
    play.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    play.given(t.Fetched(weapon=weapon, vehicle=play["a"], taken=True))
    play.do(leaving(play, "a"))
    assert play.state.hex[weapon] == OFF
    fate = next(x for x in RULESET.result(play.state).elements if x.element == "b's weapon")
    assert fate.after == "fit"


def test_a_side_that_has_left_is_not_destroyed(table):
    board = table(FIELD).put("a", "us-rifle", "C1").put("z", "ger-rifle", "J9").way_out(US, "C1", 5)
    play = board.start()
    news = play.do(leaving(play, "a"))
    assert "BattleEnded" not in kinds(news)
    news = play.out(*(6, 6, 1, 1, 1, 1))
    assert "TurnEnded" in kinds(news)
    assert RULESET.outcome(play.state) is None


def test_nobody_is_told_of_what_he_cannot_see_leave(table):
    play = edge(table, hidden=True).start()
    news = play.do(leaving(play, "a", "C2", "C1"))
    assert find(news, e.Revealed).units == (play["a"],)


def test_a_scenario_names_hexes_at_the_edge(table):
    def faults(**terms):
        found = check(edge(table, **terms).document())
        return [fault.what for fault in found if "exits" in fault.where]

    assert not faults()
    assert "not at the edge" in faults(hexes="C4")[0]
    assert faults(hexes="ZZ99")
    assert "below 0" in faults(points=-1)[0]


def test_a_scenario_without_exits_reads_as_it_always_did():
    terms = {"side": "us", "gut_check": 7, "impulses": {"dice": 1}, "posture": "meeting"}
    plain = msgspec.convert({**terms, "zone": "A1", "order": 1}, SideTerms)
    assert "exits" not in msgspec.to_builtins(plain)
    assert digest(plain) == digest(msgspec.convert(msgspec.to_builtins(plain), SideTerms))


def test_the_doctrine_leaves_where_it_scores(table):
    play = edge(table, at="C2", points=3).start()
    view = RULESET.view(play.state, US)
    order = Sensible(play.state, US).choose(view, RULESET.awaiting(play.state)[0])
    assert isinstance(order, a.Exit)
    assert order.unit == play["a"]


@pytest.mark.rule("ost", "13.6.3")
def test_wire_in_the_last_hex_keeps_who_comes_into_it(table):
    board = table().work(US, "wire", "E1").way_out(US, "A1:H1", 2).put("a", "us-rifle", "E2")
    play = board.put("t", "us-m4", "E3", facing=0).put("z", "ger-rifle", "H8").start()
    edge = play.hex("E1")
    assert play.refused(a.Exit(unit=play["a"], path=(edge,))).rule == "13.6.3"
    play.do(a.Move(unit=play["a"], path=(edge,)))
    play.out(6, 6, 1, 1, 1, 1)
    play.do(a.Exit(unit=play["a"]))
    assert play.state.hex[play["a"]] == -1, "next turn it goes"
    course = a.Exit(unit=play["t"], path=(play.hex("E2"), edge), facings=(0, 0))
    while play.owed != US:
        play.idle()
    assert play.refused(course).rule == "13.6.3"


@pytest.mark.rule("ost", "14.5.2")
def test_woods_at_the_edge_stop_mobile_troops_before_they_leave(table):
    rows = ("...w....", *("........",) * 7)
    board = table(rows).way_out(GERMAN, "A1:H1", 2).put("m", "ger-motorcycle", "D2")
    play = board.put("z", "us-rifle", "H8").to_move(GERMAN).start()
    leave = a.Exit(unit=play["m"], path=(play.hex("D1"),))
    assert play.refused(leave).rule == "14.5.2"
    assert leave not in play.menu()


@pytest.mark.rule("ost", "13.6.3")
def test_nobody_gets_on_in_wire_he_has_just_come_into(table):
    board = table().work(US, "wire", "E4").put("a", "us-rifle", "E5").put("t", "us-m4", "E4")
    play = board.put("z", "ger-rifle", "H8").start()
    assert play.refused(play.boarding("a", "t", "E4")).rule == "13.6.3"

"""The worked examples of the sequence of play, with their own figures: OST 1, 4."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.fate_questions import ImpulsePoints
from rulesengine.rulesets.ost.scenario import Impulses
from tests.engine.table import GERMAN, US, Table, find

WINS = (6, 6, 1, 1)
"""Dice with which the Americans begin."""


def quiet(table, us=3, german=3, **scenario) -> Table:
    """Two squads that do not meet."""
    board = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "H8")
    return board.points(us, german).scenario(**scenario)


# --- the trackers --------------------------------------------------------------------------------


@pytest.mark.example("ost", "1.3.e1")
@pytest.mark.rule("ost", "1.3.p1")
def test_fourteen_turns_are_counted_down_from_fourteen(table):
    play = quiet(table, 1, 1, turns=14).start()
    assert find(play.log, e.TurnStarted).turn == play.state.turn == 14
    news = play.out(*WINS, 1, 1)
    assert find(news, e.TurnStarted).turn == play.state.turn == 13
    play.cited.take(news)


@pytest.mark.example("ost", "1.7.e1")
@pytest.mark.border("ost", "1")
@pytest.mark.rule("ost", "1.7.p2")
@pytest.mark.parametrize(("squads", "reduced", "points"), [(6, 0, 6), (4, 1, 7), (5, 0, 6)])
def test_twelve_points_lost_make_six_of_eight(table, squads, reduced, points):
    """Eight are rolled; twelve points lost take two of them, as ten do, and nine take one."""
    board = quiet(table, 3, 20)
    lost = [("lost" + str(n), n >= squads) for n in range(squads + reduced)]
    for n, (name, half) in enumerate(lost):
        board.put(name, "us-rifle", f"B{n + 1}", reduced=half)
    play = board.start()
    for name, half in lost:
        play.given(e.Eliminated(unit=play[name], points=1 if half else 2, why="destroyed"))
    assert play.state.loss_points[US] == 2 * squads + reduced
    news = play.out(*WINS, 6, 1)
    rolled = next(x for x in news if isinstance(x, e.ImpulsesRolled) and x.side == US)
    assert (rolled.roll.total + rolled.plus, rolled.total) == (8, points)
    play.cited.take(rolled)


@pytest.mark.example("ost", "1.6.e1")
@pytest.mark.border("ost", "1")
@pytest.mark.parametrize(
    ("kind", "points"),
    [
        pytest.param("ger-251", 1, marks=pytest.mark.rule("ost", "1.6.p9")),
        pytest.param("us-m3-halftrack", 1, marks=pytest.mark.rule("ost", "1.6.p9")),
        ("ger-truck", 1),
        pytest.param("ger-pz4h", 2, marks=pytest.mark.rule("ost", "1.6.p5")),
    ],
)
def test_an_armored_transport_is_one_point_a_tank_with_its_crew_two(table, kind, points):
    """Destroyed by two sixes; of the tank the crew does not get out."""
    mine, theirs = ("ger-pz4h", US) if kind.startswith("us-") else ("us-m4", GERMAN)
    board = table(("........",) * 12).put("a", mine, "D7", facing=0)
    play = board.put("b", kind, "D3", facing=0).to_move(1 - theirs).start()
    news = play.dice(6, 6, 6, 6, 1).shoot("a", "b")
    assert play.state.loss_points[theirs] == points
    play.cited.take(news)


# --- impulses ------------------------------------------------------------------------------------


@pytest.mark.example("ost", "4.0.e1")
@pytest.mark.rule("ost", "4.0.3")
def test_two_dice_and_three_more_give_five_to_fifteen(ask):
    answer = ask(ImpulsePoints(dice=2, plus=3))
    assert {chance.outcome for chance in answer.chances} == {str(n) for n in range(5, 16)}


class ThreeDice(Table):
    """The Germans roll three dice for their points, and nothing more."""

    def document(self):
        scenario = super().document()
        us, german = scenario.terms
        self.changes["terms"] = (us, replace(german, impulses=Impulses(dice=3, plus=0)))
        return super().document()


@pytest.mark.example("ost", "4.0.e2")
@pytest.mark.rule("ost", "4.0.4", "4.0.3")
def test_one_three_and_six_are_ten_points(cited):
    board = ThreeDice(cited)
    quiet(lambda: board, 1, 1)
    board.falls = (2, 2)
    play = board.start()
    news = play.out(*WINS, 1, 1, 3, 6)
    rolled = next(x for x in news if isinstance(x, e.ImpulsesRolled) and x.side == GERMAN)
    assert (rolled.roll.faces, rolled.total) == ((1, 3, 6), 10)
    assert play.state.impulses[GERMAN] == 10
    play.cited.take(rolled)


@pytest.mark.example("ost", "4.0.e3")
@pytest.mark.border("ost", "4")
@pytest.mark.rule("ost", "4.0.6")
@pytest.mark.parametrize(("us", "may"), [(4, True), (9, True), (10, False), (11, False)])
def test_with_four_points_against_ten_one_passes_and_the_other_goes_on(table, us, may):
    play = quiet(table, us, 10).start()
    if may:
        news = play.do(a.Pass())
        assert play.state.impulses == [us, 10], "passing costs nothing"
        assert (play.wants, play.owed) == ("an impulse", GERMAN)
        play.cited.take(news)
    else:
        assert play.refused(a.Pass()).rule == "3.4.3"
        play.do(a.DropPoint())
        play.do(a.DropPoint())
        assert play.refused(a.Pass()).rule == "4.0.6"


@pytest.mark.example("ost", "4.0.e4")
@pytest.mark.rule("ost", "4.0.5")
def test_of_thirteen_points_a_move_leaves_twelve(table):
    play = quiet(table, 3, 13).to_move(GERMAN).start()
    news = play.move("german", "H7")
    assert play.state.impulses[GERMAN] == 12
    play.cited.take(news)


@pytest.mark.border("ost", "4", "1")
@pytest.mark.parametrize(
    "points", [1, pytest.param(2, marks=pytest.mark.rule("ost", "4.0.2", "1.8.p3"))]
)
def test_the_last_point_is_too_little_for_a_group(table, points):
    board = table().put("us", "us-rifle", "A1", leader="boss").put("two", "us-rifle", "A1")
    play = board.put("german", "ger-rifle", "H8").points(points, 5).start()
    if points == 1:
        assert "2 Impulse Points" in play.refused(play.way("us", "A2", partner="two")).why
        news = play.move("us", "A2")
    else:
        news = play.move("us", "A2", partner="two")
    assert play.state.impulses[US] == 0
    play.cited.take(news)

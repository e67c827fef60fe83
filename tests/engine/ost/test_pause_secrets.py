"""The pause for opportunity fire betrays nobody (OST 21, 27.6): who does not see the firer hears,
sees and counts the same, whether somebody hidden held his fire or nobody could have fired."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine import aar, frames, luck
from rulesengine.documents import Arrival, BattleLog, canonical
from rulesengine.rulesets.ost import actions as a
from tests.engine.table import GERMAN, US, ControlHex, kinds

PUBLIC = -1
BLIND, WATCHING = "H24", "C6"
ROWS = (
    "........",
    "........",
    "...b....",
    *("........",) * 5,
    *("wwwwwwww",) * 3,
    *("........",) * 13,
)
"""Nobody sees past the woods."""


def on_foot(play):
    play.move("us", "C3", "C4")


def as_a_group(play):
    play.move("us", "C3", "C4", partner="two")


def by_tank(play):
    play.drive("tank", ("D2", 3), ("D2", 2), ("E2", 2))


def through_brush(play):
    play.drive("tank", ("D2", 3), ("D3", 3))


def onto_the_map(play):
    play.move("late", "C1", "B1", "B2")


def field(table, hides):
    board = (
        table(ROWS)
        .put("us", "us-rifle", "C2", leader="sgt")
        .put("two", "us-rifle", "C2")
        .put("late", "us-rifle", "C1")
        .put("tank", "us-m4", "D1", facing=3)
        .put("gun", "ger-pak40", hides, hidden=True)
        .put("men", "ger-rifle", hides, hidden=True, leader="feldwebel")
    )
    mill = ControlHex(hex="C3", name="Mill", owner="german")
    late = Arrival(units=("late",), turn=1, at="C1")
    return board.scenario(control=(mill,), arrivals=(late,)).start()


def heard(play, side):
    """All that reaches a listener: the film, the report, the sums of the dice."""
    scenario = play.state.scenario
    log = BattleLog(
        schema="battle-log/1",
        ruleset="ost",
        version=play.battle.ruleset.version,
        scenario=msgspec.Raw(canonical(scenario)),
        attempt=1,
        commitment="",
        dice=play.tape.at,
        events=tuple(msgspec.Raw(msgspec.json.encode(event)) for event in play.log),
    )
    return (frames.replay(log, side), aar.report(log, side), luck.counted(log, side))


def held(play):
    """Fire is held whenever it is asked for; how often it was."""
    times = 0
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
        times += 1
    return times


@pytest.mark.parametrize("move", [on_foot, as_a_group, by_tank, through_brush, onto_the_map])
@pytest.mark.parametrize("side", [US, PUBLIC])
def test_fire_that_is_held_is_as_fire_that_nobody_could_have_opened(table, move, side):
    told = []
    for place, asked in ((BLIND, False), (WATCHING, True)):
        play = field(table, place)
        move(play)
        assert (held(play) > 0) == asked
        told.append(heard(play, side))
    assert told[0] == told[1]


@pytest.mark.parametrize("move", [on_foot, as_a_group, by_tank, onto_the_map])
def test_the_side_that_was_asked_and_the_referee_know_more(table, move):
    plays = [field(table, place) for place in (BLIND, WATCHING)]
    for play in plays:
        move(play)
        held(play)
    assert "FireHeld" not in kinds(plays[0].log)
    assert "FireHeld" in kinds(plays[1].log)
    for listener in (GERMAN, None):
        assert heard(plays[0], listener) != heard(plays[1], listener)


@pytest.mark.parametrize("move", [on_foot, as_a_group, by_tank, onto_the_map])
@pytest.mark.parametrize("side", [US, PUBLIC])
def test_in_the_pause_a_listener_is_at_a_step_that_the_move_without_it_has_too(table, move, side):
    whole, paused = field(table, BLIND), field(table, WATCHING)
    move(whole)
    move(paused)
    assert paused.wants == "opportunity fire"
    until, reached = (heard(play, side)[0] for play in (whole, paused))
    assert reached.frames == until.frames[: len(reached.frames)]
    assert len(reached.frames) < len(until.frames)

"""The replay of a battle: frames fold to the table after every event, and show nobody too much."""

from __future__ import annotations

from functools import cache

import pytest

from rulesengine import frames, play
from rulesengine.documents import ELIMINATED
from rulesengine.proof import events_of, scenario_of
from rulesengine.proof import replay as folded
from rulesengine.registry import ruleset
from tests.engine.ost.battles import FIGHTS, fight_of, key
from tests.toy.ruleset import scenario as toy_scenario

LISTENERS = (None, 0, 1, -1)
BATTLES = ("noville", "noville-afternoon", "hills", "toy")
HIDING = FIGHTS[1:]
"""Fights in which somebody hides."""


@cache
def fought(name):
    return play.play(toy_scenario() if name == "toy" else fight_of(name), key(name, 3))


def by_event(log, side):
    """The frames of a listener by the index of the event each was made for."""
    at = -1

    def fed():
        nonlocal at
        for at, event in enumerate(events_of(log)):  # noqa: B007 - `at` is read outside
            yield event

    made = {}
    for frame in frames.film(scenario_of(log), fed(), side):
        made[at] = frame
    return made


def states_of(log):
    """The state after each event, with its event."""
    rules = ruleset(log.ruleset)
    state = rules.setup(scenario_of(log))
    for index, event in enumerate(events_of(log)):
        rules.evolve(state, event)
        yield index, event, state


@pytest.mark.parametrize("side", LISTENERS)
@pytest.mark.parametrize("name", BATTLES)
def test_frames_fold_to_the_table_after_every_event(name, side):
    log = fought(name).log
    rules = ruleset(log.ruleset)
    made = by_event(log, side)
    board = frames.board_of(frames.replay(log, side).first)
    for index, event, state in states_of(log):
        if index in made:
            frames.fold(board, made[index])
            assert made[index].line == rules.narrate(state, event, side)
        else:
            assert rules.narrate(state, event, side) is None
        assert board == frames.board_of(rules.board(state, side)), f"event {index}"
    assert list(made.values()) == list(frames.replay(log, side).frames)


@pytest.mark.parametrize("name", BATTLES)
def test_the_last_table_is_that_of_the_result(name):
    proven = fought(name)
    board = {}
    replay = frames.replay(proven.log, None)
    frames.fold(board, frames.Frame(None, (), replay.first, ()))
    for frame in replay.frames:
        frames.fold(board, frame)
    kinds = {kind.key: kind for kind in ruleset(proven.log.ruleset).catalogue().elements}
    state = folded(proven.log)
    steps = dict(zip(getattr(state, "ids", None) or state.elements, state.steps, strict=True))
    alive = 0
    for fate in proven.result.elements:
        if kinds[fate.type].category in ("support weapon", "ammunition"):
            continue
        piece = board.get(fate.element)
        lives = fate.after != ELIMINATED and fate.became != "toy-crew"
        assert (piece is not None) == lives, fate
        if piece is not None:
            alive += 1
            assert piece.steps == steps[fate.element]
            assert piece.kind == (fate.became or fate.type)
            assert ("reduced" in piece.marks) == (fate.after == "reduced") or name == "toy"
            assert (piece.morale or "good order") == (fate.morale or "good order")
    assert alive


@pytest.mark.parametrize("name", HIDING)
def test_a_hidden_counter_is_on_no_table_but_its_own_sides(name):
    log = fought(name).log
    hidden = 0
    for _, event, state in states_of(log):
        secret = {state.ids[c]: state.side[c] for c, unseen in enumerate(state.hidden) if unseen}
        places = {state.ids[c]: state.hex[c] for c in range(len(state.hex))}
        rules = ruleset("ost")
        for side in (0, 1, -1):
            seen = {piece.id for piece in rules.board(state, side)}
            assert not [one for one, owner in secret.items() if owner != side and one in seen]
            hidden += sum(owner != side and places[one] >= 0 for one, owner in secret.items())
            line = rules.narrate(state, event, side)
            if line is not None and line.fire:
                known = {piece.hex for piece in rules.board(state, side)}
                assert {end for pair in line.fire for end in pair} <= known
    assert hidden, "nobody hid in this battle"


def test_what_the_public_sees_both_sides_see():
    for _, _, state in states_of(fought("noville").log):
        rules = ruleset("ost")
        public = {piece.id for piece in rules.board(state, -1)}
        for side in (0, 1):
            assert public <= {piece.id for piece in rules.board(state, side)}


def test_a_shot_tells_its_line_of_fire():
    replay = frames.replay(fought("noville").log, None)
    lines = [frame.line.fire for frame in replay.frames if frame.line and frame.line.fire]
    assert len(lines) > 20
    assert all(here != there for fire in lines for here, there in fire)


def test_the_number_of_frames_tells_nothing_of_the_events_between():
    log = fought("noville").log
    told = frames.replay(log, 0).frames
    assert len(told) < len(log.events)
    assert not [frame for frame in told if not (frame.line or frame.put or frame.gone)]

"""What each event of a melee does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.counters import detach, place, touch
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.state import (
    CONCENTRATE,
    EVADE,
    FIGHTING,
    MELEE,
    NONE,
    RETREAT,
    STRIKE,
    State,
)


def _melee_marked(state: State, event: e.MeleeMarked) -> None:
    state.melees[event.hex] = event.side
    state.fresh_melees.add(event.hex)
    for c in state.stacks[event.hex]:
        touch(state, c)


def _melee_phase(state: State, event: e.MeleePhaseBegan) -> None:
    state.phase = MELEE
    state.melee_queue = list(event.hexes)


def _melee_opened(state: State, event: e.MeleeOpened) -> None:
    frame = Frame(FIGHTING, event.concentrates)
    frame.hex = event.hex
    frame.queue = list(event.evaders)
    frame.stage = EVADE if frame.queue else _after_evading(frame)
    state.frames.append(frame)


def _after_evading(frame: Frame) -> int:
    return CONCENTRATE if frame.side != NONE else STRIKE


def _evaded(state: State, event: e.Evaded) -> None:
    frame = state.frames[-1]
    frame.queue.remove(event.unit)
    if event.to != NONE:
        place(state, event.unit, event.to)
    if not frame.queue:
        frame.stage = _after_evading(frame)


def _concentrated(state: State, event: e.Concentrated) -> None:
    frame = state.frames[-1]
    frame.target = event.target
    frame.stage = STRIKE


def _retreats_owed(state: State, event: e.RetreatsOwed) -> None:
    frame = state.frames[-1]
    frame.queue, frame.because = list(event.units), event.because
    frame.stage = RETREAT


def _retreated(state: State, event: e.Retreated) -> None:
    c = event.unit
    frame = state.frames[-1]
    if c in frame.queue:
        frame.queue.remove(c)
    if state.attached[c] != NONE:
        detach(state, c)
    place(state, c, event.to)
    if state.leader[c] != NONE:
        place(state, state.leader[c], event.to)
    if state.riding:
        frame.queue = [q for q in frame.queue if state.hex[q] == frame.hex]


def _melee_closed(state: State, event: e.MeleeClosed) -> None:
    state.frames.pop()
    state.melee_queue.remove(event.hex)
    if event.resolved:
        del state.melees[event.hex]
    for c in state.stacks.get(event.hex, ()):
        touch(state, c)


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    e.MeleeMarked: _melee_marked,
    e.MeleePhaseBegan: _melee_phase,
    e.MeleeOpened: _melee_opened,
    e.Evaded: _evaded,
    e.Concentrated: _concentrated,
    e.RetreatsOwed: _retreats_owed,
    e.Retreated: _retreated,
    e.MeleeClosed: _melee_closed,
}

"""What each event about riders and rolling cover does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import carriage
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost.counters import touch
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.kinds import ARC, TRAITS
from rulesengine.rulesets.ost.state import MOVING, State


def _load_declared(state: State, event: t.LoadDeclared) -> None:
    state.frames[-1].onto = event.vehicle


def _loaded(state: State, event: t.Loaded) -> None:
    carriage.board(state, event.unit, event.vehicle)
    state.clearing.pop(event.unit, None)  # who rides does nothing but ride, 24.0.6


def _unloaded(state: State, event: t.Unloaded) -> None:
    carriage.set_down(state, event.unit)
    state.displaced[event.unit] = True
    if TRAITS[state.kind[event.unit]] & ARC:
        state.facing[event.unit] = event.facing
    if event.covered:
        state.rolling[event.unit] = event.vehicle


def _stops(state: State, event: t.StopsPlanned) -> None:
    state.frames[-1].stops = event.stops


def _fetched(state: State, event: t.Fetched) -> None:
    if event.taken:
        state.freight[event.weapon] = event.vehicle
    else:
        del state.freight[event.weapon]
    touch(state, event.weapon)


def _rolling(state: State, event: t.RollingDeclared) -> None:
    frame = Frame(MOVING, state.side[event.units[0]])
    frame.units, frame.path, frame.facings = event.units, event.path, event.facings
    state.frames.append(frame)
    squad, vehicle = event.units
    state.rolling[squad] = vehicle
    for c in event.units:
        state.moved[c] = True
        state.displaced[c] = True
        touch(state, c)


def _cover_left(state: State, event: t.CoverLeft) -> None:
    del state.rolling[event.unit]
    touch(state, event.unit)


def _exit_declared(state: State, event: t.ExitDeclared) -> None:
    state.frames[-1].exits = True


def _exited(state: State, event: t.Exited) -> None:
    carriage.leave_map(state, event.units)
    state.exit_points[state.side[event.units[0]]] += event.points


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    t.LoadDeclared: _load_declared,
    t.Loaded: _loaded,
    t.Unloaded: _unloaded,
    t.StopsPlanned: _stops,
    t.Fetched: _fetched,
    t.DrivesOn: _nothing,
    t.CollateralDue: _nothing,
    t.RollingDeclared: _rolling,
    t.CoverKept: _nothing,
    t.CoverLeft: _cover_left,
    t.MountedMove: _nothing,
    t.Dismounted: _nothing,
    t.ExitDeclared: _exit_declared,
    t.Exited: _exited,
}

"""What each event from the air does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost.counters import place, touch, uncover
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.kinds import ARC, CATEGORY, TRAITS, VEHICLE
from rulesengine.rulesets.ost.state import CHOOSING, LANDING, NONE, OFF, SPILLED, State
from rulesengine.rulesets.ost.works import settle


def _planned(state: State, event: x.FlightsPlanned) -> None:
    for flight, h in event.aircraft:
        state.flown[flight] = h


def _came(state: State, event: x.AircraftCame) -> None:
    state.aloft = event.flight


def _left(state: State, event: x.AircraftLeft) -> None:
    state.flown[event.flight] = OFF
    state.aloft = NONE


def _put(state: State, unit: int, h: int) -> None:
    """A unit with its leader; what it carries goes with it."""
    place(state, unit, h)
    if state.leader[unit] != NONE:
        place(state, state.leader[unit], h)


def _dropped(state: State, event: x.Dropped) -> None:
    frame = Frame(LANDING, state.side[event.unit])
    frame.units = (event.unit,)
    if state.leader[event.unit] != NONE:
        frame.queue = [state.leader[event.unit]]
    state.frames.append(frame)
    _put(state, event.unit, event.hex)


def _supplies(state: State, event: x.SuppliesDropped) -> None:
    place(state, event.weapon, event.hex)
    uncover(state, event.weapon)


def _owed(state: State, event: x.LandingFireOwed) -> None:
    state.frames[-1].owed = True


def _held(state: State, event: x.LandingFireHeld) -> None:
    frame = state.frames[-1]
    frame.owed, frame.shot, frame.shots = False, True, []


def _fired(state: State, event: x.LandingFired) -> None:
    frame = state.frames[-1]
    frame.owed, frame.shot = False, True
    frame.shots += [(c, 0) for c in event.firers]
    for c in event.firers:
        state.spent_statistic[c] += 1


def _choose(state: State, event: x.PlaceOwed) -> None:
    if event.why == "spilled":
        frame = Frame(LANDING, state.side[event.units[0]])
        frame.units, frame.stage = event.units, SPILLED
        state.frames.append(frame)
    else:
        state.frames[-1].stage = CHOOSING


def _placed(state: State, event: x.LandingPlaced) -> None:
    _put(state, event.unit, event.to)
    if event.why == "spilled":
        state.frames.pop()
    else:
        state.frames[-1].stage = 0
        state.frames[-1].bumped = True


def _tired(state: State, unit: int) -> None:
    for c in (unit, state.leader[unit]):
        if c != NONE:
            state.moved[c] = state.displaced[c] = True
            touch(state, c)


def _landed(state: State, event: x.Landed) -> None:
    state.frames.pop()
    if event.moved:
        _tired(state, event.unit)


def _down(state: State, event: x.GliderDown) -> None:
    state.flown[event.flight] = OFF
    state.aloft = NONE
    for unit in event.units:
        _put(state, unit, event.hex)
        if TRAITS[state.kind[unit]] & ARC or CATEGORY[state.kind[unit]] == VEHICLE:
            state.facing[unit] = event.facing
        if event.moved:
            _tired(state, unit)
    if event.wreck:
        state.wrecks[event.hex] = state.wrecks.get(event.hex, 0) + 1
        settle(state, (event.hex,))


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    x.FlightsPlanned: _planned,
    x.AircraftCame: _came,
    x.AircraftLeft: _left,
    x.Dropped: _dropped,
    x.SuppliesDropped: _supplies,
    x.LandingFireOwed: _owed,
    x.LandingFireHeld: _held,
    x.LandingFired: _fired,
    x.PlaceOwed: _choose,
    x.LandingPlaced: _placed,
    x.Landed: _landed,
    x.GliderReleased: _nothing,
    x.CrashRolled: _nothing,
    x.GliderDown: _down,
}

"""What a move ends in beyond its last hex (OST 23.6.4, 24.1): on a vehicle, off the map."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.carriage import carries_armoured, riders
from rulesengine.rulesets.ost.kinds import CATEGORY, MOVEMENT, VEHICLE
from rulesengine.rulesets.ost.scenario import Exit
from rulesengine.rulesets.ost.state import BROKEN, NONE, OFF, State
from rulesengine.rulesets.ost.transport_events import Exited, Loaded


def finish(battle: Battle[State]) -> None:
    """Do what the move on top of the stack was for, if it has come to the end of its way."""
    state = battle.state
    frame = state.frames[-1]
    unit = frame.units[0]
    if frame.at < len(frame.path) or frame.bumped or state.hex[unit] == OFF:
        return
    if frame.onto != NONE:
        _get_on(battle, unit, frame.onto)
    if frame.exits and not state.bogged[unit]:
        _go_off(battle, unit)


def is_towed(state: State, unit: int) -> bool:
    """A crewed weapon that only a vehicle moves. OST 24.0.15."""
    return not MOVEMENT[state.kind[unit]]


def _get_on(battle: Battle[State], unit: int, vehicle: int) -> None:
    """If both are still fit for it. OST 24.1."""
    state = battle.state
    whole = CATEGORY[state.kind[vehicle]] == VEHICLE and state.hex[vehicle] == state.hex[unit]
    if whole and state.morale[unit] != BROKEN and not riders(state, vehicle):
        battle.emit(
            Loaded(
                unit=unit,
                vehicle=vehicle,
                towed=is_towed(state, unit),
                fires=carries_armoured(state.kind[vehicle]),
            )
        )


def ways_out(state: State, side: int) -> dict[int, Exit]:
    """Where a side may leave, and on what terms. OST 23.6.5."""
    exits = state.terms()[side].exits or ()
    return {h: way for way in reversed(exits) for h in state.ground.grid.area(way.hexes)}


def way_out(state: State, side: int, h: int) -> Exit | None:
    """The terms on which a side leaves in a hex, if it may."""
    return ways_out(state, side).get(h)


def _go_off(battle: Battle[State], unit: int) -> None:
    """Over the edge, with everybody the unit carries; units score, single persons do not."""
    state = battle.state
    terms = way_out(state, state.side[unit], state.hex[unit])
    if terms is None:
        return
    units = [unit, *riders(state, unit)]
    leaders = [state.leader[c] for c in units if state.leader[c] != NONE]
    counted = sum(not state.is_single(c) for c in units)
    points = counted * terms.points
    battle.emit(Exited(units=(*units, *leaders), hex=state.hex[unit], points=points))

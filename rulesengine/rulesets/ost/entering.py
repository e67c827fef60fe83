"""Reinforcements (OST 2.1.p2, 23.6): where units come onto the map and what the first hex costs.

A unit that has not entered is off the map and in `state.waiting`; the first hex of its move or
drive is one the scenario names. Nobody but its own side knows of it before.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.altered import RUBBLE
from rulesengine.rulesets.ost.events import ReinforcementsDue
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import ARMOR, MOVEMENT, TRAITS
from rulesengine.rulesets.ost.state import NONE, State
from rulesengine.rulesets.ost.tracks import CLOSED, Step, marker_step, terrain_step
from rulesengine.rulesets.ost.vehicles import DRIVE


def entry_hexes(state: State, unit: int) -> tuple[int, ...]:
    """Where a unit that waits comes on."""
    return state.arrivals[state.arrival[unit]][1]


def entry_cost(ground: Ground, h: int, *, street: bool = False) -> int:
    """Movement points of the first hex for a foot unit: its terrain, or its road. OST 23.6.1,
    16.6.2."""
    by_road = ground.road[h] and (street or not ground.structure[h])
    return (1 if by_road else ground.foot[h]) + ground.into[h]


def entry_step(ground: Ground, drive: int, h: int) -> Step:
    """What the first hex takes of a vehicle. OST 23.6.1, 14, 23.5.1."""
    by_road = Step(ground.road_halves, by_road=True)
    plain = by_road if ground.road[h] else terrain_step(ground, drive, h)
    if h not in ground.works or ground.works[h] == RUBBLE or plain.halves == CLOSED:
        return plain
    extra = marker_step(ground, drive, h)
    if extra.halves == CLOSED:
        return extra
    return Step(plain.halves + extra.halves, plain.bog or extra.bog, plain.by_road)


def refuse_entry(state: State, unit: int, there: int) -> Refusal | None:
    """Why a unit that waits may not come on in a hex. OST 23.6.1."""
    if there in entry_hexes(state, unit):
        return None
    names = ", ".join(state.ground.name(h) for h in entry_hexes(state, unit))
    return Refusal(f"It comes onto the map in {names}.", "23.6.1")


def has_waited(state: State, unit: int) -> bool:
    """Whether a unit could have come on in an earlier turn. OST 23.6.3."""
    return unit in state.waiting and state.arrivals[state.arrival[unit]][0] > state.turn


def can_ever_enter(state: State, unit: int) -> bool:
    """Whether a unit that waits has a hex to come on in; an armor leader only in a vehicle,
    a towed gun only with one."""
    if unit not in state.waiting or state.attached[unit] != NONE:
        return False
    if not entry_hexes(state, unit):
        return True  # by air
    if TRAITS[state.kind[unit]] & ARMOR or unit in state.riding or not MOVEMENT[state.kind[unit]]:
        return False
    drive = DRIVE[state.kind[unit]]
    hexes = entry_hexes(state, unit)
    return not drive or any(entry_step(state.ground, drive, h).halves != CLOSED for h in hexes)


def announce(battle: Battle[State]) -> None:
    """Tell each side which of its units can come on from this turn. OST 2.1.p2."""
    state = battle.state
    for side in (0, 1):
        due = tuple(
            c
            for c in state.of_side[side]
            if c in state.waiting
            and state.arrivals[state.arrival[c]][0] == state.turn
            and entry_hexes(state, c)
        )
        if due:
            battle.emit(ReinforcementsDue(side=side, units=due))


def together(state: State, one: int, two: int) -> bool:
    """Whether two counters are there from the start, or come on together."""
    return state.arrival[one] == state.arrival[two]

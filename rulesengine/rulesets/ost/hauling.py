"""When it pays to ride, and to leave the map (for the doctrine; OST 23.6.4, 24).

Who is far from the aim and has an empty carrier with him gets on; near the aim, under the enemy's
eyes or when the vehicle is stuck he gets off. Guns that cannot walk ride wherever they attack.
"""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.endings import is_towed, ways_out
from rulesengine.rulesets.ost.exits import OVER_THE_EDGE, refuse_exit
from rulesengine.rulesets.ost.kinds import (
    ARC,
    CATEGORY,
    CREWED,
    NO_RIDERS,
    SQUAD,
    TRAITS,
    TRANSPORT,
)
from rulesengine.rulesets.ost.movement import allowance
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.state import GOOD, OFF, View
from rulesengine.rulesets.ost.streets import best_streets
from rulesengine.rulesets.ost.transport import refuse_load, refuse_unload
from rulesengine.rulesets.ost.vehicles import is_immobile

FAR, FAR_TOWED = 16, 10
"""Hexes from the aim at which riding saves time, for squads and for guns that cannot walk."""
NEAR = 6
"""Hexes from the aim, or from an enemy, at which one gets off."""
GET_ON = 30
GET_OFF = 45
"""Worth in hundredths of a step."""
WAY_OUT = 100
"""Of each victory point for leaving the map."""


def carriers(view: View) -> list[int]:
    """The side's vehicles that are made to carry."""
    state = view.state
    return [
        c
        for c in state.of_side[view.side]
        if TRAITS[state.kind[c]] & TRANSPORT and not TRAITS[state.kind[c]] & NO_RIDERS
    ]


def best_haul(view: View, floor: int, vehicles: list[int]) -> tuple[int, Action] | None:
    """Getting off where it is time, else getting on where it pays."""
    return _best_way_off(view, floor) or _best_way_on(view, floor, vehicles)


def _best_way_off(view: View, floor: int) -> tuple[int, Action] | None:
    state = view.state
    if floor >= GET_OFF:
        return None
    for unit, vehicle in state.riding.items():
        if state.side[unit] != view.side or state.hex[unit] == OFF:
            continue
        if is_immobile(state, vehicle) or _distance(view, unit) <= NEAR or _seen(view, unit):
            off = a.Unload(unit=unit, facing=_facing(view, unit))
            if refuse_unload(view, off) is None:
                return GET_OFF, off
    return None


def _best_way_on(view: View, floor: int, vehicles: list[int]) -> tuple[int, Action] | None:
    """An empty carrier that has yet to move, and somebody in its hex or next to it."""
    state = view.state
    if floor >= GET_ON or terms_of(state, view.side).posture == "defend":
        return None
    for vehicle in vehicles:
        ready = state.hex[vehicle] != OFF and state.morale[vehicle] == GOOD
        if not ready or state.moved[vehicle] or is_immobile(state, vehicle):
            continue
        away = _distance(view, vehicle)
        if riders(state, vehicle) or away < FAR_TOWED or _seen(view, vehicle):
            continue
        for unit in _near(view, vehicle):
            if away < FAR and not is_towed(state, unit):
                continue
            there = state.hex[vehicle]
            path = () if state.hex[unit] == there else (there,)
            on = a.Load(unit=unit, vehicle=vehicle, path=path)
            if refuse_load(view, on) is None:
                return GET_ON, on
    return None


def _near(view: View, vehicle: int) -> list[int]:
    """Whom it could take, guns that cannot walk first."""
    state = view.state
    distance, h = state.ground.grid.distance, state.hex[vehicle]
    found = [
        c
        for c in state.of_side[view.side]
        if CATEGORY[state.kind[c]] in (SQUAD, CREWED)
        and state.hex[c] != OFF
        and state.morale[c] == GOOD
        and not state.moved[c]
        and distance(state.hex[c], h) <= 1
    ]
    return sorted(found, key=lambda c: (not is_towed(state, c), distance(state.hex[c], h), c))


def _distance(view: View, c: int) -> int:
    """To the nearest aim."""
    state = view.state
    away = state.ground.grid.distance
    return min(away(state.hex[c], aim) for aim in objectives(state, view.side))


def _seen(view: View, c: int) -> bool:
    """Whether an enemy it knows of is near."""
    state = view.state
    away = state.ground.grid.distance
    return any(away(view.hex[t], state.hex[c]) <= NEAR for t in view.enemies())


def _facing(view: View, unit: int) -> int:
    """A gun looks to the nearest enemy, else to the aim."""
    state = view.state
    if not TRAITS[state.kind[unit]] & ARC:
        return 0
    grid, here = state.ground.grid, state.hex[unit]
    looked_at = [view.hex[t] for t in view.enemies()] or objectives(state, view.side)
    target = min(looked_at, key=lambda h: (grid.distance(here, h), h))
    ways = grid.neighbours[here]
    return min(
        (d for d in range(6) if ways[d] >= 0), key=lambda d: (grid.distance(ways[d], target), d)
    )


def best_exit(view: View, floor: int) -> tuple[int, Action] | None:
    """A unit at the edge, or one move from it, leaves where that scores. OST 23.6.4."""
    state = view.state
    found: Action | None = None
    area = ways_out(state, view.side)
    for unit in state.of_side[view.side]:
        if state.hex[unit] == OFF or state.moved[unit] or state.is_single(unit):
            continue
        points = allowance(state, unit)
        ways = {state.hex[unit]: ()} | state.ground.reach(state.hex[unit], max(1, points))
        for h, path in ways.items():
            terms = area.get(h)
            if terms is None or terms.points * WAY_OUT <= floor:
                continue
            streets = best_streets(state.ground, state.hex[unit], path, points - OVER_THE_EDGE)
            order = a.Exit(unit=unit, path=path, streets=streets)
            if refuse_exit(view, order) is None:
                floor, found = terms.points * WAY_OUT, order
                break
    return (floor, found) if found is not None else None

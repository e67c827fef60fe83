"""Who begins a battle on a vehicle, or waits on one to come onto the map (OST 23.6.2, 24.0)."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import Deploy
from rulesengine.rulesets.ost.carriage import carries_armoured, why_not_aboard
from rulesengine.rulesets.ost.entering import together
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    MOVEMENT,
    SQUAD,
    TRAITS,
    TRANSPORT,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.transport_events import Loaded


def refuse_aboard(state: State, action: Deploy) -> Refusal | None:
    """Who begins the battle, or waits to come on, aboard. OST 24.0.p1, 24.0.2, 23.6.2."""
    places, led = dict(action.places), dict(action.attached)
    vehicles = [vehicle for _, vehicle in action.aboard]
    units = [unit for unit, _ in action.aboard]
    if len(set(vehicles)) < len(vehicles) or len(set(units)) < len(units):
        return Refusal("A vehicle carries one unit.", "24.0.2")
    for unit, vehicle in action.aboard:
        barred = why_not_aboard(state, unit, vehicle)
        if barred or unit in led:
            return Refusal(*(barred or ("An attached leader rides with his unit.", "7.3.7")))
        if state.side[unit] != state.queue[0]:
            return Refusal("A side loads its own units.", "24.0.p1")
        if not together(state, unit, vehicle):
            return Refusal("They do not come on together.", "23.6.2")
        if places.get(unit) != places.get(vehicle):
            return Refusal("Who rides is in the hex of the vehicle.", "24.1.2")
        if (unit in action.hidden) != (vehicle in action.hidden):
            return Refusal("Who rides is hidden with the vehicle, or not at all.", "21.0.3")
    return None


def start_aboard(battle: Battle[State], action: Deploy) -> None:
    for unit, vehicle in action.aboard:
        fires = carries_armoured(battle.state.kind[vehicle])
        battle.emit(Loaded(unit=unit, vehicle=vehicle, at_start=True, fires=fires))


def towed_in(state: State, coming: list[int]) -> tuple[tuple[int, int], ...]:
    """Guns that cannot walk come on with a vehicle of theirs, one made to carry if there is one."""
    free = [c for c in coming if CATEGORY[state.kind[c]] == VEHICLE]
    free.sort(key=lambda c: not TRAITS[state.kind[c]] & TRANSPORT)
    found = []
    for gun in coming:
        if CATEGORY[state.kind[gun]] == CREWED and not MOVEMENT[state.kind[gun]]:
            able = (c for c in free if together(state, gun, c))
            vehicle = next((c for c in able if not why_not_aboard(state, gun, c)), None)
            if vehicle is not None:
                free.remove(vehicle)
                found.append((gun, vehicle))
    return tuple(found)


def squeezed_in(
    state: State, units: list[int], places: dict[int, int], leaders: dict[int, int]
) -> tuple[tuple[int, int], ...]:
    """For a set-up out of the ordinary: a squad on every vehicle made to carry, in its hex."""
    squads = [c for c in units if CATEGORY[state.kind[c]] == SQUAD]
    found = []
    for vehicle in (c for c in units if TRAITS[state.kind[c]] & TRANSPORT):
        squad = next((c for c in squads if not why_not_aboard(state, c, vehicle)), None)
        if squad is not None:
            squads.remove(squad)
            places[squad] = places[vehicle]
            if squad in leaders:
                places[leaders[squad]] = places[vehicle]
            found.append((squad, vehicle))
    return tuple(found)

"""Road and house in one hex (OST 16.6, 12.7): who is in the street, and what comes of it.

A move names the hexes in which it keeps to the street; in all others it goes into the house. The
state remembers who is in a street (`state.street`) for as long as he stays in the hex. Vehicles
are never anywhere else, see `carriage.in_street`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import Move
from rulesengine.rulesets.ost.carriage import in_street, in_vehicle
from rulesengine.rulesets.ost.entering import entry_cost
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import LARGE, MOVEMENT, TRAITS
from rulesengine.rulesets.ost.mobile import as_far_as, is_mobile
from rulesengine.rulesets.ost.state import OFF, SHAKEN, State
from rulesengine.rulesets.ost.street_events import (
    MarkedOnRoad,
    StreetsChosen,
    StreetTaken,
    WentIndoors,
)
from rulesengine.rulesets.ost.works import is_cramped


def step_cost(ground: Ground, here: int, there: int, streets: tuple[int, ...] = ()) -> int:
    """Movement points of one hex of a path, the first of one onto the map too. OST 23, 23.6.1,
    16.6.2, 16.6.3."""
    street = there in streets
    if here == OFF:
        return entry_cost(ground, there, street=street)
    return ground.cost(here, there, street=street)


def refuse_streets(
    state: State, units: Iterable[int], path: tuple[int, ...], streets: tuple[int, ...]
) -> Refusal | None:
    """Why units may not divide their way so between streets and houses. OST 16.6.1, 8.0.8."""
    ground = state.ground
    for h in streets:
        if h not in path or h not in ground.dual:
            name = ground.name(h) if ground.grid.on_map(h) else "That"
            return Refusal(f"{name} is no hex of the way with a street and a house.", "16.6.1")
    if any(TRAITS[state.kind[c]] & LARGE for c in units):
        return refuse_large(state, [h for h in path if h not in streets])
    return None


def refuse_large(state: State, hexes: Iterable[int]) -> Refusal | None:
    """A gun too large for houses and fortifications. OST 8.0.8."""
    for h in hexes:
        if state.ground.structure[h] or is_cramped(state, h):
            name = state.ground.name(h)
            return Refusal(f"It is too large for what stands in {name}.", "8.0.8")
    return None


def choose(battle: Battle[State], units: tuple[int, ...], streets: tuple[int, ...]) -> None:
    """Note where the move that has just been declared keeps to the street."""
    if streets:
        battle.emit(StreetsChosen(units=units, hexes=streets))


def come_in(battle: Battle[State], units: tuple[int, ...], *, street: bool) -> None:
    """Units have come into a hex: announce whether into its street or its house. OST 16.6.1."""
    state = battle.state
    there = [c for c in units if state.hex[c] in state.ground.dual and not in_vehicle(state, c)]
    if not there:
        return
    event = StreetTaken if street else WentIndoors
    battle.emit(event(units=tuple(there), hex=state.hex[there[0]]))


def come_by(battle: Battle[State], units: tuple[int, ...]) -> None:
    """The same in mid-move, as the move has it."""
    state = battle.state
    if state.ground.dual:
        h = next((state.hex[c] for c in units if state.hex[c] != OFF), OFF)
        come_in(battle, units, street=h in state.frames[-1].streets)


def mark(battle: Battle[State], units: tuple[int, ...]) -> None:
    """The move is over: who ends it in a street is marked. OST 16.6.5, 12.7.5."""
    state = battle.state
    if state.ground.dual:
        ended = tuple(c for c in units if in_street(state, c))
        if ended:
            battle.emit(MarkedOnRoad(units=ended, hex=state.hex[ended[0]]))


# --- what is sensible ----------------------------------------------------------------------------


def best_streets(
    ground: Ground, here: int, path: tuple[int, ...], points: int, *, halts: bool = False
) -> tuple[int, ...]:
    """Where to keep to the street: nowhere if the points suffice for the houses, for they shelter;
    else on the way, and at its end only if there is no other way to get there. `halts`: houses
    end the move of this unit."""
    if ground.dual.isdisjoint(path) or len(path) == 1:
        return ()
    if not halts and _cost(ground, here, path, ()) <= points:
        return ()
    passing = tuple(dict.fromkeys(h for h in path[:-1] if h in ground.dual and h != path[-1]))
    if path[-1] not in ground.dual or _cost(ground, here, path, passing) <= points:
        return passing
    return (*passing, path[-1])


def sensible_move(state: State, unit: int, path: tuple[int, ...]) -> Move:
    """A move along a path, or as far along it as the ground lets mobile troops go. OST 6.2.2."""
    ground, halts = state.ground, is_mobile(state, unit)
    points = MOVEMENT[state.kind[unit]] // (2 if state.morale[unit] == SHAKEN else 1)
    streets = (
        best_streets(ground, state.hex[unit], path, points, halts=halts) if ground.dual else ()
    )
    path = as_far_as(state, unit, path, streets)
    return Move(unit=unit, path=path, streets=tuple(h for h in streets if h in path))


def variants(ground: Ground, path: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Different ways to divide a path between houses and streets, for a menu."""
    if ground.dual.isdisjoint(path):
        return ((),)
    every = tuple(dict.fromkeys(h for h in path if h in ground.dual))
    last = path[-1]
    passing = tuple(h for h in every if h != last)
    return tuple(dict.fromkeys(((), every, passing, every[-1:] if last in every else ())))


def _cost(ground: Ground, here: int, path: tuple[int, ...], streets: tuple[int, ...]) -> int:
    total = 0
    for there in path:
        total += step_cost(ground, here, there, streets)
        here = there
    return total

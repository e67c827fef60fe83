"""Loading, unloading, and weapons fetched on the way (OST 24.0 to 24.2).

Both are moves of the unit that rides. Loading is the end of a move on foot, unloading the beginning
of one; the vehicle neither pays nor moves for them (24.0.4).
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.carriage import why_not_aboard
from rulesengine.rulesets.ost.endings import is_towed
from rulesengine.rulesets.ost.entering import entry_cost
from rulesengine.rulesets.ost.events import MoveDeclared, PointsSpent, Revealed
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.going import go_on
from rulesengine.rulesets.ost.kinds import (
    ARC,
    CATEGORY,
    GUN,
    NO_RIDERS,
    TRAITS,
    WEAPON,
)
from rulesengine.rulesets.ost.mines import is_engineer, look_around
from rulesengine.rulesets.ost.movement import allowance, load, path_cost, refuse_mover, refuse_path
from rulesengine.rulesets.ost.state import NONE, OFF, State, View
from rulesengine.rulesets.ost.streets import choose, come_in, refuse_streets
from rulesengine.rulesets.ost.transport_events import (
    CoverLeft,
    Fetched,
    LoadDeclared,
    Unloaded,
)
from rulesengine.rulesets.ost.vehicles import is_armored

GETTING_ON = 1
GETTING_OFF = 1
"""Movement points, the terrain of the hex apart. OST 24.1.1, 24.2.1."""


# --- loading -------------------------------------------------------------------------------------


def refuse_load(view: View, action: a.Load) -> Refusal | None:
    """OST 24.1; refusals of the way are those of any move."""
    state, unit, vehicle = view.state, action.unit, action.vehicle
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "24.0.15")
    refusal = refuse_mover(view, unit, stealth=False)
    if refusal and refusal.rule != "24.0.15":
        return refusal
    barred = why_not_aboard(state, unit, vehicle)
    if barred:
        return Refusal(*barred)
    if state.hex[vehicle] == OFF or state.locked(vehicle):
        return Refusal("The vehicle is not on the map, or in a melee.", "24.1.2")
    end = action.path[-1] if action.path else state.hex[unit]
    if end != state.hex[vehicle]:
        return Refusal("The vehicle is not where the path ends.", "24.1.2")
    if not action.path:
        return None
    if is_towed(state, unit):
        return Refusal("It waits in the hex for its vehicle.", "24.1.1")
    points = allowance(state, unit)
    cost = path_cost(state, state.hex[unit], action.path, action.streets) + GETTING_ON
    if cost > points:
        return Refusal(f"With getting on it takes {cost} movement points of {points}.", "24.1.3")
    move = a.Move(unit=unit, path=action.path, streets=action.streets)
    return refuse_path(view, (unit,), move, goes_on=True)


def start_load(battle: Battle[State], action: a.Load) -> None:
    """Go to the vehicle and get on."""
    unit = action.unit
    _set_out(battle, unit, action.vehicle, action.path, action.streets)
    battle.emit(LoadDeclared(unit=unit, vehicle=action.vehicle))
    go_on(battle)


def _set_out(
    battle: Battle[State],
    unit: int,
    vehicle: int,
    path: tuple[int, ...],
    streets: tuple[int, ...],
) -> None:
    """Pay, come out of hiding, begin the move."""
    state = battle.state
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    hidden = tuple(c for c in (unit, vehicle) if state.hidden[c])
    if hidden:
        battle.emit(Revealed(units=hidden, why="moved"))
    battle.emit(MoveDeclared(units=(unit,), path=path))
    choose(battle, (unit,), streets)


# --- unloading -----------------------------------------------------------------------------------


def unloading_cost(state: State, unit: int, streets: tuple[int, ...] = ()) -> int:
    """Movement points: one and the terrain of the hex, but never more than there are; `streets`
    as the order has them. OST 24.2.1, 16.6.2, 16.6.3."""
    h = state.hex[unit]
    cost = GETTING_OFF + entry_cost(state.ground, h, street=h in streets)
    return min(cost, allowance(state, unit))


def refuse_unload(view: View, action: a.Unload) -> Refusal | None:
    """OST 24.2."""
    state, unit = view.state, action.unit
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "24.0.15")
    refusal = refuse_mover(view, unit, stealth=False, aboard=True)
    if refusal and refusal.rule != "24.0.15":
        return refusal
    if unit not in state.riding:
        return Refusal("It rides on no vehicle.", "24.2.2")
    if not 0 <= action.facing < 6:
        return Refusal("A facing is a hexside, 0 (north) to 5.", "24.2.5")
    if not state.room(state.hex[unit], view.side, *load(state, (unit,), alone=True)):
        return Refusal("No more units fit into the hex.", "20.0.4")
    here = state.hex[unit]
    end = action.path[-1] if action.path else here
    refusal = refuse_streets(state, (unit,), (here, *action.path), action.streets)
    refusal = refusal or guns.refuse_claim(view, action, end)
    if refusal or not action.path:
        return refusal
    if is_towed(state, unit):
        return Refusal("It can only be moved by transport.", "24.0.15")
    points, streets = allowance(state, unit), action.streets
    cost = unloading_cost(state, unit, streets) + path_cost(state, here, action.path, streets)
    if cost > points:
        return Refusal(f"With getting off it takes {cost} movement points of {points}.", "24.2.4")
    beyond = tuple(h for h in streets if h in action.path)
    return refuse_path(view, (unit,), a.Move(unit=unit, path=action.path, streets=beyond))


def start_unload(battle: Battle[State], action: a.Unload) -> None:
    """Get off, and go on with what points are left. OST 24.2.3, 24.2.4."""
    state, unit = battle.state, action.unit
    vehicle, cost = state.riding[unit], unloading_cost(state, unit, action.streets)
    _set_out(battle, unit, vehicle, action.path, action.streets)
    guns.declare(battle, action)
    traits = TRAITS[state.kind[unit]]
    h = state.hex[unit]
    beside = h not in state.ground.dual or h in action.streets
    battle.emit(
        Unloaded(
            unit=unit,
            vehicle=vehicle,
            cost=cost,
            facing=action.facing if traits & ARC else 0,
            covered=beside and is_armored(state, vehicle) and not state.is_single(unit),
            towed=is_towed(state, unit),
            gun=bool(traits & GUN),
            goes_on=bool(action.path),
        )
    )
    come_in(battle, (unit,), street=h in action.streets)
    if state.mined and is_engineer(state, unit):
        look_around(battle, unit)
    go_on(battle)


# --- rolling cover given up ----------------------------------------------------------------------


def refuse_leave_cover(view: View, action: a.LeaveCover) -> Refusal | None:
    """OST 23.2.9."""
    state, unit = view.state, action.unit
    if state.side[unit] != view.side or unit not in state.rolling:
        return Refusal("It is in no rolling cover.", "23.2.9")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    return None


def leave_cover(battle: Battle[State], action: a.LeaveCover) -> None:
    battle.emit(CoverLeft(unit=action.unit, vehicle=battle.state.rolling[action.unit]))


# --- support weapons -----------------------------------------------------------------------------


def refuse_stops(view: View, action: a.Drive) -> Refusal | None:
    """Support weapons taken on and put down along a path. OST 24.0.3."""
    state, unit = view.state, action.unit
    if TRAITS[state.kind[unit]] & NO_RIDERS:
        return Refusal("That vehicle takes nothing on.", "24.0.p1")
    aboard = {w for w, on in state.freight.items() if on == unit}
    lying = {w: view.hex[w] for w in range(len(state.kind)) if _lies(state, w)}
    before = 0
    for at, weapon in action.weapons:
        if not before <= at <= len(action.path):
            return Refusal("Stops are in the order of the path.", "24.0.3")
        before = at
        here = action.path[at - 1] if at else state.hex[unit]
        if weapon in aboard:
            aboard.remove(weapon)
            lying[weapon] = here
        elif here != OFF and lying.get(weapon, OFF) == here:
            del lying[weapon]
            aboard.add(weapon)
        else:
            return Refusal("No such weapon is there to take on or put down.", "24.0.3")
    return None


def _lies(state: State, weapon: int) -> bool:
    """Whether it is a support weapon that nobody carries."""
    loose = CATEGORY[state.kind[weapon]] == WEAPON and state.holder[weapon] == NONE
    return loose and weapon not in state.freight


def stop_for_weapons(battle: Battle[State], frame: Frame) -> None:
    """What was planned for this point of the way, if it still lies there."""
    state, unit = battle.state, frame.units[0]
    for at, weapon in frame.stops:
        if at != frame.at:
            continue
        if state.freight.get(weapon) == unit:
            battle.emit(Fetched(weapon=weapon, vehicle=unit, taken=False))
        elif _lies(state, weapon) and state.hex[weapon] == state.hex[unit]:
            battle.emit(Fetched(weapon=weapon, vehicle=unit, taken=True))

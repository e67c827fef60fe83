"""How vehicles move (OST 23.4, 23.5): the refusals of a drive, and the drive itself.

A frame on the stack of interruptions, as in `movement.py`; what ground costs is in `tracks.py`.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.actions import Drive
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.endings import finish
from rulesengine.rulesets.ost.entering import entry_step, has_waited, refuse_entry
from rulesengine.rulesets.ost.events import MoveEnded, MoveStopped, PointsSpent, Revealed
from rulesengine.rulesets.ost.going import (
    enemy_ahead,
    hidden_enemies,
    lose_sight,
    owes_reaction,
    take_control,
)
from rulesengine.rulesets.ost.hazards import come_upon
from rulesengine.rulesets.ost.movement import allowance, load, refuse_leaving, refuse_mover
from rulesengine.rulesets.ost.state import (
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.streets import mark
from rulesengine.rulesets.ost.tracks import (
    CLOSED,
    PIVOT,
    REVERSE,
    Step,
    bog_modifiers,
    is_reverse,
    roll_bog,
    step,
    turns_one,
)
from rulesengine.rulesets.ost.transport import refuse_stops, stop_for_weapons
from rulesengine.rulesets.ost.transport_events import StopsPlanned
from rulesengine.rulesets.ost.vehicle_events import (
    DriveDeclared,
    Drove,
    FreeingRolled,
    GunClaimed,
    Turned,
)
from rulesengine.rulesets.ost.vehicles import DRIVE, held_by, is_immobile, is_vehicle
from rulesengine.rulesets.ost.works import flatten_wire

STOP = 2
"""Half points of a stop for a support weapon. OST 24.0.3."""


def points_of(state: State, unit: int) -> int:
    """Half movement points of a vehicle: half of them when shaken. OST 17.2.2."""
    return 2 * allowance(state, unit)


def refuse_driver(view: View, unit: int) -> Refusal | None:
    """Why a vehicle may not move at all."""
    state = view.state
    if not is_vehicle(state, unit):
        return Refusal("Only vehicles drive.", "23.4.p1")
    refusal = refuse_mover(view, unit, stealth=False, enters=True)
    if refusal:
        return refusal
    if is_immobile(state, unit):
        return Refusal("It is bogged or immobilised.", held_by(state, unit))
    return None


def refuse_drive(view: View, action: Drive, *, leaves: int = 0) -> Refusal | None:
    """OST 23.4; refusals of the way are those of any move (23.0, 20.0.4). `leaves`: half points
    that going off the map takes at the end of the way, if it does."""
    state, unit = view.state, action.unit
    refusal = refuse_driver(view, unit)
    if refusal:
        return refusal
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "23.1.2")
    if not action.path or len(action.path) != len(action.facings):
        return Refusal("Name the facing after each step of the path.", "23.4.5")
    if action.gun != NONE and state.unmanned.get(action.gun, OFF) != action.path[-1]:
        return Refusal("No unmanned gun stands where the path ends.", "8.0.6")
    if action.weapons:
        refusal = refuse_stops(view, action)
        if refusal:
            return refusal
    extra = leaves + STOP * len(action.weapons)
    here, facing, spent = state.hex[unit], state.facing[unit], extra
    for there, after in zip(action.path, action.facings, strict=True):
        if not 0 <= after < 6:
            return Refusal("A facing is a hexside, 0 (north) to 5.", "9.0.5")
        refusal = refuse_leaving(state, here) if here != state.hex[unit] else None
        if refusal:
            return refusal
        if there == here:
            if after == facing:
                return Refusal("A pivot turns the vehicle.", "23.4.7")
            spent += PIVOT
        else:
            refusal = _refuse_step(view, unit, here, there)
            if refusal:
                return refusal
            if here != OFF and not turns_one(facing, after):
                return Refusal("A step lets it turn by one hexside.", "23.4.5")
            spent += step_of(state, unit, here, there).halves
            spent += REVERSE if _reverses(state, here, there, facing) else 0
        here, facing = there, after
    refusal = refuse_leaving(state, here) if leaves and here != state.hex[unit] else None
    if refusal:
        return refusal
    points = points_of(state, unit)
    alone = len(action.path) == 1 and action.path[0] != state.hex[unit] and not extra
    if spent > points and not alone:
        return Refusal(f"It takes {spent / 2:g} movement points of {points / 2:g}.", "23.0.4")
    return None


def _refuse_step(view: View, unit: int, here: int, there: int) -> Refusal | None:
    state = view.state
    if here == OFF:
        refusal = refuse_entry(state, unit, there)
        if refusal:
            return refusal
    elif state.ground.grid.direction(here, there) < 0:
        return Refusal("Each hex of the path must be next to the one before.", "23.0.p1")
    way = step_of(state, unit, here, there)
    if way.halves == CLOSED:
        return Refusal("Vehicles of its kind may not go there.", way.rule)
    if there in state.melees:
        return Refusal("A melee hex may not be entered by moving.", "30.1.4")
    if any(view.hex[c] == there for c in view.theirs):
        return Refusal("An enemy holds a hex of the path.", "23.0.8")
    if there != state.hex[unit] and not state.room(there, view.side, *load(state, (unit,))):
        return Refusal("No more units fit into a hex of the path.", "20.0.4")
    return None


def step_of(state: State, unit: int, here: int, there: int) -> Step:
    """What the next hex takes of a vehicle, the first onto the map too. OST 23.6.1."""
    drive = DRIVE[state.kind[unit]]
    if here == OFF:
        return entry_step(state.ground, drive, there)
    return step(state.ground, drive, here, there)


def _reverses(state: State, here: int, there: int, facing: int) -> bool:
    return here != OFF and is_reverse(state.ground.grid.direction(here, there), facing)


def start(battle: Battle[State], action: Drive) -> None:
    """Declare a drive and go as far as nobody interrupts."""
    state, unit = battle.state, action.unit
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    if state.hidden[unit]:
        battle.emit(Revealed(units=(unit,), why="moved"))
    enters, waited = state.hex[unit] == OFF, has_waited(state, unit)
    path, facings = action.path, action.facings
    battle.emit(DriveDeclared(unit=unit, path=path, facings=facings, enters=enters, waited=waited))
    if action.weapons:
        battle.emit(StopsPlanned(unit=unit, stops=action.weapons))
    if action.gun != NONE:
        battle.emit(GunClaimed(unit=unit, gun=action.gun, scrap=True))
    go_on(battle)


def go_on(battle: Battle[State]) -> bool:
    """Take up the drive on top of the stack. True while the other side owes a decision."""
    state = battle.state
    frame = state.frames[-1]
    unit = frame.units[0]
    while frame.at < len(frame.path) and not frame.bumped and not state.bogged[unit]:
        here, there = state.hex[unit], frame.path[frame.at]
        if frame.stops:
            stop_for_weapons(battle, frame)
        if here == there:
            battle.emit(Turned(unit=unit, facing=frame.facings[frame.at], halves=PIVOT))
            continue
        if enemy_ahead(battle, there):
            break
        met = hidden_enemies(state, frame.side, there)
        if met:
            battle.emit(Revealed(units=met, why="met"))
            battle.emit(MoveStopped(units=frame.units, why="hidden enemy"))
            if owes_reaction(battle):
                return True
            break
        way = step_of(state, unit, here, there)
        if way.halves == CLOSED:  # a house has fallen on its road, 16.7.8
            battle.emit(MoveStopped(units=frame.units, why="no road"))
            break
        reverse = _reverses(state, here, there, state.facing[unit])
        halves = way.halves + (REVERSE if reverse else 0)
        battle.emit(
            Drove(unit=unit, hex=there, halves=halves, reverse=reverse, by_road=way.by_road)
        )
        lose_sight(battle, unit)
        if way.bog:
            roll_bog(battle, unit)
        flatten_wire(battle, unit)
        come_upon(battle, frame.units)
        if state.hex[unit] == OFF:
            break
        if owes_reaction(battle):
            return True
        _arrive(battle)
    if frame.stops and state.hex[unit] != OFF and frame.at == len(frame.path):
        stop_for_weapons(battle, frame)
    _scrap_gun(battle)
    finish(battle)
    mark(battle, frame.units)
    battle.emit(MoveEnded(units=frame.units))
    return False


def _scrap_gun(battle: Battle[State]) -> None:
    """Drive over the unmanned gun it came for, whatever was fired at it there. OST 8.0.9."""
    state = battle.state
    frame = state.frames[-1]
    unit = frame.units[0]
    if is_vehicle(state, unit):
        guns.claim(battle, unit)


def _arrive(battle: Battle[State]) -> None:
    """Take the ground, then turn: who fires at what enters fires before it does. OST 23.4.6."""
    state = battle.state
    frame = state.frames[-1]
    unit = frame.units[0]
    take_control(battle, in_the_move(state))
    facing = frame.facings[frame.at - 1]
    if facing != state.facing[unit] and not state.bogged[unit]:
        battle.emit(Turned(unit=unit, facing=facing))


def after_reaction(battle: Battle[State], *, suffered: bool) -> bool:
    """The other side has fired or held: stop, or go on. True while it owes another decision.

    OST 27.6.3, 27.6.5: damage that does not stop a vehicle lets it go on.
    """
    state = battle.state
    frame = state.frames[-1]
    if suffered or state.hex[frame.units[0]] == OFF:
        if not frame.bumped:
            take_control(battle, in_the_move(state))
        _scrap_gun(battle)
        battle.emit(MoveStopped(units=frame.units, why="fire"))
        mark(battle, frame.units)
        battle.emit(MoveEnded(units=frame.units))
        return False
    if not frame.bumped:
        _arrive(battle)
    return go_on(battle)


def free_bogged(battle: Battle[State]) -> None:
    """One attempt a turn for each bogged vehicle, those in melees apart. OST 23.5.4, 30.1.3."""
    state = battle.state
    if not state.armour:
        return
    for unit, bogged in enumerate(state.bogged):
        if bogged and not state.locked(unit):
            changes = bog_modifiers(state.ground, state.hex[unit])
            roll = battle.dice.roll(6, 1)
            total = roll.total + changes.value
            parts = tuple(changes.parts)
            battle.emit(FreeingRolled(unit=unit, roll=roll, total=total, modifiers=parts))
            flatten_wire(battle, unit)

"""Rolling cover (OST 23.2): a squad moves with an armoured vehicle between it and the enemy.

A frame on the stack of interruptions with two units and a facing for each step, paid for at the
costs of foot by whoever has fewer points. Where nobody moves, the cover holds as long as the two
are in one hex and nobody gives it up.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.actions import RollingCover
from rulesengine.rulesets.ost.driving import refuse_driver
from rulesengine.rulesets.ost.events import (
    Entered,
    MoveEnded,
    MoveStopped,
    PointsSpent,
    Revealed,
)
from rulesengine.rulesets.ost.going import (
    enemy_ahead,
    hidden_enemies,
    lose_sight,
    owes_reaction,
    take_control,
)
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.hazards import come_upon
from rulesengine.rulesets.ost.kinds import CATEGORY, MOBILE, SQUAD, TRAITS
from rulesengine.rulesets.ost.movement import allowance, load, refuse_leaving, refuse_mover
from rulesengine.rulesets.ost.state import GOOD, OFF, State, View
from rulesengine.rulesets.ost.streets import come_in, mark
from rulesengine.rulesets.ost.tracks import CLOSED, is_reverse, roll_bog, step, turns_one
from rulesengine.rulesets.ost.transport_events import RollingDeclared
from rulesengine.rulesets.ost.vehicle_events import Turned
from rulesengine.rulesets.ost.vehicles import DRIVE, is_armored
from rulesengine.rulesets.ost.works import flatten_wire

COST = 2
"""Impulse Points. OST 23.2.2."""


def refuse_rolling(view: View, action: RollingCover) -> Refusal | None:
    """OST 23.2; refusals of the way are those of any move."""
    state, squad, vehicle = view.state, action.unit, action.vehicle
    if state.impulses[view.side] < COST:
        return Refusal(f"This takes {COST} Impulse Points.", "23.2.2")
    refusal = refuse_mover(view, squad, stealth=False) or refuse_driver(view, vehicle)
    if refusal:
        return refusal
    if CATEGORY[state.kind[squad]] != SQUAD or not is_armored(state, vehicle):
        return Refusal("A squad moves so with an armored vehicle.", "23.2.p1")
    if TRAITS[state.kind[squad]] & MOBILE:
        return Refusal("Mobile troops use no rolling cover.", "6.2.5")
    if state.hex[squad] != state.hex[vehicle]:
        return Refusal("Squad and vehicle start in the same hex.", "23.2.3")
    if GOOD not in (state.morale[squad], state.morale[vehicle]):
        return Refusal("One of the two has to be in good order.", "23.2.2")
    if not action.path or len(action.path) != len(action.facings):
        return Refusal("Name the facing after each step of the path.", "23.4.5")
    return _refuse_path(view, action)


def _refuse_path(view: View, action: RollingCover) -> Refusal | None:
    state, ground = view.state, view.state.ground
    here, facing, spent = state.hex[action.unit], state.facing[action.vehicle], 0
    points = points_of(state, action.unit, action.vehicle)
    needs = load(state, (action.unit, action.vehicle))
    for number, (there, after) in enumerate(zip(action.path, action.facings, strict=True)):
        if ground.grid.direction(here, there) < 0:
            return Refusal("Each hex of the path must be next to the one before.", "23.0.p1")
        if not 0 <= after < 6 or not turns_one(facing, after):
            return Refusal("A step lets the vehicle turn by one hexside.", "23.4.5")
        cost = step_cost(state, here, there, facing)
        shut = step(ground, DRIVE[state.kind[action.vehicle]], here, there).halves == CLOSED
        if shut or cost >= IMPASSABLE:
            return Refusal("Both must be able to go there.", "23.2.4")
        spent += cost
        if spent > points and number:
            return Refusal(f"The path costs {spent} movement points of {points}.", "23.2.3")
        if there in state.melees:
            return Refusal("A melee hex may not be entered by moving.", "30.1.4")
        if any(view.hex[c] == there for c in view.theirs):
            return Refusal("An enemy holds a hex of the path.", "23.0.8")
        if there != state.hex[action.unit] and not state.room(there, view.side, *needs):
            return Refusal("No more units fit into a hex of the path.", "20.0.4")
        refusal = refuse_leaving(state, here) if number else None
        if refusal:
            return refusal
        here, facing = there, after
    return guns.refuse_claim(view, action, here)


def points_of(state: State, squad: int, vehicle: int) -> int:
    """Those of whoever has fewer. OST 23.2.3, 23.2.10."""
    return min(allowance(state, squad), allowance(state, vehicle))


def step_cost(state: State, here: int, there: int, facing: int) -> int:
    """Movement points of a step: those of foot, between houses of the street as the vehicle keeps
    to it, one more backwards. OST 23.2.4, 23.4.4, 16.6.6."""
    direction = state.ground.grid.direction(here, there)
    street = there in state.ground.dual
    return state.ground.cost(here, there, street=street) + is_reverse(direction, facing)


def start(battle: Battle[State], action: RollingCover) -> None:
    state = battle.state
    units = (action.unit, action.vehicle)
    battle.emit(PointsSpent(side=state.side[action.unit], points=COST))
    hidden = tuple(c for c in units if state.hidden[c])
    if hidden:
        battle.emit(Revealed(units=hidden, why="moved"))
    shaky = any(state.morale[c] != GOOD for c in units)
    battle.emit(RollingDeclared(units=units, path=action.path, facings=action.facings, shaky=shaky))
    guns.declare(battle, action)
    go_on(battle)


def go_on(battle: Battle[State]) -> bool:
    """Take up the move on top of the stack. True while the other side owes a decision."""
    state = battle.state
    frame = state.frames[-1]
    vehicle = frame.units[1]
    while frame.at < len(frame.path) and not frame.bumped and not state.bogged[vehicle]:
        here, there = state.hex[vehicle], frame.path[frame.at]
        if enemy_ahead(battle, there):
            break
        met = hidden_enemies(state, frame.side, there)
        if met:
            battle.emit(Revealed(units=met, why="met"))
            battle.emit(MoveStopped(units=frame.units, why="hidden enemy"))
            if owes_reaction(battle):
                return True
            break
        way = step(state.ground, DRIVE[state.kind[vehicle]], here, there)
        if way.halves == CLOSED:  # a house has fallen on its road, 16.7.8
            battle.emit(MoveStopped(units=frame.units, why="no road"))
            break
        cost = step_cost(state, here, there, state.facing[vehicle])
        battle.emit(Entered(units=frame.units, hex=there, cost=cost))
        come_in(battle, frame.units, street=True)
        for unit in frame.units:
            lose_sight(battle, unit)
        if way.bog:
            roll_bog(battle, vehicle)
        flatten_wire(battle, vehicle)
        come_upon(battle, frame.units)
        if owes_reaction(battle):
            return True
        if OFF in (state.hex[c] for c in frame.units):
            break
        _arrive(battle)
    guns.claim(battle, frame.units[0])
    mark(battle, frame.units)
    battle.emit(MoveEnded(units=frame.units))
    return False


def _arrive(battle: Battle[State]) -> None:
    """Take the ground, then turn. OST 23.4.6."""
    state = battle.state
    frame = state.frames[-1]
    vehicle = frame.units[1]
    take_control(battle, frame.units)
    facing = frame.facings[frame.at - 1]
    if facing != state.facing[vehicle] and not state.bogged[vehicle]:
        battle.emit(Turned(unit=vehicle, facing=facing))


def after_reaction(battle: Battle[State], *, suffered: bool) -> bool:
    """The other side has fired or held. Who suffers stops, and the other with him. OST 23.1.6."""
    state = battle.state
    frame = state.frames[-1]
    if suffered:
        if not frame.bumped:
            take_control(battle, frame.units)
        guns.claim(battle, frame.units[0])
        battle.emit(MoveStopped(units=frame.units, why="fire"))
        mark(battle, frame.units)
        battle.emit(MoveEnded(units=frame.units))
        return False
    if not frame.bumped and OFF not in (state.hex[c] for c in frame.units):
        _arrive(battle)
    return go_on(battle)

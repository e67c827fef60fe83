"""Units on their way (OST 21.0.6, 23, 27.6): what befalls who moves, hex by hex.

A move is a frame on the stack of interruptions: after each hex entered the other side may owe
a decision; `go_on` takes the frame up again where it was left.
"""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.actions import Move, Pivot
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.endings import finish
from rulesengine.rulesets.ost.entering import has_waited
from rulesengine.rulesets.ost.events import (
    ControlTaken,
    Entered,
    MoveDeclared,
    MoveEnded,
    MoveStopped,
    Pivoted,
    PointsSpent,
    ReactionOwed,
    Revealed,
)
from rulesengine.rulesets.ost.hazards import come_upon
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    VEHICLE,
)
from rulesengine.rulesets.ost.mobile import come_into, set_out
from rulesengine.rulesets.ost.movement import holds_ground
from rulesengine.rulesets.ost.posts import sight
from rulesengine.rulesets.ost.reaction import can_react
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import (
    NONE,
    OFF,
    State,
)
from rulesengine.rulesets.ost.streets import choose, come_by, mark, step_cost
from rulesengine.rulesets.ost.tracks import roll_bog, step
from rulesengine.rulesets.ost.vehicle_events import AcquisitionLost
from rulesengine.rulesets.ost.vehicles import DRIVE
from rulesengine.rulesets.ost.works import flatten_wire


def start(battle: Battle[State], move: Move) -> None:
    """Declare a move and go as far as nobody interrupts."""
    state = battle.state
    group = (move.unit,) if move.partner == NONE else (move.unit, move.partner)
    battle.emit(PointsSpent(side=state.side[move.unit], points=len(group)))
    hidden = tuple([c for c in group if state.hidden[c]])
    if hidden:
        battle.emit(Revealed(units=hidden, why="moved"))
    waits = move.unit in state.waiting
    battle.emit(
        MoveDeclared(
            units=group,
            path=move.path,
            stealth=move.stealth,
            enters=state.hex[move.unit] == OFF,
            waited=waits and has_waited(state, move.unit),
            after_fire=any(map(state.fired.__getitem__, group)),
        )
    )
    if state.mobile:
        set_out(battle, group)
    if move.streets:
        choose(battle, group, move.streets)
    guns.declare(battle, move)
    go_on(battle)


def go_on(battle: Battle[State]) -> bool:
    """Take up the move on top of the stack. True while the other side owes a decision."""
    state = battle.state
    frame = state.frames[-1]
    units = frame.units
    while frame.at < len(frame.path) and not frame.bumped:
        there = frame.path[frame.at]
        met: tuple[int, ...] = ()
        if there in state.stacks:
            if enemy_ahead(battle, there):
                break
            met = hidden_enemies(state, frame.side, there)
        if met:
            battle.emit(Revealed(units=met, why="met"))
            battle.emit(MoveStopped(units=units, why="hidden enemy"))
            if owes_reaction(battle):
                return True
            break
        starts = tuple([state.hex[unit] for unit in units])
        cost = step_cost(state.ground, starts[0], there, frame.streets)
        battle.emit(Entered(units=units, hex=there, cost=cost))
        _arrive(battle, units, starts)
        if not frame.stealth and owes_reaction(battle):
            return True
        if there in state.control_at:
            take_control(battle, units)
    guns.claim(battle, units[0])
    if frame.onto != NONE or frame.exits:
        finish(battle)
    mark(battle, units)
    battle.emit(MoveEnded(units=units))
    return False


def _arrive(battle: Battle[State], units: tuple[int, ...], starts: tuple[int, ...]) -> None:
    """What befalls units that have come out of some hexes into the next; mostly nothing."""
    state = battle.state
    if state.ground.dual:
        come_by(battle, units)
    if state.armour:
        for unit, here in zip(units, starts, strict=True):
            lose_sight(battle, unit)
            if CATEGORY[state.kind[unit]] == VEHICLE:
                _may_bog(battle, unit, here)
    if state.mobile:
        come_into(battle, units, starts[0])
    if state.covers or state.mined or state.strikes:
        come_upon(battle, units)


def _may_bog(battle: Battle[State], unit: int, start: int) -> None:
    """A vehicle in an assault move rolls like any other, and flattens wire. OST 23.5.1, 13.6.5."""
    state = battle.state
    if step(state.ground, DRIVE[state.kind[unit]], start, state.hex[unit]).bog:
        roll_bog(battle, unit)
    flatten_wire(battle, unit)


def lose_sight(battle: Battle[State], unit: int = NONE) -> None:
    """Vehicles fired at are acquired no longer once the line of sight is broken: by a move of
    `unit`, or without one by anything that came between. OST 29.2.1.

    Who meets his target in one hex, or fell since he fired, has no line to lose.
    """
    state = battle.state
    pairs = [pair for pair in state.acquired if unit == NONE or unit in pair]
    for firer, target in sorted(pairs):
        if state.hex[firer] in (OFF, state.hex[target]):
            continue
        if sight(state, firer, target, state.hex[target]) & 3 == BLOCKED:
            battle.emit(AcquisitionLost(firer=firer, target=target))


def owes_reaction(battle: Battle[State]) -> bool:
    """Whether the other side has a point to fire at what moves, and somebody who could; nobody
    fires at what is still off the map. OST 27.6.1."""
    state = battle.state
    frame = state.frames[-1]
    other = 1 - frame.side
    if not state.impulses[other]:
        return False
    moving = in_the_move(state) if state.riding else frame.units
    if OFF in [state.hex[c] for c in moving]:  # the others may have come through the mines
        moving = tuple(c for c in moving if state.hex[c] != OFF)
    if moving and can_react(state, other, moving):
        battle.emit(ReactionOwed(side=other))
        return True
    return False


def enemy_ahead(battle: Battle[State], there: int) -> bool:
    """Whether an enemy holds the next hex who has shown himself since the move was declared, by his
    fire at it: it ends before him. OST 23.0.8, 21.0.4."""
    state = battle.state
    frame = state.frames[-1]
    if all(state.hidden[c] for c in state.in_hex(there, 1 - frame.side)):
        return False
    battle.emit(MoveStopped(units=frame.units, why="enemy in the way"))
    return True


def hidden_enemies(state: State, side: int, h: int) -> tuple[int, ...]:
    return tuple([c for c in state.in_hex(h, 1 - side) if state.hidden[c]])


def after_reaction(battle: Battle[State], *, suffered: bool) -> bool:
    """The other side has fired or held: stop, or go on. True while it owes another decision.

    OST 27.6.3, 23.0.9, 23.1.6: who suffers an effect stops, and the group with him.
    """
    state = battle.state
    frame = state.frames[-1]
    if not frame.bumped:
        take_control(battle, frame.units)
    if suffered:
        guns.claim(battle, frame.units[0])
        battle.emit(MoveStopped(units=frame.units, why="fire"))
        mark(battle, frame.units)
        battle.emit(MoveEnded(units=frame.units))
        return False
    return go_on(battle)


def take_control(battle: Battle[State], units: tuple[int, ...]) -> None:
    """OST 3.2.2, 3.2.3: a good order unit that moves into or through a control hex takes it."""
    state = battle.state
    for c in units:
        if holds_ground(state, c):
            h, side = state.hex[c], state.side[c]
            place = state.control_at.get(h, NONE)
            if place != NONE and h not in state.melees and state.control[place] != side:
                battle.emit(ControlTaken(place=place, side=side))
            return


def pivot(battle: Battle[State], action: Pivot) -> None:
    battle.emit(PointsSpent(side=battle.state.side[action.unit], points=1))
    battle.emit(Pivoted(unit=action.unit, facing=action.facing))

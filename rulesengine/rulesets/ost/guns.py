"""Anti-tank guns without their crews (OST 8.0.2 to 8.0.9, 8.2): left, manned, captured, wrecked.

A squad that mans a gun keeps its counter, which takes the gun's type, facing and figures; what
it was stands in `state.manning`, so that it can leave the gun again.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import LeaveGun, Move
from rulesengine.rulesets.ost.events import Handed
from rulesengine.rulesets.ost.kinds import CATEGORY, LARGE, SQUAD, TRAITS
from rulesengine.rulesets.ost.state import (
    BROKEN,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.streets import refuse_large
from rulesengine.rulesets.ost.vehicle_events import GunAbandoned, GunDestroyed, GunLeft, GunManned

REMAINS_ON = 5
"""1D6, this or more: the gun stays on the field. OST 8.0.2."""


def refuse_claim(view: View, move: Move) -> Refusal | None:
    """OST 8.0.3, 8.0.6, 8.0.9: whoever moves onto a gun destroys it at will, a squad may man it. A
    gun too large for the house is manned in the street, 8.0.8."""
    state = view.state
    if state.unmanned.get(move.gun, OFF) != move.path[-1]:
        return Refusal("No unmanned gun stands where the path ends.", "8.0.6")
    if move.scrap:
        return None
    if CATEGORY[state.kind[move.unit]] != SQUAD:
        return Refusal("Only a squad mans a gun.", "8.0.3")
    end = move.path[-1]
    if TRAITS[state.kind[move.gun]] & LARGE and end not in move.streets:
        return refuse_large(state, (end,))
    return None


def claim(battle: Battle[State], unit: int) -> None:
    """What a unit came for: man the gun or destroy it, after any fire at it. OST 8.0.9.

    Who is broken does neither.
    """
    state = battle.state
    frame = state.frames[-1]
    gun = frame.gun
    here = state.hex[unit]
    if here == OFF or state.morale[unit] == BROKEN or state.unmanned.get(gun, OFF) != here:
        return
    if frame.scrap:
        battle.emit(GunDestroyed(unit=unit, gun=gun))
        return
    if state.weapon[unit] != NONE:
        battle.emit(Handed(weapon=state.weapon[unit], unit=NONE, why="manning"))
    captured = state.side[gun] != state.side[unit]
    battle.emit(GunManned(unit=unit, gun=gun, captured=captured))


def lose_crew(battle: Battle[State], unit: int, h: int) -> None:
    """The crew of a gun has been eliminated: the attacker rolls for the gun. OST 8.0.2."""
    state = battle.state
    gun = state.manning[unit][0] if unit in state.manning else unit
    roll = battle.dice.roll(6, 1)
    battle.emit(GunLeft(gun=gun, hex=h, roll=roll, remains=roll.total >= REMAINS_ON))


def refuse_leave(view: View, action: LeaveGun) -> Refusal | None:
    """OST 8.2."""
    state, unit = view.state, action.unit
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "8.2.2")
    if unit not in state.manning:
        return Refusal("A gun's own crew never abandon it.", "8.2.1")
    if unit in state.riding:
        return Refusal("It is on a vehicle, and has to be unloaded first.", "24.0.2")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    return None


def leave(battle: Battle[State], action: LeaveGun) -> None:
    battle.emit(GunAbandoned(unit=action.unit, destroyed=action.destroy))

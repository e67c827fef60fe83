"""Anti-tank guns without their crews (OST 8.0.2 to 8.0.9, 8.2): left, manned, captured, wrecked.

A squad that mans a gun keeps its counter, which takes the gun's type, facing and figures; what
it was stands in `state.manning`, so that it can leave the gun again.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import (
    AssaultMove,
    LeaveGun,
    Move,
    RollingCover,
    Unload,
)
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
from rulesengine.rulesets.ost.vehicle_events import (
    GunAbandoned,
    GunClaimed,
    GunDestroyed,
    GunLeft,
    GunManned,
)

REMAINS_ON = 5
"""1D6, this or more: the gun stays on the field. OST 8.0.2."""


Onto = Move | AssaultMove | Unload | RollingCover
"""Orders that can bring a unit onto a gun."""


def refuse_claim(view: View, order: Onto, end: int) -> Refusal | None:
    """OST 8.0.3, 8.0.6, 8.0.9: whoever moves onto a gun, in whatever way, destroys it at will, a
    squad may man it. A gun too large for the house is manned in the street, 8.0.8."""
    state = view.state
    if order.gun == NONE:
        return None
    if state.unmanned.get(order.gun, OFF) != end:
        return Refusal("No unmanned gun stands where the path ends.", "8.0.6")
    if any(view.hex[c] == end for c in view.theirs):
        return Refusal("The enemy beside the gun has to be fought first.", "30.1.3")
    if order.scrap:
        return None
    if CATEGORY[state.kind[order.unit]] != SQUAD:
        return Refusal("Only a squad mans a gun.", "8.0.3")
    if TRAITS[state.kind[order.gun]] & LARGE and not _by_street(order, end):
        return refuse_large(state, (end,))
    return None


def _by_street(order: Onto, end: int) -> bool:
    """Whether it comes into the road of a hex that has a house too. OST 16.6.1, 23.2."""
    if isinstance(order, AssaultMove):
        return order.street
    return isinstance(order, RollingCover) or end in order.streets


def declare(battle: Battle[State], order: Onto) -> None:
    """Say that a move goes for a gun. OST 8.0.6."""
    if order.gun != NONE:
        battle.emit(GunClaimed(unit=order.unit, gun=order.gun, scrap=order.scrap))


def claim(battle: Battle[State], unit: int) -> None:
    """What a unit came for, if anything, once its way is done: man the gun or destroy it, after any
    fire at it. OST 8.0.9.

    Who is broken does neither.
    """
    state = battle.state
    frame = state.frames[-1]
    gun = frame.gun
    if gun == NONE or frame.at != len(frame.path) or frame.bumped:
        return
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

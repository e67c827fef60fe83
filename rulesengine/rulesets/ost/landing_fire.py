"""Fire at who comes down next to the enemy (OST 26.3.9): half of it, for nothing.

One attack on each unit that jumps, by one enemy unit or a group of two, in the hex or next to it.
The target is in the air: nothing on the ground covers it or hides it, heights do not count.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import casualties
from rulesengine.rulesets.ost.actions import Fire, FireAtLanding, HoldFire
from rulesengine.rulesets.ost.airborne_events import (
    LandingFired,
    LandingFireHeld,
    LandingFireOwed,
)
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.embrasures import WHY, barred
from rulesengine.rulesets.ost.events import Revealed, Shot
from rulesengine.rulesets.ost.fire import (
    firepower,
    in_arc,
    leads,
    look_up,
    roll_modifiers,
    smoked,
    weapons_firepower,
)
from rulesengine.rulesets.ost.gunnery import both_rolls
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    ARC,
    ASTERISK,
    CATEGORY,
    DEFENSE,
    FLAME,
    LEADER,
    MORTAR,
    SNIPER,
    THROWN,
    TRAITS,
    VEHICLE,
    WEAPON,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.state import BROKEN, NONE, OFF, SHAKEN, State, View
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.vehicles import MG, figures_of, hull_works, main_works, mgs_work

HALF = code("FIRE_AT_LANDING")
NOT_AT_MEN = ANTITANK | MORTAR | WHOLE_HEX | THROWN | FLAME
"""Support weapons that are no help against men in the air."""


def weapon_of(state: State, unit: int) -> int:
    """The support weapon a unit fires along with its own, or NONE."""
    weapon = state.weapon[unit]
    useful = weapon != NONE and not TRAITS[state.kind[weapon]] & NOT_AT_MEN
    return weapon if useful and state.firer_of[weapon] in (NONE, unit) else NONE


def own_firepower(state: State, c: int, h: int) -> int:
    """What a unit by itself can fire into the air over a hex: of a vehicle its best armament."""
    if CATEGORY[state.kind[c]] != VEHICLE:
        return state.figures(c)[0]
    powers = [MG[state.kind[c]]] if mgs_work(state, c) else []
    for hull, works in ((False, main_works(state, c)), (True, hull_works(state, c))):
        fixed = hull or TRAITS[state.kind[c]] & ARC
        if works and (not fixed or in_arc(state.ground, state.hex[c], h, state.facing[c])):
            powers.append(figures_of(state, c, hull=hull)[0])
    return max(powers, default=0)


def why_not(state: State, c: int, h: int) -> Refusal | None:
    """Why a unit cannot fire at who comes down over a hex. OST 26.3.9, 17.3.2, 30.1.3, 24.0.6,
    8.0.10, 8.0.12, 13.5.10."""
    here, kind = state.hex[c], state.kind[c]
    if here == OFF or state.ground.grid.distance(here, h) > 1:
        return Refusal("Only who is in the hex or next to it fires at a landing.", "26.3.9")
    if (c, 0) in state.frames[-1].shots:
        return Refusal("It has fired at this landing.", "26.3.9")
    if state.morale[c] == BROKEN:
        return Refusal("A broken unit may not fire.", "17.3.2")
    if here in state.melees:
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if c in state.mute:
        return Refusal("Who rides, or carries riders, may not fire.", "24.0.6")
    if CATEGORY[kind] in (LEADER, WEAPON):
        return Refusal("Leaders have no firepower of their own.", "7.2.1")
    traits = TRAITS[kind]
    if traits & ASTERISK and state.displaced[c]:
        return Refusal("It has moved and is marked *: it may not fire after moving.", "8.0.10")
    arc = CATEGORY[kind] != VEHICLE and traits & ARC
    if arc and not in_arc(state.ground, here, h, state.facing[c]):
        return Refusal("The target is outside the weapon's covered arc.", "8.0.12")
    rule = barred(state, c, here, h) if state.pillboxes else ""
    if rule:
        return Refusal(WHY[rule], rule)
    if not own_firepower(state, c, h) and weapon_of(state, c) == NONE:
        return Refusal("It has nothing to fire with.", "26.3.9")
    return None


def owes(battle: Battle[State], side: int, h: int) -> bool:
    """Ask the enemy of a side whose unit comes down over a hex, if he can fire at all."""
    state = battle.state
    if all(why_not(state, c, h) for c in state.of_side[1 - side]):
        return False
    battle.emit(LandingFireOwed(side=1 - side))
    return True


def target_of(state: State) -> int:
    """Who comes down."""
    frame = state.frames[-1]
    return next(c for c in (*frame.units, *frame.queue) if state.hex[c] != OFF)


def refuse(view: View, action: FireAtLanding) -> Refusal | None:
    """OST 26.3.9, 27.8."""
    state = view.state
    h = state.hex[target_of(state)]
    one, two = action.firer, action.partner
    for c in (one, two) if two != NONE else (one,):
        if state.side[c] != view.side:
            return Refusal("That is not a unit of yours.", "27.4.1")
        refusal = why_not(state, c, h)
        if refusal:
            return refusal
    return _refuse_group(state, one, two) if two != NONE else None


def _refuse_group(state: State, one: int, two: int) -> Refusal | None:
    if one == two:
        return Refusal("A fire group is two units.", "27.8.p1")
    if any(CATEGORY[state.kind[c]] == VEHICLE for c in (one, two)):
        return Refusal("Vehicles take no part in fire groups.", "27.8.3")
    if any(CATEGORY[state.kind[c]] == SNIPER for c in (one, two)):
        return Refusal("Snipers take no part in groups.", "7.1.1")
    if state.ground.grid.distance(state.hex[one], state.hex[two]) > 1:
        return Refusal("The units must be in the same or adjacent hexes.", "27.8.p1")
    if all(state.good_leader(c) == NONE for c in (one, two)):
        return Refusal("A group needs an attached leader in good order.", "27.8.p1")
    return None


def force(state: State, one: int, two: int, target: int) -> tuple[Tally, Tally]:
    """(what is fired, that as it counts): all of it halved after what changes it. OST 26.3.9."""
    h = state.hex[target]
    firers = (one,) if two == NONE else (one, two)
    if CATEGORY[state.kind[one]] == VEHICLE:
        weapons = Tally(own_firepower(state, one, h))
    else:
        fire = Fire(
            firer=one,
            target=target,
            weapon=weapon_of(state, one),
            partner=two,
            partner_weapon=weapon_of(state, two) if two != NONE else NONE,
        )
        weapons = weapons_firepower(state, fire, target, (1,) * len(firers))
    shaken = len(firers) == 1 and state.morale[one] == SHAKEN
    strength = firepower(weapons.value, adjacent=True, shaken=shaken, smoked=smoked(state, firers))
    strength.halve(HALF)
    return weapons, strength.at_least(1)


def _changes(state: State, firers: tuple[int, ...], *, ambush: bool) -> Tally:
    """What changes the roll. OST 27.1.3; the leader of a tank is an armor leader, 7.4.4."""
    moved = any(state.moved[c] for c in firers)
    if CATEGORY[state.kind[firers[0]]] == VEHICLE:
        led = state.good_leader(firers[0]) != NONE
        return both_rolls(moved=moved, armor_leader=led, ambush=ambush)
    return roll_modifiers(moved=moved, leader=leads(state, firers), ambush=ambush)


def resolve(battle: Battle[State], action: FireAtLanding | HoldFire) -> None:
    """Carry the attack out, before the target is on any ground. OST 26.3.9, 26.3.10, 28.1."""
    state = battle.state
    side = 1 - state.frames[-1].side
    if isinstance(action, HoldFire):
        battle.emit(LandingFireHeld(side=side))
        return
    target = target_of(state)
    one, two = action.firer, action.partner
    firers = (one,) if two == NONE else (one, two)
    hidden = tuple(c for c in firers if state.hidden[c])
    weapons, strength = force(state, one, two, target)
    changes = _changes(state, firers, ambush=bool(hidden))
    if hidden:
        battle.emit(Revealed(units=hidden, why="fired"))
    carried = tuple(w for w in (weapon_of(state, c) for c in firers) if w != NONE)
    battle.emit(LandingFired(firers=firers, weapons=carried, unit=target))
    resistance = DEFENSE[state.kind[target]]
    roll = battle.dice.roll(6, 2)
    at, total = column(strength.value, resistance), roll.total + changes.value
    result = look_up(at, total)
    battle.emit(
        Shot(
            firers=firers,
            target=target,
            distance=state.ground.grid.distance(state.hex[one], state.hex[target]),
            firepower=strength.value,
            defense=resistance,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*weapons.parts, *strength.parts, *changes.parts),
        )
    )
    casualties.apply_result(battle, target, result)

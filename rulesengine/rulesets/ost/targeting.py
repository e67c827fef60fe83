"""Who may fire at what (OST 27.4, 27.6 to 27.8, 8.1, 10.0): the refusals of fire combat.

From what the side knows: a target it does not see is refused without saying that it is there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.contract import Refusal
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.embrasures import WHY, barred
from rulesengine.rulesets.ost.fire import MOST_DEGRADING, degrading, firers_of, in_arc
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    ARC,
    ASTERISK,
    BLOWBACK,
    CATEGORY,
    ENGINEER,
    ENGINEERS_ONLY,
    FLAME,
    LEADER,
    MORTAR,
    OWN_RANGE,
    RANGE,
    SNIPER,
    SOFT_ONLY,
    SQUAD,
    SUSTAINED,
    THROWN,
    TRAITS,
    VEHICLE,
    WEAPON,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.posts import ranged, shut_in, sight
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.vehicles import is_gun, is_vehicle, lets_small_arms_in
from rulesengine.rulesets.ost.works import CRAMPED, is_walled, work_of


def refuse_fire(view: View, fire: Fire, moving: tuple[int, ...] = ()) -> Refusal | None:
    """Why a fire action may not be done. `moving` are the units that opportunity fire may
    be aimed at; empty in one's own impulse."""
    return (
        refuse_target(view, fire.target, fire.firer, moving)
        or _refuse_firer(view, fire)
        or _refuse_reach(view, fire.firer, fire.weapon, fire.target, alone=fire.alone)
        or (_refuse_group(view, fire) if fire.partner != NONE else None)
        or (_refuse_second(view, fire, moving) if fire.second != NONE else None)
    )


def refuse_target(view: View, target: int, firer: int, moving: tuple[int, ...]) -> Refusal | None:
    """Whether an enemy can be aimed at by a unit. OST 27.4."""
    state = view.state
    if state.side[target] == view.side or view.hex[target] == OFF:
        return Refusal("There is no enemy unit you can see there.", "27.4.1")
    if CATEGORY[state.kind[target]] == WEAPON:
        return Refusal("Support weapons are not targets.", "5.0.4")
    if view.hex[target] in state.melees:
        rule = "30.1.2" if CATEGORY[state.kind[firer]] == VEHICLE else "27.4.3"
        return Refusal("Units in a melee may not be fired at.", rule)
    if CATEGORY[state.kind[target]] == LEADER and CATEGORY[state.kind[firer]] != SNIPER:
        here = state.in_hex(view.hex[target], state.side[target])
        if any(CATEGORY[state.kind[c]] != LEADER and view.hex[c] != OFF for c in here):
            return Refusal("Only a sniper can pick out a leader among other units.", "27.4.6")
    if moving and target not in moving and state.attached[target] not in moving:
        return Refusal("Opportunity fire is at the unit that moves.", "27.6.p1")
    return None


def _refuse_firer(view: View, fire: Fire) -> Refusal | None:
    state = view.state
    cost = len(firers_of(fire))
    if state.impulses[view.side] < cost:
        rule = "27.8.2" if cost > 1 else "27.4.1"
        return Refusal(f"This takes {cost} Impulse Points, more than are left.", rule)
    if cost > 1 and any(is_vehicle(state, c) for c in firers_of(fire)):
        rolling = any(c in state.rolling for c in firers_of(fire))
        rule = "23.2.5" if rolling else "27.8.3"
        return Refusal("Vehicles take no part in fire groups.", rule)
    for firer in firers_of(fire):
        refusal = _refuse_unit(view, firer)
        if refusal:
            return refusal
    if state.acts(fire.firer) >= 2 and state.morale[fire.firer] != GOOD:
        return Refusal("Only a good order unit can fire intensively.", "27.7.p1")
    for firer, weapon in ((fire.firer, fire.weapon), (fire.partner, fire.partner_weapon)):
        if weapon != NONE:
            refusal = _refuse_weapon(view, firer, weapon)
            if refusal:
                return refusal
    return None


def _refuse_unit(view: View, firer: int) -> Refusal | None:
    """Whether a unit of the side can fire at all."""
    state = view.state
    kind = state.kind[firer]
    if state.side[firer] != view.side or state.hex[firer] == OFF:
        return Refusal("That is not a unit of yours on the map.", "27.4.1")
    if CATEGORY[kind] == WEAPON:
        return Refusal("A support weapon is fired by the squad that carries it.", "10.0.p1")
    if CATEGORY[kind] == LEADER:
        return Refusal("Leaders have no firepower of their own.", "7.2.1")
    if CATEGORY[kind] == VEHICLE:
        return Refusal("A vehicle fires its armaments by an order of its own.", "29.1.5")
    if state.locked(firer):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if state.morale[firer] == BROKEN:
        return Refusal("A broken unit may not fire.", "17.3.2")
    if state.done[firer]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if firer in state.mute:
        return refuse_mute(state, firer)
    if TRAITS[kind] & ASTERISK and state.displaced[firer]:
        return Refusal("It has moved and is marked *: it may not fire after moving.", "8.0.10")
    return None


def refuse_mute(state: State, unit: int) -> Refusal:
    """Why riders, what carries them and guns just unloaded do not fire."""
    if unit in state.riding:
        return Refusal("Who rides on a vehicle may not fire.", "24.0.6")
    if is_vehicle(state, unit):
        return Refusal("It carries passengers and may not fire.", "24.0.7")
    return Refusal("A gun may not fire in the turn it is unloaded.", "24.2.5")


def _refuse_weapon(view: View, firer: int, weapon: int) -> Refusal | None:
    state = view.state
    if state.weapon[firer] != weapon or CATEGORY[state.kind[firer]] != SQUAD:
        return Refusal("The unit does not carry that support weapon.", "10.0.p1")
    if TRAITS[state.kind[weapon]] & BLOWBACK and work_of(state, firer) in CRAMPED:
        return Refusal("Its back-blast leaves no room for it in there.", "10.1.3")
    traits = TRAITS[state.kind[weapon]]
    if traits & (WHOLE_HEX | MORTAR):
        rule = "10.2.2" if traits & WHOLE_HEX else "10.3.2"
        return Refusal("That weapon strikes a hex, and without the squad's own fire.", rule)
    if traits & ENGINEERS_ONLY and not TRAITS[state.kind[firer]] & ENGINEER:
        return Refusal("Only engineers use a flamethrower.", "6.1.4")
    if state.firer_of[weapon] not in (NONE, firer):
        return Refusal("Another squad has used that weapon this turn.", "10.0.10")
    return None


def _refuse_reach(
    view: View, firer: int, weapon: int, target: int, *, alone: bool
) -> Refusal | None:
    """Range, line of sight and covered arc of one firer. OST 27.4.2."""
    state = view.state
    a, b = state.hex[firer], view.hex[target]
    if a == b:
        return Refusal("An enemy in the same hex is fought in melee.", "27.4.2")
    if sight(state, firer, target, b) & 3 == BLOCKED:
        rule = "15.3.7" if shut_in(state, firer, target, b) else "12.2.1"
        return Refusal("The line of sight is blocked.", rule)
    if state.pillboxes:
        rule = barred(state, firer, a, b, target)
        if rule:
            return Refusal(WHY[rule], rule)
    distance = ranged(state, firer, target, b)
    own = state.figures(firer)[1]
    kind = state.kind[weapon] if weapon != NONE else NONE
    reach = RANGE[kind][1] if kind != NONE else 0
    if kind != NONE and TRAITS[kind] & (THROWN | FLAME):
        near = not alone and state.ground.grid.distance(a, b) == 1
        if is_vehicle(state, target):
            return None if near else Refusal("It is used on a vehicle in the next hex.", "10.0.8")
        if not near:
            return Refusal("It reaches the next hex and no farther.", "27.4.2")
    if kind != NONE and TRAITS[kind] & ANTITANK:
        return _refuse_antitank(view, kind, target, distance, alone=alone)
    if state.armour and is_vehicle(state, target):
        small = not is_gun(state, firer)
        if small and not lets_small_arms_in(state, target):
            return Refusal("Against armor it takes armor-piercing firepower.", "29.0.1")
    if alone:
        if kind == NONE or not TRAITS[kind] & OWN_RANGE or own >= distance:
            return Refusal("Only a weapon that outranges its squad fires alone.", "10.0.5")
        if distance > reach:
            return Refusal(
                f"{hex_count(distance)} is past the weapon's range of {reach}.", "27.4.2"
            )
    elif distance > own:
        return Refusal(f"{hex_count(distance)} is past the range of {own}.", "27.4.2")
    elif kind != NONE and distance > reach:
        return Refusal(f"{hex_count(distance)} is past the weapon's range of {reach}.", "27.4.2")
    if TRAITS[state.kind[firer]] & ARC and not in_arc(state.ground, a, b, state.facing[firer]):
        return Refusal("The target is outside the weapon's covered arc.", "8.0.12")
    return None


def _refuse_antitank(
    view: View, kind: int, target: int, distance: int, *, alone: bool
) -> Refusal | None:
    """OST 10.1: at vehicles, and with HE at foot units in structures."""
    state = view.state
    if alone:
        return Refusal("Only a weapon that outranges its squad fires alone.", "10.0.5")
    if distance > RANGE[kind][1]:
        return Refusal(
            f"{hex_count(distance)} is past the weapon's range of {RANGE[kind][1]}.",
            "29.0.2",
        )
    if is_vehicle(state, target):
        return None
    if TRAITS[kind] & SOFT_ONLY or not is_walled(state, target):
        return Refusal("At foot units it is fired into structures only, and with HE.", "10.1.2")
    return None


def _refuse_group(view: View, fire: Fire) -> Refusal | None:
    """OST 27.8."""
    state = view.state
    one, two = fire.firer, fire.partner
    if one == two:
        return Refusal("A fire group is two units.", "27.8.p1")
    if fire.second != NONE:
        return Refusal("Sustained fire cannot be part of a fire group.", "8.1.4")
    if is_vehicle(state, fire.target) and any(_is_antitank(state, fire)):
        return Refusal("Guns do not group against a vehicle.", "27.8.4")
    if is_vehicle(state, fire.target) and any(
        weapon != NONE and TRAITS[state.kind[weapon]] & (THROWN | FLAME)
        for weapon in (fire.weapon, fire.partner_weapon)
    ):
        return Refusal("At a vehicle it is used without any squad's own fire.", "10.0.8")
    if fire.alone:
        return Refusal("A weapon past its squad's range fires on its own.", "10.0.5")
    if any(CATEGORY[state.kind[c]] == SNIPER for c in (one, two)):
        return Refusal("Snipers take no part in groups.", "7.1.1")
    if any(state.acts(c) >= 2 for c in (one, two)):
        return Refusal("A unit that has done its two actions fires alone.", "22.0.1")
    if state.ground.grid.distance(state.hex[one], state.hex[two]) > 1:
        return Refusal("The units must be in the same or adjacent hexes.", "27.8.p1")
    if all(state.good_leader(c) == NONE for c in (one, two)):
        return Refusal("A group needs an attached leader in good order.", "27.8.p1")
    refusal = _refuse_reach(view, two, fire.partner_weapon, fire.target, alone=False)
    if refusal:
        return refusal
    if degrading(state, (one, two), fire.target) > MOST_DEGRADING:
        return Refusal("More than two degrading hexes lie between.", "27.8.8")
    return None


def _is_antitank(state: State, fire: Fire) -> Iterator[bool]:
    for firer, weapon in ((fire.firer, fire.weapon), (fire.partner, fire.partner_weapon)):
        yield is_gun(state, firer)
        yield weapon != NONE and bool(TRAITS[state.kind[weapon]] & ANTITANK)


def _refuse_second(view: View, fire: Fire, moving: tuple[int, ...]) -> Refusal | None:
    """OST 8.1."""
    state = view.state
    if not TRAITS[state.kind[fire.firer]] & SUSTAINED:
        rule = "8.1.1" if fire.weapon == NONE else "8.1.3"
        return Refusal("Only crewed heavy and medium machine guns sustain fire.", rule)
    if state.acts(fire.firer) >= 2:
        return Refusal("Sustained fire is a normal fire action, never intensive.", "8.1.9")
    refusal = refuse_target(view, fire.second, fire.firer, moving) or _refuse_reach(
        view, fire.firer, NONE, fire.second, alone=False
    )
    if refusal:
        return refusal
    if state.ground.grid.distance(view.hex[fire.target], view.hex[fire.second]) > 1:
        return Refusal("Both targets must be in the same or adjacent hexes.", "8.1.5")
    return None

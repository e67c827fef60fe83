"""Weapons that strike all of a hex (OST 10.2, 10.3): satchel charges and mortars of squads.

Both are firing actions of the squad that carries them and may be opportunity fire, at the hex the
enemy moves into (27.6.9).
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.actions import HexFire
from rulesengine.rulesets.ost.artillery import drifted, uncover
from rulesengine.rulesets.ost.carriage import in_street
from rulesengine.rulesets.ost.damage import is_moving
from rulesengine.rulesets.ost.embrasures import WHY, barred
from rulesengine.rulesets.ost.events import PointsSpent, Revealed, ShakenByOwnFire
from rulesengine.rulesets.ost.field_events import SmokeLaid, WorkRemoved
from rulesengine.rulesets.ost.fire import (
    HEIGHT_ADVANTAGE,
    HEIGHT_DISADVANTAGE,
    INTENSIVE_FIREPOWER,
    OUT_OF_SMOKE,
    SHAKEN_FIREPOWER,
    SMOKE_FIREPOWER,
    inspired,
    roll_modifiers,
    smoked,
)
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    FIREPOWER,
    MIN_RANGE,
    MORTAR,
    RANGE,
    SOFT,
    SQUAD,
    TRAITS,
    VEHICLE,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.lines import open_shield
from rulesengine.rulesets.ost.posts import advantage, over_hex, sight, spots
from rulesengine.rulesets.ost.sight import BLOCKED, party_walls, shield
from rulesengine.rulesets.ost.state import BROKEN, GOOD, NONE, OFF, SHAKEN, State, View
from rulesengine.rulesets.ost.support_events import AccuracyRolled, HexFireDeclared, MortarDrifted
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.targeting import refuse_mute
from rulesengine.rulesets.ost.throwing import hurl
from rulesengine.rulesets.ost.vehicle_events import Expended
from rulesengine.rulesets.ost.vehicles import armored
from rulesengine.rulesets.ost.volley import springs_up
from rulesengine.rulesets.ost.works import FRESH, ROADBLOCK, WIRE, is_shut_in

ON_TARGET = 4
"""Lowest 1D6 that a mortar hits its hex with. OST 10.3.5."""
LEADER_AT_MORTAR = code("LEADER_AT_MORTAR")
SHAKEN_MORTAR = code("SHAKEN_MORTAR")
MOVED_MORTAR = code("MOVED_MORTAR")
SHAKEN_SATCHEL = code("SHAKEN_SATCHEL")
CHARGE = 10
"""Firepower of a satchel charge, never modified. OST 10.2.3."""


def refuse(view: View, action: HexFire, moving: tuple[int, ...] = ()) -> Refusal | None:
    """OST 10.2, 10.3, 27.4; `moving` as for `targeting.refuse_fire`."""
    state, unit, weapon = view.state, action.unit, action.weapon
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "27.4.1")
    if state.weapon[unit] != weapon or CATEGORY[state.kind[unit]] != SQUAD:
        return Refusal("The unit does not carry that support weapon.", "10.0.p1")
    traits = TRAITS[state.kind[weapon]]
    if not traits & (MORTAR | WHOLE_HEX):
        return Refusal("That weapon is fired at a unit, not at a hex.", "27.4.4")
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "27.4.1")
    if state.locked(unit):
        return Refusal("It is not used in a melee.", "10.3.14" if traits & MORTAR else "10.2.6")
    if state.morale[unit] == BROKEN:
        return Refusal("A broken unit may not fire.", "17.3.2")
    if state.done[unit]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if state.acts(unit) >= 2 and state.morale[unit] != GOOD:
        return Refusal("Only a good order unit can fire intensively.", "27.7.p1")
    if unit in state.mute:
        return refuse_mute(state, unit)
    if state.firer_of[weapon] not in (NONE, unit):
        return Refusal("Another squad has used that weapon this turn.", "10.0.10")
    if action.hex in state.melees and not action.smoke:
        return Refusal("Units in a melee may not be fired at.", "27.4.3")
    if moving and (action.smoke or not _strikes_mover(view, action, moving)):
        return Refusal("Opportunity fire is at the unit that moves.", "27.6.p1")
    return (_refuse_mortar if traits & MORTAR else _refuse_charge)(view, action)


def _strikes_mover(view: View, action: HexFire, moving: tuple[int, ...]) -> bool:
    """Whether a unit that moves in the hex is seen, and is nothing a mortar cannot hurt: who merely
    stands beside it is no reason to fire. OST 27.6.p1, 10.3.9."""
    state, unit = view.state, action.unit
    mortar = TRAITS[state.kind[action.weapon]] & MORTAR
    there = [c for c in moving if view.hex[c] == action.hex]
    if mortar:
        there = [c for c in there if not armored(state.kind[c])]
    return any(sight(state, unit, c, action.hex) & 3 != BLOCKED for c in there)


def _refuse_charge(view: View, action: HexFire) -> Refusal | None:
    state = view.state
    if action.smoke:
        return Refusal("A satchel charge lays no smoke.", "13.9.1")
    if state.ground.grid.distance(state.hex[action.unit], action.hex) != 1:
        return Refusal("A satchel charge is thrown into the next hex.", "10.2.p1")
    if party_walls(state.ground, state.hex[action.unit], action.hex):
        return Refusal("A party wall of row houses stands between.", "16.4.3")
    return None


def _refuse_mortar(view: View, action: HexFire) -> Refusal | None:
    """OST 10.3.1, 10.3.3, 10.3.9, 10.3.15; downhill a hex farther, 12.4.6."""
    state, unit, kind = view.state, action.unit, view.state.kind[action.weapon]
    here = state.hex[unit]
    if is_shut_in(state, unit):
        return Refusal("A mortar is not fired out of there.", "10.3.15")
    distance = state.ground.grid.distance(here, action.hex)
    farthest = RANGE[kind][1] + (over_hex(state, unit, action.hex) > 0)
    if not MIN_RANGE[kind] <= distance <= farthest:
        words = f"{hex_count(distance)}; it reaches from {MIN_RANGE[kind]} to {farthest}."
        return Refusal(words, "10.3.1")
    if spots(state, unit, action.hex) & 3 == BLOCKED:
        return Refusal("The squad itself must see the hex.", "10.3.3")
    if not action.smoke and _all_armored(view, action.hex):
        return Refusal("A mortar is not aimed at armored vehicles.", "10.3.9")
    rule = "" if action.smoke else barred(state, unit, here, action.hex)
    return Refusal(WHY[rule], rule) if rule else None


def _all_armored(view: View, h: int) -> bool:
    """Whether the enemies seen in a hex are armored vehicles, to which a mortar does nothing, with
    their armor leaders. OST 10.3.9."""
    kinds = [view.state.kind[c] for c in view.theirs if view.hex[c] == h]
    return bool(kinds) and all(armored(kind) or TRAITS[kind] & ARMOR for kind in kinds)


def resolve(battle: Battle[State], action: HexFire, *, reaction: bool) -> bool:
    """Carry it out. True if units that move there have to stop: what else it hits, in their hex or
    adrift, halts nobody. OST 27.6.3."""
    state, unit = battle.state, action.unit
    hidden, intensive = state.hidden[unit], state.acts(unit) >= 2
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    if hidden:
        battle.emit(Revealed(units=(unit,), why="fired"))
    mortar = bool(TRAITS[state.kind[action.weapon]] & MORTAR)
    battle.emit(
        HexFireDeclared(
            unit=unit,
            weapon=action.weapon,
            hex=action.hex,
            mortar=mortar,
            smoke=action.smoke,
            reaction=reaction,
            intensive=intensive,
        )
    )
    ambush = hidden or (reaction and springs_up(state, (unit,)))
    changes = _changes(state, unit, ambush=ambush, intensive=intensive)
    carry_out = _fire_mortar if mortar else _throw
    suffered = carry_out(battle, action, changes, intensive=intensive)
    if intensive and state.hex[unit] != OFF:
        battle.emit(ShakenByOwnFire(unit=unit))
    return suffered


def _changes(state: State, unit: int, *, ambush: bool, intensive: bool) -> Tally:
    """What changes the attack rolls. OST 10.2.3, 10.3.4, 27.1.3."""
    return roll_modifiers(
        moved=state.moved[unit], leader=inspired(state, unit), ambush=ambush, intensive=intensive
    )


# --- satchel charges ---------------------------------------------------------------------------


def _throw(battle: Battle[State], action: HexFire, changes: Tally, *, intensive: bool) -> bool:
    """All units of the next hex at ten, vehicles at half of it; then the building, obstacles.
    OST 10.2, 10.0.8, 13.6.7, 13.7.5."""
    state, unit, h = battle.state, action.unit, action.hex
    if state.morale[unit] == SHAKEN:
        changes.add(SHAKEN_SATCHEL)
    by = state.side[unit]
    uncover(battle, (h,), "shelled")
    suffered = False
    for target in blast.targets(state, h, "satchel charge"):
        if state.hex[target] != h:
            continue
        rolls = _with_height(state, unit, target, changes)
        if CATEGORY[state.kind[target]] == VEHICLE:
            hurt = hurl(battle, unit, target, CHARGE, rolls, adjacent=False)
        else:
            hurt = blast.strike(
                battle,
                target,
                Tally(CHARGE),
                "satchel charge",
                rolls,
                by=by,
                hexside=between(state, state.hex[unit], target),
            )
        suffered |= hurt and is_moving(state, target)
    kind = state.works.get(h, NONE)
    if kind in (WIRE, ROADBLOCK):
        battle.emit(WorkRemoved(hex=h, marker=kind, why="satchel charge"))
    suffered |= blast.collapse(battle, h, charge="satchel charge")
    battle.emit(Expended(weapon=action.weapon))
    return suffered


def _with_height(state: State, unit: int, target: int, changes: Tally) -> Tally:
    """All attack rolls are better downhill and worse uphill. OST 12.4.11, 12.4.12."""
    height = advantage(state, (unit,), target, state.hex[target])
    tally = Tally(changes.value)
    tally.parts += changes.parts
    if height:
        tally.add(HEIGHT_ADVANTAGE if height > 0 else HEIGHT_DISADVANTAGE)
    return tally


def between(state: State, here: int, target: int) -> int:
    """The hexside a charge is thrown over: it shelters as it does from any attack traced through
    it, for 15.0.6 names no satchels. OST 15.0.5, 15.3.6."""
    ground, there = state.ground, state.hex[target]
    out = there in ground.dual and in_street(state, target)
    return (open_shield if out else shield)(ground, here, there)


# --- mortars -----------------------------------------------------------------------------------


def aim(*, leader: bool, shaken: bool, moved: bool) -> Tally:
    """What changes a mortar's accuracy roll. OST 10.3.4, 10.3.5."""
    tally = Tally(0)
    if leader:
        tally.add(LEADER_AT_MORTAR)
    if shaken or moved:
        tally.add(SHAKEN_MORTAR if shaken else MOVED_MORTAR)
    return tally


def power(printed: int, *, shaken: bool, intensive: bool, smoked: int = 0) -> Tally:
    """Firepower of a mortar; nothing on the way takes from it, smoke around it does. OST 10.3.13,
    13.9.4, 17.2.2, 27.7.2."""
    tally = Tally(printed)
    if smoked:
        tally.plus(OUT_OF_SMOKE, smoked * SMOKE_FIREPOWER)
    if intensive:
        tally.add(INTENSIVE_FIREPOWER)
    if shaken:
        tally.halve(SHAKEN_FIREPOWER)
    return tally.at_least(1)


def aim_of(state: State, unit: int) -> Tally:
    return aim(
        leader=inspired(state, unit),
        shaken=state.morale[unit] == SHAKEN,
        moved=state.moved[unit],
    )


def _fire_mortar(
    battle: Battle[State], action: HexFire, changes: Tally, *, intensive: bool
) -> bool:
    """OST 10.3.4 to 10.3.12."""
    state, unit = battle.state, action.unit
    side, shaken = state.side[unit], state.morale[unit] == SHAKEN
    accuracy = aim_of(state, unit)
    roll = battle.dice.roll(6, 1)
    total = roll.total + accuracy.value
    parts = tuple(accuracy.parts)
    battle.emit(
        AccuracyRolled(
            side=side, roll=roll, total=total, needed=ON_TARGET, modifiers=parts, mortar=True
        )
    )
    h = action.hex
    if total < ON_TARGET:
        way = battle.dice.roll(6, 1)
        h = drifted(state, h, way.total, 1)
        battle.emit(MortarDrifted(roll=way, hex=h))
    if h == NONE:
        return False
    if action.smoke:
        battle.emit(SmokeLaid(hexes=(h,), ages=(FRESH,), by="mortar"))
        return False
    uncover(battle, (h,), "shelled")
    suffered, printed = False, FIREPOWER[state.kind[action.weapon]][1]
    smoke = smoked(state, (unit,))
    for target in blast.targets(state, h, "mortar"):
        kind = state.kind[target]
        hard = CATEGORY[kind] == VEHICLE and not TRAITS[kind] & SOFT
        if state.hex[target] == h and not hard:
            force = power(printed, shaken=shaken, intensive=intensive, smoked=smoke)
            rolls = _with_height(state, unit, target, changes)
            hurt = blast.strike(battle, target, force, "mortar", rolls, by=side)
            suffered |= hurt and is_moving(state, target)
    return suffered

"""One attack and its result (OST 27.3, 28, 29): on foot units, small arms at vehicles, shells."""

from __future__ import annotations

from typing import Any

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import casualties, damage, gunnery
from rulesengine.rulesets.ost.blast import at_risk, suffer_with
from rulesengine.rulesets.ost.carriage import in_street, in_vehicle, shelter_of
from rulesengine.rulesets.ost.casualties import gut_check
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.events import (
    Shot,
)
from rulesengine.rulesets.ost.fire import (
    HEXSIDE_DEFENSE,
    beside,
    defense,
    degrading,
    firepower,
    leads,
    look_up,
    roll_modifiers,
    smoked,
    street,
)
from rulesengine.rulesets.ost.gunnery import CRITICAL, EXPOSED_CREW
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    CREWED,
    DEFENSE,
    ELITE,
    FIREPOWER,
    POOR,
    SOFT,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.lines import open_shield
from rulesengine.rulesets.ost.posts import advantage
from rulesengine.rulesets.ost.sight import shield
from rulesengine.rulesets.ost.state import (
    BROKEN,
    NONE,
    SHAKEN,
    State,
)
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.transport_events import DrivesOn
from rulesengine.rulesets.ost.vehicle_events import (
    ArmorLeaderLost,
    HitRolled,
    VehicleShot,
)
from rulesengine.rulesets.ost.vehicles import (
    AP,
    ap_at,
    facing_defense,
    figures_of,
    is_immobile,
    is_vehicle,
)
from rulesengine.rulesets.ost.works import aids


def strike_foot(
    battle: Battle[State],
    firers: tuple[int, ...],
    target: int,
    weapons: Tally,
    *,
    ambush: bool,
    intensive: bool,
) -> tuple[bool, tuple[int, ...]]:
    """An attack on the Infantry Combat Table: (whether who moves has to stop, the dice). OST 28;
    a vehicle drives on with riders that suffer, 27.6.4."""
    state = battle.state
    strength, changes, there = _attacker(state, firers, target, weapons, ambush, intensive)
    rider = target if state.attached[target] == NONE else state.attached[target]
    kind, vehicle = state.kind[target], state.riding.get(rider, NONE)
    hard = CATEGORY[kind] == VEHICLE
    printed = EXPOSED_CREW if hard else DEFENSE[kind]
    resistance = shielded(state, firers, target, printed)
    roll = battle.dice.roll(6, 2)
    at = column(strength.value, resistance.value)
    total = roll.total + changes.value
    result = look_up(at, total)
    battle.emit(
        Shot(
            firers=firers,
            target=target,
            distance=state.ground.grid.distance(state.hex[firers[0]], there),
            firepower=strength.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*weapons.parts, *strength.parts, *resistance.parts, *changes.parts),
        )
    )
    if hard:
        return _exposed(battle, target, result), roll.faces
    if TRAITS[kind] & ARMOR:
        return _leader_shot(battle, target, result), roll.faces
    suffered = casualties.apply_result(battle, target, result)
    if vehicle != NONE and suffered:
        suffered = False
        if state.frames and vehicle in state.frames[-1].units:
            battle.emit(DrivesOn(unit=target, vehicle=vehicle))
    return suffered, roll.faces


def _attacker(
    state: State,
    firers: tuple[int, ...],
    target: int,
    weapons: Tally,
    ambush: bool,
    intensive: bool,
) -> tuple[Tally, Tally, int]:
    """(firepower, changes to the roll, hex of the target) of an attack with small arms or HE."""
    there = state.hex[target]
    grid = state.ground.grid
    strength = firepower(
        weapons.value,
        adjacent=min([grid.distance(state.hex[c], there) for c in firers]) == 1,
        degraded=degrading(state, firers, target),
        shaken=len(firers) == 1 and state.morale[firers[0]] == SHAKEN,
        intensive=intensive,
        smoked=smoked(state, firers) if state.smoke else 0,
    )
    changes = changes_of(state, firers, target, ambush, intensive)
    return strength, changes, there


def changes_of(
    state: State, firers: tuple[int, ...], target: int, ambush: bool, intensive: bool
) -> Tally:
    """What changes the rolls of an attack. OST 27.1.3; an armor leader is a leader, 7.4.4."""
    height = advantage(state, firers, target, state.hex[target]) if state.ground.relief else 0
    moved = any(map(state.moved.__getitem__, firers))
    if state.armour and is_vehicle(state, firers[0]):
        return gunnery.both_rolls(
            moved=moved,
            armor_leader=state.good_leader(firers[0]) != NONE,
            ambush=ambush,
            intensive=intensive,
            height=height,
        )
    return roll_modifiers(
        moved=moved,
        leader=leads(state, firers),
        ambush=ambush,
        intensive=intensive,
        height=height,
    )


def shielded(state: State, firers: tuple[int, ...], target: int, printed: int) -> Tally:
    """Defense with what stands in the target's hex and on its side. OST 14.0.2, 15.0.5, 13.0.p3;
    who is in the street has nothing of a structure (16.6.2, 16.6.6), a vehicle nothing of bocage
    (15.3.7)."""
    ground, there = state.ground, state.hex[target]
    shielded = shield(ground, state.hex[firers[0]], there)
    for c in firers[1:]:
        shielded = min(shielded, shield(ground, state.hex[c], there), key=_shelter)
    terrain = ground.terrain[there]
    if in_vehicle(state, target):
        terrain, shielded = street(terrain), beside(shielded)
    elif there in ground.dual and in_street(state, target):
        terrain = street(terrain)
        open_sides = (open_shield(ground, state.hex[c], there) for c in firers)
        shielded = min(open_sides, key=_shelter)
    tally = defense(printed, terrain, shielded)
    if there in state.shelter:
        for code, amount in aids(state, there, vehicle=in_vehicle(state, target)):
            tally.plus(code, amount)
    if state.riding or state.rolling:
        company = shelter_of(state, target)
        if company != NONE:
            tally.add(company)
    return tally


# --- at vehicles ------------------------------------------------------------------------------


def _exposed(battle: Battle[State], target: int, result: int) -> bool:
    """Small arms at the crew of an open top: morale only. OST 9.1.2."""
    if result == casualties.X:
        damage.unnerve(battle, target, BROKEN)
        return True
    suffered = result >= casualties.C
    if suffered:
        damage.unnerve(battle, target, SHAKEN)
    level = casualties.MORALE_PART[result]
    if level and not (suffered and level == SHAKEN):
        suffered |= gut_check(battle, target, level)
    return suffered


def _leader_shot(battle: Battle[State], leader: int, result: int) -> bool:
    """A sniper at an armor leader: a casualty kills him and shakes the crew, what is less is his
    alone. True if the vehicle suffered. OST 7.4.9."""
    state = battle.state
    if result < casualties.C:
        level = casualties.MORALE_PART[result]
        if level:
            gut_check(battle, leader, level)
        return False
    vehicle = state.attached[leader]
    battle.emit(ArmorLeaderLost(leader=leader, why="sniper"))
    if vehicle != NONE:
        damage.unnerve(battle, vehicle, SHAKEN, "leader")
    return True


def pepper(
    battle: Battle[State],
    firers: tuple[int, ...],
    target: int,
    weapons: Tally,
    *,
    ambush: bool,
    intensive: bool,
) -> tuple[bool, tuple[int, ...]]:
    """Small arms at an open top (9.1) or a soft vehicle (9.2): halved, no roll to hit."""
    state = battle.state
    soft = bool(TRAITS[state.kind[target]] & SOFT)
    weapons.halve(gunnery.SMALL_ARMS_AT_SOFT if soft else gunnery.SMALL_ARMS_AT_OPEN_TOP)
    if not soft:
        return strike_foot(battle, firers, target, weapons, ambush=ambush, intensive=intensive)
    strength, changes, _ = _attacker(state, firers, target, weapons, ambush, intensive)
    printed, flank = facing_defense(state, target, state.hex[firers[0]])
    resistance = shielded(state, firers, target, printed)
    roll = battle.dice.roll(6, 2)
    at = column(strength.value, resistance.value)
    total = roll.total + changes.value
    result = gunnery.look_up(at, total)
    battle.emit(
        VehicleShot(
            firers=firers,
            target=target,
            flank=flank,
            soft=True,
            how="small arms",
            firepower=strength.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*weapons.parts, *strength.parts, *resistance.parts, *changes.parts),
        )
    )
    exposed = at_risk(state, target, fire=True)
    suffered = damage.apply_result(battle, target, result)
    return suffer_with(battle, target, exposed, "small arms") or suffered, roll.faces


def shell(
    battle: Battle[State],
    firer: int,
    target: int,
    *,
    weapon: int = NONE,
    hull: bool = False,
    ambush: bool,
    intensive: bool,
) -> bool:
    """A gun, a main armament or an anti-tank weapon at a vehicle: to hit, then the attack.

    OST 29.0, 10.1.1. True if the target's move ends."""
    state = battle.state
    both = changes_of(state, (firer,), target, ambush, intensive)
    hit = _aim(battle, firer, target, weapon, both)
    if not hit.critical and not gunnery.is_hit(hit.total, hit.distance):
        return False
    soft = bool(TRAITS[state.kind[target]] & SOFT)
    strength = firepower(
        punch(state, firer, hit.distance, weapon=weapon, hull=hull, soft=soft),
        adjacent=hit.distance == 1,
        degraded=degrading(state, (firer,), target),
        shaken=state.morale[firer] == SHAKEN,
        intensive=intensive,
        smoked=smoked(state, (firer,)),
    )
    printed, flank = facing_defense(state, target, state.hex[firer])
    resistance = shielded(state, (firer,), target, printed)
    at = gunnery.column_shift(column(strength.value, resistance.value), critical=hit.critical)
    roll = battle.dice.roll(6, 2)
    total = roll.total + both.value
    result = gunnery.look_up(at, total)
    battle.emit(
        VehicleShot(
            firers=(firer,),
            target=target,
            flank=flank,
            soft=soft,
            how="gun",
            firepower=strength.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*strength.parts, *resistance.parts, *both.parts),
            critical=hit.critical,
        )
    )
    exposed = at_risk(state, target, fire=True)
    suffered = damage.apply_result(battle, target, result)
    return suffer_with(battle, target, exposed, "fire") or suffered


def _aim(battle: Battle[State], firer: int, target: int, weapon: int, both: Tally) -> HitRolled:
    """The roll to hit. OST 29.0.3 to 29.0.5."""
    state = battle.state
    distance = state.ground.grid.distance(state.hex[firer], state.hex[target])
    degraded = degrading(state, (firer,), target)
    aim = gunnery.to_hit_modifiers(**aim_of(state, firer, target, distance, degraded, weapon))
    roll = battle.dice.roll(6, 2)
    rolled = HitRolled(
        firer=firer,
        weapon=weapon,
        target=target,
        distance=distance,
        needed=gunnery.needed_to_hit(distance),
        roll=roll,
        total=roll.total + aim.value + both.value,
        critical=roll.faces == CRITICAL,
        modifiers=(*aim.parts, *both.parts),
    )
    battle.emit(rolled)
    return rolled


def aim_of(
    state: State, firer: int, target: int, distance: int, degraded: int, weapon: int = NONE
) -> dict[str, Any]:
    """The facts that change a roll to hit. OST 1.9, 29.2; a support weapon of the enemy's is
    captured too, 10.0.9."""
    taken = weapon != NONE and state.start_side[weapon] != state.side[firer]
    quality = state.quality[firer]
    return {
        "captured": state.captured[firer] or taken,
        "shaken": state.morale[firer] == SHAKEN,
        "reduced": CATEGORY[state.kind[firer]] == CREWED and state.steps[firer] == 1,
        "quality": bool(quality & ELITE) - bool(quality & POOR),
        "immobile": is_immobile(state, target),
        "acquired": (firer, target) in state.acquired,
        "adjacent": distance == 1,
        "degraded": degraded,
    }


def punch(state: State, firer: int, distance: int, *, weapon: int, hull: bool, soft: bool) -> int:
    """AP at a distance against armour, HE against a soft vehicle. OST 29.0.6, 29.0.10, 10.1.1."""
    if weapon != NONE:
        kind = state.kind[weapon]
        return FIREPOWER[kind][1] if soft else ap_at(AP[kind], distance)
    he, ap, _ = figures_of(state, firer, hull=hull)
    return he if soft else ap_at(ap, distance)


def _shelter(hexside: int) -> int:
    return HEXSIDE_DEFENSE[hexside][1]

"""Attacks without a firer, or on all of a hex (OST 10.2, 10.3, 13.3, 16.7, 24.4, 26, 32, 33).

No line is traced and nothing is aimed: no hexside shelters (15.0.6) but from a satchel charge,
vehicles are hit on the flank without a roll. `everybody` strikes all units of a hex, `collapse`
brings its building down.
"""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import casualties, damage, gunnery
from rulesengine.rulesets.ost.altered import RUBBLE
from rulesengine.rulesets.ost.carriage import followers, in_street, in_vehicle, riders, shelter_of
from rulesengine.rulesets.ost.catalogue import CREW_OF
from rulesengine.rulesets.ost.charts import TERRAIN, TERRAIN_BY_KEY, column
from rulesengine.rulesets.ost.events import Revealed
from rulesengine.rulesets.ost.field_events import (
    Blasted,
    CollapseRolled,
    CrewLeft,
    WeaponBuried,
    WorkRemoved,
)
from rulesengine.rulesets.ost.fire import beside, defense, look_up, street
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    DEFENSE,
    LEADER,
    OPEN_TOP,
    TRAITS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.state import NONE, OFF, State
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.transport_events import CollateralDue
from rulesengine.rulesets.ost.vehicle_events import GunAbandoned
from rulesengine.rulesets.ost.vehicles import FLANK
from rulesengine.rulesets.ost.works import BUNKER, PILLBOX, aids

AIRBURST = code("AIRBURST")
AIRBURST_ORCHARD = code("AIRBURST_ORCHARD")
OPEN_TOP_SHELLED = code("OPEN_TOP_SHELLED")
RUINS = code("RUINS_COLLAPSE")
CHARGES = {"rockets": code("ROCKET_COLLAPSE"), "satchel charge": code("SATCHEL_COLLAPSE")}
"""What helps a building down. OST 16.7.6, 10.2.5."""
TALL = code("TALL_COLLAPSE")
WOODS = TERRAIN_BY_KEY["woods"]
TREES = frozenset((WOODS, TERRAIN_BY_KEY["orchard"]))
"""Where shells burst in the trees. OST 14.5.5, 14.6.4."""
RUINED = TERRAIN_BY_KEY["ruins"]
BUNKER_FALLS = 6
WITH_WRECK, WITH_VEHICLE = -3, -5
"""Columns of collateral damage. OST 24.4.1, 24.4.2."""
COLLATERAL = "collateral damage"
EACH = ("mortar", "satchel charge")
"""What attacks riders as well as their vehicle. OST 27.4.4, 10.2.1, 10.3.8."""
FROM_ABOVE = ("artillery", "air strike", "strafing run")
"""What finds a vehicle without a roof, and what a leader rolls for once. OST 9.1.4, 28.2.5."""


def shelter(
    state: State, target: int, h: int, printed: int, *, airburst: bool, hexside: int = 0
) -> Tally:
    """Defense against what strikes a hex: terrain and markers, no hexside but what a charge is
    thrown over; who is on a vehicle or behind it. OST 14.0.2, 15.0.5, 15.0.6, 23.2.6, 24.3, 32.0.7,
    33.4.3, 33.4.12."""
    hard = in_vehicle(state, target)
    terrain = state.ground.terrain[h]
    if hard:
        terrain, hexside = street(terrain), beside(hexside)
    elif h in state.ground.dual and in_street(state, target):
        terrain = street(terrain)
    found = aids(state, h, vehicle=hard) if h in state.shelter else []
    tally = sheltered(printed, terrain, found, airburst=airburst and not hard, hexside=hexside)
    if state.riding or state.rolling:
        company = shelter_of(state, target)
        if company != NONE:
            tally.add(company)
    return tally


def sheltered(
    printed: int,
    terrain: tuple[int, ...],
    markers: list[tuple[int, int]],
    *,
    airburst: bool,
    hexside: int = 0,
) -> Tally:
    """Defense in a hex that is struck; `airburst` where shells that burst in trees fall on foot.
    OST 33.4.11, 33.4.12."""
    bursts = airburst and not TREES.isdisjoint(terrain)
    open_to = tuple(kind for kind in terrain if kind not in TREES) if bursts else terrain
    tally = defense(printed, open_to, hexside)
    if bursts:
        tally.add(AIRBURST if WOODS in terrain else AIRBURST_ORCHARD)
    for each, amount in markers:
        tally.plus(each, amount)
    return tally


def strike(
    battle: Battle[State],
    target: int,
    power: Tally,
    why: str,
    changes: Tally | None = None,
    *,
    again: bool = False,
    by: int = NONE,
    hexside: int = 0,
) -> bool:
    """One unit of a hex that is struck, `again` by mines that were known, `by` a side; `hexside` as
    `sight.shield` has it. True if it suffered, or a vehicle has to stop."""
    state = battle.state
    kind = state.kind[target]
    hard = CATEGORY[kind] == VEHICLE
    printed = FLANK[kind] if hard else DEFENSE[kind]
    bursts = why == "artillery"
    h = state.hex[target]
    resistance = shelter(state, target, h, printed, airburst=bursts, hexside=hexside)
    if hard and TRAITS[kind] & OPEN_TOP and why in FROM_ABOVE:
        resistance.add(OPEN_TOP_SHELLED)
    return _resolve(battle, target, power, resistance, why, changes or Tally(0), again=again, by=by)


def _resolve(
    battle: Battle[State],
    target: int,
    power: Tally,
    resistance: Tally,
    why: str,
    changes: Tally,
    *,
    again: bool = False,
    by: int = NONE,
) -> bool:
    hard = CATEGORY[battle.state.kind[target]] == VEHICLE
    at = column(power.value, resistance.value)
    roll = battle.dice.roll(6, 2)
    total = roll.total + changes.value
    result = (gunnery.look_up if hard else look_up)(at, total)
    battle.emit(
        Blasted(
            target=target,
            why=why,
            firepower=power.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*power.parts, *resistance.parts, *changes.parts),
            vehicle=hard,
            again=again,
            by=by,
        )
    )
    if hard:
        exposed = [] if why in EACH else at_risk(battle.state, target)
        suffered = damage.apply_result(battle, target, result, mines=why == "mines")
        suffer_with(battle, target, exposed, why)
        return suffered
    return casualties.apply_result(battle, target, result, own=why in FROM_ABOVE)


def strike_at(battle: Battle[State], target: int, difference: int, why: str) -> bool:
    """An unmodified attack in a column of the unit's combat table, named by its difference: -3,
    -5. OST 24.4, 26.3.5, 26.4.8, 27.2. True if it suffered."""
    kind = battle.state.kind[target]
    printed = FLANK[kind] if CATEGORY[kind] == VEHICLE else DEFENSE[kind]
    return _resolve(battle, target, Tally(printed + difference), Tally(printed), why, Tally(0))


def at_risk(state: State, vehicle: int, *, fire: bool = False) -> list[tuple[int, bool]]:
    """Who suffers with a vehicle: (unit, whether it walks behind it). Fire reaches rolling cover as
    well (23.2.7); what strikes a hex finds those who walk by themselves. OST 24.4.p2."""
    if not (state.riding or state.rolling):
        return []
    found = [(c, False) for c in riders(state, vehicle)]
    return found + [(c, True) for c in followers(state, vehicle)] if fire else found


def suffer_with(
    battle: Battle[State], vehicle: int, exposed: list[tuple[int, bool]], why: str
) -> bool:
    """Collateral damage after an attack on a vehicle. True if somebody on foot suffers, who has to
    stop. OST 24.4; `exposed` as it was before the attack."""
    state = battle.state
    stops = False
    for unit, walking in exposed:
        if state.hex[unit] != OFF:
            lost = damage.is_gone(state, vehicle)
            battle.emit(
                CollateralDue(unit=unit, vehicle=vehicle, why=why, lost=lost, walking=walking)
            )
            hurt = strike_at(battle, unit, WITH_WRECK if lost else WITH_VEHICLE, COLLATERAL)
            stops |= hurt and walking
    return stops


def targets(state: State, h: int, why: str = "") -> list[int]:
    """Who is attacked when a hex is struck: all units of both sides, and leaders who are with
    none; riders suffer with their vehicle. OST 32.0.6, 32.0.8, 32.0.10, 33.4.2, 33.4.4 to 33.4.6,
    33.4.8. Units with a leader come last: who loses his unit and joins another is not to roll for
    that one too (28.2.5). A mortar or a satchel charge strikes riders by themselves, before the
    vehicle can be lost under them (27.4.4, 24.0.10)."""
    here = [c for c in state.stacks.get(h, ()) if why in EACH or c not in state.riding]
    struck = [c for c in here if CATEGORY[state.kind[c]] != LEADER or state.attached[c] == NONE]
    return sorted(struck, key=lambda c: (c not in state.riding, state.leader[c] != NONE))


def everybody(
    battle: Battle[State],
    h: int,
    power: Tally,
    why: str,
    changes: Tally | None = None,
    *,
    by: int = NONE,
) -> None:
    """Strike all units of a hex; who falls to an earlier roll is struck no more."""
    for target in targets(battle.state, h):
        if battle.state.hex[target] == h:
            strike(battle, target, power, why, changes, by=by)


# --- what falls down ---------------------------------------------------------------------------


def may_collapse(state: State, h: int) -> bool:
    """Whether there is a building or a bunker to bring down; a pillbox never. OST 16.7, 13.5.12."""
    if state.works.get(h) in (RUBBLE, PILLBOX):
        return False
    return state.works.get(h) == BUNKER or _stands(state, h) != NONE


def _stands(state: State, h: int) -> int:
    """The terrain of a hex that can collapse, or NONE."""
    return next((kind for kind in state.ground.terrain[h] if TERRAIN[kind].collapse), NONE)


def collapse_roll(building: int, charge: str) -> tuple[int, Tally]:
    """(lowest 1D6 that brings it down, what changes the roll) of a building by its terrain, of a
    bunker where that is NONE. OST 16.7.1, 16.7.6, 16.7.7, 10.2.5."""
    changes = Tally(0)
    if charge:
        changes.add(CHARGES[charge])
    if building == NONE:
        return BUNKER_FALLS, changes
    if building == RUINED:
        changes.add(RUINS)
    return TERRAIN[building].collapse, changes


def rubble_firepower(building: int, *, tall: bool) -> Tally:
    """What a building that falls attacks everybody inside with. OST 16.7.9."""
    power = Tally(TERRAIN[building].defense)
    if tall:
        power.add(TALL)
    return power


def collapse(battle: Battle[State], h: int, *, charge: str = "") -> bool:
    """Roll whether what stands in a hex comes down, after those inside were attacked; `charge`:
    rockets or a satchel charge. True if it hurts somebody whose move it ends, 27.6.3. OST 16.7,
    13.4.10."""
    state = battle.state
    if not may_collapse(state, h):
        return False
    bunker = state.works.get(h) == BUNKER
    building = _stands(state, h)
    needed, changes = collapse_roll(NONE if bunker else building, charge)
    tall = bool(state.ground.storeys[h])
    roll = battle.dice.roll(6, 1)
    total = roll.total + changes.value
    battle.emit(
        CollapseRolled(
            hex=h,
            roll=roll,
            total=total,
            needed=needed,
            bunker=bunker,
            terrain=building,
            modifiers=tuple(changes.parts),
        )
    )
    if total < needed:
        return False
    hidden = tuple(c for c in state.stacks.get(h, ()) if state.hidden[c])
    if hidden:
        battle.emit(Revealed(units=hidden, why="collapse"))
    if bunker:
        battle.emit(WorkRemoved(hex=h, marker=BUNKER, why="collapsed"))
        bury_weapons(battle, h, crewed_only=True)
        return False
    bury_weapons(battle, h)
    power = rubble_firepower(building, tall=tall)
    halts = False
    for target in targets(state, h):
        if state.hex[target] == h:
            kind = state.kind[target]
            printed = FLANK[kind] if CATEGORY[kind] == VEHICLE else DEFENSE[kind]
            hurt = _resolve(battle, target, power, Tally(printed), "collapse", Tally(0))
            halts |= hurt and damage.is_moving(state, target)
    return halts


def bury_weapons(battle: Battle[State], h: int, *, crewed_only: bool = False) -> None:
    """Support weapons under a building are lost; of a crewed weapon a crew is left, and the
    weapon scores a point. OST 16.7.10, 16.7.11, 13.4.11. Who had manned a gun is the squad again
    (8.2.3). `crewed_only`: under a bunker, in which nobody is who rides on a vehicle (13.4.2)."""
    state = battle.state
    for gun in [gun for gun, at in state.unmanned.items() if at == h]:
        battle.emit(WeaponBuried(weapon=gun, gun=True, bunker=crewed_only))
    for unit in list(state.stacks.get(h, ())):
        if crewed_only and unit in state.riding:
            continue
        weapon = state.weapon[unit]
        if weapon != NONE and not crewed_only:
            battle.emit(WeaponBuried(weapon=weapon))
        kind = state.kind[unit]
        if unit in state.manning:
            battle.emit(GunAbandoned(unit=unit, destroyed=True, buried=True))
        elif CATEGORY[kind] == CREWED:
            battle.emit(CrewLeft(unit=unit, becomes=CREW_OF[kind], points=1, bunker=crewed_only))
    if not crewed_only:
        for weapon, at in enumerate(state.hex):
            loose = CATEGORY[state.kind[weapon]] == WEAPON and state.holder[weapon] == NONE
            if at == h and loose:
                battle.emit(WeaponBuried(weapon=weapon))

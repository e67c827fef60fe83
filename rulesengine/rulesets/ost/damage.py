"""What a result of the Vehicle Combat Table does (OST 29.3 to 29.6, 7.4, 9.1.2)."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.casualties import falls_to, gut_check, passes
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES
from rulesengine.rulesets.ost.field_events import MineDamage
from rulesengine.rulesets.ost.gunnery import DESTROY, HURT, HURT_BREAK, HURT_SHAKE
from rulesengine.rulesets.ost.kinds import (
    DUAL,
    SOFT,
    TRAITS,
    TRANSPORT,
)
from rulesengine.rulesets.ost.state import (
    BROKEN,
    DAMAGE,
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    MOVING,
    NONE,
    OFF,
    SHAKEN,
    State,
)
from rulesengine.rulesets.ost.vehicle_events import (
    AbandonRolled,
    ArmorLeaderLost,
    CrewRolled,
    CrewUnnerved,
    DamageRolled,
    Wrecked,
)
from rulesengine.rulesets.ost.vehicles import HAS_MAIN, MG, is_lorry

MORALE_PART = (0, SHAKEN, BROKEN, 0, SHAKEN, BROKEN, 0)
DAMAGES = (HURT, HURT_SHAKE, HURT_BREAK)
MINOR = 2
"""Damage rolls up to this have no effect. OST 29.3.p4."""
MGS, MAIN, STOPPED, CREW_WAVERS = 3, 4, 5, 6
SURVIVES = 6
TURRET_UP_TO = 3
assert len(MORALE_PART) == DESTROY + 1
assert len(MORALE_NAMES) == BROKEN + 1


def damage_of(kind: int, face: int) -> tuple[int, bool]:
    """(bits, whether it is the only armament there is) of a damage roll; 0 where nothing breaks.

    OST 29.3, 29.4.1: one armament is hit by either roll. An unarmed carrier has none to lose.
    """
    if face == STOPPED:
        return IMMOBILE, False
    if face not in (MGS, MAIN):
        return 0, False
    main, mg = HAS_MAIN[kind], bool(MG[kind])
    if main and mg:
        return (MGS_OUT if face == MGS else MAIN_OUT), False
    return (MAIN_OUT if main else MGS_OUT if mg else 0), True


def apply_result(
    battle: Battle[State], unit: int, result: int, *, melee: bool = False, mines: bool = False
) -> bool:
    """Apply a result to a vehicle. True if it stops a move. OST 29.3, 27.6.3, 27.6.5; damage by
    mines stops it for good, 13.3.9."""
    state = battle.state
    if result == DESTROY:
        destroy(battle, unit, melee=melee)
        return True
    stopped = False
    if result in DAMAGES:
        stopped = _mine_damage(battle, unit) if mines else _damage(battle, unit)
        if is_gone(state, unit):
            return True
    level = MORALE_PART[result]
    if level:
        stopped |= gut_check(battle, unit, level)
    return stopped


def is_gone(state: State, unit: int) -> bool:
    """Whether the vehicle is a wreck now, its crew out or not."""
    return state.hex[unit] == OFF or not TYPES[state.kind[unit]].front


def _damage(battle: Battle[State], unit: int) -> bool:
    """Roll for damage. True if the vehicle stops."""
    state = battle.state
    kind = state.kind[unit]
    roll = battle.dice.roll(6, 1)
    face = roll.total
    adds, only = damage_of(kind, face)
    soft = is_lorry(kind)
    again = bool(state.damage[unit] & DAMAGE)
    which = None
    if face == MAIN and TRAITS[kind] & DUAL:
        which = battle.dice.roll(6, 1)
        adds = MAIN_OUT if which.total <= TURRET_UP_TO else HULL_OUT
    breaks = bool(adds) and not (again or soft)
    battle.emit(
        DamageRolled(
            unit=unit,
            roll=roll,
            adds=adds,
            roll_which=which,
            only=only and bool(adds),
            moves_on=breaks and not adds & IMMOBILE and is_moving(state, unit),
            led=state.leader[unit] != NONE,
        )
    )
    if face <= MINOR:
        return False
    if soft:
        wreck(battle, unit, "soft", 1)
        return True
    if again:
        wreck(battle, unit, "damaged again", 1)
        return True
    if face == CREW_WAVERS:
        return _crew_wavers(battle, unit)
    return face == STOPPED


def _mine_damage(battle: Battle[State], unit: int) -> bool:
    """Immobilised without a roll; a lorry is destroyed, a second damage is too much. OST 13.3.9,
    29.4.2, 29.4.4."""
    state, kind = battle.state, battle.state.kind[unit]
    again = bool(state.damage[unit] & DAMAGE)
    battle.emit(MineDamage(unit=unit))
    if is_lorry(kind):
        wreck(battle, unit, "soft", 1)
    elif again:
        wreck(battle, unit, "damaged again", 1)
    return True


def is_moving(state: State, unit: int) -> bool:
    """Whether it is hit by opportunity fire on its own move. OST 27.6.5, 29.4.3."""
    frame = state.frames[-1] if state.frames else None
    return frame is not None and frame.kind == MOVING and unit in frame.units


def _crew_wavers(battle: Battle[State], unit: int) -> bool:
    """The owner's gut check whether the crew leave. OST 29.3.p8."""
    state = battle.state
    needed = state.gut[state.side[unit]]
    roll = battle.dice.roll(6, 2)
    battle.emit(AbandonRolled(unit=unit, roll=roll, needed=needed))
    if passes(roll.total, needed):
        return False
    wreck(battle, unit, "abandoned", 1)
    return True


def crew_gets_out(kind: int, face: int) -> bool:
    """Whether the crew of a destroyed vehicle survive; those of lorries and carriers have no roll.
    OST 29.6.1, 29.6.2, 29.6.4."""
    return face == SURVIVES and bool(TYPES[kind].becomes)


def points_for(kind: int, *, melee: bool, saved: bool) -> int:
    """Enemy casualty points for a vehicle that is destroyed: two with its crew. OST 1.6, 29.6.3,
    29.6.4, 30.4.8."""
    return 1 if TRAITS[kind] & TRANSPORT or (saved and not melee) else 2


def destroy(battle: Battle[State], unit: int, *, melee: bool = False) -> None:
    """A destroyed vehicle: one point or two, and whether its crew get out. OST 29.6, 30.4.8."""
    state = battle.state
    kind = state.kind[unit]
    if TRAITS[kind] & TRANSPORT:
        why, saved = "soft" if TRAITS[kind] & SOFT else "carrier", False
    elif melee:
        why, saved = "destroyed in melee", False
    else:
        roll = battle.dice.roll(6, 1)
        battle.emit(CrewRolled(unit=unit, roll=roll))
        why, saved = "destroyed", crew_gets_out(kind, roll.total)
    becomes = BY_KEY[TYPES[kind].becomes] if saved else NONE
    wreck(battle, unit, why, points_for(kind, melee=melee, saved=saved), becomes)


def wreck(battle: Battle[State], unit: int, why: str, points: int, becomes: int = NONE) -> None:
    """The vehicle is a wreck, and an armor leader in it is lost with it. OST 7.4.7."""
    leader = battle.state.leader[unit]
    if leader != NONE:
        battle.emit(ArmorLeaderLost(leader=leader, why="vehicle"))
    battle.emit(Wrecked(unit=unit, points=points, why=why, becomes=becomes))


def unnerve(battle: Battle[State], unit: int, level: int, why: str = "exposed") -> None:
    """Shaken or broken without a check. OST 9.1.2, 7.4.9; twice shaken is broken, 17.2.6."""
    before = battle.state.morale[unit]
    now = max(before, falls_to(before, level))
    if now != before:
        battle.emit(CrewUnnerved(unit=unit, now=now, why=why))

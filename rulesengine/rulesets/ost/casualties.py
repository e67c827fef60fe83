"""What a combat result does (OST 28.1, 28.2, 17.4): losses, gut checks, the leader's fate.

The pure part is `falls_to`; everything else rolls through `battle.dice` and emits.
"""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES
from rulesengine.rulesets.ost.events import (
    AlreadyBroken,
    AmmoRanOut,
    Attached,
    CasualtyTaken,
    Eliminated,
    GutChecked,
    Handed,
    LeaderRolled,
    Revealed,
)
from rulesengine.rulesets.ost.guns import lose_crew
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    CREW,
    CREWED,
    GUN,
    LEADER,
    SNIPER,
    SQUAD,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import (
    BROKEN,
    MOVING,
    NONE,
    SHAKEN,
    State,
)

NOTHING, S, B, C, C_S, C_B, X = range(7)
"""Results of the Infantry Combat Table, in the order of `charts.ICT_RESULTS`."""

MORALE_PART = (0, SHAKEN, BROKEN, 0, SHAKEN, BROKEN, 0)
"""The morale half of each result."""

DIES_WITH_UNIT, DIES_WITH_CASUALTY = 3, 1
"""A leader dies on this or less. OST 28.2.1, 28.2.2."""


def falls_to(morale: int, result: int) -> int:
    """The morale of a unit that fails its gut check against Shaken (1) or Broken (2).

    OST 17.4.3; a shaken unit shaken again is broken, 17.2.6.
    """
    return BROKEN if result == BROKEN or morale == SHAKEN else SHAKEN


def passes(total: int, gut_check: int) -> bool:
    """OST 17.4.2, 17.4.4: the number or more, never modified."""
    return total >= gut_check


def leader_dies_on(result: int, steps: int) -> int:
    """On 1D6 this or less the leader of a unit dies with what a result takes of it; 0 where it
    takes no step and he is not rolled for. OST 28.2.1, 28.2.2, 28.2.4."""
    if result == X or (result >= C and steps == 1):
        return DIES_WITH_UNIT
    return DIES_WITH_CASUALTY if result >= C else 0


def leader_dies(face: int, dies_on: int) -> bool:
    """OST 28.2.1, 28.2.2."""
    return face <= dies_on


def apply_result(
    battle: Battle[State], unit: int, result: int, *, melee: bool = False, own: bool = False
) -> bool:
    """Apply a result of the Infantry Combat Table. True if the unit suffered from it. OST 28.1.

    In melee leaders are attacked directly and make no casualty roll (30.3.8); under shells and
    bombs only its `own` leader is rolled for (28.2.5).
    """
    if result == NOTHING:
        return False
    state = battle.state
    suffered = False
    dies_on = leader_dies_on(result, state.steps[unit])
    if dies_on == DIES_WITH_UNIT:
        eliminate(battle, unit, _why(state, unit, result, melee), melee=melee, own=own)
        return True
    if dies_on:
        crewed = CATEGORY[state.kind[unit]] == CREWED
        battle.emit(CasualtyTaken(unit=unit, points=1, crewed=crewed))
        suffered = True
        if not melee:
            _leader_rolls(battle, unit, dies_on, own)
    level = MORALE_PART[result]
    if level:
        failed = gut_check(battle, unit, level)
        if failed and not melee and not suffered:
            _leader_checks(battle, unit, level, own)
        suffered = suffered or failed
    return suffered


_FALLEN = {LEADER: "single person", SNIPER: "sniper", CREW: "crew"}
"""What ends those who have one step only. OST 7.0.5, 1.6."""


def _why(state: State, unit: int, result: int, melee: bool) -> str:
    if melee and CATEGORY[state.kind[unit]] == LEADER:
        return "leader in melee"
    category = CATEGORY[state.kind[unit]]
    if melee and category == CREWED:
        return "weapon in melee"
    if category in _FALLEN:
        return _FALLEN[category]
    if result == X:
        return "destroyed"
    return "casualties" if category == SQUAD else "weapon crew casualties"


def gut_check(battle: Battle[State], unit: int, level: int, *, leader: bool = False) -> bool:
    """Roll a gut check against Shaken or Broken. True if it failed. OST 17.4."""
    state = battle.state
    morale = state.morale[unit]
    if morale == BROKEN:
        battle.emit(AlreadyBroken(unit=unit))
        return False
    needed = state.gut[state.side[unit]]
    roll = battle.dice.roll(6, 2)
    failed = not passes(roll.total, needed)
    now = falls_to(morale, level) if failed else morale
    battle.emit(
        GutChecked(unit=unit, result=level, roll=roll, needed=needed, now=now, leader=leader)
    )
    return failed


def eliminate(
    battle: Battle[State], unit: int, why: str, *, melee: bool = False, own: bool = False
) -> None:
    """Take a unit or single person off the map, with what follows from it. OST 28.1, 28.2.1."""
    state = battle.state
    leader, weapon, h = state.leader[unit], state.weapon[unit], state.hex[unit]
    single = state.is_single(unit)
    concerned = [] if melee else _leaders_concerned(state, unit, own)
    battle.emit(Eliminated(unit=unit, points=points_of(state, unit), why=why))
    for each in concerned:
        roll_for_leader(battle, each, DIES_WITH_UNIT)
    if TRAITS[state.kind[unit]] & GUN and not melee:
        lose_crew(battle, unit, h)
    left = (c for c in state.in_hex(h, state.side[unit]) if c not in state.riding)
    heirs = [c for c in left if not state.is_single(c)]
    if weapon != NONE:
        _bequeath(battle, weapon, heirs)
    if not single:
        _take_over(battle, unit, leader, h, heirs)


def _take_over(battle: Battle[State], lost: int, leader: int, h: int, heirs: list[int]) -> None:
    """The leaders of a stack that has lost a unit are attached to what remains of it, his own
    first. Who only passes through is no part of it, but may leave his leader there. OST 7.3.9,
    7.3.2."""
    state = battle.state
    passing = {c for frame in state.frames if frame.kind == MOVING for c in frame.units}
    bare = [c for c in heirs if state.leader[c] == NONE and CATEGORY[state.kind[c]] != VEHICLE]
    free = [c for c in bare if (c in passing) == (lost in passing)]
    own = free or (bare if lost in passing else [])
    if own and leader != NONE and state.hex[leader] == h:
        attach(battle, leader, own[0], after_loss=True)
        free = [c for c in free if c != own[0]]
    others = state.in_hex(h, state.side[lost]) if lost not in passing else ()
    alone = [c for c in others if c not in passing and _is_free(state, c)]
    for c, unit in zip(alone, free, strict=False):
        attach(battle, c, unit, after_loss=True)


def _is_free(state: State, c: int) -> bool:
    """Whether it is a leader of men on foot with nobody."""
    leads = CATEGORY[state.kind[c]] == LEADER and not TRAITS[state.kind[c]] & ARMOR
    return leads and state.attached[c] == NONE and c not in state.riding


def attach(battle: Battle[State], leader: int, unit: int, *, after_loss: bool = False) -> None:
    """A leader joins a unit: he lies on top of it and is declared (7.3.3, 7.3.6), so the two hide
    together or not at all. OST 7.3, 21.0.4, 21.0.8."""
    state = battle.state
    if state.hidden[leader] != state.hidden[unit]:
        found = leader if state.hidden[leader] else unit
        battle.emit(Revealed(units=(found,), why="joined"))
    battle.emit(Attached(leader=leader, unit=unit, after_loss=after_loss))


def points_of(state: State, unit: int) -> int:
    """Enemy casualty points for losing what is left of a unit. OST 1.6."""
    if CATEGORY[state.kind[unit]] in (SQUAD, CREWED):
        return state.steps[unit]
    return 1


def _bequeath(battle: Battle[State], weapon: int, heirs: list[int]) -> None:
    """OST 10.0.11: to the remaining unit of the stack; else it stays on the field, 10.0.9."""
    state = battle.state
    carriers = [c for c in heirs if state.weapon[c] == NONE and CATEGORY[state.kind[c]] == SQUAD]
    if carriers:
        battle.emit(Handed(weapon=weapon, unit=carriers[0], why="carrier lost"))
    else:
        battle.emit(Handed(weapon=weapon, unit=NONE, why="left"))


def _leader_rolls(battle: Battle[State], unit: int, dies_on: int, own: bool) -> None:
    for leader in _leaders_concerned(battle.state, unit, own):
        roll_for_leader(battle, leader, dies_on)


def _leader_checks(battle: Battle[State], unit: int, level: int, own: bool) -> None:
    for leader in _leaders_concerned(battle.state, unit, own):
        gut_check(battle, leader, level, leader=True)


def _leaders_concerned(state: State, unit: int, own: bool) -> list[int]:
    """The leader attached to the unit or to the group it moves in (28.2.p1); by option every
    leader of its hex (27.4.5); its `own` alone where all of a hex is struck from far off (28.2.5).
    A leader himself is nobody's unit."""
    if state.is_single(unit):
        return []
    if own:
        return [c for c in (state.leader[unit],) if c != NONE and _is_foot_leader(state, c)]
    if state.options.leader_rolls_for_hex:
        here = state.in_hex(state.hex[unit], state.side[unit])
        return [c for c in here if _is_foot_leader(state, c)]
    group: tuple[int, ...] = (unit,)
    if state.frames and unit in state.frames[-1].units:
        group = state.frames[-1].units
    leaders = [state.leader[c] for c in group if state.leader[c] != NONE]
    return [c for c in leaders if _is_foot_leader(state, c)]


def _is_foot_leader(state: State, c: int) -> bool:
    """Armor leaders make no casualty rolls. OST 7.4.8, 28.2.6."""
    return CATEGORY[state.kind[c]] == LEADER and not TRAITS[state.kind[c]] & ARMOR


def roll_for_leader(battle: Battle[State], leader: int, dies_on: int) -> None:
    roll = battle.dice.roll(6, 1)
    battle.emit(LeaderRolled(leader=leader, roll=roll, dies_on=dies_on))
    if leader_dies(roll.total, dies_on):
        why = "leader with his unit" if dies_on == DIES_WITH_UNIT else "leader casualty"
        battle.emit(Eliminated(unit=leader, points=1, why=why))


def run_out_of_ammunition(battle: Battle[State], unit: int) -> None:
    """OST 8.1.10: a reduced rifle squad takes the weapon's place; no points are scored."""
    kind = TYPES[battle.state.kind[unit]]
    battle.emit(AmmoRanOut(unit=unit, becomes=BY_KEY[kind.becomes]))

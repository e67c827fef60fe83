"""The arithmetic of melee (OST 30.2, 30.3, 30.5, 17, 7): pure, from the facts of its members."""

from __future__ import annotations

from typing import NamedTuple

from rulesengine.rulesets.ost.fire import inspired
from rulesengine.rulesets.ost.state import (
    ASSAULT,
    BROKEN,
    CATEGORY,
    DEFENSE,
    ELITE,
    ENGINEER,
    FIREPOWER,
    GOOD,
    LEADER,
    NONE,
    POOR,
    SHAKEN,
    SNIPER,
    State,
)
from rulesengine.rulesets.ost.tally import Tally, code

MELEE_FIREPOWER = code("MELEE_FIREPOWER")
LEADER_FIREPOWER = code("LEADER_IN_MELEE_FIREPOWER")
SNIPER_FIREPOWER = code("SNIPER_IN_MELEE_FIREPOWER")
ALONE_FIREPOWER = code("LONE_SINGLE_PERSON_FIREPOWER")
SHAKEN_FIREPOWER = code("SHAKEN_FIREPOWER")
LEADER_DEFENSE = code("LEADER_IN_MELEE_DEFENSE")
SNIPER_DEFENSE = code("SNIPER_IN_MELEE_DEFENSE")
ALONE_DEFENSE = code("LONE_SINGLE_PERSON_DEFENSE")
LEADER_IN_MELEE = code("LEADER_IN_MELEE")
SHAKEN_IN_MELEE = code("SHAKEN_IN_MELEE")
PICKED_TROOPS = (
    (ELITE, code("ELITE_IN_MELEE")),
    (ENGINEER, code("ENGINEER_IN_MELEE")),
    (ASSAULT, code("ASSAULT_IN_MELEE")),
)
POOR_IN_MELEE = code("POOR_IN_MELEE")


class Member(NamedTuple):
    """One unit or single person in a melee."""

    firepower: int
    """Of the unit and one support weapon (10.0.15); single persons have 1 (30.2.4)."""
    defense: int
    """Single persons have 1."""
    morale: int
    category: int
    traits: int
    leads: bool = False
    """A good order leader of its branch is attached to it. OST 7.2.6, 7.5.1."""


def member(state: State, c: int) -> Member:
    """The facts of a counter in a melee."""
    kind = state.kind[c]
    category = CATEGORY[kind]
    if category in (LEADER, SNIPER):
        return Member(1, 1, state.morale[c], category, state.quality[c])
    fire = FIREPOWER[kind][state.steps[c]]
    weapon = state.weapon[c]
    if weapon != NONE:
        fire += FIREPOWER[state.kind[weapon]][1]
    leads = inspired(state, c)
    return Member(fire, DEFENSE[kind], state.morale[c], category, state.quality[c], leads)


def _single(m: Member) -> bool:
    return m.category in (LEADER, SNIPER)


def firepower(members: list[Member], *, halve_after: bool = False) -> Tally | None:
    """Total firepower of a side, or None if nobody of it can strike. OST 30.3.2.

    Broken members add nothing (30.2.9), shaken ones half (30.2.8). A side of single persons
    only gets no +2 (7.1.6, 7.2.8). `halve_after` is the option to halve after the +2 where
    everybody is shaken.
    """
    striking = [m for m in members if m.morale != BROKEN]
    if not striking:
        return None
    units = [m for m in striking if not _single(m)]
    tally = Tally(sum(m.firepower for m in units))
    all_shaken = halve_after and all(m.morale == SHAKEN for m in units)
    for m in units:
        if m.morale == SHAKEN and not all_shaken:
            tally.plus(SHAKEN_FIREPOWER, m.firepower // 2 - m.firepower)
    alone = all(_single(m) for m in members)
    for m in striking:
        if _single(m) and m.morale == GOOD:
            helping = SNIPER_FIREPOWER if m.category == SNIPER else LEADER_FIREPOWER
            tally.plus(ALONE_FIREPOWER if alone else helping, 1)
    if not alone:
        tally.add(MELEE_FIREPOWER)
    if all_shaken and units:
        tally.halve(SHAKEN_FIREPOWER)
    return tally.at_least(1)


def lone_rules(members: list[Member]) -> tuple[str, ...]:
    """The rules about single persons caught alone, if the side has nobody else."""
    if not all(_single(m) for m in members):
        return ()
    return tuple({"7.1.6" if m.category == SNIPER else "7.2.8": None for m in members})


def defense(members: list[Member]) -> Tally:
    """Total Defense of a side, broken members included. OST 30.3.3, 30.2.3, 30.2.9."""
    tally = Tally(sum(m.defense for m in members if not _single(m)))
    alone = all(_single(m) for m in members)
    for m in members:
        if _single(m):
            helping = SNIPER_DEFENSE if m.category == SNIPER else LEADER_DEFENSE
            tally.plus(ALONE_DEFENSE if alone else helping, 1)
    return tally


def roll_modifiers(members: list[Member]) -> Tally:
    """What changes every attack roll of a side; each "(max)" counts once. OST 27.1.3, 30.2.7."""
    tally = Tally(0)
    striking = [m for m in members if m.morale != BROKEN]
    if any(m.leads for m in striking):
        tally.add(LEADER_IN_MELEE)
    if any(m.morale == SHAKEN for m in striking):
        tally.add(SHAKEN_IN_MELEE)
    units = [m for m in striking if not _single(m)]
    for trait, modifier in PICKED_TROOPS:
        if any(m.traits & trait for m in units):
            tally.add(modifier)
            break
    if any(m.traits & POOR for m in units):
        tally.add(POOR_IN_MELEE)
    return tally

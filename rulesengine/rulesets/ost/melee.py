"""The arithmetic of melee (OST 30.2, 30.3, 30.5, 17, 7): pure, from the facts of its members."""

from __future__ import annotations

from typing import NamedTuple

from rulesengine.rulesets.ost.fire import inspired
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    ARMOR,
    ASSAULT,
    CATEGORY,
    CAVALRY,
    DEFENSE,
    ELITE,
    ENGINEER,
    ENGINEERS_ONLY,
    FIREPOWER,
    LEADER,
    MORTAR,
    OPEN_TOP,
    POOR,
    SNIPER,
    SOFT,
    SQUAD,
    TRAITS,
    VEHICLE,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    SHAKEN,
    State,
)
from rulesengine.rulesets.ost.tally import AMOUNT, Tally, code
from rulesengine.rulesets.ost.vehicles import (
    FRONT,
    HE,
    HULL_HE,
    MG,
    works,
)

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
ARMOR_SHOCK = code("ARMOR_SHOCK")
CAVALRY_SHOCK = code("CAVALRY_SHOCK")
ARMOR_LEADER_ATTACHED = code("ARMOR_LEADER_ATTACHED")
ARMOR_LEADER_FIREPOWER = code("ARMOR_LEADER_FIREPOWER")
ARMOR_LEADER_DEFENSE = code("ARMOR_LEADER_DEFENSE")
ANTITANK_IN_MELEE = code("ANTITANK_IN_MELEE")
POOR_IN_MELEE = code("POOR_IN_MELEE")
OPEN_TOP_DEFENSE = code("OPEN_TOP_DEFENSE")
PASSENGER_FIREPOWER = code("PASSENGER_FIREPOWER")
PASSENGER_DEFENSE = code("PASSENGER_DEFENSE")


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
    antitank: bool = False
    """Its antitank weapon is in that firepower: an enemy vehicle is in the melee. OST 10.1.4."""
    shock: bool = False
    """An armored vehicle in good order with an armament that works. OST 30.2.5."""
    charges: bool = False
    """Cavalry in good order that assaulted this turn, where the scenario lets it. OST 30.2.6."""
    armed: bool = True
    """Not a vehicle without an armament that works. OST 30.2.5, 30.3.10."""
    rides: bool = False
    """It was caught on a vehicle: both its figures are halved. OST 24.0.14."""


def member(state: State, c: int, *, armour: bool = False) -> Member:
    """The facts of a counter in a melee; `armour`: the enemy has a vehicle in it."""
    kind = state.kind[c]
    category = CATEGORY[kind]
    morale, traits = state.morale[c], state.quality[c]
    if category == VEHICLE:
        led = state.good_leader(c) != NONE
        return vehicle(kind, state.damage[c], morale, traits, leads=led)
    if category in (LEADER, SNIPER):
        return person(kind, morale, traits)
    weapon = weapon_of(state, c)
    found = foot(
        kind,
        state.steps[c],
        morale,
        traits,
        weapon=NONE if weapon == NONE else state.kind[weapon],
        armour=armour,
        leads=inspired(state, c),
    )
    charging, rides = charges(state, c), c in state.riding
    return found._replace(charges=charging, rides=rides) if charging or rides else found


def person(kind: int, morale: int, traits: int) -> Member:
    """A leader or a sniper. OST 30.2.4."""
    return Member(1, 1, morale, CATEGORY[kind], traits)


def foot(
    kind: int,
    steps: int,
    morale: int,
    traits: int,
    *,
    weapon: int = NONE,
    armour: bool = False,
    leads: bool = False,
) -> Member:
    """A foot unit with its support weapon, each by its type; `armour` as above. OST 10.0.15,
    10.1.4."""
    fire = FIREPOWER[kind][steps]
    antitank = False
    if weapon != NONE and fights_with(kind, weapon, armour=armour):
        antitank = bool(TRAITS[weapon] & ANTITANK)
        fire += AMOUNT[ANTITANK_IN_MELEE] if antitank else FIREPOWER[weapon][1]
    return Member(fire, DEFENSE[kind], morale, CATEGORY[kind], traits, leads, antitank)


def weapon_of(state: State, c: int) -> int:
    """The support weapon a unit can use in a melee, or NONE: not one that another squad has used
    this turn. OST 10.0.10, 10.0.15."""
    weapon = state.weapon[c]
    return weapon if weapon != NONE and state.firer_of[weapon] in (NONE, c) else NONE


def fights(state: State, c: int, *, armour: bool) -> bool:
    """Whether the support weapon a unit carries is used in a melee."""
    weapon = weapon_of(state, c)
    return weapon != NONE and fights_with(state.kind[c], state.kind[weapon], armour=armour)


def fights_with(kind: int, weapon: int, *, armour: bool) -> bool:
    """Whether a unit of a type uses a support weapon in a melee: rockets where the enemy has a
    vehicle in it (10.1.4), satchels and mortars never (10.2.6, 10.3.14), flamethrowers in the
    hands of engineers (6.1.4)."""
    traits = TRAITS[weapon]
    if traits & ANTITANK:
        return armour and CATEGORY[kind] == SQUAD
    if traits & ENGINEERS_ONLY and not TRAITS[kind] & ENGINEER:
        return False
    return not traits & (WHOLE_HEX | MORTAR)


def charges(state: State, c: int) -> bool:
    """By option: cavalry in good order that assaulted this turn. OST 30.2.6."""
    if state.options.cavalry_charges is not True or not TRAITS[state.kind[c]] & CAVALRY:
        return False
    return state.assaulted[c] and state.morale[c] == GOOD


def vehicle(kind: int, out: int, morale: int, traits: int, *, leads: bool = False) -> Member:
    """All HE that works and the machine guns (30.3.2); front Defense (30.3.9); `out` are the bits
    of its damage. A lorry has no firepower (30.3.10)."""
    main, hull, mgs = works(kind, out)
    fire = (HE[kind] if main else 0) + (HULL_HE[kind] if hull else 0) + (MG[kind] if mgs else 0)
    armed = bool(main or hull or mgs)
    shock = armed and morale == GOOD and not TRAITS[kind] & SOFT
    return Member(fire, FRONT[kind], morale, VEHICLE, traits, leads, shock=shock, armed=armed)


def _strikes(m: Member) -> bool:
    """Whether it adds to the attack: the broken do not (30.2.9), nor what has no armament."""
    return m.morale != BROKEN and m.armed


def _striking(members: list[Member]) -> list[Member]:
    """Who strikes; an armor leader only with a vehicle that does."""
    striking = [m for m in members if _strikes(m)]
    if all(_single(m) and m.traits & ARMOR for m in striking):
        return []
    return striking


def _single(m: Member) -> bool:
    return m.category in (LEADER, SNIPER)


def firepower(members: list[Member], *, halve_after: bool = False) -> Tally | None:
    """Total firepower of a side, or None if nobody of it can strike. OST 30.3.2.

    Broken members add nothing (30.2.9), shaken ones half (30.2.8). A side of single persons
    only gets no +2 (7.1.6, 7.2.8). `halve_after` is the option to halve after the +2 where
    everybody is shaken.
    """
    striking = _striking(members)
    if not striking:
        return None
    units = [m for m in striking if not _single(m)]
    rockets = sum(m.antitank for m in units)
    tally = Tally(sum(m.firepower for m in units) - rockets * AMOUNT[ANTITANK_IN_MELEE])
    tally.add(ANTITANK_IN_MELEE, rockets)
    all_shaken = halve_after and all(m.morale == SHAKEN for m in units)
    for m in units:
        own = m.firepower
        if m.rides:
            tally.plus(PASSENGER_FIREPOWER, own // 2 - own)
            own //= 2
        if m.morale == SHAKEN and not all_shaken:
            tally.plus(SHAKEN_FIREPOWER, own // 2 - own)
    alone = all(_single(m) for m in members)
    for m in striking:
        if _single(m) and m.morale == GOOD:
            helping = SNIPER_FIREPOWER if m.category == SNIPER else LEADER_FIREPOWER
            helping = ARMOR_LEADER_FIREPOWER if m.traits & ARMOR else helping
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
    """Total Defense of a side, broken members included; an open top is one weaker. OST 30.3.3,
    30.2.3, 30.2.9, 9.1.3; riders are halved, 24.0.14."""
    tally = Tally(sum(m.defense for m in members if not _single(m)))
    for m in members:
        if m.rides:
            tally.plus(PASSENGER_DEFENSE, m.defense // 2 - m.defense)
    tally.add(OPEN_TOP_DEFENSE, sum(bool(m.traits & OPEN_TOP) for m in members))
    alone = all(_single(m) for m in members)
    for m in members:
        if _single(m):
            helping = SNIPER_DEFENSE if m.category == SNIPER else LEADER_DEFENSE
            helping = ARMOR_LEADER_DEFENSE if m.traits & ARMOR else helping
            tally.plus(ALONE_DEFENSE if alone else helping, 1)
    return tally


def roll_modifiers(members: list[Member]) -> Tally:
    """What changes every attack roll of a side; each "(max)" counts once. OST 27.1.3, 30.2.7."""
    tally = Tally(0)
    striking = _striking(members)
    if any(m.leads and m.category != VEHICLE for m in striking):
        tally.add(LEADER_IN_MELEE)
    elif any(m.leads for m in striking):
        tally.add(ARMOR_LEADER_ATTACHED)
    if any(m.shock for m in striking):
        tally.add(ARMOR_SHOCK)
    if any(m.charges for m in striking):
        tally.add(CAVALRY_SHOCK)
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

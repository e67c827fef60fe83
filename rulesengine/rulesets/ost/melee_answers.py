"""The answer to a question about a round of melee: the arithmetic of `melee.py`, the chances of
every blow (OST 30)."""

from __future__ import annotations

from typing import NamedTuple

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.contract import Answer, Modifier
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import duel, gunnery, melee
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.charts import COLUMNS, column
from rulesengine.rulesets.ost.fire import of_branch
from rulesengine.rulesets.ost.foot_answers import fate
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    LEADER,
    SINGLE_PERSONS,
    SQUAD,
    STEPS,
    TRAITS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.melee_questions import FirstUnit, MeleeRound, MeleeSide, SecondUnit
from rulesengine.rulesets.ost.question_words import MOST_GUT_CHECK
from rulesengine.rulesets.ost.state import (
    DAMAGE,
    GOOD,
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    NONE,
)
from rulesengine.rulesets.ost.tally import Tally, words_of
from rulesengine.rulesets.ost.vehicle_answers import chances, fates, key_of, named
from rulesengine.rulesets.ost.worth import outcomes

OUT = {
    "": 0,
    "machine guns": MGS_OUT,
    "main gun": MAIN_OUT,
    "hull gun": HULL_OUT,
    "engine": IMMOBILE,
}
SIDES = ("one side", "other side")
ALWAYS = ("30.2.3", "30.3.1", "30.3.2", "30.3.3", "30.3.4", "30.3.5", "30.3.6", "30.3.7", "10.0.15")

UNIT_GOOD, UNIT_SHAKY, PERSON = 1, 2, 4
"""Bits of what a round leaves of a side."""


class Fighter(NamedTuple):
    """Somebody in the melee."""

    name: str
    kind: int
    steps: int
    morale: int
    weapon: int
    out: int
    leads: bool = False

    @property
    def hard(self) -> bool:
        return CATEGORY[self.kind] == VEHICLE

    @property
    def attacked(self) -> bool:
        """An armor leader is not: he shares the fate of his vehicle."""
        return not TRAITS[self.kind] & ARMOR

    def member(self, *, armour: bool) -> melee.Member:
        """What he is to the arithmetic; `armour`: the enemy has a vehicle."""
        traits = TRAITS[self.kind]
        if self.hard:
            return melee.vehicle(self.kind, self.out, self.morale, traits, leads=self.leads)
        if CATEGORY[self.kind] in SINGLE_PERSONS:
            return melee.person(self.kind, self.morale, traits)
        return melee.foot(
            self.kind,
            self.steps,
            self.morale,
            traits,
            weapon=self.weapon,
            armour=armour,
            leads=self.leads,
        )


class Blows(NamedTuple):
    """One side's attack on the other."""

    power: Tally | None
    """None where nobody of it can strike."""
    against: Tally
    changes: Tally
    targets: list[Fighter]

    @property
    def said(self) -> str:
        if self.power is None:
            return "does not strike"
        difference = f"FP {self.power.value} - Defense {self.against.value}"
        at = COLUMNS[column(self.power.value, self.against.value)]
        return f"{difference} = column {at}; 2D6 {self.changes.value:+d}"


def melee_round(q: MeleeRound) -> Answer:
    """Both strike at once; then what each side is left with. OST 30.3, 30.4."""
    sides = [_side(q.one, "one"), _side(q.two, "two")]
    if duel.duels([[f.kind for f in side] for side in sides]):
        raise BadDocument("one, two: armored vehicles alone fight a tank duel (31.0): ask that")
    targets = _targets(q, sides)
    blows = [_blows(sides[i], sides[1 - i], targets[i]) for i in (0, 1)]
    guts = (q.one.gut_check, q.two.gut_check)
    left, lines = [], []
    for i in (0, 1):
        found = [_fate(f, blows[1 - i], guts[i]) for f in sides[i]]
        left.append(_left(sides[i], found))
        lines += [
            f"{SIDES[i]}, {f.name}: {_shares(names)}"
            for f, (names, _) in zip(sides[i], found, strict=True)
        ]
    spread = left[0].then(
        lambda one: left[1].then(lambda two: certain(f"one side {one}; other side {two}"))
    )
    members = [[f.member(armour=False) for f in side] for side in sides]
    lone = dict.fromkeys(rule for side in members for rule in melee.lone_rules(side))
    concentrated = ("30.5.p1", "30.5.1", "30.5.2", "30.5.3", "30.5.5") if q.concentrate else ()
    silent = ("30.2.9",) if any(b.power is None for b in blows) else ()
    return Answer(
        question="melee",
        text=f"One side {blows[0].said}. Other side {blows[1].said}",
        rules=(*ALWAYS, *concentrated, *lone, *silent, "30.2.7", "30.4.2", "30.4.3", "30.4.4"),
        steps=tuple(lines),
        modifiers=tuple(m for i in (0, 1) for m in _modifiers(i, blows[i])),
        chances=chances(spread, str),
        value=_difference(blows[0]),
    )


def _difference(blows: Blows) -> int | None:
    return None if blows.power is None else blows.power.value - blows.against.value


def _modifiers(side: int, blows: Blows) -> tuple[Modifier, ...]:
    """What changes the attack of a side: its firepower, the Defense of the other, which it faces,
    and its roll, each with whose it is. OST 7.2.5, 30.3.4."""
    if blows.power is None:
        return ()
    mine, other = SIDES[side], SIDES[1 - side]
    return words_of(
        **{
            f"FP of {mine}": blows.power.parts,
            f"Defense of {other}": blows.against.parts,
            f"roll of {mine}": blows.changes.parts,
        }
    )


# --- who is there --------------------------------------------------------------------------------


def _side(side: MeleeSide, field: str) -> list[Fighter]:
    if not 0 <= side.gut_check <= MOST_GUT_CHECK:
        raise BadDocument(f"{field}.gut_check: 0 to {MOST_GUT_CHECK}")
    first = _fighter(side.first, f"{field}.first")
    found = [first]
    if side.second.counter:
        if CATEGORY[first.kind] in SINGLE_PERSONS:
            raise BadDocument(f"{field}.first: with a unit beside him he is no unit (20.0.1)")
        found.append(_fighter(side.second, f"{field}.second"))
    if side.leader:
        leader = _leader(side, first, f"{field}.leader")
        good = leader.morale == GOOD
        leads = good and (first.hard or of_branch(leader.kind, first.kind))
        found = [first._replace(leads=leads), *found[1:], leader]
    return found


def _fighter(unit: FirstUnit | SecondUnit, field: str) -> Fighter:
    kind = key_of(unit.counter, f"{field}.counter")
    if CATEGORY[kind] == WEAPON or TRAITS[kind] & ARMOR:
        raise BadDocument(f'{field}.counter: "{unit.counter}" fights with whoever has it')
    if unit.reduced and STEPS[kind] == 1:
        raise BadDocument(f"{field}.reduced: the counter has one step only")
    weapon = key_of(unit.weapon, f"{field}.weapon") if unit.weapon else NONE
    hard = CATEGORY[kind] == VEHICLE
    if weapon != NONE and (CATEGORY[weapon] != WEAPON or CATEGORY[kind] != SQUAD):
        raise BadDocument(f"{field}.weapon: a support weapon, which squads carry (10.0.p1)")
    if unit.out and not hard:
        raise BadDocument(f"{field}.out: only a vehicle is damaged")
    return Fighter(
        TYPES[kind].title,
        kind,
        STEPS[kind] - unit.reduced,
        MORALE_NAMES.index(unit.morale),
        weapon,
        OUT[unit.out],
    )


def _leader(side: MeleeSide, first: Fighter, field: str) -> Fighter:
    kind = key_of(side.leader, field)
    if CATEGORY[kind] != LEADER:
        raise BadDocument(f'{field}: "{side.leader}" is no leader')
    if bool(TRAITS[kind] & ARMOR) != first.hard:
        raise BadDocument(f"{field}: an armor leader is in a vehicle, others are on foot (7.2.7)")
    morale = MORALE_NAMES.index(side.leader_morale)
    return Fighter(TYPES[kind].title, kind, 1, morale, NONE, 0)


# --- the blows -----------------------------------------------------------------------------------


def _targets(q: MeleeRound, sides: list[list[Fighter]]) -> list[list[Fighter]]:
    """Whom each side strikes at. OST 30.3.5, 30.5."""
    targets = [list(sides[1]), list(sides[0])]
    if not q.concentrate:
        return targets
    counts = [_units(side) for side in sides]
    if sorted(map(len, counts)) != [1, 2]:
        raise BadDocument("concentrate: one unit against two (30.5.5)")
    few = 0 if len(counts[0]) == 1 else 1
    theirs = sides[1 - few]
    target = counts[1 - few][0 if q.concentrate == "first" else 1]
    leaders = [f for f in theirs if CATEGORY[f.kind] == LEADER and f.attacked != target.hard]
    with_him = leaders if not target.hard or target is theirs[0] else []
    targets[few] = [target, *with_him]
    return targets


def _units(side: list[Fighter]) -> list[Fighter]:
    """OST 30.5.2."""
    return [f for f in side if CATEGORY[f.kind] not in SINGLE_PERSONS]


def _blows(strikers: list[Fighter], enemies: list[Fighter], targets: list[Fighter]) -> Blows:
    armour = any(f.hard for f in enemies)
    members = [f.member(armour=armour) for f in strikers]
    return Blows(
        melee.firepower(members),
        melee.defense([f.member(armour=False) for f in targets]),
        melee.roll_modifiers(members),
        targets,
    )


def _fate(f: Fighter, blows: Blows, gut_check: int) -> tuple[Spread[str], Spread[int]]:
    """What the enemy's blows make of somebody: in words, and as a bit of his side."""
    single = CATEGORY[f.kind] in SINGLE_PERSONS
    if blows.power is None or all(f is not t for t in blows.targets) or not f.attacked:
        return certain("not struck"), certain(_bit(f.morale, single=single))
    at, change = column(blows.power.value, blows.against.value), blows.changes.value
    if f.hard:
        results = over_falls(6, 2, lambda faces: gunnery.look_up(at, sum(faces) + change))
        damaged = bool(f.out & DAMAGE)
        hurt = results.then(
            lambda r: fates(r, f.kind, gut_check, f.morale, damaged=damaged, melee=True)
        )
        return (
            hurt.then(lambda one: certain(named(one, f.morale))),
            hurt.then(lambda one: certain(0 if one.gone else _bit(one.morale, single=False))),
        )
    struck = outcomes(at, change, gut_check, f.steps, f.morale)
    return (
        struck.then(lambda one: certain(fate(one, f.steps, f.morale))),
        struck.then(lambda one: certain(0 if one[0] == f.steps else _bit(one[1], single=single))),
    )


def _bit(morale: int, *, single: bool) -> int:
    if single:
        return PERSON
    return UNIT_GOOD if morale == GOOD else UNIT_SHAKY


def _left(side: list[Fighter], found: list[tuple[Spread[str], Spread[int]]]) -> Spread[str]:
    """What a side is left with. OST 30.4."""
    bits: Spread[int] = certain(0)
    for f, (_, one) in zip(side, found, strict=True):
        if f.attacked:
            bits = _with(bits, one)
    return bits.then(lambda all_of: certain(_condition(all_of)))


def _with(bits: Spread[int], one: Spread[int]) -> Spread[int]:
    return bits.then(lambda so_far: one.then(lambda bit: certain(so_far | bit)))


def _condition(bits: int) -> str:
    if bits & UNIT_GOOD:
        return "fights on"
    if bits & UNIT_SHAKY:
        return "is shaken or broken"
    return "has only a single person left" if bits else "is gone"


def _shares(names: Spread[str]) -> str:
    """The outcomes of one of them on a line, the likeliest first."""
    return "; ".join(f"{c.outcome} {c.share}" for c in chances(names, str))

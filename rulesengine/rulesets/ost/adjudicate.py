"""Answers to rule questions: each modifier with its rule, each chance as an exact fraction."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec

from rulesengine.chance import Spread, over_falls
from rulesengine.contract import Answer, Chance
from rulesengine.documents import BadDocument
from rulesengine.quantities import many
from rulesengine.rulesets.ost import fate_answers, strike_answers
from rulesengine.rulesets.ost.airborne_answers import glider_landing, paradrop
from rulesengine.rulesets.ost.airborne_questions import GliderLanding, Paradrop
from rulesengine.rulesets.ost.altered import RUBBLE_TERRAIN
from rulesengine.rulesets.ost.card_answers import unit_card
from rulesengine.rulesets.ost.casualties import falls_to, passes
from rulesengine.rulesets.ost.charts import (
    COLUMNS,
    HEXSIDES,
    MARKERS,
    TERRAIN,
    TERRAIN_BY_KEY,
    column,
)
from rulesengine.rulesets.ost.drive_answers import drive_cost
from rulesengine.rulesets.ost.duel_answers import tank_duel
from rulesengine.rulesets.ost.fire import firepower, roll_modifiers
from rulesengine.rulesets.ost.foot_answers import COMPANY, collateral, fate
from rulesengine.rulesets.ost.ground import (
    IMPASSABLE,
    Ground,
)
from rulesengine.rulesets.ost.maps_asked import checked_ground, hexes_of, with_works
from rulesengine.rulesets.ost.melee_answers import melee_round
from rulesengine.rulesets.ost.melee_questions import MeleeRound
from rulesengine.rulesets.ost.morale import NEEDED, rallied_to, rally_modifiers
from rulesengine.rulesets.ost.question_words import (
    MOST_ATTACKS,
    MOST_FIREPOWER,
    MOST_GUT_CHECK,
)
from rulesengine.rulesets.ost.questions import (
    CollateralDamage,
    GutCheck,
    InfantryAttack,
    LineOfSight,
    MovementCost,
    RallyAttempt,
    UnitCard,
)
from rulesengine.rulesets.ost.shelter_asked import code_of, markers_of, shelter, terrain_of
from rulesengine.rulesets.ost.sight_answers import line_of_sight
from rulesengine.rulesets.ost.state import BROKEN, MORALE_NAMES, SHAKEN
from rulesengine.rulesets.ost.tally import words, words_of
from rulesengine.rulesets.ost.vehicle_answers import to_hit, vehicle_attack
from rulesengine.rulesets.ost.vehicle_questions import DriveCost, TankDuel, ToHitRoll, VehicleAttack
from rulesengine.rulesets.ost.worth import after

ATTACKING = ("27.1.p2", "27.1.p4", "27.1.p5", "27.1.1", "27.1.2", "28.0.1", "28.0.3", "28.0.4")
"""The rules of every attack on foot units."""


UNEVEN = frozenset((RUBBLE_TERRAIN, TERRAIN_BY_KEY["debris"]))
"""What a road leads through without being better shelter. OST 12.7.9."""
HELD = {"light structure": ("16.1.2", "16.1.3"), "heavy structure": ("16.2.2", "16.2.3")}
"""That men on foot, crews too, hold the whole of a building."""


def adjudicate(question: Any) -> Answer:
    """Answer one question. Raises BadDocument naming the field that is wrong."""
    for field in ("terrain", "markers"):
        named = getattr(question, field, ())
        if len(set(named)) < len(named):
            raise BadDocument(f"{field}: the same word is there twice")
    answer = _ANSWERS[type(question)](question)
    if len(set(answer.rules)) < len(answer.rules):  # two parts of it may rest on one rule
        return msgspec.structs.replace(answer, rules=tuple(dict.fromkeys(answer.rules)))
    return answer


def _attack(q: InfantryAttack) -> Answer:
    if not 0 <= q.degraded <= 2:
        raise BadDocument("degraded: 0, 1 or 2; a third degrading hex blocks the line (12.3.2)")
    if q.steps not in (1, 2):
        raise BadDocument("steps: 2 for a full unit, 1 for a reduced one or a single person")
    if not q.firepower or not all(0 <= power <= MOST_FIREPOWER for power in q.firepower):
        raise BadDocument(f"firepower: the printed FP of each firer, 0 to {MOST_FIREPOWER}")
    if not 0 <= q.defense <= MOST_FIREPOWER:
        raise BadDocument(f"defense: 0 to {MOST_FIREPOWER}")
    _refuse_gut_check(q.gut_check)
    if not 1 <= q.attacks <= MOST_ATTACKS:
        raise BadDocument(f"attacks: 1 to {MOST_ATTACKS}")
    terrain = terrain_of(q.terrain)
    strength = firepower(
        sum(q.firepower),
        adjacent=q.adjacent,
        degraded=q.degraded,
        shaken=q.shaken,
        intensive=q.intensive,
    )
    resistance = shelter(
        q.defense,
        terrain,
        q.hexside,
        markers_of(q.markers),
        mounted=q.company not in ("", "rolling cover"),
        in_street=q.company == "rolling cover",
    )
    if q.company:
        resistance.add(code_of(COMPANY, q.company, "company"))
    changes = roll_modifiers(
        moved=q.moved,
        leader=q.leader,
        ambush=q.ambush,
        intensive=q.intensive,
        height={"higher": 1, "level": 0, "lower": -1}[q.from_ground],
    )
    covered = [TERRAIN[kind].rules["defense"] for kind in terrain]
    if len(covered) > 1:
        covered.append("14.0.9")
    at = column(strength.value, resistance.value)
    morale = MORALE_NAMES.index(q.morale)
    spread = after((at, changes.value, q.gut_check), q.steps, morale, q.attacks)
    return Answer(
        question="infantry attack",
        text=f"FP {strength.value} - Defense {resistance.value} = column {COLUMNS[at]}",
        rules=(*ATTACKING, *covered, "14.0.2", "27.1.3") if covered else (*ATTACKING, "27.1.3"),
        steps=(
            f"firepower {' + '.join(map(str, q.firepower))}, with its modifiers {strength.value}",
            f"Defense {q.defense}, with its modifiers {resistance.value}",
            f"column {COLUMNS[at]} of the Infantry Combat Table",
            f"2D6 {changes.value:+d}",
            *((f"{q.attacks} attacks, each at what the last one left",) if q.attacks > 1 else ()),
        ),
        modifiers=words_of(FP=strength.parts, Defense=resistance.parts, roll=changes.parts),
        chances=_chances(spread, lambda o: fate(o, q.steps, morale)),
        value=strength.value - resistance.value,
    )


def _chances(spread: Spread[Any], name: Callable[[Any], str]) -> tuple[Chance, ...]:
    """Outcomes by name, the likeliest first; exact fractions over the same denominator."""
    weights: dict[str, int] = {}
    for outcome, weight in spread.weights.items():
        weights[name(outcome)] = weights.get(name(outcome), 0) + weight
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Chance(outcome, weight, spread.of) for outcome, weight in ordered)


def _refuse_gut_check(number: int) -> None:
    if not 0 <= number <= MOST_GUT_CHECK:
        raise BadDocument(f"gut_check: 0 to {MOST_GUT_CHECK}; it is rolled on 2D6 (17.4.1)")


def _gut_check(q: GutCheck) -> Answer:
    _refuse_gut_check(q.gut_check)
    level = SHAKEN if q.result == "shaken" else BROKEN
    morale = MORALE_NAMES.index(q.morale)
    rules = ["17.4.1", "17.4.2", "17.4.3", "17.4.4"]
    if morale == BROKEN:
        return Answer(
            question="gut check",
            text="A broken unit is not affected by further morale results.",
            rules=("17.3.6",),
            chances=(Chance("no effect", 1, 1),),
        )
    worse = falls_to(morale, level)
    if morale == SHAKEN and level == SHAKEN:
        rules.append("17.2.6")
    spread = over_falls(
        6, 2, lambda faces: "no effect" if passes(sum(faces), q.gut_check) else MORALE_NAMES[worse]
    )
    return Answer(
        question="gut check",
        text=f"{q.gut_check} or more on 2D6, never modified; else {MORALE_NAMES[worse]}",
        rules=tuple(rules),
        chances=_chances(spread, str),
        value=q.gut_check,
    )


def _rally(q: RallyAttempt) -> Answer:
    morale = MORALE_NAMES.index(q.morale)
    changes = rally_modifiers(q.leader, q.quality == "elite", q.quality == "poor")
    spread = over_falls(
        6, 2, lambda faces: MORALE_NAMES[rallied_to(morale, sum(faces) + changes.value)]
    )
    needed = "18.0.2" if morale == SHAKEN else "18.0.3"
    return Answer(
        question="rally",
        text=f"{NEEDED[morale]} or more on 2D6 {changes.value:+d}",
        rules=("18.0.1", needed, "18.0.4", "18.0.5", "18.0.6"),
        modifiers=words(tuple(changes.parts)),
        chances=_chances(spread, str),
        value=NEEDED[morale],
    )


def _movement_cost(q: MovementCost) -> Answer:
    plain = checked_ground(q.map)
    ground = with_works(plain, q.works())
    hexes = hexes_of(ground, q.path, "path")
    if len(hexes) < 2:
        raise BadDocument("path: at least two hexes, the first is where the unit stands")
    streets = hexes_of(ground, q.streets, "streets")
    if not ground.dual.issuperset(streets):
        raise BadDocument("streets: only hexes with a road and a structure")
    total = 0
    steps, rules = [], ["23.0.p1", "23.0.2", "1.1.p1"]
    for a, b in pairwise(hexes):
        if ground.grid.direction(a, b) < 0:
            raise BadDocument(f"path: {ground.name(a)} and {ground.name(b)} are not adjacent")
        if a in ground.stops and a != hexes[0]:
            text = f"the wire in {ground.name(a)} ends the move"
            return Answer(question="movement cost", text=text, rules=("13.6.3",), value=IMPASSABLE)
        street = b in streets
        cost = ground.cost(a, b, street=street)
        if cost >= IMPASSABLE:
            why, rule = ground.bar(a, b)
            return Answer(
                question="movement cost",
                text=f"{ground.name(a)} to {ground.name(b)}: {why}",
                rules=(rule,),
                value=IMPASSABLE,
            )
        total += cost
        why, cited = _step(ground, a, b, street=street)
        steps.append(f"{ground.name(b)}: {cost} ({why})")
        rules += cited
    fits = total <= q.points
    single = len(hexes) == 2
    if single and not fits:
        rules.append("23.0.5")
    verdict = "can be done" if fits or single else f"is too far for {q.points}"
    return Answer(
        question="movement cost",
        text=f"{many(total, 'movement point')}: {verdict}",
        rules=tuple(dict.fromkeys([*rules, "23.0.4"])),
        steps=tuple(steps),
        value=total,
    )


def _step(ground: Ground, a: int, b: int, *, street: bool) -> tuple[str, list[str]]:
    """What one step pays for, and by which rules."""
    d = ground.grid.direction(a, b)
    words_, rules = [], []
    by_road = ground.road[a] >> d & 1
    if b in ground.dual:
        rules += ["16.6.1", "16.6.2"] if street else ["16.6.1", "16.6.3"]
    if by_road and (street or not ground.structure[b]):
        words_.append("by road 1")
        rules += ["14.13.2", "14.13.4", "23.0.3"]
        rules += ["12.7.9"] if not UNEVEN.isdisjoint(ground.terrain[b]) else []
    else:
        worst = max(ground.terrain[b], key=lambda k: TERRAIN[k].foot)
        words_.append(f"{TERRAIN[worst].name} {TERRAIN[worst].foot}")
        rules.append(TERRAIN[worst].rules["cost"])
        rules += ["13.8.3"] if worst == RUBBLE_TERRAIN else []
        rules += HELD.get(TERRAIN[worst].key, ())
        if len(ground.terrain[b]) > 1:
            rules.append("14.0.9")
    climb = ground.climb(a, b, street=street)
    if climb:
        words_.append(f"{climb} level{'s' * (climb > 1)} {climb}")
        rules += ["14.14.2", "14.14.3"] if climb > 1 else ["14.14.2"]
    if ground.storeys[b] and not street:
        rules.append("16.3.3")
    for h, points in ((b, ground.into[b]), (a, ground.out_of[a])):
        if points:
            marker = MARKERS[ground.works[h]]
            words_.append(f"{marker.name} {points}")
            rules += [marker.rules["cost"], "23.0.7"]
    edge = ground.edge[a * 6 + d]
    if edge:
        row = HEXSIDES[edge - 1]
        words_.append(f"{row.name} {row.foot}")
        rules += ["15.0.3", row.rules["cost"]]
    return ", ".join(words_), rules


_ANSWERS: dict[type[Any], Callable[[Any], Answer]] = {
    InfantryAttack: _attack,
    GutCheck: _gut_check,
    RallyAttempt: _rally,
    UnitCard: unit_card,
    LineOfSight: line_of_sight,
    MovementCost: _movement_cost,
    ToHitRoll: to_hit,
    VehicleAttack: vehicle_attack,
    TankDuel: tank_duel,
    DriveCost: drive_cost,
    CollateralDamage: collateral,
    MeleeRound: melee_round,
    **strike_answers.ANSWERS,
    **fate_answers.ANSWERS,
    Paradrop: paradrop,
    GliderLanding: glider_landing,
}

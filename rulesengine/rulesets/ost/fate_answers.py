"""Answers about single rolls at the table (OST 1.7, 4.0, 23.3, 23.5, 28.2, 29.6).

Exact chances, from the functions that resolve them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.chance import certain, over_falls, totals
from rulesengine.contract import Answer
from rulesengine.dice import Roll
from rulesengine.documents import BadDocument
from rulesengine.quantities import many
from rulesengine.rulesets.ost import casualties, damage, tracks
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.charts import HEXSIDE_BY_KEY, ICT_RESULTS
from rulesengine.rulesets.ost.command import LOSSES_PER_POINT, impulses
from rulesengine.rulesets.ost.fate_questions import (
    MOST_DICE,
    MOST_POINTS,
    ON_FOOT,
    BogRoll,
    CrewSurvival,
    ImpulsePoints,
    LeaderCasualty,
    StealthMove,
)
from rulesengine.rulesets.ost.kinds import STEALTH, TRAITS, TRANSPORT
from rulesengine.rulesets.ost.movement import points_of_type
from rulesengine.rulesets.ost.question_words import MOST_GUT_CHECK
from rulesengine.rulesets.ost.shelter_asked import code_of, terrain_of
from rulesengine.rulesets.ost.state import MORALE_NAMES
from rulesengine.rulesets.ost.tally import words
from rulesengine.rulesets.ost.vehicle_answers import chances, checked, key_of, vehicle_of
from rulesengine.rulesets.ost.vehicle_events import FreeingRolled
from rulesengine.rulesets.ost.vehicles import DRIVE


def leader_casualty(q: LeaderCasualty) -> Answer:
    """One roll, for the worst of what his unit suffers. OST 28.2.1 to 28.2.4."""
    if not 0 <= q.gut_check <= MOST_GUT_CHECK:
        raise BadDocument(f"gut_check: 0 to {MOST_GUT_CHECK}; it is rolled on 2D6 (17.4.1)")
    result = ICT_RESULTS.index(q.result)
    dies_on = casualties.leader_dies_on(result, 1 if q.reduced else 2)
    if dies_on:
        spread = over_falls(
            6,
            1,
            lambda faces: "killed" if casualties.leader_dies(faces[0], dies_on) else "no effect",
        )
        worst = "28.2.1" if dies_on == casualties.DIES_WITH_UNIT else "28.2.2"
        return Answer(
            question="leader casualty",
            text=f"He is killed on 1D6 up to {dies_on}",
            rules=("28.2.p1", worst, "28.2.4"),
            chances=chances(spread, str),
            value=dies_on,
        )
    level = casualties.MORALE_PART[result]
    unit, own = MORALE_NAMES.index(q.morale), MORALE_NAMES.index(q.leader_morale)
    fails = checked(unit, level, q.gut_check).then(lambda now: certain(now != unit))
    spread = fails.then(
        lambda failed: checked(own, level, q.gut_check) if failed else certain(own)
    ).then(lambda now: certain("no effect" if now == own else MORALE_NAMES[now]))
    return Answer(
        question="leader casualty",
        text=f"He checks where his unit fails its gut check: {fails.chance(True)}",
        rules=("28.2.p1", "28.2.3", "17.4.1", "17.4.2", "17.4.4"),
        steps=(f"{q.gut_check} or more on 2D6, never modified, first the unit, then he",),
        chances=chances(spread, str),
        value=q.gut_check,
    )


def crew_survival(q: CrewSurvival) -> Answer:
    """OST 29.6, 30.4.8."""
    kind = vehicle_of(q.vehicle, "vehicle")

    def scored(saved: bool) -> str:
        points = damage.points_for(kind, melee=q.melee, saved=saved)
        crew = "the crew get out" if saved else "nobody gets out"
        return f"{crew}, {points} casualty {'point' if points == 1 else 'points'}"

    if TRAITS[kind] & TRANSPORT or q.melee:
        carrier = bool(TRAITS[kind] & TRANSPORT)
        return Answer(
            question="crew survival",
            text="No roll: lorries and carriers have none" if carrier else "No roll in melee",
            rules=("29.6.4",) if carrier else ("30.4.8", "29.6.3"),
            chances=chances(certain(scored(False)), str),
        )
    spread = over_falls(6, 1, lambda faces: scored(damage.crew_gets_out(kind, faces[0])))
    return Answer(
        question="crew survival",
        text=f"A {damage.SURVIVES} on 1D6",
        rules=("29.6.p1", "29.6.1", "29.6.2", "29.6.3"),
        chances=chances(spread, str),
        value=damage.SURVIVES,
    )


# --- bogs ----------------------------------------------------------------------------------------


def bog(q: BogRoll) -> Answer:
    """The roll where the ground or the hexside takes one; or the attempt to get free. OST 23.5."""
    drive = DRIVE[vehicle_of(q.vehicle, "vehicle")]
    terrain = terrain_of(q.terrain)
    if not terrain:
        raise BadDocument("terrain: what the hex holds, at least one")
    changes = tracks.bog_changes(terrain)
    ways = [tracks.step_into(terrain, drive)]
    if q.hexside:
        ways.append(tracks.step_over(code_of(HEXSIDE_BY_KEY, q.hexside, "hexside") + 1, drive))
    shut = next((way for way in ways if way.halves == tracks.CLOSED), None)
    if shut is not None:
        text = "vehicles of its kind may not go there"
        return Answer(question="bog", text=text, rules=(shut.rule, "14.0.4"))
    if q.bogged:
        return _free(changes.value, tuple(changes.parts))
    if not any(way.bog for way in ways):
        text = "no bog roll there"
        return Answer(
            question="bog", text=text, rules=("14.0.3",), chances=chances(certain(text), str)
        )
    spread = over_falls(
        6,
        1,
        lambda faces: (
            "bogs down" if tracks.bogs(drive, faces[0] + changes.value) else "gets through"
        ),
    )
    return Answer(
        question="bog",
        text=f"{tracks.BOGS_ON[drive]} or less on 1D6 {changes.value:+d} and it bogs down",
        rules=(
            "23.5.p1",
            "23.5.1",
            "23.5.2",
            "23.5.3",
            "14.0.3",
            *(("15.0.4",) if q.hexside else ()),
        ),
        modifiers=words(tuple(changes.parts)),
        chances=chances(spread, str),
        value=tracks.BOGS_ON[drive],
    )


def _free(change: int, parts: tuple[int, ...]) -> Answer:
    def came(faces: tuple[int, ...]) -> str:
        roll = Roll(0, 6, faces)
        rolled = FreeingRolled(unit=0, roll=roll, total=roll.total + change)
        return "is free" if rolled.freed else "stuck for good" if rolled.stuck else "stays bogged"

    return Answer(
        question="bog",
        text=f"1D6 {change:+d}: 3 or more frees it, 1 or less never",
        rules=("23.5.4", "23.5.5", "23.5.6", "23.5.7", "2.1.p5"),
        modifiers=words(parts),
        chances=chances(over_falls(6, 1, came), str),
        value=3,
    )


# --- the turn ------------------------------------------------------------------------------------


def impulse_points(q: ImpulsePoints) -> Answer:
    """OST 4.0.3, 4.0.4, 1.7."""
    if not 1 <= q.dice <= MOST_DICE:
        raise BadDocument(f"dice: 1 to {MOST_DICE}")
    if abs(q.plus) > MOST_POINTS:
        raise BadDocument(f"plus: -{MOST_POINTS} to {MOST_POINTS}")
    if not 0 <= q.losses <= MOST_POINTS:
        raise BadDocument(f"losses: 0 to {MOST_POINTS}")
    spread = totals(6, q.dice).then(lambda rolled: certain(impulses(rolled, q.plus, q.losses)))
    fewer = q.losses // LOSSES_PER_POINT
    mounting = ("1.7.p2", "1.7.p3") if fewer else ()
    mean = spread.mean(lambda points: points)
    return Answer(
        question="impulse points",
        text=f"{q.dice}D6 {q.plus - fewer:+d}: {mean} on average",
        rules=("4.0.3", "4.0.4", "2.2.p2", *mounting),
        steps=(f"{q.losses} casualty points cost {fewer}",) if fewer else (),
        chances=chances(spread, str),
    )


def stealth(q: StealthMove) -> Answer:
    """OST 23.3, 17.2.2."""
    kind = key_of(q.counter, "counter")
    if q.counter not in ON_FOOT:
        raise BadDocument(f'counter: "{q.counter}" does not walk')
    if not TRAITS[kind] & STEALTH:
        text = f"{TYPES[kind].title} cannot move by stealth."
        return Answer(question="stealth", text=text, rules=("23.3.p1",), value=0)
    points = points_of_type(kind, shaken=q.shaken, stealth=True)
    return Answer(
        question="stealth",
        text=f"{many(points, 'movement point')}, and no opportunity fire at it",
        rules=("23.3.p1", "23.3.1", "23.3.2", "23.3.3", "23.3.4", "23.3.5")
        + (("17.2.2",) if q.shaken else ()),
        value=points,
    )


ANSWERS: dict[type[Any], Callable[[Any], Answer]] = {
    LeaderCasualty: leader_casualty,
    CrewSurvival: crew_survival,
    BogRoll: bog,
    ImpulsePoints: impulse_points,
    StealthMove: stealth,
}

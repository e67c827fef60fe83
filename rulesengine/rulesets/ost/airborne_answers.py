"""Answers about drops and gliders: every fall of the dice of the drift, the run and the landing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesengine.chance import Spread, certain
from rulesengine.contract import Answer
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.airborne_events import CRASH
from rulesengine.rulesets.ost.airborne_questions import GliderLanding, Paradrop
from rulesengine.rulesets.ost.charts import COLUMNS, column
from rulesengine.rulesets.ost.descent import HARD, ROUGH, blown, harm
from rulesengine.rulesets.ost.flights import ahead
from rulesengine.rulesets.ost.foot_answers import fate
from rulesengine.rulesets.ost.gliders import CRASHED, LANDED, RUN, hazard
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.maps_asked import checked_ground, hexes_of
from rulesengine.rulesets.ost.question_words import MOST_GUT_CHECK
from rulesengine.rulesets.ost.state import GOOD
from rulesengine.rulesets.ost.vehicle_answers import chances
from rulesengine.rulesets.ost.worth import Outcome, after

DICE = range(1, 7)


def _checked(q: Paradrop | GliderLanding) -> tuple[Ground, int]:
    if q.steps not in (1, 2):
        raise BadDocument("steps: 2 for a full unit, 1 for a reduced one or a single person")
    if not 2 <= q.gut_check <= MOST_GUT_CHECK:
        raise BadDocument(f"gut_check: 2 to {MOST_GUT_CHECK}")
    ground = checked_ground(q.map)
    return ground, hexes_of(ground, (q.over,), "over")[0]


def _drifts(ground: Ground, h: int) -> list[tuple[int, bool]]:
    """(hex, whether the edge ended it) of each of the 36 drifts."""
    return [blown(ground, h, way, far) for way in DICE for far in DICE]


def _landing(at: int, q: Paradrop | GliderLanding) -> Spread[Outcome]:
    """What an attack in a column of the table, 0 for none, leaves of the unit."""
    if not at:
        return certain((0, GOOD))
    return after((column(at, 0), 0, q.gut_check), q.steps, GOOD, 1)


def _share(part: Fraction | int, of: int = 1) -> str:
    share = Fraction(part) / of
    return f"{share.numerator} in {share.denominator}" if share else "never"


def paradrop(q: Paradrop) -> Answer:
    """OST 26.3.3 to 26.3.7."""
    ground, h = _checked(q)
    drifts = _drifts(ground, h)
    columns = [harm(ground, there) for there, _ in drifts]
    spread = Spread({n: columns.count(n) for n in set(columns)}, len(columns)).then(
        lambda at: _landing(at, q)
    )
    edge = sum(ended for _, ended in drifts)
    hard, rough = columns.count(HARD), columns.count(ROUGH)
    rules = ["26.3.3", "26.3.5", "26.3.7", *(["26.3.4"] if edge else [])]
    return Answer(
        question="paradrop",
        text=f"A hard landing: {_share(hard + rough, len(columns))}",
        rules=tuple(rules),
        steps=(
            f"in the open: {_share(columns.count(0), len(columns))}",
            f"column {COLUMNS[column(HARD, 0)]}, structures, woods, orchards and streams: "
            f"{_share(hard, len(columns))}",
            f"column {COLUMNS[column(ROUGH, 0)]}, other ground: {_share(rough, len(columns))}",
            f"stopped by the edge of the map: {_share(edge, len(columns))}",
        ),
        chances=chances(spread, lambda outcome: fate(outcome, q.steps, GOOD)),
        value=hard + rough,
        places=tuple(dict.fromkeys(ground.name(there) for there, _ in drifts)),
    )


def _runs(ground: Ground, start: int, *, rolls_for_bocage: bool) -> Iterator[Fraction]:
    """The chance to crash of each direction of landing. OST 26.4.4 to 26.4.7, 26.4.12."""
    for facing in range(6):
        here, whole = start, Fraction(1)
        for step in range(RUN):
            there = ahead(ground, here, facing)
            came_from = here
            if there < 0:
                if step:
                    break
                there, came_from = here, -1
            why, sure = hazard(ground, came_from, there, rolls_for_bocage=rolls_for_bocage)
            if why:
                whole *= 0 if sure else Fraction(6 - CRASH, 6)
            if came_from < 0 or not whole:
                break
            here = there
        yield 1 - whole


def glider_landing(q: GliderLanding) -> Answer:
    """OST 26.4.1 to 26.4.9, 26.4.12."""
    ground, h = _checked(q)
    crash = Fraction(0)
    for start, _ in _drifts(ground, h):
        crash += sum(_runs(ground, start, rolls_for_bocage=q.rolls_for_bocage), Fraction(0))
    crash /= 36 * 6
    weights = {CRASHED: crash.numerator, LANDED: crash.denominator - crash.numerator}
    spread = Spread({at: n for at, n in weights.items() if n}, crash.denominator).then(
        lambda at: _landing(at, q)
    )
    return Answer(
        question="glider landing",
        text=f"A crash: {_share(crash)}",
        rules=("26.4.2", "26.4.4", "26.4.5", "26.4.6", "26.4.7", "26.4.8", "26.4.9", "26.4.12"),
        steps=(
            f"a crash, column {COLUMNS[column(CRASHED, 0)]}: {_share(crash)}",
            f"a landing, column {COLUMNS[column(LANDED, 0)]}: {_share(1 - crash)}",
        ),
        chances=chances(spread, lambda outcome: fate(outcome, q.steps, GOOD)),
        places=tuple(dict.fromkeys(ground.name(there) for there, _ in _drifts(ground, h))),
    )

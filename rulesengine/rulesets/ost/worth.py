"""What an attack is worth: exact expected values from the tables, by the rules that resolve it.

Worth is counted in hundredths of a step: a step lost 100, a unit shaken 35, broken 60. Every
number is the mean over all falls of the dice of `fire.look_up`, `casualties.passes` and
`casualties.falls_to`; results are kept by column, modifier, gut check, steps and morale.
"""

from __future__ import annotations

from functools import cache

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.rulesets.ost.casualties import MORALE_PART, NOTHING, C, X, falls_to, passes
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.fire import defense, firepower, look_up
from rulesengine.rulesets.ost.kinds import DEFENSE
from rulesengine.rulesets.ost.state import BROKEN

STEP = 100
MORALE_WORTH = (0, 35, 60)

Outcome = tuple[int, int]
"""(steps lost, morale after); a unit that is gone has its morale unchanged."""


@cache
def outcomes(at: int, modifier: int, gut_check: int, steps: int, morale: int) -> Spread[Outcome]:
    """Exact chances of what one attack does to a unit. OST 28.0.4, 28.1, 17.4."""
    results = over_falls(6, 2, lambda faces: look_up(at, sum(faces) + modifier))
    return results.then(lambda result: _falls(result, gut_check, steps, morale))


def _falls(result: int, gut_check: int, steps: int, morale: int) -> Spread[Outcome]:
    if result == NOTHING:
        return certain((0, morale))
    if result == X or (result >= C and steps == 1):
        return certain((steps, morale))
    lost = 1 if result >= C else 0
    level = MORALE_PART[result]
    if not level or morale == BROKEN:
        return certain((lost, morale))
    worse = falls_to(morale, level)
    return over_falls(
        6, 2, lambda faces: (lost, morale if passes(sum(faces), gut_check) else worse)
    )


def after(attack: tuple[int, int, int], steps: int, morale: int, attacks: int) -> Spread[Outcome]:
    """Exact chances of what so many attacks in a row do to a unit.

    `attack`: column, modifier, gut check of the target. Each finds it as the last one left it.
    """
    at, modifier, gut_check = attack

    def next_one(so_far: Outcome) -> Spread[Outcome]:
        lost, now = so_far
        if lost == steps:
            return certain(so_far)
        one = outcomes(at, modifier, gut_check, steps - lost, now)
        return one.then(lambda o: certain((lost + o[0], o[1])))

    spread = certain((0, morale))
    for _ in range(attacks):
        spread = spread.then(next_one)
    return spread


_WORTH: dict[int, int] = {}


def worth(at: int, modifier: int, gut_check: int, steps: int, morale: int) -> int:
    """Mean worth of one attack, rounded down. Shape: column 0..10, modifier -6..+6."""
    key = at | (modifier + 8) << 4 | gut_check << 8 | steps << 12 | morale << 14
    known = _WORTH.get(key)
    if known is None:
        spread = outcomes(at, modifier, gut_check, steps, morale)
        known = int(spread.mean(lambda o: _value(o, steps, morale)))
        _WORTH[key] = known
    return known


def _value(outcome: Outcome, steps: int, morale: int) -> int:
    lost, after = outcome
    if lost == steps:
        return STEP * steps
    return STEP * lost + MORALE_WORTH[after] - MORALE_WORTH[morale]


_STRENGTH: dict[int, int] = {}


def strength(weapons: int, adjacent: bool, degraded: int, shaken: bool, intensive: bool) -> int:
    """`fire.firepower` as a number, remembered."""
    key = weapons << 5 | adjacent << 4 | degraded << 2 | shaken << 1 | intensive
    known = _STRENGTH.get(key)
    if known is None:
        known = firepower(
            weapons, adjacent=adjacent, degraded=degraded, shaken=shaken, intensive=intensive
        ).value
        _STRENGTH[key] = known
    return known


_RESISTANCE: dict[tuple[int, tuple[int, ...], int], int] = {}


def resistance(kind: int, terrain: tuple[int, ...], hexside: int) -> int:
    """`fire.defense` as a number, remembered."""
    key = (kind, terrain, hexside)
    known = _RESISTANCE.get(key)
    if known is None:
        known = defense(DEFENSE[kind], terrain, hexside).value
        _RESISTANCE[key] = known
    return known


COLUMN_OF = [column(difference, 0) for difference in range(-40, 61)]
"""By firepower minus Defense, plus 40."""


@cache
def worths(height: int, gut_check: int) -> tuple[int, ...]:
    """`worth` against a fit squad by firepower minus Defense, plus 40, as in COLUMN_OF."""
    return tuple(worth(at, height, gut_check, 2, 0) for at in COLUMN_OF)

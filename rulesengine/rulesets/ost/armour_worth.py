"""What fire at a vehicle is worth: exact expected values by the rules that resolve it (OST 29).

In hundredths of a step, like `worth.py`: a vehicle lost 300, a carrier or lorry 120.
"""

from __future__ import annotations

from functools import cache

from rulesengine.chance import over_falls
from rulesengine.rulesets.ost import casualties, damage, gunnery
from rulesengine.rulesets.ost.casualties import falls_to, passes
from rulesengine.rulesets.ost.fire import look_up as look_up_foot
from rulesengine.rulesets.ost.state import (
    BROKEN,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    SHAKEN,
)
from rulesengine.rulesets.ost.worth import MORALE_WORTH

VEHICLE_WORTH = 300
CARRIER_WORTH = 120
DAMAGE_WORTH = {0: 0, MGS_OUT: 25, MAIN_OUT: 130, IMMOBILE: 90}
"""What broke."""


def _morale(level: int, gut_check: int, morale: int) -> int:
    """Mean worth, in thirty-sixths, of a Shaken or Broken result."""
    if not level or morale == BROKEN:
        return 0
    worse = MORALE_WORTH[falls_to(morale, level)] - MORALE_WORTH[morale]
    return fails(gut_check) * worse


@cache
def fails(gut_check: int) -> int:
    """Of 36 falls of 2D6, those that fail a gut check. OST 17.4."""
    return over_falls(6, 2, lambda faces: passes(sum(faces), gut_check)).weights.get(False, 0)


@cache
def result_worth(
    result: int, gut_check: int, kind: int, full: int, damaged: bool, morale: int
) -> int:
    """Worth of one result of the Vehicle Combat Table, in 36 x 6 parts. OST 29.3, 29.4."""
    if result == gunnery.DESTROY:
        return full * 216
    total = 6 * _morale(damage.MORALE_PART[result], gut_check, morale)
    if result in damage.DAMAGES:
        for face in range(damage.MINOR + 1, 7):
            if damaged:
                total += full * 36
            elif face == damage.CREW_WAVERS:
                total += full * fails(gut_check)
            else:
                total += 36 * DAMAGE_WORTH.get(damage.damage_of(kind, face)[0], 0)
    return total


@cache
def attack_worth(
    at: int, modifier: int, gut_check: int, kind: int, full: int, damaged: bool, morale: int
) -> int:
    """Mean worth of one attack roll, in 36 x 216 parts. OST 29.0.9."""
    results = over_falls(6, 2, lambda faces: gunnery.look_up(at, sum(faces) + modifier))
    return sum(
        weight * result_worth(result, gut_check, kind, full, damaged, morale)
        for result, weight in results.weights.items()
    )


@cache
def hit_ways(needed: int, modifier: int) -> int:
    """Of 36 falls, those that hit; two sixes always do. OST 29.0.5, 29.0.11."""
    return over_falls(
        6, 2, lambda faces: faces == gunnery.CRITICAL or sum(faces) + modifier >= needed
    ).weights.get(True, 0)


@cache
def shell_worth(
    needed: int,
    aim: int,
    at: int,
    modifier: int,
    gut_check: int,
    kind: int,
    full: int,
    damaged: bool,
    morale: int,
) -> int:
    """Mean worth of a shot with its roll to hit, rounded down; `aim` is all that changes it."""
    about = (modifier, gut_check, kind, full, damaged, morale)
    critical = gunnery.column_shift(at, critical=True)
    total = (hit_ways(needed, aim) - 1) * attack_worth(at, *about)
    total += attack_worth(critical, *about)
    return total // (36 * 36 * 216)


@cache
def exposed_worth(at: int, modifier: int, gut_check: int, morale: int) -> int:
    """Mean worth of small arms at an exposed crew. OST 9.1.2."""
    results = over_falls(6, 2, lambda faces: look_up_foot(at, sum(faces) + modifier))
    total = 0
    for result, weight in results.weights.items():
        if morale == BROKEN or result == casualties.NOTHING:
            continue
        if result == casualties.X:
            total += 36 * weight * (MORALE_WORTH[BROKEN] - MORALE_WORTH[morale])
        elif result >= casualties.C:
            after = falls_to(morale, SHAKEN)
            total += 36 * weight * (MORALE_WORTH[after] - MORALE_WORTH[morale])
        else:
            total += weight * _morale(casualties.MORALE_PART[result], gut_check, morale)
    return total // (36 * 36)

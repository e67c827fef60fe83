"""Shooting at vehicles (OST 29, 9.1, 9.2, 10.1): the roll to hit, then the Vehicle Combat Table.

Pure: integers in, an explained number out; `ask`, the odds and the doctrine call the same.
"""

from __future__ import annotations

from rulesengine.rulesets.ost.charts import VCT
from rulesengine.rulesets.ost.fire import (
    ADJACENT_TARGET,
    INTENSIVE_FIREPOWER,
    MOST_DEGRADING,
    OUT_OF_SMOKE,
    SHAKEN_FIREPOWER,
    SMOKE_FIREPOWER,
    roll_modifiers,
)
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.vehicles import LONGEST, NEEDED

CAPTURED = code("CAPTURED_EQUIPMENT")
SHAKEN_CREW = code("SHAKEN_CREW")
REDUCED_CREW = code("REDUCED_CREW")
ELITE_TO_HIT = code("ELITE_TO_HIT")
POOR_TO_HIT = code("POOR_TO_HIT")
TARGET_IMMOBILE = code("TARGET_IMMOBILE")
TARGET_ACQUIRED = code("TARGET_ACQUIRED")
ADJACENT_TO_HIT = code("ADJACENT_TO_HIT")
DEGRADED_TO_HIT = code("DEGRADED_TO_HIT")
ARMOR_LEADER_ATTACHED = code("ARMOR_LEADER_ATTACHED")
SMALL_ARMS_AT_OPEN_TOP = code("SMALL_ARMS_AT_OPEN_TOP")
SMALL_ARMS_AT_SOFT = code("SMALL_ARMS_AT_SOFT_VEHICLE")
THROWN_AT_VEHICLE = code("THROWN_AT_VEHICLE")
OPEN_TOP_DEFENSE = code("OPEN_TOP_DEFENSE")

EXPOSED_CREW = 5
"""Defense of the crew of an open top vehicle against small arms. OST 9.1.1."""
NO_RESULT, SHAKE, BREAK, HURT, HURT_SHAKE, HURT_BREAK, DESTROY = range(7)
"""Results of the Vehicle Combat Table, in the order of `charts.VCT_RESULTS`."""
CRITICAL = (6, 6)
LAST_COLUMN = 10


def needed_to_hit(distance: int) -> int:
    """2D6, this number or more. OST 29.0.4, 29.0.5."""
    return NEEDED[min(distance, LONGEST)]


def is_hit(total: int, distance: int) -> bool:
    """OST 29.0.5."""
    return total >= needed_to_hit(distance)


def to_hit_modifiers(
    *,
    captured: bool = False,
    shaken: bool = False,
    reduced: bool = False,
    quality: int = 0,
    immobile: bool = False,
    acquired: bool = False,
    adjacent: bool = False,
    degraded: int = 0,
) -> Tally:
    """What changes the roll to hit alone; `quality` is +1 elite, -1 poor. OST 1.9, 12.3.4, 29.2."""
    tally = Tally(0)
    for applies, modifier in (
        (captured, CAPTURED),
        (shaken, SHAKEN_CREW),
        (reduced, REDUCED_CREW),
        (quality > 0, ELITE_TO_HIT),
        (quality < 0, POOR_TO_HIT),
        (immobile, TARGET_IMMOBILE),
        (acquired, TARGET_ACQUIRED),
        (adjacent, ADJACENT_TO_HIT),
    ):
        if applies:
            tally.add(modifier)
    tally.add(DEGRADED_TO_HIT, min(degraded, MOST_DEGRADING))
    return tally


def both_rolls(
    *,
    moved: bool = False,
    leader: bool = False,
    armor_leader: bool = False,
    ambush: bool = False,
    intensive: bool = False,
    height: int = 0,
) -> Tally:
    """What changes the roll to hit and the attack roll alike. OST 1.9, 27.5.1, 27.7.2, 21.0.7."""
    tally = roll_modifiers(
        moved=moved, leader=leader, ambush=ambush, intensive=intensive, height=height
    )
    if armor_leader:
        tally.add(ARMOR_LEADER_ATTACHED)
    return tally


def column_shift(at: int, *, critical: bool) -> int:
    """A critical hit is one column better. OST 29.0.11."""
    return min(LAST_COLUMN, at + critical)


def look_up(at: int, total: int) -> int:
    """The result of the Vehicle Combat Table for a modified roll. OST 29.0.9."""
    return VCT[12 if total > 12 else total if total > 0 else 0][at]


def small_arms(weapons: int, modifier: int) -> Tally:
    """Small arms against an exposed crew or a soft vehicle: half. OST 9.1.1, 9.2.2."""
    tally = Tally(weapons)
    tally.halve(modifier)
    return tally


def thrown(
    weapon: int,
    *,
    adjacent: bool = True,
    shaken: bool = False,
    intensive: bool = False,
    smoked: int = 0,
) -> Tally:
    """A thrown weapon at a vehicle: half of what it has with the adjacent target, and out of smoke
    (13.9.4). OST 10.0.8."""
    tally = Tally(weapon)
    if smoked:
        tally.plus(OUT_OF_SMOKE, smoked * SMOKE_FIREPOWER)
    if adjacent:
        tally.add(ADJACENT_TARGET)
    if intensive:
        tally.add(INTENSIVE_FIREPOWER)
    tally.halve(THROWN_AT_VEHICLE)
    if shaken:
        tally.halve(SHAKEN_FIREPOWER)
    return tally.at_least(1)

"""Shots at vehicles (OST 29.0, 29.2, 29.3): the roll to hit and the look-up, integers in.

The pure part of vehicle combat, the same for a question, for odds and for a battle.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulesengine.chance import Spread, over_falls
from rulesengine.rulesets.ost.charts import VCT, column
from rulesengine.rulesets.ost.fire import (
    AMBUSH,
    HEIGHT_ADVANTAGE,
    HEIGHT_DISADVANTAGE,
    INTENSIVE_FIRE,
    MOST_DEGRADING,
    MOVING_FIRE,
)
from rulesengine.rulesets.ost.tally import Tally, code

ARMOR_LEADER = code("ARMOR_LEADER_ATTACHED")
LEADER = code("LEADER_ATTACHED")
CAPTURED = code("CAPTURED_EQUIPMENT")
SHAKEN_CREW = code("SHAKEN_CREW")
REDUCED_CREW = code("REDUCED_CREW")
ELITE = code("ELITE_TO_HIT")
POOR = code("POOR_TO_HIT")
IMMOBILE = code("TARGET_IMMOBILE")
ACQUIRED = code("TARGET_ACQUIRED")
ADJACENT = code("ADJACENT_TO_HIT")
DEGRADED = code("DEGRADED_TO_HIT")

MISS, HIT, CRITICAL = range(3)
LAST_COLUMN = 10


@dataclass(frozen=True, kw_only=True)
class Aim:
    """The circumstances of one shot."""

    moved: bool = False
    armor_leader: bool = False
    leader: bool = False
    """Attached to a squad that fires an antitank weapon, or to a gun's crew."""
    ambush: bool = False
    intensive: bool = False
    height: int = 0
    """1 fires down, -1 up."""
    shaken: bool = False
    reduced: bool = False
    captured: bool = False
    quality: str = ""
    immobile: bool = False
    acquired: bool = False
    adjacent: bool = False
    degraded: int = 0


def both_rolls(aim: Aim) -> Tally:
    """What changes the roll to hit and the attack roll alike. OST 1.9, 7.4.4, 27.1.3."""
    tally = Tally(0)
    for given, modifier in (
        (aim.moved, MOVING_FIRE),
        (aim.armor_leader, ARMOR_LEADER),
        (aim.leader and not aim.armor_leader, LEADER),
        (aim.ambush, AMBUSH),
        (aim.intensive, INTENSIVE_FIRE),
        (aim.height > 0, HEIGHT_ADVANTAGE),
        (aim.height < 0, HEIGHT_DISADVANTAGE),
    ):
        if given:
            tally.add(modifier)
    return tally


def to_hit(aim: Aim) -> Tally:
    """Everything that changes the roll to hit. OST 1.9, 12.3.4, 17.2.8, 19.0, 29.2.2."""
    tally = both_rolls(aim)
    for given, modifier in (
        (aim.captured, CAPTURED),
        (aim.shaken, SHAKEN_CREW),
        (aim.reduced, REDUCED_CREW),
        (aim.quality == "elite", ELITE),
        (aim.quality == "poor", POOR),
        (aim.immobile, IMMOBILE),
        (aim.acquired, ACQUIRED),
        (aim.adjacent, ADJACENT),
    ):
        if given:
            tally.add(modifier)
    tally.add(DEGRADED, min(aim.degraded, MOST_DEGRADING))
    return tally


def hits(faces: tuple[int, ...], modifier: int, needed: int) -> int:
    """MISS, HIT or CRITICAL. Two natural sixes always hit, and critically. OST 29.0.5, 29.0.11."""
    if faces == (6, 6):
        return CRITICAL
    return HIT if sum(faces) + modifier >= needed else MISS


def chances_to_hit(modifier: int, needed: int) -> Spread[int]:
    """Exact chances of a miss, a hit and a critical hit."""
    return over_falls(6, 2, lambda faces: hits(faces, modifier, needed))


def column_of(firepower: int, defense: int, hit: int = HIT) -> int:
    """The column of the Vehicle Combat Table, one to the right on a critical hit. OST 29.0.7."""
    at = column(firepower, defense)
    return min(at + 1, LAST_COLUMN) if hit == CRITICAL else at


def look_up(at: int, total: int) -> int:
    """The result in a column for a modified roll. OST 29.0.9, 29.3."""
    return VCT[min(12, max(0, total))][at]


def results(at: int, modifier: int) -> Spread[int]:
    """Exact chances of each result of the table."""
    return over_falls(6, 2, lambda faces: look_up(at, sum(faces) + modifier))

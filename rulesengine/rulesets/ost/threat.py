"""What the fire of one enemy is worth at the end of a line, looked up (for the doctrine)."""

from __future__ import annotations

from functools import cache

from rulesengine.rulesets.ost.sight import BLOCKED, UNKNOWN
from rulesengine.rulesets.ost.worth import worths

UNCERTAIN = 10**6
"""Of a line nobody has asked for yet: more than all fire together."""


class Threat(dict[int, int]):
    """Hundredths of a step by Defense << 8 | what `Ground.seen` says of the line, filled as asked.

    Nothing out of reach or along a blocked line. For level ground.
    """

    def __init__(self, reach: int, power: int, targets: int, gut_check: int) -> None:
        super().__init__()
        self._figures = reach, power, targets, gut_check

    def __missing__(self, key: int) -> int:
        value = self[key] = self._worth(key >> 8, key & 255)
        return value

    def _worth(self, against: int, seen: int) -> int:
        reach, power, targets, gut_check = self._figures
        distance, degraded = seen >> 2, seen & 3
        if seen == UNKNOWN:
            return UNCERTAIN
        if distance > reach or degraded == BLOCKED:
            return 0
        strength = max(1, power - degraded + (distance == 1))
        return worths(0, gut_check)[strength - against + 40] // targets


@cache
def threat(reach: int, power: int, targets: int, gut_check: int) -> Threat:
    """An enemy: how far it fires, how hard, among how many targets it shares that."""
    return Threat(reach, power, targets, gut_check)

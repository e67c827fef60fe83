"""What `Ground.seen` says of a line, as tables of all 256 bytes it can say (for quick looks)."""

from __future__ import annotations

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.sight import BLOCKED, FARTHEST, UNKNOWN


def near(ground: Ground, reach: int) -> bytes:
    """By what `Ground.seen` says of a line: 1 if there may be sight along it within so many hexes.

    A line nobody has asked for yet may be open; so may any in a town, where other lines run from
    a street.
    """
    return (_TOWN if ground.dual else _OPEN)[reach if reach < FARTHEST else FARTHEST]


def _table(reach: int, *, town: bool) -> bytes:
    return bytes(
        seen == UNKNOWN or (seen >> 2 <= reach and (town or seen & 3 != BLOCKED))
        for seen in range(256)
    )


_OPEN = [_table(reach, town=False) for reach in range(FARTHEST + 1)]
_TOWN = [_table(reach, town=True) for reach in range(FARTHEST + 1)]

"""A line of sight as it is drawn over the map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.templatetags.battlefield import centre, hexside, outline, place


@dataclass
class SightLine:
    """A line of sight: its two ends, and what decides it."""

    verdict: str
    words: str
    ends: tuple[tuple[float, float], tuple[float, float]]
    middle: tuple[float, float]
    met: str
    """The hexes and hexsides that block or degrade it."""


def sight_line(start: str, end: str, verdict: str, words: str, places: Iterable[str]) -> SightLine:
    """A line between two hexes. `places` are hexes ("F5") and hexsides ("F5/NE")."""
    met = ""
    for where in places:
        name, slash, side = where.partition("/")
        met += hexside(*place(name), side) if slash else outline(*place(name))
    (x1, y1), (x2, y2) = (centre(*place(name)) for name in (start, end))
    return SightLine(
        verdict,
        words,
        ((round(x1, 1), round(y1, 1)), (round(x2, 1), round(y2, 1))),
        (round((x1 + x2) / 2, 1), round((y1 + y2) / 2 - 10, 1)),
        met,
    )

"""Where the names on a map stand, so that none lies over another, a hex number or a ring.

Each name in its turn takes the cheapest of a few places around its hex: what it would cover costs
by the area, and being away from its hex costs a little. Widths are reckoned, not measured: the
fonts are the reader's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NAME_SIZE = 15.0
NUMBER_SIZE = 9.0
WIDE = 0.56
"""Width of a letter in parts of its size; names are bold and serifed."""
RISE, FALL = 0.75, 0.25
"""How far letters stand over and under their line, in parts of their size."""

NAMES, RINGS, NUMBERS = 20.0, 6.0, 3.0
"""What it costs to cover a square unit of another name, of a ring, of a hex number."""
OFF_THE_MAP = 40.0
AWAY = 1.0
"""What a unit of distance from the middle of the hex costs."""


@dataclass(frozen=True)
class Box:
    """A rectangle in SVG units, and what it costs to cover a square unit of it."""

    left: float
    top: float
    right: float
    bottom: float
    cost: float = 0.0

    def shared(self, other: Box) -> float:
        """The area that both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)


def box_of(x: float, y: float, words: str, size: float, cost: float = 0.0) -> Box:
    """The room of words centred over x with their line at y."""
    half = len(words) * size * WIDE / 2
    return Box(x - half, y - RISE * size, x + half, y + FALL * size, cost)


def around(x: float, y: float, radius: float, cost: float = RINGS) -> Box:
    """The room of a ring."""
    return Box(x - radius, y - radius, x + radius, y + radius, cost)


def place_names(
    names: Sequence[tuple[float, float, str]], taken: Iterable[Box], width: float, height: float
) -> list[tuple[float, float]]:
    """For each (x, y, words), x and y the middle of its hex, where to write it: the middle of
    the words and their line. `width` and `height` are those of the map."""
    found = []
    full = list(taken)
    for x, y, words in names:
        boxes = [(spot, box_of(*spot, words, NAME_SIZE, NAMES)) for spot in _spots(x, y, words)]
        (spot, box) = min(
            boxes,
            key=lambda tried: (
                sum(tried[1].shared(other) * other.cost for other in full)
                + _outside(tried[1], width, height) * OFF_THE_MAP
                + (abs(tried[0][0] - x) + abs(tried[0][1] - y)) * AWAY
            ),
        )
        full.append(box)
        found.append(spot)
    return found


def _spots(x: float, y: float, words: str) -> Iterable[tuple[float, float]]:
    """Across the hex between its number and those beside it; under and over a ring; beside it."""
    beside = len(words) * NAME_SIZE * WIDE / 2 + 22
    for up in (-3, 26, -28, 49, -51, 73, -75):
        yield x, y + up
    for way in (beside, -beside):
        for up in (-3, 26, -28, 5):
            yield x + way, y + up


def _outside(box: Box, width: float, height: float) -> float:
    whole = (box.right - box.left) * (box.bottom - box.top)
    return whole - box.shared(Box(0, 0, width, height))

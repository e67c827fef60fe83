"""What a straight line from centre dot to centre dot runs through on a hex map.

A line is the same wherever it starts, so it is traced once per displacement, in exact
integers, and reused: `trace(dq, dr)`. Coordinates are axial and scaled by three, where every
corner of every hex is a whole number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rulesengine.geometry.hexes import DIRECTIONS

_CORNERS = ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))
"""Corners clockwise; side d lies between corners d - 1 and d."""

Offset = tuple[int, int]
Hexside = tuple[int, int, int]
"""Axial offset of a hex and a direction; each hexside is named from one of its two hexes."""


class Crossed(NamedTuple):
    """A hex whose inside the line runs through: its offset, and whether it meets the disc of
    0.6 of the inner radius around the centre."""

    dq: int
    dr: int
    disc: bool


class Trace(NamedTuple):
    """A sight line from (0, 0) to (dq, dr), both ends left out.

    `hexes`: hexes run through, in order. `pairs`: two hexes whose common side the line runs
    along. `sides`: in order, the hexsides met at each crossing (one; several where the line
    meets a corner or runs along a side).
    """

    hexes: tuple[Crossed, ...]
    pairs: tuple[tuple[Offset, Offset], ...]
    sides: tuple[tuple[Hexside, ...], ...]


@cache
def trace(dq: int, dr: int) -> Trace:
    """Trace the line from (0, 0) to (dq, dr)."""
    length = dq * dq + dq * dr + dr * dr
    inside: list[tuple[int, Crossed]] = []
    near: list[Offset] = []
    for q, r in _around(dq, dr):
        signs = [_cross(3 * q + x, 3 * r + y, dq, dr) for x, y in _CORNERS]
        if min(signs) > 0 or max(signs) < 0:
            continue
        near.append((q, r))
        if min(signs) < 0 < max(signs):
            centre = _cross(q, r, dq, dr)
            hit = 25 * centre * centre <= 3 * length
            inside.append((_along(q, r, dq, dr), Crossed(q, r, hit)))
    inside.sort()
    order = [crossed for _, crossed in inside]
    pairs, sides = _crossings(order, near, dq, dr)
    ends = {(0, 0), (dq, dr)}
    hexes = tuple(c for c in order if (c.dq, c.dr) not in ends)
    return Trace(hexes, pairs, sides)


def _around(dq: int, dr: int) -> Iterator[Offset]:
    for q in range(min(0, dq) - 1, max(0, dq) + 2):
        for r in range(min(0, dr) - 1, max(0, dr) + 2):
            if _overlaps(q, r, dq, dr):
                yield q, r


def _overlaps(q: int, r: int, dq: int, dr: int) -> bool:
    """Whether the hex can touch the segment, not only its line drawn on."""
    length = 2 * (dq * dq + dq * dr + dr * dr)
    along = _along(q, r, dq, dr)
    return 0 <= along <= length


def _along(q: int, r: int, dq: int, dr: int) -> int:
    """Twice the inner product in the hex metric: how far along the line a centre lies."""
    return 2 * q * dq + q * dr + r * dq + 2 * r * dr


def _cross(x: int, y: int, dq: int, dr: int) -> int:
    return x * dr - y * dq


def _crossings(
    order: list[Crossed], near: list[Offset], dq: int, dr: int
) -> tuple[tuple[tuple[Offset, Offset], ...], tuple[tuple[Hexside, ...], ...]]:
    """The hexsides met between each hex run through and the next."""
    pairs = []
    sides = []
    for here, there in pairwise(order):
        a, b = (here.dq, here.dr), (there.dq, there.dr)
        step = (b[0] - a[0], b[1] - a[1])
        if step in DIRECTIONS:
            sides.append(_sides_between(a, b, near, dq, dr))
        else:
            c, d = _beside(a, b)
            pairs.append((c, d))
            sides.append((_side(a, c), _side(a, d), _side(c, d), _side(b, c), _side(b, d)))
    return tuple(pairs), tuple(sides)


def _sides_between(
    a: Offset, b: Offset, near: list[Offset], dq: int, dr: int
) -> tuple[Hexside, ...]:
    """One side, or all three that meet where the line passes through a corner."""
    direction = DIRECTIONS.index((b[0] - a[0], b[1] - a[1]))
    met = [_side(a, b)]
    for corner, turn in ((direction - 1, -1), (direction, 1)):
        x, y = _CORNERS[corner % 6]
        if _cross(3 * a[0] + x, 3 * a[1] + y, dq, dr) == 0:
            step = DIRECTIONS[(direction + turn) % 6]
            third = (a[0] + step[0], a[1] + step[1])
            if third in near:
                met += [_side(a, third), _side(third, b)]
    return tuple(met)


def _beside(a: Offset, b: Offset) -> tuple[Offset, Offset]:
    """The two hexes between a and b, whose common side joins them."""
    middle = []
    for dq, dr in DIRECTIONS:
        q, r = a[0] + dq, a[1] + dr
        if (b[0] - q, b[1] - r) in DIRECTIONS:
            middle.append((q, r))
    c, d = middle
    return c, d


def _side(a: Offset, b: Offset) -> Hexside:
    return a[0], a[1], DIRECTIONS.index((b[0] - a[0], b[1] - a[1]))

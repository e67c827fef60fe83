"""The hexes a straight line between any two points runs through, in exact integers.

Points of lines are axial coordinates in twelfths of the way from centre to centre, so that every
corner of every hex and points along its roads are whole numbers. Lines from centre dot to centre
dot, which may run along hexsides and through corners, are `sight.trace`.
"""

from __future__ import annotations

from rulesengine.geometry.hexes import DIRECTIONS

PART = 12
"""Parts of the way from one centre to the next."""

Point = tuple[int, int]

_CORNERS = tuple(
    (x * PART // 3, y * PART // 3)
    for x, y in ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))
)
"""Clockwise; side d lies between corners d - 1 and d."""


def point(q: int, r: int, direction: int = 0, parts: int = 0) -> Point:
    """The point so many twelfths from the centre of a hex towards a neighbour."""
    dq, dr = DIRECTIONS[direction]
    return PART * q + parts * dq, PART * r + parts * dr


def walk(start: Point, end: Point, hexes: tuple[Point, Point]) -> tuple[tuple[Point, int], ...]:
    """The hexsides a line crosses from inside one hex to inside another, as (hex, side), in order;
    empty where it passes exactly through a corner or runs along a side, so that it cannot be said
    which. `hexes`: the axial coordinates of both."""
    (q, r), last = hexes
    vq, vr = end[0] - start[0], end[1] - start[1]
    crossed = []
    while (q, r) != last:
        corners = [
            (PART * q + x - start[0]) * vr - (PART * r + y - start[1]) * vq for x, y in _CORNERS
        ]
        if 0 in corners:
            return ()
        side = next(d for d in range(6) if corners[d - 1] > 0 > corners[d])
        crossed.append(((q, r), side))
        dq, dr = DIRECTIONS[side]
        q, r = q + dq, r + dr
    return tuple(crossed)


def nears(start: Point, end: Point, q: int, r: int) -> bool:
    """Whether the line drawn on meets the disc of 0.6 of the inner radius around a centre."""
    vq, vr = end[0] - start[0], end[1] - start[1]
    off = (PART * q - start[0]) * vr - (PART * r - start[1]) * vq
    return 25 * off * off <= 3 * PART * PART * (vq * vq + vq * vr + vr * vr)


_MIDDLES = ((0, -100), (87, -50), (87, 50), (0, 100), (-87, 50), (-87, -50))
"""Middles of the six sides from the centre, in hundredths of the inner radius; x to the east, y to
the south."""


def stands_on(shape: tuple[tuple[int, int], ...], direction: int) -> bool:
    """Whether a polygon in a hex meets the way from its centre to the middle of a side."""
    end = _MIDDLES[direction]
    return _inside(shape) or any(
        _meet((0, 0), end, shape[i - 1], shape[i]) for i in range(len(shape))
    )


def _turn(a: Point, b: Point, c: Point) -> int:
    """1, 0 or -1: which way one turns from the line a-b to c."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two stretches meet, their ends included."""
    one, two, three, four = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if one != two and three != four:
        return True
    ends = ((one, a, b, c), (two, a, b, d), (three, c, d, a), (four, c, d, b))
    return any(not turn and _between(p, q, r) for turn, p, q, r in ends)


def _between(a: Point, b: Point, c: Point) -> bool:
    """Whether c, on the line of a and b, lies between them."""
    return all(min(a[i], b[i]) <= c[i] <= max(a[i], b[i]) for i in (0, 1))


def _inside(shape: tuple[tuple[int, int], ...]) -> bool:
    """Whether the centre of the hex lies in the polygon."""
    odd = False
    for i, (x, y) in enumerate(shape):
        u, v = shape[i - 1]
        if (y > 0) != (v > 0):
            across = (u - x) * (0 - y) - (0 - x) * (v - y)
            if (across > 0) == (v > y):
                odd = not odd
    return odd

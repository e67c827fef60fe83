"""Line of sight on one level (OST 12.1 to 12.3, 14.0, 15.0): blocked, degraded, shielded.

A line runs from centre dot to centre dot. Hexes at its two ends do not count, nor does
hexside terrain that borders them; that shields the unit behind it instead. Where the line
meets a corner or runs along a hexside, the heavier terrain takes precedence (14.0.8) and
counts once (15.0.11). A third degrading hex blocks (12.3.2).
"""

from __future__ import annotations

from typing import NamedTuple

from rulesengine.geometry.hexes import DIRECTIONS
from rulesengine.geometry.sight import Hexside, trace
from rulesengine.rulesets.ost.charts import HEXSIDES
from rulesengine.rulesets.ost.ground import BLOCKS, CLEAR, DEGRADES, SHAPED, STRUCTURE, Ground

BLOCKED = 3
UNKNOWN = 255
FARTHEST = 62
"""Distances are kept up to this many hexes; no weapon on foot reaches so far."""


class Line(NamedTuple):
    """A traced line as steps on one grid: hex numbers relative to the first hex."""

    hexes: tuple[tuple[int, bool], ...]
    """(step, meets the disc around the centre)."""
    pairs: tuple[tuple[int, int], ...]
    """Two hexes whose common side the line runs along."""
    between: tuple[tuple[int, ...], ...]
    """Per crossing, the hexsides that border neither end, as step * 6 + direction."""
    first: tuple[int, ...]
    """Hexsides met at the near end, which shield the unit there."""
    last: tuple[int, ...]
    """Those at the far end."""


def look(ground: Ground, a: int, b: int) -> int:
    """distance * 4 + degrading hexes (0 to 2), or + 3 where the line is blocked. OST 12.1.4:
    the same both ways."""
    index = a * ground.grid.size + b
    known = ground.seen[index]
    if known != UNKNOWN:
        return known
    return _work_out(ground, a, b)


def shield(ground: Ground, a: int, b: int) -> int:
    """Index + 1 in HEXSIDES of what shields b against an attack from a; 0 nothing. OST 15.0.5."""
    size = ground.grid.size
    if ground.seen[a * size + b] == UNKNOWN:
        _work_out(ground, a, b)
    return ground.shield[a * size + b]


def degraders(ground: Ground, a: int, b: int) -> frozenset[int]:
    """What degrades the line: hexes as their numbers, hexsides as negative numbers.

    A fire group counts what two lines share once. OST 12.3.6, 27.8.7.
    """
    if a > b:
        a, b = b, a
    line = _line(ground, a, b)
    found = {a + step for step, disc in line.hexes if _hex_sight(ground, a, b, a + step, disc)}
    for one, two in line.pairs:
        if _pair_sight(ground, a + one, a + two):
            found.add(max(a + one, a + two, key=lambda h: (ground.opaque[h] > 0, h)))
    for sides in line.between:
        met = [a * 6 + s for s in sides if ground.edge_sight[a * 6 + s]]
        if met:
            found.add(-1 - max(met))
    return frozenset(found)


def blockers(ground: Ground, a: int, b: int) -> frozenset[int]:
    """What blocks the line by itself, numbered as in `degraders`. OST 12.2."""
    if a > b:
        a, b = b, a
    line = _line(ground, a, b)
    found = {
        a + step for step, disc in line.hexes if _hex_sight(ground, a, b, a + step, disc) == BLOCKS
    }
    for one, two in line.pairs:
        found |= {a + step for step in (one, two) if ground.opaque[a + step] == BLOCKS}
    for sides in line.between:
        found |= {-1 - a * 6 - s for s in sides if ground.edge_sight[a * 6 + s] == BLOCKS}
    return frozenset(found)


def _work_out(ground: Ground, a: int, b: int) -> int:
    if a > b:
        a, b = b, a
    size = ground.grid.size
    distance = min(ground.grid.distance(a, b), FARTHEST)
    line = _line(ground, a, b)
    code = distance * 4 + _degrading(ground, a, b, line)
    ground.seen[a * size + b] = ground.seen[b * size + a] = code
    edge = ground.edge
    base = a * 6
    if line.first:
        ground.shield[b * size + a] = _heaviest(edge, base, line.first)
    if line.last:
        ground.shield[a * size + b] = _heaviest(edge, base, line.last)
    return code


def _degrading(ground: Ground, a: int, b: int, line: Line) -> int:
    """How many times the line is degraded, BLOCKED from the third on."""
    count = 0
    opaque = ground.opaque
    for step, disc in line.hexes:
        if opaque[a + step]:
            sight = _hex_sight(ground, a, b, a + step, disc)
            if sight == BLOCKS:
                return BLOCKED
            count += sight
    for one, two in line.pairs:
        sight = _pair_sight(ground, a + one, a + two)
        if sight == BLOCKS:
            return BLOCKED
        count += sight
    edge_sight = ground.edge_sight
    base = a * 6
    for sides in line.between:
        worst = 0
        for side in sides:
            sight = edge_sight[base + side]
            worst = max(worst, sight)
        if worst == BLOCKS:
            return BLOCKED
        count += worst
    return count if count < BLOCKED else BLOCKED


def _hex_sight(ground: Ground, a: int, b: int, h: int, disc: bool) -> int:
    """CLEAR, DEGRADES or BLOCKS for a line through the inside of a hex. OST 12.2.3."""
    sight = ground.opaque[h]
    if sight == STRUCTURE:
        return BLOCKS if disc else DEGRADES
    if sight == SHAPED:
        return BLOCKS if _meets_shape(ground, a, b, h) else DEGRADES
    return sight


def _pair_sight(ground: Ground, one: int, two: int) -> int:
    """The same along the side of two hexes: the heavier decides. OST 14.0.8."""
    worst = CLEAR
    for h in (one, two):
        sight = ground.opaque[h]
        if sight in (STRUCTURE, SHAPED):
            sight = DEGRADES
        worst = max(worst, sight)
    return worst


def _heaviest(edge: bytearray, base: int, sides: tuple[int, ...]) -> int:
    codes = [edge[base + side] for side in sides]
    return max(codes, key=lambda code: HEXSIDES[code - 1].defense if code else 0)


def _line(ground: Ground, a: int, b: int) -> Line:
    """The traced line from a to b as steps on this grid, kept per displacement."""
    grid = ground.grid
    parity = grid.q[a] & 1
    dq, dr = grid.q[b] - grid.q[a], grid.r[b] - grid.r[a]
    key = (dq, dr, parity)
    known = ground.lines.get(key)
    if known is None:
        known = ground.lines[key] = _compile(grid.columns, dq, dr, parity)
    assert isinstance(known, Line)
    return known


def _compile(columns: int, dq: int, dr: int, parity: int) -> Line:
    def step(q: int, r: int) -> int:
        column = parity + q
        return (r + (column + (column & 1)) // 2 - parity) * columns + q

    traced = trace(dq, dr)
    ends = ((0, 0), (dq, dr))
    near = [
        [(side, _borders(side, ends[0]), _borders(side, ends[1])) for side in group]
        for group in traced.sides
    ]
    coded = [
        [(step(q, r) * 6 + d, at_a, at_b) for (q, r, d), at_a, at_b in group] for group in near
    ]
    between = tuple(
        tuple(code for code, at_a, at_b in group if not at_a and not at_b) for group in coded
    )
    first = tuple(code for code, _, at_b in coded[0] if not at_b or len(coded) == 1)
    last = tuple(code for code, at_a, _ in coded[-1] if not at_a or len(coded) == 1)
    return Line(
        tuple((step(c.dq, c.dr), c.disc) for c in traced.hexes),
        tuple((step(*one), step(*two)) for one, two in traced.pairs),
        tuple(group for group in between if group),
        first,
        last,
    )


def _borders(side: Hexside, h: tuple[int, int]) -> bool:
    q, r, d = side
    return (q, r) == h or (q + DIRECTIONS[d][0], r + DIRECTIONS[d][1]) == h


_ACROSS, _DOWN = 173205, 200000
"""Centre to centre in thousandths of a hundredth of the inner radius: one column, one row."""


def _meets_shape(ground: Ground, a: int, b: int, h: int) -> bool:
    """Whether the line from a to b meets the footprint drawn in hex h."""
    grid = ground.grid
    points = []
    for other in (a, b):
        q, r = grid.q[other] - grid.q[h], grid.r[other] - grid.r[h]
        points.append((_ACROSS * q, _DOWN * r + _DOWN // 2 * q))
    (ax, ay), (bx, by) = points
    sides = [(x * 1000 - ax) * (by - ay) - (y * 1000 - ay) * (bx - ax) for x, y in ground.shapes[h]]
    return min(sides) <= 0 <= max(sides)

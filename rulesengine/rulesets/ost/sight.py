"""Line of sight (OST 12.1 to 12.3, 14.0, 15.0): blocked, degraded, shielded.

A line runs from centre dot to centre dot. Hexes at its two ends do not count, nor does
hexside terrain that borders them; that shields the unit behind it instead. Where the line
meets a corner or runs along a hexside, the heavier terrain takes precedence (14.0.8) and
counts once (15.0.11). A third degrading hex blocks (12.3.2). What changes on a map with levels
is in `heights.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from rulesengine.geometry.hexes import DIRECTIONS
from rulesengine.geometry.sight import Hexside, trace
from rulesengine.rulesets.ost import heights
from rulesengine.rulesets.ost.charts import HEXSIDES
from rulesengine.rulesets.ost.ground import (
    BLOCKS,
    CLEAR,
    DEGRADES,
    SHAPED,
    STRUCTURE,
    UNSEEN,
    Ground,
)
from rulesengine.rulesets.ost.heights import Eyes, Obstacle, eyes_of, foot_of

BLOCKED = 3
UNKNOWN = UNSEEN
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


def look_from(ground: Ground, a: int, b: int, eyes: Eyes) -> int:
    """`look` for units of which one or both are not on their hex's level: who is on the ground
    floor of a tall building. OST 16.3.5."""
    plain = look(ground, a, b)
    if eyes == eyes_of(ground, a, b):
        return plain
    if a > b:
        a, b, eyes = b, a, eyes[::-1]
    key = (a, b, *eyes)
    known = ground.floors.get(key)
    if known is None:
        known = ground.floors[key] = (plain & ~3) + _over_levels(ground, a, b, eyes)
    return known


def degraders(ground: Ground, a: int, b: int, eyes: Eyes | None = None) -> frozenset[int]:
    """What degrades the line: hexes as their numbers, hexsides as negative numbers.

    A fire group counts what two lines share once. OST 12.3.6, 27.8.7.
    """
    if ground.relief:
        return frozenset(o.what for o in obstacles(ground, a, b, eyes))
    if a > b:
        a, b = b, a
    line = line_of(ground, a, b)
    found = {a + step for step, disc in line.hexes if _hex_sight(ground, a, b, a + step, disc)}
    for one, two in line.pairs:
        if pair_sight(ground, a + one, a + two):
            found.add(max(a + one, a + two, key=lambda h: (ground.opaque[h] > 0, h)))
    for sides in line.between:
        met = [ground.named(a * 6 + s) for s in sides if ground.edge_sight[a * 6 + s]]
        if met:
            found.add(-1 - max(met))
    return frozenset(found)


def crossed(ground: Ground, a: int, b: int) -> list[int]:
    """The hexes whose inside a line runs through, its ends left out."""
    a, b = min(a, b), max(a, b)
    return [a + step for step, _ in line_of(ground, a, b).hexes]


def along(ground: Ground, a: int, b: int) -> list[int]:
    """The hexes whose side a line runs along. OST 14.0.8, 15.0.11."""
    a, b = min(a, b), max(a, b)
    return [a + step for pair in line_of(ground, a, b).pairs for step in pair]


def sides_between(ground: Ground, a: int, b: int) -> list[int]:
    """Hexsides with terrain on the line, those that border neither end, as hex * 6 + direction."""
    a, b = min(a, b), max(a, b)
    met = (a * 6 + side for sides in line_of(ground, a, b).between for side in sides)
    return [side for side in met if ground.edge[side]]


def bocage_at(ground: Ground, h: int, other: int) -> tuple[int, ...]:
    """Hexsides of bocage at the end h of a line to `other`, as hex * 6 + direction. OST 15.3.7."""
    a, b = min(h, other), max(h, other)
    line = line_of(ground, a, b)
    met = (a * 6 + side for side in (line.first if h == a else line.last))
    return tuple(ground.named(side) for side in met if ground.edge_sight[side] == BLOCKS)


def blockers(ground: Ground, a: int, b: int, eyes: Eyes | None = None) -> frozenset[int]:
    """What blocks the line by itself, numbered as in `degraders`. OST 12.2."""
    if ground.relief:
        return frozenset(o.what for o in obstacles(ground, a, b, eyes) if o.effect == BLOCKS)
    if a > b:
        a, b = b, a
    line = line_of(ground, a, b)
    found = {
        a + step for step, disc in line.hexes if _hex_sight(ground, a, b, a + step, disc) == BLOCKS
    }
    for one, two in line.pairs:
        found |= {a + step for step in (one, two) if ground.opaque[a + step] == BLOCKS}
    for sides in line.between:
        met = [a * 6 + s for s in sides if ground.edge_sight[a * 6 + s] == BLOCKS]
        found |= {-1 - ground.named(side) for side in met}
    found |= {-1 - ground.named(side) for side in _walled(ground, a, b, line)}
    return frozenset(found)


def obstacles(ground: Ground, a: int, b: int, eyes: Eyes | None = None) -> list[Obstacle]:
    """What a line over a map with levels meets, with the rule of each; hexsides as negatives.

    `eyes`: the levels looked from at both ends, where they are not those of the hexes.
    """
    eyes = eyes or eyes_of(ground, a, b)
    if a > b:
        a, b, eyes = b, a, eyes[::-1]
    line = line_of(ground, a, b)
    if ground.buildings and (walls := _inside(ground, a, b, line)):
        return [Obstacle(-1 - ground.named(walls[0]), BLOCKS, "16.3.6")]
    shapes = {
        h
        for step, _ in line.hexes
        if (h := a + step) in ground.shapes and meets_drawing(ground, a, b, h)
    }
    shut = [
        Obstacle(-1 - ground.named(side), BLOCKS, "16.4.3" if side in ground.party else "15.3.6")
        for side in _walled(ground, a, b, line)
        if side in ground.party or foot_of(ground, side) >= max(eyes)
    ]
    return shut + heights.obstacles(ground, a, b, line, shapes, eyes)


def _over_levels(ground: Ground, a: int, b: int, eyes: Eyes) -> int:
    """How many times a line over levels is degraded, BLOCKED by what blocks or a third."""
    effects = [o.effect for o in obstacles(ground, a, b, eyes)]
    return BLOCKED if BLOCKS in effects else min(len(effects), BLOCKED)


def _work_out(ground: Ground, a: int, b: int) -> int:
    if a > b:
        a, b = b, a
    size = ground.grid.size
    distance = min(ground.grid.distance(a, b), FARTHEST)
    line = line_of(ground, a, b)
    if ground.relief:
        sight = _over_levels(ground, a, b, eyes_of(ground, a, b))
    elif _walled(ground, a, b, line):
        sight = BLOCKED
    else:
        sight = _degrading(ground, a, b, line)
    code = distance * 4 + sight
    ground.seen[a * size + b] = ground.seen[b * size + a] = code
    if sight == BLOCKED:
        ground.open[a] &= ~(1 << b)
        ground.open[b] &= ~(1 << a)
    if line.first:
        ground.shield[b * size + a] = _heaviest(ground, a, a, line.first)
    if line.last:
        ground.shield[a * size + b] = _heaviest(ground, a, b, line.last)
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
        if opaque[a + one] or opaque[a + two]:
            sight = pair_sight(ground, a + one, a + two)
            if sight == BLOCKS:
                return BLOCKED
            count += sight
    edge_sight = ground.edge_sight
    base = a * 6
    for sides in line.between:
        worst = 0
        for side in sides:
            if edge_sight[base + side]:  # rare
                worst = max(worst, edge_sight[base + side])
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
        return BLOCKS if meets_drawing(ground, a, b, h) else DEGRADES
    return sight


def pair_sight(ground: Ground, one: int, two: int) -> int:
    """The same along the side of two hexes: the heavier decides. OST 14.0.8."""
    worst = CLEAR
    for h in (one, two):
        sight = ground.opaque[h]
        if sight in (STRUCTURE, SHAPED):
            sight = DEGRADES
        worst = max(worst, sight)
    return worst


def _walled(ground: Ground, a: int, b: int, line: Line) -> tuple[int, ...]:
    """The bocage that shuts either end of a line in, 15.3.6, and party walls anywhere on it, from
    whatever height it is looked. OST 16.4.3."""
    met = walled_in(ground, a, b, a, line.first) + walled_in(ground, a, b, b, line.last)
    if ground.buildings:
        met += _inside(ground, a, b, line)
    return met + party_walls(ground, a, b) if ground.party else met


def _inside(ground: Ground, a: int, b: int, line: Line) -> tuple[int, ...]:
    """The first wall of a line that runs inside a building between two hexes that are not adjacent,
    as hex * 6 + direction: indoors nobody sees farther. A line over hexes that are no part of it is
    not inside. OST 16.3.6, 12.7.2."""
    building = ground.buildings.get
    one = building(a, -1)
    if one != building(b, -2) or ground.grid.distance(a, b) == 1:
        return ()
    between = (step for pair in line.pairs for step in pair)
    if not any(building(a + step) == one for step in (*(s for s, _ in line.hexes), *between)):
        return ()
    return (a * 6 + line.first[0],)


def indoors(ground: Ground, a: int, b: int) -> bool:
    """Whether two hexes are of one building. OST 16.3.6."""
    return ground.buildings.get(a, -1) == ground.buildings.get(b, -2)


def party_walls(ground: Ground, a: int, b: int) -> tuple[int, ...]:
    """The party walls of row houses that a line meets or runs along, as hex * 6 + direction."""
    a, b = min(a, b), max(a, b)
    line = line_of(ground, a, b)
    met = (a * 6 + side for sides in (line.first, *line.between, line.last) for side in sides)
    return tuple(side for side in met if side in ground.party)


def walled_in(ground: Ground, a: int, b: int, h: int, sides: tuple[int, ...]) -> tuple[int, ...]:
    """Bocage beside a structure at one end of the line, which lets it see no farther than the
    hex across it. OST 15.3.6."""
    if not ground.structure[h] or ground.grid.distance(a, b) == 1:
        return ()
    met = (a * 6 + side for side in sides)
    return tuple(side for side in met if ground.edge_sight[side] == BLOCKS)


def _heaviest(ground: Ground, a: int, h: int, sides: tuple[int, ...]) -> int:
    """The best of the hexsides that shield h; bocage adds nothing to a structure (15.3.6)."""
    codes = [ground.edge[a * 6 + side] for side in sides]
    if ground.structure[h]:
        codes = [0 if code and HEXSIDES[code - 1].sight == "blocks" else code for code in codes]
    if not any(codes):
        return 0
    return max(codes, key=lambda code: HEXSIDES[code - 1].defense if code else 0)


def line_of(ground: Ground, a: int, b: int) -> Line:
    """The traced line from a to b as steps on this grid, kept per displacement."""
    grid = ground.grid
    parity = grid.q[a] & 1
    dq, dr = grid.q[b] - grid.q[a], grid.r[b] - grid.r[a]
    key = (dq, dr, parity)
    known: Line | None = ground.lines.get(key)
    if known is None:
        known = ground.lines[key] = _compile(grid.columns, dq, dr, parity)
    return known


@cache
def _compile(columns: int, dq: int, dr: int, parity: int) -> Line:
    def step(q: int, r: int) -> int:
        column = parity + q
        return (r + (column + (column & 1)) // 2 - parity) * columns + q

    traced = trace(dq, dr)
    ends = ((0, 0), (dq, dr))

    def codes(sides: Iterable[Hexside]) -> tuple[int, ...]:
        return tuple(step(q, r) * 6 + d for q, r, d in sides)

    between = [
        codes(side for side in group if not any(_borders(side, end) for end in ends))
        for group in traced.sides
    ]
    return Line(
        tuple((step(c.dq, c.dr), c.disc) for c in traced.hexes),
        tuple((step(*one), step(*two)) for one, two in traced.pairs),
        tuple(group for group in between if group),
        codes(side for side in traced.sides[0] if _shields(side, ends[0])),
        codes(side for side in traced.sides[-1] if _shields(side, ends[1])),
    )


def _borders(side: Hexside, h: tuple[int, int]) -> bool:
    q, r, d = side
    return (q, r) == h or (q + DIRECTIONS[d][0], r + DIRECTIONS[d][1]) == h


def _shields(side: Hexside, h: tuple[int, int]) -> bool:
    """Whether a side that the line meets first or last belongs to the hex: it borders it, or
    runs on from its corner, in line with the fire (15.0.11)."""
    q, r, d = side
    across = (q + DIRECTIONS[d][0], r + DIRECTIONS[d][1])
    return _borders(side, h) or (_next_to((q, r), h) and _next_to(across, h))


def _next_to(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return (one[0] - two[0], one[1] - two[1]) in DIRECTIONS


ACROSS, DOWN = 173205, 200000
"""Centre to centre in thousandths of a hundredth of the inner radius: one column, one row."""


def meets_drawing(ground: Ground, a: int, b: int, h: int) -> bool:
    """Whether the line from a to b meets the footprint drawn in hex h."""
    grid = ground.grid
    points = []
    for other in (a, b):
        q, r = grid.q[other] - grid.q[h], grid.r[other] - grid.r[h]
        points.append((ACROSS * q, DOWN * r + DOWN // 2 * q))
    return splits(points[0], points[1], ground.shapes[h], 1000)


def splits(
    start: tuple[int, int], end: tuple[int, int], shape: tuple[tuple[int, int], ...], scale: int
) -> bool:
    """Whether a line has corners of a shape on both sides, or touches one."""
    (ax, ay), (bx, by) = start, end
    sides = [(x * scale - ax) * (by - ay) - (y * scale - ay) * (bx - ax) for x, y in shape]
    return min(sides) <= 0 <= max(sides)

"""Any straight line, from dot to dot or not: what it meets, and what shuts it (OST 12, 15, 16).

`sight.py` traces from centre dot to centre dot and remembers; this takes a line as it was traced,
for those from and to streets, see `street_sight.py`.
"""

from __future__ import annotations

from rulesengine.geometry.walk import PART
from rulesengine.rulesets.ost.charts import HEXSIDES
from rulesengine.rulesets.ost.ground import BLOCKS, DEGRADES, SHAPED, STRUCTURE, Ground
from rulesengine.rulesets.ost.heights import foot_of
from rulesengine.rulesets.ost.sight import (
    ACROSS,
    DOWN,
    Line,
    line_of,
    meets_drawing,
    pair_sight,
    splits,
    walled_in,
)


def centre_line(ground: Ground, a: int, b: int) -> tuple[Line, set[int]]:
    """The line from dot to dot, a before b, and the drawn shapes it meets."""
    line = line_of(ground, a, b)
    met = (a + step for step, _ in line.hexes if (a + step) in ground.shapes)
    return line, {h for h in met if meets_drawing(ground, a, b, h)}


def walls_on(ground: Ground, a: int, b: int, line: Line, houses: tuple[int, ...], eye: int) -> bool:
    """Whether party walls, or bocage beside a house that somebody at an end of the line is in,
    shut it. OST 16.4.3, 15.3.6."""
    met = (a * 6 + side for sides in (line.first, *line.between, line.last) for side in sides)
    if ground.party and any(side in ground.party for side in met):
        return True
    shut = (walled_in(ground, a, b, a, line.first) if a in houses else ()) + (
        walled_in(ground, a, b, b, line.last) if b in houses else ()
    )
    return any(not ground.relief or foot_of(ground, side) >= eye for side in shut)


def met_on(ground: Ground, a: int, line: Line, shapes: set[int]) -> frozenset[int] | None:
    """What dims a line on a flat map, numbered as in `degraders`; None if something blocks it."""
    found = set()
    for step, disc in line.hexes:
        h = a + step
        sight = ground.opaque[h]
        if sight in (STRUCTURE, SHAPED):
            meets = disc if sight == STRUCTURE else h in shapes
            sight = BLOCKS if meets else DEGRADES
        if sight == BLOCKS:
            return None
        found |= {h} if sight else set()
    for one, two in line.pairs:
        sight = pair_sight(ground, a + one, a + two)
        if sight == BLOCKS:
            return None
        if sight:
            found.add(max(a + one, a + two, key=lambda h: (ground.opaque[h] > 0, h)))
    for sides in line.between:
        seen = [(ground.edge_sight[a * 6 + s], ground.named(a * 6 + s)) for s in sides]
        sight, side = max(seen)
        if sight == BLOCKS:
            return None
        found |= {-1 - side} if sight else set()
    return frozenset(found)


def open_shield(ground: Ground, a: int, b: int) -> int:
    """`shield` for who is beside a house, not in it: bocage shelters him too. OST 15.3.6,
    16.6.2."""
    low, high = min(a, b), max(a, b)
    line = line_of(ground, low, high)
    codes = [ground.edge[low * 6 + side] for side in (line.last if b == high else line.first)]
    return max(codes, key=lambda code: HEXSIDES[code - 1].defense if code else 0, default=0)


def meets_shape(ground: Ground, h: int, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether the line through two points (see `geometry.walk`) meets what is drawn in a hex."""
    grid = ground.grid
    points = []
    for at in (start, end):
        q, r = at[0] - PART * grid.q[h], at[1] - PART * grid.r[h]
        points.append((ACROSS * q, DOWN * r + DOWN // 2 * q))
    return splits(points[0], points[1], ground.shapes[h], 1000 * PART)

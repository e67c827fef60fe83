"""Sight from and to the streets of a town (OST 12.7, 16.6).

Who is in the street of a hex with road and house is not in the house: he looks from the ground, and
nothing that goes for houses goes for him. Lines run from centre dot to centre dot as everywhere;
on a map of a city they may run to any part of the road in such a hex (12.7.6, 12.7.7). The player
chooses: of all lines the one that is dimmed least counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rulesengine.geometry.walk import Point, nears, point, walk
from rulesengine.rulesets.ost import heights
from rulesengine.rulesets.ost.ground import BLOCKS, Ground
from rulesengine.rulesets.ost.heights import Eyes
from rulesengine.rulesets.ost.lines import centre_line, meets_shape, met_on, walls_on
from rulesengine.rulesets.ost.sight import BLOCKED, FARTHEST, Line
from rulesengine.rulesets.ost.veils import hides, one_of

Pair = tuple[int, int]
Ends = tuple[bool, bool]
"""Whether who is at each end of a line is in the street."""

ALONG_A_ROAD = (2, 4, 5)
"""Twelfths of the way to the next centre; six is the hexside."""


class Way(NamedTuple):
    """A line that nothing blocks: what dims it, and what it runs through or along."""

    met: frozenset[int]
    hexes: tuple[int, ...]
    pairs: tuple[Pair, ...]


def look(ground: Ground, line: Pair, eyes: Eyes, ends: Ends) -> int:
    """distance * 4 + what dims it, as `sight.look`."""
    best = min((len(way.met) for way in ways(ground, line, eyes, ends)), default=BLOCKED)
    distance = min(ground.grid.distance(*line), FARTHEST)
    return distance * 4 + min(best, BLOCKED)


def dims(
    ground: Ground, line: Pair, eyes: Eyes, ends: Ends, veils: Mapping[int, int]
) -> frozenset[int]:
    """What dims the best line, smoke and wrecks included."""
    found = [
        way.met | _veiled(ground, way, line, eyes, veils) for way in ways(ground, line, eyes, ends)
    ]
    return min(found, key=lambda met: (len(met), sorted(met)), default=frozenset())


def _veiled(
    ground: Ground, way: Way, line: Pair, eyes: Eyes, veils: Mapping[int, int]
) -> frozenset[int]:
    if not veils:
        return frozenset()
    found = {h for h in way.hexes if hides(ground, veils, h, line, eyes)}
    return frozenset(found) | one_of(ground, veils, way.pairs, line, eyes, way.met)


def ways(ground: Ground, line: Pair, eyes: Eyes, ends: Ends) -> tuple[Way, ...]:
    """Every line that nothing blocks, the same in whichever direction it is looked."""
    if line[0] > line[1]:
        line, eyes, ends = line[::-1], eyes[::-1], ends[::-1]
    key = (*line, *eyes, *ends)
    known = ground.alleys.get(key)
    if known is None:
        known = ground.alleys[key] = tuple(dict.fromkeys(_open_ways(ground, line, eyes, ends)))
    return known


def _open_ways(ground: Ground, line: Pair, eyes: Eyes, ends: Ends) -> Iterator[Way]:
    a, b = line
    traced, shapes = centre_line(ground, a, b)
    yield from _way(ground, line, eyes, ends, traced, shapes)
    if not ground.urban:
        return
    for start in _points(ground, a, in_street=ends[0]):
        for end in _points(ground, b, in_street=ends[1]):
            drawn = _trace(ground, line, start, end)
            if drawn is not None:
                yield from _way(ground, line, eyes, ends, *drawn)


def _way(
    ground: Ground, line: Pair, eyes: Eyes, ends: Ends, traced: Line, shapes: set[int]
) -> Iterator[Way]:
    """That line, unless something blocks it."""
    a, b = line
    inside = tuple(h for h, out in zip(line, ends, strict=True) if not out)
    if walls_on(ground, a, b, traced, inside, max(eyes)):
        return
    if ground.relief:
        met = heights.obstacles(ground, a, b, traced, shapes, eyes)
        if any(o.effect == BLOCKS for o in met):
            return
        found = frozenset(o.what for o in met)
    else:
        dimmed = met_on(ground, a, traced, shapes)
        if dimmed is None:
            return
        found = dimmed
    if len(found) < BLOCKED:
        hexes = tuple(a + step for step, _ in traced.hexes)
        yield Way(found, hexes, tuple((a + one, a + two) for one, two in traced.pairs))


def _points(ground: Ground, h: int, *, in_street: bool) -> list[Point]:
    """The points a line may run from in a hex: its centre dot, and in the street any part of the
    road. OST 12.7.6 to 12.7.8."""
    q, r = ground.grid.q[h], ground.grid.r[h]
    found = [point(q, r)]
    if in_street:
        arms = (d for d in range(6) if ground.road[h] >> d & 1)
        found += [point(q, r, d, parts) for d in arms for parts in ALONG_A_ROAD]
    return found


def _trace(ground: Ground, line: Pair, start: Point, end: Point) -> tuple[Line, set[int]] | None:
    """A line between two points as steps on the grid, with the drawn shapes it meets; None where
    it leaves the map or cannot be said to run through this hex or that."""
    a, b = line
    grid = ground.grid
    sides = walk(start, end, ((grid.q[a], grid.r[a]), (grid.q[b], grid.r[b])))
    crossed = [(grid.at(q, r), d) for (q, r), d in sides]
    if not crossed or any(h < 0 for h, _ in crossed):
        return None
    hexes = [h for h, _ in crossed[1:]]
    shapes = {h for h in hexes if h in ground.shapes and meets_shape(ground, h, start, end)}
    steps = tuple((h - a, nears(start, end, grid.q[h], grid.r[h])) for h in hexes)
    codes = [(h - a) * 6 + d for h, d in crossed]
    between = tuple((code,) for code in codes[1:-1])
    return Line(steps, (), between, (codes[0],), (codes[-1],)), shapes

"""Sight over levels (OST 12.4 to 12.6): hills, crests, plateaus, slopes, blind hexes, storeys.

A line is looked at from its higher end downwards. What rises to the eye of the higher unit, or
over two units on one level, stands in the way; what lies lower is seen over, apart from the one
blind hex directly behind it. Flat maps never come here: `ground.relief` is 0 for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from rulesengine.rulesets.ost.ground import (
    BLOCKS,
    CLEAR,
    DEGRADES,
    SHAPED,
    STRUCTURE,
    Ground,
)

LOWEST = -1
ALWAYS_BLOCKS = 2
"""A building with triangles of this level or more is not seen over from anywhere. OST 12.6.2."""


class Obstacle(NamedTuple):
    """What a line meets: a hex, or a hexside as a negative number; DEGRADES or BLOCKS; why."""

    what: int
    effect: int
    rule: str


class Line(Protocol):
    """A traced line as steps on one grid; see `sight.Line`."""

    @property
    def hexes(self) -> tuple[tuple[int, bool], ...]: ...
    @property
    def pairs(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def between(self) -> tuple[tuple[int, ...], ...]: ...


class Step(NamedTuple):
    """One hex on the way and whether the line meets what stands in it, or the two hexes whose
    common side it runs along."""

    hexes: tuple[int, ...]
    meets: bool


def rise(ground: Ground, a: int, b: int) -> int:
    """Levels from b up to a: above 0 where a unit in a looks down on b. OST 12.4.11, 12.4.12."""
    return ground.level[a] - ground.level[b]


def advantage(ground: Ground, here: Iterable[int], there: int) -> int:
    """+1 where everybody who attacks from `here` looks down on `there`, -1 where somebody looks
    up. OST 12.4.11, 12.4.12, 12.6.4."""
    if not ground.relief:
        return 0
    least = min(rise(ground, h, there) for h in here)
    return (least > 0) - (least < 0)


def ranged(ground: Ground, a: int, b: int) -> int:
    """The distance that counts against a range: one hex less where a looks down on b. OST 12.4.6,
    14.14.8."""
    distance = ground.grid.distance(a, b)
    return distance - 1 if ground.relief and rise(ground, a, b) > 0 else distance


def obstacles(ground: Ground, a: int, b: int, line: Line, shapes: set[int]) -> list[Obstacle]:
    """What blocks or degrades the line from a to b, in order from its higher end.

    `shapes`: the hexes whose drawn footprint the line meets.
    """
    level = ground.level
    steps = _steps(ground, a, b, line, shapes)
    top, bottom = (a, b) if level[a] >= level[b] else (b, a)
    if top == b:
        steps.reverse()
    found = [*_in_hexes(ground, top, bottom, steps), *_on_sides(ground, a, top, bottom, line)]
    if level[bottom] == LOWEST and level[top] > LOWEST and steps:
        edge = steps[-1].hexes
        if all(level[h] == LOWEST for h in edge):
            found.append(Obstacle(edge[0], BLOCKS, "12.5.9"))
    return found


def _steps(ground: Ground, a: int, b: int, line: Line, shapes: set[int]) -> list[Step]:
    """The hexes and pairs of hexes of a line in order from a."""
    drawn = ground.shapes
    steps = [
        Step((a + step,), (a + step) in shapes if a + step in drawn else disc)
        for step, disc in line.hexes
    ]
    steps += [Step((a + one, a + two), meets=False) for one, two in line.pairs]
    distance = ground.grid.distance
    steps.sort(key=lambda step: distance(a, step.hexes[0]))
    return steps


def _in_hexes(ground: Ground, top: int, bottom: int, steps: list[Step]) -> Iterator[Obstacle]:
    """OST 12.4.7, 12.5, 12.6: what stands on the way, the heavier of two hexes along a side."""
    before: tuple[int, ...] = (top,)
    for index, step in enumerate(steps):
        last = index == len(steps) - 1
        worst = None
        for h in step.hexes:
            met = _met(ground, top, bottom, h, step.meets, before, last=last)
            if met.effect and (worst is None or met.effect > worst.effect):
                worst = met
        if worst is not None:
            yield worst
        before = step.hexes


def _met(
    ground: Ground,
    top: int,
    bottom: int,
    h: int,
    meets: bool,
    before: tuple[int, ...],
    *,
    last: bool,
) -> Obstacle:
    """What one hex does to a line from `top` down to `bottom`, or between two on one level.

    `before`: the hex or hexes nearer to the top; `last`: nothing lies between h and the bottom.
    """
    level = ground.level
    effect, rule = _terrain(ground, top, bottom, h, meets, last=last)
    if level[h] > 0 or (level[h] == 0 and level[top] == LOWEST):
        other, why = _raised(ground, top, bottom, h, meets, before, last=last)
        if other >= effect:
            effect, rule = other, why
    return Obstacle(h, effect, rule)


def _raised(
    ground: Ground,
    top: int,
    bottom: int,
    h: int,
    meets: bool,
    before: tuple[int, ...],
    *,
    last: bool,
) -> tuple[int, str]:
    """A hill, a building of several storeys, or the plain seen from the bottom of a gully."""
    level, base, storeys = ground.level, ground.base, ground.storeys
    eye, low = level[top], level[bottom]
    if eye == LOWEST:
        return BLOCKS, "12.5.9"
    if storeys[h] >= ALWAYS_BLOCKS:
        return (BLOCKS, "12.6.2") if meets else (DEGRADES, "12.2.3")
    needed = eye if low < eye else eye + 1
    if level[h] >= needed:
        inside = not storeys[h] and any(base[one] >= needed for one in before)
        if inside and low < eye and top in before:
            return BLOCKS, "12.5.7"
        return (BLOCKS, "12.5.2") if meets or inside else (DEGRADES, "12.5.3")
    if last and low < level[h]:
        if storeys[h]:
            return (BLOCKS, "12.6.1") if meets else (DEGRADES, "12.2.3")
        highest = max(base[one] for one in before)
        if highest > level[h]:
            return CLEAR, "12.5.11"
        return (BLOCKS, "12.5.5") if meets or highest == level[h] else (DEGRADES, "12.5.3")
    return CLEAR, ""


def _terrain(
    ground: Ground, top: int, bottom: int, h: int, meets: bool, *, last: bool
) -> tuple[int, str]:
    """What grows or is built in a hex: in full where it stands on the level of the higher unit
    or above; lower, only into the blind hex behind it. OST 12.4.7, 12.4.8, 12.5.12, 12.5.14."""
    sight = ground.opaque[h]
    if not sight:
        return CLEAR, ""
    if sight in (STRUCTURE, SHAPED):
        sight = BLOCKS if meets else DEGRADES
    eye, low, here = ground.level[top], ground.level[bottom], ground.base[h]
    if here >= eye:
        return sight, "12.2.1" if sight == BLOCKS else "12.3.1"
    if low < eye and last and here >= low:
        return sight, "12.4.7"
    return CLEAR, ""


def _on_sides(ground: Ground, a: int, top: int, bottom: int, line: Line) -> Iterator[Obstacle]:
    """Hexside terrain: in full on the level of both; between levels hedges and walls do nothing,
    and what lies lower is seen over. OST 12.4.9, 12.5.14."""
    edge_sight, base = ground.edge_sight, a * 6
    eye, level_line = ground.level[top], ground.level[top] == ground.level[bottom]
    for sides in line.between:
        worst, named = CLEAR, 0
        for side in sides:
            sight = edge_sight[base + side]
            if sight > worst and _foot_of(ground, base + side) >= eye:
                worst, named = sight, base + side
        if worst == BLOCKS or (worst and level_line):
            yield Obstacle(-1 - named, worst, "15.0.2")


def _foot_of(ground: Ground, side: int) -> int:
    """The level a hexside stands on: the higher of its two hexes."""
    h, d = divmod(side, 6)
    other = ground.grid.neighbours[h][d]
    return max(ground.base[h], ground.base[other] if other >= 0 else LOWEST)

"""Sight over levels (OST 12.4 to 12.6): hills, crests, plateaus, slopes, blind hexes, storeys.

A line is looked at from its higher end downwards. What rises to the eye of the higher unit, or
over two units on one level, stands in the way; what lies lower is seen over, apart from the one
blind hex directly behind it. Flat maps never come here: `ground.relief` is 0 for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from rulesengine.rulesets.ost.ground import BLOCKS, CLEAR, DEGRADES, SHAPED, STRUCTURE, Ground

LOWEST = -1
ALWAYS_BLOCKS = 2
"""A building with triangles of this level or more is not seen over from anywhere. OST 12.6.2."""

Eyes = tuple[int, int]
"""The levels that the units at a line's two ends look from."""


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


class Fall(NamedTuple):
    """A line from its higher end down: the hex looked from, and the levels of both ends."""

    top: int
    eye: int
    low: int


class Step(NamedTuple):
    """One hex on the way and whether the line meets what stands in it, or the two hexes whose
    common side it runs along; what lies before it on the way down; whether it is the last."""

    hexes: tuple[int, ...]
    meets: bool
    before: tuple[int, ...] = ()
    last: bool = False


def eyes_of(ground: Ground, a: int, b: int) -> Eyes:
    """The levels of two hexes: their hills', or their buildings' tops. OST 16.3.4."""
    return ground.level[a], ground.level[b]


def rise(ground: Ground, a: int, b: int) -> int:
    """1 where a lies higher than b, -1 where it lies lower, by the levels of the hexes."""
    over = ground.level[a] - ground.level[b]
    return (over > 0) - (over < 0)


def obstacles(
    ground: Ground, a: int, b: int, line: Line, shapes: set[int], eyes: Eyes
) -> list[Obstacle]:
    """What blocks or degrades the line from a to b, in order from its higher end.

    `shapes`: the hexes whose drawn footprint the line meets.
    """
    fall = Fall(a, *eyes) if eyes[0] >= eyes[1] else Fall(b, eyes[1], eyes[0])
    steps = _steps(ground, a, fall.top, line, shapes)
    found = [*_in_hexes(ground, fall, steps), *_on_sides(ground, a, fall, line)]
    if fall.low == LOWEST < fall.eye and steps:
        edge = [h for h in steps[-1].hexes if ground.base[h] == LOWEST]
        found += [Obstacle(h, BLOCKS, "12.5.9") for h in edge[:1]]
    return found


def _steps(ground: Ground, a: int, top: int, line: Line, shapes: set[int]) -> list[Step]:
    """The hexes and pairs of hexes of a line in order from its top."""
    drawn, distance = ground.shapes, ground.grid.distance
    steps = [
        Step((a + step,), (a + step) in shapes if a + step in drawn else disc)
        for step, disc in line.hexes
    ]
    steps += [Step((a + one, a + two), meets=False) for one, two in line.pairs]
    steps.sort(key=lambda step: distance(a, step.hexes[0]))
    if top != a:
        steps.reverse()
    before = [(top,), *(step.hexes for step in steps)]
    final = len(steps) - 1
    return [step._replace(before=before[i], last=i == final) for i, step in enumerate(steps)]


def _in_hexes(ground: Ground, fall: Fall, steps: list[Step]) -> Iterator[Obstacle]:
    """OST 12.4.7, 12.5, 12.6: what stands on the way, the heavier of two hexes along a side."""
    for step in steps:
        mets = (_met(ground, fall, step, h) for h in step.hexes)
        worst = max(mets, key=lambda met: (met.effect, met.what))
        if worst.effect:
            yield worst


def _met(ground: Ground, fall: Fall, step: Step, h: int) -> Obstacle:
    """What one hex does to the line: the heavier of its ground and what stands on it."""
    effect, rule = _standing(ground, fall, step, h)
    if ground.base[h] > 0 or (ground.base[h] == 0 and fall.eye == LOWEST):
        other, why = _raised(ground, fall, step, h)
        if other >= effect:
            effect, rule = other, why
    return Obstacle(h, effect, rule)


def _raised(ground: Ground, fall: Fall, step: Step, h: int) -> tuple[int, str]:
    """A hill, or the plain seen from the bottom of a gully."""
    eye, low, here = fall.eye, fall.low, ground.base[h]
    if eye == LOWEST:
        return BLOCKS, "12.5.9"
    before = [ground.base[one] for one in step.before]
    needed = eye if low < eye else eye + 1
    if here >= needed:
        if max(before) < needed:
            return (BLOCKS, "12.5.2") if step.meets else (DEGRADES, "12.5.3")
        plateau = here == eye and fall.top in step.before
        return BLOCKS, "12.5.7" if plateau else "12.5.2"
    if step.last and low < here:
        if min(before) > here:
            return CLEAR, "12.5.11"
        joined = step.meets or max(before) >= here
        return (BLOCKS, "12.5.5") if joined else (DEGRADES, "12.5.3")
    return CLEAR, ""


def _standing(ground: Ground, fall: Fall, step: Step, h: int) -> tuple[int, str]:
    """What grows or is built in a hex: in full where it stands on the level of the higher unit
    or above; lower, only into the blind hex behind it. A building of several storeys counts as
    one on the level of its top. OST 12.4.7, 12.4.8, 12.5.12, 12.5.14, 12.6.1, 12.6.2."""
    sight, storeys = ground.opaque[h], ground.storeys[h]
    if not sight:
        return CLEAR, ""
    built = sight in (STRUCTURE, SHAPED)
    if built:
        sight = BLOCKS if step.meets else DEGRADES
    here = ground.base[h] + storeys
    if here >= fall.eye or storeys >= ALWAYS_BLOCKS:
        if sight == BLOCKS:
            return BLOCKS, "12.6.2" if storeys else "12.2.1"
        return sight, "12.2.3" if built else "12.3.1"
    if fall.low < fall.eye and step.last and here >= fall.low:
        return sight, "12.6.1" if storeys else "12.4.7"
    return CLEAR, ""


def _on_sides(ground: Ground, a: int, fall: Fall, line: Line) -> Iterator[Obstacle]:
    """Hexside terrain: in full on the level of both; between levels hedges and walls do nothing,
    and what lies lower is seen over. OST 12.4.9, 12.5.14."""
    edge_sight = ground.edge_sight
    for sides in line.between:
        met = [a * 6 + side for side in sides]
        met = [s for s in met if edge_sight[s] and foot_of(ground, s) >= fall.eye]
        worst = max((edge_sight[s] for s in met), default=CLEAR)
        if worst == BLOCKS or (worst and fall.eye == fall.low):
            yield Obstacle(-1 - max(ground.named(s) for s in met), worst, "15.0.2")


def foot_of(ground: Ground, side: int) -> int:
    """The level a hexside stands on: the higher of its two hexes."""
    h, d = divmod(side, 6)
    other = ground.grid.neighbours[h][d]
    return max(ground.base[h], ground.base[other] if other >= 0 else LOWEST)

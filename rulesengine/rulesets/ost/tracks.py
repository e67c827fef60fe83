"""What ground costs vehicles (OST 14, 15, 23.4, 23.5): steps, courses, bogging.

Costs are in half movement points. A course is a path with the facing after each step; a step into
the hex a vehicle is in is a pivot.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from rulesengine.contract import Battle
from rulesengine.geometry.walk import stands_on
from rulesengine.rulesets.ost.altered import RUBBLE
from rulesengine.rulesets.ost.charts import HEXSIDES, MARKERS, TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.ground import SHAPED, Ground
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.vehicle_events import BogRolled
from rulesengine.rulesets.ost.vehicles import DRIVE, WHEELED

PIVOT = 2
"""Half points of turning on the spot. OST 23.4.7."""
REVERSE = 2
"""Extra half points of a hex in reverse. OST 23.4.4."""
BOGS_ON = (0, 2, 1)
"""By drive: wheels bog on a 1 or 2, tracks on a 1. OST 23.5.1."""
MARSH = TERRAIN_BY_KEY["marsh"]
MARSH_BOG = code("MARSH_BOG")

CLOSED = -1
AHEAD = (0, 1, 5)
"""Hexsides from the one faced: the front, and what a step lets a vehicle turn. OST 23.4."""
TURNS = tuple(tuple((facing + turn) % 6 for turn in AHEAD) for facing in range(6))
"""By facing, what is ahead of it: the ways out without reverse, and the facings after a step."""


class Step(NamedTuple):
    """What entering a hex takes: `halves` CLOSED where the vehicle may not go."""

    halves: int
    bog: bool = False
    by_road: bool = False
    rule: str = ""
    """Why it is closed."""


def step(ground: Ground, drive: int, a: int, b: int) -> Step:
    """From hex a into the adjacent hex b. OST 14, 15.0.3, 14.13.2, 14.14.2 to 14.14.4."""
    key = (drive, a, b)
    known: Step | None = ground.drives.get(key)
    if known is None:
        known = ground.drives[key] = _step(ground, drive, a, b)
    return known


def storm(ground: Ground, drive: int, a: int, b: int) -> Step:
    """The same in an assault on an enemy: what is closed to vehicles for a pillbox is not, they
    engage it at close range. OST 13.5.13."""
    way = step(ground, drive, a, b)
    return _step(ground, drive, a, b, storms=True) if way.rule == "13.5.2" else way


def _step(ground: Ground, drive: int, a: int, b: int, *, storms: bool = False) -> Step:
    d = ground.grid.direction(a, b)
    shut = a * 6 + d in ground.steep or a * 6 + d in ground.party
    if shut or b in ground.outside:
        return Step(CLOSED, rule=ground.bar(a, b)[1])
    halves, bog = 0, False
    edge = ground.edge[a * 6 + d]
    if edge:
        over = step_over(edge, drive)
        if over.halves == CLOSED:
            return over
        halves, bog = over.halves, over.bog
    if ground.relief:
        halves += 2 * ground.climb(a, b, street=True)
    if b in ground.works and ground.works[b] != RUBBLE:
        into = marker_step(ground, drive, b)
        if into.halves != CLOSED:
            halves, bog = halves + into.halves, bog or into.bog
        elif not (storms and into.rule == "13.5.2"):
            return into
    if ground.road[a] >> d & 1:
        if ground.shapes and houses_in_the_way(ground, a, b, d):
            return Step(CLOSED, rule="16.6.7")
        return Step(halves + ground.road_halves, bog, by_road=True)
    if any(TERRAIN[kind].collapse for kind in ground.terrain[a]):
        return Step(CLOSED, rule="16.6.6")
    way = terrain_step(ground, drive, b)
    return way if way.halves == CLOSED else Step(halves + way.halves, bog or way.bog)


def step_over(edge: int, drive: int) -> Step:
    """What a hexside takes; `edge` is its index + 1. OST 15."""
    side = HEXSIDES[edge - 1]
    over = side.wheeled if drive == WHEELED else side.tracked
    if over is None:
        return Step(CLOSED, rule=side.rules.get("closed", side.rules["cost"]))
    return Step(over, side.wheeled_bog if drive == WHEELED else side.tracked_bog)


def houses_in_the_way(ground: Ground, a: int, b: int, d: int) -> bool:
    """Whether a building as it is drawn stands on the line between the dots of two hexes. OST
    16.6.7."""
    return any(
        ground.opaque[h] == SHAPED and stands_on(ground.shapes[h], way)
        for h, way in ((a, d), (b, (d + 3) % 6))
    )


def marker_step(ground: Ground, drive: int, h: int) -> Step:
    """What the marker of a hex takes beside its terrain. OST 13.4.2, 13.5.2, 13.6.2, 13.7.1."""
    row = MARKERS[ground.works[h]]
    into = row.wheeled if drive == WHEELED else row.tracked
    if into is None:
        return Step(CLOSED, rule=row.rules["closed"])
    return Step(into, row.wheeled_bog if drive == WHEELED else row.tracked_bog)


def terrain_step(ground: Ground, drive: int, h: int) -> Step:
    """What the terrain of a hex takes by itself: the worst of what it holds. OST 14, 14.0.9."""
    return step_into(ground.terrain[h], drive)


def step_into(terrain: tuple[int, ...], drive: int) -> Step:
    """The same of a kind of hex."""
    worst, bog = 0, False
    for kind in terrain:
        row = TERRAIN[kind]
        into = row.wheeled if drive == WHEELED else row.tracked
        if into is None:
            return Step(CLOSED, rule=row.rules.get("closed", row.rules["cost"]))
        worst = max(worst, into)
        bog = bog or (row.wheeled_bog if drive == WHEELED else row.tracked_bog)
    return Step(worst, bog)


def is_reverse(direction: int, facing: int) -> bool:
    """Whether a way out of a hex is through the flank. OST 23.4.3, 23.4.4."""
    return (direction - facing) % 6 not in AHEAD


def turns_one(before: int, after: int) -> bool:
    """One hexside at most, as a step allows. OST 23.4.5."""
    return (after - before) % 6 in AHEAD


class Course(NamedTuple):
    """A way to a hex and a facing there."""

    halves: int
    path: tuple[int, ...]
    facings: tuple[int, ...]
    bogs: int = 0
    """Bog rolls on the way."""


Courses = dict[tuple[int, int], Course]


def courses(ground: Ground, drive: int, h: int, facing: int, halves: int) -> Courses:
    """Every (hex, facing) a vehicle can get to, the cheapest way, units left out of account.

    One hex can always be entered (OST 23.0.5).
    """
    key = (drive, h, facing, halves)
    known: Courses | None = ground.courses.get(key)
    if known is None:
        known = ground.courses[key] = _spread(ground, drive, h, facing, halves)
    return known


def _spread(ground: Ground, drive: int, h: int, facing: int, halves: int) -> Courses:
    """By weight: half points, then bog rolls. A state is hex * 6 + facing."""
    start = h * 6 + facing
    weights = {start: 0}
    before = {start: start}
    heap = [(0, start)]
    most = (halves + 1) * BOGS
    while heap:
        spent, at = heappop(heap)
        if weights[at] < spent:
            continue
        here, now = divmod(at, 6)
        turned = before[at] // 6 == here and at != start
        if here in ground.stops and here != h:
            continue
        turns = TURNS[now]
        for d, there, ahead in _ways_out(ground, drive, here):
            weight = spent + ahead + (0 if d in turns else REVERSE * BOGS)
            if weight < most or at == start:
                for turn in turns:
                    to = there * 6 + turn
                    if weight < weights.get(to, FAR):
                        weights[to], before[to] = weight, at
                        heappush(heap, (weight, to))
        weight = spent + PIVOT * BOGS
        if weight < most and not turned:
            for to in range(here * 6, here * 6 + 6):
                if weight < weights.get(to, FAR):
                    weights[to], before[to] = weight, at
                    heappush(heap, (weight, to))
    return _laid_out(weights, before, start)


BOGS = 64
"""More than the bog rolls of any course."""
FAR = 1 << 30


def _ways_out(ground: Ground, drive: int, h: int) -> tuple[tuple[int, int, int], ...]:
    """(direction, hex, weight) of every step out of a hex, forward."""
    key = (drive, h, h)
    known: tuple[tuple[int, int, int], ...] | None = ground.drives.get(key)
    if known is None:
        steps = [
            (d, n, step(ground, drive, h, n))
            for d, n in enumerate(ground.grid.neighbours[h])
            if n >= 0
        ]
        known = ground.drives[key] = tuple(
            (d, n, way.halves * BOGS + way.bog) for d, n, way in steps if way.halves != CLOSED
        )
    return known


def _laid_out(weights: dict[int, int], before: dict[int, int], start: int) -> Courses:
    """The same as courses, each built on the one before."""
    built: dict[int, Course] = {start: Course(0, (), ())}
    for at in sorted(weights, key=weights.__getitem__):
        if at != start:
            known = built[before[at]]
            h, facing = divmod(at, 6)
            path, facings = (*known.path, h), (*known.facings, facing)
            built[at] = Course(weights[at] // BOGS, path, facings, weights[at] % BOGS)
    del built[start]
    return {divmod(at, 6): course for at, course in built.items()}


def may_stand(ground: Ground, drive: int, h: int) -> bool:
    """Whether a vehicle can be set up in a hex: terrain it may enter, or a road. OST 14, 23.0.3."""
    if h in ground.works and MARKERS[ground.works[h]].tracked is None:
        return False
    if ground.road[h]:
        return True
    rows = [TERRAIN[kind] for kind in ground.terrain[h]]
    return all((row.wheeled if drive == WHEELED else row.tracked) is not None for row in rows)


# --- bogging -----------------------------------------------------------------------------------


def bog_modifiers(ground: Ground, h: int) -> Tally:
    return bog_changes(ground.terrain[h])


def bog_changes(terrain: tuple[int, ...]) -> Tally:
    """What changes a bog roll in a kind of hex. OST 14.9.3."""
    tally = Tally(0)
    if MARSH in terrain:
        tally.add(MARSH_BOG)
    return tally


def bogs(drive: int, total: int) -> bool:
    """OST 23.5.1."""
    return total <= BOGS_ON[drive]


def roll_bog(battle: Battle[State], unit: int) -> None:
    """One roll for a hex and its hexside (15.0.4). OST 23.5."""
    state = battle.state
    changes = bog_modifiers(state.ground, state.hex[unit])
    roll = battle.dice.roll(6, 1)
    total = roll.total + changes.value
    bogged = bogs(DRIVE[state.kind[unit]], total)
    parts = tuple(changes.parts)
    battle.emit(BogRolled(unit=unit, roll=roll, total=total, bogged=bogged, modifiers=parts))

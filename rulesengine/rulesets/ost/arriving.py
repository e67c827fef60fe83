"""Where reinforcements come on and how far they go at once (for the menu and the doctrine), and
who makes room for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.driving import points_of, refuse_drive
from rulesengine.rulesets.ost.entering import (
    can_ever_enter,
    entry_cost,
    entry_hexes,
    entry_step,
)
from rulesengine.rulesets.ost.kinds import CATEGORY, MOVEMENT, SINGLE_PERSONS
from rulesengine.rulesets.ost.movement import allowance, load, refuse_move
from rulesengine.rulesets.ost.state import NONE, State, View
from rulesengine.rulesets.ost.streets import sensible_move
from rulesengine.rulesets.ost.tracks import CLOSED, courses
from rulesengine.rulesets.ost.vehicles import DRIVE, is_immobile, is_vehicle

ENTER = 60
"""Worth of bringing a unit into the battle, in hundredths of a step."""
NEARER = 6
"""Of each hex it comes nearer to its aim with the same move."""
COVER = 6
BOG = 18
"""What a bog roll on the way is thought to cost."""
STANDOFF = 5
"""Hexes that vehicles keep from their aim."""
SHUT = 30
"""What it costs to stop where others have to come on, and leave them no room."""
TRIED = 16
"""Destinations whose danger is looked at."""
ROOM = 50
"""Worth of leaving an entrance that others wait before: a little less than coming on."""


def enterable(view: View) -> list[int]:
    """Units and single leaders of a side that can come on now."""
    state = view.state
    return [
        c
        for c in sorted(state.waiting)
        if state.side[c] == view.side
        and state.attached[c] == NONE
        and c not in state.riding
        and not state.moved[c]
        and state.may_enter(c)
    ]


def ways_on(view: View, unit: int) -> Iterator[tuple[int, Action]]:
    """(hex it ends in, the order) for every way a unit that waits can come on by itself."""
    if is_vehicle(view.state, unit):
        yield from _drives_on(view, unit)
    else:
        yield from _moves_on(view, unit)


def _moves_on(view: View, unit: int) -> Iterator[tuple[int, Action]]:
    state = view.state
    points = allowance(state, unit)
    for h in entry_hexes(state, unit):
        yield h, sensible_move(state, unit, (h,))
        left = points - entry_cost(state.ground, h)
        for there, path in state.ground.reach(h, left).items() if left > 0 else ():
            yield there, sensible_move(state, unit, (h, *path))


def _drives_on(view: View, unit: int) -> Iterator[tuple[int, Action]]:
    state = view.state
    ground, drive = state.ground, DRIVE[state.kind[unit]]
    aim = _aim(view)
    distance = ground.grid.distance
    for h in entry_hexes(state, unit):
        way = entry_step(ground, drive, h)
        if way.halves == CLOSED:
            continue
        inward = min(
            (d for d, n in enumerate(ground.grid.neighbours[h]) if n >= 0),
            key=lambda d: (distance(ground.grid.neighbours[h][d], aim), d),
        )
        yield h, a.Drive(unit=unit, path=(h,), facings=(inward,))
        left = points_of(state, unit) - way.halves
        if left <= 0:
            continue
        for (there, _), course in courses(ground, drive, h, inward, left).items():
            path, facings = (h, *course.path), (inward, *course.facings)
            yield there, a.Drive(unit=unit, path=path, facings=facings)


def _aim(view: View) -> int:
    return objectives(view.state, view.side)[0]


def refused(view: View, action: Action) -> bool:
    """Whether an order to come on is not open."""
    if isinstance(action, a.Drive):
        return refuse_drive(view, action) is not None
    assert isinstance(action, a.Move)
    return refuse_move(view, action) is not None


Danger = Callable[[int, int, int], int]
"""Worth of the fire known enemies could put on a counter in a hex with a facing."""

Entry = tuple[int, int, int, tuple[int, ...], tuple[int, ...]]
"""(worth, hex, last facing, path, facings) of a way on, the enemy left out of account."""


def best_entry(view: View, danger: Danger) -> tuple[int, Action] | None:
    """The first unit of the queue that can come on, near to its aim but not into the enemy's
    fire: (worth, order)."""
    state = view.state
    queue = enterable(view)
    for unit in queue:
        needs = load(state, (unit,))
        safest: tuple[int, Action] | None = None
        looked = 0
        for value, h, facing, path, facings in _entries(view, unit):
            if looked == TRIED:
                break
            if not state.room(h, view.side, *needs):
                continue
            looked += 1
            worth = value - danger(unit, h, facing)
            if safest is not None and worth <= safest[0]:
                continue
            if len(queue) > 1 and _shuts_out(view, unit, h, queue):
                worth -= SHUT
                if safest is not None and worth <= safest[0]:
                    continue
            order = _order(state, unit, path, facings)
            if not refused(view, order):
                safest = worth, order
        if safest is not None:
            return ENTER, safest[1]
    return None


def _shuts_out(view: View, unit: int, h: int, queue: list[int]) -> bool:
    """Whether somebody else who waits would find no room if a unit stopped in a hex."""
    state, side = view.state, view.side
    needs = load(state, (unit,))
    for other in queue:
        hexes = entry_hexes(state, other)
        if other != unit and h in hexes and can_ever_enter(state, other):
            units, leaders = load(state, (other,))
            both = (units + needs[0], leaders + needs[1])
            elsewhere = any(state.room(x, side, units, leaders) for x in hexes if x != h)
            if not elsewhere and not state.room(h, side, *both):
                return True
    return False


def _order(state: State, unit: int, path: tuple[int, ...], facings: tuple[int, ...]) -> Action:
    if facings:
        return a.Drive(unit=unit, path=path, facings=facings)
    return sensible_move(state, unit, path)


def _entries(view: View, unit: int) -> tuple[Entry, ...]:
    """Ways on, best first. They depend on the map and the aims, so they are kept with the map."""
    state, ground = view.state, view.state.ground
    aims = tuple(objectives(state, view.side))
    vehicle = is_vehicle(state, unit)
    points = points_of(state, unit) if vehicle else allowance(state, unit)
    key = (DRIVE[state.kind[unit]], points, len(aims), *aims, *entry_hexes(state, unit))
    known: tuple[Entry, ...] | None = ground.entries.get(key)
    if known is not None:
        return known
    rated = []
    for h, order in ways_on(view, unit):
        if vehicle:
            near = max(STANDOFF, min(ground.grid.distance(h, aim) for aim in aims))
        else:
            near = min(ground.field(aim)[h] for aim in aims)
        assert isinstance(order, (a.Drive, a.Move))
        facings = order.facings if isinstance(order, a.Drive) else ()
        worth = COVER * ground.defense[h] - NEARER * near
        rated.append((worth, h, facings[-1] if facings else 0, order.path, facings))
    rated.sort(key=lambda r: -r[0])
    made = ground.entries[key] = tuple(rated)
    return made


def jammed(view: View) -> set[int]:
    """Hexes where a unit could come on now if its own side did not fill them all."""
    state = view.state
    full: set[int] = set()
    for unit in enterable(view):
        if not can_ever_enter(state, unit):
            continue
        drive, needs = DRIVE[state.kind[unit]], load(state, (unit,))
        hexes = [
            h
            for h in entry_hexes(state, unit)
            if not drive or entry_step(state.ground, drive, h).halves != CLOSED
        ]
        if not any(state.room(h, view.side, *needs) for h in hexes):
            full.update(hexes)
    return full


def best_way_out(view: View, danger: Danger, units: list[int]) -> tuple[int, Action] | None:
    """The best order to one of the units that clears an entrance others wait before."""
    state = view.state
    inside = [c for c in units if CATEGORY[state.kind[c]] not in SINGLE_PERSONS]
    entrance = jammed(view) if inside else set()
    best: tuple[int, Action] | None = None
    for unit in inside:
        if state.hex[unit] not in entrance:
            continue
        needs, looked = load(state, (unit,)), 0
        for value, h, facing, order in _ways_out(view, unit, entrance):
            if looked == TRIED:
                break
            if not state.room(h, view.side, *needs):
                continue
            looked += 1
            worth = value - danger(unit, h, facing)
            if (best is None or worth > best[0]) and not refused(view, order):
                best = worth, order
    return (ROOM, best[1]) if best is not None else None


def _ways_out(
    view: View, unit: int, entrance: set[int]
) -> list[tuple[int, int, int, a.Move | a.Drive]]:
    """(worth, hex, facing, order) of every way out of an entrance, best first."""
    state, ground = view.state, view.state.ground
    here, aims = state.hex[unit], objectives(state, view.side)
    rated: list[tuple[int, int, int, a.Move | a.Drive]] = []
    if is_vehicle(state, unit):
        if is_immobile(state, unit):
            return rated
        points = max(1, points_of(state, unit))
        ways = courses(ground, DRIVE[state.kind[unit]], here, state.facing[unit], points)
        for (h, facing), course in ways.items():
            near = max(STANDOFF, min(ground.grid.distance(h, aim) for aim in aims))
            worth = COVER * ground.defense[h] - NEARER * near - BOG * course.bogs
            order = a.Drive(unit=unit, path=course.path, facings=course.facings)
            rated.append((worth, h, facing, order))
    elif MOVEMENT[state.kind[unit]]:
        for h, path in ground.reach(here, max(1, allowance(state, unit))).items():
            near = min(ground.field(aim)[h] for aim in aims)
            worth = COVER * ground.defense[h] - NEARER * near
            rated.append((worth, h, 0, sensible_move(state, unit, path)))
    rated = [way for way in rated if way[1] not in entrance]
    rated.sort(key=lambda way: (-way[0], way[1], way[2]))
    return rated

"""Where reinforcements come on and how far they go at once (for the menu and the doctrine)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.driving import points_of, refuse_drive
from rulesengine.rulesets.ost.entering import entry_cost, entry_hexes, entry_step
from rulesengine.rulesets.ost.movement import allowance, load, refuse_move
from rulesengine.rulesets.ost.state import NONE, View
from rulesengine.rulesets.ost.tracks import CLOSED, courses
from rulesengine.rulesets.ost.vehicles import DRIVE, is_vehicle

ENTER = 60
"""Worth of bringing a unit into the battle, in hundredths of a step."""
NEARER = 4
"""And of each movement point it comes nearer to its aim with the same move."""
COVER = 6
TRIED = 6
"""Destinations tried before another unit is looked at."""


def enterable(view: View) -> list[int]:
    """Units and single leaders of a side that can come on now."""
    state = view.state
    return [
        c
        for c in state.of_side[view.side]
        if c in state.waiting
        and state.attached[c] == NONE
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
        yield h, a.Move(unit=unit, path=(h,))
        left = points - entry_cost(state.ground, h)
        for there, path in state.ground.reach(h, left).items() if left > 0 else ():
            yield there, a.Move(unit=unit, path=(h, *path))


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


def best_entry(view: View) -> tuple[int, Action] | None:
    """The first unit of the queue that can come on, as near to its aim and as covered as it
    gets: (worth, order)."""
    state = view.state
    ground = state.ground
    aims = objectives(state, view.side)
    for unit in enterable(view):
        foot = not is_vehicle(state, unit)

        def worth(h: int, foot: bool = foot) -> int:
            near = min(ground.field(aim)[h] for aim in aims)
            return (COVER * ground.defense[h] if foot else 0) - NEARER * near

        rated = [
            (worth(h), n, action)
            for n, (h, action) in enumerate(ways_on(view, unit))
            if state.room(h, view.side, *load(state, (unit,)))
        ]
        rated.sort(key=lambda r: (-r[0], r[1]))
        for value, _, action in rated[:TRIED]:
            if not refused(view, action):
                return ENTER + max(0, value + NEARER * ground.grid.columns) // 4, action
    return None

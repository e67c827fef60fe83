"""What smoke does to a line of sight, by hexes alone (OST 13.9.5; for the doctrine)."""

from __future__ import annotations

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.sight import BLOCKED, along, crossed, degraders
from rulesengine.rulesets.ost.state import State


def screens(ground: Ground, a: int, b: int) -> tuple[tuple[int, ...], ...]:
    """Where smoke would dim a line: single hexes, and pairs along whose side it runs, of which one
    counts. What dims it already is left out. OST 13.9.5, 14.0.8. Kept with the map."""
    known: tuple[tuple[int, ...], ...] | None = ground.screens.get((a, b))
    if known is None:
        dim = degraders(ground, a, b)
        sides = along(ground, a, b)
        met: list[tuple[int, ...]] = [(h,) for h in crossed(ground, a, b)]
        met += zip(sides[::2], sides[1::2], strict=True)
        known = ground.screens[a, b] = tuple(h for h in met if dim.isdisjoint(h))
    return known


def dimmed(state: State, a: int, b: int, seen: int) -> int:
    """A line as `sight.look` has it, with the smoke that hangs in the way. OST 13.9.5."""
    if seen & 3 == BLOCKED:
        return seen
    smoke = state.smoke.keys()
    dims = sum(not smoke.isdisjoint(h) for h in screens(state.ground, a, b))
    return seen & ~3 | min(BLOCKED, (seen & 3) + dims)

"""Where the map alone would have a unit go, remembered with the map (for the doctrine)."""

from __future__ import annotations

from rulesengine.rulesets.ost.deployment import from_home
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.streets import best_streets

Gain = tuple[int, int, tuple[int, ...]]
"""(worth, hex, path) of a destination, the enemy left out of account."""

OUTPOSTS = 12
"""Hexes looked at for a place with an enemy in reach, those in the best cover first."""


def gains(
    ground: Ground, here: int, points: int, aim: int, weights: tuple[int, int, int], home: int
) -> tuple[Gain, ...]:
    """Destinations that bring a unit nearer to its aim or into better cover, best first.

    `weights`: worth of a hex nearer, worth of a point of Defense, hexes kept from the aim.

    Depends on the map alone, so it is kept with the map.
    """
    weight, cover, keep = weights
    key = (here, points, aim, *weights, home)
    known = ground.notes.get(key)
    if known is not None:
        return known
    field, defense = ground.field(aim), ground.defense
    start = max(keep, field[here])
    at_home = cover * defense[here]
    rated = []
    for there, path in ground.reach(here, points).items():
        shelter = defense[there]
        if there in ground.dual and there in best_streets(ground, here, path, points):
            shelter = 0
        gain = weight * (start - max(keep, field[there])) + cover * shelter - at_home
        if gain > 0:
            rated.append((gain, there, path))
    rated.sort(key=lambda r: (-r[0], from_home(ground, r[1], home)))
    found = ground.notes[key] = tuple(rated)
    return found


def covers(ground: Ground, here: int, points: int, home: int) -> tuple[Gain, ...]:
    """The destinations in the best cover, as (Defense more than here, hex, path). Kept with the
    map, like `gains`."""
    key = (here, points, home)
    known = ground.notes.get(key)
    if known is not None:
        return known
    ways, defense = ground.reach(here, points), ground.defense
    order = sorted(ways, key=lambda h: (-defense[h], from_home(ground, h, home)))
    found = tuple((defense[h] - defense[here], h, ways[h]) for h in order[:OUTPOSTS])
    ground.notes[key] = found
    return found

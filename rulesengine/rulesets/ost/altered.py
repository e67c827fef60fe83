"""A battlefield with what war has put on it or knocked down (OST 13, 16.7): a map compiled anew.

Wire, roadblocks, bunkers and pillboxes change what hexes cost, rubble what stands in them. A map
with such changes is a `Ground` of its own, made once for each set of changes and shared by every
battle; it shares with its origin all that the changes leave alone. What only shelters or dims
(foxholes, cover, wrecks, smoke) is in the state, see `works.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulesengine.rulesets.ost.charts import MARKER_BY_KEY, MARKERS, TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.ground import DEGRADES, UNSEEN, Ground

RUBBLE = MARKER_BY_KEY["rubble"]
RUBBLE_TERRAIN = TERRAIN_BY_KEY["rubble"]
ENCLOSED = frozenset({MARKER_BY_KEY["bunker"], MARKER_BY_KEY["pillbox"]})
"""Going in and coming out takes points. OST 13.4.5, 13.5.5."""
ALTERING = ENCLOSED | {MARKER_BY_KEY["wire"], MARKER_BY_KEY["roadblock"], RUBBLE}

NO_WAY_ON = 1 << 6
"""The road of a hex whose last way to another is gone: its street is still there."""
KEPT = 64
"""Altered forms of one map that are kept."""

_WAYS = (
    "paces",
    "steps",
    "fields",
    "ways",
    "drives",
    "courses",
    "prospects",
    "entries",
    "notes",
    "rankings",
)
"""What was worked out of costs."""


def altered(ground: Ground, works: Mapping[int, int]) -> Ground:
    """The map that `ground` is or was made from, with these markers (hex: index in MARKERS)."""
    origin = ground.origin
    changes = frozenset((h, kind) for h, kind in works.items() if kind in ALTERING)
    if not changes:
        return origin
    known = origin.variants.get(changes)
    if known is None:
        if len(origin.variants) >= KEPT:
            origin.variants.clear()
        known = origin.variants[changes] = _make(origin, dict(changes))
    return known


def _make(origin: Ground, works: dict[int, int]) -> Ground:
    made = Ground.__new__(Ground)
    for name in Ground.__slots__:
        setattr(made, name, getattr(origin, name))
    for name in _WAYS:
        setattr(made, name, {})
    made.works = works
    made.into = bytearray(MARKERS[works[h]].foot if h in works else 0 for h in range(_size(origin)))
    made.out_of = bytearray(works.get(h) in ENCLOSED for h in range(_size(origin)))
    made.stops = frozenset(h for h, kind in works.items() if MARKERS[kind].stops)
    fallen = sorted(h for h, kind in works.items() if kind == RUBBLE)
    if fallen:
        _fell(made, fallen)
    return made


def _size(ground: Ground) -> int:
    return len(ground.terrain)


def _fell(made: Ground, fallen: list[int]) -> None:
    """Structures become rubble, and roads through them end. OST 16.7.8, 13.8."""
    row = TERRAIN[RUBBLE_TERRAIN]
    for name in ("terrain", "opaque", "defense", "foot", "structure", "level", "storeys"):
        setattr(made, name, getattr(made, name).copy())
    made.road = made.road.copy()
    made.shapes = {h: shape for h, shape in made.shapes.items() if h not in fallen}
    for h in fallen:
        made.terrain[h] = (RUBBLE_TERRAIN,)
        made.opaque[h] = DEGRADES
        made.defense[h], made.foot[h] = row.defense, row.foot
        made.into[h] = 0
        made.structure[h] = made.storeys[h] = 0
        made.level[h] = made.base[h]
        for d, there in enumerate(made.grid.neighbours[h]):
            if there >= 0 and made.road[there]:
                made.road[there] = made.road[there] & ~(1 << (d + 3) % 6) or NO_WAY_ON
        made.road[h] = 0
    made.seen = bytearray([UNSEEN]) * len(made.seen)
    made.open = [-1] * len(made.open)
    made.shield = bytearray(len(made.shield))
    made.floors, made.outlooks, made.notes, made.alleys, made.screens = {}, {}, {}, {}, {}
    made.buildings = {h: n for h, n in made.buildings.items() if h not in fallen}
    made.find_streets()

"""Maps with levels for tests: a file of hexes seen from the side, and hilly ground at random."""

from __future__ import annotations

import random
from typing import Any

from rulesengine.rulesets.ost.scenario import HexMap, Hexsides
from tests.engine.table import LEGEND

ON_HILLS = LEGEND | {
    "H": "hill + light structure",
    "W": "hill + woods",
    "R": "hill + brush",
    "G": "gully + brush",
}
COLUMNS, ROWS = 20, 16


def hexes(terrain: str, levels: str, **more: Any) -> HexMap:
    """A file of hexes running south in column A, its terrain and its levels."""
    return HexMap(
        key="levels",
        title="Levels",
        grid=tuple(f"{sign}." for sign in terrain),
        levels=tuple(f"{level}0" for level in levels),
        legend=ON_HILLS,
        **more,
    )


def hilly(seed: int) -> HexMap:
    """Twenty by sixteen hexes of everything, in lumps: hills, gullies, tall houses, hedges."""
    chance = random.Random(seed)
    rows, levels = [], []
    for _ in range(ROWS):
        rows.append("".join(chance.choice("......bbwolhf") for _ in range(COLUMNS)))
        levels.append("".join(chance.choice("0000001123-") for _ in range(COLUMNS)))
    levels = [
        "".join(
            levels[(r // 2) * 2][(c // 3) * 3] if chance.random() < 0.8 else level
            for c, level in enumerate(row)
        )
        for r, row in enumerate(levels)
    ]
    named = [f"{chr(66 + chance.randrange(18))}{chance.randrange(2, 15)}" for _ in range(60)]
    sides = [f"{name}/{chance.choice(('N', 'NE', 'SE'))}" for name in named]
    return _with_sides("hilly", rows, levels, sides)


def _with_sides(key: str, rows: list[str], levels: list[str], sides: list[str]) -> HexMap:
    kinds = ("hedge", "stone wall", "bocage")
    return HexMap(
        key=key,
        title=key,
        grid=tuple(rows),
        levels=tuple(levels),
        legend=ON_HILLS,
        hexsides=tuple(Hexsides(kind=k, sides=tuple(sides[i::3])) for i, k in enumerate(kinds)),
    )


def cells(document: HexMap) -> range:
    """Every hex of a map, as its number."""
    columns = len(document.grid[0])
    return range(columns, columns * (len(document.grid) + 1))


def half_round(document: HexMap) -> HexMap:
    """The same map turned half round; an even width keeps its columns' half rows in step. The
    hex numbered h becomes the one numbered first + last - h."""
    assert len(document.grid[0]) % 2 == 0
    turn = {"N": "S", "NE": "SW", "SE": "NW"}
    return _turned(
        document,
        [row[::-1] for row in reversed(document.grid)],
        [row[::-1] for row in reversed(document.levels)],
        lambda column, row: (COLUMNS - 1 - column, ROWS - 1 - row),
        turn,
    )


def mirrored(document: HexMap) -> HexMap:
    """The same map seen in a mirror, its last column left out: odd, so halves shift alike."""
    width = COLUMNS - 1
    turn = {"N": "N", "NE": "NW", "SE": "SW"}
    return _turned(
        document,
        [row[:width][::-1] for row in document.grid],
        [row[:width][::-1] for row in document.levels],
        lambda column, row: (width - 1 - column, row),
        turn,
    )


def narrowed(document: HexMap) -> HexMap:
    """The map without its last column, to compare with `mirrored`."""
    width = COLUMNS - 1
    return _turned(
        document,
        [row[:width] for row in document.grid],
        [row[:width] for row in document.levels],
        lambda column, row: (column, row),
        {"N": "N", "NE": "NE", "SE": "SE"},
    )


def _turned(
    document: HexMap, rows: list[str], levels: list[str], moved: Any, turn: dict[str, str]
) -> HexMap:
    groups = []
    for group in document.hexsides:
        sides = []
        for side in group.sides:
            name, _, way = side.partition("/")
            column, row = moved(ord(name[0]) - 65, int(name[1:]) - 1)
            if 0 <= column < len(rows[0]):
                sides.append(f"{chr(65 + column)}{row + 1}/{turn[way]}")
        groups.append(Hexsides(kind=group.kind, sides=tuple(sides)))
    return HexMap(
        key="turned",
        title="Turned",
        grid=tuple(rows),
        levels=tuple(levels),
        legend=document.legend,
        hexsides=tuple(groups),
    )

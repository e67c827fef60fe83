"""A hex map's coordinates: flat-topped hexes in lettered columns, numbered rows.

Columns run A..Z, AA, BB, CC ...; even columns (A, C, ...) sit half a hex lower, so the hex
north-east of A1 is B1. A hex is an integer, `(row + 1) * columns + column`, rows from 0: one
spare row above and below the map lets a sight line graze the edge without a bounds check.
Directions are 0..5 = north, then clockwise; a printed die of direction shows one more.
"""

from __future__ import annotations

import re
from functools import lru_cache

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial steps north, north-east, south-east, south, south-west, north-west."""

DIRECTION_NAMES = ("N", "NE", "SE", "S", "SW", "NW")

_NAME = re.compile(r"^([A-Z])(\1*)([1-9][0-9]*)$")


class Grid:
    """Names, neighbours and distances of a map of `columns` x `rows` hexes."""

    __slots__ = ("_apart", "columns", "hexes", "neighbours", "q", "r", "rows", "size")

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.size = columns * (rows + 2)
        self.hexes = tuple(range(columns, columns * (rows + 1)))
        self.q = [h % columns for h in range(self.size)]
        self.r = [self._axial_row(h) for h in range(self.size)]
        self.neighbours = [
            tuple(self._step(h, d) if self.on_map(h) else -1 for d in range(6))
            for h in range(self.size)
        ]
        """Per hex six hexes by direction, -1 where the map ends."""
        self._apart: list[bytearray | None] = [None] * self.size
        """Per hex its distances, as they were asked for; 255 where nobody has yet."""

    def _axial_row(self, h: int) -> int:
        row, column = divmod(h, self.columns)
        return row - 1 - (column + (column & 1)) // 2

    def at(self, q: int, r: int) -> int:
        """The hex of axial coordinates, spare rows included; -1 outside."""
        row = r + (q + (q & 1)) // 2 + 1
        if 0 <= q < self.columns and 0 <= row < self.rows + 2:
            return row * self.columns + q
        return -1

    def on_map(self, h: int) -> bool:
        return self.columns <= h < self.columns * (self.rows + 1)

    def _step(self, h: int, direction: int) -> int:
        dq, dr = DIRECTIONS[direction]
        other = self.at(self.q[h] + dq, self.r[h] + dr)
        return other if self.on_map(other) else -1

    def distance(self, a: int, b: int) -> int:
        """Hexes from a to b, not counting a. A map is at most 78 hexes wide and high."""
        row = self._apart[a]
        if row is None:
            row = self._apart[a] = bytearray(b"\xff") * self.size
        known = row[b]
        if known != 255:
            return known
        dq = self.q[a] - self.q[b]
        dr = self.r[a] - self.r[b]
        row[b] = known = max(abs(dq), abs(dr), abs(dq + dr))
        return known

    def direction(self, a: int, b: int) -> int:
        """The direction of an adjacent hex; -1 if it is not adjacent."""
        steps = self.neighbours[a]
        return steps.index(b) if b in steps else -1

    def name(self, h: int) -> str:
        """ "F5", "BB10"."""
        row, column = divmod(h, self.columns)
        turns, letter = divmod(column, 26)
        return chr(65 + letter) * (turns + 1) + str(row)

    def find(self, name: str) -> int:
        """The hex of a name. Raises ValueError saying what is wrong with it."""
        match = _NAME.match(name.strip().upper())
        if not match:
            raise ValueError(f'"{name}" is not a hex; write a column and a row, as in "F5"')
        column = ord(match[1]) - 65 + 26 * len(match[2])
        row = int(match[3])
        if column >= self.columns or row > self.rows:
            last = self.name(self.columns * (self.rows + 1) - 1)
            raise ValueError(f'"{name}" is off the map, which runs from A1 to {last}')
        return row * self.columns + column

    def area(self, text: str) -> tuple[int, ...]:
        """The hexes of a description such as "A1:C4, F5": rectangles and single hexes."""
        found: dict[int, None] = {}
        for part in text.split(","):
            first, colon, last = part.partition(":")
            a = self.find(first)
            b = self.find(last) if colon else a
            top, bottom = sorted((a // self.columns, b // self.columns))
            left, right = sorted((a % self.columns, b % self.columns))
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    found[row * self.columns + column] = None
        return tuple(found)


@lru_cache(maxsize=32)
def grid_of(columns: int, rows: int) -> Grid:
    """The grid of every map of one size: nothing in it changes but what it remembers."""
    return Grid(columns, rows)

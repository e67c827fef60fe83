"""Printed tables and lists of figures, read from TOML with their origin.

A table file has `name`, `rule`, `status` (printed | repaired | estimate), `why`, `columns`
and `[rows]`; a list file has a head and `[[rows]]`. Reading fails on a gap, an overlap, an
unknown result, a short row or an unknown key, and says in which file and where.
A read table looks up with two list accesses: nothing here is slow at play time.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

T = TypeVar("T")

Status = Literal["printed", "repaired", "estimate"]


class BadTable(Exception):
    """A table could not be read. The message is `file: where: what`."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a list of figures, with its origin."""

    status: Status
    source: str = ""


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table file as written."""

    name: str
    rule: str
    status: Status
    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]
    why: str = ""


class Table(msgspec.Struct, frozen=True):
    """A printed grid of results.

    `cells[roll][column]` is an index into `results`; rows below the first printed one are
    copies of it, so any roll from 0 up to `top` may be used after clamping.
    """

    name: str
    rule: str
    status: Status
    why: str
    columns: tuple[str, ...]
    results: tuple[str, ...]
    cells: list[list[int]]
    first: int
    """The value the lookup starts at; smaller values use it too."""
    lookup: list[int]
    """Column of each value from `first` on."""

    @property
    def top(self) -> int:
        """The highest row; a higher roll uses it."""
        return len(self.cells) - 1

    def column(self, value: int) -> int:
        """The column a number falls in."""
        index = value - self.first
        if index < 0:
            return self.lookup[0]
        return self.lookup[index] if index < len(self.lookup) else self.lookup[-1]

    def code(self, roll: int, column: int) -> int:
        """The result code of a modified roll."""
        return self.cells[max(0, min(roll, self.top))][column]

    def result(self, roll: int, column: int) -> str:
        """The result of a modified roll in the table's own words; "" is no result."""
        return self.results[self.code(roll, column)]


def read_table(path: Path, results: tuple[str, ...]) -> Table:
    """Read a printed grid. `results` are the words allowed in its cells, in code order.

    Raises BadTable.
    """
    sheet = _convert(_load(path), _Sheet, path)
    first, lookup = _spans(sheet.columns, path)
    return Table(
        name=sheet.name,
        rule=sheet.rule,
        status=sheet.status,
        why=sheet.why,
        columns=sheet.columns,
        results=results,
        cells=_cells(sheet, results, path),
        first=first,
        lookup=lookup,
    )


def read_rows(path: Path, kind: type[T], unique: str = "key") -> tuple[T, ...]:
    """Read a list of figures: `[[rows]]`, each converted strictly to `kind`.

    A `status`, `source` or `nation` at the head of the file stands for every row that does
    not say its own. `unique` names a field no two rows may share, beside their key. Raises
    BadTable.
    """
    sheet = _load(path)
    rows = sheet.pop("rows", None)
    if not isinstance(rows, list) or not rows:
        raise BadTable(f"{path.name}: $: expected a list of [[rows]]")
    shared = {k: sheet.pop(k) for k in ("status", "source", "nation") if k in sheet}
    stray = set(sheet) - {"name", "rule", "why"}
    if stray:
        raise BadTable(f'{path.name}: $: no such key "{min(stray)}" at the head of a list')
    found: dict[Any, int] = {}
    read = []
    for index, row in enumerate(rows):
        named = f"rows[{index}] ({row.get(unique, 'unnamed')})"
        item = _convert(shared | row, kind, path, named)
        for name in dict.fromkeys((unique, "key")):
            value = (name, getattr(item, name, index))
            if value in found:
                raise BadTable(
                    f"{path.name}: {named}: {name} is already that of row {found[value]}"
                )
            found[value] = index
        read.append(item)
    return tuple(read)


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadTable(f"{path.name}: {error}") from error


def _convert(value: Any, kind: type[T], path: Path, where: str = "$") -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, _, at = str(error).partition(" - at ")
        place = where + at.strip("`").removeprefix("$") if at else where
        raise BadTable(f"{path.name}: {place}: {message}") from error


_SPAN = re.compile(r"^[+-]?\d+(/[+-]?\d+)*$")


def _spans(columns: tuple[str, ...], path: Path) -> tuple[int, list[int]]:
    """Values covered by headings such as "-5", "0", "+3/+4": one column each, no gap."""
    lookup: list[int] = []
    first = 0
    for index, heading in enumerate(columns):
        if not _SPAN.match(heading):
            raise BadTable(f'{path.name}: columns[{index}]: "{heading}" is not a whole number')
        for value in map(int, heading.split("/")):
            if not lookup:
                first = value
            expected = first + len(lookup)
            if value != expected:
                fault = "overlaps the column before" if value < expected else "leaves a gap"
                raise BadTable(
                    f'{path.name}: columns[{index}]: "{heading}" {fault}; expected {expected:+d}'
                )
            lookup.append(index)
    if not lookup:
        raise BadTable(f"{path.name}: columns: a table needs at least one column")
    return first, lookup


def _cells(sheet: _Sheet, results: tuple[str, ...], path: Path) -> list[list[int]]:
    codes = {word: code for code, word in enumerate(results)}
    read: dict[int, list[int]] = {}
    for key, row in sheet.rows.items():
        where = f"{path.name}: rows.{key}"
        if not key.isdigit():
            raise BadTable(f"{where}: a row is named by the roll it is for")
        if int(key) in read:
            raise BadTable(f"{where}: overlaps another row for {int(key)}")
        if len(row) != len(sheet.columns):
            raise BadTable(f"{where}: {len(row)} cells, but {len(sheet.columns)} columns")
        for index, word in enumerate(row):
            if word not in codes:
                known = ", ".join(f'"{word}"' for word in results)
                raise BadTable(f'{where}[{index}]: no result "{word}"; the results are {known}')
        read[int(key)] = [codes[word] for word in row]
    if not read:
        raise BadTable(f"{path.name}: rows: a table needs at least one row")
    low, high = min(read), max(read)
    for roll in range(low, high + 1):
        if roll not in read:
            raise BadTable(f"{path.name}: rows: a gap, there is no row for {roll}")
    return [list(read[max(low, roll)]) for roll in range(high + 1)]

"""The printed charts: the two combat tables, terrain, hexsides, markers, modifiers.

All of it is read once from `tables/*.toml`. The engine works with integers: a result is its
place in `ICT_RESULTS` or `VCT_RESULTS`, a modifier is its code; `NAMES` turns any code a
battle log may hold into words and a rule when somebody reads it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rulesengine.tables import Row, read_rows, read_table

_FOLDER = Path(__file__).with_name("tables")

Sight = Literal["clear", "degrades", "blocks", "structure"]
"""`structure`: its own shape blocks, the rest of its hex degrades (OST 12.2)."""


class Terrain(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of terrain in a hex. OST 14, 16."""

    code: int
    key: str
    name: str
    foot: int
    """Movement points to enter."""
    wheeled: int | None = None
    """HALF movement points; None = may not enter."""
    wheeled_bog: bool = False
    tracked: int | None = None
    """HALF movement points; None = may not enter."""
    tracked_bog: bool = False
    defense: int
    sight: Sight
    stops_mobile: bool = False
    """Mobile troops stop when they enter. OST 6.2."""
    collapse: int = 0
    """Lowest 1D6 that brings it down; 0 = cannot collapse. OST 16.7."""
    rules: dict[Literal["cost", "closed", "defense", "sight"], str]
    """`closed`: that some vehicles may not enter, where that stands by itself."""


class Hexside(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terrain along a hexside; costs are extra to the hex entered. OST 15."""

    code: int
    key: str
    name: str
    foot: int
    wheeled: int | None = None
    """HALF movement points; None = may not cross."""
    wheeled_bog: bool = False
    tracked: int | None = None
    tracked_bog: bool = False
    defense: int
    sight: Sight
    stops_mobile: bool = False
    rules: dict[Literal["cost", "closed", "defense", "sight"], str]


class Marker(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A battlefield marker; costs are extra to the terrain of the hex. OST 13."""

    code: int
    key: str
    name: str
    defense: int
    """For foot units."""
    vehicle_defense: int
    foot: int
    wheeled: int | None = None
    """HALF movement points; None = may not enter."""
    wheeled_bog: bool = False
    tracked: int | None = None
    tracked_bog: bool = False
    sight: Sight
    firepower: int = 0
    """Of its own attack."""
    firepower_out: int = 0
    """Change to the firepower of whoever fires out of it."""
    stops: bool = False
    """Whoever enters stops."""
    instead: bool = False
    """Its cost stands instead of the terrain's."""
    clears: int = 0
    """Lowest 1D6 with which artillery removes it; 0 = it does not."""
    lasts: int = 0
    """Turns it lasts; 0 = to the end."""
    rules: dict[Literal["cost", "closed", "defense", "sight", "firepower"], str]
    """`closed`: that vehicles may not enter."""


class ModifierRow(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One named change to a number. Its code is for ever: logs hold it."""

    code: int
    key: str
    name: str
    amount: int
    applies: str
    """firepower, defense, attack roll, to hit, melee roll, rally roll, accuracy ..."""
    rule: str
    max: bool = False
    """More than one such modifier counts once."""
    halves: bool = False
    doubles: bool = False


class Artillery(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An off-board battery. OST 33.0."""

    code: int
    key: str
    name: str
    firepower: int
    """In the strike hex; half of it in the six around."""
    accuracy: int
    """Lowest 1D6 that is on target. OST 33.2.1."""
    rockets: bool = False
    """They bring buildings down the easier. OST 16.7.6."""


class LuckCard(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A luck card; what it does is in `luck_own.py` and `luck_against.py`. OST 3.3."""

    code: int
    key: str
    title: str
    text: str
    """What it does, in words for players."""
    moment: Literal["impulse", "enemy"]
    aim: Literal["", "unit", "enemy", "hex", "pair", "line", "battery"]
    """What the player names."""
    copies: int
    vehicles: bool = False
    """Of no use where there are no vehicles. OST 3.3.7."""


class ToHit(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What hits a vehicle up to a range. OST 29.0.4."""

    up_to: int
    needed: int


ICT_RESULTS = ("", "S", "B", "C", "C-S", "C-B", "X")
"""No result, Shaken, Broken, Casualties, ... destroyed. OST 28.1."""

VCT_RESULTS = ("", "S", "B", "D", "D-S", "D-B", "X")
"""No result, Shaken, Broken, Damaged, ... destroyed. OST 29.3."""

ICT_TABLE = read_table(_FOLDER / "infantry_combat.toml", ICT_RESULTS)
VCT_TABLE = read_table(_FOLDER / "vehicle_combat.toml", VCT_RESULTS)

ICT = ICT_TABLE.cells
"""[roll 0..12][column 0..10] -> index in ICT_RESULTS; clamp the roll to 0..12."""

VCT = VCT_TABLE.cells
"""[roll 0..12][column 0..10] -> index in VCT_RESULTS; clamp the roll to 0..12."""

COLUMNS = ICT_TABLE.columns
"""Headings of both tables, "-5" to "+7"."""

TERRAIN = read_rows(_FOLDER / "terrain.toml", Terrain)
HEXSIDES = read_rows(_FOLDER / "hexsides.toml", Hexside)
MARKERS = read_rows(_FOLDER / "markers.toml", Marker)
MODIFIERS = read_rows(_FOLDER / "modifiers.toml", ModifierRow, unique="code")
ARTILLERY = read_rows(_FOLDER / "artillery.toml", Artillery)
LUCK_CARDS = read_rows(_FOLDER / "luck_cards.toml", LuckCard, unique="code")
TO_HIT = read_rows(_FOLDER / "to_hit.toml", ToHit, unique="up_to")

TERRAIN_BY_KEY = {row.key: index for index, row in enumerate(TERRAIN)}
HEXSIDE_BY_KEY = {row.key: index for index, row in enumerate(HEXSIDES)}
ARTILLERY_BY_KEY = {row.key: index for index, row in enumerate(ARTILLERY)}
LUCK_CARD = {row.code: row for row in LUCK_CARDS}
MARKER_BY_KEY = {row.key: index for index, row in enumerate(MARKERS)}
MODIFIER = {row.key: row for row in MODIFIERS}


def _names() -> dict[int, tuple[str, str]]:
    names = {row.code: (row.name, row.rule) for row in MODIFIERS}
    for group in (TERRAIN, HEXSIDES, MARKERS):
        for row in group:
            names[row.code] = (row.name, row.rules.get("defense", ""))
    return names


HEXSIDE_CODES = frozenset(row.code for row in HEXSIDES)
MARKER_CODES = frozenset(row.code for row in MARKERS)
AIRBURST = next(row.code for row in MODIFIERS if row.key == "AIRBURST")

NAMES = _names()
"""Any modifier code, those of terrain, hexsides and markers included -> (name, rule)."""


def column(firepower: int, defense: int) -> int:
    """The column 0..10 of an attack on either combat table. OST 27.1."""
    return ICT_TABLE.column(firepower - defense)


def rules_of_modifiers(parts: tuple[int, ...]) -> tuple[str, ...]:
    """The rules behind an event's modifiers, given as code, amount, code, amount ..."""
    rules: list[str] = []
    for code in parts[::2]:
        rules.append(NAMES[code][1])
        if code in HEXSIDE_CODES:
            rules += ("15.0.5", "15.0.7")
        elif code == AIRBURST:
            rules += ("14.5.5", "33.4.11")
        elif code in MARKER_CODES:
            rules += ("13.0.p1", "13.0.p3")
    return tuple(rules)


def rule_of_vehicle_row(total: int) -> str:
    """The row of the Vehicle Combat Table on the player aid: 1.9.p21 is that of twelve."""
    return f"1.9.p{33 - min(12, max(2, total))}"


def rule_of_row(total: int) -> str:
    """The row of the Infantry Combat Table on the player aid: 1.9.p5 is that of twelve."""
    return f"1.9.p{17 - min(12, max(2, total))}"

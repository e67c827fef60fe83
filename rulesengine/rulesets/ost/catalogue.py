"""The counters of the game: what is on them, and where each figure comes from.

`ROWS` holds every unit and weapon of `units/*.toml`. `TYPES` begins with them, and counters that a
pack prints otherwise are added behind (`recasts.py`); its index is the integer the engine works
with inside one battle. Keys, not indexes, stand in documents and logs.
Most figures are estimates: the book's unit cards are not printed in it. Each row says so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from rulesengine.documents import Becoming, Catalogue, ElementType
from rulesengine.rulesets.ost.charts import TERRAIN
from rulesengine.tables import Row, read_rows

T = TypeVar("T")

VERSION = "6"
QUALITIES = ("elite", "regular", "poor")
MORALE = ("good order", "shaken", "broken")
VEHICLE_CONDITIONS = ("fit", "machine guns out", "main gun out", "immobilised")
"""A vehicle shows one damage at most: a second one has its crew leave it. OST 29.3.p9."""

Category = Literal[
    "squad", "leader", "sniper", "crew", "crewed weapon", "support weapon", "vehicle"
]

FIGHTING = ("squad", "crewed weapon", "vehicle")
"""What is a unit by itself. OST 5.0, 7.0.1, 10.0.p1."""


class UnitType(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One counter. Ranges in hexes of 50 m; 0 where the counter has no such figure."""

    key: str
    title: str
    category: Category
    nation: Literal["us", "german", "soviet", "french", "polish", "british", "italian"]
    traits: tuple[str, ...] = ()
    """elite, poor, engineer, assault, mobile, sustained, asterisk, arc, stealth ..."""
    fp: int = 0
    ap: int = 0
    """Armour-piercing firepower at close range."""
    ap_at: tuple[int, ...] = ()
    """The same at 0, 5, 10, 15 and 20 hexes; empty where it is `ap` at any range. OST 29.0.6."""
    range: int = 0
    min_range: int = 0
    defense: int = 0
    mp: int = 0
    reduced_fp: int = 0
    reduced_range: int = 0
    front: int = 0
    """Defense of a vehicle; a foot unit's is `defense`."""
    flank: int = 0
    mg_fp: int = 0
    """Machine guns of a vehicle. OST 29.1."""
    mg_range: int = 0
    drive: Literal["", "wheeled", "tracked"] = ""
    hull_fp: int = 0
    """The hull gun where there are two main armaments. OST 9.3."""
    hull_ap_at: tuple[int, ...] = ()
    hull_range: int = 0
    command: int = 0
    """Command range of a leader, hexes."""
    symbol: str = "infantry"
    """Entity key in the symbol atlas."""
    points: int = 0
    """Enemy casualty points at full strength. OST 1.6."""
    branch: str = ""
    becomes: str = ""
    """The squad it turns into, reduced, when its ammunition gives out (OST 8.1.10); the crew that
    may get out of a destroyed vehicle (29.6)."""
    printed: tuple[str, ...] = ()
    """Which figures the book prints, and where."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The states its counter can show, best first."""
        if self.category == "vehicle":
            return VEHICLE_CONDITIONS
        two_sided = self.category in ("squad", "crewed weapon")
        return ("fit", "reduced") if two_sided else ("fit",)

    @property
    def quality(self) -> str:
        """Its quality where a scenario says nothing. OST 19.0."""
        return next((q for q in ("elite", "poor") if q in self.traits), "regular")

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """What is printed on the counter, in order, figures it lacks left out."""
        return self._side(self.fp, self.range)

    @property
    def reduced_figures(self) -> tuple[tuple[str, str], ...]:
        """The same on its reduced side."""
        return self._side(self.reduced_fp, self.reduced_range)

    def _side(self, fp: int, reach: int) -> tuple[tuple[str, str], ...]:
        figures = (
            ("FP", fp),
            ("AP", self.ap),
            ("Range", reach),
            ("MG FP", self.mg_fp),
            ("MG range", self.mg_range),
            ("Front", self.front),
            ("Flank", self.flank),
            ("Hull FP", self.hull_fp),
            ("Hull AP", self.hull_ap_at[0] if self.hull_ap_at else 0),
            ("Minimum range", self.min_range),
            ("Command", self.command),
            ("Def", self.defense),
            ("MP", self.mp),
        )
        return tuple((name, str(value)) for name, value in figures if value)


def _types() -> tuple[UnitType, ...]:
    folder = Path(__file__).with_name("units")
    files = ("squads", "leaders", "crewed", "weapons", "guns", "vehicles")
    return tuple(t for f in files for t in read_rows(folder / f"{f}.toml", UnitType))


ROWS = _types()
TYPES = list(ROWS)
BY_KEY = {unit_type.key: code for code, unit_type in enumerate(TYPES)}
"""Key -> index in TYPES, as the catalogue has it."""
_COLUMNS: list[tuple[list[Any], Callable[[UnitType], Any]]] = []


def column(figure: Callable[[UnitType], T]) -> list[T]:
    """A figure of every counter by its index; it grows when a counter is added."""
    made = [figure(t) for t in TYPES]
    _COLUMNS.append((made, figure))
    return made


def add_type(added: UnitType) -> int:
    """Take one more counter in behind the catalogue's; its index. For `recasts.py` alone."""
    for made, figure in _COLUMNS:
        made.append(figure(added))
    TYPES.append(added)
    return len(TYPES) - 1


CREW_OF = column(lambda t: BY_KEY.get(f"{t.key.partition('-')[0]}-crew", -1))
"""The crew that is left of a crewed weapon. OST 13.4.11, 16.7.11."""


def unit_type(key: str) -> UnitType:
    """The type of a key. Raises KeyError."""
    return TYPES[BY_KEY[key]]


def catalogue() -> Catalogue:
    """What this ruleset knows of, for the rest of the product."""
    return Catalogue(
        ruleset="ost",
        version=VERSION,
        elements=tuple(element_of(t) for t in ROWS),
        qualities=QUALITIES,
        morale=MORALE,
        terrain=tuple(t.key for t in TERRAIN),
    )


def element_of(t: UnitType) -> ElementType:
    """A counter as the rest of the product knows it."""
    becomes: tuple[Becoming, ...] = ()
    if t.becomes and t.category == "vehicle":
        becomes = (Becoming(type=t.becomes, condition="fit", cause="crew got out"),)
    elif t.becomes:
        becomes = (Becoming(type=t.becomes, condition="reduced", cause="ammunition out"),)
    if t.category == "crewed weapon":
        crew = TYPES[CREW_OF[BY_KEY[t.key]]].key
        becomes += (Becoming(type=crew, condition="fit", cause="weapon lost in a collapse"),)
    printed = f" Printed: {'; '.join(t.printed)}." if t.printed else ""
    return ElementType(
        key=t.key,
        title=t.title,
        category=t.category,
        conditions=t.conditions,
        nation=t.nation,
        symbol=t.symbol,
        points=t.points,
        figures=t.figures,
        becomes=becomes,
        merges=t.category == "squad",
        fights=t.category in FIGHTING,
        figures_when={"reduced": t.reduced_figures} if "reduced" in t.conditions else {},
        status=t.status,
        source=t.source[:1].upper() + t.source[1:] + "." + printed,
    )

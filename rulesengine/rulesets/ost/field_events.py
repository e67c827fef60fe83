"""What happens to the field itself (OST 13, 16.7), and attacks without a firer. Kinds are for
ever; see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET, UnsetType

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import (
    ICT_RESULTS,
    MARKERS,
    MODIFIER,
    TERRAIN,
    rule_of_row,
    rule_of_vehicle_row,
    rules_of_modifiers,
)

__all__ = [
    "AnyFieldEvent",
    "Blasted",
    "BlownUp",
    "ClearingBegun",
    "CollapseRolled",
    "CoverSought",
    "CrewLeft",
    "MineDamage",
    "MinesFound",
    "SmokeAged",
    "SmokeLaid",
    "SmokePlaced",
    "WeaponBuried",
    "WeaponScrapped",
    "WorkPlaced",
    "WorkRemoved",
    "WorksLaid",
]

DOUBLE = (ICT_RESULTS.index("C-S"), ICT_RESULTS.index("C-B"))

BLASTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mines": (("13.3.6",), ("13.3.7",)),
    "artillery": (
        ("33.0.2", "33.4.2", "33.4.3", "15.0.6", "28.2.5", "33.4.5", "33.4.6", "33.4.8"),
        ("33.0.2", "33.4.2", "33.4.4", "15.0.6"),
    ),
    "air strike": (
        ("32.0.5", "32.0.6", "32.0.7", "15.0.6", "28.2.5", "32.0.9", "32.0.10"),
        ("32.0.5", "32.0.6", "32.0.8", "15.0.6"),
    ),
    "mortar": (("10.3.7", "10.3.8", "15.0.6"), ("10.3.8", "10.3.10", "15.0.6")),
    "satchel charge": (("10.2.1", "10.2.3"), ("10.0.8", "10.2.1")),
    "collapse": (("16.7.9",), ("16.7.9",)),
    "collateral damage": (("24.4.p2",), ()),
    "strafing run": (
        ("3.3.3", "32.0.6", "32.0.7", "15.0.6", "28.2.5", "32.0.9", "32.0.10"),
        ("3.3.3", "32.0.6", "32.0.8", "15.0.6"),
    ),
    "luck card": (("3.3.3", "15.0.6"), ("3.3.3", "15.0.6")),
    "landing": (("26.3.5", "26.3.6", "26.3.10"), ()),
    "glider crash": (("26.4.8", "26.4.10"), ("26.4.8", "26.4.10")),
    "glider landing": (("26.4.9", "26.4.10"), ("26.4.9", "26.4.10")),
}
"""Why a hex is struck, and the rules of it: for foot units, for vehicles."""


REMOVALS = {
    ("left", "cover"): ("13.1.3",),
    ("driven flat", "wire"): ("13.6.5",),
    ("engineers", "mines"): ("6.1.3", "13.3.3"),
    ("engineers", "wire"): ("6.1.3", "13.6.6"),
    ("engineers", "roadblock"): ("6.1.3", "13.7.4"),
    ("satchel charge", "wire"): ("13.6.7",),
    ("satchel charge", "roadblock"): ("13.7.5",),
    ("artillery", "wire"): ("13.6.8",),
    ("artillery", "roadblock"): ("13.7.6",),
    ("blown up", "bunker"): ("13.4.9",),
    ("collapsed", "bunker"): ("13.4.10", "16.7.1"),
}
"""Why which marker is taken off, and the rules of it."""


class Blasted(Event, frozen=True, tag="ost.blasted"):
    """One unit attacked by what has no firer on the map, or strikes all of a hex."""

    target: int
    why: str
    """A key of BLASTS."""
    firepower: int
    defense: int
    column: int
    roll: Roll
    total: int
    result: int
    modifiers: tuple[int, ...]
    vehicle: bool = False
    again: bool = False
    """By mines that were known; by shells that fell before it came there."""
    by: int = -1
    """The side whose mines, shells or aircraft they are; -1 where it is nobody's doing."""

    def cites(self) -> tuple[str, ...]:
        own = BLASTS[self.why][self.vehicle]
        if self.again:
            own = (*own, *(("13.3.4",) if self.why == "mines" else ("33.4.9", "33.4.10")))
        changes = rules_of_modifiers(self.modifiers)
        if self.vehicle:
            return ("27.2.2", *own, *changes, rule_of_vehicle_row(self.total))
        result = ("28.1.p5",) if not self.result else ("28.1.p6",) if self.result in DOUBLE else ()
        return ("27.2.1", *own, rule_of_row(self.total), *result, *changes)


STANDING: dict[str, tuple[str, ...]] = {
    "cover": ("13.1.2", "13.1.3"),
    "foxholes": ("13.2.p1", "13.2.3", "13.2.4"),
    "trench": ("13.2.p1", "13.2.3", "13.2.4"),
    "mines": ("13.3.p1", "13.3.5"),
    "bunker": ("13.4.p1", "13.4.1", "13.4.2", "13.4.6", "13.4.8", "13.4.12", "13.4.13", "13.4.3"),
    "pillbox": ("13.5.p1", "13.5.1", "13.5.6", "13.5.8", "13.5.11", "13.5.12", "13.5.13", "13.5.3"),
    "wire": ("13.6.p1", "13.6.9"),
    "roadblock": ("13.7.p1", "13.7.8"),
}
"""What goes for a marker as long as it stands."""


class WorksLaid(Event, frozen=True, tag="ost.works_laid"):
    """The works a side has on the map from the start; of mines, and of what is `hidden` with a
    unit, only that side is told."""

    side: int
    marker: int
    """Index in MARKERS."""
    hexes: tuple[int, ...]
    hidden: bool | UnsetType = UNSET

    def cites(self) -> tuple[str, ...]:
        own = ("21.0.2",) if self.hidden else ()
        return ("13.0.p1", *STANDING[MARKERS[self.marker].key], *own)


class MinesFound(Event, frozen=True, tag="ost.mines_found"):
    """Mines that lay hidden are known to both sides."""

    hex: int
    by: int
    """The unit that found them."""
    engineers: bool
    """They are found without harm."""

    def cites(self) -> tuple[str, ...]:
        return ("13.3.2", "6.1.2") if self.engineers else ("13.3.1", "13.3.p1")


class WorkPlaced(Event, frozen=True, tag="ost.work_placed"):
    """A marker is put into a hex: cover that was found."""

    hex: int
    marker: int
    """Index in MARKERS."""
    by: int

    def cites(self) -> tuple[str, ...]:
        return ("13.1.1", "13.1.2", "13.0.p2")


class WorkRemoved(Event, frozen=True, tag="ost.work_removed"):
    """A marker is taken off the map."""

    hex: int
    marker: int
    """Index in MARKERS."""
    why: str

    def cites(self) -> tuple[str, ...]:
        return REMOVALS[self.why, MARKERS[self.marker].key]


class SmokeLaid(Event, frozen=True, tag="ost.smoke_laid"):
    """Smoke fills hexes; where older smoke hangs the fresher stays."""

    hexes: tuple[int, ...]
    ages: tuple[int, ...]
    """1 fresh, 2 to go at the next turn; one for each hex."""
    by: str
    """engineers, mortar, artillery."""

    def cites(self) -> tuple[str, ...]:
        return {
            "engineers": ("13.9.p1", "13.9.1", "13.9.6", "6.1.1"),
            "mortar": ("13.9.p1", "13.9.1", "13.9.6", "10.3.12"),
            "artillery": ("13.9.p1", "13.9.1", "13.9.3", "33.0.5", "33.4.1"),
            "luck card": ("13.9.p1", "13.9.1", "13.9.6", "3.3.3"),
        }[self.by]


class SmokeAged(Event, frozen=True, tag="ost.smoke_aged"):
    """Smoke is a turn older: what was thin is gone, what was fresh is thin."""

    gone: tuple[int, ...]
    thin: tuple[int, ...]

    def cites(self) -> tuple[str, ...]:
        return ("2.1.p3", "13.9.2")


CHARGES = {MODIFIER[key].code for key in ("ROCKET_COLLAPSE", "SATCHEL_COLLAPSE")}
COLLAPSING = {
    "light structure": ("16.1.8",),
    "heavy structure": ("16.2.8",),
    "ruins": ("16.5.7", "16.5.8", "16.7.7"),
}


class CollapseRolled(Event, frozen=True, tag="ost.collapse_rolled"):
    """Whether a structure, or a bunker, comes down."""

    hex: int
    roll: Roll
    total: int
    needed: int
    bunker: bool
    terrain: int = -1
    """Index in TERRAIN of the structure."""
    modifiers: tuple[int, ...] = ()

    @property
    def falls(self) -> bool:
        return self.total >= self.needed

    def cites(self) -> tuple[str, ...]:
        changes = rules_of_modifiers(self.modifiers)
        if self.bunker:
            return ("16.7.p1", "13.4.10", "16.7.1", *changes)
        fallen = ("16.7.8", "13.8.1") if self.falls else ()
        if not CHARGES.isdisjoint(self.modifiers[::2]):
            changes = (*changes, "16.7.6")
        own = COLLAPSING.get(TERRAIN[self.terrain].key, ()) if self.terrain >= 0 else ()
        return ("16.7.p1", "16.7.1", *own, "16.7.4", "16.7.5", *fallen, *changes)


class CoverSought(Event, frozen=True, tag="ost.cover_sought"):
    """A unit looks for cover; on `needed` it finds some."""

    unit: int
    roll: Roll
    needed: int
    rubble: bool = False
    """In rubble that was on the map from the start."""

    def cites(self) -> tuple[str, ...]:
        rubble = ("13.1.5", "13.8.6", "13.8.p1") if self.rubble else ()
        return ("13.1.p1", "13.1.1", "22.0.8", *rubble)


class SmokePlaced(Event, frozen=True, tag="ost.smoke_placed"):
    """Engineers lay smoke: a firing action."""

    rules: ClassVar[tuple[str, ...]] = ("6.1.1", "13.9.6", "22.0.3")
    unit: int
    hex: int


class ClearingBegun(Event, frozen=True, tag="ost.clearing_begun"):
    """Engineers in hex `at` begin to clear what lies in `hex`: a firing action."""

    rules: ClassVar[tuple[str, ...]] = ("6.1.3", "22.0.3")
    unit: int
    at: int
    hex: int


class BlownUp(Event, frozen=True, tag="ost.blown_up"):
    """A unit blows up the bunker it is in: a firing action."""

    rules: ClassVar[tuple[str, ...]] = ("13.4.9", "22.0.3")
    unit: int


class MineDamage(Event, frozen=True, tag="ost.mine_damage"):
    """Damage by mines stops a vehicle for good."""

    rules: ClassVar[tuple[str, ...]] = ("13.3.9",)
    unit: int


class WeaponBuried(Event, frozen=True, tag="ost.weapon_buried"):
    """A support weapon is lost under a building; a gun without a crew, under a bunker as well."""

    weapon: int
    gun: bool = False
    bunker: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("13.4.11",) if self.bunker else ("16.7.11",) if self.gun else ("16.7.10",)


class WeaponScrapped(Event, frozen=True, tag="ost.weapon_scrapped"):
    """A support weapon that lay on the ground is destroyed."""

    rules: ClassVar[tuple[str, ...]] = ("10.0.13",)
    unit: int
    weapon: int


class CrewLeft(Event, frozen=True, tag="ost.crew_left"):
    """A crewed weapon is lost under a building or a bunker; its crew is left."""

    unit: int
    becomes: int
    points: int
    bunker: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("13.4.11",) if self.bunker else ("16.7.11",)


AnyFieldEvent = (
    Blasted
    | WorksLaid
    | MinesFound
    | WorkPlaced
    | WorkRemoved
    | SmokeLaid
    | SmokeAged
    | CollapseRolled
    | WeaponBuried
    | WeaponScrapped
    | CrewLeft
    | CoverSought
    | SmokePlaced
    | ClearingBegun
    | BlownUp
    | MineDamage
)

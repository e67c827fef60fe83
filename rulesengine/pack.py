"""What a pack is: a folder of TOML files that a club can write by hand.

    pack.toml               head, sides, ladder, what carries over, replacements
    oob/<side>.toml         formations and units of one side
    battlefields/<key>.toml a map, in the ruleset's own form
    scenarios/<key>.toml    terms of one battle, in the ruleset's own form
    counters.toml           counters printed otherwise than in the ruleset's catalogue, if any

`loader.py` reads and checks all of it and says every fault at once.
"""

from __future__ import annotations

from typing import Literal

from rulesengine.documents import Doc, Key, Label, Name, Note, Scenario, Word

Symbol = Literal[
    "infantry",
    "armoured-infantry",
    "motorised-infantry",
    "airborne-infantry",
    "engineer",
    "machine-gun",
    "mortar",
    "anti-tank",
    "infantry-gun",
    "artillery",
    "armour",
    "reconnaissance",
    "sniper",
    "headquarters",
]
"""The kinds of symbol that can be drawn; one that is not there would be shown as infantry."""


class PackSide(Doc, frozen=True, kw_only=True):
    key: Key
    name: Label
    nation: Key
    """One of those that the ruleset's catalogue has counters of."""
    colour: str
    """A name of the palette of side colours: field-grey, olive, red, blue, sand, brown."""
    affiliation: Literal["friend", "hostile"] = "friend"
    """The frame of its symbols."""


class Rung(Doc, frozen=True, kw_only=True):
    """One battle of a ladder and which comes after it, by who won ("" ends the ladder)."""

    key: Label
    scenario: Label
    next: dict[str, str] = {}
    """Side key or "draw" -> rung key."""


class Carry(Doc, frozen=True, kw_only=True):
    """What a force keeps from one fight to the next: the house rules of a ladder."""

    reduced: Literal["stay", "refit"] = "stay"
    """Reduced elements stay reduced, or are refitted to full strength."""
    merge_reduced: bool = True
    """Between fights two reduced squads of a type reform into one where a leader is left."""
    morale: Literal["recovers", "stays"] = "recovers"
    lost_weapons: Literal["lost", "replaced"] = "lost"
    """Guns come with their crews; what a squad carries, and leaders, to units with men alone."""
    lost_leaders: Literal["lost", "replaced"] = "lost"


class Replacement(Doc, frozen=True, kw_only=True):
    """Elements a unit receives before a rung is fought."""

    before: str
    unit: str
    element: str
    quantity: int


class PackHead(Doc, frozen=True, kw_only=True):
    """`pack.toml`."""

    key: Label
    title: Name
    ruleset: str
    kind: Literal["ladder", "map"]
    summary: str
    starts: str
    """Campaign date of the first turn, ISO 8601."""
    sides: tuple[PackSide, PackSide]
    ladder: tuple[Rung, ...] = ()
    carry: Carry = Carry()
    replacements: tuple[Replacement, ...] = ()
    sources: tuple[str, ...] = ()


class PackFormation(Doc, frozen=True, kw_only=True):
    key: Label
    name: Name
    parent: str = ""
    echelon: Word = ""
    """team, squad, section, platoon, company, battalion, regiment, brigade, division ..."""
    symbol: Symbol = "infantry"


class PackUnit(Doc, frozen=True, kw_only=True):
    key: Label
    name: Name
    formation: str
    elements: dict[str, int]
    """Element type -> authorised number."""
    quality: Word = ""
    echelon: Word = "platoon"
    symbol: Symbol = "infantry"
    note: Note = ""


class OrderOfBattle(Doc, frozen=True, kw_only=True):
    """`oob/<side>.toml`."""

    side: str
    formations: tuple[PackFormation, ...]
    units: tuple[PackUnit, ...]


class Pick(Doc, frozen=True, kw_only=True):
    """A unit, or part of it, in a scenario's default force."""

    unit: str
    elements: dict[str, int] = {}
    """Which elements come; empty = all of them."""


class Pack(Doc, frozen=True, kw_only=True):
    """A whole pack, read and checked. Scenarios hold their default force."""

    head: PackHead
    orders_of_battle: tuple[OrderOfBattle, OrderOfBattle]
    scenarios: dict[str, Scenario]
    picks: dict[str, dict[str, tuple[Pick, ...]]]
    """Scenario key -> side key -> its default force as picks."""


class Fault(Doc, frozen=True, kw_only=True):
    """One thing wrong in a pack: in which file, where in it, what, and the mend if one is known."""

    file: str
    where: str
    what: str
    mend: str = ""

    def __str__(self) -> str:
        place = ": ".join(part for part in (self.file, self.where) if part)
        return f"{place}: {self.what}{' ' if self.mend else ''}{self.mend}"

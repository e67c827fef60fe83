"""The documents that go in and out of the engine.

A `Scenario` is everything a battle needs, in one self-contained document; each ruleset
extends it with its own ground and terms. A `BattleResult` is what came of it, the same
document whether an engine, a person or a file made it. A `BattleLog` is the battle itself.
Each is frozen, strict on reading, and has one canonical form that its hash is taken of.
"""

from __future__ import annotations

import hashlib
from typing import IO, Annotated, Any, Literal, TypeVar

import msgspec

from rulesengine.misread import explained

T = TypeVar("T")

UNKNOWN = "unknown"
ELIMINATED = "eliminated"


Word = Annotated[str, msgspec.Meta(max_length=20)]
Key = Annotated[str, msgspec.Meta(max_length=40)]
Label = Annotated[str, msgspec.Meta(max_length=60)]
Name = Annotated[str, msgspec.Meta(max_length=120)]
Note = Annotated[str, msgspec.Meta(max_length=300)]
"""Texts with a bound, so that whatever was read also fits where a campaign keeps it."""


class Doc(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A strict, immutable document or part of one."""


# --- what exists -------------------------------------------------------------------------


class Becoming(Doc, frozen=True, kw_only=True):
    """What an element may turn into within a battle, the condition it then has, and why."""

    type: str
    condition: str
    cause: str


class ElementType(Doc, frozen=True, kw_only=True):
    """One kind of element a unit can hold: a counter, a stand, a figure, a vehicle, a weapon."""

    key: str
    title: str
    category: str
    """The ruleset's word for the kind: squad, leader, sniper, crewed weapon, support weapon ..."""
    conditions: tuple[str, ...]
    """From best to worst, without `eliminated`: ("fit", "reduced")."""
    nation: str = ""
    symbol: str = ""
    """APP-6 entity key in the symbol atlas."""
    points: int = 0
    """Enemy casualty points when lost at full strength; 0 where losing it scores nothing."""
    figures: tuple[tuple[str, str], ...] = ()
    """What is printed on the counter, in order: (("FP", "4"), ("Range", "6"))."""
    figures_when: dict[str, tuple[tuple[str, str], ...]] = {}
    """The same by condition, where it differs: {"reduced": (("FP", "2"), ...)}."""
    becomes: tuple[Becoming, ...] = ()
    merges: bool = False
    """Whether two weakened ones may be put together into one."""
    fights: bool = True
    """Whether it is a unit by itself: a leader, or a weapon that a squad carries, is not."""
    status: Literal["printed", "repaired", "estimate"] = "estimate"
    source: str = ""


class Catalogue(Doc, frozen=True, kw_only=True):
    """What a ruleset knows of: element types, qualities, terrain."""

    ruleset: str
    version: str
    elements: tuple[ElementType, ...]
    qualities: tuple[str, ...]
    morale: tuple[str, ...]
    """Words for an element's morale, best first."""
    terrain: tuple[str, ...]

    def element(self, key: str) -> ElementType | None:
        """The element type of a key, or None."""
        return next((e for e in self.elements if e.key == key), None)


# --- a battle before it is fought ------------------------------------------------------------


class Element(Doc, frozen=True, kw_only=True):
    """One counter, stand, figure or vehicle. Its id is unique in the battle."""

    id: str
    type: Label
    condition: Key = "fit"


class Unit(Doc, frozen=True, kw_only=True):
    """A leaf of the order of battle with the elements it brings."""

    id: Label
    name: Name
    elements: tuple[Element, ...]
    formation: Name = ""
    quality: Word = ""
    """The ruleset's word; empty = what the element type says."""


class Force(Doc, frozen=True, kw_only=True):
    side: Key
    units: tuple[Unit, ...]


class Arrival(Doc, frozen=True, kw_only=True):
    """Reinforcements: units that are not there from the start."""

    units: tuple[Label, ...]
    """Ids of units of the forces; one that is not among them is left out."""
    turn: int
    """The first turn they can come on in, from 1 as turns are played."""
    at: Label
    """Where they come on, as the ruleset names places: "A10:A14"."""


class Side(Doc, frozen=True, kw_only=True):
    key: Key
    name: Label


class Scenario(Doc, frozen=True, kw_only=True):
    """The head of every ruleset's scenario document."""

    schema: Literal["battle-scenario/1"]
    ruleset: str
    key: Label
    title: Name
    sides: tuple[Side, Side]
    forces: tuple[Force, ...]
    arrivals: tuple[Arrival, ...] = ()
    place: Name = ""
    date: Key = ""
    estimates: tuple[str, ...] = ()
    """Paths of figures in this document that are our estimates, not history or print."""

    @property
    def most_turns(self) -> int | None:
        """How many turns the battle can last at most; None where its rules set no end."""
        return None

    @property
    def head_start(self) -> tuple[int, int]:
        """Victory points each side has before the first turn; below none where it is behind."""
        return (0, 0)


# --- what came of it ----------------------------------------------------------------------


class ElementFate(Doc, frozen=True, kw_only=True):
    """What became of one element that started the battle."""

    unit: str
    element: str
    type: str
    before: str
    after: str
    """A condition of the type it now is, `eliminated`, or `unknown` (blocks posting)."""
    became: str = ""
    """The type it turned into, where that is another."""
    merged_into: str = ""
    """The element it became part of: then it is `eliminated`, but not lost."""
    morale: str = ""
    cause: Name = ""


class Spent(Doc, frozen=True, kw_only=True):
    """Something used up: a single-use weapon, an artillery mission, rounds."""

    unit: str
    item: Label
    quantity: int


class Points(Doc, frozen=True, kw_only=True):
    side: str
    what: Literal["victory", "casualty"]
    why: Name
    quantity: int


class Holding(Doc, frozen=True, kw_only=True):
    """Who holds a place at the end; an empty side is nobody."""

    place: Name
    name: Name
    side: Key


class Ending(Doc, frozen=True, kw_only=True):
    kind: Literal["win", "draw", "failed"]
    how: str
    winner: str = ""


class BattleResult(Doc, frozen=True, kw_only=True):
    """The result document: one schema for the engine, the entry form, the API and files."""

    schema: Literal["battle-result/1"]
    ruleset: str
    version: str
    scenario: str
    """SHA-256 of the scenario's canonical form."""
    source: Literal["engine", "table", "import"]
    ending: Ending
    elements: tuple[ElementFate, ...]
    spent: tuple[Spent, ...] = ()
    points: tuple[Points, ...] = ()
    holdings: tuple[Holding, ...] = ()
    turns: int = 0
    log: str = ""
    """SHA-256 of the battle log's canonical form; empty where there is none."""

    @property
    def hash(self) -> str:
        return digest(self)


class BattleLog(Doc, frozen=True, kw_only=True):
    """A battle: what it started from, and everything that happened."""

    schema: Literal["battle-log/1"]
    ruleset: str
    version: str
    scenario: msgspec.Raw
    attempt: int
    commitment: str
    dice: int
    """How far the tape was read."""
    events: tuple[msgspec.Raw, ...]


class Proven(Doc, frozen=True, kw_only=True):
    """A battle log with its result and, once revealed, its key: what `replay` and its kin read."""

    schema: Literal["battle/1"]
    log: BattleLog
    result: BattleResult
    hash: str
    key: str = ""
    """Hex; empty while it is sealed."""


# --- canonical form -------------------------------------------------------------------------


def canonical(document: object) -> bytes:
    """Canonical JSON: keys sorted, no blanks, integers only (a float is refused)."""
    plain = msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(document)))
    _refuse_floats(plain, "$")
    return msgspec.json.encode(plain, order="deterministic")


def digest(document: object) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(document)).hexdigest()


def _refuse_floats(value: Any, path: str) -> None:
    if isinstance(value, float):
        raise ValueError(f"{path}: {value} is not a whole number; documents hold integers only")
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_floats(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_floats(inner, f"{path}[{index}]")


class BadDocument(Exception):
    """A document could not be read; the message says where and what was expected."""


LARGEST = 64 << 20
"""Bytes of a document; the log of the longest battle has a few hundred thousand."""


def bytes_of(source: IO[bytes], name: str) -> bytes:
    """All of a document, which may come from a pipe. Raises BadDocument on one without end."""
    text = source.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise BadDocument(f"{name}: it is larger than {LARGEST >> 20} megabytes")
    return text


def read(text: bytes | str, kind: type[T], name: str = "document") -> T:
    """Read a JSON document strictly.

    Raises BadDocument with the path of the fault: `name: $.forces[1].units: expected ...`.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadDocument(f"{name}: {explained(error, text, kind)}") from error
    except RecursionError as error:
        raise BadDocument(f"{name}: it is nested too deeply") from error

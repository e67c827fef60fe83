"""Counters that a pack prints otherwise, an owner's figures instead of the catalogue's (OST 5.0).

A scenario names a counter and the figures that differ. Such a counter is a row of its own behind
the catalogue's, made once for the same change; documents and events keep the catalogue's key.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rulesengine.documents import Doc, ElementType, Key, Note
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES, UnitType, add_type, element_of

Number = int | UnsetType


class Recast(Doc, frozen=True, kw_only=True):
    """What a pack prints otherwise on one counter. A figure that is not named stays."""

    key: Key
    """Of the catalogue: "ger-hmg"."""
    status: Literal["printed", "repaired", "estimate"]
    """Of the figures named here."""
    source: Note = ""
    fp: Number = UNSET
    ap: Number = UNSET
    """AP at any range; a counter whose AP changes with the range names `ap_at`."""
    ap_at: tuple[int, int, int, int, int] | UnsetType = UNSET
    """AP at 0, 5, 10, 15 and 20 hexes. OST 29.0.6."""
    range: Number = UNSET
    min_range: Number = UNSET
    reduced_fp: Number = UNSET
    reduced_range: Number = UNSET
    defense: Number = UNSET
    front: Number = UNSET
    flank: Number = UNSET
    mg_fp: Number = UNSET
    mg_range: Number = UNSET
    hull_fp: Number = UNSET
    hull_ap_at: tuple[int, int, int, int, int] | UnsetType = UNSET
    hull_range: Number = UNSET
    mp: Number = UNSET
    command: Number = UNSET
    points: Number = UNSET
    """Casualty points at full strength. OST 1.6."""
    traits: tuple[str, ...] | UnsetType = UNSET
    """All of the counter's, instead of the catalogue's."""

    @property
    def figures(self) -> dict[str, Any]:
        """What differs, by name."""
        named = {name: getattr(self, name) for name in FIGURES}
        return {name: value for name, value in named.items() if value is not UNSET}


FIGURES = tuple(
    field.name
    for field in msgspec.structs.fields(Recast)
    if field.name not in ("key", "status", "source")
)

_SHOOTS = ("fp", "range")
ON_FOOT = (*_SHOOTS, "reduced_fp", "reduced_range", "defense", "mp", "points", "traits")
CARRIES = {
    "squad": ON_FOOT,
    "crew": ON_FOOT,
    "sniper": ON_FOOT,
    "crewed weapon": (*ON_FOOT, "ap", "ap_at"),
    "leader": ("command", "defense", "mp", "points", "traits"),
    "support weapon": (*_SHOOTS, "ap", "ap_at", "min_range", "traits"),
    "vehicle": (
        *(*_SHOOTS, "ap", "ap_at", "front", "flank", "mg_fp", "mg_range", "mp", "points"),
        *("hull_fp", "hull_ap_at", "hull_range", "traits"),
    ),
}
"""The figures a counter of each kind can have on it."""

MAKES_IT_WHAT_IT_IS = frozenset(
    (
        "armor",
        "gun",
        "dual",
        "transport",
        "mobile",
        "antitank",
        "thrown",
        "mortar",
        "flame",
        "hidden",
    )
)
"""Traits that the rest of the row, or of the rules, leans on: they are never recast."""

Change = tuple[int, bytes]

_MADE: dict[Change, int] = {}
_MAKING = Lock()


def recasts_of(scenario: Any) -> dict[int, int]:
    """Index in the catalogue -> index of the counter this scenario plays instead."""
    if scenario.counters is UNSET:
        return {}
    return {BY_KEY[r.key]: _made(r) for r in scenario.counters if r.key in BY_KEY}


def recast_elements(scenario: Any) -> tuple[ElementType, ...]:
    """Those counters as the rest of the product knows element types."""
    return tuple(element_of(TYPES[code]) for code in recasts_of(scenario).values())


def _made(recast: Recast) -> int:
    """The counter of a change, made when it is first asked for."""
    code = BY_KEY[recast.key]
    change = (code, msgspec.json.encode(recast))
    with _MAKING:
        known = _MADE.get(change)
        if known is None:
            known = _MADE[change] = add_type(recast_type(TYPES[code], recast))
    return known


def recast_type(printed: UnitType, recast: Recast) -> UnitType:
    """The row of the catalogue with the figures that differ, their mark and their source."""
    figures = recast.figures
    if "ap_at" in figures:
        figures["ap"] = figures["ap_at"][0]
    stays = tuple(p for p in printed.printed if p.partition(":")[0].split()[0] not in figures)
    named = ", ".join(sorted(figures)).replace("_", " ")
    source = f"{named}: {recast.source or 'the pack'} ({recast.status}); else {printed.source}"
    return msgspec.structs.replace(
        printed, **figures, status=recast.status, source=source, printed=stays
    )

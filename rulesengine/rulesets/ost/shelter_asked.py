"""What shelters a target that a question describes in words, as `attacks.shielded` has it of one on
the table (OST 13.0, 14.0.2, 15.0.5)."""

from __future__ import annotations

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.charts import (
    HEXSIDE_BY_KEY,
    HEXSIDES,
    MARKER_BY_KEY,
    MARKERS,
    TERRAIN,
    TERRAIN_BY_KEY,
    Marker,
)
from rulesengine.rulesets.ost.fire import beside, defense, street
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.works import aids_of

ALONGSIDE = ("smoke", "wreck")
"""Markers that stand in a hex with another one. OST 13.0.p2, 13.10."""


def code_of(codes: dict[str, int], word: str, field: str) -> int:
    """The code of a word. Raises BadDocument naming the field and the words there are."""
    if word not in codes:
        raise BadDocument(f'{field}: no "{word}"; there are: {", ".join(sorted(codes))}')
    return codes[word]


def terrain_of(words: tuple[str, ...]) -> tuple[int, ...]:
    """Indexes in TERRAIN."""
    return tuple(code_of(TERRAIN_BY_KEY, word, "terrain") for word in words)


def markers_of(words: tuple[str, ...]) -> list[Marker]:
    """Markers that one hex can hold. Raises BadDocument. OST 13.0.p2."""
    rows = [MARKERS[code_of(MARKER_BY_KEY, word, "markers")] for word in words]
    works = [row.name for row in rows if row.key not in ALONGSIDE]
    if len(works) > 1:
        named = f"{', '.join(works[:-1])} and {works[-1]}"
        raise BadDocument(f"markers: {named} in one hex; beside smoke and wrecks one (13.0.p2)")
    return rows


def shelter(
    printed: int,
    terrain: tuple[int, ...],
    hexside: str,
    markers: list[Marker],
    *,
    mounted: bool = False,
    in_street: bool = False,
) -> Tally:
    """Defense of a target where it is. Raises BadDocument.

    `mounted`: a vehicle, or who rides on one; it stands in the road of a hex with a house, and
    has nothing of bocage (15.3.7, 16.6.6). `in_street`: on foot beside a house (16.6.2). Who is in
    a house has nothing of bocage either (15.3.6).
    """
    side = code_of(HEXSIDE_BY_KEY, hexside, "hexside") + 1 if hexside else 0
    if mounted or in_street:
        terrain = street(terrain)
    indoors = any(TERRAIN[kind].collapse for kind in terrain)
    if mounted or (indoors and side and HEXSIDES[side - 1].sight == "blocks"):
        side = beside(side)
    tally = defense(printed, terrain, side)
    for code, amount in aids_of(markers, vehicle=mounted):
        tally.plus(code, amount)
    return tally

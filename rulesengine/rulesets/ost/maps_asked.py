"""The map of a rule question, checked like any other map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesengine.documents import BadDocument
from rulesengine.pack import Fault
from rulesengine.rulesets.ost.altered import altered
from rulesengine.rulesets.ost.charts import MARKER_BY_KEY
from rulesengine.rulesets.ost.ground import Ground, ground_of
from rulesengine.rulesets.ost.map_check import check_map
from rulesengine.rulesets.ost.scenario import HexMap

PLURALS = {"wire": "wire", "pillbox": "pillboxes", "rubble": "rubble"}
"""What the fields with hexes of a marker are called, where it is not its key and an s."""


def hexes_of(ground: Ground, names: Iterable[str], field: str) -> list[int]:
    """Hexes by their names. Raises BadDocument naming the field."""
    try:
        return [ground.grid.find(name) for name in names]
    except ValueError as error:
        raise BadDocument(f"{field}: {error}") from error


def with_works(ground: Ground, works: Mapping[str, Iterable[str]]) -> Ground:
    """The map with markers on it: names of hexes by the markers' keys. Raises BadDocument naming
    the field."""
    laid: dict[int, int] = {}
    for key, names in works.items():
        field = PLURALS.get(key, f"{key}s")
        for h in hexes_of(ground, names, field):
            if h in laid:
                raise BadDocument(f"{field}: {ground.name(h)} has a marker already (13.0.p2)")
            laid[h] = MARKER_BY_KEY[key]
    return altered(ground, laid)


def checked_ground(document: HexMap) -> Ground:
    """A map that somebody asks about. Raises BadDocument with its first fault."""
    found: list[Fault] = []
    check_map(document, found)
    if found:
        raise BadDocument("; ".join(str(fault) for fault in found[:3]))
    return ground_of(document)

"""The map of a rule question, checked like any other map."""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.documents import BadDocument
from rulesengine.pack import Fault
from rulesengine.rulesets.ost.ground import Ground, ground_of
from rulesengine.rulesets.ost.map_check import check_map
from rulesengine.rulesets.ost.scenario import HexMap


def hexes_of(ground: Ground, names: Iterable[str], field: str) -> list[int]:
    """Hexes by their names. Raises BadDocument naming the field."""
    try:
        return [ground.grid.find(name) for name in names]
    except ValueError as error:
        raise BadDocument(f"{field}: {error}") from error


def checked_ground(document: HexMap) -> Ground:
    """A map that somebody asks about. Raises BadDocument with its first fault."""
    found: list[Fault] = []
    check_map(document, found)
    if found:
        raise BadDocument("; ".join(str(fault) for fault in found[:3]))
    return ground_of(document)

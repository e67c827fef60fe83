"""The street of a hex with road and house (OST 12.7, 16.6). Kinds are for ever; see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event

__all__ = ["AnyStreetEvent", "MarkedOnRoad", "StreetTaken", "StreetsChosen", "WentIndoors"]


class StreetsChosen(Event, frozen=True, tag="ost.streets_chosen"):
    """In which hexes of the move that has begun the units keep to the street. Told to nobody: it
    is announced as they come there."""

    rules: ClassVar[tuple[str, ...]] = ("16.6.1", "12.7.4")
    units: tuple[int, ...]
    hexes: tuple[int, ...]


class StreetTaken(Event, frozen=True, tag="ost.street_taken"):
    """Units are in the street of their hex, not in the house. `at_start`: set up there."""

    units: tuple[int, ...]
    hex: int
    at_start: bool = False

    def cites(self) -> tuple[str, ...]:
        cost = () if self.at_start else ("16.6.2",)
        return ("16.6.1", "12.7.4", *cost, "16.6.4")


class WentIndoors(Event, frozen=True, tag="ost.went_indoors"):
    """Units have come into the house of a hex that has a road as well."""

    rules: ClassVar[tuple[str, ...]] = ("16.6.1", "16.6.3", "12.7.4", "16.6.4")
    units: tuple[int, ...]
    hex: int


class MarkedOnRoad(Event, frozen=True, tag="ost.marked_on_road"):
    """A move has ended in the street: the marker stays on until the unit leaves it."""

    rules: ClassVar[tuple[str, ...]] = ("16.6.5", "12.7.5")
    units: tuple[int, ...]
    hex: int


AnyStreetEvent = StreetsChosen | StreetTaken | WentIndoors | MarkedOnRoad

"""What events of the street do to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import street_events as s
from rulesengine.rulesets.ost.counters import touch
from rulesengine.rulesets.ost.state import State


def _chosen(state: State, event: s.StreetsChosen) -> None:
    state.frames[-1].streets = event.hexes


def _taken(state: State, event: s.StreetTaken) -> None:
    for c in event.units:
        state.street.add(c)
        touch(state, c)


def _indoors(state: State, event: s.WentIndoors) -> None:
    state.street.difference_update(event.units)


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    s.StreetsChosen: _chosen,
    s.StreetTaken: _taken,
    s.WentIndoors: _indoors,
    s.MarkedOnRoad: _nothing,
}

"""Words for events of the street; see `narrate.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import street_events as s
from rulesengine.rulesets.ost.telling import Teller, Told


def _taken(t: Teller, x: s.StreetTaken) -> Told:
    does = "sets up in" if x.at_start else "keeps to" if len(x.units) == 1 else "keep to"
    return f"{t.names(x.units)} {does} the street of {t.place(x.hex)}.", x.units, 0


def _indoors(t: Teller, x: s.WentIndoors) -> Told:
    does = "goes" if len(x.units) == 1 else "go"
    return f"{t.names(x.units)} {does} into the house in {t.place(x.hex)}.", x.units, 0


def _marked(t: Teller, x: s.MarkedOnRoad) -> Told:
    does = "is" if len(x.units) == 1 else "are"
    return f"{t.names(x.units)} {does} on the road in {t.place(x.hex)}.", x.units, 0


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    s.StreetTaken: _taken,
    s.WentIndoors: _indoors,
    s.MarkedOnRoad: _marked,
}

"""Names and numbers for one listener of a battle's report."""

from __future__ import annotations

from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import ICT_RESULTS, VCT_RESULTS
from rulesengine.rulesets.ost.kinds import CATEGORY, CREW, CREWED
from rulesengine.rulesets.ost.state import NONE, State


def called(state: State, c: int) -> str:
    """What a counter is called now: who got out of a tank is not the tank, and who fights on
    without his machine gun is not the gun."""
    start, kind = state.start_types[c], state.kind[c]
    if kind == start or c in state.manning:
        return state.names[c]
    if CATEGORY[kind] == CREW:
        return f"Crew of {state.names[c]}"
    return f"Men of {state.names[c]}" if CATEGORY[start] == CREWED else state.names[c]


class Teller:
    """Names for one listener."""

    def __init__(self, state: State, side: int | None) -> None:
        self.state = state
        self.side = side

    def hears(self, c: int) -> bool:
        """Whether the listener may hear of a counter: not of one that has yet to arrive."""
        state = self.state
        if self.side is None or self.side == state.side[c]:
            return True
        if state.waiting and c in state.waiting:
            return any(c in frame.units for frame in state.frames)
        return not state.hidden[c]

    def name(self, c: int) -> str:
        return called(self.state, c)

    def names(self, cs: tuple[int, ...]) -> str:
        return " and ".join(self.name(c) for c in cs)

    def team(self, side: int) -> str:
        return self.state.scenario.sides[side].name

    def place(self, h: int) -> str:
        ground = self.state.ground
        place = self.state.control_at.get(h, NONE)
        named = "" if place == NONE else f" ({self.state.scenario.control[place].name})"
        return f"{ground.name(h)}{named}"

    def units(self, *cs: int) -> tuple[str, ...]:
        ids = [self.state.unit_ids[c] for c in cs if c != NONE]
        return tuple(dict.fromkeys(ids))


MEANS = {
    "S": "a gut check against being shaken",
    "B": "a gut check against being broken",
    "C": "a casualty",
    "C-S": "a casualty and a gut check against being shaken",
    "C-B": "a casualty and a gut check against being broken",
    "D": "damage",
    "D-S": "damage and a gut check against being shaken",
    "D-B": "damage and a gut check against being broken",
    "X": "destroyed",
}
"""The letters of the tables in words, for who reads only what mattered. OST 28.1, 29.3."""


def means(event: Event) -> str:
    """The letters that the words of a shot end in, for who does not know them."""
    match event:
        case e.Shot() | e.Struck():
            results = ICT_RESULTS
        case v.VehicleShot() | v.VehicleStruck():
            results = VCT_RESULTS
        case f.Blasted():
            results = VCT_RESULTS if event.vehicle else ICT_RESULTS
        case _:
            return ""
    return MEANS.get(results[event.result], "")


Told = tuple[str, tuple[int, ...], int] | None
"""(text, the counters it is about, weight), or None for nothing to tell."""


def dice(roll: Any) -> str:
    return "+".join(str(face) for face in roll.faces)


def added(roll: Any, total: int) -> str:
    """ "roll 6+5 +1 = 12": the dice, what changes them, what it comes to; one die that nothing
    changes is told once."""
    change = total - sum(roll.faces)
    if len(roll.faces) == 1 and not change:
        return f"roll {total}"
    return f"roll {dice(roll)}{f' {change:+d}' if change else ''} = {total}"

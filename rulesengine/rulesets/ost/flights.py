"""What comes by air, as a scenario has it (OST 26.1, 26.2): each aircraft with its load.

Plain data, laid out once with the table. Whoever is aboard waits off the map like reinforcements
do, each load as a company of its own (`state.arrival`), so that leaders and weapons are given to
units of their own aircraft.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost.kinds import CATEGORY, LEADER, WEAPON

if TYPE_CHECKING:
    from rulesengine.rulesets.ost.ground import Ground
    from rulesengine.rulesets.ost.state import State

MOST = {"transport": 3, "glider": 2}
"""Units an aircraft holds. OST 26.1.1, 26.1.2."""
APART = 5
"""Least distance of two aircraft: four hexes lie between them. OST 26.2.3."""
NOWHERE = -1


class Flight:
    """One aircraft: whose, when (as the turn track counts down; one more than the first turn is
    before the battle), where it may be set up, where it flies, and who is aboard."""

    __slots__ = (
        "area",
        "glider",
        "heading",
        "number",
        "side",
        "supplies",
        "units",
        "when",
    )

    def __init__(self, side: int, number: int, when: int, heading: int, glider: bool) -> None:
        self.side = side
        self.number = number
        """Among the flights of its side."""
        self.when = when
        self.heading = heading
        """0 (north) to 5; -1 for a glider."""
        self.glider = glider
        self.area: tuple[int, ...] = ()
        self.units: tuple[int, ...] = ()
        """Those who jump, in order: leaders and weapons go with them."""
        self.supplies: tuple[int, ...] = ()

    @property
    def drops(self) -> int:
        """Hexes in which something is dropped."""
        return len(self.units) + len(self.supplies)


def lay_flights(state: State) -> list[Flight]:
    """The flights of both sides; their loads wait off the map. OST 26.1, 26.2.1."""
    found: list[Flight] = []
    for side, terms in enumerate(state.terms()):
        number = 0
        for operation in terms.airborne or ():
            when = state.scenario.turns + 1 - operation.turn
            for aircraft in operation.aircraft:
                glider = aircraft.kind == "glider"
                heading = NOWHERE if glider else DIRECTION_NAMES.index(operation.heading)
                flight = Flight(side, number, when, heading, glider)
                flight.area = state.ground.grid.area(aircraft.at)
                _load(state, flight, aircraft.units, aircraft.supplies)
                if flight.drops:
                    found.append(flight)
                    number += 1
    return found


def _load(state: State, flight: Flight, units: tuple[str, ...], supplies: tuple[str, ...]) -> None:
    aboard = [c for key in units for c, own in enumerate(state.unit_ids) if own == key]
    company = len(state.arrivals)
    state.arrivals += ((flight.when, ()),)
    for c in aboard:
        state.arrival[c] = company
        if CATEGORY[state.kind[c]] != WEAPON:
            state.waiting.add(c)
    flight.units = tuple(c for c in aboard if CATEGORY[state.kind[c]] not in (LEADER, WEAPON))
    flight.supplies = tuple(
        c for key in supplies for c, own in enumerate(state.unit_ids) if own == key
    )
    if flight.supplies:
        state.arrivals += ((flight.when, ()),)
        for c in flight.supplies:
            state.arrival[c] = company + 1


def now(state: State, *, before: bool) -> int:
    """The moment as flights count it: the turn, or one more `before` the first."""
    return state.scenario.turns + 1 if before else state.turn


def ahead(ground: Ground, h: int, way: int) -> int:
    """The next hex in a direction; NOWHERE past the edge of what is played on. OST 3.1.2, 26.3.4,
    26.4.12."""
    there = ground.grid.neighbours[h][way]
    return NOWHERE if there in ground.outside else there


def reach(state: State, flight: Flight, h: int) -> list[int]:
    """The hexes of a transport's path from a hex, as far as its load and the map go. OST 26.3.1."""
    path: list[int] = []
    while len(path) < flight.drops and h >= 0:
        h = ahead(state.ground, h, flight.heading)
        if h >= 0:
            path.append(h)
    return path


def fits(state: State, flight: Flight, h: int) -> bool:
    """Whether an aircraft set up in a hex, in play, can drop its whole load on the map."""
    if h in state.ground.outside:
        return False
    return flight.glider or len(reach(state, flight, h)) == flight.drops


def set_up_aircraft(
    state: State, side: int, aims: list[int], variant: int = 0
) -> tuple[tuple[int, int], ...]:
    """A lawful place for each aircraft of a side, the nearest to what it is after first; another
    `variant` begins elsewhere. Empty where there is none for all. OST 26.2.1, 26.2.3."""
    mine = [flight for flight in state.flights if flight.side == side]
    found: list[tuple[int, int]] = []
    for when in dict.fromkeys(flight.when for flight in mine):
        company = [flight for flight in mine if flight.when == when]
        at = _spaced(state, company, aims, variant) or _packed(state, company)
        if len(at) < len(company):
            return ()
        found += [(flight.number, h) for flight, h in zip(company, at, strict=True)]
    return tuple(found)


TRIES = 2000
"""Places looked at before giving up."""


def _spaced(state: State, company: list[Flight], aims: list[int], variant: int) -> list[int]:
    """Hexes for the aircraft that fly at one time, four hexes between each two."""
    distance = state.ground.grid.distance
    lists = []
    for flight in company:
        able = [h for h in flight.area if fits(state, flight, h)]
        near = sorted(able, key=lambda h: (min(distance(h, aim) for aim in aims), h))
        turn = variant * 7 % len(near) if near else 0
        lists.append(near[turn:] + near[:turn])
    return _fitted(state, lists)


def _packed(state: State, company: list[Flight]) -> list[int]:
    """The same packed close from the map's north on, those with the fewest places first: what has
    room at all mostly has it so."""
    lists = [sorted(h for h in flight.area if fits(state, flight, h)) for flight in company]
    order = sorted(range(len(company)), key=lambda n: (len(lists[n]), n))
    at = dict(zip(order, _fitted(state, [lists[n] for n in order]), strict=False))
    return [at[n] for n in range(len(company))] if len(at) == len(company) else []


def _fitted(state: State, lists: list[list[int]]) -> list[int]:
    """A hex of each list, the first that go together; none if that is not found soon."""
    distance = state.ground.grid.distance
    chosen: list[int] = []
    left = TRIES

    def place(at: int) -> bool:
        nonlocal left
        if at == len(lists):
            return True
        for h in lists[at]:
            left -= 1
            if left < 0:
                return False
            if all(distance(h, there) >= APART for there in chosen):
                chosen.append(h)
                if place(at + 1):
                    return True
                chosen.pop()
        return False

    return chosen if place(0) else []

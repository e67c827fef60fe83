"""What a scenario says of airborne operations, checked (OST 26.1, 26.2)."""

from __future__ import annotations

from collections import Counter

from rulesengine.documents import Unit
from rulesengine.geometry.hexes import Grid
from rulesengine.quantities import many
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES, UnitType
from rulesengine.rulesets.ost.flights import MOST, set_up_aircraft
from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.scenario import AirborneOperation, Aircraft, OstScenario, SideTerms
from rulesengine.rulesets.ost.state import State

LOADS = {"transport": "26.1.1", "glider": "26.1.2"}


def by_air(scenario: OstScenario) -> set[str]:
    """Ids of the units that come by air, so are not there from the start."""
    return {
        key
        for terms in scenario.terms
        for operation in terms.airborne or ()
        for aircraft in operation.aircraft
        for key in (*aircraft.units, *aircraft.supplies)
    }


def check_airborne(scenario: OstScenario, grid: Grid, found: Found) -> None:
    """Add every fault of both sides' flights to `found`."""
    before = len(found)
    seen = {key for coming in scenario.arrivals for key in coming.units}
    for index, terms in enumerate(scenario.terms):
        for at, operation in enumerate(terms.airborne or ()):
            where = f'terms[{index}].airborne[{at}] ("{terms.side}")'
            _check_operation(scenario, operation, where, found)
            for number, aircraft in enumerate(operation.aircraft):
                inner = f"{where}.aircraft[{number}]"
                _check_aircraft(scenario, terms, aircraft, seen, inner, found)
                try:
                    grid.area(aircraft.at)
                except ValueError as error:
                    add(found, f"{inner}.at", str(error))
    if len(found) == before and by_air(scenario):
        _check_places(scenario, found)


def _check_operation(
    scenario: OstScenario, operation: AirborneOperation, where: str, found: Found
) -> None:
    if scenario.turns >= 1 and not 0 <= operation.turn <= scenario.turns:
        what = f"turn {operation.turn}; 0 is before the battle, its turns are 1 to {scenario.turns}"
        add(found, f"{where}.turn", f"{what} [26.3.13]")
    flies = any(aircraft.kind == "transport" for aircraft in operation.aircraft)
    if flies and not operation.heading:
        what = "transports all fly one way, and it does not say which [26.2.5]"
        add(found, f"{where}.heading", what, 'Write heading = "N".')
    if not operation.aircraft:
        add(found, f"{where}.aircraft", "no aircraft [26.1.1]")


def _check_aircraft(
    scenario: OstScenario,
    terms: SideTerms,
    aircraft: Aircraft,
    seen: set[str],
    where: str,
    found: Found,
) -> None:
    for key in (*aircraft.units, *aircraft.supplies):
        if key in seen:
            add(found, where, f'"{key}" comes twice')
        seen.add(key)
    sides = {
        force.side
        for force in scenario.forces
        for unit in force.units
        if unit.id in (*aircraft.units, *aircraft.supplies)
    }
    if sides - {terms.side}:
        add(found, where, "units of the other side are aboard")
    if not aircraft.units and not aircraft.supplies:
        add(found, where, "nobody is aboard", "Name units, or leave the aircraft out.")
    types = _types_of(_aboard(scenario, aircraft.units))
    supplies = _types_of(_aboard(scenario, aircraft.supplies))
    rule = LOADS[aircraft.kind]
    jumpers = [t for t in types if t.category not in ("leader", "support weapon")]
    wrong = [t.title for t in jumpers if not may_fly(t, glider=aircraft.kind == "glider")]
    if wrong:
        add(found, f"{where}.units", f"a {aircraft.kind} carries no {wrong[0]} [{rule}]")
    if any("armor" in t.traits for t in types):
        add(found, f"{where}.units", "armor leaders do not fly [7.4.6]")
    if len(jumpers) + len(supplies) > MOST[aircraft.kind]:
        what = (
            f"{many(len(jumpers) + len(supplies), 'unit')}; it holds {MOST[aircraft.kind]} [{rule}]"
        )
        add(found, f"{where}.units", what)
    count = Counter(t.category for t in types)
    led = [t for t in jumpers if t.category != "vehicle"]
    if count["leader"] > len(led) or count["support weapon"] > count["squad"]:
        what = "leaders and support weapons come attached, one each to a unit"
        add(found, f"{where}.units", f"{what} [{rule}]")
    if supplies and (
        aircraft.kind == "glider" or any(t.category != "support weapon" for t in supplies)
    ):
        what = "transports drop supplies, and those are support weapons"
        add(found, f"{where}.supplies", f"{what} [26.3.11]")


def may_fly(t: UnitType, *, glider: bool) -> bool:
    """Squads and crewed machine guns; by glider anti-tank guns and jeeps as well. OST 26.1.1,
    26.1.2."""
    if t.category == "squad":
        return "mobile" not in t.traits
    if t.category == "crewed weapon" and "sustained" in t.traits:
        return True
    gun = t.category == "crewed weapon" and "gun" in t.traits and bool(t.ap or t.ap_at)
    return glider and (gun or t.key.endswith("-jeep"))


def _aboard(scenario: OstScenario, keys: tuple[str, ...]) -> list[Unit]:
    return [u for force in scenario.forces for u in force.units if u.id in keys]


def _types_of(units: list[Unit]) -> list[UnitType]:
    return [TYPES[BY_KEY[e.type]] for u in units for e in u.elements if e.type in BY_KEY]


def _check_places(scenario: OstScenario, found: Found) -> None:
    """There is a place for every aircraft, four hexes from the next. OST 26.2.3, 26.3.1."""
    if found:
        return  # of other things, which would only be said again
    state = State(scenario)
    for side, terms in enumerate(state.terms()):
        mine = [flight for flight in state.flights if flight.side == side]
        if mine and not set_up_aircraft(state, side, [mine[0].area[0]]):
            what = "no place for every aircraft with four hexes between two, and map to drop on"
            add(found, f'terms ("{terms.side}").airborne', f"{what} [26.2.3]")

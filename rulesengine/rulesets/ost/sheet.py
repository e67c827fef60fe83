"""The terms of a scenario as a player says them at the table (OST 3.1): who wins when, the luck
cards, what comes by air, and what is particular about the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesengine.explain import Term
from rulesengine.geometry.hexes import Grid, grid_of
from rulesengine.rulesets.ost.charts import LUCK_CARDS
from rulesengine.rulesets.ost.scenario import (
    AirborneOperation,
    Aircraft,
    Goal,
    HexMap,
    Need,
    OstScenario,
)

BAD_ROADS = "Vehicles pay a whole point by road [14.13.5]."
HEAVY_URBAN = "Sight to and from streets between houses goes by 12.7."


def terms(scenario: OstScenario, called: Mapping[str, str]) -> tuple[Term, ...]:
    """Those terms that need words. `called`: what units have come to be called, by id."""
    return (*_victory(scenario), *_cards(scenario), *_ground(scenario), *_by_air(scenario, called))


def unsaid(scenario: OstScenario) -> tuple[str, ...]:
    """Terms, as paths, that `terms` has said or that decide nothing in this battle."""
    paths = ["victory.goals", "victory.otherwise", "luck_cards"]
    if _goals_alone(scenario):
        paths.append("victory.margin")
        if not any(n.kind == "points" for g in scenario.victory.goals or () for n in g.needs):
            paths.append("victory.handicap")
    return tuple(paths)


# --- victory -------------------------------------------------------------------------------------


def _goals_alone(scenario: OstScenario) -> bool:
    """Whether points never decide. OST 3.1.9."""
    return bool(scenario.victory.goals and scenario.victory.otherwise)


def _victory(scenario: OstScenario) -> Iterable[Term]:
    goals = scenario.victory.goals or ()
    for index, goal in enumerate(goals):
        words = goal_in_words(scenario, goal)
        yield Term(head="victory", label=goal.name, text=words, path=f"victory.goals[{index}]")
    if goals:
        words = _otherwise(scenario)
        yield Term(
            head="victory", label="where no goal is met", text=words, path="victory.otherwise"
        )
    words = "A side with nobody left, on the map or still to come, has lost at once."
    yield Term(head="victory", label="nobody left", text=words, path="victory", printed=True)


def _otherwise(scenario: OstScenario) -> str:
    goals, other = scenario.victory.goals or (), scenario.victory.otherwise
    names = {side.key: side.name for side in scenario.sides}
    words = f"Otherwise the {names.get(other, other)} win." if other else "Points decide."
    if len({goal.side for goal in goals}) > 1:
        words += " If both sides reach a goal it is a draw."
    return words


def goal_in_words(scenario: OstScenario, goal: Goal) -> str:
    """ "Americans win if they hold Church (F5) at the end." """
    side = next((s.name for s in scenario.sides if s.key == goal.side), goal.side)
    needs = " and ".join(need_in_words(scenario, need) for need in goal.needs)
    if goal.when == "at once":
        return f"{side} win at once if they {needs}."
    if goal.when == "turn end":
        return f"{side} win with the turn if at its end they {needs}."
    return f"{side} win if they {needs} at the end."


def need_in_words(scenario: OstScenario, need: Need) -> str:
    """ "hold Church (F5)", as it goes on after "they"."""
    if need.kind in ("control", "buildings"):
        return _to_hold(scenario, need)
    many = _bounds(need)
    if need.kind == "exited":
        return f"get {many} of their units off the map"
    if need.kind == "enemy losses":
        return f"cost the enemy {many} {_points('casualty', need)}"
    if need.kind == "own losses":
        return f"lose {many} {_points('casualty', need)}"
    return f"have {many} {_points('victory', need)}"


def _points(kind: str, need: Need) -> str:
    last = need.at_least if need.at_most is None else need.at_most
    return f"{kind} point" if last == 1 else f"{kind} points"


def _bounds(need: Need) -> str:
    if need.at_most is None:
        return f"at least {need.at_least}"
    if not need.at_least:
        return f"at most {need.at_most}" if need.at_most else "none"
    if need.at_least == need.at_most:
        return f"exactly {need.at_least}"
    return f"{need.at_least} to {need.at_most}"


def _to_hold(scenario: OstScenario, need: Need) -> str:
    places = _places(scenario, need)
    group = "; ".join(places)
    if need.kind == "buildings":
        group = f"the building{'s' if len(places) > 1 else ''} at {', '.join(places)}"
    if need.at_most is None and need.at_least == len(places):
        one = " and ".join(places) if need.kind == "control" else group
        return f"hold {one}" if len(places) < 3 else f"hold all of {group}"
    return f"hold {_bounds(need)} of {group}"


def _places(scenario: OstScenario, need: Need) -> list[str]:
    """The hexes of a need with their names."""
    named = {place.hex: place.name for place in scenario.ground.names}
    named |= {place.hex: place.name for place in scenario.control}
    hexes = [place.hex for place in scenario.control]
    if need.hexes:
        grid = _grid(scenario.ground)
        hexes = [grid.name(h) for h in grid.area(need.hexes)]
    return [f"{named[h]} ({h})" if named.get(h, h) != h else h for h in hexes]


def _grid(ground: HexMap) -> Grid:
    return grid_of(len(ground.grid[0]), len(ground.grid))


# --- luck cards ----------------------------------------------------------------------------------


def _cards(scenario: OstScenario) -> Iterable[Term]:
    """OST 3.3."""
    cards = scenario.luck_cards
    if not cards:
        return
    copies = {row.key: row.copies for row in LUCK_CARDS}
    whose = "The deck that comes with the game"
    if cards.deck:
        copies = {one.card: one.copies for one in cards.deck}
        whose = "A deck of this scenario"
    many = "1 luck card" if cards.each == 1 else f"{cards.each} luck cards"
    text = f"Each side draws {many} after the set-up."
    yield Term(head="luck cards", label="draw", text=text, path="luck_cards.each")
    text = f"{whose}; cards in it: {sum(copies.values())}."
    sometimes = cards.vehicle_cards == "with vehicles"
    if sometimes and any(row.vehicles and copies.get(row.key) for row in LUCK_CARDS):
        text += " Its vehicle cards are left out where there are no vehicles."
    yield Term(head="luck cards", label="deck", text=text, path="luck_cards.deck")
    for row in LUCK_CARDS:
        if copies.get(row.key):
            label = f"{copies[row.key]} × {row.title}"
            text = row.text + (" A vehicle card." if row.vehicles and sometimes else "")
            path = "luck_cards.deck"
            yield Term(head="luck cards", label=label, text=text, path=path, detail=True)


# --- ground --------------------------------------------------------------------------------------


def _ground(scenario: OstScenario) -> Iterable[Term]:
    if scenario.ground.bad_roads:
        yield Term(head="ground", label="bad roads", text=BAD_ROADS, path="ground.bad_roads")
    if scenario.ground.heavy_urban is True:
        yield Term(head="ground", label="a city", text=HEAVY_URBAN, path="ground.heavy_urban")


# --- by air --------------------------------------------------------------------------------------


def _by_air(scenario: OstScenario, called: Mapping[str, str]) -> Iterable[Term]:
    """OST 26; a side's own to know."""
    units = {unit.id: unit.name for force in scenario.forces for unit in force.units}
    units |= called
    for index, side in enumerate(scenario.terms):
        flown = side.airborne or ()
        if flown:
            text = " ".join(_operation(one, units) for one in flown)
            path = f"terms[{index}].airborne"
            yield Term(head="", label="airborne", text=text, path=path, side=side.side)


def _operation(operation: AirborneOperation, units: Mapping[str, str]) -> str:
    """When, which way, and what with."""
    when = f"Turn {operation.turn}" if operation.turn else "Before the battle"
    heading = f", flying {operation.heading}" if operation.heading else ""
    return f"{when}{heading}: {'; '.join(_flight(one, units) for one in operation.aircraft)}."


def _flight(aircraft: Aircraft, units: Mapping[str, str]) -> str:
    start = "from" if aircraft.kind == "transport" else "in"
    load = ", ".join(units.get(key, key) for key in aircraft.units)
    text = f"a {aircraft.kind} {start} {aircraft.at}" + (f" with {load}" if load else "")
    if aircraft.supplies:
        text += f", supplies {', '.join(units.get(key, key) for key in aircraft.supplies)}"
    return text

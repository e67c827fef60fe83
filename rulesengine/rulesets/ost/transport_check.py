"""What a scenario says of ways off the map and of guns that cannot walk, checked (OST 23.6, 24)."""

from __future__ import annotations

from rulesengine.geometry.hexes import Grid
from rulesengine.quantities import many
from rulesengine.rulesets.ost.catalogue import UnitType
from rulesengine.rulesets.ost.map_check import Found, add, is_inside
from rulesengine.rulesets.ost.scenario import OstScenario


def check_exits(scenario: OstScenario, grid: Grid, found: Found) -> None:
    """Units leave at the edge of the map, and never for less than nothing. OST 23.6.4, 23.6.5."""
    for index, terms in enumerate(scenario.terms):
        for number, way in enumerate(terms.exits or ()):
            where = f'terms[{index}].exits[{number}] ("{terms.side}")'
            if way.points < 0:
                add(found, where, "points for leaving the map cannot be below 0 [23.6.5]")
            try:
                hexes = grid.area(way.hexes)
            except ValueError as error:
                add(found, where, str(error))
                continue
            inside = [grid.name(h) for h in hexes if is_inside(scenario.ground, grid, h)]
            if inside:
                what = f"{', '.join(inside[:4])}: not at the edge of the map [23.6.5]"
                add(found, where, f"{what} [24.0.15]")


def check_towed(types: list[UnitType], where: str, found: Found) -> None:
    """Guns that cannot walk come on with as many vehicles. OST 24.0.15, 23.6.2."""
    towed = sum(t.category == "crewed weapon" and not t.mp for t in types)
    vehicles = sum(t.category == "vehicle" and "no riders" not in t.traits for t in types)
    if towed > vehicles:
        what = (
            f"{many(towed, 'gun')} that cannot walk, {many(vehicles, 'vehicle')} to bring them on"
        )
        add(found, where, f"{what} [24.0.15]")

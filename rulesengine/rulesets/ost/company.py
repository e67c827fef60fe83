"""Whether a force can fight in the company it comes in (OST 7.4.6, 10.0): leaders need somebody to
lead, armor leaders their vehicles, support weapons the squads that carry them."""

from __future__ import annotations

from collections import Counter

from rulesengine.documents import Unit
from rulesengine.pack import Fault
from rulesengine.rulesets.ost.airborne_check import by_air
from rulesengine.rulesets.ost.catalogue import BY_KEY, FIGHTING, TYPES, UnitType
from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.recasts import recasts_of
from rulesengine.rulesets.ost.scenario import OstScenario


def later_units(scenario: OstScenario) -> set[str]:
    """Ids of units that are not there from the start."""
    return {key for coming in scenario.arrivals for key in coming.units} | by_air(scenario)


def types_of(scenario: OstScenario, side: str = "") -> list[tuple[Unit, UnitType]]:
    """Every element of a side, or of both, as (its unit, its type)."""
    recast = recasts_of(scenario)
    return [
        (unit, TYPES[recast.get(BY_KEY[element.type], BY_KEY[element.type])])
        for force in scenario.forces
        if side in ("", force.side)
        for unit in force.units
        for element in unit.elements
        if element.type in BY_KEY
    ]


def check_company(types: list[UnitType], where: str, found: Found) -> None:
    """Armor leaders have their vehicles with them, support weapons their squads."""
    count = Counter(t.category for t in types)
    if sum("armor" in t.traits for t in types) > count["vehicle"]:
        add(found, where, "more armor leaders than vehicles for them [7.4.6]")
    if count["support weapon"] and not count["squad"]:
        add(found, where, "support weapons but no squad to carry them [10.0.p1]")


def check_fighters(scenario: OstScenario, index: int, found: Found) -> None:
    """A force has somebody to fight with, and those who are there at the start fit together."""
    side = scenario.forces[index].side
    types = types_of(scenario, side)
    if not any(t.category in FIGHTING for _, t in types):
        name = next((s.name for s in scenario.sides if s.key == side), side)
        what = f"{name} have nobody to fight with."
        mend = "Give them a squad, a crewed weapon or a vehicle: a leader or a weapon is no unit."
        add(found, f"forces[{index}]", what, mend)
        return
    later = later_units(scenario)
    there = [t for unit, t in types if unit.id not in later]
    check_company(there, f'forces[{index}] ("{side}")', found)


def check_force(scenario: OstScenario, side: str) -> list[Fault]:
    """What keeps the force of one side from taking the field, whatever the other brings."""
    found: Found = []
    for index, force in enumerate(scenario.forces):
        if force.side == side:
            check_fighters(scenario, index, found)
    for index, coming in enumerate(scenario.arrivals):
        mine = [t for unit, t in types_of(scenario, side) if unit.id in coming.units]
        check_company(mine, f"arrivals[{index}]", found)
    return found


def uncarried(scenario: OstScenario, side: str) -> str:
    """The support weapons of a force that find no squad: each carries one. OST 10.0.12."""
    count = Counter(t.category for _, t in types_of(scenario, side))
    over = count["support weapon"] - count["squad"]
    if over <= 0 or not count["squad"]:
        return ""
    what = "support weapon finds" if over == 1 else "support weapons find"
    return f"{over} {what} no squad: one carries one [10.0.12]"

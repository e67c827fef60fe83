"""What makes the victory conditions of a scenario playable (OST 3.1.9)."""

from __future__ import annotations

from rulesengine.geometry.hexes import Grid
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.map_check import Found, add, near
from rulesengine.rulesets.ost.scenario import Need, OstScenario

MOST = 1000
"""Of anything a goal asks for, and of the points of victory."""


def check_goals(scenario: OstScenario, grid: Grid, ground: Ground, found: Found) -> None:
    """Victory conditions that can be met, of sides that there are. OST 3.1.9."""
    sides = [side.key for side in scenario.sides]
    control = {grid.find(p.hex) for p in scenario.control}
    otherwise = scenario.victory.otherwise or ""
    if otherwise and otherwise not in sides:
        add(found, "victory.otherwise", f'no side "{otherwise}".', near(otherwise, sides))
    for name in ("per_casualty", "margin", "handicap"):
        if abs(getattr(scenario.victory, name)) > MOST:
            add(found, f"victory.{name}", f"{MOST} at most")
    for index, goal in enumerate(scenario.victory.goals or ()):
        where = f'victory.goals[{index}] ("{goal.name}")'
        if goal.side not in sides:
            add(found, where, f'no side "{goal.side}".', near(goal.side, sides))
        if not goal.needs:
            add(found, where, "a goal needs something")
        for at, need in enumerate(goal.needs):
            _check_need(need, grid, ground, control, f"{where}.needs[{at}]", found)


def _check_need(
    need: Need, grid: Grid, ground: Ground, control: set[int], where: str, found: Found
) -> None:
    most = need.at_least if need.at_most is None else need.at_most
    if not need.at_least and need.at_most is None:
        add(found, where, "say at_least or at_most", "Write at_least = 1 for one of them.")
    elif not 0 <= need.at_least <= most <= MOST:
        add(found, where, f"at_least and at_most lie between 0 and {MOST}, in this order")
    if need.kind not in ("control", "buildings"):
        return
    try:
        hexes = set(grid.area(need.hexes)) if need.hexes else control
    except ValueError as error:
        add(found, f"{where}.hexes", str(error))
        return
    able = {h for h in hexes if ground.structure[h]} if need.kind == "buildings" else control
    other = sorted(hexes - able)
    if other:
        what = "no building" if need.kind == "buildings" else "no control hex"
        add(found, f"{where}.hexes", f"{grid.name(other[0])} is {what}")
    if need.at_least > len(hexes):
        add(found, where, f"at_least {need.at_least}, but there are {len(hexes)}")

"""What makes a scenario of Old School Tactical playable: ground, terms, forces (OST 3.1).

`check` takes a scenario of the right shape and lists everything wrong with it, each with the
place it would be mended at and, where a word is unknown, the nearest known one. It never
raises; an empty list means `setup` can lay the battle out.
"""

from __future__ import annotations

from rulesengine.geometry.hexes import Grid
from rulesengine.names import alike
from rulesengine.pack import Fault
from rulesengine.quantities import hex_count, many
from rulesengine.rulesets.ost.airborne_check import check_airborne
from rulesengine.rulesets.ost.berths import STACK, check_room
from rulesengine.rulesets.ost.catalogue import BY_KEY, QUALITIES, TYPES, UnitType
from rulesengine.rulesets.ost.company import check_company, check_fighters, later_units, types_of
from rulesengine.rulesets.ost.entering import entry_step
from rulesengine.rulesets.ost.goals_check import check_goals
from rulesengine.rulesets.ost.ground import Ground, ground_of
from rulesengine.rulesets.ost.luck_check import check_luck
from rulesengine.rulesets.ost.map_check import Found, add, check_map, hex_of, is_inside, near
from rulesengine.rulesets.ost.recast_check import check_recasts
from rulesengine.rulesets.ost.scenario import HexMap, OstScenario, SideTerms
from rulesengine.rulesets.ost.sizes import check_sizes
from rulesengine.rulesets.ost.tracks import CLOSED
from rulesengine.rulesets.ost.transport_check import check_exits, check_towed
from rulesengine.rulesets.ost.vehicles import DRIVE
from rulesengine.rulesets.ost.works_check import check_works


def check(scenario: OstScenario) -> list[Fault]:
    """Every fault of a scenario; `where` is a path in the document ("ground.grid[3]")."""
    found: Found = []
    check_sizes(scenario, found)
    if found:
        return found
    check_recasts(scenario.counters, found)
    grid = check_map(scenario.ground, found)
    if grid is not None:
        _check_zones(scenario, grid, found)
        _check_control(scenario, grid, found)
        _check_arrivals(scenario, grid, found)
        check_exits(scenario, grid, found)
        if not any(fault.where.startswith("ground") for fault in found):
            _check_in_play(scenario, ground_of(scenario.ground), found)
            check_works(scenario, grid, ground_of(scenario.ground), found)
            if not any(fault.where.startswith("control") for fault in found):
                check_goals(scenario, grid, ground_of(scenario.ground), found)
    _check_terms(scenario, found)
    _check_forces(scenario, found)
    if grid is not None:
        check_airborne(scenario, grid, found)
    check_luck(scenario, found)
    check_room(scenario, found)
    return found


def _check_in_play(scenario: OstScenario, ground: Ground, found: Found) -> None:
    """What the scenario names lies in the part of the map that is played on. OST 3.1.2."""
    named = [(f'terms[{i}].zone ("{t.side}")', t.zone) for i, t in enumerate(scenario.terms)]
    named += [(f'control[{i}] ("{c.name}")', c.hex) for i, c in enumerate(scenario.control)]
    named += [(f"arrivals[{i}]", coming.at) for i, coming in enumerate(scenario.arrivals)]
    for where, text in named:
        try:
            beyond = sorted(ground.outside.intersection(ground.grid.area(text)))
        except ValueError:
            continue  # told of where the hexes are looked up
        if beyond:
            add(found, where, f"{ground.grid.name(beyond[0])} is not in play [3.1.2]")


def _check_zones(scenario: OstScenario, grid: Grid, found: Found) -> None:
    areas: dict[str, set[int]] = {}
    for index, terms in enumerate(scenario.terms):
        where = f'terms[{index}].zone ("{terms.side}")'
        try:
            areas[terms.side] = set(grid.area(terms.zone))
        except ValueError as error:
            add(found, where, str(error))
            continue
        _check_room(scenario, terms, len(areas[terms.side]), where, found)
    if len(areas) == 2:
        first, second = areas.values()
        shared = first & second
        if shared:
            names = ", ".join(grid.name(h) for h in sorted(shared)[:4])
            more = " ..." if len(shared) > 4 else ""
            add(found, "terms", f"the set-up zones overlap in {names}{more}")


def _check_room(
    scenario: OstScenario, terms: SideTerms, hexes: int, where: str, found: Found
) -> None:
    """A zone holds two units and two leaders a hex. OST 20.0."""
    counts = {"unit": 0, "leader": 0}
    for kind in _kinds(scenario, terms.side):
        if kind == "leader":
            counts["leader"] += 1
        elif kind in ("squad", "crew", "crewed weapon", "vehicle"):
            counts["unit"] += 1
    for word, count in counts.items():
        if count > STACK * hexes:
            what = f"{many(count, word)} do not fit in {hex_count(hexes)}, {STACK} a hex"
            add(found, where, f"{what} [20.0.1]")


def _kinds(scenario: OstScenario, side: str) -> list[str]:
    """Categories of what a side has on the map from the start."""
    later = later_units(scenario)
    return [t.category for unit, t in types_of(scenario, side) if unit.id not in later]


def _check_arrivals(scenario: OstScenario, grid: Grid, found: Found) -> None:
    """Reinforcements come on in time, at the edge of the map, each unit once. OST 2.1.p2, 23.6."""
    seen: set[str] = set()
    faulty_map = any(fault.where.startswith("ground") for fault in found)
    for index, coming in enumerate(scenario.arrivals):
        where = f"arrivals[{index}]"
        if scenario.turns >= 1 and not 1 <= coming.turn <= scenario.turns:
            what = f"turn {coming.turn}; the battle has turns 1 to {scenario.turns} [2.1.p2]"
            add(found, f"{where}.turn", what)
        if not coming.units:
            add(found, f"{where}.units", "nobody arrives")
        for key in coming.units:
            if key in seen:
                add(found, f"{where}.units", f'"{key}" arrives twice')
            seen.add(key)
        sides = {
            force.side
            for force in scenario.forces
            for unit in force.units
            if unit.id in coming.units
        }
        if len(sides) > 1:
            add(found, f"{where}.units", "units of both sides arrive together; write two arrivals")
        mine = [t for unit, t in types_of(scenario) if unit.id in coming.units]
        check_company(mine, where, found)
        check_towed(mine, f"{where}.units", found)
        hexes = _check_edge(scenario.ground, grid, coming.at, f"{where}.at", found)
        if hexes and not faulty_map:
            _check_ways_on(ground_of(scenario.ground), hexes, mine, f"{where}.at", found)


def _check_ways_on(
    ground: Ground, hexes: tuple[int, ...], types: list[UnitType], where: str, found: Found
) -> None:
    """Every vehicle has a hex to come on in. OST 14, 23.6.1."""
    for t in types:
        drive = DRIVE[BY_KEY[t.key]]
        if drive and all(entry_step(ground, drive, h).halves == CLOSED for h in hexes):
            add(found, where, f"no hex there is open to a {t.title} [23.6.1]")
            return


def _check_edge(ground: HexMap, grid: Grid, text: str, where: str, found: Found) -> tuple[int, ...]:
    """The hexes where somebody comes on; none if they are not named right."""
    try:
        hexes = grid.area(text)
    except ValueError as error:
        add(found, where, str(error))
        return ()
    inside = [grid.name(h) for h in hexes if is_inside(ground, grid, h)]
    if inside:
        add(found, where, f"{', '.join(inside[:4])}: not at the edge of the map [23.6.1]")
        return ()
    return hexes


def _check_control(scenario: OstScenario, grid: Grid, found: Found) -> None:
    sides = {side.key for side in scenario.sides}
    seen: set[int] = set()
    for index, control in enumerate(scenario.control):
        where = f'control[{index}] ("{control.name}")'
        h = hex_of(control.hex, grid, where, found)
        if h in seen:
            add(found, where, f"{control.hex} is a control hex already")
        if h >= 0:
            seen.add(h)
        if control.owner and control.owner not in sides:
            add(found, where, f'no side "{control.owner}".', near(control.owner, sides))
        if control.per_turn < 0 or control.at_end < 0:
            add(found, where, "points for holding it cannot be below 0")


def _check_terms(scenario: OstScenario, found: Found) -> None:
    sides = [side.key for side in scenario.sides]
    if not 1 <= scenario.turns <= 40:
        add(found, "turns", f"{many(scenario.turns, 'turn')}; a battle has 1 to 40")
    if scenario.victory.margin < 0 or scenario.victory.per_casualty < 0:
        add(found, "victory", "points and margin cannot be below 0")
    for index, terms in enumerate(scenario.terms):
        where = f'terms[{index}] ("{terms.side}")'
        if terms.side not in sides:
            add(found, where, f'no side "{terms.side}".', near(terms.side, sides))
        if not 2 <= terms.gut_check <= 12:
            what = f"gut check {terms.gut_check}; it is rolled on 2D6, so 2 to 12 [17.4.1]"
            add(found, where, what)
        if not 1 <= terms.impulses.dice <= 9:
            dice = many(terms.impulses.dice, "impulse die", "impulse dice")
            add(found, where, f"{dice}; a side rolls 1 to 9 [4.0.3]")
        if not 0 <= terms.impulses.plus <= 20:
            add(found, where, f"{terms.impulses.plus:+d} impulses; 0 to 20 may be added [4.0.3]")
        if terms.hidden < 0:
            add(found, where, "fewer than no hidden units")
    if scenario.terms[0].side == scenario.terms[1].side:
        add(found, "terms", f'both terms are for the side "{scenario.terms[0].side}"')
    if {terms.order for terms in scenario.terms} != {1, 2}:
        add(found, "terms", "one side sets up 1st and the other 2nd: order 1 and 2")


def _check_forces(scenario: OstScenario, found: Found) -> None:
    sides = {side.key for side in scenario.sides}
    if len(sides) < 2:
        add(found, "sides", "the two sides need different keys")
    first, second = scenario.sides
    if alike(first.name, second.name):
        what = f'both sides are called "{first.name}"; give one of them another name'
        add(found, "sides[1].name", what)
    if sorted(force.side for force in scenario.forces) != sorted(sides):
        add(found, "forces", "each side needs one force")
    ids: set[str] = set()
    for f, force in enumerate(scenario.forces):
        if force.side not in sides:
            mend = near(force.side, sides)
            add(found, f"forces[{f}]", f'no side "{force.side}".', mend)
        for u, unit in enumerate(force.units):
            where = f'forces[{f}].units[{u}] ("{unit.name}")'
            if unit.quality and unit.quality not in QUALITIES:
                add(found, where, f'no quality "{unit.quality}".', near(unit.quality, QUALITIES))
            for element in unit.elements:
                if element.id in ids:
                    add(found, where, f'two elements have the id "{element.id}"')
                ids.add(element.id)
                if element.type not in BY_KEY:
                    mend = near(element.type, BY_KEY)
                    add(found, where, f'no unit type "{element.type}".', mend)
                elif element.condition not in TYPES[BY_KEY[element.type]].conditions:
                    what = f'"{element.id}" cannot be "{element.condition}"'
                    add(found, where, what)
        check_fighters(scenario, f, found)

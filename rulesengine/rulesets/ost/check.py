"""What makes a scenario of Old School Tactical playable: ground, terms, forces (OST 3.1).

`check` takes a scenario of the right shape and lists everything wrong with it, each with the
place it would be mended at and, where a word is unknown, the nearest known one. It never
raises; an empty list means `setup` can lay the battle out.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import pairwise

from rulesengine.geometry.hexes import DIRECTION_NAMES, Grid
from rulesengine.pack import Fault
from rulesengine.rulesets.ost.catalogue import BY_KEY, QUALITIES, TYPES
from rulesengine.rulesets.ost.charts import TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.scenario import HexMap, OstScenario, SideTerms

LARGEST = 78
"""Columns or rows."""

HEX = (116, 100)
"""How far a hex reaches from its centre, east or west and north or south, in hundredths of its
inner radius."""

STACK = 2
"""Units, and leaders, that one hex holds. OST 20.0."""

Found = list[Fault]


def check(scenario: OstScenario) -> list[Fault]:
    """Every fault of a scenario; `where` is a path in the document ("ground.grid[3]")."""
    found: Found = []
    grid = check_map(scenario.ground, found)
    if grid is not None:
        _check_zones(scenario, grid, found)
        _check_control(scenario, grid, found)
    _check_terms(scenario, found)
    _check_forces(scenario, found)
    return found


def check_map(ground: HexMap, found: list[Fault]) -> Grid | None:
    """Add every fault of a map to `found`; its grid if there is one."""
    grid = _check_grid(ground, found)
    if grid is not None:
        _check_roads(ground, grid, found)
        _check_hexsides(ground, grid, found)
        _check_shapes(ground, grid, found)
    return grid


def terrains(word: str) -> tuple[str, ...]:
    """The terrain keys of a legend entry: "woods + stream" has two."""
    return tuple(part.strip() for part in word.split("+"))


def _add(found: Found, where: str, what: str, mend: str = "") -> None:
    found.append(Fault(file="", where=where, what=what, mend=mend))


def _near(word: str, known: Iterable[str]) -> str:
    choices = sorted(known)
    near = get_close_matches(word, choices, n=1, cutoff=0.6)
    return f'Did you mean "{near[0]}"?' if near else f"There are: {', '.join(choices)}."


def _check_grid(ground: HexMap, found: Found) -> Grid | None:
    """Rows of one length, known characters, known terrain; the Grid if it can be made."""
    before = len(found)
    for sign, words in ground.legend.items():
        if len(sign) != 1:
            _add(found, f'ground.legend."{sign}"', "a sign of the legend is one character")
        for word in terrains(words):
            if word not in TERRAIN_BY_KEY:
                mend = _near(word, TERRAIN_BY_KEY)
                _add(found, f'ground.legend."{sign}"', f'no terrain "{word}".', mend)
    columns, rows = max(map(len, ground.grid), default=0), len(ground.grid)
    if not 1 <= columns <= LARGEST or not 1 <= rows <= LARGEST:
        _add(found, "ground.grid", f"a map has 1 to {LARGEST} columns and rows")
        return None
    grid = Grid(columns, rows)
    known = "not in the legend"
    _check_signs(ground.grid, set(ground.legend), "ground.grid", known, grid, found)
    if ground.levels:
        if len(ground.levels) != rows:
            _add(found, "ground.levels", f"{len(ground.levels)} rows, but the grid has {rows}")
        else:
            known = "no level; there are"
            _check_signs(ground.levels, set("0123-"), "ground.levels", known, grid, found)
    if len(found) == before:
        _check_levels(ground, grid, found)
    return grid if len(found) == before else None


def _check_levels(ground: HexMap, grid: Grid, found: Found) -> None:
    """A hex whose terrain says hill or gully has the level of one. OST 12.5.1."""
    needed = {"hill": ("123", "1 to 3"), "gully": ("-", "-")}
    for row, line in enumerate(ground.grid):
        for column, sign in enumerate(line):
            level = ground.levels[row][column] if ground.levels else "0"
            for word in terrains(ground.legend[sign]):
                if word in needed and level not in needed[word][0]:
                    name = grid.name((row + 1) * grid.columns + column)
                    where = f"ground.levels[{row}] (row {row + 1})"
                    what = f"hex {name} is a {word}, but its level is {level}."
                    _add(found, where, what, f"Give it level {needed[word][1]}.")


def _check_signs(
    lines: tuple[str, ...], signs: set[str], where: str, amiss: str, grid: Grid, found: Found
) -> None:
    for row, line in enumerate(lines):
        place = f"{where}[{row}] (row {row + 1})"
        if len(line) != grid.columns:
            what = f"{len(line)} hexes, but the longest row has {grid.columns}"
            _add(found, place, what)
        for column, sign in enumerate(line):
            if sign not in signs:
                name = grid.name((row + 1) * grid.columns + column)
                known = " ".join(sorted(signs))
                _add(found, place, f'"{sign}" in hex {name} is {amiss}: {known}')


def _hex(name: str, grid: Grid, where: str, found: Found) -> int:
    """The hex of a name, or -1 and a fault."""
    try:
        return grid.find(name)
    except ValueError as error:
        _add(found, where, str(error))
        return -1


def _check_roads(ground: HexMap, grid: Grid, found: Found) -> None:
    for index, road in enumerate(ground.roads):
        where = f"ground.roads[{index}]" + (f' ("{road.name}")' if road.name else "")
        names = road.hexes.replace(",", " ").split()
        hexes = [_hex(name, grid, where, found) for name in names]
        if len(names) < 2:
            _add(found, where, "a road runs through two hexes at least")
        for a, b in pairwise(hexes):
            if a >= 0 and b >= 0 and grid.direction(a, b) < 0:
                _add(found, where, f"{grid.name(b)} is not next to {grid.name(a)}")


def _check_hexsides(ground: HexMap, grid: Grid, found: Found) -> None:
    groups = [
        (f'ground.hexsides[{index}] ("{group.kind}")', group.sides)
        for index, group in enumerate(ground.hexsides)
    ]
    for where, sides in (*groups, ("ground.steep", ground.steep)):
        for text in sides:
            name, slash, directions = text.partition("/")
            h = _hex(name, grid, where, found)
            if not slash:
                _add(found, where, f'"{text}" names no side; write it as "F5/NE" or "F5/N+NE"')
                continue
            for word in directions.split("+"):
                if word not in DIRECTION_NAMES:
                    mend = _near(word, DIRECTION_NAMES)
                    _add(found, where, f'"{text}": no direction "{word}".', mend)
                elif h >= 0 and grid.neighbours[h][DIRECTION_NAMES.index(word)] < 0:
                    _add(found, where, f'"{text}": the {word} side of {name} is the map edge')


def _check_shapes(ground: HexMap, grid: Grid, found: Found) -> None:
    """Footprints stand in hexes with a structure or a hill; names are of hexes on the map."""
    for index, shape in enumerate(ground.footprints):
        where = f'ground.footprints[{index}] ("{shape.hex}")'
        h = _hex(shape.hex, grid, where, found)
        if len(shape.polygon) < 3:
            _add(found, where, "a footprint has three corners at least")
        if any(abs(x) > HEX[0] or abs(y) > HEX[1] for x, y in shape.polygon):
            what = f"a footprint lies in its hex: at most {HEX[0]} across and {HEX[1]} down"
            _add(found, where, what)
        elif len(shape.polygon) >= 3 and not _area(shape.polygon):
            _add(found, where, "the corners of the footprint lie on one line")
        if h >= 0:
            row, column = divmod(h, grid.columns)
            kinds = terrains(ground.legend[ground.grid[row - 1][column]])
            if ground.levels and ground.levels[row - 1][column] in "123":
                continue
            if not any(TERRAIN[TERRAIN_BY_KEY[kind]].sight == "structure" for kind in kinds):
                _add(found, where, f"nothing stands there: the hex is {' + '.join(kinds)}")
    for index, named in enumerate(ground.names):
        _hex(named.hex, grid, f'ground.names[{index}] ("{named.name}")', found)


def _area(corners: tuple[tuple[int, int], ...]) -> int:
    """Twice the area of a polygon; 0 where its corners lie on one line."""
    ring = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum(x * down - across * y for (x, y), (across, down) in ring)


def _check_zones(scenario: OstScenario, grid: Grid, found: Found) -> None:
    areas: dict[str, set[int]] = {}
    for index, terms in enumerate(scenario.terms):
        where = f'terms[{index}].zone ("{terms.side}")'
        try:
            areas[terms.side] = set(grid.area(terms.zone))
        except ValueError as error:
            _add(found, where, str(error))
            continue
        _check_room(scenario, terms, len(areas[terms.side]), where, found)
    if len(areas) == 2:
        first, second = areas.values()
        shared = first & second
        if shared:
            names = ", ".join(grid.name(h) for h in sorted(shared)[:4])
            more = " ..." if len(shared) > 4 else ""
            _add(found, "terms", f"the set-up zones overlap in {names}{more}")


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
            what = f"{count} {word}s do not fit in {hexes} hexes, {STACK} a hex [20.0.1]"
            _add(found, where, what)


def _kinds(scenario: OstScenario, side: str) -> list[str]:
    return [
        TYPES[BY_KEY[element.type]].category
        for force in scenario.forces
        if force.side == side
        for unit in force.units
        for element in unit.elements
        if element.type in BY_KEY
    ]


def _check_control(scenario: OstScenario, grid: Grid, found: Found) -> None:
    sides = {side.key for side in scenario.sides}
    seen: set[int] = set()
    for index, control in enumerate(scenario.control):
        where = f'control[{index}] ("{control.name}")'
        h = _hex(control.hex, grid, where, found)
        if h in seen:
            _add(found, where, f"{control.hex} is a control hex already")
        if h >= 0:
            seen.add(h)
        if control.owner and control.owner not in sides:
            _add(found, where, f'no side "{control.owner}".', _near(control.owner, sides))
        if control.per_turn < 0 or control.at_end < 0:
            _add(found, where, "points for holding it cannot be below 0")


def _check_terms(scenario: OstScenario, found: Found) -> None:
    sides = [side.key for side in scenario.sides]
    if not 1 <= scenario.turns <= 40:
        _add(found, "turns", f"{scenario.turns} turns; a battle has 1 to 40")
    if scenario.victory.margin < 0 or scenario.victory.per_casualty < 0:
        _add(found, "victory", "points and margin cannot be below 0")
    for index, terms in enumerate(scenario.terms):
        where = f'terms[{index}] ("{terms.side}")'
        if terms.side not in sides:
            _add(found, where, f'no side "{terms.side}".', _near(terms.side, sides))
        if not 2 <= terms.gut_check <= 12:
            what = f"gut check {terms.gut_check}; it is rolled on 2D6, so 2 to 12 [17.4.1]"
            _add(found, where, what)
        if not 1 <= terms.impulses.dice <= 9:
            what = f"{terms.impulses.dice} impulse dice; a side rolls 1 to 9 [4.0.3]"
            _add(found, where, what)
        if not 0 <= terms.impulses.plus <= 20:
            _add(found, where, f"{terms.impulses.plus:+d} impulses; 0 to 20 may be added [4.0.3]")
        if terms.hidden < 0:
            _add(found, where, "fewer than no hidden units")
    if scenario.terms[0].side == scenario.terms[1].side:
        _add(found, "terms", f'both terms are for the side "{scenario.terms[0].side}"')
    if {terms.order for terms in scenario.terms} != {1, 2}:
        _add(found, "terms", "one side sets up 1st and the other 2nd: order 1 and 2")


def _check_forces(scenario: OstScenario, found: Found) -> None:
    sides = {side.key for side in scenario.sides}
    if len(sides) < 2:
        _add(found, "sides", "the two sides need different keys")
    if sorted(force.side for force in scenario.forces) != sorted(sides):
        _add(found, "forces", "each side needs one force")
    ids: set[str] = set()
    for f, force in enumerate(scenario.forces):
        if force.side not in sides:
            mend = _near(force.side, sides)
            _add(found, f"forces[{f}]", f'no side "{force.side}".', mend)
        for u, unit in enumerate(force.units):
            where = f'forces[{f}].units[{u}] ("{unit.name}")'
            if unit.quality and unit.quality not in QUALITIES:
                _add(found, where, f'no quality "{unit.quality}".', _near(unit.quality, QUALITIES))
            for element in unit.elements:
                if element.id in ids:
                    _add(found, where, f'two elements have the id "{element.id}"')
                ids.add(element.id)
                if element.type not in BY_KEY:
                    mend = _near(element.type, BY_KEY)
                    _add(found, where, f'no unit type "{element.type}".', mend)
                elif element.condition not in TYPES[BY_KEY[element.type]].conditions:
                    what = f'"{element.id}" cannot be "{element.condition}"'
                    _add(found, where, what)
        kinds = _kinds(scenario, force.side)
        if not {"squad", "crewed weapon", "vehicle"} & set(kinds):
            _add(found, f"forces[{f}]", f'"{force.side}" has nobody to fight with')
        elif _armor_leaders(scenario, force.side) > kinds.count("vehicle"):
            what = f'"{force.side}" has more armor leaders than vehicles for them [7.4.6]'
            _add(found, f"forces[{f}]", what)
        elif "support weapon" in kinds and "squad" not in kinds:
            what = f'"{force.side}" has support weapons but no squad to carry them [10.0.p1]'
            _add(found, f"forces[{f}]", what)


def _armor_leaders(scenario: OstScenario, side: str) -> int:
    return sum(
        "armor" in TYPES[BY_KEY[element.type]].traits
        for force in scenario.forces
        if force.side == side
        for unit in force.units
        for element in unit.elements
        if element.type in BY_KEY
    )

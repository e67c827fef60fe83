"""What makes a map of Old School Tactical playable: grid, levels, roads, hexsides, shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import pairwise

from msgspec import UNSET

from rulesengine.geometry.hexes import DIRECTION_NAMES, Grid, grid_of
from rulesengine.pack import Fault
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost.charts import TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.scenario import HexMap

LARGEST = 78
"""Columns or rows."""

HEX = (116, 100)
"""How far a hex reaches from its centre, east or west and north or south, in hundredths of its
inner radius."""

Found = list[Fault]


def check_map(ground: HexMap, found: list[Fault]) -> Grid | None:
    """Add every fault of a map to `found`; its grid if there is one."""
    grid = _check_grid(ground, found)
    if grid is not None:
        _check_roads(ground, grid, found)
        _check_hexsides(ground, grid, found)
        _check_shapes(ground, grid, found)
        _check_buildings(ground, grid, found)
        _check_in_play(ground, grid, found)
    return grid


def terrains(word: str) -> tuple[str, ...]:
    """The terrain keys of a legend entry: "woods + stream" has two."""
    return tuple(part.strip() for part in word.split("+"))


def add(found: Found, where: str, what: str, mend: str = "") -> None:
    """Note a fault."""
    found.append(Fault(file="", where=where, what=what, mend=mend))


def near(word: str, known: Iterable[str]) -> str:
    """What an unknown word may have been meant for."""
    choices = sorted(known)
    found = get_close_matches(word, choices, n=1, cutoff=0.6)
    return f'Did you mean "{found[0]}"?' if found else f"There are: {', '.join(choices)}."


def _check_grid(ground: HexMap, found: Found) -> Grid | None:
    """Rows of one length, known characters, known terrain; the Grid if it can be made."""
    before = len(found)
    for sign, words in ground.legend.items():
        if len(sign) != 1:
            add(found, f'ground.legend."{sign}"', "a sign of the legend is one character")
        for word in terrains(words):
            if word not in TERRAIN_BY_KEY:
                mend = near(word, TERRAIN_BY_KEY)
                add(found, f'ground.legend."{sign}"', f'no terrain "{word}".', mend)
    columns, rows = _usual(ground.grid), len(ground.grid)
    if not 1 <= columns <= LARGEST or not 1 <= rows <= LARGEST:
        add(found, "ground.grid", f"a map has 1 to {LARGEST} columns and rows")
        return None
    grid = grid_of(columns, rows)
    known = "not in the legend"
    signs = set(ground.legend) if all(len(sign) == 1 for sign in ground.legend) else set()
    _check_signs(ground.grid, signs, "ground.grid", known, grid, found)
    if ground.levels:
        if len(ground.levels) != rows:
            add(found, "ground.levels", f"{len(ground.levels)} rows, but the grid has {rows}")
        else:
            known = "no level; there are"
            _check_signs(ground.levels, set("0123-"), "ground.levels", known, grid, found)
    if len(found) == before:
        _check_levels(ground, grid, found)
    return grid if len(found) == before else None


def _usual(lines: tuple[str, ...]) -> int:
    """How many hexes most rows have; of two as many, the more."""
    lengths = Counter(map(len, lines))
    return max(lengths, key=lambda length: (lengths[length], length), default=0)


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
                    add(found, where, what, f"Give it level {needed[word][1]}.")


def _check_signs(
    lines: tuple[str, ...], signs: set[str], where: str, amiss: str, grid: Grid, found: Found
) -> None:
    """Rows as long as the map is wide, of known signs; of none where the legend is faulty."""
    for row, line in enumerate(lines):
        place = f"{where}[{row}] (row {row + 1})"
        if len(line) != grid.columns:
            what = f"{hex_count(len(line))}, but the map is {grid.columns} wide"
            add(found, place, what)
        for column, sign in enumerate(line[: grid.columns]):
            if signs and sign not in signs:
                name = grid.name((row + 1) * grid.columns + column)
                known = " ".join(sorted(signs))
                add(found, place, f'"{sign}" in hex {name} is {amiss}: {known}')


def hex_of(name: str, grid: Grid, where: str, found: Found) -> int:
    """The hex of a name, or -1 and a fault."""
    try:
        return grid.find(name)
    except ValueError as error:
        add(found, where, str(error))
        return -1


def _check_roads(ground: HexMap, grid: Grid, found: Found) -> None:
    for index, road in enumerate(ground.roads):
        where = f"ground.roads[{index}]" + (f' ("{road.name}")' if road.name else "")
        names = road.hexes.replace(",", " ").split()
        hexes = [hex_of(name, grid, where, found) for name in names]
        if len(names) < 2:
            add(found, where, "a road runs through two hexes at least")
        for a, b in pairwise(hexes):
            if a >= 0 and b >= 0 and grid.direction(a, b) < 0:
                add(found, where, f"{grid.name(b)} is not next to {grid.name(a)}")


def _check_hexsides(ground: HexMap, grid: Grid, found: Found) -> None:
    groups = [
        (f'ground.hexsides[{index}] ("{group.kind}")', group.sides)
        for index, group in enumerate(ground.hexsides)
    ]
    walls = () if ground.party_walls is UNSET else ground.party_walls
    others = (("ground.steep", ground.steep), ("ground.party_walls", walls))
    for where, sides in (*groups, *others):
        for text in sides:
            name, slash, directions = text.partition("/")
            h = hex_of(name, grid, where, found)
            if not slash:
                add(found, where, f'"{text}" names no side; write it as "F5/NE" or "F5/N+NE"')
                continue
            for word in directions.split("+"):
                if word not in DIRECTION_NAMES:
                    mend = near(word, DIRECTION_NAMES)
                    add(found, where, f'"{text}": no direction "{word}".', mend)
                elif h >= 0 and grid.neighbours[h][DIRECTION_NAMES.index(word)] < 0:
                    add(found, where, f'"{text}": the {word} side of {name} is the map edge')
                elif h >= 0 and where == "ground.party_walls":
                    for house in (h, grid.neighbours[h][DIRECTION_NAMES.index(word)]):
                        if not _is_house(ground, grid, house):
                            what = f"no structure in {grid.name(house)} to divide from the next"
                            add(found, where, f'"{text}": {what}')


def _check_shapes(ground: HexMap, grid: Grid, found: Found) -> None:
    """Footprints stand in hexes with a structure or a hill; names are of hexes on the map."""
    for index, shape in enumerate(ground.footprints):
        where = f'ground.footprints[{index}] ("{shape.hex}")'
        h = hex_of(shape.hex, grid, where, found)
        if len(shape.polygon) < 3:
            add(found, where, "a footprint has three corners at least")
        if any(abs(x) > HEX[0] or abs(y) > HEX[1] for x, y in shape.polygon):
            what = f"a footprint lies in its hex: at most {HEX[0]} across and {HEX[1]} down"
            add(found, where, what)
        elif len(shape.polygon) >= 3 and not _area(shape.polygon):
            add(found, where, "the corners of the footprint lie on one line")
        if h >= 0:
            row, column = divmod(h, grid.columns)
            if ground.levels and ground.levels[row - 1][column] in "123":
                continue
            if ground.heavy_urban is True and not _is_house(ground, grid, h):
                if not any(_is_low_house(ground, grid, n) for n in grid.neighbours[h]):
                    what = f"no building of one storey next to {grid.name(h)} [12.7.2, 12.7.3]"
                    add(found, where, what)
            elif not _is_house(ground, grid, h):
                kinds = terrains(ground.legend[ground.grid[row - 1][column]])
                add(found, where, f"nothing stands there: the hex is {' + '.join(kinds)}")
    for index, named in enumerate(ground.names):
        hex_of(named.hex, grid, f'ground.names[{index}] ("{named.name}")', found)


def _is_house(ground: HexMap, grid: Grid, h: int) -> bool:
    row, column = divmod(h, grid.columns)
    kinds = terrains(ground.legend[ground.grid[row - 1][column]])
    return any(TERRAIN[TERRAIN_BY_KEY[kind]].sight == "structure" for kind in kinds)


def _is_low_house(ground: HexMap, grid: Grid, h: int) -> bool:
    """A building without triangles, of which all that is drawn counts. OST 12.7.3."""
    if h < 0 or not _is_house(ground, grid, h):
        return False
    row, column = divmod(h, grid.columns)
    return not ground.levels or ground.levels[row - 1][column] == "0"


def _check_buildings(ground: HexMap, grid: Grid, found: Found) -> None:
    """Buildings of several hexes: structures that hang together, each in one of them. OST
    16.3.6."""
    taken: set[int] = set()
    for index, text in enumerate(() if ground.buildings is UNSET else ground.buildings):
        where = f'ground.buildings[{index}] ("{text}")'
        try:
            hexes = grid.area(text)
        except ValueError as error:
            add(found, where, str(error))
            continue
        for h in hexes:
            if not _is_house(ground, grid, h):
                add(found, where, f"no structure in {grid.name(h)} [16.3.6]")
            if h in taken:
                add(found, where, f"{grid.name(h)} is part of another building")
        joined, edge = {hexes[0]}, [hexes[0]]
        while edge:
            near = [n for n in grid.neighbours[edge.pop()] if n in hexes and n not in joined]
            joined.update(near)
            edge += near
        if len(hexes) < 2 or len(joined) < len(set(hexes)):
            add(found, where, "a building of several hexes has two at least, side by side")
        taken.update(hexes)


def _check_in_play(ground: HexMap, grid: Grid, found: Found) -> None:
    """OST 3.1.2."""
    if ground.in_play is UNSET:
        return
    try:
        grid.area(ground.in_play)
    except ValueError as error:
        add(found, "ground.in_play", str(error))


def is_inside(ground: HexMap, grid: Grid, h: int) -> bool:
    """Whether a hex has hexes in play on all sides: it is not at the edge. OST 3.1.2."""
    try:
        area = grid.hexes if ground.in_play is UNSET else grid.area(ground.in_play)
    except ValueError:
        area = grid.hexes
    return set(grid.neighbours[h]) <= set(area)


def _area(corners: tuple[tuple[int, int], ...]) -> int:
    """Twice the area of a polygon; 0 where its corners lie on one line."""
    ring = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum(x * down - across * y for (x, y), (across, down) in ring)

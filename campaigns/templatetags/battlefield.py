"""The hex map of a battlefield as inline SVG: one path per kind of ground, then what lies on it.

Flat-topped hexes in lettered columns, as the scenario document has them; column A sits half a
hex lower. The same facts stand below the map as a list, for whoever cannot see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

from django import template

from campaigns.templatetags import labels

register = template.Library()

RADIUS = 30.0
ACROSS = RADIUS * 1.5
DOWN = RADIUS * 3**0.5
CORNERS = tuple((RADIUS * cos(k * pi / 3), RADIUS * sin(k * pi / 3)) for k in range(6))
HEXSIDES = {"N": (4, 5), "NE": (5, 0), "SE": (0, 1), "S": (1, 2), "SW": (2, 3), "NW": (3, 4)}
GOAL_RADIUS = 16.0
NAME = re.compile(r"^([A-Z])(\1*)([1-9]\d*)$")

GROUND = {
    "open": "open",
    "brush": "rough",
    "farm": "field",
    "wheatfield": "field",
    "woods": "woods",
    "orchard": "woods",
    "cemetery": "built",
    "stream": "water",
    "deep water": "water",
    "marsh": "marsh",
    "shell holes": "rough",
    "debris": "rough",
    "rubble": "built",
    "light structure": "built",
    "heavy structure": "built",
    "ruins": "built",
    "hill": "open",
    "gully": "rough",
    "road": "open",
}
GLYPHS = {
    "woods": "m-12,6 l6,-12 6,12 z m14,2 l6,-12 6,12 z",
    "orchard": "m-12,-6 h.1 m12,0 h.1 m12,0 h.1 m-24,12 h.1 m12,0 h.1 m12,0 h.1",
    "brush": "m-10,4 l4,-8 m2,8 l4,-8 m2,8 l4,-8",
    "marsh": "m-14,2 h8 m4,0 h8 m-16,6 h8 m4,0 h8",
    "farm": "m-14,-6 h28 m-28,6 h28 m-28,6 h28",
    "wheatfield": "m-10,8 v-14 m7,14 v-14 m7,14 v-14 m7,14 v-14",
    "cemetery": "m-4,8 v-16 m-5,5 h10",
    "rubble": "m-10,6 l6,-8 6,8 z m10,2 l5,-7 5,7 z",
    "debris": "m-8,0 l5,-5 m2,9 l5,-5 m2,6 l5,-5",
    "shell holes": "m-6,0 a6,4 0 1 0 12,0 a6,4 0 1 0 -12,0",
    "light structure": "m-11,-9 h22 v18 h-22 z",
    "heavy structure": "m-12,-10 h24 v20 h-24 z m3,3 h18 v14 h-18 z",
    "ruins": "m-11,-9 h8 m6,0 h8 v18 h-6 m-6,0 h-10 v-8",
    "gully": "m-14,-4 q7,8 14,0 t14,0",
    "stream": "m-14,0 q7,-8 14,0 t14,0",
    "deep water": "m-14,-4 q7,-8 14,0 t14,0 m-28,8 q7,-8 14,0 t14,0",
}


@dataclass
class Ground:
    """One kind of ground: its class, the merged outline, and the hexes as a list."""

    name: str
    style: str
    outline: str = ""
    glyphs: str = ""
    sample: str = ""
    hexes: list[str] = field(default_factory=list)


@dataclass
class Height:
    """Hexes of one level: hills and gullies, which are shaded, or buildings of several storeys."""

    level: int
    words: str
    outline: str = ""
    hexes: list[str] = field(default_factory=list)

    @property
    def style(self) -> str:
        return f"level-{self.level}" if self.level > 0 else "low"


@dataclass
class Spot:
    x: float
    y: float
    name: str
    note: str = ""


@dataclass
class Goal:
    """A place to be held, and who holds it at the start: a colour and a letter, or neither."""

    x: float
    y: float
    name: str
    hex: str
    holder: str = ""
    colour: str = ""

    @property
    def letter(self) -> str:
        return self.holder[:1].upper()


@dataclass
class Zone:
    colour: str
    name: str
    outline: str
    border: str
    kind: str = ""
    """What the style sheet tells apart: where a side sets up (nothing), "entry" or "exit"."""


@dataclass
class Drawing:
    """Everything the template needs, in SVG user units."""

    width: int
    height: int
    grounds: list[Ground]
    heights: list[Height]
    marks: list[Spot]
    roads: list[str]
    edges: list[tuple[str, str]]
    coordinates: list[Spot]
    names: list[Spot]
    objectives: list[Goal]
    zones: list[Zone]

    @property
    def holders(self) -> list[Goal]:
        """A place of each side that holds any, and one that nobody does, for the legend."""
        return list({goal.holder: goal for goal in reversed(self.objectives)}.values())[::-1]


def column_name(column: int) -> str:
    turns, letter = divmod(column, 26)
    return chr(65 + letter) * (turns + 1)


def place(name: str) -> tuple[int, int]:
    """Column and row, from 0, of a hex's name."""
    match = NAME.match(name.strip().upper())
    if not match:
        raise ValueError(f'"{name}" is not a hex')
    return ord(match[1]) - 65 + 26 * len(match[2]), int(match[3]) - 1


def centre(column: int, row: int) -> tuple[float, float]:
    lower = DOWN / 2 if column % 2 == 0 else 0
    return RADIUS + 2 + ACROSS * column, DOWN / 2 + 2 + DOWN * row + lower


def outline(column: int, row: int) -> str:
    x, y = centre(column, row)
    return "M" + " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in CORNERS) + "z"


def area(text: str) -> Iterable[tuple[int, int]]:
    """The hexes of "A1:F20, G3"."""
    for part in filter(None, (p.strip() for p in text.split(","))):
        first, colon, last = part.partition(":")
        (left, top), (right, bottom) = place(first), place(last if colon else first)
        for column in range(min(left, right), max(left, right) + 1):
            for row in range(min(top, bottom), max(top, bottom) + 1):
                yield column, row


def beside(column: int, row: int, side: str) -> tuple[int, int]:
    """The hex across a hexside."""
    lower = 1 if column % 2 == 0 else 0
    steps = {
        "N": (0, -1),
        "NE": (1, lower - 1),
        "SE": (1, lower),
        "S": (0, 1),
        "SW": (-1, lower),
        "NW": (-1, lower - 1),
    }
    right, down = steps[side]
    return column + right, row + down


def hexside(column: int, row: int, side: str) -> str:
    """One side of a hex as a path."""
    x, y = centre(column, row)
    (ax, ay), (bx, by) = (CORNERS[k] for k in HEXSIDES[side])
    return f"M{x + ax:.1f},{y + ay:.1f} L{x + bx:.1f},{y + by:.1f}"


def border(hexes: set[tuple[int, int]]) -> str:
    """The outer edge of an area."""
    return "".join(
        hexside(*hex_, side)
        for hex_ in sorted(hexes)
        for side in HEXSIDES
        if beside(*hex_, side) not in hexes
    )


def principal(terrain: str) -> str:
    """The kind a hex is drawn as, where several share it."""
    kinds = [part.strip() for part in terrain.split("+")]
    solid = [kind for kind in kinds if kind not in ("open", "hill", "gully", "road")]
    return (solid or kinds)[0]


def _grounds(ground: Mapping[str, Any]) -> list[Ground]:
    kinds: dict[str, Ground] = {}
    for row, line in enumerate(ground["grid"]):
        for column, letter in enumerate(line):
            terrain = ground["legend"].get(letter, "open")
            kind = principal(terrain)
            one = kinds.setdefault(
                kind, Ground(kind, GROUND.get(kind, "open"), sample=GLYPHS.get(kind, ""))
            )
            one.outline += outline(column, row)
            one.hexes.append(f"{column_name(column)}{row + 1}")
            if kind in GLYPHS:
                x, y = centre(column, row)
                one.glyphs += f"M{x:.1f},{y:.1f}{GLYPHS[kind]}"
    return sorted(kinds.values(), key=lambda g: -len(g.hexes))


def _heights(ground: Mapping[str, Any]) -> tuple[list[Height], list[Spot]]:
    """The levels of a map by kind, and the triangle that marks each hex of one."""
    found: dict[str, Height] = {}
    marks = []
    for row, line in enumerate(ground.get("levels") or ()):
        for column, sign in enumerate(line):
            if sign in "123-":
                level = -1 if sign == "-" else int(sign)
                kinds = ground["legend"].get(ground["grid"][row][column], "open")
                words = _height_words(level, kinds)
                one = found.setdefault(words, Height(level, words))
                one.hexes.append(f"{column_name(column)}{row + 1}")
                if "storeys" not in words:
                    one.outline += outline(column, row)
                x, y = centre(column, row)
                triangle = f"\u25b2{level}" if level > 0 else "\u25bc"
                marks.append(Spot(round(x, 1), round(y + DOWN / 2 - 4, 1), triangle))
    return sorted(found.values(), key=lambda h: (not h.outline, h.level)), marks


def _height_words(level: int, kinds: str) -> str:
    """A raised hex is a hill, unless a building alone stands there: then its top is meant."""
    built = any(word in kinds for word in ("structure", "ruins"))
    if level > 0 and built and "hill" not in kinds:
        return f"building of {level + 1} storeys"
    return f"hill, level {level}" if level > 0 else "gully, level \u22121"


def _roads(ground: Mapping[str, Any]) -> list[str]:
    paths = []
    for road in ground.get("roads") or ():
        points = [centre(*place(name)) for name in re.split(r"[\s,]+", road["hexes"].strip())]
        paths.append("M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points))
    return paths


def _edges(ground: Mapping[str, Any]) -> list[tuple[str, str]]:
    lines = [(hexsides["kind"], hexsides["sides"]) for hexsides in ground.get("hexsides") or ()]
    if ground.get("steep"):
        lines.append(("steep slope", ground["steep"]))
    if ground.get("party_walls"):
        lines.append(("party wall", ground["party_walls"]))
    paths = []
    for kind, along in lines:
        path = ""
        for where in along:
            name, _, sides = where.partition("/")
            path += "".join(hexside(*place(name), side) for side in sides.split("+"))
        paths.append((kind, path))
    return paths


def _goals(control: Iterable[Mapping[str, Any]]) -> list[Goal]:
    """Places to be held; `holder` and `colour` of who holds one are the viewer's to add."""
    goals = []
    for held in control:
        x, y = (round(value, 1) for value in centre(*place(held["hex"])))
        holder, colour = held.get("holder", ""), held.get("colour", "")
        goals.append(Goal(x, y, held["name"], held["hex"], holder, colour))
    return goals


def _names(
    ground: Mapping[str, Any],
    goals: list[Goal],
    coordinates: list[Spot],
    size: tuple[float, float],
) -> list[Spot]:
    """The names of the map and of what is to be held, each once, and where they are written."""
    found = [(goal.x, goal.y, goal.name) for goal in goals]
    told = {goal.name.casefold() for goal in goals}
    found += [
        (*centre(*place(named["hex"])), named["name"])
        for named in ground.get("names") or ()
        if named["name"].casefold() not in told
    ]
    numbers = [
        labels.box_of(spot.x, spot.y, spot.name, labels.NUMBER_SIZE, labels.NUMBERS)
        for spot in coordinates
    ]
    rings = [labels.around(goal.x, goal.y, GOAL_RADIUS) for goal in goals]
    written = labels.place_names(found, numbers + rings, *size)
    return [
        Spot(round(x, 1), round(y, 1), name)
        for (x, y), (_, _, name) in zip(written, found, strict=True)
    ]


def _zone(colour: str, name: str, hexes: set[tuple[int, int]], kind: str = "") -> Zone:
    filled = "".join(outline(*hex_) for hex_ in sorted(hexes))
    return Zone(colour, name, filled, border(hexes), kind)


def draw(
    ground: Mapping[str, Any],
    control: Iterable[Mapping[str, Any]] = (),
    zones: Iterable[tuple[str, ...]] = (),
) -> Drawing:
    """The drawing of a map. `zones` are (side colour, words, hexes, kind): where sides set
    up; with the kind "entry" or "exit" where they come on or may leave."""
    rows, columns = len(ground["grid"]), max(len(line) for line in ground["grid"])
    coordinates = [
        Spot(round(x, 1), round(y - DOWN / 2 + 10, 1), f"{column_name(c)}{r + 1}")
        for r in range(rows)
        for c in range(columns)
        for x, y in [centre(c, r)]
    ]
    heights, marks = _heights(ground)
    goals = _goals(control)
    width, height = round(ACROSS * columns + RADIUS / 2 + 4), round(DOWN * rows + DOWN / 2 + 4)
    return Drawing(
        width=width,
        height=height,
        grounds=_grounds(ground),
        heights=heights,
        marks=marks,
        roads=_roads(ground),
        edges=_edges(ground),
        coordinates=coordinates,
        names=_names(ground, goals, coordinates, (width, height)),
        objectives=goals,
        zones=[
            _zone(colour, name, set(area(at)), *kind) for colour, name, at, *kind in zones if at
        ],
    )


@register.inclusion_tag("parts/battlefield.html")
def battlefield(
    ground: Mapping[str, Any],
    control: Iterable[Mapping[str, Any]] = (),
    zones: Iterable[tuple[str, ...]] = (),
    line: Any = None,
    plates: Iterable[Any] = (),
) -> dict[str, Any]:
    """The map with its legend and its list twin; a line of sight is drawn over it, and
    `plates` (x, y, sign, kind, colour, side) of what lies there."""
    return {
        "map": draw(ground, control, zones),
        "title": ground.get("title", "Battlefield"),
        "line": line,
        "places": ground.get("names") or (),
        "plates": plates,
        "plate_kinds": {(p.sign, p.kind, p.colour, p.side): p for p in plates}.values(),
    }

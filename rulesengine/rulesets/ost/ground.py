"""A battlefield compiled for play: terrain, hexsides, costs and what can be seen.

Built once per map document and shared by every battle on it. Per hex and per hexside there is
one integer; sight lines and ways to go are worked out when first asked for and then kept.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from msgspec import UNSET

from rulesengine.documents import BadDocument
from rulesengine.geometry.hexes import DIRECTION_NAMES, Grid, grid_of
from rulesengine.rulesets.ost.charts import HEXSIDE_BY_KEY, HEXSIDES, TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.scenario import Footprint, HexMap

CLEAR, DEGRADES, BLOCKS, STRUCTURE, SHAPED = range(5)
"""What a hex does to a line through it; SHAPED is a structure with a drawn footprint."""

_SIGHT = {"clear": CLEAR, "degrades": DEGRADES, "blocks": BLOCKS, "structure": STRUCTURE}

IMPASSABLE = 99
UNSEEN = 255
"""In `seen`: a pair of hexes whose line nobody has asked for yet."""
HILL, GULLY = TERRAIN_BY_KEY["hill"], TERRAIN_BY_KEY["gully"]
LEVELS = {"-": -1, "0": 0, "1": 1, "2": 2, "3": 3}
"""Signs of a map's levels. OST 12.4."""


class Ground:
    """One map. Hexes are the integers of its `grid`."""

    __slots__ = (
        "alleys",
        "base",
        "bocage",
        "buildings",
        "courses",
        "defense",
        "drives",
        "dual",
        "edge",
        "edge_sight",
        "entries",
        "fields",
        "floors",
        "foot",
        "grid",
        "into",
        "level",
        "lines",
        "notes",
        "opaque",
        "open",
        "origin",
        "out_of",
        "outlooks",
        "outside",
        "paces",
        "party",
        "prospects",
        "rankings",
        "relief",
        "road",
        "road_halves",
        "screens",
        "seen",
        "shapes",
        "shield",
        "steep",
        "steps",
        "stops",
        "storeys",
        "structure",
        "terrain",
        "title",
        "turned",
        "urban",
        "variants",
        "ways",
        "works",
    )

    def __init__(self, document: HexMap) -> None:
        rows = document.grid
        self.title = document.title
        self.grid = grid = grid_of(len(rows[0]), len(rows))
        size = grid.size
        self.terrain: list[tuple[int, ...]] = [()] * size
        """Indexes in TERRAIN, per hex."""
        self.opaque = bytearray(size)
        self.defense = [0] * size
        self.foot = [1] * size
        self.structure = bytearray(size)
        self.level = [0] * size
        """How high a unit in the hex looks from: its hill, or its building's top. OST 12.4."""
        self.base = [0] * size
        """How high the ground itself lies: what movement climbs."""
        self.storeys = bytearray(size)
        """Levels of a building of several storeys; 0 for any other. OST 12.6, 16.3."""
        self.relief = 0
        """1 where the map has levels: the farthest that height adds to a range. OST 12.4.6."""
        self.road = bytearray(size)
        """Bit d: a road leaves the hex towards direction d."""
        self.edge = bytearray(size * 6)
        """Index + 1 in HEXSIDES of the terrain along side d of hex h, at h * 6 + d."""
        self.edge_sight = bytearray(size * 6)
        self.steep: set[int] = set()
        self.party: set[int] = set()
        """Sides that cannot be crossed, as h * 6 + d, from either hex. OST 14.14.4."""
        self.shapes: dict[int, tuple[tuple[int, int], ...]] = {}
        self._lay_terrain(document)
        self._lay_hexsides(document)
        self.bocage = BLOCKS in self.edge_sight
        """Whether there is any. OST 15.3."""
        self._lay_roads(document)
        self.road_halves = 2 if document.bad_roads else 1
        """HALF movement points of a vehicle by road. OST 14.13.2, 14.13.5."""
        self._lay_town(document)
        self._lay_lines(size)
        self.paces: dict[tuple[int, int, bool], int] = {}
        """What steps cost on foot: from, into, by the street or not."""
        self.steps: dict[int, tuple[tuple[int, int], ...]] = {}
        self.fields: dict[int, list[int]] = {}
        self.outlooks: dict[int, int] = {}
        self.notes: dict[tuple[int, ...], tuple[tuple[int, int, tuple[int, ...]], ...]] = {}
        self.rankings: dict[object, tuple[int, ...]] = {}
        """What a doctrine has worked out about the map alone; zones with the best hexes first."""
        self.ways: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self.drives: dict[tuple[int, int, int], Any] = {}
        """What steps cost vehicles, and `courses` their ways to go; see `driving.py`."""
        self.courses: dict[tuple[int, int, int, int], Any] = {}
        self.turned: dict[tuple[int, int], tuple[int, ...]] = {}
        """How far each way out of a hex turns from another hex."""
        self.prospects: dict[tuple[int, ...], Any] = {}
        """What a doctrine thinks of them."""
        self.entries: dict[tuple[int, ...], Any] = {}
        """Ways onto the map for reinforcements; see `arriving.py`."""
        self._lay_no_works(size)

    def _lay_lines(self, size: int) -> None:
        """Lines of sight, none of which anybody has asked for yet; see `sight.py`."""
        self.seen = bytearray([UNSEEN]) * (size * size)
        """Per pair of hexes: distance * 4 + degrading hexes, 3 for blocked; 255 not yet known."""
        self.open = [-1] * size
        """Per hex a bit for each hex to which the line is not known to be blocked."""
        self.shield = bytearray(size * size)
        """Per (from, to): the code of the hexside terrain that shields `to`, index + 1."""
        self.floors: dict[tuple[int, int, int, int], int] = {}
        """As `seen`, by both hexes and the levels looked from: from ground floors. OST 16.3.5."""
        self.lines: dict[tuple[int, int, int], Any] = {}

    def _lay_no_works(self, size: int) -> None:
        """A map as it was drawn; with markers on it that change it see `altered.py`."""
        self.origin = self
        self.variants: dict[frozenset[tuple[int, int]], Ground] = {}
        self.screens: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        """By both ends of a line the hexes in which smoke would dim it; see `screens.py`."""
        self.works: dict[int, int] = {}
        """Index in MARKERS of what changes a hex. OST 13."""
        self.into = bytearray(size)
        """Movement points on foot that a marker adds, and `out_of` of coming out of one."""
        self.out_of = bytearray(size)
        self.stops: frozenset[int] = frozenset()
        """Hexes that end every move. OST 13.6.3."""

    def _lay_terrain(self, document: HexMap) -> None:
        kinds = {
            sign: tuple(TERRAIN_BY_KEY[word.strip()] for word in words.split("+"))
            for sign, words in document.legend.items()
        }
        columns = self.grid.columns
        for index, row in enumerate(document.grid, 1):
            for column, sign in enumerate(row):
                self._lay_hex(index * columns + column, kinds[sign])
        for index, row in enumerate(document.levels, 1):
            for column, sign in enumerate(row):
                self._lay_level(index * columns + column, LEVELS[sign])

    def _lay_level(self, h: int, level: int) -> None:
        """The level of a hex: of its hill or gully, or of the building that alone stands there."""
        self.level[h] = level
        if level > 0 and self.structure[h] and HILL not in self.terrain[h]:
            self.storeys[h] = level
        else:
            self.base[h] = level
        if level:
            self.relief = 1

    def _lay_hex(self, h: int, kinds: tuple[int, ...]) -> None:
        self.terrain[h] = kinds
        rows = [TERRAIN[kind] for kind in kinds]
        grown = [_SIGHT[TERRAIN[kind].sight] for kind in kinds if kind not in (HILL, GULLY)]
        self.opaque[h] = max(grown, key=_weight, default=CLEAR)
        self.defense[h] = sum(row.defense for row in rows)
        self.foot[h] = max(row.foot for row in rows)
        self.structure[h] = STRUCTURE in grown

    def _lay_hexsides(self, document: HexMap) -> None:
        for group in document.hexsides:
            code = HEXSIDE_BY_KEY[group.kind]
            sight = _SIGHT[HEXSIDES[code].sight]
            for text in group.sides:
                for h, d in hexsides(self.grid, text):
                    other = self._across(h, d)
                    for here, way in ((h, d), (other, (d + 3) % 6)):
                        if here >= 0:
                            self.edge[here * 6 + way] = code + 1
                            self.edge_sight[here * 6 + way] = sight

        self._shut(self.steep, document.steep)
        if document.party_walls is not UNSET:
            self._shut(self.party, document.party_walls)

    def _shut(self, closed: set[int], sides: tuple[str, ...]) -> None:
        """Hexsides that nobody crosses, from either side."""
        for text in sides:
            for h, d in hexsides(self.grid, text):
                closed.add(h * 6 + d)
                other = self._across(h, d)
                if other >= 0:
                    closed.add(other * 6 + (d + 3) % 6)

    def _across(self, h: int, d: int) -> int:
        grid = self.grid
        return grid.neighbours[h][d]

    def _lay_roads(self, document: HexMap) -> None:
        for road in document.roads:
            hexes = [self.grid.find(name) for name in road.hexes.replace(",", " ").split()]
            for a, b in pairwise(hexes):
                d = self.grid.direction(a, b)
                if d < 0:
                    raise BadDocument(
                        f"{document.key}: road {road.name}: {self.grid.name(a)} and "
                        f"{self.grid.name(b)} are not adjacent"
                    )
                self.road[a] |= 1 << d
                self.road[b] |= 1 << ((d + 3) % 6)

    def _lay_town(self, document: HexMap) -> None:
        """Streets between houses, and houses of several hexes. OST 12.7, 16.3.6, 16.6."""
        self.outside: frozenset[int] = frozenset()
        """Hexes that are drawn and not played on. OST 3.1.2, 3.1.3."""
        if document.in_play is not UNSET:
            self.outside = frozenset(self.grid.hexes) - set(self.grid.area(document.in_play))
        self.urban = document.heavy_urban is True
        """Whether sight goes by the rules of a city. OST 12.7."""
        self.alleys: dict[tuple[int, ...], Any] = {}
        """Lines from and to streets; see `street_sight.py`."""
        self.find_streets()
        self.buildings: dict[int, int] = {}
        """Per hex of a building of several hexes, which one. OST 16.3.6."""
        if document.buildings is not UNSET:
            for number, hexes in enumerate(document.buildings):
                self.buildings |= dict.fromkeys(self.grid.area(hexes), number)
        for footprint in document.footprints:
            self._lay_footprint(footprint)

    def find_streets(self) -> None:
        """Which hexes have both a road and a structure. OST 16.6."""
        both = (h for h in range(self.grid.size) if self.road[h] and self.structure[h])
        self.dual = frozenset(both)

    def _lay_footprint(self, footprint: Footprint) -> None:
        h = self.grid.find(footprint.hex)
        if self.opaque[h] == STRUCTURE or (self.urban and self.opaque[h] == CLEAR):
            self.opaque[h] = SHAPED  # in a city also what stands out of a house next door, 12.7.3
        if self.opaque[h] == SHAPED or self.level[h] > 0:
            self.shapes[h] = footprint.polygon

    def cost(self, a: int, b: int, *, street: bool = False) -> int:
        """Movement points for a foot unit from hex a into the adjacent hex b.

        OST 14, 15.0.3, 14.13: by road 1, but into a structure only if it keeps to the `street`
        (16.6.2, 16.6.3).
        Markers add their own (13.4.5, 13.5.5, 13.6.2, 13.7.2).
        Each level up or down costs 1 more (14.14.2, 14.14.3), but not into a building of several
        storeys (16.3.3). IMPASSABLE over a steep slope and through a party wall (16.4.4).
        """
        pace = (a, b, street)
        known = self.paces.get(pace)
        if known is None:
            known = self.paces[pace] = self._cost(a, b, street)
        return known

    def _cost(self, a: int, b: int, street: bool) -> int:
        d = self.grid.direction(a, b)
        if self.outside and b in self.outside:
            return IMPASSABLE
        if a * 6 + d in self.steep or a * 6 + d in self.party:
            return IMPASSABLE
        extra = self.edge[a * 6 + d]
        over = HEXSIDES[extra - 1].foot if extra else 0
        if self.relief:
            over += self.climb(a, b, street=street)
        if self.works:
            over += self.into[b] + self.out_of[a]
        if self.road[a] >> d & 1 and (street or not self.structure[b]):
            return 1 + over
        return self.foot[b] + over

    def bar(self, a: int, b: int) -> tuple[str, str]:
        """Why nobody passes from hex a into the adjacent hex b, where `cost` is IMPASSABLE, and
        the rule that says so."""
        if b in self.outside:
            return "That hex is not in play.", "3.1.2"
        if self.foot[b] >= IMPASSABLE:
            return "The water is too deep to cross.", "14.8.1"
        if a * 6 + self.grid.direction(a, b) in self.party:
            return "A party wall of row houses stands between.", "16.4.4"
        return "The slope is too steep for any unit.", "14.14.4"

    def climb(self, a: int, b: int, *, street: bool) -> int:
        """Levels that going from a into b climbs or descends, as they are paid for by all units:
        a movement point each; none into a house of several storeys, but into the `street` beside
        it. OST 14.14.2, 14.14.3, 16.3.3."""
        return 0 if self.storeys[b] and not street else abs(self.base[a] - self.base[b])

    def neighbours(self, h: int) -> tuple[tuple[int, int], ...]:
        """(hex, movement points) of every hex a foot unit can step into from h, between houses by
        the street; where to go into the house, `streets.best_streets` says."""
        known = self.steps.get(h)
        if known is None:
            around = (n for n in self.grid.neighbours[h] if n >= 0)
            costs = ((n, self.cost(h, n, street=n in self.dual)) for n in around)
            known = tuple((n, cost) for n, cost in costs if cost < IMPASSABLE)
            self.steps[h] = known
        return known

    def reach(self, h: int, points: int) -> dict[int, tuple[int, ...]]:
        """Every hex a foot unit can get to with its movement points, with the cheapest path.

        One adjacent hex can always be entered (OST 23.0.5). Units in the way are not looked at.
        """
        key = (h, points)
        known = self.ways.get(key)
        if known is None:
            known = self._spread(h, points)
            self.ways[key] = known
        return known

    def _spread(self, h: int, points: int) -> dict[int, tuple[int, ...]]:
        spent = {h: 0}
        paths: dict[int, tuple[int, ...]] = {h: ()}
        edge = [h]
        while edge:
            edge.sort(key=spent.__getitem__)
            here = edge.pop(0)
            if here in self.stops and here != h:
                continue
            for there, cost in self.neighbours(here):
                total = spent[here] + cost
                if total > points and not (here == h and there not in spent):
                    continue
                if total < spent.get(there, IMPASSABLE):
                    spent[there] = total
                    paths[there] = (*paths[here], there)
                    if there not in edge and total <= points:
                        edge.append(there)
        del paths[h]
        return paths

    def field(self, aim: int) -> list[int]:
        """Per hex the movement points on foot from it to `aim`, units in the way not looked at."""
        known = self.fields.get(aim)
        if known is None:
            known = self.fields[aim] = self._flood(aim)
        return known

    def _flood(self, aim: int) -> list[int]:
        spent = [IMPASSABLE] * self.grid.size
        spent[aim] = 0
        rings: list[list[int]] = [[aim]]
        done = 0
        while done < len(rings):
            for here in rings[done]:
                if spent[here] < done:
                    continue
                for there in self.grid.neighbours[here]:
                    if there >= 0:
                        total = done + self.cost(there, here)
                        if total < spent[there]:
                            spent[there] = total
                            while len(rings) <= total:
                                rings.append([])
                            rings[total].append(there)
            done += 1
        return spent

    def named(self, side: int) -> int:
        """A hexside by the lower of its two hexes, so that two lines name it alike."""
        h, d = divmod(side, 6)
        other = self.grid.neighbours[h][d]
        return other * 6 + (d + 3) % 6 if 0 <= other < h else side

    def name(self, h: int) -> str:
        return self.grid.name(h) if h >= 0 else "off the map"


def _weight(sight: int) -> int:
    """Which of two terrains in a hex decides: the heavier. OST 14.0.8, 14.0.9."""
    return (CLEAR, DEGRADES, STRUCTURE, BLOCKS, SHAPED).index(sight)


def hexsides(grid: Grid, text: str) -> list[tuple[int, int]]:
    """(hex, direction) of "F5/NE" or "F5/N+NE". Raises ValueError saying what is wrong."""
    name, slash, ways = text.partition("/")
    if not slash:
        raise ValueError(f'"{text}" names no side; write "F5/NE"')
    h = grid.find(name)
    found = []
    for way in ways.split("+"):
        if way.strip() not in DIRECTION_NAMES:
            raise ValueError(f'"{way}" is not a side; sides are {", ".join(DIRECTION_NAMES)}')
        found.append((h, DIRECTION_NAMES.index(way.strip())))
    return found


_GROUNDS: dict[int, tuple[HexMap, Ground]] = {}


def ground_of(document: HexMap) -> Ground:
    """The compiled form of a map document, kept for as long as the document lives on."""
    known = _GROUNDS.get(id(document))
    if known is not None and known[0] is document:
        return known[1]
    made = Ground(document)
    if len(_GROUNDS) > 32:
        _GROUNDS.clear()
    _GROUNDS[id(document)] = (document, made)
    return made

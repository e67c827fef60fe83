"""Lines of sight against plain geometry, and on thousands of random pairs. OST 12.1, 12.2."""

from __future__ import annotations

import math
import random

import pytest

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from rulesengine.rulesets.ost.sight import BLOCKED, along, look, shield
from tests.engine.table import LEGEND, Hexsides


def ground_map(rows, **more):
    return HexMap(key="sight", title="Sight", grid=tuple(rows), legend=LEGEND, **more)


def _reference(ground, terrain, a, b):
    """The same in floating point: None where the line runs along a side or touches the disc."""
    grid = ground.grid

    def centre(h):
        return math.sqrt(3) * grid.q[h], 2.0 * grid.r[h] + grid.q[h]

    (ax, ay), (bx, by) = centre(a), centre(b)
    length = math.hypot(bx - ax, by - ay)
    if along(ground, a, b) or length == 0:
        return None
    count = 0
    for h, sign in terrain.items():
        if h in (a, b):
            continue
        cx, cy = centre(h)
        inside = _inside(ax, ay, bx, by, cx, cy)
        if inside < 1e-6:
            continue
        off = abs((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / length
        if sign == "h" and abs(off - 0.6) < 1e-9:
            return None
        if sign == "w" or (sign == "h" and off < 0.6):
            return BLOCKED
        count += sign in "bh"
    return min(count, BLOCKED)


def _inside(ax, ay, bx, by, cx, cy):
    """How much of the line, 0 to 1, lies inside the hex of inner radius 1 around (cx, cy)."""
    low, high = 0.0, 1.0
    for turn in range(6):
        nx, ny = (
            math.cos(math.pi / 6 + turn * math.pi / 3),
            math.sin(math.pi / 6 + turn * math.pi / 3),
        )
        start = (ax - cx) * nx + (ay - cy) * ny - 1
        slope = (bx - ax) * nx + (by - ay) * ny
        if abs(slope) < 1e-12:
            if start > -1e-9:
                return 0.0
            continue
        at = -start / slope
        low, high = (low, min(high, at)) if slope > 0 else (max(low, at), high)
    return max(0.0, high - low)


def test_a_line_past_a_house_in_its_hex_is_degraded():
    """A1 to B4 leaves the dot of A2 well aside; A1 to A3 runs over it."""
    ground = Ground(ground_map(("...",) * 5))
    a = ground.grid.find("A1")
    for b in ground.grid.hexes:
        if a == b:
            continue
        trial = [list("...") for _ in range(5)]
        trial[1][0] = "h"
        seen = look(Ground(ground_map(["".join(r) for r in trial])), a, b) & 3
        expected = _reference(ground, {ground.grid.find("A2"): "h"}, a, b)
        if expected is not None:
            assert seen == expected


def random_rows(rng, columns, rows, signs):
    return ["".join(rng.choice(signs) for _ in range(columns)) for _ in range(rows)]


def test_lines_agree_with_plain_geometry_on_random_maps():
    rng = random.Random(12)
    compared = 0
    for _ in range(12):
        rows = random_rows(rng, 14, 12, "......bwh")
        ground = Ground(ground_map(rows))
        grid = ground.grid
        terrain = {
            h: rows[h // 14 - 1][h % 14] for h in grid.hexes if rows[h // 14 - 1][h % 14] != "."
        }
        for _ in range(400):
            a, b = rng.sample(grid.hexes, 2)
            expected = _reference(ground, terrain, a, b)
            if expected is not None:
                assert look(ground, a, b) & 3 == expected, (rows, grid.name(a), grid.name(b))
                compared += 1
    assert compared > 3000


def random_ground(rng):
    sides = [
        Hexsides(
            kind=rng.choice(("hedge", "stone wall", "bocage")),
            sides=tuple(
                # Away from the rim: a side there has no second hex, and the check refuses it.
                f"{'BCDEFGHIJK'[rng.randrange(10)]}{rng.randrange(2, 10)}/{way}"
                for way in rng.choices(("N", "NE", "SE", "S", "SW", "NW"), k=4)
            ),
        )
        for _ in range(5)
    ]
    rows = random_rows(rng, 12, 10, ".......bowlhu")
    shapes = tuple(
        Footprint(
            hex=f"{'ABCDEFGHIJKL'[c]}{r + 1}",
            polygon=((-70, -20), (60, -30), (60, 40), (-60, 40)),
        )
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign == "u"
    )
    return ground_map(rows, hexsides=tuple(sides), footprints=shapes)


@pytest.mark.rule("ost", "12.1.4")
def test_who_sees_is_seen_on_thousands_of_random_pairs(ask):
    rng = random.Random(4)
    for _ in range(20):
        document = random_ground(rng)
        one, two = Ground(document), Ground(document)
        for _ in range(250):
            a, b = rng.sample(one.grid.hexes, 2)
            assert look(one, a, b) == look(two, b, a)
            assert shield(one, a, b) == shield(two, a, b)
    ask(LineOfSight(map=document, start="A1", end="L10"))

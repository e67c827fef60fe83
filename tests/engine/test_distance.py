"""Distances on a grid: kept once they are known, and never mixed up."""

from __future__ import annotations

import random

from rulesengine.geometry.hexes import Grid


def counted(grid: Grid, a: int) -> dict[int, int]:
    """Hexes from a to every other, by walking."""
    steps, edge = {a: 0}, [a]
    while edge:
        edge = [n for h in edge for n in grid.neighbours[h] if n >= 0 and n not in steps]
        edge = list(dict.fromkeys(edge))
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return steps


def test_a_distance_is_the_steps_of_the_shortest_way_each_time_it_is_asked():
    grid = Grid(9, 7)
    for a in grid.hexes:
        walked = counted(grid, a)
        for b in grid.hexes:
            assert grid.distance(a, b) == grid.distance(a, b) == walked[b]


def test_the_largest_map_keeps_its_distances_apart():
    """Asked at random, units that are off the map (-1) among them, against a fresh grid."""
    grid, dice = Grid(78, 78), random.Random(7)
    pairs = [(dice.randrange(-1, grid.size), dice.randrange(-1, grid.size)) for _ in range(4000)]
    for a, b in pairs:
        grid.distance(a, -1)
        grid.distance(a, b)
    for a, b in pairs[::200]:
        assert grid.distance(a, b) == Grid(78, 78).distance(a, b)

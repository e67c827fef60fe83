"""Laws of sight over levels: it is mutual, and a map turned or mirrored is seen the same."""

from __future__ import annotations

import random

import pytest

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.sight import (
    BLOCKED,
    degraders,
    look,
    look_from,
    obstacles,
    shield,
)
from tests.engine.ost.cross_sections import (
    ON_HILLS,
    cells,
    half_round,
    hilly,
    mirrored,
    narrowed,
)


@pytest.mark.rule("ost", "12.5.15", "12.1.4")
def test_sight_is_mutual_on_ten_thousand_lines_of_a_hilly_map(ask):
    chance = random.Random("who is seen sees back")
    document = hilly(1)
    forth, back = Ground(document), Ground(document)
    counts = [0, 0, 0, 0]
    for _ in range(10_000):
        a, b = chance.sample(cells(document), 2)
        one, other = look(forth, a, b), look(back, b, a)
        assert one == other
        assert shield(forth, a, b) == shield(back, a, b)
        if one & 3 != BLOCKED:
            assert len(obstacles(forth, a, b)) == one & 3 <= 2
            assert degraders(forth, a, b) == degraders(back, b, a)
        counts[one & 3] += 1
    assert all(count > 50 for count in counts), counts
    ask(LineOfSight(map=document, start="B2", end="E5"))


def test_sight_from_ground_floors_is_mutual_and_never_better():
    chance = random.Random("ground floors")
    document = hilly(4)
    forth, back = Ground(document), Ground(document)
    houses = [h for h in cells(document) if forth.storeys[h]]
    worse = 0
    for _ in range(4_000):
        a, b = chance.choice(houses), chance.choice(cells(document))
        if a == b:
            continue
        low = (forth.base[a], chance.choice((forth.level[b], forth.base[b])))
        one, other = look_from(forth, a, b, low), look_from(back, b, a, low[::-1])
        assert one == other
        assert one >= look(forth, a, b)
        worse += one > look(forth, a, b)
    assert worse > 100


def test_a_map_turned_half_round_is_seen_the_same():
    document = hilly(2)
    here, there = Ground(document), Ground(half_round(document))
    first, last = cells(document)[0], cells(document)[-1]
    chance = random.Random("half round")
    for _ in range(4_000):
        a, b = chance.sample(cells(document), 2)
        assert look(here, a, b) == look(there, first + last - a, first + last - b)


def test_a_map_in_a_mirror_is_seen_the_same():
    document = narrowed(hilly(3))
    here, there = Ground(document), Ground(mirrored(hilly(3)))
    columns = len(document.grid[0])
    chance = random.Random("mirror")

    def image(h: int) -> int:
        row, column = divmod(h, columns)
        return row * columns + columns - 1 - column

    for _ in range(4_000):
        a, b = chance.sample(cells(document), 2)
        assert look(here, a, b) == look(there, image(a), image(b))


def test_a_flat_map_has_no_relief_and_sees_as_before():
    """One gully hex in a corner makes a map hilly; all its other lines are as on the flat."""
    document = hilly(3)
    flat = {"key": "f", "title": "F", "grid": document.grid, "legend": ON_HILLS}
    flat["hexsides"] = document.hexsides
    plain = Ground(HexMap(**flat))
    zero = Ground(HexMap(**flat, levels=("0" * 20,) * 16))
    assert plain.relief == zero.relief == 0
    gully = Ground(HexMap(**flat, levels=("0" * 20,) * 15 + ("0" * 19 + "-",)))
    last = cells(document)[-1]
    chance = random.Random("flat")
    for _ in range(4_000):
        a, b = chance.sample(cells(document), 2)
        if last not in (a, b):
            assert look(plain, a, b) == look(gully, a, b)
            assert degraders(plain, a, b) == degraders(gully, a, b) or look(plain, a, b) & 3 == 3

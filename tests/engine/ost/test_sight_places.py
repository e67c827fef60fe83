"""The hexes and hexsides that an answer about a line of sight points at."""

from __future__ import annotations

import pytest

from rulesengine.geometry.hexes import Grid
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import HexMap, Hexsides
from tests.engine.ost.battles import FIGHTS, fight_of
from tests.engine.ost.cross_sections import hexes
from tests.engine.table import LEGEND


def flat(rows, **more):
    return HexMap(key="flat", title="Flat", grid=tuple(rows), legend=LEGEND, **more)


@pytest.mark.parametrize(
    ("ground", "places"),
    [
        (flat(("..",) * 5), ()),
        (flat(("..", "b.", "..", "b.", "..")), ("A2", "A4")),
        (flat(("..", "w.", "b.", "..", "..")), ("A2",)),
        (flat(("..", "b.", "b.", "b.", "..")), ("A2", "A3", "A4")),
        (
            flat(("..",) * 5, hexsides=(Hexsides(kind="hedge", sides=("A3/N",)),)),
            ("A2/S",),
        ),
        (hexes(".....", "00200"), ("A3",)),
        (hexes("..w..", "20000"), ()),
        (hexes("...w.", "20000"), ("A4",)),
    ],
)
def test_an_answer_points_at_what_blocks_or_degrades_the_line_and_at_nothing_else(
    ask, ground, places
):
    assert ask(LineOfSight(map=ground, start="A1", end="A5")).places == places
    assert set(ask(LineOfSight(map=ground, start="A5", end="A1")).places) == set(places)


@pytest.mark.parametrize("name", [*FIGHTS, "hills"])
def test_a_line_has_such_places_just_when_it_is_not_clear(name, ask):
    ground = fight_of(name).ground
    grid = Grid(len(ground.grid[0]), len(ground.grid))
    last, seen = grid.hexes[-1], set()
    for h in grid.hexes[: grid.columns - 1]:
        answer = ask(LineOfSight(map=ground, start=grid.name(h), end=grid.name(last)))
        seen.add(bool(answer.value))
        assert bool(answer.places) == bool(answer.value), answer.text
    assert True in seen

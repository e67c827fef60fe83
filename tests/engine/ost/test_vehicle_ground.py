"""What the terrain chart asks of wheels and tracks: points, bog rolls, closed ground."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost.charts import MARKERS
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from tests.engine.table import LEGEND, Hexsides

WHEELS, TRACKS = "us-truck", "us-m4"
BOG, NONE = " (a bog roll)", ""

CHART = [
    (".", "1", NONE, "1", NONE, "14.1.2"),
    ("b", "3", BOG, "2", NONE, "14.2.2"),
    ("f", "3", BOG, "2", NONE, "14.3.2"),
    ("t", "3", BOG, "2", NONE, "14.4.2"),
    ("w", "", "", "3", BOG, "14.5.2"),
    ("o", "3", NONE, "2", NONE, "14.6.2"),
    ("c", "2", NONE, "2", NONE, "14.7.2"),
    ("s", "4", BOG, "3", BOG, "14.8.2"),
    ("m", "4", BOG, "3", BOG, "14.9.2"),
    ("x", "4", BOG, "3", BOG, "14.10.3"),
    ("d", "3", BOG, "2", BOG, "14.11.3"),
    ("r", "4", BOG, "3", BOG, "14.12.3"),
]


def drive(ask, key, sign=".", **more):
    ground = HexMap(key="m", title="M", grid=("..", f"{sign}."), legend=LEGEND, **more)
    return ask(DriveCost(map=ground, vehicle=key, facing="S", path=("A1", "A2"), facings=("S",)))


@pytest.mark.parametrize(
    ("sign", "wheels", "wheels_bog", "tracks", "tracks_bog"),
    [pytest.param(*row[:5], marks=pytest.mark.rule("ost", row[5])) for row in CHART],
)
def test_what_the_chart_asks_of_vehicles(ask, sign, wheels, wheels_bog, tracks, tracks_bog):
    rolling, crawling = drive(ask, WHEELS, sign), drive(ask, TRACKS, sign)
    assert crawling.steps == (f"A2: {tracks}{tracks_bog}",)
    if wheels:
        assert rolling.steps == (f"A2: {wheels}{wheels_bog}",)
    else:
        assert "may not go" in rolling.text


@pytest.mark.parametrize(
    ("kind", "wheels", "tracks"),
    [
        pytest.param("hedge", "3", "3", marks=pytest.mark.rule("ost", "15.1.4", "15.0.3")),
        pytest.param("stone wall", "4", "3", marks=pytest.mark.rule("ost", "15.2.4", "15.0.3")),
    ],
)
def test_hexsides_cost_vehicles_points_and_a_bog_roll(ask, kind, wheels, tracks):
    sides = (Hexsides(kind=kind, sides=("A1/S",)),)
    assert drive(ask, WHEELS, hexsides=sides).steps == (f"A2: {wheels}{BOG}",)
    assert drive(ask, TRACKS, hexsides=sides).steps == (f"A2: {tracks}{BOG}",)


@pytest.mark.example("ost", "15.1.e1")
@pytest.mark.rule("ost", "15.1.4", "14.2.2")
def test_the_example_of_the_tank_over_the_hedge_into_brush(ask):
    """Two for the hedge and two for the brush, and a bog roll."""
    sides = (Hexsides(kind="hedge", sides=("A1/S",)),)
    assert drive(ask, TRACKS, "b", hexsides=sides).steps == (f"A2: 4{BOG}",)


@pytest.mark.rule("ost", "14.14.2", "14.14.3")
def test_levels_cost_vehicles_a_point_each(ask):
    assert drive(ask, TRACKS, levels=("00", "10")).steps == ("A2: 2",)
    assert drive(ask, TRACKS, levels=("00", "20")).steps == ("A2: 3",)


def test_markers_ask_of_vehicles_what_is_printed():
    """Wire 4 and 3 beside the terrain, rubble 4 and 3 instead of it, each with a bog roll."""
    for key in ("wire", "rubble"):
        row = next(row for row in MARKERS if row.key == key)
        assert (row.wheeled, row.wheeled_bog, row.tracked, row.tracked_bog) == (8, True, 6, True)
    for key in ("roadblock", "pillbox"):
        row = next(row for row in MARKERS if row.key == key)
        assert (row.wheeled, row.tracked) == (None, None)

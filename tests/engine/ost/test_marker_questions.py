"""Battlefield markers and terrain in questions (OST 13, 14.0): what each changes."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.questions import InfantryAttack, LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import HexMap

MARKED = [
    ("cover", "13.1.2", 1),
    ("foxholes", "13.2.1", 1),
    ("trench", "13.2.2", 2),
    ("bunker", "13.4.4", 3),
    ("pillbox", "13.5.4", 3),
    ("wire", "13.6.1", -1),
    ("roadblock", "13.7.3", 1),
    ("rubble", "13.8.5", 3),
]


@pytest.mark.parametrize(
    ("marker", "rule", "amount"),
    [pytest.param(*row, marks=pytest.mark.rule("ost", row[1])) for row in MARKED],
)
def test_a_marker_on_the_targets_hex_changes_its_defense(ask, marker, rule, amount):
    answer = ask(InfantryAttack(firepower=(4,), defense=4, markers=(marker,)))
    bare = ask(InfantryAttack(firepower=(4,), defense=4))
    assert [(m.rule, m.amount) for m in answer.modifiers] == [(rule, amount)]
    assert bare.modifiers == ()
    assert answer.value == bare.value - amount


@pytest.mark.rule("ost", "14.0.5")
@pytest.mark.parametrize(("sign", "verdict"), [(".", 0), ("b", 1), ("w", None)])
def test_terrain_passes_dims_or_blocks_the_line(ask, sign, verdict):
    legend = {".": "open", "b": "brush", "w": "woods"}
    ground = HexMap(key="m", title="M", grid=("...", f".{sign}.", "...", "..."), legend=legend)
    answer = ask(LineOfSight(map=ground, start="B1", end="B3"))
    words = {0: "clear", 1: "degraded", None: "blocked"}[verdict]
    assert words in answer.text


def strip(rows=6):
    return HexMap(key="m", title="M", grid=("...",) * rows, legend={".": "open"})


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        pytest.param("smoke", "13.9.5", marks=pytest.mark.rule("ost", "13.9.5")),
        pytest.param("wrecks", "13.10.1", marks=pytest.mark.rule("ost", "13.10.1")),
        pytest.param("roadblocks", "13.7.7", marks=pytest.mark.rule("ost", "13.7.7")),
    ],
)
def test_what_lies_on_the_way_dims_the_line(ask, field, rule):
    ground = strip()
    assert ask(LineOfSight(map=ground, start="B1", end="B6")).value == 0
    one = ask(LineOfSight(map=ground, start="B1", end="B6", **{field: ("B3",)}))
    assert (one.value, one.places) == (1, ("B3",))
    assert rule in one.rules
    ends = ask(LineOfSight(map=ground, start="B1", end="B6", **{field: ("B1", "B6")}))
    assert ends.value == 0
    three = ask(LineOfSight(map=ground, start="B1", end="B6", **{field: ("B2", "B3", "B4")}))
    assert three.value == 3


@pytest.mark.rule("ost", "12.4.10", "13.9.7")
def test_smoke_is_not_looked_over(ask):
    ground = msgspec.structs.replace(strip(), levels=("222", *("000",) * 5))
    assert ask(LineOfSight(map=ground, start="B1", end="B6", wrecks=("B3",))).value == 0
    assert ask(LineOfSight(map=ground, start="B1", end="B6", smoke=("B3",))).value == 1


@pytest.mark.parametrize(
    ("field", "into", "out_of"),
    [
        pytest.param("bunkers", 2, 2, marks=pytest.mark.rule("ost", "13.4.5")),
        pytest.param("pillboxes", 2, 2, marks=pytest.mark.rule("ost", "13.5.5")),
        pytest.param("roadblocks", 2, None, marks=pytest.mark.rule("ost", "13.7.2")),
        pytest.param("wire", 2, None, marks=pytest.mark.rule("ost", "13.6.2")),
    ],
)
def test_what_a_marker_costs_on_foot(ask, field, into, out_of):
    ground = strip()
    assert ask(MovementCost(map=ground, path=("B1", "B2"), **{field: ("B2",)})).value == into
    if out_of:
        assert ask(MovementCost(map=ground, path=("B2", "B1"), **{field: ("B2",)})).value == out_of


@pytest.mark.rule("ost", "13.6.3")
def test_wire_ends_a_way(ask):
    answer = ask(MovementCost(map=strip(), path=("B1", "B2", "B3"), points=9, wire=("B2",)))
    assert "ends the move" in answer.text


def test_one_marker_a_hex_in_a_question(ask):
    with pytest.raises(BadDocument, match="roadblocks: B2"):
        ask(MovementCost(map=strip(), path=("B1", "B2"), wire=("B2",), roadblocks=("B2",)))

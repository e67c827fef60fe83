"""Battlefield markers and terrain in questions (OST 13, 14.0): what each changes."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost.questions import InfantryAttack, LineOfSight
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

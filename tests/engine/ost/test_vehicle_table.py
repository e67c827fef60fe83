"""The rows of the Vehicle Combat Table as the player aid prints them, played: OST 1.9."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.charts import VCT_RESULTS
from rulesengine.rulesets.ost.field_events import Blasted
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.vehicles import FLANK
from tests.engine.table import find

COLUMNS = (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7)
"""Firepower less Defense; 3 and 4 share a column of the table, 5 and 6 another."""
PRINTED = {
    12: "D D D-S X X X X X X X X",
    11: "B B D D-S X X X X X X X",
    10: "S B B D D-S X X X X X X",
    9: ". S S B D D-S X X X X X",
    8: ". . S S B D D D-S X X X",
    7: ". . . S S S B D D-S X X",
    6: ". . . . . S S B B D-B X",
    5: ". . . . . . . S S B D-B",
    4: ". . . . . . . . . S B",
    3: ". . . . . . . . . . .",
    2: ". . . . . . . . . . .",
}
"""Rows 6 to 4 aligned to the right, as RULINGS.md has it."""
WIDTHS = (1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1)
DICE = {n: (max(1, n - 6), n - max(1, n - 6)) for n in range(2, 13)}


def expected(roll: int) -> list[str]:
    """By difference, what the row of a roll gives."""
    words = PRINTED[min(12, max(2, roll))].split()
    return [
        "" if word == "." else word
        for word, width in zip(words, WIDTHS, strict=True)
        for _ in range(width)
    ]


def attacked(table, roll: int, difference: int) -> Blasted:
    """A tank struck by that much more than the Defense of its flank, with that roll."""
    board = table().put("tank", "ger-tiger2", "C3").put("u", "us-rifle", "H8")
    play = board.start()
    tank = play["tank"]
    power = Tally(FLANK[play.state.kind[tank]] + difference)
    natural = min(12, max(2, roll))
    changes = Tally(roll - natural)
    play.dice(*DICE[natural], *(1,) * 12)
    return find(play.happens(lambda b: blast.strike(b, tank, power, "artillery", changes)), Blasted)


@pytest.mark.parametrize(
    "roll",
    [pytest.param(n, marks=pytest.mark.rule("ost", f"1.9.p{33 - n}")) for n in range(2, 13)],
)
def test_a_row_of_the_vehicle_table(table, roll):
    """Every column of the row; and where a row ends: the rolls above and below it give the next."""
    for difference, word in zip(COLUMNS, expected(roll), strict=True):
        found = attacked(table, roll, difference)
        assert VCT_RESULTS[found.result] == word, (roll, difference)
    for other in (roll - 1, roll + 1):
        words = expected(other)
        at = next((i for i, w in enumerate(expected(roll)) if w != words[i]), len(words) - 1)
        assert VCT_RESULTS[attacked(table, other, COLUMNS[at]).result] == words[at]


@pytest.mark.parametrize(("difference", "as_if"), [(-9, -5), (12, 7)])
def test_the_outer_columns_hold_for_all_beyond(table, difference, as_if):
    for roll in (2, 7, 12):
        far, near = attacked(table, roll, difference), attacked(table, roll, as_if)
        assert (far.column, far.result) == (near.column, near.result)

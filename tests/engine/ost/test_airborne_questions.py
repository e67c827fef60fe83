"""Questions about drops and gliders against the engine that flies them, over every fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost.airborne_questions import GliderLanding, Paradrop
from rulesengine.rulesets.ost.scenario import HexMap, Hexsides
from tests.engine.ost.test_airborne import find, stick
from tests.engine.ost.test_gliders import glider
from tests.engine.table import LEGEND

ROWS = tuple("." * 12 for _ in range(14))
"""Nothing that is cast off over F6 gets to L14, where the enemy is."""


def map_of(rows, **more):
    return HexMap(key="m", title="M", grid=rows, legend=LEGEND, **more)


def mixed():
    rows = [list(row) for row in ROWS]
    for row, column, sign in ((3, 5, "w"), (4, 5, "b"), (5, 8, "l"), (8, 4, "s"), (2, 5, "m")):
        rows[row][column] = sign
    return tuple("".join(row) for row in rows)


@pytest.mark.rule("ost", "26.3.3", "26.3.5", "26.3.4")
def test_the_drop_asked_is_the_drop_flown(table, ask):
    rows = mixed()
    answer = ask(Paradrop(map=map_of(rows), over="F6", gut_check=7))
    hard = 0
    for way, far in product(range(1, 7), repeat=2):
        board = stick(table, rows=rows, at="F7", falls=(way, far, 1, 1))
        board.counters[:] = [
            (n, k, {"home": "A14", "far": "L14"}.get(n, at), c, q)
            for n, k, at, c, q in board.counters
        ]
        hard += find(board.start().log, x.Landed).column != 0
    assert answer.value == hard
    assert answer.text == f"A hard landing: 1 in {36 // hard}" if 36 % hard == 0 else True
    assert sum(c.over for c in answer.chances) == answer.chances[0].of


def crashes(table, rows, hexsides):
    """The exact chance that the engine wrecks a glider cast off over F6."""
    whole = Fraction(0)
    for way, far, turn in product(range(1, 7), repeat=3):
        open_ends = [((), Fraction(1))]
        while open_ends:
            rolled, weight = open_ends.pop()
            faces = (way, far, turn, *rolled)
            board = glider(table, rows=rows, at="F6", falls=faces, hexsides=hexsides)
            board.counters[:] = [
                (n, k, {"home": "A14", "far": "L14"}.get(n, at), c, q)
                for n, k, at, c, q in board.counters
            ]
            play = rehearse(board)
            if play is None:
                open_ends += [((*rolled, 2), weight / 3), ((*rolled, 3), weight * 2 / 3)]
            else:
                whole += weight * bool(find(play, x.GliderDown).why)
    return whole / 216


def rehearse(board):
    """The log of a landing with just its dice, None if it takes another."""
    assert len(board.falls) < 8
    board.falls = (*board.falls, 1, 1)
    try:
        return board.start().log
    except AssertionError:  # the dice that are loaded do not go round
        return None


@pytest.mark.rule("ost", "26.4.6", "26.4.7", "26.4.12")
def test_the_glider_asked_is_the_glider_flown(table, ask):
    rows = [list(row) for row in ROWS]
    rows[3][5], rows[4][8], rows[7][6] = "w", "b", "l"
    rows = tuple("".join(row) for row in rows)
    sides = (Hexsides(kind="hedge", sides=("F9/S",)), Hexsides(kind="bocage", sides=("C6/N",)))
    answer = ask(GliderLanding(map=map_of(rows, hexsides=sides), over="F6", gut_check=7))
    chance = crashes(table, rows, sides)
    assert 0 < chance < 1
    assert answer.text == f"A crash: {chance.numerator} in {chance.denominator}"


def test_in_the_open_nothing_happens_to_who_jumps(ask):
    answer = ask(Paradrop(map=map_of(tuple("." * 15 for _ in range(15))), over="H8", gut_check=7))
    assert [(c.outcome, c.share) for c in answer.chances] == [("no effect", 1)]
    assert answer.value == 0


def test_a_reduced_squad_in_the_trees_dies_of_casualties(ask):
    rows = tuple("w" * 15 for _ in range(15))
    shares = {
        c.outcome: c.share
        for c in ask(Paradrop(map=map_of(rows), over="H8", gut_check=7, steps=1)).chances
    }
    assert shares["eliminated"] == Fraction(2 + 1, 36)  # 11 and 12 on the column -3


@pytest.mark.parametrize(
    "wrong", [{"over": "ZZ1"}, {"gut_check": 1}, {"steps": 3}], ids=lambda w: next(iter(w))
)
@pytest.mark.parametrize("kind", [Paradrop, GliderLanding])
def test_what_is_asked_wrongly_is_named(ask, kind, wrong):
    fields = {"map": map_of(ROWS), "over": "F6", "gut_check": 7, **wrong}
    with pytest.raises(BadDocument, match=next(iter(wrong))):
        ask(kind(**fields))

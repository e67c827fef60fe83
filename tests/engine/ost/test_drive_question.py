"""The question about a drive agrees with driving. OST 14, 23.4, 23.5."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesengine.documents import BadDocument
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from tests.engine.table import Road

ROWS = ("........",) * 3 + ("...s....", "........", "...ww...", "........", "........")
LANE = (Road(name="Lane", hexes="D8 D7 D6"),)
WAYS = [
    (("D7", "N"), ("D6", "N")),
    (("D7", "NE"), ("E7", "NE")),
    (("D8", "S"), ("D7", "S")),
    (("D7", "NW"), ("C7", "NW"), ("C8", "NW")),
]


def asked(board, *ways, start="D8", facing="N", vehicle="us-m4", **more):
    return DriveCost(
        map=board.map,
        vehicle=vehicle,
        facing=facing,
        path=(start, *(h for h, _ in ways)),
        facings=tuple(word for _, word in ways),
        **more,
    )


@pytest.mark.parametrize("ways", WAYS)
def test_the_points_are_those_of_the_drive(table, ask, ways):
    board = table(ROWS, roads=LANE).put("tank", "us-m4", "D8").put("foe", "ger-rifle", "H1")
    spent = ask(asked(board, *ways)).text.partition(" ")[0]
    play = board.start()
    news = play.drive("tank", *((h, DIRECTION_NAMES.index(word)) for h, word in ways))
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    driven = sum(x.halves for x in news if isinstance(x, (v.Drove, v.Turned)))
    assert Fraction(spent) == Fraction(driven, 2)


@pytest.mark.rule("ost", "23.5.1", "23.5.p1")
@pytest.mark.parametrize(("vehicle", "bogs"), [("us-m4", 1), ("us-truck", 2)])
def test_the_chance_to_bog_down_is_exact(table, ask, vehicle, bogs):
    board = table(ROWS)
    answer = ask(asked(board, ("D4", "N"), start="D5", vehicle=vehicle))
    chances = {c.outcome: Fraction(c.over, c.of) for c in answer.chances}
    assert chances == {"gets to D4": 1 - Fraction(bogs, 6), "bogs down in D4": Fraction(bogs, 6)}


@pytest.mark.rule("ost", "23.0.4", "23.0.5")
def test_too_far_is_said_and_one_hex_always_goes(table, ask):
    board = table(ROWS)
    far = [(f"A{n}", "N") for n in range(7, 0, -1)]
    assert "is too far" in ask(asked(board, *far, start="A8", shaken=True)).text
    alone = asked(board, ("D4", "S"), start="D5", facing="S", shaken=True)
    assert "4 movement points: can be done" in ask(alone).text


def test_where_it_may_not_go_is_said_with_the_rule(table, ask):
    board = table(("..h", "...", "..."))
    answer = ask(asked(board, ("C1", "N"), start="C2", vehicle="us-truck"))
    assert "may not go" in answer.text
    assert answer.rules


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        ((), "path, facings"),
        ((("A1", "N"),), "not adjacent"),
        ((("D7", "S"),), "one hexside"),
        ((("Z9", "N"),), "Z9"),
    ],
)
def test_a_course_that_is_none_is_refused_in_words(table, ask, ways, words):
    with pytest.raises(BadDocument, match=words):
        ask(asked(table(ROWS), *ways))


def test_what_is_no_vehicle_is_refused_in_words(table, ask):
    with pytest.raises(BadDocument, match="us-rifle"):
        ask(asked(table(ROWS), ("D7", "N"), vehicle="us-rifle"))

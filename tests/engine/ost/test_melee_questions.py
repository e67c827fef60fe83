"""The question about a round of melee, against the book, the table and figures by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.events import MeleeJoined
from rulesengine.rulesets.ost.melee_questions import (
    FirstUnit,
    MeleeRound,
    MeleeSide,
    SecondUnit,
)
from tests.engine.ost.melees import NEXT_TURN, joined
from tests.engine.ost.test_questions import ROWS, WAYS, chances, odds
from tests.engine.table import find


def side(first, second="", leader="", **more):
    own = more.pop("own", {})
    other = more.pop("other", {})
    return MeleeSide(
        first=FirstUnit(counter=first, **own),
        second=SecondUnit(counter=second, **other),
        leader=leader,
        **more,
    )


def line(answer, words):
    return next(step for step in answer.steps if words in step)


def share(answer, words, outcome):
    """The exact chance of what becomes of one of them."""
    parts = line(answer, words).split(": ", 1)[1].split("; ")
    found = {name.rsplit(" ", 1)[0]: Fraction(name.rsplit(" ", 1)[1]) for name in parts}
    assert sum(found.values()) == 1
    return found.get(outcome, Fraction(0))


BOOK = MeleeRound(one=side("us-rifle", "us-m4"), two=side("ger-rifle", leader="ger-sergeant"))
"""Of 30.3: a tank and a squad against a squad and a leader."""


@pytest.mark.rule("ost", "30.3.2", "30.3.3", "30.3.4")
def test_the_example_of_the_book(ask):
    answer = ask(BOOK)
    assert answer.text == (
        "One side FP 12 - Defense 5 = column +7; 2D6 +1. "
        "Other side FP 7 - Defense 9 = column -2; 2D6 +1"
    )


@pytest.mark.rule("ost", "30.5.1", "30.5.3")
def test_a_concentrated_attack_as_in_the_example_of_the_book(ask):
    answer = ask(MeleeRound(one=BOOK.one, two=BOOK.two, concentrate="first"))
    assert "Other side FP 7 - Defense 4 = column +3/+4" in answer.text
    assert "One side FP 12 - Defense 5 = column +7" in answer.text
    assert line(answer, "Sherman") == "one side, M4A1 Sherman (75 mm): not struck 1"
    tank = ask(MeleeRound(one=BOOK.one, two=BOOK.two, concentrate="second"))
    assert "Other side FP 7 - Defense 5 = column +2" in tank.text


@pytest.mark.rule("ost", "30.5.3")
def test_a_leader_is_struck_with_a_foot_unit_that_is_singled_out(ask):
    q = MeleeRound(
        one=side("us-rifle", "us-rifle", leader="us-sergeant"),
        two=side("ger-rifle"),
        concentrate="second",
    )
    answer = ask(q)
    assert "Other side FP 6 - Defense 5 = column +1" in answer.text
    assert [step.split(": ")[1].startswith("not struck") for step in answer.steps] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.rule("ost", "30.3.5", "30.3.7")
def test_each_enemy_is_rolled_for_in_the_same_column(ask):
    """FP 6 against 4, both ways: column +2, without a modifier."""
    answer = ask(MeleeRound(one=side("us-rifle"), two=side("ger-rifle")))
    gone = sum(odds(WAYS[n]) for n in ROWS if ROWS[n].split()[7] == "X")
    assert gone == odds(3)
    assert share(answer, "one side", "eliminated") == gone
    assert share(answer, "other side", "eliminated") == gone
    found = chances(answer)
    assert found["one side is gone; other side is gone"] == gone * gone


def test_the_sides_by_hand_from_what_becomes_of_each(ask):
    answer = ask(MeleeRound(one=side("us-rifle"), two=side("ger-rifle")))
    fights = sum(share(answer, "other side", name) for name in ("no effect", "one step lost"))
    whole = {name: chance for name, chance in chances(answer).items() if "side fights on" in name}
    assert sum(c for name, c in whole.items() if name.endswith("other side fights on")) == fights


@pytest.mark.parametrize(
    ("first", "own", "said"),
    [
        pytest.param(
            "us-rifle", {"morale": "shaken"}, "FP 4 -", marks=pytest.mark.rule("ost", "17.2.7")
        ),
        pytest.param(
            "us-rifle",
            {"morale": "broken"},
            "does not strike",
            marks=pytest.mark.rule("ost", "30.2.9"),
        ),
        pytest.param("us-rifle", {"weapon": "us-lmg"}, "FP 8 -"),
        pytest.param("us-sniper", {}, "FP 1 -", marks=pytest.mark.rule("ost", "7.1.6", "30.2.4")),
        pytest.param("us-truck", {}, "does not strike"),
    ],
)
def test_what_a_side_strikes_with(ask, first, own, said):
    answer = ask(MeleeRound(one=side(first, own=own), two=side("ger-rifle")))
    assert answer.text.removeprefix("One side ").startswith(said)


@pytest.mark.rule("ost", "10.1.4")
def test_an_antitank_weapon_adds_two_against_a_vehicle_only(ask):
    def text(enemy):
        own = side("us-rifle", own={"weapon": "us-bazooka"})
        return ask(MeleeRound(one=own, two=side(enemy))).text

    assert text("ger-pz4g").startswith("One side FP 8 -")
    assert text("ger-rifle").startswith("One side FP 6 -")


@pytest.mark.parametrize(
    ("own", "shock"),
    [({}, True), ({"morale": "shaken"}, False), ({"out": "engine"}, True)],
)
def test_a_tank_that_can_fight_is_a_shock(ask, own, shock):
    q = MeleeRound(
        one=MeleeSide(
            first=FirstUnit(counter="us-rifle"), second=SecondUnit(counter="us-m4", **own)
        ),
        two=side("ger-rifle"),
    )
    rules = {m.rule for m in ask(q).modifiers}
    assert ("30.2.5" in rules) is shock


@pytest.mark.parametrize(("morale", "helps"), [("good order", True), ("shaken", False)])
def test_only_a_leader_in_good_order_helps_the_roll(ask, morale, helps):
    q = MeleeRound(
        one=side("us-rifle", leader="us-sergeant", leader_morale=morale), two=side("ger-rifle")
    )
    own = [
        m for m in ask(q).modifiers if m.name.startswith("roll of one side") and m.rule == "7.2.4"
    ]
    assert bool(own) is helps


def test_the_table_shows_what_the_answer_said(ask, table):
    play = joined(table, german={"weapon": "ger-lmg"})
    event = find(play.out(1, 1, 1, 1, *NEXT_TURN), MeleeJoined)
    answer = ask(MeleeRound(one=side("us-rifle"), two=side("ger-rifle", own={"weapon": "ger-lmg"})))
    for mine in (0, 1):
        figures = f"FP {event.firepower[mine]} - Defense {event.defense[1 - mine]} "
        assert figures in answer.text


@pytest.mark.parametrize(
    ("question", "word"),
    [
        (MeleeRound(one=side("us-m4"), two=side("ger-pz4g")), "one, two"),
        (MeleeRound(one=side("us-lmg"), two=side("ger-rifle")), "one.first.counter"),
        (MeleeRound(one=side("us-rifle", "nobody"), two=side("ger-rifle")), "one.second.counter"),
        (MeleeRound(one=side("us-rifle"), two=side("ger-rifle", leader="us-m4")), "two.leader"),
        (
            MeleeRound(one=side("us-rifle", leader="us-armor-leader"), two=side("ger-rifle")),
            "one.leader",
        ),
        (
            MeleeRound(one=side("us-m4", own={"weapon": "us-lmg"}), two=side("ger-rifle")),
            "one.first.weapon",
        ),
        (
            MeleeRound(one=side("us-rifle", own={"out": "engine"}), two=side("ger-rifle")),
            "one.first.out",
        ),
        (
            MeleeRound(one=side("us-sniper", own={"reduced": True}), two=side("ger-rifle")),
            "one.first.reduced",
        ),
        (MeleeRound(one=side("us-rifle", gut_check=14), two=side("ger-rifle")), "one.gut_check"),
        (MeleeRound(one=side("us-sniper", "us-rifle"), two=side("ger-rifle")), "one.first"),
        (
            MeleeRound(one=side("us-rifle"), two=side("ger-rifle"), concentrate="first"),
            "concentrate",
        ),
    ],
)
def test_a_wrong_question_names_its_field(ask, question, word):
    with pytest.raises(BadDocument, match=f"^{word}"):
        ask(question)


@pytest.mark.rule("ost", "7.2.5", "30.3.4")
def test_a_leader_adds_to_the_defense_that_the_other_sides_attack_faces(ask):
    answer = ask(MeleeRound(one=side("ger-rifle"), two=side("sov-rifle", leader="sov-lieutenant")))
    helps = [(m.name, m.amount) for m in answer.modifiers if m.rule in ("7.2.4", "7.2.5")]
    assert helps == [
        ("Defense of other side: leader attached, in melee", 1),
        ("FP of other side: leader attached, in melee", 1),
        ("roll of other side: leader attached, in melee", 1),
    ]
    assert "One side FP 6 - Defense 5" in answer.text

"""The players' sheet: terms of a scenario in the words of a table."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine import terms
from rulesengine.rulesets.ost.scenario import (
    CardCopies,
    ControlHex,
    Goal,
    LuckCards,
    Named,
    Need,
    Victory,
)
from rulesengine.rulesets.ost.sheet import BAD_ROADS, HEAVY_URBAN
from tests.engine.ost import battles

CALLED = {"us": "Americans", "german": "Germans"}
CONTROL = (ControlHex(hex="C2", name="Church"), ControlHex(hex="D2", name="D2"))
CHURCH = Need(kind="control", hexes="C2", at_least=1)


@pytest.fixture
def board(table):
    return table().put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8")


def said(scenario):
    return {term.label: term.text for term in terms.told(scenario, CALLED)[0]}


def aimed(board, *needs, when="end", side="us", **victory):
    goals = (Goal(name="The goal", side=side, needs=needs, when=when),)
    return board.scenario(victory=Victory(goals=goals, **victory), control=CONTROL).document()


@pytest.mark.parametrize(
    ("needs", "when", "words"),
    [
        ((CHURCH,), "end", "Americans win if they hold Church (C2) at the end."),
        ((CHURCH,), "at once", "Americans win at once if they hold Church (C2)."),
        (
            (CHURCH,),
            "turn end",
            "Americans win with the turn if at its end they hold Church (C2).",
        ),
        (
            (Need(kind="control", at_least=2), Need(kind="own losses", at_most=1)),
            "end",
            "Americans win if they hold Church (C2) and D2 and lose at most 1 casualty point "
            "at the end.",
        ),
        (
            (Need(kind="control", at_least=1), Need(kind="exited", at_least=3)),
            "end",
            "Americans win if they hold at least 1 of Church (C2); D2 and get at least 3 of their "
            "units off the map at the end.",
        ),
        (
            (Need(kind="buildings", hexes="F5:F7", at_least=3),),
            "end",
            "Americans win if they hold all of the buildings at F5, F6, F7 at the end.",
        ),
        (
            (Need(kind="enemy losses", at_least=4), Need(kind="points", at_least=9)),
            "at once",
            "Americans win at once if they cost the enemy at least 4 casualty points and have at "
            "least 9 victory points.",
        ),
    ],
)
def test_a_goal_is_a_sentence(board, needs, when, words):
    assert said(aimed(board, *needs, when=when))["The goal"] == words


def test_margin_and_head_start_are_silent_where_goals_alone_decide(board):
    alone = aimed(board, CHURCH, otherwise="german", margin=3, handicap=5)
    told, bare = terms.told(alone, CALLED)
    assert {"victory.margin", "victory.handicap", "victory.goals"} <= set(bare)
    assert told[1].text == "Otherwise the Germans win."
    told, bare = terms.told(aimed(board, CHURCH, margin=3), CALLED)
    assert "victory.margin" not in bare
    assert told[1].text == "Points decide."
    points = aimed(board, Need(kind="points", at_least=3), otherwise="german", handicap=5)
    assert "victory.handicap" not in terms.told(points, CALLED)[1]


def test_luck_cards_are_told_with_the_deck_in_full(board):
    deck = (CardCopies(card="second-wind", copies=2),)
    cards = LuckCards(each=3, deck=deck)
    told = said(msgspec.structs.replace(aimed(board, CHURCH), luck_cards=cards))
    assert told["draw"] == "Each side draws 3 luck cards after the set-up."
    assert told["deck"] == "A deck of this scenario; cards in it: 2."
    assert told["2 × Second wind"].startswith("A shaken or broken unit")


def test_what_is_particular_of_a_map_is_told(board):
    plain = aimed(board, CHURCH)
    assert not {"bad roads", "a city"} & set(said(plain))
    names = (Named(hex="D2", name="Mill"),)
    ground = msgspec.structs.replace(plain.ground, bad_roads=True, heavy_urban=True, names=names)
    told = said(msgspec.structs.replace(plain, ground=ground))
    assert (told["bad roads"], told["a city"]) == (BAD_ROADS, HEAVY_URBAN)


def test_what_comes_by_air_is_its_own_sides_term():
    battle = battles.parachuted()
    flown = [term for term in terms.told(battle, {})[0] if term.label == "airborne"]
    assert [term.side for term in flown] == [side.side for side in battle.terms]
    unit = battle.terms[0].side
    assert "Before the battle, flying " in flown[0].text
    assert f"a transport from B4:N9 with {unit} late stick, supplies {unit} can; " in flown[0].text
    assert f"a glider in A1:O12 with {unit} late glider." in flown[0].text


@pytest.mark.parametrize("goals", [False, True])
def test_a_side_without_anybody_has_lost_is_said_last_and_is_no_figure_of_ours(board, goals):
    """OST 3.1.10."""
    document = aimed(board, CHURCH) if goals else board.scenario().document()
    victory = [term for term in terms.told(document, CALLED)[0] if term.head == "victory"]
    assert [term.label for term in victory[:-1]] == (
        ["The goal", "where no goal is met"] if goals else []
    )
    assert "nobody left" in victory[-1].text
    assert [term.printed for term in victory] == [False] * (len(victory) - 1) + [True]

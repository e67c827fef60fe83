"""Both sides of the borders of luck cards (OST 3.3): who may use one, on whom, and what is left."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.state import BROKEN, SHAKEN
from tests.engine.ost.test_luck_cards import WIDE, board, struck
from tests.engine.ost.test_luck_effects import against, shaken
from tests.engine.table import US


def locked(play, *names):
    """These are in a melee."""
    for name in names:
        play.state.melees[play.state.hex[play[name]]] = US
    return play


def test_who_is_in_a_melee_sees_nothing_for_a_card(table):
    play = board(table, us=("stray-shells",)).start()
    play.state.melees[play.hex("C8")] = US
    assert "sees" in play.refused(play.card("stray-shells", "C3")).why


@pytest.mark.parametrize("key", ["second-wind", "quick-spades", "once-more"])
def test_cards_are_no_help_in_a_melee(table, key):
    play = board(table, us=(key,)).start()
    if key == "second-wind":
        shaken(play, "a")
    play.state.moved[play["a"]] = key == "once-more"
    locked(play, "a")
    assert play.refused(play.card(key, on="a")).rule == "3.3.6"
    play.state.melees.clear()
    play.do(play.card(key, on="a"))


def test_no_cover_is_dug_by_a_leader_with_a_unit(table):
    made = table(WIDE).put("a", "us-rifle", "C8", leader="boss").put("b", "ger-rifle", "C3")
    play = made.hand(("quick-spades",), ()).start()
    assert "look for cover" in play.refused(play.card("quick-spades", on="boss")).why


def test_once_more_is_not_for_who_fired_intensively(table):
    play = board(table, us=("once-more",)).start()
    play.state.fired[play["a"]] = 2
    play.state.done[play["a"]] = True
    assert "intensively" in play.refused(play.card("once-more", on="a")).why


def test_once_more_is_all_of_a_turn_again(table):
    made = table(WIDE).put("a", "us-rifle", "C8", weapon="us-bar").put("h", "us-hmg", "D9")
    play = made.put("b", "ger-rifle", "C3").hand(("once-more", "once-more"), ()).start()
    state, weapon = play.state, play["a's weapon"]
    state.fired[play["a"]], state.firer_of[weapon] = 2, play["a"]
    play.do(play.card("once-more", on="a"))
    assert (state.acts(play["a"]), state.firer_of[weapon]) == (0, -1)
    state.moved[play["h"]] = state.displaced[play["h"]] = True
    play.do(play.card("once-more", on="h"))
    assert not state.displaced[play["h"]], "a weapon marked * fires as if it had not moved"


def test_panic_is_not_for_the_broken(table):
    play = board(table, us=("panic",)).start()
    shaken(play, "b", BROKEN)
    assert "broken" in play.refused(play.card("panic", on="b")).why
    play.state.morale[play["b"]] = SHAKEN
    play.dice(6, 6).do(play.card("panic", on="b"))


def test_a_squad_in_a_melee_throws_no_grenades_elsewhere(table):
    made = table(WIDE).put("a", "us-rifle", "C4").put("b", "ger-rifle", "C3")
    play = locked(made.hand(("grenades",), ()).start(), "a")
    assert "next to it" in play.refused(play.card("grenades", on="b")).why


@pytest.mark.parametrize(
    ("key", "hexes"), [("stray-shells", ("C3",)), ("strafing-run", ("C3", "C2", "C1"))]
)
def test_who_hides_where_a_card_strikes_is_found(table, key, hexes):
    made = table(WIDE).put("a", "us-rifle", "C8").put("b", "ger-rifle", "C3", hidden=True)
    play = made.put("x", "ger-rifle", "L12").hand((key,), ()).start()
    news = play.dice(1, 1).do(play.card(key, *hexes))
    assert [event.target for event in struck(news)] == [play["b"]]
    assert not play.state.hidden[play["b"]]


def group(table, card):
    made = table(WIDE).put("a", "us-rifle", "C8", leader="boss").put("c", "us-rifle", "C8")
    return made.put("b", "ger-rifle", "C5").hand((), (card,)).start()


def test_a_jammed_group_has_spent_two_points(table):
    play = group(table, "jammed")
    before = play.state.impulses[US]
    play.fire("a", "b", partner="c")
    play.do(play.card("jammed"))
    assert play.state.impulses[US] == before - 2
    assert [play.state.fired[play[n]] for n in "ac"] == [1, 1]


@pytest.mark.rule("ost", "27.7.1")
def test_jammed_intensive_fire_was_the_last_of_the_turn(table):
    play = table(WIDE).put("a", "us-rifle", "C8").put("b", "ger-rifle", "C5")
    play = play.hand((), ("jammed",)).start()
    for _ in range(2):
        play.dice(1, 1).fire("a", "b")
        play.do(a.KeepCard())
        play.idle()
    play.fire("a", "b")
    play.do(play.card("jammed"))
    assert play.state.done[play["a"]]
    assert play.state.morale[play["a"]] == SHAKEN
    play.idle()
    assert play.refused(play.shot("a", "b")).rule in ("27.7.3", "17.2.p1")


def test_a_group_that_trips_a_wire_has_spent_two_points(table):
    play = group(table, "trip-wire")
    before = play.state.impulses[US]
    play.move("a", "C9", partner="c")
    play.dice(6, 6, 6, 6, 6).do(play.card("trip-wire"))
    assert play.state.impulses[US] == before - 2
    assert play.state.moved[play["c"]], "though it was the first who was hit"


def test_who_trips_a_wire_is_hidden_no_more(table):
    made = table(WIDE).put("a", "us-rifle", "C8", hidden=True).put("b", "ger-rifle", "C3")
    play = made.hand((), ("trip-wire",)).start()
    play.move("a", "C9")
    play.dice(6, 6, 6, 6, 6).do(play.card("trip-wire"))
    assert not play.state.hidden[play["a"]]


def test_an_impulse_that_comes_to_nothing_was_the_first_of_the_turn(table):
    play = against(table, "jammed").start()
    assert play.state.first_play
    play.fire("a", "b")
    play.do(play.card("jammed"))
    assert not play.state.first_play

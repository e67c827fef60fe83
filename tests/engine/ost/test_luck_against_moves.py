"""Luck cards against every order by which somebody moves (OST 3.3.3, 24.0.5, 23.2, 23.6.4): getting
on and off a vehicle, rolling cover, and leaving the map are moves like any other."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import luck_events as x
from rulesengine.rulesets.ost import luck_menu
from tests.engine.ost.test_luck_cards import WIDE, struck
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")
OFFERED = ("a luck card, or none", GERMAN)


def with_tank(table, card, *, tank=""):
    """A squad in C10, a tank with it or near it, and a German far off who holds a card."""
    made = table(WIDE).put("a", "us-rifle", "C10").put("tank", "us-m4", tank or "C10")
    made.put("z", "ger-rifle", "L1").hand((), (card,))
    return made.way_out(US, "A12:L12")


def rolling(play, *hexes):
    return a.RollingCover(
        unit=play["a"],
        vehicle=play["tank"],
        path=tuple(play.hex(h) for h in hexes),
        facings=(0,) * len(hexes),
    )


def leaving(play, unit, *hexes):
    return a.Exit(
        unit=play[unit],
        path=tuple(play.hex(h) for h in hexes),
        facings=(0,) * len(hexes) if unit == "tank" else (),
    )


def offered(play, order):
    """Whether the holder of the card is asked before anything of the order happens."""
    play.do(order)
    return (play.wants, play.owed) == OFFERED


def answer(play, card):
    """The card is played; nobody fires at what still moves."""
    news = play.do(play.card(card))
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    return news


@pytest.mark.rule("ost", "3.3.3")
def test_a_squad_on_its_way_to_a_vehicle_has_second_thoughts(table):
    play = with_tank(table, "second-thoughts", tank="C8").start()
    assert offered(play, play.boarding("a", "tank", "C9", "C8"))
    answer(play, "second-thoughts")
    assert play.at("a") == "C9"
    assert not play.state.riding


def test_who_only_gets_on_goes_no_farther_than_a_hex(table):
    play = with_tank(table, "second-thoughts").start()
    assert not offered(play, play.boarding("a", "tank"))
    assert play.state.riding


def test_who_gets_off_goes_no_farther_than_the_first_hex(table):
    play = with_tank(table, "second-thoughts")
    play.aboard.append(("a", "tank"))
    play = play.start()
    assert offered(play, play.alighting("a", "C9", "C8"))
    answer(play, "second-thoughts")
    assert play.at("a") == "C9"
    assert not play.state.riding


def test_a_squad_in_rolling_cover_has_second_thoughts_with_its_tank(table):
    play = with_tank(table, "second-thoughts").start()
    assert offered(play, rolling(play, "C9", "C8"))
    answer(play, "second-thoughts")
    assert (play.at("a"), play.at("tank")) == ("C9", "C9")


def test_who_is_about_to_leave_stops_short_of_the_edge(table):
    play = with_tank(table, "second-thoughts").start()
    assert offered(play, leaving(play, "a", "C11", "C12"))
    answer(play, "second-thoughts")
    assert play.at("a") == "C11"
    assert not play.state.exited


@pytest.mark.rule("ost", "3.3.3")
def test_a_cold_engine_keeps_squad_and_tank_where_they_are(table):
    play = with_tank(table, "cold-engine").start()
    before = play.state.impulses[US]
    assert offered(play, rolling(play, "C9", "C8"))
    spoiled = find(answer(play, "cold-engine"), x.OrderSpoiled)
    assert spoiled.units == (play["a"], play["tank"])
    assert (play.at("a"), play.at("tank")) == ("C10", "C10")
    assert play.state.moved[play["a"]]
    assert play.state.moved[play["tank"]]
    assert play.state.impulses[US] == before - 2


def test_a_cold_engine_keeps_a_vehicle_on_the_map(table):
    play = with_tank(table, "cold-engine").start()
    assert offered(play, leaving(play, "tank", "C11", "C12"))
    answer(play, "cold-engine")
    assert play.at("tank") == "C10"


def test_a_cold_engine_is_nothing_to_those_who_walk_off(table):
    play = with_tank(table, "cold-engine").start()
    assert not offered(play, leaving(play, "a", "C11", "C12"))


@pytest.mark.rule("ost", "3.3.3")
@pytest.mark.parametrize("how", ["getting on", "getting off", "rolling cover", "leaving"])
@pytest.mark.parametrize(("dice", "moves"), [((5, 4), False), ((1, 1), True)])
def test_a_trip_wire_is_on_the_way_of_all_who_walk(table, how, dice, moves):
    board = with_tank(table, "trip-wire")
    if how == "getting off":
        board.aboard.append(("a", "tank"))
    play = board.start()
    order = {
        "getting on": lambda: play.boarding("a", "tank"),
        "getting off": lambda: play.alighting("a", "C9"),
        "rolling cover": lambda: rolling(play, "C9"),
        "leaving": lambda: leaving(play, "a", "C11", "C12"),
    }[how]()
    assert offered(play, order)
    news = play.dice(*dice).do(play.card("trip-wire"))
    assert struck(news)[0].firepower == 3
    assert ("OrderSpoiled" in kinds(news)) != moves
    assert play.state.moved[play["a"]]
    assert play.state.moved[play["tank"]] == (how == "rolling cover")


def test_a_trip_wire_is_nothing_to_a_tank(table):
    play = with_tank(table, "trip-wire").start()
    assert not offered(play, leaving(play, "tank", "C11", "C12"))


@pytest.mark.parametrize("how", ["getting off", "rolling cover"])
def test_who_trips_a_wire_beside_a_hidden_vehicle_gives_it_away(table, how):
    board = with_tank(table, "trip-wire")
    board.hidden += ["a", "tank"]
    if how == "getting off":
        board.aboard.append(("a", "tank"))
    play = board.start()
    order = rolling(play, "C9") if how == "rolling cover" else play.alighting("a", "C9")
    assert offered(play, order)
    play.dice(5, 4).do(play.card("trip-wire"))
    assert not any(play.state.hidden[play[name]] for name in ("a", "tank"))


@pytest.mark.parametrize(("path", "plays"), [(("C9", "C8"), False), (("C9", "C8", "C7"), True)])
def test_the_ai_does_not_waste_second_thoughts_on_a_short_way(table, path, plays):
    play = with_tank(table, "second-thoughts", tank=path[-1]).start()
    assert offered(play, play.boarding("a", "tank", *path))
    chosen = luck_menu.answer(OST.view(play.state, GERMAN), {})
    assert isinstance(chosen, a.PlayCard) == plays

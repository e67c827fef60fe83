"""Unmanned guns come upon otherwise than by a plain move (OST 8.0.3, 8.0.5, 8.0.6, 8.0.9): by an
assault move, getting off a vehicle, walking beside a tank."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.counters import place
from tests.engine.table import US, ControlHex, find, kinds

FIELD = ("........",) * 12
MILL = (ControlHex(hex="D4", name="Mill", owner="german", per_turn=1),)
WAYS = ("assault", "get off and walk", "get off there", "walk beside a tank")


def left(table, way, who="us-rifle", weapon="us-lmg"):
    """A PaK 36 without its crew in D4, and somebody who may come to it in one of the ways."""
    board = table(FIELD).put("tank", "us-m4", "D8", facing=0)
    board = board.put("gun", "ger-pak36", "D4", facing=3)
    rides = {"on": "v"} if way.startswith("get off") else {}
    board = board.put("v", "us-m4" if way == WAYS[3] else "us-m3-halftrack", "D5", facing=0)
    board = board.put("who", who, "D5", weapon=weapon, **rides)
    board = board.put("pz", "ger-pz4h", "H4", facing=4).put("far", "ger-rifle", "A12")
    play = board.scenario(control=MILL).start()
    play.dice(6, 6, 5).shoot("tank", "gun")
    play.idle()
    if way == "get off there":
        held(play, play.course("v", ("D4", 0)))
        play.idle()
    return play


def order(play, way, **claim):
    who, there = play["who"], play.hex("D4")
    if way == "assault":
        return a.AssaultMove(unit=who, hex=there, **claim)
    if way == "walk beside a tank":
        return a.RollingCover(unit=who, vehicle=play["v"], path=(there,), facings=(0,), **claim)
    return a.Unload(unit=who, path=() if way == "get off there" else (there,), **claim)


def held(play, action):
    """Do it while the enemy holds his fire."""
    news = play.do(action)
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    return news


@pytest.mark.rule("ost", "8.0.3", "8.0.6")
@pytest.mark.parametrize("way", WAYS)
def test_a_squad_mans_a_gun_however_it_comes_to_it(table, way):
    play = left(table, way)
    claim = order(play, way, gun=play["gun"])
    menu = play.menu()
    assert claim in menu
    assert replace(claim, scrap=True) in menu
    manned = find(held(play, claim), v.GunManned)
    assert (manned.unit, manned.captured) == (play["who"], True)
    assert play.at("who") == "D4"
    assert not play.state.unmanned
    assert play.state.weapon[play["who"]] == -1, "its own weapon is put down"
    assert play["who"] not in play.state.rolling, "guns do not walk beside tanks"


@pytest.mark.rule("ost", "8.0.5", "8.0.4")
@pytest.mark.parametrize("way", ["assault", "walk beside a tank"])
def test_what_it_fires_then_is_moving_fire_and_its_last_act(table, way):
    play = left(table, way)
    held(play, order(play, way, gun=play["gun"]))
    who = play["who"]
    play.state.facing[who] = 2
    play.idle()
    hit = find(play.dice(3, 3).fire("who", "pz"), v.HitRolled)
    assert hit.total == 4, "-1 for moving fire, -1 for an enemy's gun"
    assert play.state.acts(who) == 2


@pytest.mark.rule("ost", "8.0.9")
@pytest.mark.parametrize("way", WAYS)
def test_it_may_destroy_it_instead_for_nothing(table, way):
    play = left(table, way)
    points, losses = play.state.impulses[US], list(play.state.loss_points)
    news = held(play, order(play, way, gun=play["gun"], scrap=True))
    assert find(news, v.GunDestroyed).gun == play["gun"]
    assert play.state.impulses[US] == points - (2 if way == WAYS[3] else 1)
    assert play.state.loss_points == losses
    assert not play.state.unmanned


@pytest.mark.parametrize("way", WAYS)
def test_without_saying_so_it_stands_beside_the_gun(table, way):
    play = left(table, way)
    news = held(play, order(play, way))
    assert play.at("who") == "D4"
    assert "GunManned" not in kinds(news)
    assert play["gun"] in play.state.unmanned


@pytest.mark.rule("ost", "8.0.3")
def test_a_crewed_weapon_gets_off_to_destroy_a_gun_but_not_to_man_it(table):
    play = left(table, "get off and walk", "us-mmg", "")
    claim = order(play, "get off and walk", gun=play["gun"])
    assert play.refused(claim).rule == "8.0.3"
    assert "GunDestroyed" in kinds(held(play, replace(claim, scrap=True)))


@pytest.mark.rule("ost", "8.0.6")
@pytest.mark.parametrize("way", WAYS)
def test_there_has_to_be_a_gun_where_it_ends(table, way):
    play = left(table, way)
    assert play.refused(order(play, way, gun=play["pz"])).rule == "8.0.6"
    play.state.unmanned[play["gun"]] = play.hex("A1")
    assert play.refused(order(play, way, gun=play["gun"])).rule == "8.0.6"


@pytest.mark.rule("ost", "30.1.3")
def test_an_enemy_beside_the_gun_is_fought_first(table):
    play = left(table, "assault")
    place(play.state, play["far"], play.hex("D4"))
    refusal = play.refused(order(play, "assault", gun=play["gun"]))
    assert refusal.rule == "30.1.3"
    assert not [x for x in play.menu() if getattr(x, "gun", -1) == play["gun"]]
    assert "MeleeMarked" in kinds(held(play, order(play, "assault")))


@pytest.mark.rule("ost", "8.0.4")
@pytest.mark.parametrize("first", ["move", "assault"])
def test_manning_gives_no_action_back(table, first):
    """A move and an assault move are two, in whichever order they bring it to the gun."""
    board = table(FIELD).put("tank", "us-m4", "D8").put("gun", "ger-pak36", "D4", facing=3)
    board = board.put("who", "us-rifle", "D6").put("pz", "ger-pz4h", "H4", facing=4)
    mills = tuple(replace(MILL[0], hex=h, name=h) for h in ("D4", "D5"))
    play = board.put("far", "ger-rifle", "A12").scenario(control=mills).start()
    play.dice(6, 6, 5).shoot("tank", "gun")
    play.idle()
    near, there = play.hex("D5"), play.hex("D4")
    if first == "move":
        held(play, play.way("who", "D5"))
        play.idle()
        held(play, a.AssaultMove(unit=play["who"], hex=there, gun=play["gun"]))
    else:
        held(play, a.AssaultMove(unit=play["who"], hex=near))
        play.idle()
        held(play, a.Move(unit=play["who"], path=(there,), gun=play["gun"]))
    assert play["who"] in play.state.manning
    assert play.state.acts(play["who"]) == 2

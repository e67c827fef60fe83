"""Anti-tank guns (OST 8.0, 8.2): left without a crew, manned, captured, wrecked, left again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from tests.engine.table import GERMAN, US, find, kinds

LONG = ("........",) * 12
NEXT_TURN = (6, 6, 1, 1, 1, 1)


def left(table, face=5, *, squad="us-rifle", reduced=False):
    """A PaK 36 whose crew has been destroyed, and a squad of each side beside it."""
    board = table(LONG).put("tank", "us-m4", "D8", facing=0).put("gun", "ger-pak36", "D4", facing=3)
    board = board.put("squad", squad, "D5", reduced=reduced, weapon="us-lmg")
    play = board.put("owner", "ger-rifle", "D3").put("pz", "ger-pz4h", "H4", facing=4).start()
    play.dice(6, 6, face).shoot("tank", "gun")
    play.idle()
    return play


def claim(play, unit, *, scrap=False, at="D4"):
    return a.Move(unit=play[unit], path=(play.hex(at),), gun=play["gun"], scrap=scrap)


def take(play, unit, **more):
    news = play.do(claim(play, unit, **more))
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    return news


@pytest.mark.border("ost", "8")
@pytest.mark.rule("ost", "8.0.2")
@pytest.mark.parametrize(("face", "stays"), [(4, False), (5, True), (6, True)])
def test_on_a_five_or_six_the_gun_stays(table, face, stays):
    play = left(table, face)
    assert (play["gun"] in play.state.unmanned) == stays
    assert play.state.loss_points == [0, 2]


@pytest.mark.rule("ost", "8.0.3", "8.0.6")
@pytest.mark.parametrize("reduced", [False, True])
def test_a_squad_that_moves_in_captures_it(table, reduced):
    play = left(table, reduced=reduced)
    news = take(play, "squad")
    assert find(news, v.GunManned).captured
    assert play.state.kind[play["squad"]] == play.state.kind[play["gun"]]
    assert play.state.facing[play["squad"]] == 3
    assert play.steps("squad") == (1 if reduced else 2)
    assert play.state.weapon[play["squad"]] == -1


@pytest.mark.rule("ost", "8.0.5", "8.0.4")
def test_a_captured_gun_fires_at_once_but_worse(table):
    board = table(LONG).put("tank", "us-m4", "D9", facing=0)
    board = board.put("gun", "ger-pak36", "D4", facing=3).put("squad", "us-rifle", "D3")
    play = board.put("pz", "ger-pz4h", "D7", facing=0).start()
    play.dice(6, 6, 5).shoot("tank", mg="", target="gun")
    play.idle()
    take(play, "squad")
    play.idle()
    hit = find(play.dice(3, 3).fire("squad", "pz"), v.HitRolled)
    assert hit.total == 4


@pytest.mark.rule("ost", "8.0.3")
def test_its_own_side_mans_it_again(table):
    play = left(table)
    play.idle()
    news = take(play, "owner")
    assert not find(news, v.GunManned).captured


@pytest.mark.rule("ost", "8.0.9", "1.6.p12")
def test_a_squad_may_destroy_it_instead(table):
    play = left(table)
    points = list(play.state.loss_points)
    news = take(play, "squad", scrap=True)
    assert "GunDestroyed" in kinds(news)
    assert play["gun"] not in play.state.unmanned
    assert play.state.loss_points == points


def beside(table, kind):
    """The gun without its crew, and somebody else beside it."""
    other = table(LONG).put("tank", "us-m4", "D8", facing=0).put("gun", "ger-pak36", "D4", facing=3)
    other = other.put("who", kind, "D5").put("owner", "ger-rifle", "A1")
    play = other.start()
    play.dice(6, 6, 5).shoot("tank", "gun")
    play.idle()
    return play


@pytest.mark.border("ost", "8")
@pytest.mark.parametrize(
    ("kind", "mans"),
    [("us-rifle", True), ("us-mmg", False), ("us-crew", False), ("us-sergeant", False)],
)
def test_squads_man_a_gun_and_anybody_on_foot_destroys_it(table, kind, mans):
    play = beside(table, kind)
    if not mans:
        assert play.refused(claim(play, "who")).rule == "8.0.3"
    news = take(play, "who", scrap=True)
    assert "GunDestroyed" in kinds(news)
    assert not play.state.unmanned
    assert play.at("who") == "D4"
    play = beside(table, kind)
    if mans:
        assert find(take(play, "who"), v.GunManned).captured


@pytest.mark.rule("ost", "8.0.9")
def test_a_tank_drives_over_a_gun(table):
    play = beside(table, "us-m4")
    course = a.Drive(unit=play["who"], path=(play.hex("D4"),), facings=(0,), gun=play["gun"])
    menu = play.menu()
    assert course in menu
    points = play.state.impulses[US]
    news = play.do(course)
    assert find(news, v.GunDestroyed).unit == play["who"]
    assert play.state.impulses[US] == points - 1, "for the move, nothing for the gun"
    assert not play.state.unmanned
    past = beside(table, "us-m4")
    elsewhere = a.Drive(unit=past["who"], path=(past.hex("D6"),), facings=(0,), gun=past["gun"])
    assert past.refused(elsewhere).rule == "8.0.6"
    past.drive("who", ("D4", 0))
    assert past["gun"] in past.state.unmanned, "without a word it is left alone"


@pytest.mark.border("ost", "8")
@pytest.mark.parametrize(
    ("dice", "gone"),
    [
        pytest.param((1, 1), True, marks=pytest.mark.rule("ost", "8.0.9")),
        ((6, 6, 6, 6, 6), False),
    ],
    ids=["missed", "wrecked, the crew gets out"],
)
def test_fire_at_the_tank_comes_before_it_reaches_for_the_gun(table, dice, gone):
    board = table(LONG).put("tank", "us-m4", "D8", facing=0).put("gun", "ger-pak36", "D4", facing=3)
    play = board.put("who", "us-m4", "D5").put("pz", "ger-pz4h", "F5", facing=4).start()
    play.dice(6, 6, 5).shoot("tank", "gun")
    play.idle()
    course = a.Drive(unit=play["who"], path=(play.hex("D4"),), facings=(0,), gun=play["gun"])
    assert "GunDestroyed" not in kinds(play.do(course))
    assert play.wants == "opportunity fire"
    news = play.dice(*dice).shoot("pz", "who")
    assert ("Wrecked" in kinds(news)) is not gone
    assert ("GunDestroyed" in kinds(news)) is gone
    assert (play["gun"] in play.state.unmanned) is not gone


@pytest.mark.border("ost", "8")
def test_of_a_group_the_squad_that_is_named_mans_the_gun(table):
    board = table(LONG).put("tank", "us-m4", "D8", facing=0).put("gun", "ger-pak36", "D4", facing=3)
    board.put("one", "us-rifle", "D5", leader="boss").put("mmg", "us-mmg", "D5")
    play = board.put("owner", "ger-rifle", "A1").start()
    play.dice(6, 6, 5).shoot("tank", "gun")
    play.idle()
    order = replace(claim(play, "one"), partner=play["mmg"])
    crew = replace(claim(play, "mmg"), partner=play["one"])
    assert play.refused(crew).rule == "8.0.3"
    play.do(order)
    news = play.do(a.HoldFire())
    assert find(news, v.GunManned).unit == play["one"]
    assert (play.at("one"), play.at("mmg"), play.at("boss")) == ("D4", "D4", "D4")


@pytest.mark.rule("ost", "8.2.2", "8.2.3", "8.2.4")
def test_who_manned_it_leaves_it_again_with_his_losses(table):
    play = left(table)
    take(play, "squad")
    play.idle()
    play.given(e.CasualtyTaken(unit=play["squad"], points=1))
    play.do(a.LeaveGun(unit=play["squad"]))
    assert play.steps("squad") == 1
    assert play.state.kind[play["squad"]] == play.state.start_types[play["squad"]]
    assert play["gun"] in play.state.unmanned
    assert play.owed == US


@pytest.mark.rule("ost", "8.2.1")
def test_a_guns_own_crew_never_leave_it(table):
    board = table(LONG).put("a", "us-rifle", "A1").put("gun", "ger-pak36", "D4")
    play = board.to_move(GERMAN).start()
    assert play.refused(a.LeaveGun(unit=play["gun"])).rule == "8.2.1"


@pytest.mark.rule("ost", "8.0.6")
def test_there_must_be_a_gun_where_the_move_ends(table):
    play = left(table, 4)
    assert play.refused(claim(play, "squad")).rule == "8.0.6"


@pytest.mark.rule("ost", "8.0.13", "27.5.4")
def test_a_gun_that_was_turned_fires_as_moving_fire(table):
    board = table(LONG).put("a", "us-m4", "D9").put("gun", "ger-pak40", "D4", facing=0)
    play = board.to_move(GERMAN).start()
    play.do(a.Pivot(unit=play["gun"], facing=3))
    play.idle()
    assert find(play.dice(1, 1).fire("gun", "a"), v.HitRolled).total == 1


@pytest.mark.rule("ost", "24.0.15")
def test_a_gun_marked_t_does_not_walk(table):
    board = table(LONG).put("a", "us-m4", "D9").put("gun", "ger-pak40", "D4", facing=0)
    play = board.to_move(GERMAN).start()
    assert play.refused(play.way("gun", "D5")).rule == "24.0.15"


@pytest.mark.rule("ost", "8.0.12")
def test_a_gun_shoots_vehicles_in_its_arc_only(table):
    board = table(LONG).put("a", "us-m4", "D9").put("gun", "ger-pak40", "D4", facing=0)
    play = board.to_move(GERMAN).start()
    assert play.refused(play.shot("gun", "a")).rule == "8.0.12"


@pytest.mark.rule("ost", "29.0.12")
def test_against_foot_a_vehicle_fires_without_a_roll_to_hit(table):
    play = table(LONG).put("a", "us-m4", "D9").put("b", "ger-rifle", "D4").start()
    news = play.dice(1, 1).shoot("a", "b")
    assert "HitRolled" not in kinds(news)
    assert find(news, e.Shot).firepower == 4


def test_a_lost_gun_is_told_in_the_result(table):
    play = left(table)
    fate = next(f for f in play.battle.ruleset.result(play.state).elements if f.element == "gun")
    assert (fate.after, fate.cause) == ("eliminated", "gun without its crew")


def test_a_captured_gun_that_falls_with_its_new_crew_is_captured_no_longer(table):
    play = left(table)
    take(play, "squad")
    play.given(
        e.Eliminated(unit=play["squad"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("D4"), roll=Roll(0, 6, (1,)), remains=False),
    )
    fate = next(f for f in play.battle.ruleset.result(play.state).elements if f.element == "gun")
    assert (fate.after, fate.cause) == ("eliminated", "combat")

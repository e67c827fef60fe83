"""Riding on vehicles (OST 24.0 to 24.3): on and off, who fires, who is a target, who goes on."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.contract import Battle, Illegal
from rulesengine.documents import Arrival
from rulesengine.play import act
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.deployment import plan
from rulesengine.rulesets.ost.kinds import NO_RIDERS, TRAITS
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.state import OFF
from tests.engine.table import GERMAN, US, ControlHex, Feed, Road, find, kinds

FIELD = ("..........",) * 9
WOODED = (*FIELD[:4], "..w.......", *FIELD[:4])
QUIET = (6, 6, 1, 1, 1, 1)
"""Dice of a turn's end and the next one's beginning: the US are to move."""


def depot(table, unit="us-rifle", vehicle="us-truck", *, at="C6", on="C6", rows=FIELD, **more):
    """A unit and a vehicle, and a German far off so that the battle goes on."""
    board = table(rows).put("v", vehicle, on).put("a", unit, at, **more)
    return board.put("z", "ger-rifle", "J1")


def riding(table, unit="us-rifle", vehicle="us-truck", *, h="C6", rows=FIELD, **more):
    board = table(rows).put("v", vehicle, h).put("a", unit, h, on="v", **more)
    return board.put("z", "ger-rifle", "J1")


# --- getting on ------------------------------------------------------------------------------


@pytest.mark.rule("ost", "24.1.1", "24.1.2", "24.0.5")
def test_getting_on_is_a_move_and_takes_a_point_of_the_unit_alone(table):
    play = depot(table).start()
    news = play.load("a", "v")
    assert find(news, t.Loaded).unit == play["a"]
    assert play.state.riding == {play["a"]: play["v"]}
    assert play.state.moved[play["a"]]
    assert not play.state.moved[play["v"]]
    assert play.state.impulses[US] == 20


@pytest.mark.rule("ost", "24.1.3", "24.0.4")
def test_the_books_rifle_walks_two_hexes_and_gets_on_then_the_vehicle_drives_six(table):
    play = depot(table, vehicle="us-m3-halftrack", at="C8", on="C6").start()
    news = play.load("a", "v", "C7", "C6")
    assert find(news, t.LoadDeclared).vehicle == play["v"]
    play.idle()
    play.drive("v", ("C5", 0), ("C4", 0), ("C3", 0), ("C2", 0), ("C1", 0))
    assert (play.at("a"), play.at("v")) == ("C1", "C1")
    assert play.state.moved[play["a"]]
    assert play.state.moved[play["v"]]


@pytest.mark.rule("ost", "24.1.3")
def test_the_way_and_getting_on_fit_its_points(table):
    play = depot(table, at="C9").start()
    play.load("a", "v", "C8", "C7", "C6")
    assert play.state.riding
    play = depot(table, "us-engineer", at="C9").start()
    assert play.refused(play.boarding("a", "v", "C8", "C7", "C6")).rule == "24.1.3"


@pytest.mark.rule("ost", "24.1.2")
def test_the_vehicle_has_to_be_where_the_path_ends(table):
    play = depot(table, at="C8").start()
    assert play.refused(play.boarding("a", "v", "C7")).rule == "24.1.2"
    assert play.refused(play.boarding("a", "v")).rule == "24.1.2"


@pytest.mark.rule("ost", "24.1.1")
def test_a_gun_of_one_point_waits_in_the_hex_to_be_loaded(table):
    play = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak36", "C7")
    play = play.put("b", "ger-pak36", "C6").put("z", "us-rifle", "J1").to_move(GERMAN).start()
    assert play.refused(play.boarding("a", "v", "C6")).rule == "24.1.3"
    play.load("b", "v")
    assert play.state.riding == {play["b"]: play["v"]}


@pytest.mark.rule("ost", "24.0.15", "24.1.1")
def test_a_towed_gun_is_loaded_and_unloaded_for_a_point_each_and_counts_as_moved(table):
    board = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak40", "C6")
    play = board.put("z", "us-rifle", "J1").to_move(GERMAN).start()
    points = play.state.impulses[GERMAN]
    news = play.load("a", "v")
    assert find(news, t.Loaded).towed
    assert play.state.impulses[GERMAN] == points - 1
    assert play.state.moved[play["a"]]
    play.out(1, 1, 6, 6, 1, 1)
    points = play.state.impulses[GERMAN]
    news = play.unload("a", facing=2)
    assert find(news, t.Unloaded).towed
    assert play.state.impulses[GERMAN] == points - 1
    assert play.state.moved[play["a"]]


@pytest.mark.rule("ost", "24.1.1")
def test_a_towed_gun_does_not_walk_to_its_vehicle(table):
    board = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak40", "C7")
    play = board.put("z", "us-rifle", "J1").to_move(GERMAN).start()
    assert play.refused(play.boarding("a", "v", "C6")).rule == "24.1.1"


@pytest.mark.rule("ost", "24.0.p1")
@pytest.mark.parametrize(("unit", "vehicle", "able"), [
    ("us-rifle", "us-m4", True),
    ("us-sergeant", "us-jeep", True),
    ("us-sniper", "us-jeep", True),
    ("us-mmg", "us-truck", True),
    ("us-crew", "us-truck", False),
    ("us-rifle", "us-m8", False),
])  # fmt: skip
def test_who_rides_and_on_what(table, unit, vehicle, able):
    play = depot(table, unit, vehicle).start()
    if able:
        play.load("a", "v")
        assert play["a"] in play.state.riding
    else:
        assert play.refused(play.boarding("a", "v")).rule == "24.0.p1"


def test_which_vehicles_take_no_riders_is_a_trait_of_their_card():
    assert TRAITS[BY_KEY["us-m8"]] & NO_RIDERS
    assert not TRAITS[BY_KEY["sov-t34"]] & NO_RIDERS


@pytest.mark.rule("ost", "24.0.2")
def test_one_unit_with_its_leader_and_weapon_and_nobody_more(table):
    board = depot(table, leader="l", weapon="us-bazooka").put("b", "us-sergeant", "C6")
    play = board.start()
    play.load("a", "v")
    play.idle()
    assert play.refused(play.boarding("b", "v")).rule == "24.0.2"
    assert play.refused(play.boarding("l", "v")).rule == "7.3.7"
    play.drive("v", ("C5", 0))
    assert play.at("l") == play.at("a's weapon") == play.at("a") == "C5"


@pytest.mark.rule("ost", "24.0.8", "20.0.3")
def test_a_loaded_vehicle_is_one_unit_in_its_hex(table):
    play = riding(table).put("b", "us-rifle", "C6").put("c", "us-rifle", "C7").start()
    assert play.refused(play.way("c", "C6")).rule == "20.0.4"
    play = riding(table).put("c", "us-rifle", "C7").start()
    news = play.move("c", "C6")
    assert play.at("c") == "C6"
    assert not play.state.room(play.hex("C6"), US, 1)
    play.cited.take(play.log, news)


def test_where_the_vehicle_and_another_stand_nobody_comes_to_get_on(table):
    play = depot(table, at="C7").put("b", "us-rifle", "C6").start()
    assert play.refused(play.boarding("a", "v", "C6")).rule == "20.0.4"
    play.load("b", "v")
    play.idle()
    play.move("a", "C6")
    assert play.at("a") == "C6"


def test_a_passengers_leader_counts_where_the_vehicle_goes(table):
    board = riding(table, leader="l").put("x", "us-sergeant", "C5").put("y", "us-sergeant", "C5")
    play = board.start()
    assert play.refused(play.course("v", ("C5", 0))).rule == "20.0.4"


def test_a_broken_unit_neither_gets_on_nor_off(table):
    play = depot(table, morale="broken").start()
    assert play.refused(play.boarding("a", "v")).rule == "17.3.2"
    play = riding(table, morale="broken").start()
    assert play.refused(play.alighting("a")).rule == "17.3.2"


def test_who_has_moved_does_not_get_on_and_who_got_on_does_not_get_off_this_turn(table):
    play = depot(table, at="C7").start()
    play.move("a", "C6")
    play.idle()
    assert play.refused(play.boarding("a", "v")).rule == "23.0.1"
    play = depot(table).start()
    play.load("a", "v")
    play.idle()
    assert play.refused(play.alighting("a")).rule == "23.0.1"


def test_a_hidden_vehicle_comes_out_when_somebody_gets_on(table):
    board = table(FIELD).put("v", "us-truck", "C6", hidden=True).put("a", "us-rifle", "C6")
    play = board.put("z", "ger-rifle", "J1").start()
    news = play.load("a", "v")
    assert find(news, e.Revealed).units == (play["v"],)
    assert play.state.known[GERMAN][play["a"]] == play.hex("C6")


# --- while riding ----------------------------------------------------------------------------


@pytest.mark.rule("ost", "24.0.6")
def test_riders_do_not_fire_nor_do_anything_else(table):
    play = riding(table, weapon="us-bazooka").put("b", "ger-rifle", "C4").start()
    assert play.refused(play.shot("a", "b")).rule == "24.0.6"
    assert play.refused(a.SeekCover(unit=play["a"])).rule == "24.0.6"
    assert play.refused(play.way("a", "C5")).rule == "24.0.5"
    assert play.refused(play.assault("a", "C5")).rule == "24.0.5"


@pytest.mark.rule("ost", "24.0.7")
def test_a_loaded_tank_does_not_fire_an_empty_one_does(table):
    play = riding(table, vehicle="us-m4").put("b", "ger-rifle", "C4").start()
    assert play.refused(play.salvo("v", "b")).rule == "24.0.7"
    play.unload("a")
    play.idle()
    news = play.dice(1, 2, 1, 2).shoot("v", "b")
    assert find(news, e.Shot).target == play["b"]


@pytest.mark.rule("ost", "24.3.2")
def test_an_armored_troop_transport_fires_while_loaded(table):
    play = depot(table, vehicle="us-m3-halftrack").put("b", "ger-rifle", "C3").start()
    play.load("a", "v")
    play.idle()
    news = play.dice(1, 2).shoot("v", mg="b")
    assert find(news, e.Shot).firers == (play["v"],)


@pytest.mark.rule("ost", "25.0.11")
def test_a_loaded_vehicle_does_not_assault(table):
    play = riding(table, vehicle="us-m4").put("b", "ger-rifle", "C5").start()
    assert play.refused(play.assault("v", "C5")).rule == "25.0.11"


def test_nobody_reacts_who_rides(table):
    board = riding(table).put("b", "ger-rifle", "C3")
    play = board.to_move(GERMAN).start()
    play.move("b", "C4")
    assert play.wants == "an impulse"


def test_who_rides_is_not_reformed(table):
    play = riding(table, leader="l").start()
    news = play.out(*QUIET)
    assert "ReformOwed" in kinds(news)
    assert play.refused(a.Detach(leader=play["l"])).rule == "24.0.2"


@pytest.mark.rule("ost", "24.0.10")
def test_passengers_are_a_target_of_their_own_also_on_the_move(table):
    play = riding(table, vehicle="us-m4").put("b", "ger-rifle", "E4").start()
    play.drive("v", ("C5", 0))
    assert play.refused(play.shot("b", "v")).rule == "29.0.1"
    news = play.dice(5, 6, 1, 1).fire("b", "a")
    assert find(news, e.Shot).target == play["a"]
    assert "CollateralDue" not in kinds(news)
    assert "DrivesOn" in kinds(news)


def test_standing_passengers_are_fired_at_like_anybody(table):
    play = riding(table, vehicle="us-m4").put("b", "ger-rifle", "C4").to_move(GERMAN).start()
    news = play.dice(5, 6, 1, 1).fire("b", "a")
    assert find(news, e.Shot).target == play["a"]
    assert "DrivesOn" not in kinds(news)


@pytest.mark.border("ost", "24")
@pytest.mark.parametrize(
    ("vehicle", "change"),
    [
        pytest.param("us-m3-halftrack", 1, marks=pytest.mark.rule("ost", "24.3.1")),
        pytest.param("us-m4", -1, marks=pytest.mark.rule("ost", "24.3.3")),
        pytest.param("us-truck", -1, marks=pytest.mark.rule("ost", "24.3.4")),
    ],
)
def test_what_a_vehicle_does_for_its_passengers(table, vehicle, change):
    play = riding(table, vehicle=vehicle).put("b", "ger-rifle", "C4").to_move(GERMAN).start()
    news = play.dice(1, 2).fire("b", "a")
    assert find(news, e.Shot).defense == 4 + change


def test_terrain_counts_for_passengers_as_for_their_vehicle(table):
    rows = (*FIELD[:4], "..h.......", *FIELD[:4])
    board = (
        table(rows, roads=(Road(hexes="C5 C6"),))
        .put("v", "us-truck", "C5")
        .put("a", "us-rifle", "C5", on="v")
    )
    play = board.put("b", "ger-rifle", "C4").to_move(GERMAN).start()
    news = play.dice(1, 2).fire("b", "a")
    assert find(news, e.Shot).defense == 3


@pytest.mark.rule("ost", "23.0.10", "24.0.13", "27.6.4")
def test_a_vehicle_drives_on_whatever_happens_to_its_passengers(table):
    play = riding(table, vehicle="us-truck").put("b", "ger-rifle", "E4").start()
    play.drive("v", ("C5", 0), ("C4", 0))
    assert play.wants == "opportunity fire"
    news = play.dice(5, 5, 1, 1).fire("b", "a")
    assert find(news, t.DrivesOn).vehicle == play["v"]
    assert "MoveStopped" not in kinds(news)
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert (play.at("v"), play.at("a")) == ("C4", "C4")
    assert play.steps("a") == 1
    assert play.owed == GERMAN


def test_passengers_who_fall_are_gone_and_the_vehicle_may_fire_again(table):
    play = riding(table, "us-rifle", "us-m4", reduced=True).put("b", "ger-rifle", "C4")
    play = play.to_move(GERMAN).start()
    play.dice(6, 6).fire("b", "a")
    assert play.state.hex[play["a"]] == OFF
    assert not play.state.riding
    news = play.dice(1, 2, 1, 2).shoot("v", "b", "b")
    assert "VehicleFireDeclared" in kinds(news)


@pytest.mark.parametrize(("loaded", "taken"), [(True, US), (False, -1)])
def test_a_squad_takes_the_control_hex_it_rides_through(table, loaded, taken):
    board = riding(table) if loaded else depot(table)
    play = board.scenario(control=(ControlHex(hex="C5", name="Bridge", at_end=1),)).start()
    play.drive("v", ("C5", 0), ("C4", 0))
    assert play.state.control == [taken]


def test_a_leader_whose_unit_falls_is_left_where_it_fell(table):
    play = riding(table, leader="l", reduced=True).put("b", "ger-rifle", "E4").start()
    play.drive("v", ("C5", 0), ("C4", 0))
    play.dice(6, 6, 6).fire("b", "a")
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert (play.at("v"), play.at("l")) == ("C4", "C5")
    assert play.state.attached[play["l"]] == -1


# --- getting off -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "24.2.1", "24.2.2", "24.0.9")
def test_getting_off_takes_a_point_and_the_terrain_in_the_hex_of_the_vehicle(table):
    for rows, cost in ((FIELD, 2), (WOODED, 3)):
        play = riding(table, vehicle="us-m4", h="C5", rows=rows).start()
        news = play.unload("a")
        assert find(news, t.Unloaded).cost == cost
        assert play.at("a") == play.at("v") == "C5"
        assert play.state.moved[play["a"]]
        assert not play.state.moved[play["v"]]


@pytest.mark.rule("ost", "24.0.9")
def test_a_vehicle_loads_or_unloads_before_its_move_or_after_it_never_between(table):
    play = riding(table).start()
    play.drive("v", ("C5", 0))
    play.idle()
    play.unload("a")
    play.idle()
    assert play.refused(play.course("v", ("C4", 0))).rule == "23.0.1"
    play = riding(table).start()
    play.unload("a")
    play.idle()
    play.drive("v", ("C5", 0))
    assert (play.at("a"), play.at("v")) == ("C6", "C5")


@pytest.mark.rule("ost", "24.2.4")
@pytest.mark.parametrize(("unit", "path", "able"), [
    ("us-rifle", ("C5", "C4"), True),
    ("us-rifle", ("C5", "C4", "C3"), False),
    ("us-engineer", ("C5",), True),
    ("us-engineer", ("C5", "C4"), False),
])  # fmt: skip
def test_who_gets_off_goes_on_with_what_is_left(table, unit, path, able):
    play = riding(table, unit).start()
    if able:
        play.unload("a", *path)
        assert play.at("a") == path[-1]
    else:
        assert play.refused(play.alighting("a", *path)).rule == "24.2.4"


@pytest.mark.rule("ost", "24.2.1")
def test_who_has_one_point_uses_it_all_to_get_off(table):
    board = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak36", "C6", on="v")
    play = board.put("z", "us-rifle", "J1").to_move(GERMAN).start()
    assert play.refused(play.alighting("a", "C5")).rule == "24.2.4"
    news = play.unload("a")
    assert find(news, t.Unloaded).cost == 1


@pytest.mark.parametrize(("vehicle", "covered"), [
    pytest.param("us-m3-halftrack", True, marks=pytest.mark.rule("ost", "24.2.3", "23.2.11")),
    pytest.param("us-m4", True, marks=pytest.mark.rule("ost", "24.2.3", "23.2.11")),
    ("us-truck", False),
])  # fmt: skip
def test_who_gets_off_an_armored_vehicle_is_in_its_cover_until_he_leaves_it(
    table, vehicle, covered
):
    play = riding(table, vehicle=vehicle).put("b", "ger-rifle", "C4").start()
    news = play.unload("a")
    news += play.dice(1, 2).fire("b", "a")
    assert find(news, e.Shot).defense == 4 + covered
    play = riding(table, vehicle=vehicle).start()
    play.unload("a", "C5")
    assert not play.state.rolling


@pytest.mark.rule("ost", "24.2.5", "8.0.10")
def test_an_unloaded_gun_is_turned_as_wished_and_does_not_fire_this_turn(table):
    board = table(FIELD).put("v", "ger-truck", "C6").put("a", "ger-pak40", "C6", on="v")
    play = board.put("z", "us-m4", "C2").to_move(GERMAN).start()
    play.unload("a", facing=0)
    assert play.state.facing[play["a"]] == 0
    play.idle()
    assert play.refused(play.shot("a", "z")).rule == "24.2.5"
    play.out(1, 1, 6, 6, 1, 1)
    play.dice(6, 5, 6, 5, 1)
    assert "HitRolled" in kinds(play.fire("a", "z"))


def test_where_no_room_is_nobody_gets_off(table):
    play = riding(table).put("b", "us-rifle", "C6").start()
    assert play.refused(play.alighting("a")).rule == "20.0.4"
    assert play.refused(play.alighting("b")).rule == "24.2.2"


def test_opportunity_fire_meets_who_goes_on(table):
    play = riding(table).put("b", "ger-rifle", "C3").start()
    play.unload("a", "C5")
    assert play.wants == "opportunity fire"
    news = play.dice(5, 5, 1, 1).fire("b", "a")
    assert "MoveStopped" in kinds(news)
    assert play.at("a") == "C5"


# --- weapons on the way ----------------------------------------------------------------------


def laid_down(table, truck="C6", lies="C5"):
    """A truck, and a bazooka that lies in the next hex."""
    board = table(FIELD).put("v", "us-truck", truck)
    board.put("a", "us-rifle", lies, weapon="us-bazooka")
    play = board.put("z", "ger-rifle", "J1").start()
    weapon = play["a's weapon"]
    play.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    return play, weapon


@pytest.mark.rule("ost", "24.0.3", "24.0.2")
def test_a_vehicle_takes_a_weapon_on_and_puts_it_down_for_a_point_each(table):
    play, weapon = laid_down(table)
    drive = a.Drive(
        unit=play["v"],
        path=(play.hex("C5"), play.hex("C4")),
        facings=(0, 0),
        weapons=((1, weapon), (2, weapon)),
    )
    news = play.do(drive)
    assert [x.taken for x in news if isinstance(x, t.Fetched)] == [True, False]
    assert play.at("a's weapon") == "C4"
    assert not play.state.freight


@pytest.mark.rule("ost", "24.0.3")
def test_each_stop_takes_a_movement_point_of_the_vehicle(table):
    play, weapon = laid_down(table, "C9", "C8")
    way = tuple(play.hex(f"C{row}") for row in range(8, 0, -1))
    eight = a.Drive(unit=play["v"], path=way, facings=(0,) * 8)
    assert RULESET.refuse(RULESET.view(play.state, US), eight) is None
    stopping = msgspec.structs.replace(eight, weapons=((1, weapon),))
    assert play.refused(stopping).rule == "23.0.4"
    seven = a.Drive(unit=play["v"], path=way[:7], facings=(0,) * 7, weapons=((1, weapon),))
    assert RULESET.refuse(RULESET.view(play.state, US), seven) is None
    elsewhere = msgspec.structs.replace(seven, weapons=((2, weapon),))
    assert play.refused(elsewhere).rule == "24.0.3"


def test_a_weapon_on_a_vehicle_is_put_down_before_a_squad_takes_it(table):
    play, weapon = laid_down(table)
    play.do(a.Drive(unit=play["v"], path=(play.hex("C5"),), facings=(0,), weapons=((1, weapon),)))
    play.idle()
    take = a.PickUp(unit=play["a"], weapon=weapon)
    assert play.refused(take).rule == "24.0.3"
    assert any("carries" in mark for piece in RULESET.board(play.state, GERMAN)
               for mark in piece.marks)  # fmt: skip
    play.given(v.Wrecked(unit=play["v"], points=1, why="soft"))
    play.do(take)
    assert play.state.weapon[play["a"]] == weapon


@pytest.mark.parametrize(("truck", "cause"), [("us-truck", ""), ("ger-truck", "captured")])
def test_a_weapon_on_a_vehicle_is_of_whoever_has_the_vehicle(table, truck, cause):
    board = table(FIELD).put("v", truck, "C6").put("a", "us-rifle", "C7", weapon="us-bazooka")
    play = board.put("z", "ger-rifle", "J1").start()
    weapon = play["a's weapon"]
    play.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    play.given(t.Fetched(weapon=weapon, vehicle=play["v"], taken=True))
    fate = next(x for x in RULESET.result(play.state).elements if x.element == "a's weapon")
    assert fate.cause == cause
    assert (fate.after == "fit") == (not cause)


# --- at the start ----------------------------------------------------------------------------


@pytest.mark.rule("ost", "23.6.2")
def test_a_vehicle_comes_on_with_its_passenger_for_one_point(table):
    board = riding(table, vehicle="us-m3-halftrack", h="")
    board.put("c", "us-rifle", "A8")
    board.scenario(arrivals=(Arrival(units=("v", "a"), turn=1, at="C8"),))
    play = board.start()
    assert play.state.hex[play["a"]] == OFF
    points = play.state.impulses[US]
    play.drive("v", ("C8", 0), ("C7", 0))
    assert play.at("a") == play.at("v") == "C7"
    assert play.state.impulses[US] == points - 1
    assert not play.state.waiting
    assert not play.state.moved[play["a"]]


def test_who_waits_aboard_does_not_come_on_alone(table):
    board = riding(table, vehicle="us-m3-halftrack", h="").put("c", "us-rifle", "A8")
    board.scenario(arrivals=(Arrival(units=("v", "a"), turn=1, at="C8"),))
    play = board.start()
    assert play.refused(play.way("a", "C8")).rule == "24.0.5"


def test_two_units_do_not_start_on_one_vehicle_nor_one_apart_from_it(table):
    board = riding(table).put("b", "us-rifle", "C6", on="v")
    with pytest.raises(Illegal, match=r"24\.0\.2"):
        board.start()
    board = depot(table, at="C7", on="C6")
    board.aboard.append(("a", "v"))
    with pytest.raises(Illegal, match=r"24\.1\.2"):
        board.start()


def test_who_rides_on_a_hidden_vehicle_is_hidden_with_it(table):
    board = table(FIELD).put("v", "us-truck", "C6", hidden=True)
    board.put("a", "us-rifle", "C6", on="v").put("z", "ger-rifle", "J1")
    with pytest.raises(Illegal, match=r"21\.0\.3"):
        board.start()
    board = table(FIELD).put("v", "us-truck", "C6", hidden=True)
    board.put("a", "us-rifle", "C6", on="v", hidden=True).put("z", "ger-rifle", "J1")
    play = board.start()
    loaded = find(play.log, t.Loaded)
    assert RULESET.narrate(play.state, loaded, GERMAN) is None
    assert RULESET.narrate(play.state, loaded, US) is not None
    assert not any(p.hex == "C6" for p in RULESET.board(play.state, GERMAN))
    play.drive("v", ("C5", 0))
    assert {p.id for p in RULESET.board(play.state, GERMAN) if p.hex == "C5"} == {"v", "a"}


def test_guns_that_cannot_walk_arrive_with_vehicles(table):
    def faults(*units):
        board = table(FIELD).put("z", "us-rifle", "J1").put("y", "ger-rifle", "A1")
        board.put("a", "ger-pak40", "").put("v", "ger-truck", "").put("w", "ger-222", "")
        board.scenario(arrivals=(Arrival(units=units, turn=1, at="A5:A9"),))
        return [x.what for x in check(board.document()) if "24.0.15" in x.what]

    assert not faults("a", "v")
    assert faults("a")
    assert faults("a", "w")


def test_the_doctrine_brings_towed_guns_on_with_their_vehicles(table):
    board = table(FIELD).put("z", "us-rifle", "J1").put("y", "ger-rifle", "A1")
    board.put("a", "ger-pak40", "").put("v", "ger-truck", "")
    board.scenario(arrivals=(Arrival(units=("a", "v"), turn=1, at="A9"),))
    battle = Battle(RULESET, RULESET.setup(board.document()), Feed(), [])
    act(battle, US, plan(RULESET.view(battle.state, US)))
    order = plan(RULESET.view(battle.state, GERMAN))
    number = battle.state.ids.index
    assert order.aboard == ((number("a"), number("v")),)
    assert RULESET.refuse(RULESET.view(battle.state, GERMAN), order) is None

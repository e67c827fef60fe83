"""Where rules of different chapters meet: mines and assaults, groups and shells, weapons that
change hands before a melee, guns without crews under a falling house."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import heavy_events as hv
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.carriage import in_street
from tests.engine.ost.melees import NEXT_TURN
from tests.engine.table import GERMAN, US, Hexsides, Options, Road, find, kinds

FIELD = ("........",) * 8


@pytest.mark.border("ost", "25")
@pytest.mark.rule("ost", "7.2.8", "13.3.1")
def test_a_leader_who_alone_is_left_of_an_assault_over_mines_is_in_the_melee(table):
    board = table(FIELD).work(GERMAN, "mines", "C4").put("g", "ger-rifle", "C4")
    board.put("us", "us-rifle", "C3", leader="boss", reduced=True).put("far", "us-rifle", "A1")
    play = board.points(1, 1).start()
    news = play.dice(6, 6, 6).do(play.assault("us", "C4"))
    assert (play.at("us"), play.at("boss")) == ("off the map", "C4")
    assert find(news, e.MeleeMarked).side == US
    play.out()
    assert play.wants == "evade the melee or stand"
    play.dice(1, 1, 1, 1, *NEXT_TURN).do(a.Stand(unit=play["boss"]))


@pytest.mark.rule("ost", "27.6.8", "23.1.5")
def test_who_is_left_of_a_group_in_a_minefield_can_be_fired_at(table):
    board = table(FIELD).work(GERMAN, "mines", "C4").put("g", "ger-rifle", "C6")
    board.put("one", "us-rifle", "C3", leader="boss", reduced=True).put("two", "us-rifle", "C3")
    play = board.start()
    play.dice(6, 6, 6, 1, 1).move("one", "C4", "C5", partner="two")
    assert (play.at("one"), play.at("two")) == ("off the map", "C4")
    assert play.wants == "opportunity fire"
    assert play.refused(play.shot("g", "one")).rule == "27.4.1"
    news = play.dice(1, 1).fire("g", "two")
    assert find(news, e.Shot).target == play["two"]
    assert play.owed == GERMAN


@pytest.mark.rule("ost", "13.3.1", "23.0.9")
def test_nobody_is_asked_to_fire_at_who_was_lost_in_a_minefield(table):
    board = table(("." * 20,) * 10).work(GERMAN, "mines", "C4").put("truck", "us-truck", "A1")
    board.put("g", "ger-rifle", "T7")
    board.put("one", "us-rifle", "C3", leader="boss", reduced=True).put("two", "us-rifle", "C3")
    play = board.start()
    play.dice(1, 1, 6, 6, 6).move("two", "C4", "C5", partner="one")
    assert (play.at("one"), play.at("two")) == ("off the map", "C4")
    assert play.wants != "opportunity fire"


@pytest.mark.rule("ost", "10.0.10", "30.3.2")
def test_a_weapon_that_has_fired_is_not_used_by_another_squad_in_the_melee(table):
    board = table(FIELD).put("us", "us-rifle", "C3").put("far", "us-rifle", "C8")
    board.put("one", "ger-rifle", "C4", weapon="ger-lmg").put("two", "ger-rifle", "C4")
    play = board.to_move(GERMAN).points(2, 2).start()
    lmg = play["one's weapon"]
    play.dice(1, 1).fire("one", "far", weapon="one's weapon")
    play.given(
        e.Eliminated(unit=play["one"], points=2, why="destroyed"),
        e.Handed(weapon=lmg, unit=play["two"], why="carrier lost"),
    )
    play.idle()
    assert play.refused(play.shot("two", "us", weapon="one's weapon")).rule == "10.0.10"
    play.idle()
    play.dice(1, 1, 1, 1, *NEXT_TURN)
    joined = find(play.do(play.assault("us", "C4")), e.MeleeJoined)
    assert joined.firepower[GERMAN] == 4 + 2, "of the squad, and of the melee"


@pytest.mark.border("ost", "23")
@pytest.mark.rule("ost", "23.1.6", "13.3.7")
def test_a_tank_whose_squad_is_lost_in_a_minefield_can_be_fired_at_and_does_not_turn(table):
    board = table(FIELD).work(GERMAN, "mines", "C4").put("pak", "ger-pak40", "C7")
    board.put("us", "us-rifle", "C3", reduced=True).put("m4", "us-m4", "C3", facing=3)
    play = board.start()
    path = (play.hex("C4"), play.hex("C5"))
    order = a.RollingCover(unit=play["us"], vehicle=play["m4"], path=path, facings=(2, 2))
    play.dice(6, 6, 1, 1, 1).do(order)
    assert (play.at("us"), play.at("m4")) == ("off the map", "C4")
    assert play.wants == "opportunity fire"
    play.do(a.HoldFire())
    assert play.state.facing[play["m4"]] == 3
    assert (play.wants, play.owed) == ("an impulse", GERMAN)


@pytest.mark.border("ost", "27")
@pytest.mark.rule("ost", "27.6.9", "10.3.6")
def test_a_mortar_that_drifts_onto_others_does_not_halt_who_moves(table):
    board = table(FIELD).put("g", "ger-rifle", "C8", weapon="ger-mortar-50")
    board.put("us", "us-rifle", "D2").put("other", "us-rifle", "C3", reduced=True)
    play = board.start()
    play.move("us", "D3", "E3")
    shot = a.HexFire(unit=play["g"], weapon=play["g's weapon"], hex=play.hex("D3"))
    play.dice(1, 5, 6, 6).do(shot)
    assert play.steps("other") == 0
    assert play.wants == "opportunity fire"
    play.do(a.HoldFire())
    assert (play.at("us"), play.owed) == ("E3", GERMAN)


@pytest.mark.rule("ost", "27.6.3", "16.7.9")
def test_who_is_hurt_by_the_house_that_falls_on_him_goes_no_farther(table):
    rows = ("........", "........", "..l.....", *FIELD[3:])
    board = table(rows).put("g", "ger-rifle", "C4", weapon="ger-satchel")
    play = board.put("us", "us-rifle", "C2").start()
    play.move("us", "C3", "D3")
    charge = a.HexFire(unit=play["g"], weapon=play["g's weapon"], hex=play.hex("C3"))
    news = play.dice(1, 1, 4, 5, 6).do(charge)
    assert find(news, f.CollapseRolled).falls
    assert play.steps("us") == 1
    assert (play.at("us"), play.owed) == ("C3", US)


def charged(table, **squad):
    """A satchel charge is thrown at a tank and its squad."""
    board = table(FIELD).put("g", "ger-rifle", "C4", weapon="ger-satchel").to_move(GERMAN)
    board.put("m4", "us-m4", "C3", facing=3).put("us", "us-rifle", "C3", **squad)
    return board.start()


def throw(play, *dice):
    order = a.HexFire(unit=play["g"], weapon=play["g's weapon"], hex=play.hex("C3"))
    return [x for x in play.dice(*dice).do(order) if isinstance(x, f.Blasted | v.VehicleShot)]


@pytest.mark.rule("ost", "10.2.1", "24.3.3")
def test_a_satchel_charge_attacks_who_rides_by_himself_and_he_suffers_no_more(table):
    hit, at_tank = throw(charged(table, on="m4"), 1, 1, 1, 1)
    assert (hit.why, hit.firepower, hit.defense) == ("satchel charge", 10, 4 - 1)
    assert at_tank.firepower == 10 // 2


@pytest.mark.border("ost", "13")
def test_who_rides_past_a_bunker_is_not_in_it_when_a_charge_is_thrown(table):
    board = table(FIELD).put("g", "ger-rifle", "C4", weapon="ger-satchel").to_move(GERMAN)
    board.put("m4", "us-m4", "C3", facing=3).put("us", "us-rifle", "C3", on="m4")
    play = board.work(US, "bunker", "C3").start()
    hit, _ = throw(play, 1, 1, 1, 1, 1)
    assert hit.defense == 4 - 1


@pytest.mark.rule("ost", "23.2.6", "10.2.1")
def test_nor_does_who_walks_behind_the_tank_suffer_twice_from_it(table):
    play = charged(table)
    play.given(t.Loaded(unit=play["us"], vehicle=play["m4"]))
    play.given(t.Unloaded(unit=play["us"], vehicle=play["m4"], cost=2, facing=0, covered=True))
    found = throw(play, 1, 1, 1, 1)
    assert len(found) == 2
    assert next(x.defense for x in found if isinstance(x, f.Blasted)) == 4 + 1


@pytest.mark.border("ost", "28")
@pytest.mark.rule("ost", "28.2.5", "33.4.9")
@pytest.mark.parametrize("for_hex", [False, True])
def test_under_shells_a_leader_rolls_for_his_own_unit_of_a_group_and_no_other(table, for_hex):
    board = table(FIELD).put("one", "us-rifle", "C3", leader="boss").put("two", "us-rifle", "C3")
    board.put("g", "ger-sergeant", "H8").scenario(options=Options(leader_rolls_for_hex=for_hex))
    play = board.battery(GERMAN).start()
    play.given(s.StrikeFell(side=GERMAN, battery=0, hex=play.hex("C5"), firepower=6, around=3))
    news = play.dice(1, 1, 5, 4).move("one", "C4", partner="two")
    assert (play.steps("one"), play.steps("two")) == (2, 1)
    assert "LeaderRolled" not in kinds(news)


def gun_in_a_house(table, terrain):
    """A gun whose crew is lost stands where shells fall."""
    rows = ("........", "........", f"..{terrain}.....", *FIELD[3:])
    board = table(rows).put("gun", "us-57mm", "C3").put("sq", "us-rifle", "C3")
    board.put("g", "ger-rifle", "C6").put("us", "us-rifle", "H8").to_move(GERMAN).air(GERMAN)
    play = board.start()
    play.given(
        e.Eliminated(unit=play["gun"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("C3"), roll=Roll(0, 6, (6,)), remains=True),
    )
    return play


def bombed(play, *dice):
    order = a.AirStrike(spotter=play["g"], hex=play.hex("C3"), other=play.hex("C2"))
    return play.dice(*dice).do(order)


@pytest.mark.rule("ost", "16.7.11")
def test_a_gun_without_a_crew_is_lost_under_the_house(table):
    play = gun_in_a_house(table, "l")
    points = play.state.loss_points[US]
    news = bombed(play, 1, 1, 1, 6, 1, 1)
    assert find(news, f.CollapseRolled).falls
    assert not play.state.unmanned
    assert play.state.loss_points[US] == points


@pytest.mark.rule("ost", "16.7.11", "8.2.3")
def test_squads_that_manned_the_gun_are_squads_again_under_the_house(table):
    play = gun_in_a_house(table, "l")
    play.given(v.GunManned(unit=play["sq"], gun=play["gun"]))
    points = play.state.loss_points[US]
    bombed(play, 1, 1, 1, 6, 1, 1)
    state, squad = play.state, play["sq"]
    assert not state.manning
    assert not state.unmanned
    assert (state.kind[squad], state.steps[squad]) == (state.start_types[squad], 2)
    assert state.loss_points[US] == points


@pytest.mark.border("ost", "15")
@pytest.mark.parametrize(("kind", "sees"), [("us-rifle", True), ("us-m4", False)])
def test_a_tank_beside_bocage_spots_nothing_through_it(table, kind, sees):
    edges = (Hexsides(kind="bocage", sides=("C3/S",)),)
    board = table(FIELD, hexsides=edges).put("us", kind, "C3").battery(US)
    play = board.put("g", "ger-rifle", "H8").start()
    call = a.CallArtillery(spotter=play["us"], battery=0, hex=play.hex("C6"))
    if not sees:
        assert play.refused(call).rule == "12.2.2"
        call = a.CallArtillery(spotter=play["us"], battery=0, hex=play.hex("A4"))
    assert find(play.dice(6).do(call), s.ArtilleryCalled).hex == call.hex


@pytest.mark.rule("ost", "21.0.5", "33.4.7")
def test_who_is_found_in_several_hexes_is_told_of_in_each(table):
    board = table(FIELD).put("us", "us-rifle", "D1").battery(US).put("z", "ger-rifle", "H8")
    board.put("one", "ger-rifle", "D5", hidden=True).put("two", "ger-rifle", "D4", hidden=True)
    play = board.put("three", "ger-rifle", "D4", hidden=True).start()
    call = a.CallArtillery(spotter=play["us"], battery=0, hex=play.hex("D5"))
    news = play.dice(6, *(1,) * 6).do(call)
    line = play.battle.ruleset.narrate(play.state, find(news, e.Revealed), US)
    assert line.text.count("revealed") == 2
    assert "is revealed in D5; " in line.text
    assert line.text.endswith("are revealed in D4.")


@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(("wall", "thrown"), [(False, True), (True, False)])
def test_no_grenades_go_through_the_wall_of_row_houses(table, wall, thrown):
    rows = ("........", "........", "..h.....", "..h.....", *FIELD[4:])
    walls = {"party_walls": ("C3/S",)} if wall else {}
    board = table(rows, **walls).put("us", "us-rifle", "C3").put("g", "ger-rifle", "C4")
    play = board.hand(us=("grenades",)).start()
    if thrown:
        assert find(play.dice(1, 1).do(play.card("grenades", on="g")), f.Blasted).defense == 4 + 2
    else:
        assert play.refused(play.card("grenades", on="g")).rule == "3.3.6"


@pytest.mark.rule("ost", "15.2.5")
def test_a_stone_wall_shelters_from_the_grenades_thrown_over_it(table):
    wall = (Hexsides(kind="stone wall", sides=("C3/S",)),)
    board = table(FIELD, hexsides=wall).put("us", "us-rifle", "C3").put("g", "ger-rifle", "C4")
    play = board.hand(us=("grenades",)).start()
    assert find(play.dice(1, 1).do(play.card("grenades", on="g")), f.Blasted).defense == 4 + 2


@pytest.mark.rule("ost", "13.5.10", "26.3.9")
def test_a_machine_gun_in_a_pillbox_fires_at_a_landing_through_its_arc_only(table):
    board = table(FIELD).work(GERMAN, "pillbox", "C4", facing="S").put("mg", "ger-mmg", "C4")
    board.put("g", "ger-rifle", "C4").put("z", "us-rifle", "H8").put("para", "us-airborne-rifle")
    board.flies(US, ("transport", "C6", ("para",)), turn=2)
    play = board.points(1, 1).start()
    play.out(1, 2)
    assert (play.wants, play.at("para")) == ("fire at a landing", "C3")
    assert play.refused(a.FireAtLanding(firer=play["mg"])).rule == "13.5.10"
    news = play.dice(1, 1, *NEXT_TURN).do(a.FireAtLanding(firer=play["g"]))
    assert find(news, e.Shot).firers == (play["g"],)


@pytest.mark.rule("ost", "16.7.2", "27.8.1")
@pytest.mark.parametrize("named", ["flak", "g"])
def test_a_heavy_gun_brings_a_house_down_whoever_of_its_group_is_named_first(table, named):
    rows = ("........", "........", "..l.....", *FIELD[3:])
    board = table(rows).put("us", "us-rifle", "C3").put("flak", "ger-flak36", "C6", facing=0)
    play = board.put("g", "ger-rifle", "C6", leader="boss").to_move(GERMAN).start()
    other = "g" if named == "flak" else "flak"
    news = play.dice(1, 1, 1).fire(named, "us", partner=other)
    assert find(news, hv.HeavyRoundStruck).firer == play["flak"]
    assert not find(news, f.CollapseRolled).falls


@pytest.mark.rule("ost", "10.0.8")
@pytest.mark.parametrize("thrower", ["a", "b"])
def test_no_group_throws_at_a_vehicle(table, thrower):
    arms = {"weapon": "ger-grenade-bundle"}
    board = table(FIELD).put(
        "a", "ger-rifle", "C4", leader="boss", **(arms if thrower == "a" else {})
    )
    board.put("b", "ger-rifle", "C4", **(arms if thrower == "b" else {}))
    play = board.put("us", "us-truck", "C3").to_move(GERMAN).start()
    weapon = {"weapon" if thrower == "a" else "partner_weapon": f"{thrower}'s weapon"}
    assert play.refused(play.shot("a", "us", partner="b", **weapon)).rule == "10.0.8"
    alone = find(play.dice(1, 1).fire(thrower, "us", weapon=f"{thrower}'s weapon"), v.VehicleShot)
    assert alone.how == "thrown"


@pytest.mark.rule("ost", "27.7.3")
def test_no_card_lets_a_unit_call_shells_after_intensive_fire(table):
    board = table(FIELD).put("us", "us-rifle", "C3").put("g", "ger-rifle", "C6").battery(US)
    play = board.hand(us=("second-wind",)).start()
    for _ in range(3):
        play.dice(1, 1).fire("us", "g")
        if play.wants == "a luck card, or none":
            play.do(play.card("second-wind", on="us"))
        play.idle()
    assert play.morale("us") == "good order"
    call = a.CallArtillery(spotter=play["us"], battery=0, hex=play.hex("C6"))
    assert play.refused(call).rule == "27.7.3"


@pytest.mark.rule("ost", "16.7.8", "16.6.6")
def test_a_tank_in_the_street_goes_no_farther_when_the_house_has_fallen_on_its_road(table):
    rows = ("........", "..l.....", "..l.....", "..l.....", *FIELD[4:])
    board = table(rows, roads=(Road(hexes="C1 C2 C3 C4"),)).put("m4", "us-m4", "C1", facing=3)
    play = board.put("g", "ger-rifle", "D2", weapon="ger-satchel").start()
    play.drive("m4", ("C2", 3), ("C3", 3), ("C4", 3))
    charge = a.HexFire(unit=play["g"], weapon=play["g's weapon"], hex=play.hex("C2"))
    news = play.dice(1, 1, 6, 1, 1).do(charge)
    assert find(news, f.CollapseRolled).falls
    assert find(news, e.MoveStopped).why == "no road"
    assert (play.at("m4"), play.owed) == ("C2", GERMAN)


@pytest.mark.border("ost", "16")
def test_a_leader_whose_squad_is_lost_on_a_lorry_gets_off_in_the_street(table):
    rows = ("........", "..l.....", "........", *FIELD[3:])
    board = table(rows, roads=(Road(hexes="C1 C2 C3"),)).put("truck", "us-truck", "C2")
    board.put("us", "us-rifle", "C2", on="truck", leader="boss", reduced=True)
    play = board.put("g", "ger-rifle", "C4").to_move(GERMAN).start()
    play.dice(6, 6, 6).fire("g", "us")
    assert (play.at("us"), play.at("boss")) == ("off the map", "C2")
    assert in_street(play.state, play["boss"])


@pytest.mark.border("ost", "16")
@pytest.mark.rule("ost", "16.7.8")
def test_the_street_beside_the_next_house_is_still_there_when_the_road_ends(table):
    rows = ("........", "........", "..l.....", "..l.....", *FIELD[4:])
    board = table(rows, roads=(Road(hexes="C3 C4"),)).put("us", "us-rifle", "C3", street=True)
    board.put("truck", "us-truck", "C3").put("g", "ger-rifle", "C7").to_move(GERMAN).air(GERMAN)
    play = board.start()
    order = a.AirStrike(spotter=play["g"], hex=play.hex("C4"), other=play.hex("C5"))
    assert find(play.dice(1, 6).do(order), f.CollapseRolled).falls
    assert [in_street(play.state, play[name]) for name in ("us", "truck")] == [True, True]
    play.idle()
    shot = find(play.dice(1, 1).fire("g", "us"), e.Shot)
    assert shot.defense == 4, "not that of the house"

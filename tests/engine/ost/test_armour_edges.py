"""Rare cases of vehicles, guns and their leaders: ground, arcs, melees, who is asked."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import duel, duel_answers
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.scenario import Options
from rulesengine.rulesets.ost.state import (
    HULL_OUT,
    MAIN_OUT,
    MGS_OUT,
    NONE,
)
from rulesengine.rulesets.ost.vehicle_answers import Fate
from rulesengine.rulesets.ost.vehicle_questions import Duellist
from tests.engine.ost.melees import control
from tests.engine.table import GERMAN, US, Hexsides, Road, find, kinds

NEXT_TURN = (6, 6, 1, 1, 1, 1)
N, NE, SE, S, SW, NW = range(6)


# --- control hexes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "condition", "takes"),
    [
        ("us-truck", "", False),
        ("us-m3-halftrack", "machine guns out", False),
        ("us-m3-halftrack", "", True),
        ("us-m4", "main gun out", True),
    ],
)
def test_lorries_and_disarmed_vehicles_take_no_control_hex(table, kind, condition, takes):
    board = table().put("a", kind, "D4", condition=condition).put("far", "ger-rifle", "H8")
    play = board.scenario(**control("D3")).start()
    play.drive("a", ("D3", N), ("D2", N))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert play.state.control[0] == (US if takes else GERMAN)


def stormed(table, kind="us-m3-halftrack", condition="machine guns out", **more):
    """A German squad assaults a vehicle in a control hex."""
    board = table().put("us", kind, "D4", condition=condition).put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).scenario(**control("D4", **more)).start()
    play.do(play.assault("german", "D4"))
    return play


@pytest.mark.parametrize(("condition", "owner"), [("", US), ("machine guns out", GERMAN)])
def test_only_an_armed_vehicle_left_in_a_melee_hex_takes_it(table, condition, owner):
    play = stormed(table, condition=condition)
    play.given(
        e.GutChecked(unit=play["german"], result=2, roll=Roll(0, 6, (1, 1)), needed=7, now=2)
    )
    play.out(*(() if condition else (1, 1)))
    while play.wants == "a retreat out of the melee":
        play.dice(1, 1, *NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("D3")))
    assert not play.state.melees
    assert play.state.control[0] == owner


@pytest.mark.parametrize(("condition", "scored"), [("", 0), ("machine guns out", 3)])
def test_a_disarmed_vehicle_contests_no_control_hex(table, condition, scored):
    play = stormed(table, condition=condition)
    play.out(*(() if condition else (1, 1)), 1, 1, *NEXT_TURN)
    assert play.state.melees
    assert play.state.vp == [0, scored]


# --- who is asked ------------------------------------------------------------------------------


def test_an_antitank_rifle_reacts_past_the_reach_of_its_squad(table):
    board = table(("........",) * 12).put("a", "us-m4", "D9")
    board = board.put("b", "sov-smg", "D3", weapon="sov-antitank-rifle")
    play = board.start()
    play.drive("a", ("D8", N))
    assert play.wants == "opportunity fire"
    play.dice(1, 1).fire("b", "a", weapon="b's weapon")


def test_a_sniper_may_pick_the_leader_out_of_a_tank_that_moves(table):
    board = table().put("a", "us-m4", "D7", leader="ace").put("b", "ger-sniper", "D3")
    play = board.put("far", "us-rifle", "A8").start()
    play.drive("a", ("D6", N), ("D5", N))
    assert play.wants == "opportunity fire"
    news = play.dice(6, 6).fire("b", "ace")
    assert "ArmorLeaderLost" in kinds(news)
    assert play.at("a") == "D6"


@pytest.mark.rule("ost", "15.3.7")
def test_an_armor_leader_has_of_the_ground_what_his_vehicle_has(table):
    rows = ("........", "........", "........", "...h....", *("........",) * 4)
    board = table(rows, roads=(Road(hexes="D3 D4 D5"),))
    board = board.put("a", "us-m4", "D4", leader="ace").put("b", "ger-sniper", "D2")
    play = board.to_move(GERMAN).start()
    assert find(play.dice(1, 1).fire("b", "ace"), e.Shot).defense == 5
    sides = (Hexsides(kind="bocage", sides=("D4/N",)),)
    board = table(hexsides=sides).put("a", "us-m4", "D4", leader="ace")
    play = board.put("b", "ger-sniper", "D2").to_move(GERMAN).start()
    assert play.refused(play.shot("b", "ace")).rule == "15.3.7"
    board = table(hexsides=sides).put("a", "us-rifle", "D4").put("b", "ger-sniper", "D2")
    assert "Shot" in kinds(board.to_move(GERMAN).start().dice(1, 1).fire("b", "a"))


# --- guns --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "8.0.3")
def test_a_gun_keeps_the_arc_its_last_crew_gave_it(table):
    board = table().put("gun", "ger-pak36", "D4", facing=N).put("squad", "us-rifle", "D5")
    board = board.put("b", "ger-pz4h", "H4", facing=NW).put("owner", "ger-rifle", "A1")
    play = board.start()
    stays = Roll(0, 6, (6,))
    play.given(
        e.Eliminated(unit=play["gun"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("D4"), roll=stays, remains=True),
        v.GunManned(unit=play["squad"], gun=play["gun"], captured=True),
        e.Pivoted(unit=play["squad"], facing=SE),
        e.Eliminated(unit=play["squad"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("D4"), roll=stays, remains=True),
        v.GunManned(unit=play["owner"], gun=play["gun"]),
    )
    play.cited.take(play.log[-1])
    assert play.state.facing[play["owner"]] == SE


@pytest.mark.parametrize("gun", ["us-57mm", "us-3inch"])
def test_a_gun_in_a_tall_building_is_on_its_ground_floor(table, gun):
    """8.0.7."""
    rows = ("........", "........", "........", "...h....", *("........",) * 4)
    levels = ("00000000",) * 3 + ("00010000",) + ("00000000",) * 4
    board = table(rows, levels=levels).put("a", gun, "D4", facing=N)
    play = board.put("b", "ger-pz4h", "D1", facing=S).start()
    assert find(play.dice(1, 1).fire("a", "b"), v.HitRolled).total == 2


@pytest.mark.parametrize(("gun", "wants"), [("us-57mm", True), ("us-3inch", False)])
def test_a_gun_marked_t_cannot_be_led_out_of_a_melee(table, gun, wants):
    board = table().put("us", gun, "D4", morale="shaken").put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    play.out(1, 1, 1, 1, *(() if wants else NEXT_TURN))
    assert (play.wants == "a retreat out of the melee") == wants
    assert play.state.loss_points == ([0, 0] if wants else [2, 0])


# --- melee -------------------------------------------------------------------------------------


def test_a_panzerfaust_used_up_by_a_squad_that_falls_takes_nothing_from_others(table):
    board = table().put("us", "us-m4", "D4")
    board = board.put("german", "ger-rifle", "D3", weapon="ger-panzerfaust")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1", weapon="ger-lmg")
    play = board.put("last", "ger-rifle", "H2").to_move(GERMAN).points(1, 1).start()
    last = len(play.state.kind) - 1
    play.do(play.assault("german", "D4"))
    play.state.changes.clear()
    news = play.out(6, 6, 1, 1, *NEXT_TURN)
    assert "Expended" in kinds(news)
    assert -1 not in play.state.changes
    assert play.state.weapon[last] == NONE


@pytest.mark.rule("ost", "9.1.3")
def test_an_open_top_is_seen_to_be_one_weaker_in_melee(table):
    board = table().put("us", "us-m18", "D4").put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    joined = find(play.out(1, 1, 1, 1, *NEXT_TURN), e.MeleeJoined)
    assert joined.defense[US] == 2 - 1


@pytest.mark.rule("ost", "7.4.5")
def test_an_armor_leader_adds_one_to_both_in_a_melee(table):
    board = table().put("us", "us-m4", "D4", leader="ace").put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1, 1, 1, 6, 6, *NEXT_TURN)
    joined = find(news, e.MeleeJoined)
    assert (joined.firepower[US], joined.defense[US]) == (4 + 2 + 1 + 2, 5 + 1)
    assert [s.total for s in news if isinstance(s, e.Struck)] == [2 + 1 + 1]
    assert kinds(news).count("VehicleStruck") == 1


def test_a_shaken_armor_leader_does_not_leave_his_tank_in_a_melee(table):
    """7.4.6."""
    board = table().put("us", "us-m4", "D4", leader="ace").put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.given(e.GutChecked(unit=play["ace"], result=1, roll=Roll(0, 6, (1, 1)), needed=7, now=1))
    play.do(play.assault("german", "D4"))
    play.out(1, 1, 1, 1, 1, 1, *NEXT_TURN)
    assert play.wants != "a retreat out of the melee"
    assert play.state.leader[play["us"]] == play["ace"]


@pytest.mark.rule("ost", "30.4.9")
def test_a_shaken_tank_that_cannot_move_is_abandoned_in_a_melee(table):
    board = table().put("us", "us-m4", "D4", morale="shaken", condition="immobilised")
    board = board.put("german", "ger-rifle", "D3").put("far", "us-rifle", "A8")
    play = board.put("away", "ger-rifle", "H1").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1, 1, 1, *NEXT_TURN)
    assert play.state.loss_points == [1, 0]
    line = play.battle.ruleset.narrate(play.state, find(news, v.Wrecked), None)
    assert "is abandoned" in line.text


@pytest.mark.rule("ost", "30.4.10")
def test_a_gun_falls_with_its_crew_in_a_melee(table):
    board = table().put("us", "us-57mm", "D4", reduced=True).put("german", "ger-rifle", "D3")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1, 6, 6, *NEXT_TURN)
    play.cited.take(news)
    assert "GunLeft" not in kinds(news)
    assert not play.state.unmanned


# --- fire --------------------------------------------------------------------------------------


@pytest.mark.border("ost", "9")
@pytest.mark.rule("ost", "9.3.4")
@pytest.mark.parametrize(("face", "words"), [(3, "main"), (4, "hull")])
def test_of_two_guns_the_die_names_the_one_that_is_out(table, face, words):
    board = table(("........",) * 12).put("a", "us-m3-lee", "D7", facing=N)
    play = board.put("b", "ger-pz4h", "D3", facing=S).to_move(GERMAN).start()
    news = play.dice(5, 5, 3, 3, 4, face, 6, 6).shoot("b", "a")
    rolled = find(news, v.DamageRolled)
    assert rolled.adds == {"main": 2, "hull": 8}[words]


@pytest.mark.border("ost", "9")
@pytest.mark.rule("ost", "9.4.1", "9.4.2")
def test_with_limited_fire_the_machine_guns_still_fire_twice(table):
    board = table().put("a", "us-rifle", "D6").put("b", "sov-is2", "D3", facing=S)
    play = board.to_move(GERMAN).start()
    play.dice(1, 1, 1, 1).shoot("b", "a", "a")
    play.idle()
    assert play.refused(play.salvo("b", "a", "a")).rule == "9.4.1"
    news = play.dice(1, 1).shoot("b", mg="a")
    assert find(news, e.Shot).firepower == 2
    assert find(news, v.VehicleFireDeclared).spent
    board = table().put("a", "us-rifle", "D6").put("b", "sov-is2", "D3", facing=S)
    play = board.to_move(GERMAN).start()
    for _ in range(2):
        assert not find(play.dice(1, 1).shoot("b", mg="a"), v.VehicleFireDeclared).spent
        play.idle()


def test_a_wreck_beside_the_line_along_a_hexside_dims_it(table):
    """14.0.8: the heavier side of a line along hexsides counts, once."""
    rows = ("........", "...b....", *("........",) * 6)
    for ground, firepower in ((rows[2:] * 2, 3), (rows, 3)):
        board = table(ground).put("one", "ger-pz4g", "D3").put("us", "us-rifle", "C3")
        board = board.put("german", "ger-rifle", "E3").put("other", "ger-rifle", "H8")
        play = board.start()
        play.given(v.Wrecked(unit=play["one"], points=2, why="destroyed"))
        assert find(play.dice(1, 1).fire("us", "german"), e.Shot).firepower == firepower


@pytest.mark.rule("ost", "29.0.3", "29.0.6")
def test_an_infantry_gun_is_no_small_arm(table):
    board = table().put("a", "us-m10", "D3", facing=S).put("b", "us-m4", "C3", facing=S)
    board = board.put("gun", "ger-infantry-gun-75", "D7", facing=N).to_move(GERMAN)
    play = board.start()
    news = play.dice(5, 5, 1, 1).fire("gun", "b")
    assert find(news, v.VehicleShot).firepower == 3
    play.idle()
    assert "HitRolled" in kinds(play.dice(1, 1).fire("gun", "a"))


# --- duels -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "out", "ap"),
    [
        ("us-m3-lee", 0, 7),
        ("us-m3-lee", HULL_OUT, 4),
        ("us-m3-lee", MAIN_OUT, 7),
        ("us-m4", MAIN_OUT, None),
        ("us-m4", MGS_OUT, 7),
        ("us-m3-halftrack", 0, 0),
        ("us-m3-halftrack", MGS_OUT, None),
    ],
)
def test_what_a_damaged_vehicle_shoots_a_duel_with(ask, kind, out, ap):
    """31.1.9, 31.1.10: the same for the battle and for who asks about it."""
    number = BY_KEY[kind]
    assert duel.can_shoot(number, out) == (ap is not None)
    assert ap is None or duel.ap_left(number, out) == ap
    one, two = Duellist(vehicle=kind), Duellist(vehicle="ger-pz4g")
    shot = duel_answers._shot(one, Fate(broke=out), two, False, True)
    assert (len(shot.weights) > 1) == (ap is not None)


# --- captured equipment ------------------------------------------------------------------------


@pytest.mark.rule("ost", "1.9.p34")
def test_a_rocket_of_the_enemy_hits_one_worse(table):
    board = table().put("us", "us-rifle", "D4", weapon="us-bazooka").put("a", "us-m4", "D7")
    board = board.put("german", "ger-rifle", "D5").put("c", "ger-pz4h", "D2", facing=S)
    play = board.put("tank", "us-m4", "D3").to_move(GERMAN).start()
    play.given(
        e.Eliminated(unit=play["us"], points=2, why="destroyed"),
        e.Handed(weapon=play["us's weapon"], unit=play["german"], why="picked up"),
    )
    hit = find(play.dice(1, 1).fire("german", "tank", weapon="us's weapon"), v.HitRolled)
    assert hit.total == 2 - 1


@pytest.mark.rule("ost", "8.0.3")
def test_a_gun_of_the_same_side_is_not_captured_whatever_its_nation(table):
    board = table().put("gun", "ger-pak36", "D4", facing=N).put("owner", "sov-rifle", "D3")
    play = board.put("us", "us-rifle", "A8").to_move(GERMAN).start()
    play.given(
        e.Eliminated(unit=play["gun"], points=2, why="destroyed"),
        v.GunLeft(gun=play["gun"], hex=play.hex("D4"), roll=Roll(0, 6, (6,)), remains=True),
    )
    move = a.Move(unit=play["owner"], path=(play.hex("D4"),), gun=play["gun"])
    news = play.do(move)
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert not find(news, v.GunManned).captured


@pytest.mark.rule("ost", "30.4.3")
def test_a_lorry_stays_where_the_last_enemy_has_to_leave(table):
    """30.4.7: no good order enemy remains, though the armor leader who leaves is in good order."""
    board = table().put("us", "us-truck", "D4").put("german", "ger-pz4g", "D3", leader="ace")
    board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(1, 1)
    play.facings.append(("german", S))
    play = play.start()
    play.do(play.assault("german", "D4"))
    shaken = Roll(0, 6, (1, 1))
    play.given(e.GutChecked(unit=play["german"], result=1, roll=shaken, needed=7, now=1))
    news = play.out(1, 1)
    assert find(news, e.RetreatsOwed).units == (play["german"],)


@pytest.mark.rule("ost", "25.0.8")
def test_a_tank_and_a_squad_assault_together_under_a_leader(table):
    """From adjacent hexes, for two points; the armor leader will do."""
    board = table().put("tank", "us-m4", "D4", facing=N, leader="ace").put("b", "ger-rifle", "D3")
    play = board.put("squad", "us-rifle", "C3").put("c", "us-m4", "E4", facing=NW).start()
    before = play.state.impulses[US]
    play.do(play.assault("tank", "D3", partner="squad"))
    assert play.state.impulses[US] == before - 2
    assert play.at("tank") == play.at("squad") == "D3"
    board = table().put("tank", "us-m4", "D4", facing=N).put("b", "ger-rifle", "D3")
    play = board.put("squad", "us-rifle", "C3").start()
    assert play.refused(play.assault("tank", "D3", partner="squad")).rule == "25.0.8"
    board = table().put("tank", "us-m4", "C3", facing=1, leader="ace").put("b", "ger-rifle", "D3")
    play = board.put("squad", "us-rifle", "E3").start()
    assert play.refused(play.assault("tank", "D3", partner="squad")).rule == "25.0.8"


@pytest.mark.parametrize("everybody", [False, True])
def test_an_armor_leader_makes_no_casualty_roll(table, everybody):
    """7.4.8, 28.2.6: not for the squad he assaults with, nor for others of his hex."""
    board = (
        table().put("tank", "us-m4", "D4", facing=N, leader="ace").put("squad", "us-rifle", "D4")
    )
    board = board.put("b", "ger-hmg", "D1").put("far", "us-rifle", "A8")
    options = Options(leader_rolls_for_hex=everybody)
    play = board.scenario(**control("D3"), options=options).start()
    play.do(play.assault("tank", "D3", partner="squad"))
    assert play.wants == "opportunity fire"
    news = play.dice(6, 6).fire("b", "squad")
    assert "LeaderRolled" not in kinds(news)


@pytest.mark.rule("ost", "23.5.1")
def test_each_of_a_group_comes_from_its_own_hex(table):
    """25.0.9: the tank crosses the hedge, the squad does not."""
    sides = (Hexsides(kind="hedge", sides=("D4/N",)),)
    board = table(hexsides=sides).put("tank", "us-m4", "D4", facing=N, leader="ace")
    board = board.put("squad", "us-rifle", "C3").put("far", "ger-rifle", "H8")
    play = board.scenario(**control("D3")).start()
    news = play.dice(3).do(play.assault("squad", "D3", partner="tank"))
    assert find(news, v.BogRolled).unit == play["tank"]

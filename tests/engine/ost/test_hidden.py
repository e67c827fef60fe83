"""Hidden units: OST 21."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from tests.engine.table import GERMAN, US, ControlHex, find, kinds

OST = ruleset("ost")


def lurking(table, *, at="C4", **more):
    return (
        table()
        .put("us", "us-rifle", "C2")
        .put("german", "ger-rifle", at, hidden=True, **more)
        .put("seen", "ger-rifle", "H8")
    )


def known(battle, side, name):
    return battle.state.known[side][battle[name]]


@pytest.mark.rule("ost", "21.0.p1", "21.0.1")
def test_a_hidden_unit_is_known_to_its_own_side_only(table):
    battle = lurking(table).start()
    assert known(battle, US, "german") == -1
    assert known(battle, GERMAN, "german") == battle.hex("C4")
    assert battle.refused(battle.shot("us", "german")).rule == "27.4.1"
    news = [event for event in battle.log if isinstance(event, e.Deployed)]
    battle.cited.take(news)


@pytest.mark.rule("ost", "21.0.p1")
def test_snipers_start_hidden_without_being_told_to(table):
    battle = table().put("us", "us-rifle", "A1").put("sniper", "ger-sniper", "C4").start()
    assert battle.state.hidden[battle["sniper"]]
    assert known(battle, US, "sniper") == -1


@pytest.mark.rule("ost", "21.0.3")
def test_the_leader_and_weapon_of_a_hidden_unit_are_hidden_with_it(table):
    battle = lurking(table, leader="feldwebel", weapon="ger-lmg").start()
    for name in ("feldwebel", "german's weapon"):
        assert battle.state.hidden[battle[name]]
        assert known(battle, US, name) == -1
    battle.idle()
    battle.dice(1, 1).fire("german", "us")
    for name in ("german", "feldwebel", "german's weapon"):
        assert known(battle, US, name) == battle.hex("C4")


@pytest.mark.border("ost", "21")
@pytest.mark.rule("ost", "21.0.4", "21.0.7", "21.0.8")
def test_the_first_shot_from_hiding_is_an_ambush_and_reveals_the_rest_are_not(table):
    battle = lurking(table).to_move(GERMAN).start()
    first = battle.dice(2, 2).fire("german", "us")
    assert find(first, e.Shot).total == 5
    assert known(battle, US, "german") == battle.hex("C4")
    battle.idle()
    second = battle.dice(2, 2).fire("german", "us")
    assert find(second, e.Shot).total == 4
    assert not battle.state.hidden[battle["german"]]


@pytest.mark.rule("ost", "21.0.7")
def test_one_hidden_member_makes_the_fire_of_a_group_an_ambush(table):
    battle = (
        table()
        .put("us", "us-rifle", "C2")
        .put("german", "ger-rifle", "C5", leader="feldwebel")
        .put("other", "ger-rifle", "C5", hidden=True)
        .to_move(GERMAN)
        .start()
    )
    news = battle.dice(1, 1, 6, 6).fire("german", "us", partner="other")
    assert find(news, e.Shot).total == 2 + 1 + 1


@pytest.mark.rule("ost", "21.0.7")
def test_both_attacks_of_sustained_fire_from_hiding_are_an_ambush(table):
    battle = (
        table()
        .put("us", "us-rifle", "C2")
        .put("mmg", "ger-mmg", "C6", hidden=True)
        .to_move(GERMAN)
        .start()
    )
    news = battle.dice(1, 2, 1, 2).fire("mmg", "us", second="us")
    assert [shot.total for shot in news if isinstance(shot, e.Shot)] == [4, 4]


def test_a_hidden_gun_may_turn_its_arc_unseen(table):
    battle = (
        table()
        .put("us", "us-rifle", "A1")
        .put("gun", "ger-infantry-gun-75", "C6", hidden=True)
        .to_move(GERMAN)
        .start()
    )
    battle.do(a.Pivot(unit=battle["gun"], facing=3))
    assert battle.state.hidden[battle["gun"]]


@pytest.mark.rule("ost", "21.0.4")
def test_moving_reveals(table):
    battle = lurking(table).to_move(GERMAN).start()
    battle.move("german", "C5")
    assert not battle.state.hidden[battle["german"]]


def test_rallying_does_not_reveal(table):
    battle = lurking(table, morale="shaken").to_move(GERMAN).start()
    battle.dice(6, 6).do(a.Rally(unit=battle["german"]))
    assert battle.state.hidden[battle["german"]]


@pytest.mark.rule("ost", "21.0.6", "21.0.7")
def test_who_moves_onto_a_hidden_unit_is_halted_before_it_and_ambushed(table):
    battle = lurking(table).start()
    news = battle.move("us", "C3", "C4", "C5")
    assert battle.wants == "opportunity fire"
    battle.do(a.HoldFire())
    assert battle.at("us") == "C3"
    assert not battle.state.hidden[battle["german"]]
    assert battle.wants == "opportunity fire"
    news = battle.dice(2, 2).fire("german", "us")
    shot = find(news, e.Shot)
    assert (shot.firepower, shot.total) == (5, 5)
    assert battle.at("us") == "C3"


@pytest.mark.rule("ost", "21.0.6")
def test_the_mover_stays_halted_when_the_hidden_unit_holds_its_fire(table):
    battle = lurking(table, at="C3").start()
    battle.move("us", "C3", "C4")
    battle.do(a.HoldFire())
    assert battle.at("us") == "C2"
    assert battle.state.moved[battle["us"]]
    assert battle.owed == GERMAN


def test_the_enemy_is_not_refused_a_move_onto_a_hidden_unit(table):
    battle = lurking(table).start()
    assert OST.refuse(OST.view(battle.state, US), battle.way("us", "C3", "C4")) is None


@pytest.mark.rule("ost", "21.0.6")
def test_an_assault_on_an_empty_looking_control_hex_bumps_into_who_hides_there(table):
    battle = (
        lurking(table, at="C3")
        .scenario(control=(ControlHex(hex="C3", name="Mill", owner="german"),))
        .start()
    )
    battle.do(battle.assault("us", "C3"))
    battle.dice(1, 1).fire("german", "us")
    assert battle.at("us") == "C2"
    assert not battle.state.melees
    assert battle.state.control == [GERMAN]


@pytest.mark.rule("ost", "21.0.6")
def test_an_assault_reveals_who_hides_beside_the_enemy_seen(table):
    battle = lurking(table, at="C3").put("open", "ger-rifle", "C3").start()
    battle.do(battle.assault("us", "C3"))
    assert not battle.state.hidden[battle["german"]]
    assert battle.hex("C3") in battle.state.melees


@pytest.mark.rule("ost", "21.0.6")
def test_a_retreat_onto_a_hidden_enemy_reveals_him_and_another_way_is_chosen(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="shaken")
        .put("assaulting", "ger-rifle", "C4")
        .put("hider", "ger-rifle", "C2", hidden=True)
        .to_move(GERMAN)
        .start()
    )
    battle.do(battle.assault("assaulting", "C3"))
    battle.out(1, 1, 1, 1)
    assert battle.wants == "a retreat out of the melee"
    battle.do(a.Retreat(unit=battle["us"], to=battle.hex("C2")))
    assert not battle.state.hidden[battle["hider"]]
    assert battle.at("us") == "C3"
    retreat = a.Retreat(unit=battle["us"], to=battle.hex("C2"))
    assert battle.refused(retreat).rule == "30.4.3"
    battle.dice(3, 3, 6, 6, 1, 1, 1, 1)
    battle.do(a.Retreat(unit=battle["us"], to=battle.hex("B3")))
    assert battle.at("us") == "B3"


def test_a_hidden_unit_is_named_to_nobody_but_its_own_side(table):
    battle = lurking(table).start()
    for event in battle.log:
        for side in (US, -1):
            line = OST.narrate(battle.state, event, side)
            assert line is None or "(german)" not in line.text
    assert "Revealed" not in kinds(battle.log)


def on_foot(play):
    return play.way("us", "C4", "C5", "C6")


def by_tank(play):
    return play.course("m4", ("C4", 3), ("C5", 3), ("C6", 3))


def in_rolling_cover(play):
    path = tuple(play.hex(h) for h in ("C4", "C5", "C6"))
    return a.RollingCover(unit=play["us"], vehicle=play["m4"], path=path, facings=(3, 3, 3))


@pytest.mark.border("ost", "21")
@pytest.mark.rule("ost", "23.0.8", "21.0.4")
@pytest.mark.parametrize("order", [on_foot, by_tank, in_rolling_cover])
def test_who_shows_himself_by_his_fire_is_not_run_over(table, order):
    """The hex looked empty when the move was declared; an enemy holds it when it is reached."""
    board = table().put("us", "us-rifle", "C3").put("m4", "us-m4", "C3", facing=3)
    board.put("gun", "ger-pak36", "C5", hidden=True).put("rifle", "ger-rifle", "C5", hidden=True)
    play = board.put("z", "ger-rifle", "H8").start()
    moving = order(play)
    play.do(moving)
    assert play.at("us" if order is not by_tank else "m4") == "C4"
    news = play.dice(1, 1).fire(
        "gun" if order is by_tank else "rifle", "us" if order is not by_tank else "m4"
    )
    assert find(news, e.MoveStopped).why == "enemy in the way"
    assert play.at("us" if order is not by_tank else "m4") == "C4"
    assert play.state.hidden[play["rifle" if order is by_tank else "gun"]]
    assert (play.wants, play.owed) == ("an impulse", GERMAN)

"""Support weapons: OST 10.0, for machine guns."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.transport_events import Fetched
from tests.engine.table import GERMAN, US, find, kinds

LMG = "us's weapon"


def armed(table, **more):
    return (
        table()
        .put("us", "us-rifle", "C2", weapon="us-lmg", **more)
        .put("other", "us-rifle", "C2")
        .put("german", "ger-rifle", "C5")
        .put("second", "ger-rifle", "H8")
    )


@pytest.mark.example("ost", "10.0.e1")
@pytest.mark.rule("ost", "10.0.4")
def test_a_support_weapon_adds_its_firepower_to_the_squads(table):
    battle = armed(table).start()
    assert find(battle.dice(1, 1).fire("us", "german", weapon=LMG), e.Shot).firepower == 6
    battle.idle()
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).firepower == 4


@pytest.mark.rule("ost", "10.0.p1")
def test_only_the_squad_that_carries_a_weapon_fires_it(table):
    battle = armed(table).start()
    assert battle.refused(battle.shot("other", "german", weapon=LMG)).rule == "10.0.p1"


@pytest.mark.example("ost", "10.0.e3")
@pytest.mark.rule("ost", "10.0.10")
def test_a_weapon_used_by_one_squad_serves_no_other_in_the_turn(table):
    """Its squad is destroyed after firing; the heir has to wait for the next turn."""
    battle = armed(table).start()
    battle.dice(1, 1).fire("us", "german", weapon=LMG)
    battle.dice(6, 6).fire("german", "us")
    assert battle.state.weapon[battle["other"]] == battle[LMG]
    assert battle.refused(battle.shot("other", "german", weapon=LMG)).rule == "10.0.10"
    battle.out(1, 1, 6, 6, 1, 1)
    if battle.owed == GERMAN:
        battle.idle()
    assert find(battle.dice(1, 1).fire("other", "german", weapon=LMG), e.Shot).firepower == 6


@pytest.mark.rule("ost", "10.0.11")
def test_the_weapon_of_a_lost_squad_goes_to_the_other_unit_of_the_stack(table):
    battle = armed(table).to_move(GERMAN).start()
    battle.dice(6, 6).fire("german", "us")
    assert battle.state.weapon[battle["other"]] == battle[LMG]


@pytest.mark.rule("ost", "10.0.9")
def test_without_an_heir_the_weapon_stays_on_the_field_for_either_side(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg")
        .put("far", "us-rifle", "H8")
        .put("german", "ger-rifle", "C4")
        .to_move(GERMAN)
        .start()
    )
    battle.dice(6, 6).fire("german", "us")
    assert battle.state.holder[battle[LMG]] == -1
    assert battle.at(LMG) == "C3"
    battle.idle()
    battle.move("german", "C3")
    assert battle.at("german") == "C3"
    battle.idle()
    points = battle.state.impulses[GERMAN]
    battle.do(a.PickUp(unit=battle["german"], weapon=battle[LMG]))
    assert battle.state.impulses[GERMAN] == points
    assert battle.state.weapon[battle["german"]] == battle[LMG]
    news = battle.dice(1, 1).fire("german", "far", weapon=LMG, alone=True)
    assert find(news, e.FireDeclared).weapons == (battle[LMG],)


def lying(table, **more):
    """A weapon on the ground in C3, and a squad beside it."""
    battle = (
        table()
        .put("us", "us-rifle", "C3", **more)
        .put("lost", "us-rifle", "C3", weapon="us-lmg")
        .put("crew", "us-mmg", "D4")
        .put("german", "ger-rifle", "C8")
        .start()
    )
    battle.given(e.Handed(weapon=battle["lost's weapon"], unit=-1, why="left"))
    return battle


@pytest.mark.rule("ost", "10.0.13")
def test_a_weapon_on_the_ground_is_taken_up_for_nothing_and_the_impulse_goes_on(table):
    battle = lying(table)
    points = list(battle.state.impulses)
    battle.do(a.PickUp(unit=battle["us"], weapon=battle["lost's weapon"]))
    assert battle.state.impulses == points
    assert battle.owed == US


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.0.13")
def test_a_weapon_is_taken_up_or_destroyed_in_its_hex_by_whoever_can_act(table):
    broken = lying(table, morale="broken")
    weapon = broken["lost's weapon"]
    assert broken.refused(a.PickUp(unit=broken["us"], weapon=weapon)).rule == "10.0.13"
    assert broken.refused(a.Scrap(unit=broken["us"], weapon=weapon)).rule == "10.0.13"
    assert broken.refused(a.PickUp(unit=broken["crew"], weapon=weapon)).rule == "10.0.p1"
    shaken = lying(table, morale="shaken")
    assert shaken.refused(a.PickUp(unit=shaken["german"], weapon=weapon)).rule == "2.1.p6"
    shaken.do(a.PickUp(unit=shaken["us"], weapon=weapon))
    assert shaken.state.weapon[shaken["us"]] == weapon
    scrapped = lying(table, morale="shaken")
    scrapped.do(a.Scrap(unit=scrapped["us"], weapon=weapon))
    assert scrapped.state.hex[weapon] == -1


@pytest.mark.rule("ost", "10.0.13")
def test_a_leader_destroys_what_lies_there_and_a_squad_what_it_carries(table):
    board = table().put("us", "us-rifle", "C4", weapon="us-lmg").put("l", "us-sergeant", "C4")
    play = board.put("other", "us-rifle", "C4").put("german", "ger-rifle", "H8").start()
    weapon = play["us's weapon"]
    points = list(play.state.impulses)
    spoil = a.Scrap(unit=play["us"], weapon=weapon)
    assert spoil in play.menu()
    assert play.refused(a.Scrap(unit=play["other"], weapon=weapon)).rule == "10.0.13"
    play.do(spoil)
    assert play.state.hex[weapon] == -1
    assert play.state.weapon[play["us"]] == -1
    assert play.state.impulses == points
    play = board.start()
    play.given(e.Handed(weapon=weapon, unit=-1, why="dropped"))
    play.do(a.Scrap(unit=play["l"], weapon=weapon))
    assert play.state.hex[weapon] == -1


@pytest.mark.rule("ost", "24.0.3")
def test_what_is_loaded_on_a_vehicle_is_not_destroyed_from_beside_it(table):
    board = table().put("v", "us-m3-halftrack", "C4").put("us", "us-rifle", "C4", weapon="us-lmg")
    play = board.put("german", "ger-rifle", "H8").start()
    weapon = play["us's weapon"]
    play.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    play.given(Fetched(weapon=weapon, vehicle=play["v"], taken=True))
    for unit in ("us", "v"):
        assert play.refused(a.Scrap(unit=play[unit], weapon=weapon)).rule == "24.0.3"
    assert not [x for x in play.menu() if isinstance(x, a.Scrap)]


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.0.13")
@pytest.mark.parametrize("shots", [2, 3])
def test_nothing_is_taken_up_after_intensive_fire(table, shots):
    battle = lying(table)
    for _ in range(shots):
        battle.dice(1, 1).fire("us", "german")
        battle.idle()
    action = a.PickUp(unit=battle["us"], weapon=battle["lost's weapon"])
    if shots == 3:
        assert battle.refused(action).rule == "10.0.13"
    else:
        news = battle.do(action)
        assert find(news, e.Handed).why == "picked up"


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.0.12", "10.0.13")
def test_a_unit_carries_one_support_weapon_and_takes_another_in_its_stead(table):
    battle = lying(table, weapon="us-bar")
    bar, lmg = battle["us's weapon"], battle["lost's weapon"]
    points = list(battle.state.impulses)
    battle.do(a.PickUp(unit=battle["us"], weapon=lmg))
    assert battle.state.impulses == points
    assert (battle.state.weapon[battle["us"]], battle.state.holder[bar]) == (lmg, -1)
    assert battle.at("us's weapon") == "C3"
    handing = a.Transfer(weapon=lmg, unit=battle["lost"])
    assert battle.refused(handing).rule == "2.0.p2", "from hand to hand in the Reform Phase only"
    battle.dice(1, 1).fire("us", "german", weapon="lost's weapon")
    battle.idle()
    battle.do(a.PickUp(unit=battle["us"], weapon=bar))
    assert find(battle.dice(1, 1).fire("us", "german", weapon="us's weapon"), e.Shot)
    battle.idle()
    battle.do(a.PickUp(unit=battle["lost"], weapon=lmg))
    shot = battle.shot("lost", "german", weapon="lost's weapon")
    assert battle.refused(shot).rule == "10.0.10"


@pytest.mark.rule("ost", "21.0.3")
def test_a_hidden_squad_puts_nothing_down(table):
    battle = lying(table, weapon="us-bar", hidden=True)
    action = a.PickUp(unit=battle["us"], weapon=battle["lost's weapon"])
    assert battle.refused(action).rule == "21.0.3"
    free = lying(table, hidden=True)
    free.do(a.PickUp(unit=free["us"], weapon=free["lost's weapon"]))
    assert free.state.hidden[free["us"]]


@pytest.mark.rule("ost", "10.0.12")
def test_a_weapon_moves_with_its_squad_and_not_by_itself(table):
    battle = armed(table).start()
    alone = a.Move(unit=battle[LMG], path=(battle.hex("C3"),))
    assert battle.refused(alone).rule == "10.0.12"
    battle.move("us", "D3")
    assert battle.at(LMG) == "D3"


@pytest.mark.rule("ost", "10.0.14", "2.1.p6")
def test_weapons_change_hands_in_the_reform_phase_even_without_a_leader(table):
    battle = armed(table).start()
    battle.out()
    assert battle.wants == "reform"
    battle.do(a.Transfer(weapon=battle[LMG], unit=battle["other"]))
    assert battle.state.weapon[battle["other"]] == battle[LMG]
    assert battle.state.weapon[battle["us"]] == -1


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.0.14", "2.1.p6")
@pytest.mark.parametrize("hidden", [False, True])
def test_two_squads_of_a_stack_exchange_their_weapons(table, hidden):
    board = table().put("a", "us-rifle", "C2", weapon="us-lmg", hidden=hidden)
    board.put("b", "us-rifle", "C2", weapon="us-bazooka", hidden=hidden)
    play = board.put("german", "ger-rifle", "H8").points(1, 1).start()
    play.out()
    assert play.wants == "reform", "different weapons can be exchanged"
    lmg, bazooka = play["a's weapon"], play["b's weapon"]
    news = play.do(a.Transfer(weapon=lmg, unit=play["b"]))
    assert (play.state.weapon[play["a"]], play.state.weapon[play["b"]]) == (bazooka, lmg)
    assert (play.state.holder[bazooka], play.state.holder[lmg]) == (play["a"], play["b"])
    play.cited.take(news)
    if hidden:
        rules = play.battle.ruleset
        assert all(rules.narrate(play.state, event, GERMAN) is None for event in news)
        assert not [piece for piece in rules.board(play.state, GERMAN) if piece.hex == "C2"]
    assert play.refused(a.Transfer(weapon=lmg, unit=play["b"])).rule == "10.0.14"


@pytest.mark.parametrize(("second", "asked"), [("us-lmg", False), ("us-bar", True)])
def test_two_weapons_of_a_kind_are_nothing_to_reorganise(table, second, asked):
    board = (
        table()
        .put("a", "us-rifle", "C2", weapon="us-lmg")
        .put("b", "us-rifle", "C2", weapon=second)
    )
    play = board.put("german", "ger-rifle", "H8").points(1, 1).start()
    play.out(*(() if asked else (6, 6, 1, 1, 1, 1)))
    assert (play.wants == "reform") is asked


@pytest.mark.rule("ost", "10.0.14")
def test_weapons_change_hands_within_a_stack_only(table):
    battle = armed(table).put("away", "us-rifle", "D4").start()
    battle.out()
    action = a.Transfer(weapon=battle[LMG], unit=battle["away"])
    assert battle.refused(action).rule == "10.0.14"


def test_a_side_with_nothing_to_reorganise_is_not_asked(table):
    battle = table().put("us", "us-rifle", "A1", weapon="us-lmg").put("g", "ger-rifle", "H8")
    play = battle.start()
    play.out(6, 6, 1, 1, 1, 1)
    assert play.wants == "an impulse"


@pytest.mark.rule("ost", "5.0.4")
def test_a_support_weapon_is_no_target(table):
    battle = lying(table)
    battle.idle()
    assert battle.refused(battle.shot("german", "lost's weapon")).rule == "5.0.4"


@pytest.mark.rule("ost", "10.0.5")
def test_an_automatic_rifle_does_not_outrange_its_squad_alone(table):
    battle = (
        table(("...",) * 10)
        .put("us", "us-rifle", "A1", weapon="us-bar")
        .put("german", "ger-rifle", "A8")
        .start()
    )
    assert battle.refused(battle.shot("us", "german", weapon=LMG, alone=True)).rule == "10.0.5"


def test_losing_the_weapon_alone_scores_nothing(table):
    battle = lying(table)
    assert battle.state.loss_points == [0, 0]
    assert "Eliminated" not in kinds(battle.log)

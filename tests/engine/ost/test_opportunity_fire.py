"""Opportunity fire: OST 27.6, with the book's first example."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.charts import ICT_RESULTS
from tests.engine.table import GERMAN, US, ControlHex, find, kinds

FAR = "H8"
HOLD = a.HoldFire()


@pytest.mark.example("ost", "27.6.e2")
@pytest.mark.rule("ost", "27.6.1", "27.6.2")
def test_the_first_example_of_opportunity_fire(table):
    """A rifle squad is fired at in two hexes, passes its gut check and completes its move."""
    battle = table().put("us", "us-rifle", "B2").put("hmg", "ger-hmg", "F4").start()
    before = list(battle.state.impulses)
    battle.move("us", "C2", "D3", "E3")
    assert battle.wants == "opportunity fire"
    news = battle.dice(3, 4, 6, 1).fire("hmg", "us")
    assert ICT_RESULTS[find(news, e.Shot).result] == "B"
    assert find(news, e.FireDeclared).reaction
    assert battle.state.fired[battle["hmg"]] == 1
    battle.dice(1, 1).fire("hmg", "us")
    assert battle.state.fired[battle["hmg"]] == 2
    battle.do(HOLD)
    assert battle.at("us") == "E3"
    assert battle.state.moved[battle["us"]]
    assert battle.state.impulses == [before[US] - 1, before[GERMAN] - 2]
    assert battle.owed == GERMAN


@pytest.mark.rule("ost", "27.6.3", "23.0.9")
@pytest.mark.parametrize(
    ("dice", "after"),
    [((3, 3, 1, 1), "shaken"), ((3, 4, 1, 1), "broken"), ((4, 4), "good order")],
)
def test_an_effect_ends_the_move_in_that_hex(table, dice, after):
    battle = table().put("us", "us-rifle", "B2").put("hmg", "ger-mmg", "F4").start()
    battle.move("us", "C2", "D3", "E3")
    battle.dice(*dice).fire("hmg", "us")
    assert battle.at("us") == "C2"
    assert battle.morale("us") == after
    assert battle.wants == "an impulse"


@pytest.mark.rule("ost", "27.6.3")
def test_without_an_effect_the_unit_goes_on(table):
    battle = table().put("us", "us-rifle", "B2").put("german", "ger-rifle", "E4").start()
    battle.move("us", "C2", "C3")
    news = battle.dice(3, 4, 6, 6).fire("german", "us")
    assert "GutChecked" in kinds(news)
    assert battle.at("us") == "C3"
    while battle.wants == "opportunity fire":
        stopping = battle.dice(5, 5, 6, 6).fire("german", "us")
        assert "MoveStopped" in kinds(stopping)


@pytest.mark.rule("ost", "27.6.6", "4.0.1")
def test_the_next_impulse_returns_to_a_mover_who_was_halted_else_not(table):
    owed = []
    for dice in ((1, 1), (3, 4, 1, 1)):
        battle = table().put("us", "us-rifle", "B2").put("german", "ger-rifle", "E4").start()
        battle.move("us", "C2")
        battle.dice(*dice).fire("german", "us")
        owed.append(battle.owed)
    assert owed == [GERMAN, US]


@pytest.mark.rule("ost", "27.6.p1", "27.6.8")
def test_a_mover_is_fired_at_once_in_each_hex_it_enters(table):
    battle = (
        table()
        .put("us", "us-rifle", "B2")
        .put("one", "ger-rifle", "E4")
        .put("two", "ger-rifle", "E3")
        .start()
    )
    battle.move("us", "C2", "C3")
    battle.dice(1, 1).fire("one", "us")
    assert battle.at("us") == "C3"
    battle.dice(1, 1).fire("two", "us")
    assert battle.wants == "an impulse"


@pytest.mark.rule("ost", "27.6.p1")
def test_opportunity_fire_is_only_at_what_moves(table):
    battle = (
        table()
        .put("us", "us-rifle", "B2")
        .put("other", "us-rifle", "C3")
        .put("german", "ger-rifle", "E4")
        .start()
    )
    battle.move("us", "C2")
    assert battle.refused(battle.shot("german", "other")).rule == "27.6.p1"


@pytest.mark.rule("ost", "27.6.p1")
def test_nobody_is_asked_who_neither_sees_nor_reaches_the_mover(table):
    rows = ("........", "........", "...w....", "...w....", "........", "........")
    battle = table(rows).put("us", "us-rifle", "C1").put("german", "ger-rifle", "E3").start()
    news = battle.move("us", "C2", "C3")
    assert "ReactionOwed" not in kinds(news[-3:])
    far = table(("..",) * 12).put("us", "us-rifle", "A1").put("g", "ger-rifle", "A12").start()
    assert "ReactionOwed" not in kinds(far.move("us", "A2"))
    near = table(("..",) * 12).put("us", "us-rifle", "A1").put("g", "ger-rifle", "A6").start()
    assert "ReactionOwed" in kinds(near.move("us", "A2"))


@pytest.mark.parametrize("spoiled", ["broken", "no points"])
def test_who_cannot_fire_is_not_asked(table, spoiled):
    morale = "broken" if spoiled == "broken" else "good order"
    battle = (
        table()
        .put("us", "us-rifle", "B2")
        .put("german", "ger-rifle", "E4", morale=morale)
        .points(5, 1)
        .start()
    )
    if spoiled == "no points":
        battle.given(e.PointsSpent(side=GERMAN, points=1))
    assert "ReactionOwed" not in kinds(battle.move("us", "C2"))


@pytest.mark.rule("ost", "27.6.7", "27.8.2")
def test_a_group_with_a_leader_fires_at_a_mover_for_two_points(table):
    battle = (
        table()
        .put("us", "us-rifle", "B2")
        .put("one", "ger-rifle", "E4", leader="feldwebel")
        .put("two", "ger-rifle", "E4")
        .start()
    )
    before = battle.state.impulses[GERMAN]
    battle.move("us", "C2")
    news = battle.dice(1, 1).fire("one", "us", partner="two")
    assert find(news, e.Shot).firepower == 8
    assert battle.state.impulses[GERMAN] == before - 2


def moving_group(table):
    return (
        table()
        .put("one", "us-rifle", "B2", leader="sergeant")
        .put("two", "us-rifle", "B2")
        .put("german", "ger-rifle", "E4")
        .put("mmg", "ger-mmg", "F4")
        .start()
    )


@pytest.mark.rule("ost", "23.1.6", "27.6.3")
def test_a_group_stops_with_the_unit_that_is_hit(table):
    battle = moving_group(table)
    battle.move("one", "C2", "C3", partner="two")
    battle.dice(3, 4, 1, 1, 6, 6).fire("german", "two")
    assert (battle.at("one"), battle.at("two")) == ("C2", "C2")
    assert battle.morale("one") == "good order"


def test_only_one_unit_of_a_group_is_fired_at_in_a_hex(table):
    battle = moving_group(table)
    battle.move("one", "C2", partner="two")
    battle.dice(1, 1).fire("german", "two")
    assert battle.wants == "an impulse"


@pytest.mark.rule("ost", "8.1.5", "27.6.9")
def test_sustained_fire_reaches_both_units_of_a_moving_group(table):
    battle = moving_group(table)
    battle.move("one", "C2", partner="two")
    news = battle.dice(1, 3, 1, 3).fire("mmg", "one", second="two")
    assert kinds(news).count("Shot") == 2


@pytest.mark.rule("ost", "28.2.p1", "28.2.2")
def test_the_leader_of_a_moving_group_rolls_when_the_other_unit_suffers(table):
    battle = moving_group(table)
    battle.move("one", "C2", partner="two")
    news = battle.dice(4, 5, 1).fire("german", "two")
    assert find(news, e.CasualtyTaken).unit == battle["two"]
    assert find(news, e.LeaderRolled).leader == battle["sergeant"]
    assert battle.at("sergeant") == "off the map"


def test_the_leader_of_a_unit_that_is_not_in_a_group_does_not_roll_for_his_neighbour(table):
    battle = (
        table()
        .put("one", "us-rifle", "C3", leader="sergeant")
        .put("two", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5")
        .to_move(GERMAN)
        .start()
    )
    assert "LeaderRolled" not in kinds(battle.dice(4, 5).fire("german", "two"))


@pytest.mark.rule("ost", "27.6.1")
def test_a_sniper_may_pick_the_leader_out_of_a_moving_squad(table):
    battle = (
        table()
        .put("one", "us-rifle", "B2", leader="sergeant")
        .put("sniper", "ger-sniper", "F4")
        .put("german", "ger-rifle", "E4")
        .start()
    )
    battle.move("one", "C2", "C3")
    assert battle.refused(battle.shot("german", "sergeant")).rule == "27.4.6"
    news = battle.dice(1, 1).fire("sniper", "sergeant")
    assert find(news, e.Shot).firepower == 4


def with_control(table, hex_="C2"):
    return (
        table()
        .put("us", "us-rifle", "B2")
        .put("german", "ger-rifle", "E4")
        .scenario(control=(ControlHex(hex=hex_, name="Mill", owner="german"),))
        .start()
    )


@pytest.mark.rule("ost", "3.2.2")
def test_a_unit_reduced_on_entering_a_control_hex_still_takes_it_in_good_order(table):
    battle = with_control(table)
    battle.move("us", "C2", "C3")
    news = battle.dice(4, 5).fire("german", "us")
    assert battle.steps("us") == 1
    assert battle.at("us") == "C2"
    assert "ControlTaken" in kinds(news)


def test_a_unit_shaken_on_entering_a_control_hex_does_not_take_it(table):
    battle = with_control(table)
    battle.move("us", "C2", "C3")
    news = battle.dice(3, 4, 1, 1).fire("german", "us")
    assert battle.morale("us") == "shaken"
    assert "ControlTaken" not in kinds(news)
    assert battle.state.control == [GERMAN]


@pytest.mark.parametrize(("target", "asked"), [("ger-truck", True), ("ger-251", False)])
def test_a_mortar_far_off_fires_at_a_lorry_that_drives(table, target, asked):
    """27.6.9, 10.3.10: the squad itself reaches no farther than six hexes; armour is not aimed at
    with mortars, 10.3.9."""
    board = table(("........",) * 14).put("squad", "us-rifle", "D2", weapon="us-mortar-60")
    play = board.put("v", target, "D13", facing=0).to_move(GERMAN).start()
    play.drive("v", ("D12", 0))
    assert (play.wants == "opportunity fire") == asked
    if asked:
        shot = a.HexFire(unit=play["squad"], weapon=play["squad's weapon"], hex=play.hex("D12"))
        assert shot in play.menu()


@pytest.mark.rule("ost", "7.1.3")
@pytest.mark.parametrize("unit", ["us-rifle", "us-m4"])
def test_a_sniper_is_offered_the_leader_of_what_moves(table, unit):
    board = table().put("s", "ger-sniper", "C2").put("u", unit, "C7", leader="l")
    play = board.put("far", "ger-rifle", "H1").start()
    if unit == "us-m4":
        play.drive("u", ("C6", 0))
    else:
        play.move("u", "C6")
    picked = a.Fire(firer=play["s"], target=play["l"])
    assert picked in play.menu()
    assert find(play.dice(1, 1, 1).do(picked), e.Shot).target == play["l"]

"""Crewed weapons: OST 8.0, and sustained fire: OST 8.1."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.ruleset import RULESET as OST
from tests.engine.table import GERMAN, US, find, kinds

HOLD = a.HoldFire()


def shots(news):
    return [event for event in news if isinstance(event, e.Shot)]


def gun(table, at="D4", facing=0, **targets):
    battle = table().put("gun", "ger-infantry-gun-75", at, facing=facing).to_move(GERMAN)
    for name, hex_ in targets.items():
        battle = battle.put(name, "us-rifle", hex_)
    return battle.start()


# --- casualties, asterisk -----------------------------------------------


@pytest.mark.rule("ost", "8.0.1", "1.6.p4")
def test_a_crewed_weapon_is_reduced_by_a_casualty_for_one_point(table):
    battle = table().put("us", "us-rifle", "C3").put("mmg", "ger-mmg", "C5").start()
    battle.dice(4, 5).fire("us", "mmg")
    assert battle.steps("mmg") == 1
    assert battle.state.loss_points[GERMAN] == 1


@pytest.mark.rule("ost", "28.1.p2")
def test_a_reduced_crewed_weapon_is_lost_by_a_casualty(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("mmg", "ger-mmg", "C5", reduced=True)
        .put("other", "ger-rifle", "H8")
        .start()
    )
    news = battle.dice(4, 5).fire("us", "mmg")
    assert battle.at("mmg") == "off the map"
    assert "6.0.3" not in find(news, e.Eliminated).cites()
    assert battle.state.loss_points[GERMAN] == 1


@pytest.mark.border("ost", "8")
@pytest.mark.rule("ost", "8.0.10")
def test_a_starred_weapon_may_not_fire_after_moving_one_without_star_may(table):
    def play(kind):
        battle = table().put("gun", kind, "C3").put("foe", "ger-rifle", "C8").start()
        battle.move("gun", "C4")
        while battle.wants == "opportunity fire":
            battle.do(HOLD)
        battle.idle()
        return battle

    hmg = play("us-hmg")
    assert hmg.refused(hmg.shot("gun", "foe")).rule == "8.0.10"
    mmg = play("us-mmg")
    assert find(mmg.dice(3, 3).fire("gun", "foe"), e.Shot).total == 5


@pytest.mark.border("ost", "8")
@pytest.mark.parametrize(
    ("hidden", "rule"), [("C4", ""), ("C5", "8.0.10")], ids=["halted at once", "a hex farther on"]
)
def test_a_starred_weapon_that_came_into_no_new_hex_may_fire(table, hidden, rule):
    """Met by a hidden enemy in the first hex it has moved, but has not come into another one."""
    board = table().put("hmg", "us-hmg", "C3").put("foe", "ger-rifle", "C8")
    play = board.put("met", "ger-rifle", hidden, hidden=True).start()
    play.move("hmg", "C4", "C5")
    while play.wants == "opportunity fire":
        play.do(HOLD)
    assert play.state.moved[play["hmg"]]
    play.idle()
    if rule:
        assert play.refused(play.shot("hmg", "met")).rule == rule
    else:
        assert find(play.dice(1, 2).fire("hmg", "met"), e.Shot).total == 2, "as moving fire"


@pytest.mark.border("ost", "8")
@pytest.mark.parametrize(
    ("kind", "fires"),
    [pytest.param("us-hmg", False, marks=pytest.mark.rule("ost", "8.0.10")), ("us-mmg", True)],
)
def test_a_starred_weapon_does_not_fire_after_it_was_unloaded(table, kind, fires):
    board = table().put("lorry", "us-truck", "C3").put("gun", kind, "C3", on="lorry")
    play = board.put("foe", "ger-rifle", "C8").start()
    play.unload("gun")
    play.idle()
    if fires:
        assert find(play.dice(1, 2).fire("gun", "foe"), e.Shot).total == 2, "as moving fire"
    else:
        assert play.refused(play.shot("gun", "foe")).rule == "8.0.10"


def test_a_starred_weapon_may_fire_first_and_move_then(table):
    battle = table().put("hmg", "us-hmg", "C3").put("foe", "ger-rifle", "H8").start()
    battle.dice(1, 1).fire("hmg", "foe")
    battle.idle()
    battle.move("hmg", "C4")
    assert battle.at("hmg") == "C4"


@pytest.mark.rule("ost", "1.6.p7")
@pytest.mark.parametrize("dice", [(5, 5), (6, 6)])
def test_a_crew_is_lost_by_a_casualty_or_worse_for_one_point(table, dice):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("crew", "ger-crew", "C5")
        .put("other", "ger-rifle", "H8")
        .start()
    )
    battle.dice(*dice).fire("us", "crew")
    assert battle.at("crew") == "off the map"
    assert battle.state.loss_points[GERMAN] == 1


@pytest.mark.rule("ost", "28.1.p1", "1.6.p4")
def test_a_reduced_crewed_weapon_destroyed_outright_is_one_point(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg")
        .put("mmg", "ger-mmg", "C5", reduced=True)
        .put("other", "ger-rifle", "H8")
        .start()
    )
    battle.dice(6, 6).fire("us", "mmg")
    assert battle.state.loss_points[GERMAN] == 1


# --- covered arcs -----------------------------------------------


@pytest.mark.border("ost", "8")
@pytest.mark.rule("ost", "8.0.12", "8.0.p11")
def test_a_weapon_with_a_covered_arc_fires_between_the_lines_of_its_outer_hexes(table):
    """Facing north from D4: the arc runs from the north-west to the north-east line."""
    inside = {"D3": True, "D1": True, "C3": True, "E3": True, "B3": True, "F3": True}
    outside = {"D5": False, "C4": False, "E4": False, "B4": False, "F4": False, "D8": False}
    for name, allowed in {**inside, **outside}.items():
        battle = gun(table, target=name)
        battle.cited.take(battle.log)
        if allowed:
            assert find(battle.dice(1, 1).fire("gun", "target"), e.Shot).distance
        else:
            assert battle.refused(battle.shot("gun", "target")).rule == "8.0.12"


@pytest.mark.rule("ost", "8.0.13", "27.5.4")
def test_turning_the_arc_counts_as_moving_for_the_fire_that_follows(table):
    battle = gun(table, target="D8")
    assert battle.refused(battle.shot("gun", "target")).rule == "8.0.12"
    points = battle.state.impulses[GERMAN]
    battle.do(a.Pivot(unit=battle["gun"], facing=3))
    assert battle.state.impulses[GERMAN] == points - 1
    battle.idle()
    assert find(battle.dice(3, 3).fire("gun", "target"), e.Shot).total == 5
    battle.idle()
    assert battle.refused(a.Pivot(unit=battle["gun"], facing=0)).rule == "23.0.1"


@pytest.mark.rule("ost", "8.0.13")
@pytest.mark.parametrize("facing", [0, 6, -1])
def test_the_arc_is_turned_to_another_of_the_six_hexsides(table, facing):
    battle = gun(table, target="D8")
    assert battle.refused(a.Pivot(unit=battle["gun"], facing=facing)).rule == "8.0.13"


@pytest.mark.rule("ost", "8.0.13")
def test_what_has_no_arc_does_not_turn(table):
    battle = table().put("us", "us-rifle", "A1").put("foe", "ger-rifle", "H8").start()
    assert battle.refused(a.Pivot(unit=battle["us"], facing=3)).rule == "8.0.13"


def test_turning_an_arc_draws_no_opportunity_fire(table):
    battle = gun(table, target="D6")
    assert "ReactionOwed" not in kinds(battle.do(a.Pivot(unit=battle["gun"], facing=3)))


# --- sustained fire -----------------------------------------------


def machine_gun(table, kind="us-mmg", first="C6", second="C6"):
    return (
        table()
        .put("gun", kind, "C2", leader="sergeant" if kind == "us-rifle" else "")
        .put("one", "ger-rifle", first)
        .put("two", "ger-rifle", second)
        .put("friend", "us-rifle", "D2")
        .start()
    )


@pytest.mark.rule("ost", "8.1.5", "8.1.6", "8.1.8")
def test_sustained_fire_attacks_two_targets_with_a_roll_each(table):
    battle = machine_gun(table, second="C7")
    news = battle.dice(1, 3, 4, 4).fire("gun", "one", second="two")
    assert [s.target for s in shots(news)] == [battle["one"], battle["two"]]
    assert [s.total for s in shots(news)] == [4, 8]
    assert battle.steps("two") == 1


@pytest.mark.rule("ost", "8.1.9", "8.1.2")
def test_sustained_fire_is_one_fire_action_for_one_point(table):
    battle = machine_gun(table)
    points = battle.state.impulses[US]
    battle.dice(1, 3, 1, 3).fire("gun", "one", second="two")
    assert battle.state.fired[battle["gun"]] == 1
    assert battle.state.impulses[US] == points - 1
    battle.idle()
    plain = battle.dice(1, 1).fire("gun", "one")
    assert len(shots(plain)) == 1
    assert "AmmoRanOut" not in kinds(plain)


@pytest.mark.rule("ost", "8.1.5")
def test_sustained_fire_may_strike_one_target_twice(table):
    battle = machine_gun(table)
    news = battle.dice(4, 4, 4, 4).fire("gun", "one", second="one")
    assert kinds(news).count("CasualtyTaken") == 1
    assert battle.at("one") == "off the map"


@pytest.mark.example("ost", "8.1.e1")
@pytest.mark.rule("ost", "8.1.7")
def test_the_second_attack_is_lost_when_the_first_destroys_the_target(table):
    battle = machine_gun(table)
    news = battle.dice(6, 6).fire("gun", "one", second="one")
    assert len(shots(news)) == 1
    assert battle.at("two") == "C6"


@pytest.mark.rule("ost", "8.1.5")
def test_the_two_targets_are_in_the_same_or_adjacent_hexes(table):
    battle = machine_gun(table, second="C8")
    assert battle.refused(battle.shot("gun", "one", second="two")).rule == "8.1.5"


def test_both_targets_of_sustained_fire_must_be_seen(table):
    battle = (
        table(("....", "....", "....", ".w..", "....", "....", "....", "...."))
        .put("gun", "us-mmg", "B2")
        .put("one", "ger-rifle", "A5")
        .put("two", "ger-rifle", "B6")
        .start()
    )
    assert battle.refused(battle.shot("gun", "one", second="two")).rule == "12.2.1"


@pytest.mark.rule("ost", "8.1.1", "8.1.3")
def test_only_crewed_machine_guns_sustain_fire(table):
    battle = (
        table().put("us", "us-rifle", "C2", weapon="us-lmg").put("one", "ger-rifle", "C6").start()
    )
    assert battle.refused(battle.shot("us", "one", second="one")).rule == "8.1.1"
    light = battle.shot("us", "one", second="one", weapon="us's weapon")
    assert battle.refused(light).rule == "8.1.3"


@pytest.mark.rule("ost", "8.1.4")
def test_sustained_fire_is_no_part_of_a_fire_group(table):
    battle = (
        table()
        .put("gun", "us-mmg", "C2", leader="sergeant")
        .put("us", "us-rifle", "D2")
        .put("one", "ger-rifle", "C6")
        .start()
    )
    shot = battle.shot("gun", "one", second="one", partner="us")
    assert battle.refused(shot).rule == "8.1.4"


@pytest.mark.rule("ost", "8.1.9")
def test_a_used_machine_gun_fires_intensively_but_not_sustained(table):
    battle = machine_gun(table)
    for _ in range(2):
        battle.dice(1, 1).fire("gun", "one")
        battle.idle()
    assert battle.refused(battle.shot("gun", "one", second="two")).rule == "8.1.9"
    assert len(shots(battle.dice(1, 1).fire("gun", "one"))) == 1


@pytest.mark.rule("ost", "8.1.10")
@pytest.mark.parametrize("faces", [(1, 1), (2, 2)])
@pytest.mark.parametrize("which", [0, 1])
def test_a_double_one_or_two_in_either_attack_turns_the_gun_into_a_reduced_squad(
    table, faces, which
):
    battle = machine_gun(table)
    dice = faces if which == 0 else (1, 3, *faces)
    news = battle.dice(*dice).fire("gun", "one", second="two")
    assert len(shots(news)) == which + 1
    state, gun_ = battle.state, battle["gun"]
    assert state.figures(gun_) == (2, 6)
    assert battle.steps("gun") == 1
    assert state.loss_points[US] == 0
    battle.idle()
    assert battle.refused(battle.shot("gun", "one", second="two")).rule == "8.1.1"


@pytest.mark.border("ost", "8")
@pytest.mark.rule("ost", "8.1.10")
@pytest.mark.parametrize("faces", [(3, 3), (1, 2)])
def test_other_rolls_do_not_spend_the_ammunition(table, faces):
    battle = machine_gun(table)
    battle.dice(*faces, 6, 6, 1, 3, 6, 6)
    news = battle.fire("gun", "one", second="one")
    assert "AmmoRanOut" not in kinds(news)
    battle.idle()
    battle.tape.faces.clear()
    assert "AmmoRanOut" in kinds(battle.dice(1, 1).fire("gun", "two", second="two"))


@pytest.mark.rule("ost", "27.8.p1")
def test_a_crewed_machine_gun_joins_a_fire_group_with_normal_fire(table):
    battle = (
        table()
        .put("gun", "us-mmg", "C2", leader="sergeant")
        .put("us", "us-rifle", "D2")
        .put("one", "ger-rifle", "C6")
        .start()
    )
    assert find(battle.dice(1, 1).fire("gun", "one", partner="us"), e.Shot).firepower == 9


def fate_of_the_gun(battle):
    return next(f for f in OST.result(battle.state).elements if f.element == "gun")


def test_a_crew_that_fell_as_riflemen_fell_in_combat_not_for_want_of_ammunition(table):
    battle = machine_gun(table)
    battle.dice(1, 1).fire("gun", "one", second="two")
    alive = fate_of_the_gun(battle)
    assert (alive.after, alive.became, alive.cause) == ("reduced", "us-rifle", "ammunition out")
    OST.evolve(battle.state, e.Eliminated(unit=battle["gun"], points=1, why="casualties"))
    fallen = fate_of_the_gun(battle)
    assert (fallen.after, fallen.cause) == ("eliminated", "combat")

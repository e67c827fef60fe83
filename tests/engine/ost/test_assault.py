"""Assault moves: OST 25."""

from __future__ import annotations

import pytest

from tests.engine.table import US, ControlHex, kinds


def close(table, **more):
    """A squad in C3, enemies in C4."""
    return table().put("us", "us-rifle", "C3", **more)


@pytest.mark.rule("ost", "25.0.p1", "25.0.2", "25.0.10")
def test_an_assault_enters_the_enemys_hex_for_a_point_and_marks_a_melee(table):
    battle = close(table).put("german", "ger-rifle", "C4").start()
    points = battle.state.impulses[US]
    news = battle.do(battle.assault("us", "C4"))
    assert battle.at("us") == "C4"
    assert battle.state.melees == {battle.hex("C4"): US}
    assert battle.state.impulses[US] == points - 1
    assert "Struck" not in kinds(news)
    assert "ReactionOwed" not in kinds(news)


@pytest.mark.rule("ost", "25.0.1")
def test_an_assault_is_one_hex(table):
    battle = close(table).put("german", "ger-rifle", "C5").start()
    assert battle.refused(battle.assault("us", "C5")).rule == "25.0.1"


@pytest.mark.rule("ost", "25.0.11")
@pytest.mark.parametrize("kind", ["us-mmg", "us-crew", "us-sergeant", "us-sniper"])
def test_only_squads_assault(table, kind):
    battle = table().put("us", kind, "C3").put("german", "ger-rifle", "C4").start()
    assert battle.refused(battle.assault("us", "C4")).rule == "25.0.11"


@pytest.mark.rule("ost", "25.0.6")
def test_a_unit_may_move_and_assault_in_one_turn_but_do_no_more(table):
    battle = (
        table()
        .put("us", "us-rifle", "C2")
        .put("german", "ger-rifle", "C4", morale="broken")
        .put("second", "ger-rifle", "H8")
        .start()
    )
    battle.move("us", "C3")
    battle.idle()
    battle.do(battle.assault("us", "C4"))
    assert battle.state.acts(battle["us"]) == 2


@pytest.mark.rule("ost", "22.0.1")
def test_a_used_unit_does_not_assault(table):
    battle = close(table).put("german", "ger-rifle", "C4").start()
    for _ in range(2):
        battle.dice(1, 1).fire("us", "german")
        battle.idle()
    assert battle.refused(battle.assault("us", "C4")).rule == "22.0.1"


def control(at, owner="german"):
    return {"control": (ControlHex(hex=at, name="Mill", owner=owner, per_turn=3),)}


@pytest.mark.border("ost", "25")
@pytest.mark.rule("ost", "25.0.12")
def test_an_assault_takes_an_empty_control_hex_and_no_other_empty_hex(table):
    battle = close(table).put("german", "ger-sergeant", "H8").scenario(**control("C4")).start()
    assert battle.refused(battle.assault("us", "D4")).rule == "25.0.12"
    news = battle.do(battle.assault("us", "C4"))
    assert "ControlTaken" in kinds(news)
    assert not battle.state.melees


@pytest.mark.rule("ost", "25.0.12")
def test_a_control_hex_that_friends_hold_is_not_assaulted(table):
    battle = (
        close(table)
        .put("friend", "us-rifle", "C4")
        .put("german", "ger-rifle", "H8")
        .scenario(**control("C4"))
        .start()
    )
    assert battle.refused(battle.assault("us", "C4")).rule == "25.0.12"


@pytest.mark.rule("ost", "25.0.4")
def test_a_unit_assaults_once_a_turn(table):
    places = tuple(ControlHex(hex=at, name=at, owner="german") for at in ("C4", "C5"))
    battle = close(table).put("german", "ger-sergeant", "H8").scenario(control=places).start()
    battle.do(battle.assault("us", "C4"))
    battle.idle()
    assert battle.refused(battle.assault("us", "C5")).rule == "25.0.4"


@pytest.mark.rule("ost", "25.0.7", "25.0.9")
def test_two_led_units_assault_together_from_adjacent_hexes_for_two_points(table):
    battle = (
        close(table, leader="sergeant")
        .put("second", "us-rifle", "D4")
        .put("german", "ger-rifle", "C4")
        .start()
    )
    points = battle.state.impulses[US]
    battle.do(battle.assault("us", "C4", partner="second"))
    assert (battle.at("us"), battle.at("second"), battle.at("sergeant")) == ("C4", "C4", "C4")
    assert battle.state.impulses[US] == points - 2


@pytest.mark.parametrize(
    ("leader", "second_at"),
    [
        pytest.param("", "D4", marks=pytest.mark.rule("ost", "25.0.7")),
        pytest.param("sergeant", "C5", marks=pytest.mark.rule("ost", "25.0.9")),
    ],
)
def test_a_group_assault_needs_a_leader_and_neighbours(table, leader, second_at):
    battle = (
        close(table, leader=leader)
        .put("second", "us-rifle", second_at)
        .put("german", "ger-rifle", "C4")
        .start()
    )
    battle.refused(battle.assault("us", "C4", partner="second"))


@pytest.mark.rule("ost", "25.0.5")
def test_a_group_assault_needs_two_points(table):
    battle = (
        close(table, leader="sergeant")
        .put("second", "us-rifle", "D4")
        .put("german", "ger-rifle", "C4")
        .points(1, 1)
        .start()
    )
    assert battle.refused(battle.assault("us", "C4", partner="second")).rule == "25.0.5"

"""Movement on foot: OST 20, 22, 23 and the costs of 14, 15 and 16."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.questions import MovementCost
from tests.engine.table import GERMAN, US, Hexsides, Road, kinds

FAR = "H8"


@pytest.fixture
def cost(ask, table):
    """Movement points of a path."""

    def of(rows, *path, points=4, **ground):
        return ask(MovementCost(map=table(rows, **ground).map, path=path, points=points))

    return of


# --- what hexes and hexsides cost -----------------------------------------------


@pytest.mark.parametrize(
    ("sign", "points"),
    [
        pytest.param(".", 1, marks=pytest.mark.rule("ost", "14.1.2", "23.0.2")),
        pytest.param("b", 1, marks=pytest.mark.rule("ost", "14.2.2")),
        pytest.param("f", 1, marks=pytest.mark.rule("ost", "14.3.2")),
        pytest.param("t", 1, marks=pytest.mark.rule("ost", "14.4.2")),
        pytest.param("w", 2, marks=pytest.mark.rule("ost", "14.5.2")),
        pytest.param("o", 1, marks=pytest.mark.rule("ost", "14.6.2")),
        pytest.param("c", 1, marks=pytest.mark.rule("ost", "14.7.2")),
        pytest.param("s", 2, marks=pytest.mark.rule("ost", "14.8.2")),
        pytest.param("m", 2, marks=pytest.mark.rule("ost", "14.9.2")),
        pytest.param("x", 2, marks=pytest.mark.rule("ost", "14.10.3")),
        pytest.param("d", 2, marks=pytest.mark.rule("ost", "14.11.3")),
        pytest.param("r", 2, marks=pytest.mark.rule("ost", "14.12.3")),
        pytest.param("l", 2, marks=pytest.mark.rule("ost", "16.1.6")),
        pytest.param("h", 2, marks=pytest.mark.rule("ost", "16.2.6")),
        pytest.param("u", 2, marks=pytest.mark.rule("ost", "16.5.2")),
        pytest.param("B", 2, marks=pytest.mark.rule("ost", "14.0.9", "14.8.2")),
    ],
)
def test_what_it_costs_on_foot_to_enter_a_hex(cost, sign, points):
    assert cost(("..", f"{sign}."), "A1", "A2").value == points


@pytest.mark.border("ost", "15")
@pytest.mark.parametrize(
    ("kind", "extra"),
    [
        pytest.param("hedge", 1, marks=pytest.mark.rule("ost", "15.1.4", "15.0.3")),
        pytest.param("stone wall", 1, marks=pytest.mark.rule("ost", "15.2.4", "15.0.3")),
        pytest.param("bocage", 2, marks=pytest.mark.rule("ost", "15.3.9", "15.0.3")),
    ],
)
@pytest.mark.parametrize(("sign", "points"), [(".", 1), ("w", 2)])
def test_crossing_a_hexside_costs_extra_to_the_hex(cost, kind, extra, sign, points):
    line = (Hexsides(kind=kind, sides=("A1/S",)),)
    assert cost(("..", f"{sign}."), "A1", "A2", hexsides=line).value == points + extra
    back = cost(("..", f"{sign}."), "A2", "A1", hexsides=line)
    assert back.value == 1 + extra


@pytest.mark.border("ost", "14")
@pytest.mark.rule("ost", "14.13.2", "14.13.4", "23.0.3")
def test_a_road_through_woods_costs_one_when_entered_by_road_only(cost):
    rows = ("...", "w..", "...")
    road = (Road(hexes="A1 A2 A3"),)
    assert cost(rows, "A1", "A2", "A3", roads=road).value == 2
    assert cost(rows, "B2", "A2", roads=road).value == 2


@pytest.mark.example("ost", "23.0.d1")
@pytest.mark.rule("ost", "23.0.p1", "23.0.4")
def test_the_white_path_of_the_diagram_takes_all_four_points(cost):
    """Brush, then three open hexes."""
    answer = cost(("..", "b.", "..", "..", ".."), "A1", "A2", "A3", "A4", "A5")
    assert answer.value == 4
    assert "can be done" in answer.text


@pytest.mark.example("ost", "23.0.d1")
@pytest.mark.rule("ost", "16.1.6", "23.0.p1")
def test_the_blue_path_of_the_diagram_takes_four_points(cost):
    """A structure, then two open hexes."""
    assert cost(("..", "l.", "..", ".."), "A1", "A2", "A3", "A4").value == 4


@pytest.mark.example("ost", "23.0.d1")
@pytest.mark.rule("ost", "15.2.4", "15.0.3")
def test_the_red_path_of_the_diagram_pays_three_for_the_grove_behind_the_wall(cost):
    """Open, then over a wall into the grove, which costs as woods: one and three."""
    wall = (Hexsides(kind="stone wall", sides=("A2/S",)),)
    rows = ("..", "..", "w.")
    assert cost(rows, "A2", "A3", hexsides=wall).value == 3
    assert cost(rows, "A1", "A2", "A3", hexsides=wall).value == 4


@pytest.mark.rule("ost", "23.0.5")
def test_one_hex_can_always_be_entered(cost, table):
    bocage = (Hexsides(kind="bocage", sides=("A1/S",)),)
    assert "can be done" in cost(("..", "w."), "A1", "A2", points=1, hexsides=bocage).text
    battle = (
        table(("........", "w.......", "........"), hexsides=bocage)
        .put("hmg", "us-hmg", "A1", morale="shaken")
        .put("german", "ger-rifle", "H3")
        .start()
    )
    assert battle.refused(battle.way("hmg", "A2", "A3")).rule == "23.0.4"
    battle.move("hmg", "A2")
    assert battle.at("hmg") == "A2"


@pytest.mark.rule("ost", "23.0.4")
def test_a_unit_goes_no_farther_than_its_points(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", FAR).start()
    assert battle.refused(battle.way("us", "A2", "A3", "A4", "A5", "A6")).rule == "23.0.4"
    battle.move("us", "A2", "A3")
    assert battle.at("us") == "A3"


@pytest.mark.rule("ost", "17.2.2")
def test_a_shaken_unit_has_half_its_movement(table):
    battle = (
        table()
        .put("us", "us-rifle", "A1", morale="shaken")
        .put("foe", "ger-rifle", "A4", morale="shaken")
        .start()
    )
    refusal = battle.refused(battle.way("us", "A2", "A3", "B3"))
    assert refusal.why == "The path costs 3 movement points of 2."
    battle.dice(3, 3, 6, 6)
    battle.fire("us", "foe")


@pytest.mark.rule("ost", "17.3.2")
def test_a_broken_unit_may_not_move(table):
    battle = (
        table().put("us", "us-rifle", "A1", morale="broken").put("foe", "ger-rifle", FAR).start()
    )
    assert battle.refused(battle.way("us", "A2")).rule == "17.3.2"


# --- actions -----------------------------------------------


@pytest.mark.rule("ost", "23.0.1", "22.0.2")
def test_a_unit_moves_once_a_turn(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", FAR).start()
    battle.move("us", "A2")
    battle.idle()
    assert battle.refused(battle.way("us", "A3")).rule == "23.0.1"


@pytest.mark.rule("ost", "22.0.5")
def test_after_two_shots_a_unit_may_not_move(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "A6").start()
    for _ in range(2):
        battle.dice(1, 1).fire("us", "german")
        battle.idle()
    assert battle.refused(battle.way("us", "A2")).rule == "22.0.5"


@pytest.mark.example("ost", "23.0.e1")
@pytest.mark.rule("ost", "23.0.1")
def test_a_unit_may_move_next_to_the_enemy_and_assault_later_in_the_turn(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "A4").start()
    battle.move("us", "A2", "A3")
    while battle.wants == "opportunity fire":
        battle.do(a.HoldFire())
    battle.idle()
    battle.do(battle.assault("us", "A4"))
    assert battle.hex("A4") in battle.state.melees


@pytest.mark.rule("ost", "23.0.8")
def test_normal_movement_never_enters_an_enemy_hex(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "A2").start()
    assert battle.refused(battle.way("us", "A2")).rule == "23.0.8"
    assert battle.refused(battle.way("us", "A2", "A3")).rule == "23.0.8"


@pytest.mark.rule("ost", "30.1.4")
def test_nobody_moves_into_or_through_a_melee_hex(table):
    battle = (
        table()
        .put("one", "us-rifle", "A1")
        .put("two", "us-rifle", "A3")
        .put("german", "ger-rifle", "A2")
        .start()
    )
    battle.do(battle.assault("one", "A2"))
    battle.idle()
    assert battle.refused(battle.way("two", "A2")).rule == "30.1.4"
    assert battle.refused(battle.assault("two", "A2")).rule == "30.1.4"


def test_a_path_runs_from_hex_to_adjacent_hex(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", FAR).start()
    assert battle.refused(battle.way("us", "A3")).rule == "23.0.p1"
    assert battle.refused(battle.way("us")).rule == "23.0.p1"


# --- groups -----------------------------------------------


def group(table, *, second="us-rifle", second_at="A1", leader="sergeant", **more):
    return (
        table(**more)
        .put("one", "us-rifle", "A1", leader=leader)
        .put("two", second, second_at)
        .put("german", "ger-rifle", FAR)
    )


@pytest.mark.rule("ost", "23.1.p1", "23.1.2", "23.1.4")
def test_two_units_and_their_leader_move_together_for_two_points(table):
    battle = group(table).start()
    points = battle.state.impulses[US]
    battle.move("one", "A2", "A3", partner="two")
    assert (battle.at("one"), battle.at("two"), battle.at("sergeant")) == ("A3", "A3", "A3")
    assert battle.state.impulses[US] == points - 2
    assert battle.state.moved[battle["one"]]
    assert battle.state.moved[battle["two"]]


@pytest.mark.rule("ost", "23.1.1")
def test_a_group_needs_an_attached_leader_in_good_order(table):
    without = group(table, leader="").start()
    assert without.refused(without.way("one", "A2", partner="two")).rule == "23.1.1"
    battle = group(table).start()
    battle.given(_shaken(battle["sergeant"]))
    assert battle.refused(battle.way("one", "A2", partner="two")).rule == "23.1.1"


def _shaken(unit):
    from rulesengine.dice import Roll

    return e.GutChecked(unit=unit, result=1, roll=Roll(0, 6, (1, 1)), needed=7, now=1)


@pytest.mark.example("ost", "23.1.e1")
@pytest.mark.rule("ost", "23.1.3")
def test_a_group_moves_at_the_pace_of_its_slowest_unit(table):
    battle = group(table, second="us-engineer").start()
    path = ("A2", "A3", "A4", "A5")
    assert battle.refused(battle.way("one", *path, partner="two")).rule == "23.1.3"
    battle.move("one", *path[:3], partner="two")
    assert battle.at("two") == "A4"


@pytest.mark.rule("ost", "23.1.4")
def test_a_group_starts_in_one_hex(table):
    battle = group(table, second_at="B1").start()
    assert battle.refused(battle.way("one", "A2", partner="two")).rule == "23.1.4"


@pytest.mark.rule("ost", "23.1.2")
def test_a_side_with_one_point_cannot_move_a_group(table):
    battle = group(table).points(1, 1).start()
    assert battle.refused(battle.way("one", "A2", partner="two")).rule == "23.1.2"


@pytest.mark.rule("ost", "7.3.7")
def test_an_attached_leader_moves_with_his_unit_at_no_extra_cost(table):
    battle = group(table).start()
    points = battle.state.impulses[US]
    way = a.Move(unit=battle["sergeant"], path=(battle.hex("A2"),))
    assert battle.refused(way).rule == "7.3.7"
    battle.move("one", "A2")
    assert battle.at("sergeant") == "A2"
    assert battle.state.impulses[US] == points - 1


def test_a_leader_alone_uses_his_own_movement_points(table):
    battle = table().put("him", "us-sergeant", "A1").put("german", "ger-rifle", FAR).start()
    battle.move("him", "A2", "A3", "A4", "A5", "A6")
    assert battle.at("him") == "A6"


# --- stealth -----------------------------------------------


@pytest.mark.rule("ost", "23.3.1", "23.3.4", "23.3.5")
def test_a_sniper_moves_by_stealth_without_being_fired_at(table):
    battle = table().put("sniper", "us-sniper", "A1").put("german", "ger-rifle", "A4").start()
    news = battle.move("sniper", "A2", "B2", stealth=True)
    assert battle.at("sniper") == "B2"
    assert "ReactionOwed" not in kinds(news)
    assert battle.state.moved[battle["sniper"]]
    plain = table().put("sniper", "us-sniper", "A1").put("german", "ger-rifle", "A4").start()
    assert "ReactionOwed" in kinds(plain.move("sniper", "A2", "B2"))


@pytest.mark.rule("ost", "23.3.2")
def test_stealth_uses_half_the_movement_points(table):
    battle = table().put("sniper", "us-sniper", "A1").put("german", "ger-rifle", FAR).start()
    assert battle.refused(battle.way("sniper", "A2", "A3", "A4", stealth=True)).rule == "23.3.2"


@pytest.mark.rule("ost", "23.3.p1")
def test_a_rifle_squad_cannot_move_by_stealth(table):
    battle = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", FAR).start()
    assert battle.refused(battle.way("us", "A2", stealth=True)).rule == "23.3.p1"


@pytest.mark.rule("ost", "23.3.3")
def test_a_group_moves_by_stealth_only_if_both_can(table):
    battle = group(table).start()
    way = battle.way("one", "A2", partner="two", stealth=True)
    assert battle.refused(way).rule == "23.3.3"


@pytest.mark.rule("ost", "7.1.1")
def test_a_sniper_takes_no_part_in_a_group_move(table):
    battle = group(table, second="us-sniper").start()
    assert battle.refused(battle.way("one", "A2", partner="two")).rule == "7.1.1"


# --- stacking -----------------------------------------------


@pytest.mark.rule("ost", "20.0.4")
def test_a_third_unit_fits_neither_into_nor_through_a_full_hex(table):
    battle = (
        table()
        .put("one", "us-rifle", "A2")
        .put("two", "us-mmg", "A2")
        .put("three", "us-rifle", "A1")
        .put("german", "ger-rifle", FAR)
        .start()
    )
    assert battle.refused(battle.way("three", "A2")).rule == "20.0.4"
    assert battle.refused(battle.way("three", "A2", "A3")).rule == "20.0.4"


@pytest.mark.rule("ost", "20.0.4")
def test_a_third_leader_does_not_fit(table):
    battle = (
        table()
        .put("one", "us-sergeant", "A2")
        .put("two", "us-sergeant", "A2")
        .put("three", "us-rifle", "A1", leader="third")
        .put("german", "ger-rifle", FAR)
        .start()
    )
    assert battle.refused(battle.way("three", "A2")).rule == "20.0.4"


@pytest.mark.rule("ost", "20.0.1")
def test_snipers_do_not_count_against_the_limit(table):
    battle = (
        table()
        .put("one", "us-rifle", "A2")
        .put("two", "us-rifle", "A2")
        .put("sniper", "us-sniper", "A1")
        .put("german", "ger-rifle", FAR)
        .to_move(US)
        .start()
    )
    battle.move("sniper", "A2")
    assert battle.at("sniper") == "A2"


def test_both_sides_have_the_limit_to_themselves(table):
    battle = (
        table()
        .put("one", "us-rifle", "A1")
        .put("two", "us-rifle", "A1")
        .put("german", "ger-rifle", "A2")
        .put("other", "ger-rifle", "A2")
        .to_move(GERMAN)
        .start()
    )
    battle.do(battle.assault("german", "A1"))
    assert battle.at("german") == "A1"

"""Fire combat: OST 27 and 28, with the worked examples of the book."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS
from rulesengine.rulesets.ost.questions import InfantryAttack
from tests.engine.table import GERMAN, Hexsides, find, kinds

WOODS = ("........", "........", "..w.....", "........", "........", "........")


@pytest.mark.rule("ost", "27.1.1", "27.1.2", "28.0.4")
def test_a_rifle_squad_fires_at_another_in_woods_as_in_the_example_of_27_3(table):
    battle = table(WOODS).put("british", "us-rifle", "C6").put("german", "ger-rifle", "C3").start()
    news = battle.dice(3, 4, 2, 2).fire("british", "german")
    shot = find(news, e.Shot)
    assert (shot.firepower, shot.defense, COLUMNS[shot.column]) == (4, 6, "-2")
    assert ICT_RESULTS[shot.result] == "S"
    assert battle.morale("german") == "shaken"


@pytest.mark.example("ost", "27.8.e2")
@pytest.mark.rule("ost", "27.8.1", "27.8.2", "27.8.p1")
def test_a_leader_two_rifle_squads_and_a_light_machine_gun_make_ten_firepower(table):
    battle = (
        table()
        .put("one", "ger-rifle", "B2", leader="sergeant", weapon="ger-lmg")
        .put("two", "ger-rifle", "B2")
        .put("target", "us-rifle", "B5")
        .to_move(GERMAN)
        .start()
    )
    points = battle.state.impulses[GERMAN]
    news = battle.dice(2, 2, 6, 6).fire("one", "target", weapon="one's weapon", partner="two")
    shot = find(news, e.Shot)
    assert shot.firepower == 10
    assert shot.total == 2 + 2 + 1
    assert battle.state.impulses[GERMAN] == points - 2


@pytest.mark.example("ost", "28.0.e1")
@pytest.mark.rule("ost", "27.1.p2", "27.1.p4", "28.0.1")
def test_the_arithmetic_of_the_infantry_combat_example(ask):
    answer = ask(
        InfantryAttack(
            firepower=(4, 2),
            degraded=1,
            leader=True,
            defense=4,
            terrain=("orchard",),
            markers=("cover",),
        )
    )
    assert answer.text == "FP 5 - Defense 6 = column -1"
    assert [m.amount for m in answer.modifiers if m.name == "roll: leader attached"] == [1]


@pytest.mark.border("ost", "27")
@pytest.mark.rule("ost", "27.1.p3")
def test_an_adjacent_target_adds_one_firepower(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C4").start()
    near = find(battle.dice(1, 1).fire("us", "german"), e.Shot)
    far_table = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    far = find(far_table.dice(1, 1).fire("us", "german"), e.Shot)
    assert (near.firepower, far.firepower) == (5, 4)


@pytest.mark.border("ost", "27")
@pytest.mark.rule("ost", "12.3.3")
def test_each_degrading_hex_takes_one_firepower(table):
    def firepower(between: str) -> int:
        rows = ("..", f"{between[0]}.", f"{between[1]}.", "..", "..")
        battle = table(rows).put("us", "us-rifle", "A1").put("german", "ger-rifle", "A4").start()
        shot: e.Shot = find(battle.dice(1, 1).fire("us", "german"), e.Shot)
        return shot.firepower

    assert [firepower(".."), firepower("b."), firepower("bb")] == [4, 3, 2]


@pytest.mark.rule("ost", "12.3.2")
def test_a_third_degrading_hex_blocks(ask, table):
    from rulesengine.rulesets.ost.questions import LineOfSight

    rows = ("..", "b.", "b.", "b.", "..")
    answer = ask(LineOfSight(map=table(rows).map, start="A1", end="A5"))
    assert "blocked" in answer.text


@pytest.mark.rule("ost", "17.2.2")
@pytest.mark.parametrize(("reduced", "firepower"), [(False, 2), (True, 1)])
def test_a_shaken_unit_fires_with_half_its_firepower(table, reduced, firepower):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="shaken", reduced=reduced)
        .put("german", "ger-rifle", "C6")
        .start()
    )
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).firepower == firepower


@pytest.mark.example("ost", "10.0.e4")
@pytest.mark.rule("ost", "10.0.4")
def test_a_shaken_squad_with_a_light_machine_gun_halves_the_sum(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="shaken", weapon="us-lmg")
        .put("german", "ger-rifle", "C6")
        .start()
    )
    news = battle.dice(1, 1).fire("us", "german", weapon="us's weapon")
    assert find(news, e.Shot).firepower == 3


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.0.5")
def test_a_light_machine_gun_fires_alone_past_the_squads_range(table):
    battle = (
        table(("." * 3,) * 12)
        .put("us", "us-rifle", "A1", weapon="us-lmg")
        .put("german", "ger-rifle", "A9")
        .start()
    )
    assert battle.refused(battle.shot("us", "german")).rule == "27.4.2"
    news = battle.dice(1, 1).fire("us", "german", weapon="us's weapon", alone=True)
    assert find(news, e.Shot).firepower == 2
    near = table().put("us", "us-rifle", "A1", weapon="us-lmg").put("g", "ger-rifle", "A4").start()
    near.refused(near.shot("us", "g", weapon="us's weapon", alone=True))


@pytest.mark.rule("ost", "27.5.1")
def test_moving_before_firing_costs_one_on_the_roll_firing_first_does_not(table):
    battle = table().put("us", "us-rifle", "C2").put("german", "ger-rifle", "C8").start()
    battle.move("us", "C3")
    battle.do(_hold())
    battle.idle()
    shot = find(battle.dice(3, 3).fire("us", "german"), e.Shot)
    assert shot.total == 5


def _hold():
    from rulesengine.rulesets.ost.actions import HoldFire

    return HoldFire()


@pytest.mark.rule("ost", "7.2.4")
def test_only_an_attached_leader_in_good_order_helps_the_roll(table):
    def total(morale: str) -> int:
        battle = (
            table()
            .put("us", "us-rifle", "C3", leader="sergeant")
            .put("german", "ger-rifle", "C6")
            .start()
        )
        if morale != "good order":
            battle.given(_shaken(battle["sergeant"]))
        shot: e.Shot = find(battle.dice(3, 3, 6, 6).fire("us", "german"), e.Shot)
        return shot.total

    assert (total("good order"), total("shaken")) == (7, 6)


def _shaken(unit: int) -> e.GutChecked:
    from rulesengine.dice import Roll

    return e.GutChecked(unit=unit, result=1, roll=Roll(0, 6, (1, 1)), needed=7, now=1)


@pytest.mark.border("ost", "15")
@pytest.mark.example("ost", "15.0.e2")
@pytest.mark.rule("ost", "15.0.5", "15.2.5")
def test_a_stone_wall_shields_only_against_what_is_traced_through_it(table):
    """The example of 15: a cemetery behind a wall, Defense 5 from one side, 7 from the other."""
    rows = (".....", ".....", "..c..", ".....", ".....", ".....")
    walls = (Hexsides(kind="stone wall", sides=("C3/N+NE+NW",)),)
    battle = (
        table(rows, hexsides=walls)
        .put("below", "us-rifle", "C6")
        .put("above", "us-rifle", "C1")
        .put("german", "ger-rifle", "C3")
        .start()
    )
    open_side = find(battle.dice(1, 1).fire("below", "german"), e.Shot)
    battle.idle()
    walled = find(battle.dice(1, 1).fire("above", "german"), e.Shot)
    assert (open_side.defense, walled.defense) == (5, 7)
    assert walled.firepower == 4


@pytest.mark.rule("ost", "28.1.p2", "6.0.1", "1.6.p4")
def test_a_casualty_reduces_a_full_squad_and_scores_a_point(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    news = battle.dice(4, 5).fire("us", "german")
    assert "CasualtyTaken" in kinds(news)
    assert battle.steps("german") == 1
    assert battle.state.loss_points[GERMAN] == 1


@pytest.mark.rule("ost", "6.0.3")
def test_a_casualty_removes_a_reduced_squad(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", reduced=True)
        .put("other", "ger-rifle", "H8")
        .start()
    )
    battle.dice(4, 5).fire("us", "german")
    assert battle.at("german") == "off the map"
    assert battle.state.loss_points[GERMAN] == 1


@pytest.mark.rule("ost", "28.1.p1", "1.6.p3")
def test_an_x_destroys_a_full_squad_for_two_points(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", leader="sergeant", weapon="us-lmg")
        .put("german", "ger-rifle", "C5")
        .put("other", "ger-rifle", "H8")
        .start()
    )
    battle.dice(5, 6).fire("us", "german", weapon="us's weapon")
    assert battle.at("german") == "off the map"
    assert battle.state.loss_points[GERMAN] == 2


@pytest.mark.rule("ost", "28.1.p4", "17.4.2")
def test_a_unit_that_passes_its_gut_check_ignores_the_result(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    battle.dice(3, 4, 3, 4).fire("us", "german")
    assert battle.morale("german") == "good order"


@pytest.mark.rule("ost", "17.4.3", "17.4.4")
def test_a_unit_that_fails_its_gut_check_takes_the_result(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    battle.dice(3, 4, 3, 3).fire("us", "german")
    assert battle.morale("german") == "shaken"


@pytest.mark.rule("ost", "17.2.6")
def test_a_shaken_unit_shaken_again_is_broken(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", morale="shaken")
        .start()
    )
    battle.dice(3, 4, 3, 3).fire("us", "german")
    assert battle.morale("german") == "broken"


@pytest.mark.example("ost", "28.1.e1")
@pytest.mark.rule("ost", "28.1.p6")
def test_a_double_result_takes_both_parts(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    battle.dice(5, 5, 3, 3).fire("us", "german")
    assert battle.steps("german") == 1
    assert battle.morale("german") == "shaken"


@pytest.mark.rule("ost", "28.1.p5")
def test_a_blank_cell_does_nothing(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    battle.dice(2, 3).fire("us", "german")
    assert (battle.steps("german"), battle.morale("german")) == (2, "good order")


@pytest.mark.rule("ost", "27.2.1", "28.0.p1")
@pytest.mark.parametrize("kind", ["ger-rifle", "ger-mmg", "ger-crew", "ger-sergeant"])
def test_everything_on_foot_is_attacked_on_the_infantry_combat_table(table, kind):
    battle = table().put("us", "us-rifle", "C3").put("german", kind, "C5").start()
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).total == 2


@pytest.mark.rule("ost", "17.3.6")
def test_a_broken_unit_is_not_affected_by_further_morale_results(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", morale="broken")
        .start()
    )
    news = battle.dice(3, 4).fire("us", "german")
    assert "AlreadyBroken" in kinds(news)
    assert battle.steps("german") == 2


@pytest.mark.rule("ost", "27.4.2")
def test_a_target_out_of_range_or_out_of_sight_is_refused(table):
    rows = ("........", "........", "..w.....", "........", "........", "........", "........")
    battle = table(rows).put("us", "us-rifle", "C2").put("german", "ger-rifle", "C5").start()
    assert battle.refused(battle.shot("us", "german")).rule == "12.2.1"
    far = table(("..",) * 12).put("us", "us-rifle", "A1").put("g", "ger-rifle", "A8").start()
    assert far.refused(far.shot("us", "g")).rule == "27.4.2"


@pytest.mark.rule("ost", "17.3.2")
def test_a_broken_unit_may_not_fire(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="broken")
        .put("german", "ger-rifle", "C5")
        .start()
    )
    assert battle.refused(battle.shot("us", "german")).rule == "17.3.2"


@pytest.mark.rule("ost", "7.2.1")
def test_a_leader_has_no_firepower_of_his_own(table):
    battle = table().put("him", "us-sergeant", "C3").put("german", "ger-rifle", "C5").start()
    assert battle.refused(battle.shot("him", "german")).rule == "7.2.1"


@pytest.mark.rule("ost", "27.4.6", "7.1.3")
def test_only_a_sniper_picks_a_leader_out_of_a_stack(table):
    battle = (
        table()
        .put("squad", "us-rifle", "C3")
        .put("sniper", "us-sniper", "D3")
        .put("german", "ger-rifle", "C5", leader="feldwebel")
        .start()
    )
    assert battle.refused(battle.shot("squad", "feldwebel")).rule == "27.4.6"
    news = battle.dice(1, 1).fire("sniper", "feldwebel")
    assert find(news, e.FireDeclared).picks
    assert find(news, e.Shot).firepower == 4


@pytest.mark.border("ost", "7")
@pytest.mark.rule("ost", "7.1.4")
def test_a_sniper_doubles_his_firepower_against_single_persons(table):
    battle = (
        table()
        .put("sniper", "us-sniper", "D3")
        .put("german", "ger-rifle", "C5", leader="feldwebel")
        .start()
    )
    shot = find(battle.dice(1, 1).fire("sniper", "feldwebel"), e.Shot)
    assert shot.firepower == 4
    other = table().put("sniper", "us-sniper", "D3").put("german", "ger-rifle", "C5").start()
    assert find(other.dice(1, 1).fire("sniper", "german"), e.Shot).firepower == 2

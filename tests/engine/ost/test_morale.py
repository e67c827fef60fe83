"""Morale, rally, merging and quality: OST 17, 18, 19."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.state import SHAKEN
from tests.engine.table import US, find, kinds


def shaky(table, morale="shaken", **more):
    return (
        table()
        .put("us", "us-rifle", "C3", morale=morale, **more)
        .put("german", "ger-rifle", "H8")
        .start()
    )


def rally(battle, *dice):
    return find(battle.dice(*dice).do(a.Rally(unit=battle["us"])), e.Rallied)


# --- gut checks --------------------------------------------------------------------


@pytest.mark.border("ost", "17")
@pytest.mark.rule("ost", "17.4.p1", "17.4.2", "17.4.4")
@pytest.mark.parametrize("number", [5, 7, 9])
def test_each_side_checks_against_its_own_number_never_modified(table, number):
    for total, after in ((number, "good order"), (number - 1, "shaken")):
        battle = (
            table()
            .put("us", "us-rifle", "C3")
            .put("german", "ger-rifle", "C5", leader="feldwebel", quality="elite")
            .gut_checks(2, number)
            .start()
        )
        dice = (1, total - 1) if total < 8 else (6, total - 6)
        battle.dice(3, 4, *dice, 6, 6).fire("us", "german")
        assert battle.morale("german") == after


@pytest.mark.rule("ost", "17.4.1", "28.1.p3", "28.1.p4")
def test_shaken_and_broken_results_call_for_a_gut_check(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    battle.dice(3, 4, 6, 6).fire("us", "german")
    battle.idle()
    news = battle.dice(4, 4, 1, 1).fire("us", "german")
    assert find(news, e.GutChecked).now == 2
    assert battle.morale("german") == "broken"


def test_a_casualty_alone_calls_for_no_gut_check(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C5").start()
    assert "GutChecked" not in kinds(battle.dice(4, 5).fire("us", "german"))


@pytest.mark.rule("ost", "17.2.6")
def test_a_shaken_unit_that_fails_against_broken_is_broken(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", morale="shaken")
        .start()
    )
    battle.dice(4, 4, 1, 1).fire("us", "german")
    assert battle.morale("german") == "broken"
    again = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", morale="shaken")
        .start()
    )
    again.dice(3, 4, 1, 1).fire("us", "german")
    assert again.morale("german") == "broken"


@pytest.mark.rule("ost", "17.3.6")
def test_a_broken_unit_still_takes_casualties_that_the_table_gives(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg")
        .put("german", "ger-rifle", "C5", morale="broken")
        .start()
    )
    news = battle.dice(4, 5).fire("us", "german", weapon="us's weapon")
    assert battle.steps("german") == 1
    assert "AlreadyBroken" in kinds(news)
    assert battle.morale("german") == "broken"


# --- rally -------------------------------------------------------------------------


@pytest.mark.border("ost", "18")
@pytest.mark.rule("ost", "18.0.1", "18.0.2", "18.0.5")
@pytest.mark.parametrize(("dice", "after"), [((3, 4), "good order"), ((3, 3), "shaken")])
def test_a_shaken_unit_rallies_on_seven(table, dice, after):
    battle = shaky(table)
    rally(battle, *dice)
    assert battle.morale("us") == after
    if after == "shaken":
        battle.idle()
        rally(battle, 6, 6)


@pytest.mark.border("ost", "18")
@pytest.mark.rule("ost", "18.0.3")
@pytest.mark.parametrize(("dice", "after"), [((4, 5), "good order"), ((4, 4), "shaken")])
def test_a_broken_unit_rallies_on_nine(table, dice, after):
    battle = shaky(table, "broken")
    rally(battle, *dice)
    assert battle.morale("us") == after


@pytest.mark.rule("ost", "18.0.6")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
def test_who_fails_to_rally_is_shaken_whatever_it_was(table, morale):
    battle = shaky(table, morale)
    rally(battle, 1, 1)
    assert battle.morale("us") == "shaken"


@pytest.mark.rule("ost", "18.0.p1", "22.0.8")
def test_a_used_unit_may_try_to_rally_any_number_of_times_for_a_point_each(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="shaken")
        .put("german", "ger-rifle", "C6")
        .start()
    )
    for _ in range(2):
        battle.dice(1, 1).fire("us", "german")
        battle.idle()
    for _ in range(3):
        points = battle.state.impulses[US]
        rally(battle, 1, 1)
        assert battle.state.impulses[US] == points - 1
        battle.idle()


@pytest.mark.rule("ost", "18.0.p1")
def test_a_good_order_unit_does_not_rally(table):
    battle = shaky(table, "good order")
    assert battle.refused(a.Rally(unit=battle["us"])).rule == "18.0.p1"


@pytest.mark.border("ost", "19")
@pytest.mark.parametrize(
    ("quality", "total"),
    [
        pytest.param("elite", 7, marks=pytest.mark.rule("ost", "19.0.p4", "18.0.4")),
        pytest.param("", 6),
        pytest.param("poor", 5, marks=pytest.mark.rule("ost", "19.0.p6", "18.0.4")),
    ],
)
def test_quality_changes_the_rally_roll(table, quality, total):
    assert rally(shaky(table, quality=quality), 3, 3).total == total


def test_the_scenario_may_give_a_unit_another_quality_than_its_card(table):
    def total(quality):
        battle = (
            table()
            .put("us", "us-airborne-rifle", "C3", morale="shaken", quality=quality)
            .put("german", "ger-rifle", "H8")
            .start()
        )
        return rally(battle, 3, 3).total

    assert (total(""), total("regular"), total("poor")) == (7, 6, 5)


@pytest.mark.rule("ost", "18.0.4")
def test_modifiers_of_a_rally_add_up(table):
    battle = shaky(table, quality="elite", leader="sergeant")
    assert rally(battle, 2, 3).total == 7
    assert battle.morale("us") == "good order"


@pytest.mark.rule("ost", "18.1.p1", "2.1.p5")
def test_every_shaken_or_broken_unit_gets_one_free_attempt_at_the_start_of_a_turn(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", morale="shaken", leader="sergeant")
        .put("second", "us-rifle", "H1", morale="broken")
        .put("german", "ger-rifle", "H8", morale="shaken")
        .points(1, 1)
        .start()
    )
    news = battle.out(3, 3, 4, 4, 3, 3)
    battle.cited.take(news)
    free = [event for event in news if isinstance(event, e.Rallied)]
    assert [(r.unit, r.free, r.total) for r in free] == [
        (battle["us"], True, 7),
        (battle["second"], True, 8),
        (battle["german"], True, 6),
    ]
    assert battle.morale("us") == "good order"
    assert battle.morale("second") == "shaken"
    assert "PointsSpent" not in kinds(news[news.index(free[0]) :])


@pytest.mark.rule("ost", "18.1.p1", "7.2.3")
def test_leaders_pull_themselves_together_first_and_help_the_others(table):
    board = table().put("us", "us-rifle", "C3", morale="shaken", leader="sergeant")
    play = board.put("german", "ger-rifle", "H8").start()
    shaken = Roll(0, 6, (1, 1))
    play.given(
        e.GutChecked(unit=play["sergeant"], result=SHAKEN, roll=shaken, needed=7, now=SHAKEN)
    )
    news = play.out(6, 1, 3, 3, 6, 6, 1, 1, 1, 1)
    free = [event for event in news if isinstance(event, e.Rallied)]
    assert [(r.unit, r.total) for r in free] == [(play["sergeant"], 7), (play["us"], 7)]


@pytest.mark.rule("ost", "30.1.3")
def test_nobody_rallies_in_a_melee(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("far", "us-rifle", "C7")
        .put("german", "ger-rifle", "C4", morale="shaken")
        .put("other", "ger-rifle", "H8")
        .start()
    )
    battle.do(battle.assault("us", "C4"))
    assert battle.refused(a.Rally(unit=battle["german"])).rule == "30.1.3"
    assert battle.refused(battle.shot("german", "far")).rule == "30.1.3"
    assert battle.refused(battle.way("german", "C5")).rule == "30.1.3"


# --- assault by the shaken ------------------------------------------------------------


@pytest.mark.parametrize(
    "morale",
    [
        pytest.param("shaken", marks=pytest.mark.rule("ost", "17.2.3")),
        pytest.param("broken", marks=pytest.mark.rule("ost", "17.3.3")),
    ],
)
def test_a_unit_not_in_good_order_may_not_assault(table, morale):
    battle = (
        table().put("us", "us-rifle", "C3", morale=morale).put("german", "ger-rifle", "C4").start()
    )
    battle.refused(battle.assault("us", "C4"))


# --- merging -----------------------------------------------------------------------------


def halves(table, *, second="us-rifle", second_at="C3", leader="sergeant", **more):
    battle = (
        table()
        .put("one", "us-rifle", "C3", reduced=True, leader=leader)
        .put("two", second, second_at, reduced=True, **more)
        .put("full", "us-rifle", "C2")
        .put("him", "us-sergeant", "H1")
        .put("german", "ger-rifle", "H8")
        .points(1, 1)
        .start()
    )
    battle.out(1, 1)
    assert battle.wants == "reform"
    return battle


def merge(battle, kept="one", gone="two"):
    return a.Merge(kept=battle[kept], gone=battle[gone])


@pytest.mark.rule("ost", "18.2.p1", "18.2.1", "18.2.3")
@pytest.mark.parametrize("second_at", ["C3", "C4"])
def test_two_reduced_squads_of_a_type_become_a_full_one_where_the_leader_is(table, second_at):
    battle = halves(table, second_at=second_at)
    points = list(battle.state.impulses)
    battle.do(merge(battle))
    assert (battle.steps("one"), battle.at("one")) == (2, "C3")
    assert battle.at("two") == "off the map"
    assert battle.state.impulses == points
    assert battle.state.loss_points == [0, 0]


@pytest.mark.rule("ost", "18.2.2")
def test_merging_needs_a_good_order_leader_with_the_squad_that_stays(table):
    battle = halves(table)
    assert battle.refused(merge(battle, "two", "one")).rule == "18.2.2"
    battle.do(merge(battle))


@pytest.mark.rule("ost", "18.2.1")
def test_squads_merge_from_the_same_or_adjacent_hexes_in_good_order(table):
    far = halves(table, second_at="C6")
    assert far.refused(merge(far)).rule == "18.2.1"
    shaken = halves(table, morale="shaken")
    assert shaken.refused(merge(shaken)).rule == "18.2.1"


@pytest.mark.rule("ost", "18.2.p1")
def test_only_reduced_squads_of_one_type_merge(table):
    other = halves(table, second="us-engineer")
    assert other.refused(merge(other)).rule == "18.2.p1"
    whole = halves(table)
    assert whole.refused(merge(whole, "one", "full")).rule == "18.2.p1"


@pytest.mark.rule("ost", "18.2.4")
def test_weapon_teams_do_not_merge(table):
    battle = (
        table()
        .put("one", "us-mmg", "C3", reduced=True, leader="sergeant")
        .put("two", "us-mmg", "C3", reduced=True)
        .put("german", "ger-rifle", "H8")
        .start()
    )
    battle.out()
    assert battle.refused(merge(battle)).rule == "18.2.4"


def test_the_merged_squad_keeps_the_weapon_of_either_half(table):
    battle = halves(table, weapon="us-lmg")
    battle.do(merge(battle))
    assert battle.state.weapon[battle["one"]] == battle["two's weapon"]

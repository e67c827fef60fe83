"""The sequence of play, impulses, control and victory: OST 1, 2, 3 and 4."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import command
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.scenario import Options, Victory
from tests.engine.table import GERMAN, US, ControlHex, Play, find, kinds

OST = ruleset("ost")
NEXT = (6, 6, 1, 1, 1, 1)


def quiet(table, us=3, german=3, **scenario):
    """Two squads that do not see each other."""
    return (
        table()
        .put("us", "us-rifle", "A1")
        .put("german", "ger-rifle", "H8")
        .points(us, german)
        .scenario(**scenario)
    )


# --- initiative -----------------------------------------------


@pytest.mark.rule("ost", "3.4.p1", "3.4.1", "2.2.p1")
@pytest.mark.parametrize("side", [US, GERMAN])
def test_the_higher_roll_of_two_dice_begins(table, side):
    battle = quiet(table).to_move(side).start()
    assert battle.owed == side


@pytest.mark.border("ost", "2")
@pytest.mark.rule("ost", "3.4.2", "2.2.p2", "2.3.p3")
def test_equal_rolls_are_rolled_again(table):
    battle = quiet(table, 1, 1).start()
    news = battle.out(3, 4, 2, 5, 1, 1, 6, 6, 1, 1)
    battle.cited.take(news)
    initiative = find(news, e.InitiativeRolled)
    assert len(initiative.rolls) == 4
    assert initiative.winner == GERMAN
    assert [roll.total for roll in news if isinstance(roll, e.ImpulsesRolled)] == [1, 1]
    assert find(news, e.TurnStarted).turn == battle.state.turn == 4


@pytest.mark.border("ost", "3")
@pytest.mark.rule("ost", "3.4.3")
def test_the_winner_of_the_initiative_passes_only_with_fewer_points(table):
    more = quiet(table, 4, 3).start()
    assert more.refused(a.Pass()).rule == "3.4.3"
    fewer = quiet(table, 3, 4).start()
    news = fewer.do(a.Pass())
    assert find(news, e.Passed).first
    assert fewer.owed == GERMAN


# --- impulses -----------------------------------------------


@pytest.mark.rule("ost", "4.0.3", "4.0.4", "3.1.6")
def test_each_side_rolls_its_dice_and_adds_its_bonus_every_turn(table):
    battle = quiet(table, 1, 3).start()
    assert battle.state.impulses == [1, 3]
    battle.cited.take(battle.out(6, 6, 1, 1, 6, 4))
    assert battle.state.impulses == [6, 6]


@pytest.mark.rule("ost", "4.0.1", "4.0.5", "1.8.p2")
def test_sides_take_turns_and_every_action_takes_a_point_off(table):
    battle = quiet(table).start()
    battle.move("us", "A2")
    assert battle.owed == GERMAN
    assert battle.state.impulses == [2, 3]
    battle.move("german", "H7")
    assert battle.owed == US
    assert battle.state.impulses == [2, 2]


@pytest.mark.border("ost", "4")
@pytest.mark.rule("ost", "4.0.2", "1.8.p3")
def test_actions_cost_one_point_and_group_actions_two(table):
    battle = (
        table()
        .put("us", "us-rifle", "A1", leader="sergeant")
        .put("two", "us-rifle", "A1")
        .put("german", "ger-rifle", "H8", morale="shaken")
        .points(3, 3)
        .start()
    )
    battle.move("us", "A2", partner="two")
    assert battle.state.impulses == [1, 3]
    battle.dice(1, 1).do(a.Rally(unit=battle["german"]))
    assert battle.state.impulses == [1, 2]


@pytest.mark.border("ost", "4")
@pytest.mark.rule("ost", "4.0.6")
def test_who_has_fewer_points_may_pass_and_lets_the_other_go_on(table):
    battle = quiet(table, 3, 5).start()
    battle.move("us", "A2")
    battle.do(a.DropPoint())
    points = list(battle.state.impulses)
    battle.do(a.Pass())
    assert battle.state.impulses == points
    assert battle.owed == GERMAN
    equal = quiet(table, 4, 3).start()
    equal.move("us", "A2")
    assert equal.refused(a.Pass()).rule == "4.0.6"


@pytest.mark.border("ost", "4")
@pytest.mark.rule("ost", "4.0.7")
def test_who_has_as_many_or_more_gives_up_a_point_instead(table):
    battle = quiet(table, 3, 3).start()
    battle.do(a.DropPoint())
    assert battle.state.impulses == [2, 3]
    battle.move("german", "H7")
    battle.do(a.DropPoint())
    assert battle.state.impulses == [1, 2]
    fewer = quiet(table, 2, 3).start()
    assert fewer.refused(a.DropPoint()).rule == "4.0.7"


def test_a_side_out_of_points_waits_while_the_other_uses_up_its_own(table):
    battle = quiet(table, 1, 3).start()
    battle.move("us", "A2")
    for _ in range(3):
        assert battle.owed == GERMAN
        if battle.state.impulses[GERMAN] == 1:
            battle.dice(*NEXT)
        battle.do(a.DropPoint())


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "4.0.8", "2.2.p3", "1.10.p11")
def test_the_turn_ends_when_both_have_used_all_and_markers_come_off(table):
    battle = quiet(table, 1, 1).start()
    battle.move("us", "A2")
    news = battle.out(*NEXT)
    battle.cited.take(news)
    assert kinds(news).index("MeleePhaseBegan") < kinds(news).index("TurnEnded")
    assert battle.state.turn == 4
    assert not battle.state.moved[battle["us"]]


@pytest.mark.rule("ost", "2.0.p1", "2.1.p1", "1.3.p1")
def test_the_phases_of_a_turn_come_in_order(table):
    battle = (
        table()
        .put("us", "us-rifle", "A1", leader="sergeant", morale="shaken")
        .put("german", "ger-rifle", "H8")
        .points(1, 1)
        .start()
    )
    turn = battle.state.turn
    news = battle.out(1, 1)
    battle.cited.take(news)
    news = news[kinds(news).index("MeleePhaseBegan") :]
    assert kinds(news) == ["MeleePhaseBegan", "TurnEnded", "TurnStarted", "Rallied", "ReformOwed"]
    assert find(news, e.TurnStarted).turn == battle.state.turn == turn - 1
    after = battle.dice(*NEXT).do(a.EndReform())
    assert kinds(after) == [
        "ReformEnded",
        "InitiativeRolled",
        "ImpulsesRolled",
        "ImpulsesRolled",
        "ImpulseGiven",
    ]


# --- mounting losses -----------------------------------------------


@pytest.mark.border("ost", "1")
@pytest.mark.example("ost", "1.7.e1")
@pytest.mark.parametrize(
    ("losses", "total"), [(0, 8), (4, 8), (5, 7), (9, 7), (10, 6), (12, 6), (35, 1), (99, 1)]
)
def test_every_five_points_lost_cost_an_impulse_down_to_one(losses, total):
    """Twelve points lost and a roll of eight leave six: the book's example."""
    assert command.impulses(8, 0, losses) == total


@pytest.mark.rule("ost", "1.7.p2")
def test_losses_tell_on_the_roll_of_the_next_turn(table):
    battle = quiet(table, 3, 3).put("second", "ger-rifle", "H7").start()
    for _ in range(6):
        battle.given(e.CasualtyTaken(unit=battle["german"], points=1))
        battle.state.steps[battle["german"]] = 2
    assert battle.state.loss_points == [0, 6]
    news = battle.out(*NEXT)
    battle.cited.take(news)
    assert [r.total for r in news if isinstance(r, e.ImpulsesRolled)] == [3, 2]


@pytest.mark.rule("ost", "1.6.p1")
def test_losses_are_kept_as_a_running_total(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("one", "ger-rifle", "C5")
        .put("two", "ger-rifle", "C5")
        .start()
    )
    for target, total in (("one", 1), ("two", 2)):
        battle.dice(4, 5).fire("us", target)
        assert battle.state.loss_points == [0, total]
        battle.idle()


# --- control -----------------------------------------------


def mill(at="A3", owner="", **more):
    return {"control": (ControlHex(hex=at, name="Mill", owner=owner, **more),)}


@pytest.mark.parametrize(
    "owner",
    [
        pytest.param("", marks=pytest.mark.rule("ost", "3.2.2")),
        pytest.param("german", marks=pytest.mark.rule("ost", "3.2.2")),
        "us",
    ],
)
def test_a_good_order_unit_takes_a_control_hex_by_moving_into_or_through_it(table, owner):
    battle = quiet(table, **mill(owner=owner)).start()
    news = battle.move("us", "A2", "A3", "A4")
    assert battle.state.control == [US]
    assert ("ControlTaken" in kinds(news)) is (owner != "us")


def test_a_shaken_unit_takes_no_control_hex(table):
    battle = (
        table()
        .put("us", "us-rifle", "A1", morale="shaken")
        .put("german", "ger-rifle", "H8")
        .scenario(**mill("A2", "german"))
        .start()
    )
    battle.move("us", "A2")
    assert battle.state.control == [GERMAN]


@pytest.mark.parametrize("kind", ["us-sergeant", "us-sniper", "us-crew"])
def test_single_persons_and_crews_take_no_control_hex(table, kind):
    battle = (
        table()
        .put("us", kind, "A1")
        .put("german", "ger-rifle", "H8")
        .scenario(**mill("A2", "german"))
        .start()
    )
    battle.move("us", "A2")
    assert battle.state.control == [GERMAN]


def test_ownership_lasts_after_the_unit_has_gone(table):
    battle = quiet(table, **mill()).start()
    battle.move("us", "A2", "A3", "A4")
    battle.out(*NEXT)
    assert battle.state.control == [US]


@pytest.mark.example("ost", "1.5.e1")
@pytest.mark.rule("ost", "1.5.p1", "2.3.p2", "2.3.p1")
def test_control_hexes_score_for_their_owner_at_each_turns_end(table):
    battle = quiet(table, 1, 1, **mill(owner="german", per_turn=3)).start()
    battle.move("us", "A2")
    battle.cited.take(battle.out(*NEXT))
    assert battle.state.vp == [0, 3]
    assert not any(battle.state.moved), "the markers of the turn have come off"
    battle.out(*NEXT)
    assert battle.state.vp == [0, 6]


# --- the end -----------------------------------------------


@pytest.mark.border("ost", "1", "2")
@pytest.mark.rule("ost", "1.4.p1", "2.4.p1")
@pytest.mark.parametrize(("dice", "more"), [((3, 4), True), ((3, 3), False), ((6, 1), True)])
def test_on_the_last_turn_a_total_of_seven_gives_one_turn_more(table, dice, more):
    battle = quiet(table, 1, 1, turns=1).start()
    battle.dice(*dice, *(NEXT if more else ()))
    battle.idle()
    battle.idle()
    battle.cited.take(battle.log)
    assert battle.state.turn == (0 if more else 1)
    assert (battle.wants == "nothing") is not more
    if more:
        battle.idle()
        battle.idle()
        assert battle.wants == "nothing"


@pytest.mark.rule("ost", "1.3.p3", "2.4.p3", "3.1.1")
def test_without_extended_play_the_last_turn_is_the_last(table):
    battle = quiet(table, 1, 1, turns=1, options=Options(extended_play=False)).start()
    battle.idle()
    battle.idle()
    battle.cited.take(battle.log)
    assert battle.wants == "nothing"
    assert OST.outcome(battle.state).kind == "draw"


def ended(table, **victory) -> Play:
    battle = quiet(
        table,
        1,
        1,
        turns=1,
        options=Options(extended_play=False),
        victory=Victory(**victory),
        **mill(owner="german", per_turn=1, at_end=2),
    ).start()
    battle.given(e.CasualtyTaken(unit=battle["german"], points=1))
    battle.idle()
    battle.idle()
    return battle


@pytest.mark.border("ost", "3")
@pytest.mark.rule("ost", "3.1.9")
@pytest.mark.parametrize(
    ("victory", "points", "winner"),
    [
        ({}, [1, 3], "german"),
        ({"per_casualty": 3}, [3, 3], None),
        ({"per_casualty": 5}, [5, 3], "us"),
        ({"margin": 3}, [1, 3], None),
        ({"handicap": -3}, [1, 0], "us"),
    ],
)
def test_the_lead_in_points_decides_if_it_is_great_enough(table, victory, points, winner):
    battle = ended(table, **victory)
    battle.cited.take(battle.log)
    assert battle.state.vp == points
    outcome = OST.outcome(battle.state)
    assert (outcome.winner if outcome.kind == "win" else None) == winner


@pytest.mark.rule("ost", "3.1.10")
def test_who_destroys_all_enemy_units_wins_at_once_whatever_the_points(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C5", reduced=True)
        .scenario(**mill("H8", "german", at_end=99))
        .start()
    )
    battle.dice(4, 5).fire("us", "german")
    assert battle.wants == "nothing"
    assert OST.outcome(battle.state).winner == "us"


@pytest.mark.rule("ost", "3.1.10")
def test_a_battle_may_end_in_the_middle_of_a_move(table):
    battle = (
        table().put("us", "us-rifle", "C2", reduced=True).put("german", "ger-rifle", "C6").start()
    )
    battle.move("us", "C3", "C4")
    battle.dice(5, 6).fire("german", "us")
    assert battle.wants == "nothing"
    assert OST.outcome(battle.state).winner == "german"


def test_two_sides_destroyed_together_draw(table):
    battle = (
        table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C4").points(1, 1).start()
    )
    battle.do(battle.assault("us", "C4"))
    battle.dice(5, 6, 5, 6)
    battle.idle()
    assert battle.wants == "nothing"
    assert OST.outcome(battle.state).kind == "draw"


@pytest.mark.rule("ost", "2.4.p2")
def test_after_the_end_nothing_may_be_done(table):
    battle = ended(table)
    refusal = OST.refuse(OST.view(battle.state, US), a.DropPoint())
    battle.cited.take(refusal)
    assert refusal.rule == "2.4.p2"


@pytest.mark.rule("ost", "4.0.1")
def test_the_side_that_is_not_owed_a_decision_waits(table):
    battle = quiet(table).start()
    refusal = OST.refuse(OST.view(battle.state, GERMAN), battle.way("german", "H7"))
    battle.cited.take(refusal)
    assert refusal.rule == "4.0.1"


@pytest.mark.rule("ost", "2.0.p2")
def test_an_action_of_another_phase_is_refused(table):
    battle = quiet(table).start()
    assert battle.refused(a.EndReform()).rule == "2.0.p2"

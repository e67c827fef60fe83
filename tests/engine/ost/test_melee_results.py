"""What a melee leaves behind: OST 30.4, 3.2.5."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from tests.engine.ost.melees import NEXT_TURN, control, joined, strikes
from tests.engine.table import GERMAN, US, find, kinds

# --- results -----------------------------------------------


@pytest.mark.rule("ost", "30.4.14", "30.2.1")
def test_a_melee_may_last_for_turns_with_one_combat_in_each(table):
    battle = joined(table)
    for _ in range(3):
        news = battle.out(1, 1, 1, 1, *NEXT_TURN)
        battle.cited.take(news)
        assert kinds(news).count("MeleeJoined") == 1
    assert battle.hex("C4") in battle.state.melees


@pytest.mark.rule("ost", "17.3.5", "30.4.3")
def test_a_broken_survivor_does_not_strike_and_leaves(table):
    battle = joined(table, german={"morale": "broken"})
    battle.cited.take(battle.out(1, 1))
    assert battle.wants == "a retreat out of the melee"
    battle.dice(1, 1, *NEXT_TURN)
    battle.do(a.Retreat(unit=battle["german"], to=battle.hex("C5")))
    assert battle.at("german") == "C5"


@pytest.mark.rule("ost", "30.2.7")
def test_different_modifiers_of_a_side_in_melee_add_up(table):
    battle = joined(table, us={"quality": "elite", "leader": "sergeant"})
    news = battle.out(1, 1, 1, 1, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    assert strikes(news)[0].total == 4


@pytest.mark.rule("ost", "30.4.12", "30.4.2", "30.3.4")
def test_good_order_units_of_both_sides_fight_on_next_turn(table):
    battle = joined(table)
    battle.cited.take(battle.out(1, 1, 1, 1, *NEXT_TURN))
    assert battle.hex("C4") in battle.state.melees
    assert (battle.at("us"), battle.at("german")) == ("C4", "C4")


@pytest.mark.rule("ost", "30.4.13")
def test_a_melee_that_goes_on_may_be_reinforced(table):
    battle = joined(table)
    battle.out(1, 1, 1, 1, *NEXT_TURN)
    battle.move("far", "A2", "B3", "B4")
    while battle.wants != "an impulse":
        battle.do(a.HoldFire())
    if battle.owed == GERMAN:
        battle.idle()
    battle.do(battle.assault("far", "C4"))
    assert battle.at("far") == "C4"


@pytest.mark.rule("ost", "20.0.2")
def test_reinforcements_keep_to_the_stacking_limit(table):
    battle = (
        table()
        .put("one", "us-rifle", "C3", leader="sergeant")
        .put("two", "us-rifle", "C3")
        .put("three", "us-rifle", "B4")
        .put("german", "ger-rifle", "C4")
        .points(2, 1)
        .start()
    )
    battle.do(battle.assault("one", "C4", partner="two"))
    battle.out()
    assert battle.wants == "concentrate the attack or not"
    battle.dice(*(1, 1) * 4, 6, 6, *NEXT_TURN).do(a.Concentrate())
    assert battle.wants == "an impulse"
    assert battle.refused(battle.assault("three", "C4")).rule == "20.0.2"


@pytest.mark.rule("ost", "30.4.3", "17.2.5", "30.4.11")
def test_shaken_defenders_leave_for_a_hex_of_their_choice(table):
    battle = joined(table)
    battle.cited.take(battle.out(1, 4, 1, 1, 1, 1))
    assert battle.morale("german") == "shaken"
    assert battle.wants == "a retreat out of the melee"
    away = a.Retreat(unit=battle["german"], to=battle.hex("C5"))
    assert battle.refused(a.Retreat(unit=battle["german"], to=battle.hex("C6"))).rule == "30.4.3"
    battle.dice(1, 1, *NEXT_TURN)
    battle.do(away)
    assert battle.at("german") == "C5"
    assert not battle.state.melees


@pytest.mark.rule("ost", "30.4.4")
def test_shaken_defenders_stay_when_all_attackers_leave(table):
    """The attackers' led squad is shaken; its good order leader goes with it."""
    battle = joined(table, us={"leader": "sergeant"}, german={"morale": "shaken"})
    battle.cited.take(battle.out(1, 1, 4, 4, 1, 1, 1, 1))
    assert battle.morale("us") == "shaken"
    assert battle.wants == "a retreat out of the melee"
    assert battle.owed == US
    battle.dice(1, 1, 1, 1, *NEXT_TURN)
    battle.do(a.Retreat(unit=battle["us"], to=battle.hex("C3")))
    assert (battle.at("us"), battle.at("sergeant")) == ("C3", "C3")
    assert battle.at("german") == "C4"


@pytest.mark.rule("ost", "30.4.5")
def test_if_all_are_shaken_only_the_attacker_leaves(table):
    battle = joined(table)
    battle.cited.take(battle.out(1, 5, 1, 5, 1, 1, 1, 1))
    assert battle.owed == US
    battle.dice(1, 1, 1, 1, *NEXT_TURN)
    battle.do(a.Retreat(unit=battle["us"], to=battle.hex("C3")))
    assert battle.at("german") == "C4"
    assert battle.morale("german") == "shaken"


@pytest.mark.rule("ost", "30.4.6")
def test_a_leader_left_alone_leaves(table):
    battle = joined(table, german={"leader": "feldwebel"})
    battle.cited.take(battle.out(5, 6, 1, 1, 1, 1))
    assert battle.at("german") == "off the map"
    assert battle.wants == "a retreat out of the melee"
    battle.dice(*NEXT_TURN)
    battle.do(a.Retreat(unit=battle["feldwebel"], to=battle.hex("C5")))
    assert battle.at("feldwebel") == "C5"


@pytest.mark.parametrize("attacker", [US, GERMAN])
@pytest.mark.rule("ost", "30.4.6")
def test_of_two_leaders_left_alone_the_attackers_leaves(table, attacker):
    battle = joined(
        table, us={"leader": "sergeant"}, german={"leader": "feldwebel"}, attacker=attacker
    )
    battle.cited.take(battle.out(5, 6, 1, 1, 5, 6, 1, 1))
    assert battle.at("us") == battle.at("german") == "off the map"
    assert battle.owed == attacker
    assert battle.wants == "a retreat out of the melee"


@pytest.mark.rule("ost", "30.4.3", "17.2.5", "30.4.1")
def test_who_cannot_retreat_is_destroyed(table):
    battle = (
        table(("..", "..", "..", ".."))
        .put("us", "us-rifle", "A1", morale="shaken")
        .put("far", "us-rifle", "A4", morale="broken")
        .put("german", "ger-rifle", "B1")
        .put("second", "ger-rifle", "B1")
        .put("third", "ger-rifle", "A2")
        .put("fourth", "ger-rifle", "B2")
        .to_move(GERMAN)
        .points(1, 1)
        .start()
    )
    battle.do(battle.assault("german", "A1"))
    news = battle.out(1, 1, 1, 1, 6, 6, *NEXT_TURN)
    battle.cited.take(news)
    assert battle.at("us") == "off the map"
    assert find(news, e.Eliminated).why == "no retreat"
    assert battle.state.loss_points[US] == 2


@pytest.mark.rule("ost", "30.4.4", "30.4.6")
def test_shaken_defenders_stay_when_only_a_leader_is_left_of_the_attackers(table):
    """The good order squad beside the shaken one drives the leader out."""
    battle = joined(table, us={"leader": "sergeant"}, german={"morale": "shaken"}, second="ger-mmg")
    battle.out()
    battle.dice(1, 1, 1, 1, 5, 6, 1, 1, 6, 6, 1, 1)
    battle.do(a.Concentrate())
    assert battle.at("us") == "off the map"
    assert (battle.owed, battle.wants) == (US, "a retreat out of the melee")
    battle.tape.faces.clear()
    battle.dice(1, 1, *NEXT_TURN)
    battle.do(a.Retreat(unit=battle["sergeant"], to=battle.hex("C3")))
    assert (battle.at("german"), battle.at("second")) == ("C4", "C4")


@pytest.mark.rule("ost", "3.2.5")
def test_the_side_left_after_a_melee_owns_the_control_hex_good_order_or_not(table):
    battle = joined(
        table, us={"leader": "sergeant"}, german={"morale": "shaken"}, **control("C4", "us")
    )
    battle.cited.take(battle.out(1, 1, 4, 4, 1, 1, 1, 1))
    battle.dice(1, 1, 1, 1, *NEXT_TURN)
    battle.do(a.Retreat(unit=battle["us"], to=battle.hex("C3")))
    assert battle.state.control == [GERMAN]


@pytest.mark.rule("ost", "3.2.4", "2.3.p2")
def test_a_control_hex_with_a_melee_scores_for_nobody(table):
    battle = joined(table, **control("C4"))
    news = battle.out(1, 1, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    assert find(news, e.TurnEnded).points == (0, 0)
    quiet = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "H8")
    quiet = quiet.points(1, 1).scenario(**control("C4")).start()
    assert find(quiet.out(*NEXT_TURN), e.TurnEnded).points == (0, 3)

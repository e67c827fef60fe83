"""Fire at who comes down next to the enemy (OST 26.3.9, 26.3.10)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.kinds import FIREPOWER
from rulesengine.rulesets.ost.landing_fire import force
from rulesengine.rulesets.ost.scenario import ControlHex, Options
from rulesengine.rulesets.ost.state import NONE, OFF, SHAKEN
from tests.engine.ost.test_airborne import LOW, PLAIN, QUIET, all_of, stick, terrain, where
from tests.engine.table import GERMAN, US, find, kinds


@pytest.mark.rule("ost", "26.3.9")
def test_an_enemy_next_to_the_landing_fires_at_half_and_for_nothing(table):
    board = stick(table, rows=terrain(J13="w"), falls=(1, 1, *QUIET, *QUIET))
    play = board.put("b", "ger-rifle", "J12").start()
    play.do(a.FireAtLanding(firer=play["b"]))
    shot = find(play.log, e.Shot)
    kind = play.state.kind[play["b"]]
    assert shot.firepower == (FIREPOWER[kind][2] + 1) // 2
    assert shot.defense == 4  # printed: the woods are not reached yet
    assert kinds(play.log).index("Shot") < kinds(play.log).index("Landed")
    assert not all_of(play, e.PointsSpent)
    assert play.state.fired[play["b"]] == 0
    assert play.state.spent_statistic[play["b"]] == 1, "a shot all the same"


@pytest.mark.rule("ost", "7.4.4")
def test_the_leader_of_a_tank_is_an_armor_leader(table):
    board = stick(table, falls=(1, 1))
    play = board.put("tank", "ger-pz4h", "J12", facing=3, leader="ace").start()
    play.tape.faces.extendleft((1, 1))
    play.do(a.FireAtLanding(firer=play["tank"]))
    shot = find(play.log, e.Shot)
    assert shot.total == shot.roll.total + 1
    assert "7.2.4" not in shot.cites()


def test_who_is_two_hexes_off_is_not_asked(table):
    play = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J11").start()
    assert play.wants == "an impulse"


@pytest.mark.rule("ost", "26.2.6")
def test_nobody_fires_at_the_aircraft_itself(table):
    board = stick(table, falls=(1, 6)).put("b", "ger-rifle", "J14")
    play = board.start()
    assert find(play.log, x.Dropped).over == play.hex("J14")
    assert not all_of(play, x.LandingFireOwed)
    assert where(play, "a") == "J8"


@pytest.mark.rule("ost", "26.3.10")
def test_results_come_before_the_ground_and_reach_the_leader(table):
    board = table(PLAIN).put("a", "us-airborne-rifle", leader="with")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.put("b", "ger-hmg", "J12", facing=3).flies(US, ("transport", "J15", ("a", "with")))
    board.falls = (1, 1)
    play = board.start()
    play.tape.faces.extendleft(reversed((5, 4, 6)))
    news = play.do(a.FireAtLanding(firer=play["b"]))
    assert kinds(news).index("LeaderRolled") < kinds(news).index("Landed")
    assert play.state.steps[play["a"]] == 1


def test_a_unit_that_falls_lands_no_more(table):
    board = stick(table, names=("a",), falls=(1, 1), a={"reduced": True})
    play = board.put("b", "ger-hmg", "J12").start()
    play.tape.faces.extendleft((6, 6))
    play.do(a.FireAtLanding(firer=play["b"]))
    assert play.state.hex[play["a"]] == OFF
    assert find(play.log, x.Landed).hex == NONE
    assert play.state.loss_points == [1, 0]


@pytest.mark.parametrize("option", [False, True])
def test_one_neighbour_fires_or_by_the_option_each_of_them_once(table, option):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12").put("c", "ger-rifle", "K13")
    if option:
        board.scenario(options=Options(all_fire_at_landings=True))
    play = board.start()
    play.tape.faces.extendleft(QUIET)
    play.do(a.FireAtLanding(firer=play["b"]))
    assert (play.wants == "fire at a landing") == option
    if option:
        assert play.refused(a.FireAtLanding(firer=play["b"])).rule == "26.3.9"
        play.tape.faces.extendleft(QUIET)
        play.do(a.FireAtLanding(firer=play["c"]))
    assert play.wants == "an impulse"
    assert len(all_of(play, e.Shot)) == 1 + option


def test_who_holds_his_fire_ends_it_for_all(table):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12").put("c", "ger-rifle", "K13")
    play = board.scenario(options=Options(all_fire_at_landings=True)).start()
    play.tape.faces.extendleft(QUIET)
    play.do(a.FireAtLanding(firer=play["b"]))
    play.do(a.HoldFire())
    assert (play.wants, len(all_of(play, e.Shot))) == ("an impulse", 1)


def test_a_group_fires_under_a_leader_and_not_without(table):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12", leader="boss")
    play = board.put("c", "ger-rifle", "K12").put("d", "ger-rifle", "J14").start()
    alone = force(play.state, play["b"], NONE, play["a"])[1].value
    group = force(play.state, play["b"], play["c"], play["a"])[1].value
    assert group > alone
    apart = play.refused(a.FireAtLanding(firer=play["b"], partner=play["d"]))
    assert apart.rule == "27.8.p1"
    unled = play.refused(a.FireAtLanding(firer=play["c"], partner=play["c"]))
    assert unled.rule == "27.8.p1"
    play.dice(*QUIET)
    play.tape.faces.rotate(2)
    play.do(a.FireAtLanding(firer=play["b"], partner=play["c"]))
    assert find(play.log, e.Shot).firers == (play["b"], play["c"])


def test_fire_is_halved_after_all_else_and_never_below_one(table):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12")
    play = board.start()
    play.given(e.GutChecked(unit=play["b"], result=1, roll=LOW, needed=7, now=SHAKEN))
    printed = FIREPOWER[play.state.kind[play["b"]]][2]
    assert force(play.state, play["b"], NONE, play["a"])[1].value == max(1, (printed + 1) // 2 // 2)


def test_a_hidden_neighbour_may_hold_and_stay_hidden_or_fire_from_ambush(table):
    for fires in (False, True):
        board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12", hidden=True)
        play = board.start()
        rules = play.battle.ruleset
        owed = find(play.log, x.LandingFireOwed)
        assert rules.narrate(play.state, owed, US) is None
        assert rules.narrate(play.state, owed, -1) is None
        if fires:
            play.tape.faces.extendleft(QUIET)
            play.do(a.FireAtLanding(firer=play["b"]))
            assert find(play.log, e.Shot).total == 3
        else:
            play.do(a.HoldFire())
            held = find(play.log, x.LandingFireHeld)
            assert rules.narrate(play.state, held, US) is None
        assert play.state.hidden[play["b"]] == (not fires)


@pytest.mark.parametrize(
    ("firer", "rule"),
    [("broken", "17.3.2"), ("far", "26.3.9"), ("boss", "7.2.1"), ("home", "27.4.1")],
)
def test_who_cannot_fire_at_a_landing(table, firer, rule):
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12", leader="boss")
    board.put("broken", "ger-rifle", "J14")
    play = board.start()
    play.given(e.GutChecked(unit=play["broken"], result=2, roll=LOW, needed=7, now=2))
    assert play.refused(a.FireAtLanding(firer=play[firer])).rule == rule


def test_a_lander_takes_a_control_hex_and_sets_off_mines(table):
    board = stick(table, falls=(1, 1, *QUIET)).work(GERMAN, "mines", "J13")
    board.scenario(control=(ControlHex(hex="J13", name="Farm", owner="german"),))
    play = board.start()
    assert find(play.log, f.MinesFound).hex == play.hex("J13")
    assert play.state.control == [US]

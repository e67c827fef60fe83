"""Leaders, snipers, who holds ground and what it scores: OST 1.5, 3.1, 3.2, 7, 17, 18, 27.4."""

from __future__ import annotations

import pytest

from rulesengine.contract import Illegal
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.questions import MovementCost, UnitCard
from rulesengine.rulesets.ost.state import View
from tests.engine.table import GERMAN, US, ControlHex, Options, find, kinds

OST = ruleset("ost")
NEXT_TURN = (1, 2, 3, 4, 1, 1)
"""Dice of a new turn: initiative, then an impulse die each."""


def held(name, at, owner="", **points):
    return ControlHex(hex=at, name=name, owner=owner, **points)


# --- what hexes score ----------------------------------------------------------------------------

PLACES = (
    held("ours", "A1", "us", per_turn=3),
    held("theirs", "H1", "german", per_turn=2),
    held("nobody's", "D4", per_turn=5),
)


@pytest.mark.example("ost", "1.5.e1")
@pytest.mark.rule("ost", "1.5.p2", "3.2.p1", "3.2.1")
def test_control_hexes_score_each_turn_for_their_owners_from_the_start(table):
    """The book's example: three points a turn for holding a hex; what is nobody's scores for
    nobody."""
    play = table().put("a", "us-rifle", "A8").put("g", "ger-rifle", "H8").scenario(control=PLACES)
    play = play.start()
    shown = {p.name: p.side for p in OST.board(play.state, -1) if "control" in p.marks}
    assert shown == {"ours": US, "theirs": GERMAN, "nobody's": -1}
    ended = find(play.out(*NEXT_TURN), e.TurnEnded)
    assert ended.points == (3, 2)
    play.cited.take(ended)
    again = find(play.out(*NEXT_TURN), e.TurnEnded)
    assert again.points == (3, 2)
    assert play.state.vp == [6, 4]


@pytest.mark.rule("ost", "1.5.p3", "3.1.9")
def test_where_hexes_score_at_the_end_only_nothing_is_scored_before(table):
    places = (held("ours", "A1", "us", at_end=7), held("theirs", "H1", "german", at_end=4))
    options = Options(extended_play=False)
    board = table().put("a", "us-rifle", "A8").put("g", "ger-rifle", "H8")
    play = board.scenario(control=places, turns=2, options=options).start()
    news = play.out(*NEXT_TURN)
    assert find(news, e.TurnEnded).points == (0, 0)
    ended = find(play.out(), e.BattleEnded)
    assert (ended.points, ended.winner) == ((7, 4), US)
    play.cited.take(ended)


@pytest.mark.rule("ost", "3.1.5")
def test_a_unit_takes_only_hexes_the_scenario_lists(table):
    play = (
        table().put("a", "us-rifle", "D3").put("g", "ger-sergeant", "H8").scenario(control=PLACES)
    )
    play = play.start()
    news = play.move("a", "D4")
    assert find(news, e.ControlTaken).place == 2
    other = table().put("a", "us-rifle", "D3").put("g", "ger-sergeant", "H8").start()
    assert "ControlTaken" not in kinds(other.move("a", "D4"))


@pytest.mark.border("ost", "3")
@pytest.mark.parametrize(
    ("who", "takes"),
    [
        ("us-sergeant", False),
        ("us-sniper", False),
        ("us-crew", False),
        ("us-truck", False),
        ("us-rifle", True),
        ("us-mmg", True),
        ("us-m4", True),
    ],
)
@pytest.mark.rule("ost", "3.2.3", "7.0.2")
def test_who_takes_a_control_hex_it_comes_into(table, who, takes):
    places = (held("theirs", "D4", "german", per_turn=2),)
    board = table().put("a", who, "D3", facing=3).put("g", "ger-rifle", "A8")
    play = board.scenario(control=places).start()
    news = play.drive("a", ("D4", 3)) if who in ("us-truck", "us-m4") else play.move("a", "D4")
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert ("ControlTaken" in kinds(news)) is takes
    ended = find(play.out(*NEXT_TURN), e.TurnEnded)
    assert ended.points == ((2, 0) if takes else (0, 2))
    play.cited.take(ended)


# --- leaders and snipers -------------------------------------------------------------------------


@pytest.mark.rule("ost", "7.1.2")
def test_a_sniper_does_not_count_when_stacking(table):
    board = table().put("a", "us-rifle", "D4").put("b", "us-rifle", "D4")
    play = board.put("s", "us-sniper", "D4").put("g", "ger-rifle", "H8").start()
    assert play.at("s") == "D4"
    with pytest.raises(Illegal) as caught:
        board.put("c", "us-rifle", "D4").start()
    assert caught.value.refusal.rule == "20.0.1"


@pytest.mark.rule("ost", "7.1.7")
def test_a_sniper_may_move_by_stealth_and_squads_may_not(table):
    board = table().put("s", "us-sniper", "D4").put("a", "us-rifle", "A4")
    play = board.put("g", "ger-rifle", "D7").start()
    assert play.refused(play.way("a", "A5", stealth=True)).rule == "23.3.p1"
    news = play.move("s", "D5", stealth=True)
    assert find(news, e.MoveDeclared).stealth
    assert play.wants == "an impulse", "nobody fires at it"


@pytest.mark.rule("ost", "7.2.7")
def test_a_leader_on_foot_does_nothing_for_vehicles(table, ask):
    board = (
        table().put("t", "us-m4", "D4", facing=3, morale="shaken").put("boss", "us-captain", "D4")
    )
    play = board.put("g", "ger-rifle", "H8").start()
    rallied = find(play.dice(3, 3).do(a.Rally(unit=play["t"])), e.Rallied)
    assert rallied.total == 6, "his command range does not help it to rally"
    answer = ask(UnitCard(counter="us-captain"))
    assert "7.2.7" in answer.rules
    assert "7.2.7" not in ask(UnitCard(counter="us-armor-leader")).rules
    walks = table().put("t", "us-rifle", "D4", morale="shaken").put("boss", "us-captain", "D4")
    play = walks.put("g", "ger-rifle", "H8").start()
    assert find(play.dice(3, 3).do(a.Rally(unit=play["t"])), e.Rallied).total == 7


@pytest.mark.parametrize(("unit", "points"), [("us-rifle", 4), ("us-mmg", 3)])
@pytest.mark.rule("ost", "7.3.8")
def test_a_leader_moves_with_his_own_points_or_with_those_of_his_unit(table, ask, unit, points):
    own = next(t.mp for t in TYPES if t.key == "us-sergeant")
    assert own > points
    assert "7.3.8" in ask(UnitCard(counter="us-sergeant")).rules
    column = [f"A{r}" for r in range(2, 9)]
    led = table().put("a", unit, "A1", leader="boss").put("g", "ger-rifle", "H8").start()
    mp = next(t.mp for t in TYPES if t.key == unit)
    assert mp <= points
    assert led.refused(led.way("a", *column[: mp + 1])).rule == "23.0.4"
    assert led.refused(led.way("boss", *column[:1])).rule == "7.3.7"
    alone = table().put("boss", "us-sergeant", "A1").put("g", "ger-rifle", "H8").start()
    assert alone.refused(alone.way("boss", *column[: own + 1])).rule == "23.0.4"
    alone.move("boss", *column[:own])
    assert alone.at("boss") == column[own - 1]


@pytest.mark.parametrize(
    ("leader", "helps"), [("us-sergeant", True), ("us-airborne-sergeant", False)]
)
@pytest.mark.rule("ost", "7.5.p1")
def test_a_leader_helps_in_combat_within_his_branch(table, leader, helps):
    board = table().put("a", "us-rifle", "D4").put("boss", leader, "D4").put("g", "ger-rifle", "D6")
    board.attached.append(("boss", "a"))
    play = board.start()
    shot = find(play.dice(3, 3, 6, 6).fire("a", "g"), e.Shot)
    assert shot.total - sum(shot.roll.faces) == helps
    if not helps:
        same = table().put("a", "us-rifle", "D4", leader="boss").put("g", "ger-rifle", "D6").start()
        same.dice(3, 3, 6, 6).fire("a", "g")


@pytest.mark.parametrize(("option", "rolls"), [(False, 1), (True, 2)])
@pytest.mark.rule("ost", "27.4.5")
def test_which_leaders_of_a_hex_roll(table, option, rolls):
    """His own, and by option every one of the hex."""
    options = Options(leader_rolls_for_hex=option)
    board = (
        table().put("a", "us-rifle", "D4", leader="boss").put("b", "us-rifle", "D4", leader="two")
    )
    play = board.put("g", "ger-rifle", "D6").to_move(GERMAN).scenario(options=options).start()
    news = play.dice(5, 5, 5, 5, 6, 6).fire("g", "a")
    assert kinds(news).count("CasualtyTaken") == 1
    assert kinds(news).count("LeaderRolled") == rolls


# --- limits of a turn, morale, merging -----------------------------------------------------------


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p6")
def test_after_a_second_action_a_unit_is_used(table):
    play = table().put("a", "us-rifle", "D4").put("b", "us-rifle", "A1").put("g", "ger-rifle", "D6")
    play = play.start()
    play.dice(1, 1).fire("a", "g")
    assert "used" not in marks(play, "a")
    play.idle()
    news = play.move("a", "C4")
    assert find(news, e.MoveDeclared).after_fire
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert "used" in marks(play, "a")
    play.idle()
    assert play.refused(play.assault("a", "C5")).rule in ("22.0.1", "25.0.12")
    play.out(*NEXT_TURN)
    assert "used" not in marks(play, "a"), "with the turn the markers come off"


def marks(play, name):
    return next(p.marks for p in OST.board(play.state, None) if p.id == name)


@pytest.mark.rule("ost", "17.1.1")
def test_good_order_hampers_nothing(table):
    """Shaken it fires with half and moves half as far; rallied, all of it is back."""
    play = table().put("a", "us-rifle", "D4", morale="shaken").put("g", "ger-rifle", "D6").start()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).firepower == 2
    play.idle()
    rallied = find(play.dice(4, 3).do(a.Rally(unit=play["a"])), e.Rallied)
    assert rallied.now == 0
    assert marks(play, "a") == ("fired",), "no marker of its morale"
    play.idle()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).firepower == 4


@pytest.mark.rule("ost", "17.3.4")
def test_a_broken_unit_spots_nothing(table):
    board = table().put("eyes", "us-rifle", "D8", morale="broken").battery(US).air(US)
    play = board.put("g", "ger-sergeant", "H1").start()
    call = a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex("D4"))
    assert play.refused(call).rule == "17.3.4"
    strike = a.AirStrike(spotter=play["eyes"], hex=play.hex("D4"), other=play.hex("D5"))
    assert play.refused(strike).rule == "17.3.4"


@pytest.mark.rule("ost", "18.2.5")
def test_nothing_in_the_reform_phase_takes_a_step_off_a_squad(table):
    board = table().put("a", "us-rifle", "D4", reduced=True, leader="boss")
    board.put("b", "us-rifle", "D4", reduced=True).put("c", "us-rifle", "C4", weapon="us-lmg")
    play = board.put("g", "ger-rifle", "H8").start()
    play.out(*NEXT_TURN)
    assert play.wants == "reform"
    view = View(play.state, US)
    offered = list(OST.candidates(view, OST.awaiting(play.state)[0]))
    merge = a.Merge(kept=play["a"], gone=play["b"])
    assert merge in offered
    full = play["c"]
    assert not any(isinstance(x, a.Merge) and full in (x.kept, x.gone) for x in offered)
    play.do(merge)
    assert (play.steps("a"), play.steps("b"), play.steps("c")) == (2, 0, 2)
    assert play.refused(a.Merge(kept=play["c"], gone=play["a"])).rule == "18.2.p1"


# --- what does not exist -------------------------------------------------------------------------


@pytest.mark.rule("ost", "5.0.p3")
@pytest.mark.parametrize("unit", [-1, 3, 99])
def test_orders_go_to_counters_that_fight_in_the_battle(table, unit):
    play = table().put("a", "us-rifle", "D4").put("g", "ger-rifle", "H8").start()
    assert play.refused(a.Move(unit=unit, path=(play.hex("D5"),))).rule == "5.0.p3"


@pytest.mark.rule("ost", "1.1.p1")
def test_a_map_is_hexes_that_cost_points_to_enter(table, ask):
    play = table().put("a", "us-rifle", "D8").put("g", "ger-rifle", "H8").start()
    assert play.refused(a.Move(unit=play["a"], path=(100000,))).rule == "1.1.p1"
    answer = ask(MovementCost(map=table().map, path=("D8", "D7", "D6")))
    assert answer.value == 2

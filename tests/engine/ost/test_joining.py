"""Who joins whom, and what changes hands on the way: OST 7.3, 10.0.12, 18.2, 21.0."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")


def reforming(board):
    """To the Reform Phase of the second turn, in which the Germans decide."""
    play = board.put("us", "us-rifle", "A1").points(1, 1).start()
    play.out(1, 1, 6, 6, 1, 1, 1)
    while play.owed != GERMAN:
        play.do(a.EndReform())
    return play


def told(play, events, side):
    lines = [OST.narrate(play.state, event, side) for event in events]
    return [line.text for line in lines if line is not None]


@pytest.mark.rule("ost", "7.3.3", "21.0.8")
def test_a_leader_who_is_seen_gives_away_the_unit_he_joins(table):
    board = table().put("boss", "ger-sergeant", "D4").put("g", "ger-rifle", "D4", hidden=True)
    play = reforming(board)
    news = play.do(a.Attach(leader=play["boss"], unit=play["g"]))
    assert find(news, e.Revealed).units == (play["g"],)
    assert not play.state.hidden[play["g"]]
    assert play.state.known[US][play["g"]] == play.hex("D4")
    assert len(told(play, news, US)) == len(news)


@pytest.mark.rule("ost", "7.3.9", "21.0.8")
def test_nor_does_he_hide_again_with_whoever_is_left_of_his_stack(table):
    board = table().put("lost", "ger-rifle", "D4", reduced=True, leader="boss")
    board.put("g", "ger-rifle", "D4", hidden=True)
    play = board.put("us", "us-rifle", "D5").start()
    news = play.dice(6, 5, 6).fire("us", "lost")
    assert play.state.attached[play["boss"]] == play["g"]
    assert find(news, e.Revealed).units == (play["g"],)
    assert not play.state.hidden[play["boss"]]


def halves(table, *, one=None, two=None):
    """Two reduced squads, each with a machine gun."""
    board = table().put("one", "ger-rifle", "D4", reduced=True, leader="boss", **(one or {}))
    return board.put("two", "ger-rifle", "D5", reduced=True, **(two or {}))


ARMED = {"weapon": "ger-lmg"}


@pytest.mark.rule("ost", "18.2.p1", "10.0.12")
def test_squads_merge_whatever_they_carry_and_one_weapon_lies_in_the_hex(table):
    play = reforming(halves(table, one=ARMED, two=ARMED))
    merge = a.Merge(kept=play["one"], gone=play["two"])
    assert merge in list(OST.candidates(OST.view(play.state, GERMAN), OST.awaiting(play.state)[0]))
    play.do(merge)
    state, one = play.state, play["one"]
    carried = state.weapon[one]
    other = play["one's weapon"]
    assert play.steps("one") == 2
    assert (carried, state.holder[carried]) == (play["two's weapon"], one)
    assert (state.holder[other], play.at("one's weapon")) == (-1, "D4")
    assert state.known[US][other] == play.hex("D4")


@pytest.mark.rule("ost", "21.0.3")
def test_hidden_squads_put_no_weapon_down(table):
    hides = {**ARMED, "hidden": True}
    play = reforming(halves(table, one=hides, two=hides))
    assert play.refused(a.Merge(kept=play["one"], gone=play["two"])).rule == "21.0.3"


@pytest.mark.rule("ost", "21.0.8", "18.2.p1")
def test_a_squad_that_takes_in_one_that_is_seen_hides_no_longer(table):
    play = reforming(halves(table, one={"hidden": True}))
    news = play.do(a.Merge(kept=play["one"], gone=play["two"]))
    assert kinds(news)[0] == "Revealed"
    assert play.state.known[US][play["one"]] == play.hex("D4")
    assert any("merges" in line for line in told(play, news, US))


@pytest.mark.rule("ost", "18.2.p1")
def test_two_hidden_squads_merge_unseen(table):
    play = reforming(halves(table, one={"hidden": True}, two={"hidden": True}))
    news = play.do(a.Merge(kept=play["one"], gone=play["two"]))
    assert "Revealed" not in kinds(news)
    assert told(play, news, US) == []


@pytest.mark.border("ost", "21")
@pytest.mark.parametrize("hides", [False, True])
def test_a_sniper_on_a_vehicle_is_hidden_with_it_or_not_at_all(table, hides):
    board = table().put("truck", "ger-truck", "C4", hidden=hides).put("us", "us-rifle", "H8")
    play = board.put("sniper", "ger-sniper", "C4", on="truck", hidden=hides).start()
    seen = [play.state.known[US][play[name]] == play.hex("C4") for name in ("truck", "sniper")]
    assert seen == [not hides, not hides]


@pytest.mark.rule("ost", "27.4.7")
@pytest.mark.parametrize("hides", [False, True])
def test_nothing_that_is_cited_tells_of_who_hides_with_a_leader(table, hides):
    board = table().put("us", "us-rifle", "D2").put("boss", "ger-sergeant", "D4")
    if hides:
        board.put("g", "ger-rifle", "D4", hidden=True)
    play = board.put("far", "ger-rifle", "H8").start()
    declared = find(play.dice(1, 1).fire("us", "boss"), e.FireDeclared)
    assert "27.4.7" in declared.cites()

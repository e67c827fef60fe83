"""Who is asked for opportunity fire, and at what it may be (OST 27.6, with 7.1.3, 10.0.5, 10.3)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.casualties import eliminate
from rulesengine.rulesets.ost.transport_events import DrivesOn
from rulesengine.rulesets.ost.works import FRESH
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("........",) * 14
HOUSE = ("........", "...l....", *("........",) * 12)
FIRE = "opportunity fire"


@pytest.mark.parametrize(
    ("target", "far", "asked"),
    [
        ("us-truck", 8, True),
        ("us-truck", 9, False),
        ("us-m3-halftrack", 8, True),
        ("us-m3-halftrack", 9, False),
        ("us-m4", 8, False),
        ("us-rifle", 8, True),
    ],
)
def test_a_machine_gun_alone_reaches_farther_than_its_squad(table, target, far, asked):
    """10.0.5: rifles reach six hexes, their machine gun eight."""
    board = (
        table(FIELD).put("gun", "ger-rifle", "C2", weapon="ger-lmg").put("far", "us-rifle", "H14")
    )
    play = board.put("u", target, f"C{far + 3}").start()
    there = f"C{far + 2}"
    play.move("u", there) if target == "us-rifle" else play.drive("u", (there, 0))
    assert (play.wants == FIRE) == asked
    if asked:
        shot = a.Fire(firer=play["gun"], target=play["u"], weapon=play["gun's weapon"], alone=True)
        assert shot in play.menu()
        declared = find(play.dice(1, 1).do(shot), e.FireDeclared)
        assert "10.0.5" in declared.cites()
        assert "10.0.4" not in declared.cites()


@pytest.mark.rule("ost", "10.1.1")
def test_an_antitank_weapon_is_said_to_fire_alone_and_others_with_their_squad(table):
    board = table(FIELD).put("a", "us-rifle", "C4", weapon="us-bazooka").put("b", "ger-pz4h", "C6")
    play = board.put("c", "us-rifle", "D4", weapon="us-lmg").put("d", "ger-rifle", "C7").start()
    news = play.dice(1, 1).fire("a", "b", weapon="a's weapon")
    declared = find(news, e.FireDeclared)
    assert ("10.1.1" in declared.cites(), "10.0.4" in declared.cites()) == (True, False)
    told = play.battle.ruleset.narrate(play.state, declared, None).text
    assert "fires Bazooka (a's weapon) alone at" in told
    play.idle()
    declared = find(play.dice(1, 1).fire("c", "d", weapon="c's weapon"), e.FireDeclared)
    assert "10.0.4" in declared.cites()


@pytest.mark.rule("ost", "10.3.9", "27.6.p1")
def test_a_mortar_does_not_answer_a_tank_by_shelling_who_stood_there(table):
    board = table(FIELD).put("us", "us-rifle", "D2", weapon="us-mortar-60")
    board = board.put("at", "us-57mm", "E2", facing=3).put("v", "ger-pz4h", "D9", facing=0)
    play = board.put("g", "ger-rifle", "D8").to_move(GERMAN).start()
    play.drive("v", ("D8", 0))
    assert play.wants == FIRE
    shell = a.HexFire(unit=play["us"], weapon=play["us's weapon"], hex=play.hex("D8"))
    assert play.refused(shell).rule == "27.6.p1"
    assert shell not in play.menu()
    play.do(a.HoldFire())
    while play.owed != US:
        play.idle()
    play.dice(6, 6, 6, 1, 1).do(shell)


@pytest.mark.parametrize(("firer", "asked"), [("us-rifle", False), ("us-sniper", True)])
def test_nobody_is_asked_who_cannot_pick_a_leader_out(table, firer, asked):
    """27.4.6: he comes to a squad of his."""
    board = table(FIELD).put("us", firer, "D2").put("far", "us-rifle", "H14")
    board = board.put("l", "ger-sergeant", "D6").put("g", "ger-rifle", "D5")
    play = board.to_move(GERMAN).start()
    play.move("l", "D5")
    assert (play.wants == FIRE) == asked


@pytest.mark.parametrize(("rows", "asked"), [(FIELD, True), (HOUSE, False)])
def test_a_mortar_in_a_house_is_not_asked(table, rows, asked):
    """10.3.15: it is not fired out of there, and rifles do not reach."""
    board = table(rows).put("us", "us-rifle", "D2", weapon="us-mortar-60")
    play = board.put("g", "ger-rifle", "D12").to_move(GERMAN).start()
    play.move("g", "D11")
    assert (play.wants == FIRE) == asked


@pytest.mark.rule("ost", "27.6.4")
def test_a_vehicle_drives_on_when_a_sniper_picks_its_passengers_leader(table):
    board = table(FIELD).put("t", "us-m4", "E6").put("a", "us-rifle", "E6", on="t", leader="l")
    play = board.put("s", "ger-sniper", "E1").put("r", "ger-rifle", "A14").start()
    play.drive("t", ("E5", 0), ("E4", 0))
    news = play.dice(6, 6).fire("s", "l")
    assert find(news, e.Eliminated).unit == play["l"]
    assert find(news, DrivesOn).vehicle == play["t"]
    assert "MoveStopped" not in kinds(news)
    assert find(news, v.Drove).unit == play["t"]


@pytest.mark.rule("ost", "23.0.1")
def test_a_leader_has_moved_with_the_unit_he_lost_on_the_way(table):
    """7.3.7: they have acted as one."""
    board = table(FIELD).put("r", "us-rifle", "C9", leader="l", reduced=True)
    play = board.put("x", "ger-rifle", "C4").put("q", "us-rifle", "H9").start()
    play.move("r", "C8", "C7")
    news = play.dice(6, 6, 6).fire("x", "r")
    assert find(news, e.Eliminated).unit == play["r"]
    while play.owed != US:
        play.idle()
    assert play.refused(play.way("l", "C7")).rule == "23.0.1"


@pytest.mark.rule("ost", "7.3.9")
def test_a_free_leader_is_attached_to_what_remains_of_a_stack(table):
    board = table(FIELD).put("r", "us-rifle", "C7").put("x", "ger-rifle", "C5", reduced=True)
    board = board.put("y", "ger-rifle", "C5")
    play = board.put("g", "ger-sergeant", "C5").start()
    play.dice(6, 6).fire("r", "x")
    assert play.state.attached[play["g"]] == play["y"]
    led = board.put("h", "ger-rifle", "H14").start()
    led.given(e.Attached(leader=led["g"], unit=led["y"]))
    led.dice(6, 6).fire("r", "x")
    assert led.state.attached[led["g"]] == led["y"], "as he was"


@pytest.mark.parametrize("screened", [False, True])
def test_nobody_is_asked_through_smoke_that_blocks(table, screened):
    """13.9.5, 12.3.2: three hexes of it are no line at all."""
    play = (
        table(FIELD).put("us", "us-rifle", "C2").put("g", "ger-rifle", "C7").to_move(GERMAN).start()
    )
    if screened:
        hexes = tuple(play.hex(h) for h in ("C3", "C4", "C5"))
        play.given(f.SmokeLaid(hexes=hexes, ages=(FRESH,) * 3, by="engineers"))
    play.move("g", "C6")
    assert (play.wants == FIRE) is not screened


@pytest.mark.parametrize(
    ("walks", "stays", "joins"),
    [
        ("us-sergeant", "us-rifle", False),  # the leader goes on without him
        ("us-rifle", "us-sergeant", False),  # and here he stays behind
        ("", "us-sergeant", True),
    ],
)
def test_who_passes_through_takes_no_part_in_what_a_stack_loses(table, walks, stays, joins):
    """7.3.9: he is of no stack there."""
    board = table(FIELD).put("a", "us-rifle", "D5").put("s", stays, "D5")
    board = board.put("w", walks, "D4") if walks else board.put("w", "us-rifle", "D5")
    play = board.put("far", "us-rifle", "A1").put("x", "ger-rifle", "D9").start()
    if walks:
        play.move("w", "D5", "D6")
        assert play.wants == FIRE
    play.happens(lambda battle: eliminate(battle, play["a"], "destroyed"))
    leader = play["w" if walks == "us-sergeant" else "s"]
    assert (play.state.attached[leader] != -1) is joins

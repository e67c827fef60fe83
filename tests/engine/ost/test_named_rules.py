"""Refusals and lines name the rule that is at work, not a neighbour of it."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.adjudicate import adjudicate
from rulesengine.rulesets.ost.melee_questions import FirstUnit, MeleeRound, MeleeSide
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.vehicle_events import DamageRolled, VehicleShot
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("........",) * 10


def told(play, news, kind):
    return RULESET.narrate(play.state, find(news, kind), None).text


def mortar(table, morale="good order"):
    board = table(FIELD).put("us", "us-rifle", "C2", weapon="us-mortar-60", morale=morale)
    return board.put("g", "ger-rifle", "C6").put("h", "ger-rifle", "H9").start()


@pytest.mark.rule("ost", "27.7.3")
def test_after_intensive_fire_nothing_more(table):
    play = mortar(table)
    for _ in range(3):
        play.dice(1, 1).fire("us", "g")
        play.idle()
    assert play.refused(play.way("us", "C3")).rule == "27.7.3"
    shell = a.HexFire(unit=play["us"], weapon=play["us's weapon"], hex=play.hex("C6"))
    assert play.refused(shell).rule == "27.7.3"


@pytest.mark.rule("ost", "27.7.p1")
def test_only_good_order_fires_intensively_with_a_mortar_too(table):
    play = mortar(table, morale="shaken")
    for _ in range(2):
        play.dice(1, 1).fire("us", "g")
        play.idle()
    shell = a.HexFire(unit=play["us"], weapon=play["us's weapon"], hex=play.hex("C6"))
    assert play.refused(shell).rule == "27.7.p1"
    assert play.refused(a.Fire(firer=play["us's weapon"], target=play["g"])).rule == "10.0.p1"


@pytest.mark.rule("ost", "27.8.2")
def test_a_group_with_one_point_left(table):
    board = table(FIELD).put("a", "us-rifle", "C2", leader="l").put("b", "us-rifle", "C2")
    play = board.put("g", "ger-rifle", "C6").points(1, 5).start()
    assert play.refused(play.shot("a", "g", partner="b")).rule == "27.8.2"


@pytest.mark.rule("ost", "32.0.2")
def test_the_spotter_of_aircraft_is_theirs(table):
    board = table(FIELD).put("a", "us-rifle", "C2").put("g", "ger-rifle", "C6").air(US)
    play = board.start()
    strike = a.AirStrike(spotter=play["g"], hex=play.hex("C6"), other=play.hex("C7"))
    assert play.refused(strike).rule == "32.0.2"


@pytest.mark.rule("ost", "27.6.10")
def test_no_card_is_opportunity_fire(table):
    board = table(FIELD).put("a", "us-rifle", "C2").put("g", "ger-rifle", "C6")
    play = board.hand(us=("smoke-pots",)).to_move(GERMAN).start()
    play.move("g", "C5")
    assert play.refused(a.PlayCard(card=0)).rule == "27.6.10"


@pytest.mark.rule("ost", "23.5.4")
@pytest.mark.parametrize("assaults", [False, True])
def test_what_holds_a_bogged_vehicle(table, assaults):
    rows = (*FIELD[:3], "....m...", *FIELD[:6])
    board = table(rows).put("t", "us-m4", "E5").put("g", "ger-rifle", "E3")
    play = board.put("h", "ger-rifle", "H9", hidden=True).start()
    play.dice(1).drive("t", ("E4", 0))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    while play.owed != US:
        play.idle()
    storm = play.assault("t", "E3") if assaults else play.course("t", ("E3", 0))
    if assaults:
        assert play.refused(storm).rule == "23.5.4"
    else:
        play.out(3, 6, 6, 1, 1, 1, 1)
        assert play.refused(storm).rule == "23.5.4"
        play.out(1, 6, 6, 1, 1, 1, 1)
        assert play.refused(storm).rule == "23.5.7", "stuck for good"


def test_an_armor_leader_who_is_only_shaken_does_not_halt_his_tank(table):
    """7.4.9: only his death shakes it."""
    board = table(FIELD).put("t", "us-m4", "E6", leader="al").put("s", "ger-sniper", "E1")
    play = board.put("h", "ger-rifle", "H9", hidden=True).start()
    play.drive("t", ("E5", 0), ("E4", 0))
    news = play.dice(3, 3, 1, 1).fire("s", "al")
    assert find(news, e.GutChecked).unit == play["al"]
    assert "MoveStopped" not in kinds(news)


def test_who_gets_on_a_vehicle_clears_nothing(table):
    """24.0.6, 6.1.3."""
    board = table(FIELD).work(GERMAN, "wire", "C4").put("e", "us-engineer", "C4")
    play = board.put("v", "us-m3-halftrack", "C4").put("g", "ger-rifle", "H9").start()
    play.do(a.Clear(unit=play["e"], hex=play.hex("C4")))
    play.idle()
    play.load("e", "v")
    play.out(6, 6, 1, 1, 1, 1)
    assert play.hex("C4") in play.state.works


def test_attacks_in_a_column_are_told_without_firepower(table):
    board = table(FIELD).put("a", "us-m4", "D7").put("b", "ger-pz4h", "D3", facing=3)
    play = board.put("r", "ger-rifle", "D3", on="b").put("z", "ger-rifle", "H1").start()
    news = play.dice(5, 5, 1, 1, 1, 1).shoot("a", "b")
    text = told(play, news, f.Blasted)
    assert "unmodified, column -5;" in text
    assert "FP" not in text


def test_what_is_thrown_at_armour_is_no_armour_piercing_shot(table):
    board = table(FIELD).put("a", "us-m4", "D4", facing=3)
    board = board.put("r", "ger-rifle", "D5", weapon="ger-grenade-bundle")
    play = board.to_move(GERMAN).start()
    news = play.dice(1, 1).fire("r", "a", weapon="r's weapon")
    assert ": FP " in told(play, news, VehicleShot)


@pytest.mark.parametrize(
    ("target", "face", "said"),
    [
        ("ger-truck", 2, "minor damage"),
        ("ger-truck", 3, "more than it can take"),
        ("ger-truck", 6, "more than it can take"),
        ("ger-pz4h", 6, "the crew waver"),
    ],
)
def test_a_lorry_that_cannot_take_the_damage_has_no_minor_one(table, target, face, said):
    """29.4.2."""
    play = table(FIELD).put("b", target, "D3").put("z", "us-rifle", "H1").start()
    rolled = DamageRolled(unit=play["b"], roll=Roll(0, 6, (face,)), adds=0)
    play.given(rolled)
    assert told(play, [rolled], DamageRolled).endswith(f": {said}.")


def test_only_squads_use_support_weapons_in_a_melee_that_is_asked_about():
    side = MeleeSide(first=FirstUnit(counter="us-mmg", weapon="us-lmg"))
    other = MeleeSide(first=FirstUnit(counter="ger-rifle"))
    with pytest.raises(BadDocument, match=r"which squads carry \(10.0.p1\)"):
        adjudicate(MeleeRound(one=side, two=other))

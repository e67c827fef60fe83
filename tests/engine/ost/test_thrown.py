"""Satchels, bundles, bottles, flamethrowers and mortars of squads (OST 10.0.8, 10.2, 10.3)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.grouping import Groups
from rulesengine.rulesets.ost.hex_fire import aim, power
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.works import FRESH
from tests.engine.table import GERMAN, US, find, kinds

ROW = ("......",) * 6
LONG = ("........",) * 24


def thrower(table, *, rows=ROW, weapon="us-satchel", unit="us-engineer", at="C4", **more):
    return table(rows).put("a", unit, at, weapon=weapon, **more)


def at_hex(play, h, *, smoke=False):
    return a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex(h), smoke=smoke)


def struck(news):
    return [event for event in news if isinstance(event, f.Blasted)]


# --- satchel charges -------------------------------------------------------------------------


@pytest.mark.example("ost", "10.2.e2")
@pytest.mark.rule("ost", "10.2.1", "10.2.2", "10.2.3")
def test_the_example_of_the_pioneer_and_the_two_rifles(table):
    """Two rifles in a heavy structure: ten against six, then the house at a five."""
    rows = ("......", "......", "..h...", "......", "......", "......")
    board = thrower(table, rows=rows).put("x", "ger-rifle", "C3").put("y", "ger-rifle", "C3")
    play = board.start()
    news = play.dice(1, 1, 1, 1, 4).do(at_hex(play, "C3"))
    assert [(b.firepower, b.defense, COLUMNS[b.column]) for b in struck(news)] == [
        (10, 6, "+3/+4"),
        (10, 6, "+3/+4"),
    ]
    rolled = find(news, f.CollapseRolled)
    assert (rolled.total, rolled.falls) == (5, False)


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.2.5", "16.7.6")
@pytest.mark.parametrize(("face", "falls"), [(4, False), (5, True)])
def test_a_satchel_helps_a_house_down(table, face, falls):
    rows = ("......", "......", "..h...", "......", "......", "......")
    play = thrower(table, rows=rows).put("x", "ger-sergeant", "F1").start()
    rules = play.battle.ruleset
    shot = at_hex(play, "C3")
    assert rules.refuse(rules.view(play.state, US), shot) is None
    news = play.dice(face).do(shot)
    assert find(news, f.CollapseRolled).falls == falls


@pytest.mark.rule("ost", "10.2.4")
def test_a_shaken_thrower_rolls_one_worse_at_ten(table):
    play = thrower(table, morale="shaken").put("x", "ger-rifle", "C3").start()
    blast = struck(play.dice(1, 2).do(at_hex(play, "C3")))[0]
    assert (blast.firepower, blast.total) == (10, 2)


@pytest.mark.rule("ost", "10.2.p1")
def test_a_satchel_is_thrown_into_the_next_hex_once(table):
    play = thrower(table).put("x", "ger-rifle", "C2").put("y", "ger-rifle", "C3").start()
    assert play.refused(at_hex(play, "C2")).rule == "10.2.p1"
    news = play.dice(1, 1).do(at_hex(play, "C3"))
    assert "Expended" in kinds(news)
    assert play.state.weapon[play["a"]] == -1


@pytest.mark.rule("ost", "10.2.6")
def test_no_satchel_in_a_melee(table):
    play = thrower(table).put("x", "ger-rifle", "C3").start()
    play.do(play.assault("a", "C3"))
    play.idle()
    assert play.refused(at_hex(play, "C2")).rule == "10.2.6"


@pytest.mark.rule("ost", "10.2.2")
def test_a_satchel_is_no_part_of_ordinary_fire(table):
    play = thrower(table).put("x", "ger-rifle", "C3").start()
    assert play.refused(play.shot("a", "x", weapon="a's weapon")).rule == "10.2.2"


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("wire", marks=pytest.mark.rule("ost", "13.6.7")),
        pytest.param("roadblock", marks=pytest.mark.rule("ost", "13.7.5")),
    ],
)
def test_a_satchel_clears_an_obstacle(table, kind):
    play = thrower(table).put("x", "ger-sergeant", "F1").work(GERMAN, kind, "C3").start()
    news = play.do(at_hex(play, "C3"))
    assert find(news, f.WorkRemoved).why == "satchel charge"
    assert not play.state.works


def test_a_satchel_at_a_tank_has_half_of_ten(table):
    play = thrower(table).put("x", "ger-pz4h", "C3", facing=3).start()
    shot = find(play.dice(1, 1).do(at_hex(play, "C3")), v.VehicleShot)
    assert (shot.how, shot.firepower, shot.defense) == ("thrown", 5, 7)


# --- bundles, bottles, flamethrowers ---------------------------------------------------------


@pytest.mark.example("ost", "10.0.e2")
@pytest.mark.rule("ost", "10.0.8")
def test_the_example_of_the_bundle_at_the_armoured_car(table):
    """The car of the example is Polish; here an American one, at the same half of four."""
    board = table(ROW).put("car", "us-m8", "C3", facing=3)
    play = board.put("g", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    news = play.dice(1, 1).do(play.shot("g", "car", weapon="g's weapon"))
    shot = find(news, v.VehicleShot)
    assert (shot.how, shot.firepower) == ("thrown", 2)
    assert "HitRolled" not in kinds(news)
    assert "Expended" in kinds(news)


@pytest.mark.rule("ost", "9.1.5")
def test_an_open_top_is_weaker_against_what_is_thrown(table):
    board = table(ROW).put("x", "us-m10", "C3", facing=3)
    play = board.put("g", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    shot = find(play.dice(1, 1).do(play.shot("g", "x", weapon="g's weapon")), v.VehicleShot)
    assert 180 in shot.modifiers


def test_a_bundle_at_men_adds_to_the_squad(table):
    board = table(ROW).put("x", "us-rifle", "C3")
    play = board.put("g", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    shot = find(play.dice(1, 1).do(play.shot("g", "x", weapon="g's weapon")), e.Shot)
    assert shot.firepower == 4 + 3 + 1


@pytest.mark.border("ost", "6")
@pytest.mark.rule("ost", "6.1.4")
def test_only_engineers_use_a_flamethrower(table):
    board = table(ROW).put("x", "us-rifle", "C3")
    play = board.put("g", "ger-rifle", "C4", weapon="ger-flamethrower").to_move(GERMAN).start()
    assert play.refused(play.shot("g", "x", weapon="g's weapon")).rule == "6.1.4"
    board = table(ROW).put("x", "us-rifle", "C3")
    play = board.put("g", "ger-pioneer", "C4", weapon="ger-flamethrower").to_move(GERMAN).start()
    shot = find(play.dice(1, 1).do(play.shot("g", "x", weapon="g's weapon")), e.Shot)
    assert shot.firepower == play.state.figures(play["g"])[0] + 8 + 1
    assert play.state.weapon[play["g"]] == play["g's weapon"]


def test_nothing_is_thrown_two_hexes_far(table):
    board = table(ROW).put("x", "us-m4", "C2", facing=3)
    play = board.put("g", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    assert play.refused(play.shot("g", "x", weapon="g's weapon")).rule == "10.0.8"


# --- mortars ---------------------------------------------------------------------------------


def mortar(table, *, rows=LONG, at="D20", **more):
    return thrower(table, rows=rows, weapon="us-mortar-60", unit="us-rifle", at=at, **more)


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.3.1")
@pytest.mark.parametrize(
    ("target", "ok"), [("D19", False), ("D18", True), ("D2", True), ("D1", False)]
)
def test_a_mortar_has_a_nearest_and_a_farthest_range(table, target, ok):
    play = mortar(table).put("x", "ger-sergeant", "H1").start()
    if ok:
        play.dice(4).do(at_hex(play, target))
    else:
        assert play.refused(at_hex(play, target)).rule == "10.3.1"


@pytest.mark.rule("ost", "10.3.2")
def test_the_squads_own_fire_stays_out(table):
    play = mortar(table).put("x", "ger-rifle", "D12").start()
    blast = struck(play.dice(4, 1, 1).do(at_hex(play, "D12")))[0]
    assert blast.firepower == 4
    assert play.state.fired[play["a"]] == 1
    play.idle()
    assert play.refused(play.shot("a", "x", weapon="a's weapon")).rule == "10.3.2"


@pytest.mark.rule("ost", "10.3.3")
def test_the_squad_itself_sees_the_hex(table):
    rows = list(LONG)
    rows[15] = "...w...."
    board = mortar(table, rows=tuple(rows)).put("b", "us-rifle", "D14")
    play = board.put("x", "ger-rifle", "D12").start()
    assert play.refused(at_hex(play, "D12")).rule == "10.3.3"


@pytest.mark.rule("ost", "10.3.4")
def test_a_leader_helps_both_rolls(table):
    play = mortar(table, leader="led").put("x", "ger-rifle", "D12").start()
    news = play.dice(3, 1, 1).do(at_hex(play, "D12"))
    assert find(news, s.AccuracyRolled).total == 4
    assert struck(news)[0].total == 3


@pytest.mark.rule("ost", "10.3.5")
@pytest.mark.parametrize(
    ("leader", "shaken", "moved", "change"),
    [
        (False, False, False, 0),
        (True, False, False, 1),
        (False, True, False, -1),
        (False, False, True, -1),
        (False, True, True, -1),
        (True, True, True, 0),
    ],
)
def test_what_changes_a_mortars_aim(table, leader, shaken, moved, change):
    assert aim(leader=leader, shaken=shaken, moved=moved).value == change
    play = mortar(table).put("x", "ger-rifle", "D12").start()
    assert find(play.dice(4, 1, 1).do(at_hex(play, "D12")), s.AccuracyRolled).accurate


@pytest.mark.rule("ost", "10.3.6")
def test_an_inaccurate_mortar_falls_one_hex_off(table):
    play = mortar(table).put("x", "ger-rifle", "D13").put("y", "ger-rifle", "D12").start()
    news = play.dice(3, 4, 1, 1).do(at_hex(play, "D12"))
    assert find(news, s.MortarDrifted).hex == play.hex("D13")
    assert [b.target for b in struck(news)] == [play["x"]]


@pytest.mark.rule("ost", "10.3.7", "10.3.8")
def test_all_units_of_one_hex(table):
    board = mortar(table).put("x", "ger-rifle", "D12").put("y", "ger-rifle", "D12")
    play = board.put("z", "ger-rifle", "D13").start()
    news = play.dice(4, 1, 1, 1, 1).do(at_hex(play, "D12"))
    assert {b.target for b in struck(news)} == {play["x"], play["y"]}


@pytest.mark.rule("ost", "10.3.10")
def test_lorries_are_struck_tanks_are_not(table):
    board = mortar(table).put("x", "ger-pz4h", "D12").put("y", "ger-truck", "D12")
    play = board.start()
    news = play.dice(4, 1, 1).do(at_hex(play, "D12"))
    assert [(b.target, b.vehicle) for b in struck(news)] == [(play["y"], True)]


@pytest.mark.rule("ost", "10.3.8", "10.3.7")
def test_no_airburst_and_no_collapse(table):
    rows = list(LONG)
    rows[11] = "...w...."
    play = mortar(table, rows=tuple(rows)).put("x", "ger-rifle", "D12").start()
    news = play.dice(4, 1, 1).do(at_hex(play, "D12"))
    assert struck(news)[0].defense == 4 + 2
    rows[11] = "...l...."
    play = mortar(table, rows=tuple(rows)).put("x", "ger-rifle", "D12").start()
    assert "CollapseRolled" not in kinds(play.dice(4, 1, 1).do(at_hex(play, "D12")))


@pytest.mark.rule("ost", "10.3.12", "13.9.6")
def test_a_mortar_lays_smoke_in_one_hex(table):
    play = mortar(table).put("x", "ger-sergeant", "H1").start()
    play.dice(4).do(at_hex(play, "D12", smoke=True))
    assert play.state.smoke == {play.hex("D12"): FRESH}


def test_brush_on_the_way_takes_nothing(table):
    rows = list(LONG)
    rows[15] = rows[14] = "...b...."
    play = mortar(table, rows=tuple(rows)).put("x", "ger-rifle", "D12").start()
    assert struck(play.dice(4, 1, 1).do(at_hex(play, "D12")))[0].firepower == 4


def test_a_shaken_squad_has_half_its_mortar():
    assert power(5, shaken=True, intensive=False).value == 2
    assert power(5, shaken=False, intensive=True).value == 4
    assert power(1, shaken=True, intensive=True).value == 1


@pytest.mark.rule("ost", "10.3.14")
def test_no_mortar_in_a_melee(table):
    play = mortar(table).put("x", "ger-rifle", "D19").start()
    play.do(play.assault("a", "D19"))
    play.idle()
    assert play.refused(at_hex(play, "D12")).rule == "10.3.14"


@pytest.mark.rule("ost", "10.3.15")
@pytest.mark.parametrize(("sign", "ok"), [("l", False), ("h", False), ("u", True), ("w", True)])
def test_no_mortar_out_of_houses(table, sign, ok):
    rows = list(LONG)
    rows[19] = f"...{sign}...."
    play = mortar(table, rows=tuple(rows)).put("x", "ger-sergeant", "H1").start()
    if ok:
        play.dice(4).do(at_hex(play, "D12"))
        rows[19] = "...l...."
        play = mortar(table, rows=tuple(rows)).put("x", "ger-sergeant", "H1").start()
    assert play.refused(at_hex(play, "D12")).rule == "10.3.15"


def test_no_mortar_out_of_a_bunker(table):
    play = mortar(table).put("x", "ger-sergeant", "H1").work(US, "bunker", "D20").start()
    assert play.refused(at_hex(play, "D12")).rule == "10.3.15"


# --- opportunity fire, weapons on the ground ---------------------------------------------------


@pytest.mark.rule("ost", "27.6.9")
def test_a_mortar_reaches_all_of_a_group_on_the_move(table):
    board = mortar(table).to_move(GERMAN).put("x", "ger-rifle", "D13", leader="led")
    play = board.put("y", "ger-rifle", "D13").start()
    play.move("x", "D12", partner="y")
    assert play.wants == "opportunity fire"
    assert play.refused(at_hex(play, "D13")).rule == "27.6.p1"
    news = play.dice(4, 1, 1, 1, 1).do(at_hex(play, "D12"))
    assert {b.target for b in struck(news)} == {play["x"], play["y"]}


@pytest.mark.rule("ost", "10.0.13")
def test_a_weapon_on_the_ground_is_destroyed_at_no_cost(table):
    board = table(ROW).put("a", "us-rifle", "C4", weapon="us-lmg").put("b", "us-rifle", "D6")
    play = board.put("x", "ger-sergeant", "F1").start()
    weapon = play["a's weapon"]
    play.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    before = play.state.impulses[US]
    play.do(a.Scrap(unit=play["a"], weapon=weapon))
    assert play.state.impulses[US] == before
    assert play.state.hex[weapon] == -1
    assert play.refused(a.Scrap(unit=play["a"], weapon=weapon)).rule == "10.0.13"


# --- the doctrine ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "unit", "joins"),
    [
        ("ger-lmg", "ger-rifle", True),
        ("ger-mortar-50", "ger-rifle", False),
        ("ger-satchel", "ger-pioneer", False),
        ("ger-flamethrower", "ger-rifle", False),
        ("ger-flamethrower", "ger-pioneer", True),
    ],
)
def test_the_doctrine_takes_into_a_group_only_what_may_fire_in_one(table, weapon, unit, joins):
    board = thrower(table, weapon=weapon, unit=unit).put("b", "ger-rifle", "C4", leader="c")
    play = board.put("x", "us-rifle", "C3").to_move(GERMAN).start()
    view = play.battle.ruleset.view(play.state, GERMAN)
    groups = Groups(view, Shots(view))
    found = groups.better_fire(a.Fire(firer=play["b"], target=play["x"]), 0)
    assert isinstance(found, a.Fire)
    assert found.partner == play["a"], "they fire together"
    assert found.partner_weapon == (play["a's weapon"] if joins else -1)
    assert play.battle.ruleset.refuse(view, found) is None

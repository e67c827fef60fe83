"""What fire does to vehicles (OST 29.3 to 29.6): damage, nerve, wrecks, crews, points."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.state import IMMOBILE, MAIN_OUT, MGS_OUT
from tests.engine.ost.duels import HIT, LONG, duel_at, result_of
from tests.engine.table import GERMAN, find, kinds


def battered(table, *dice, target="ger-pz4h", **more):
    """A 76 mm at the flank of a PzKpfw IV: column +7, every attack roll of 6 destroys."""
    play = duel_at(table, "us-m4-76", target, facing=0, **more).start()
    return play, play.dice(*HIT, *dice).shoot("a", "b")


@pytest.mark.rule("ost", "29.3.p1", "29.6.1", "1.6.p5")
def test_a_destroyed_vehicle_is_a_wreck_and_two_points(table):
    play, news = battered(table, 3, 3, 5)
    assert result_of(news) == "X"
    assert play.state.loss_points == [0, 2]
    assert play.state.wrecks == {play.hex("D3"): 1}
    assert "BattleEnded" in kinds(news)


@pytest.mark.rule("ost", "29.6.2", "29.6.3", "1.6.p6")
def test_on_a_six_the_crew_get_out(table):
    play, _ = battered(table, 3, 3, 6)
    assert play.state.loss_points == [0, 1]
    assert play.at("b") == "D3"
    fate = next(f for f in play.battle.ruleset.result(play.state).elements if f.element == "b")
    assert (fate.became, fate.cause) == ("ger-crew", "crew got out")


@pytest.mark.rule("ost", "29.6.4", "9.0.9", "1.6.p9")
def test_a_carrier_has_no_survivors_and_is_one_point(table):
    play, news = battered(table, 3, 3, target="ger-251")
    assert play.state.loss_points == [0, 1]
    assert "CrewRolled" not in kinds(news)


@pytest.mark.border("ost", "29")
@pytest.mark.rule("ost", "29.3.p3", "29.3.p13")
@pytest.mark.parametrize(
    ("face", "bits"),
    [
        pytest.param(1, 0, marks=pytest.mark.rule("ost", "29.3.p4")),
        pytest.param(3, MGS_OUT, marks=pytest.mark.rule("ost", "29.3.p5")),
        pytest.param(4, MAIN_OUT, marks=pytest.mark.rule("ost", "29.3.p6")),
        pytest.param(5, IMMOBILE, marks=pytest.mark.rule("ost", "29.3.p7")),
    ],
)
def test_what_a_damage_roll_breaks(table, face, bits):
    play, news = battered(table, 2, 3, face, 6, 6)
    assert result_of(news) == "D-B"
    assert play.state.damage[play["b"]] == bits


@pytest.mark.rule("ost", "29.3.p8", "29.5.1", "29.5.2")
def test_a_six_lets_the_crew_waver_and_they_leave_if_they_fail(table):
    play, news = battered(table, 2, 3, 6, 2, 2)
    assert "Wrecked" in kinds(news)
    assert play.state.loss_points == [0, 1]
    play, news = battered(table, 2, 3, 6, 4, 4, 6, 6)
    assert "Wrecked" not in kinds(news)
    assert play.morale("b") == "good order"


@pytest.mark.rule("ost", "29.3.p9", "29.4.4")
def test_a_second_damage_ends_a_vehicle(table):
    play, news = battered(table, 2, 3, 3, condition="main gun out")
    assert find(news, v.Wrecked).why == "damaged again"
    assert play.state.loss_points == [0, 1]


@pytest.mark.rule("ost", "29.4.1")
def test_the_only_armament_is_hit_by_either_roll(table):
    play, _ = battered(table, 2, 3, 4, 6, 6, target="ger-251")
    assert play.state.damage[play["b"]] == MGS_OUT


def hit_on_the_move(table, *dice, led=False, **more):
    """A PzKpfw IV on its way is fired at in its first hex, by a 76 mm at its flank."""
    board = table(LONG).put("a", "us-m4-76", "D10").put("far", "us-rifle", "A12")
    board.put("b", "ger-pz4h", "D5", facing=0, leader="ace" if led else "", **more)
    play = board.put("other", "ger-rifle", "H1").to_move(GERMAN).start()
    play.drive("b", ("D4", 0), ("D3", 0))
    news = play.dice(*HIT, *dice).do(play.salvo("a", "b"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    return play, news


@pytest.mark.example("ost", "27.6.e1")
@pytest.mark.rule("ost", "27.6.5", "29.4.3")
@pytest.mark.parametrize("face", [3, 4])
def test_a_vehicle_on_the_move_goes_on_when_a_weapon_of_it_is_out(table, face):
    play, news = hit_on_the_move(table, 2, 3, face, 6, 6)
    assert find(news, v.DamageRolled).moves_on
    assert play.at("b") == "D3"


@pytest.mark.parametrize(
    ("dice", "more", "at"),
    [
        pytest.param((2, 3, 5, 6, 6), {}, "D4", id="immobilised"),
        pytest.param((2, 3, 6, 2, 2), {}, "", id="abandoned"),
        pytest.param((2, 3, 3), {"condition": "main gun out"}, "", id="damaged again"),
        pytest.param((2, 3, 3, 2, 2), {}, "D4", id="broken as well"),
    ],
)
def test_a_vehicle_on_the_move_stops_where_more_than_a_weapon_goes(table, dice, more, at):
    play, news = hit_on_the_move(table, *dice, **more)
    assert find(news, v.DamageRolled).moves_on == (dice == (2, 3, 3, 2, 2))
    assert "MoveStopped" in kinds(news)
    assert play.state.hex[play["b"]] == (play.hex(at) if at else -1)


def test_minor_damage_and_damage_at_rest_let_nothing_go_on(table):
    _, news = hit_on_the_move(table, 2, 3, 1, 6, 6)
    assert not find(news, v.DamageRolled).moves_on
    _, news = battered(table, 2, 3, 3, 6, 6)
    assert not find(news, v.DamageRolled).moves_on


@pytest.mark.rule("ost", "7.4.8", "28.2.6")
def test_an_armor_leader_makes_no_roll_when_his_vehicle_is_damaged(table):
    play, news = hit_on_the_move(table, 2, 3, 4, 6, 6, led=True)
    assert find(news, v.DamageRolled).led
    assert "LeaderRolled" not in kinds(news)
    assert play.at("ace") == play.at("b")
    _, news = hit_on_the_move(table, 2, 3, 4, 6, 6)
    assert not find(news, v.DamageRolled).led


@pytest.mark.rule("ost", "29.3.p12", "29.0.p1")
def test_a_blank_of_the_vehicle_table_does_nothing(table):
    play = duel_at(table).start()
    news = play.dice(*HIT, 1, 1).shoot("a", "b")
    assert result_of(news) == ""
    assert play.morale("b") == "good order"
    assert play.state.damage[play["b"]] == 0
    _, news = battered(table, 2, 2, 2, 2)
    assert result_of(news) == "B"


@pytest.mark.rule("ost", "29.4.2")
def test_damage_destroys_a_lorry(table):
    play = table(LONG).put("a", "us-rifle", "D4").put("b", "ger-truck", "D3", facing=0).start()
    news = play.dice(3, 4, 3).fire("a", "b")
    assert result_of(news) == "D"
    assert find(news, v.Wrecked).why == "soft"


@pytest.mark.rule("ost", "29.3.p10", "29.3.p11", "27.2.2")
def test_shaken_and_broken_go_by_gut_check(table):
    play, news = battered(table, 2, 2, 2, 2)
    assert result_of(news) == "B"
    assert play.morale("b") == "broken"
    play = duel_at(table).start()
    news = play.dice(*HIT, 3, 4, 2, 2).shoot("a", "b")
    assert result_of(news) == "S"
    assert play.morale("b") == "shaken"


@pytest.mark.rule("ost", "29.3.p5")
def test_what_is_out_does_not_fire(table):
    play = table(LONG).put("a", "us-m4", "D7", condition="machine guns out")
    play = play.put("b", "ger-rifle", "D5").start()
    assert play.refused(play.salvo("a", mg="b")).rule == "29.3.p5"


@pytest.mark.rule("ost", "13.10.1", "13.10.4")
def test_a_wreck_dims_the_line_and_gives_cover(table):
    play = table(LONG).put("a", "us-m4", "D9").put("c", "us-m4-76", "D10")
    play = play.put("b", "ger-pz4h", "D5", facing=0).put("d", "ger-rifle", "D5")
    play = play.put("e", "ger-rifle", "D2").start()
    play.dice(*HIT, 3, 3, 1).shoot("c", "b")
    play.idle()
    shot = find(play.dice(1, 2, 1, 2).shoot("a", "d", "d"), e.Shot)
    assert shot.defense == 5
    play.idle()
    beyond = find(play.dice(1, 2).shoot("a", "e"), e.Shot)
    assert beyond.firepower == 3


@pytest.mark.rule("ost", "1.6.p8")
def test_a_lorry_is_one_point(table):
    play = duel_at(table, "us-m4", "ger-truck", facing=0).start()
    play.dice(*HIT, 6, 6).shoot("a", "b")
    assert play.state.loss_points == [0, 1]


# --- the result document ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("why", "cause"),
    [("destroyed", "destroyed"), ("abandoned", "abandoned"), ("damaged again", "abandoned")],
)
def test_the_result_says_whether_a_vehicle_was_destroyed_or_abandoned(table, why, cause):
    play = duel_at(table, "us-m4-76", "ger-pz4h", facing=0).start()
    play.given(v.Wrecked(unit=play["b"], points=1, why=why))
    fate = next(f for f in play.battle.ruleset.result(play.state).elements if f.element == "b")
    assert (fate.before, fate.after, fate.cause) == ("fit", "eliminated", cause)


@pytest.mark.border("ost", "29")
@pytest.mark.parametrize("face", range(1, 7))
def test_only_minor_damage_leaves_a_lorry_whole(table, face):
    """D of a rifle squad beside it."""
    board = table(LONG).put("a", "us-rifle", "D4").put("b", "ger-truck", "D3", facing=0)
    play = board.put("z", "ger-rifle", "H1").start()
    news = play.dice(3, 4, face).fire("a", "b")
    assert find(news, v.DamageRolled).roll.total == face
    assert ("Wrecked" in kinds(news)) == (face > 2)
    assert play.state.loss_points == [0, face > 2]
    assert "CrewRolled" not in kinds(news)
    assert "AbandonRolled" not in kinds(news)

"""Tank duels (OST 31) and melees with vehicles (OST 30.2 to 30.5): the worked examples whole."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.scenario import Options
from rulesengine.rulesets.ost.state import IMMOBILE
from tests.engine.table import GERMAN, US, find, kinds

NEXT_TURN = (6, 6, 1, 1, 1, 1)
N, S = 0, 3


def meet(table, us="us-m4", german="ger-pz4g", *, far=True, **options):
    """The German assaults the hex of the American, and the points are used up."""
    board = table().put("us", us, "D4", facing=N).put("german", german, "D3", facing=S)
    if far:
        board = board.put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    board = board.to_move(GERMAN).points(1, 1).scenario(options=Options(**options))
    play = board.start()
    play.do(play.assault("german", "D4"))
    return play


def duel(play, *dice):
    return play.out(*dice)


@pytest.mark.example("ost", "31.1.e1")
@pytest.mark.rule("ost", "31.0.p1", "31.0.2", "31.1.5")
def test_the_example_of_the_duel_in_its_own_reading(table):
    play = meet(table, duel_without_bonus=True)
    news = duel(play, 4, 4, 3, 3, 4, 3, 3, 3, 4, 5, 1)
    assert find(news, v.DuelOpened).totals == (8, 6)
    shots = [x for x in news if isinstance(x, v.VehicleShot)]
    assert [(s.firepower, s.defense, COLUMNS[s.column]) for s in shots] == [
        (7, 7, "0"),
        (5, 5, "0"),
    ]
    assert play.morale("german") == "shaken"
    assert shots[1].total == 8
    assert play.state.damage[play["us"]] == 0
    assert find(news, e.RetreatsOwed).units == (play["german"],)


@pytest.mark.rule("ost", "31.1.6", "31.1.8", "31.2.4")
def test_by_the_rule_both_have_two_more(table):
    play = meet(table)
    news = duel(play, 4, 4, 3, 3, 1, 4, 3, 3, 1, 3)
    shots = [x for x in news if isinstance(x, v.VehicleShot)]
    assert [(s.firepower, COLUMNS[s.column]) for s in shots] == [(9, "+2"), (7, "+2")]
    assert play.wants == "a retreat out of the melee"


@pytest.mark.rule("ost", "31.0.3")
def test_a_first_shot_won_by_four_goes_into_the_flank(table):
    news = duel(meet(table), 4, 4, 2, 2, 1, 1, 1, 1)
    shots = [x for x in news if isinstance(x, v.VehicleShot)]
    assert (shots[0].flank, shots[0].defense) == (True, 2)
    assert not shots[1].flank


@pytest.mark.rule("ost", "31.1.1", "31.1.2", "31.1.3")
def test_a_duel_rolls_no_hit_and_uses_ap_on_the_vehicle_table(table):
    news = duel(meet(table), 4, 4, 3, 3, 1, 1, 1, 1)
    assert "HitRolled" not in kinds(news)
    assert find(news, v.VehicleShot).firepower == 7 + 2


@pytest.mark.rule("ost", "31.1.4")
def test_no_terrain_counts_in_a_duel(table):
    rows = ("........", "........", "........", "...b....", *("........",) * 4)
    board = table(rows).put("us", "us-m4", "D4").put("german", "ger-pz4g", "D3", facing=S)
    play = board.put("far", "us-rifle", "A8").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = duel(play, 3, 3, 4, 4, 1, 1, 1, 1)
    assert find(news, v.VehicleShot).defense == 5


@pytest.mark.rule("ost", "31.0.4")
def test_a_broken_tank_rolls_for_the_first_shot_and_does_not_shoot(table):
    board = table().put("us", "us-m4", "D4", morale="broken").put("far", "us-rifle", "A8")
    board = board.put("german", "ger-pz4g", "D3", facing=S).to_move(GERMAN).points(1, 1)
    play = board.start()
    play.do(play.assault("german", "D4"))
    news = duel(play, 6, 6, 1, 1, 1, 1)
    assert find(news, v.DuelShotLost).unit == play["us"]
    assert kinds(news).count("VehicleShot") == 1


@pytest.mark.rule("ost", "31.1.10")
def test_who_never_had_ap_shoots_a_duel_with_one(table):
    news = duel(meet(table, us="us-m3-halftrack"), 4, 4, 3, 3, 1, 1, 1, 1)
    assert find(news, v.VehicleShot).firepower == 1 + 2


@pytest.mark.rule("ost", "31.1.9")
def test_who_is_destroyed_first_does_not_shoot(table):
    play = meet(table)
    news = duel(play, 1, 1, 6, 6, 6, 6, *NEXT_TURN)
    assert kinds(news).count("VehicleShot") == 1
    assert "DuelShotLost" in kinds(news)
    assert play.state.loss_points == [2, 0]
    assert not play.state.melees


@pytest.mark.rule("ost", "31.2.3", "31.2.1", "31.2.2")
def test_two_whole_vehicles_part_and_the_attacker_leaves(table):
    play = meet(table)
    duel(play, 4, 4, 3, 3, 1, 1, 1, 1)
    assert play.wants == "a retreat out of the melee"
    assert play.owed == GERMAN
    play.dice(*NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("D3")))
    assert not play.state.melees
    assert (play.at("us"), play.at("german")) == ("D4", "D3")
    assert play.wants == "an impulse"


@pytest.mark.example("ost", "31.0.d1")
@pytest.mark.rule("ost", "31.0.1")
def test_the_hex_of_a_duel_is_closed_until_the_melee_phase(table):
    board = table().put("us", "us-m4", "D4", facing=N).put("friend", "us-rifle", "D5")
    board = board.put("german", "ger-pz4g", "D3", facing=S).put("away", "ger-rifle", "H1")
    play = board.to_move(GERMAN).points(2, 1).start()
    play.do(play.assault("german", "D4"))
    assert "DuelOpened" not in kinds(play.log)
    assert play.refused(play.way("friend", "D4")).rule == "30.1.4"
    assert play.refused(play.assault("friend", "D4")).rule == "30.1.4"
    assert "DuelOpened" in kinds(play.out(4, 4, 3, 3, 1, 1, 1, 1))


@pytest.mark.rule("ost", "31.2.5")
def test_a_shaken_tank_with_no_way_out_of_a_duel_is_destroyed(table):
    for sign, free in (("h", False), (".", True)):
        rows = (f".{sign}......", f".{sign}......", *("........",) * 6)
        board = table(rows).put("us", "us-m4", "A1", facing=S).put("friend", "us-rifle", "H8")
        board.put("german", "ger-pz4g", "A2", facing=N).put("squad", "ger-rifle", "A2")
        play = board.to_move(GERMAN).points(1, 1).start()
        play.do(play.assault("german", "A1"))
        rolled = find(play.log, e.ImpulsesRolled).roll
        play.given(e.GutChecked(unit=play["us"], result=1, roll=rolled, needed=7, now=1))
        news = play.out(4, 4, 3, 3, 1, 1, 1, 1, *(() if free else NEXT_TURN))
        assert ("Wrecked" in kinds(news)) == (not free)
        if free:
            assert play.wants == "a retreat out of the melee"
        else:
            assert find(news, v.Wrecked).why == "duel, no retreat"


@pytest.mark.rule("ost", "31.0.2", "31.1.7", "7.4.4")
def test_an_armor_leader_helps_the_roll_and_the_shot(table):
    board = table().put("us", "us-m4", "D4", leader="ace").put("german", "ger-pz4g", "D3", facing=S)
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(4, 3, 4, 3, 1, 1, 1, 1)
    opened = find(news, v.DuelOpened)
    assert opened.totals == (8, 7)
    assert find(news, v.VehicleShot).total == 3


@pytest.mark.rule("ost", "31.1.11", "31.1.12")
def test_one_against_two_chooses_its_target(table):
    board = table().put("one", "us-m4", "D4").put("two", "us-m18", "D4")
    board = board.put("german", "ger-pz4g", "D3", facing=S).to_move(GERMAN).points(1, 1)
    play = board.start()
    play.do(play.assault("german", "D4"))
    play.out(1, 1, 6, 6)
    assert play.wants == "the target of a tank duel"
    play.dice(1, 1, 1, 1, 1, 1).do(a.DuelTarget(target=play["two"]))
    shots = [x for x in play.log if isinstance(x, v.VehicleShot)]
    assert [s.target for s in shots] == [play["two"], play["german"], play["german"]]


@pytest.mark.rule("ost", "31.2.6")
def test_who_should_leave_and_cannot_move_is_abandoned(table):
    play = meet(table)
    rolled = find(play.log, e.ImpulsesRolled).roll
    play.given(v.DamageRolled(unit=play["german"], roll=rolled, adds=IMMOBILE))
    news = duel(play, 4, 4, 3, 3, 1, 1, 1, 1, *NEXT_TURN)
    assert find(news, v.Wrecked).why == "duel, cannot move"
    assert play.state.loss_points == [0, 1]


# --- melee with vehicles --------------------------------------------------------------------------


def example(table):
    """The Germans assault the hex of a Sherman and a rifle squad."""
    board = table().put("sherman", "us-m4", "D4").put("rifle", "us-rifle", "D4")
    board = board.put("german", "ger-rifle", "D3", leader="sgt")
    board = board.put("away", "ger-rifle", "H1").to_move(GERMAN).points(1, 1)
    play = board.start()
    play.do(play.assault("german", "D4"))
    play.out()
    return play


@pytest.mark.example("ost", "30.3.e2")
@pytest.mark.rule("ost", "30.3.2", "30.3.9", "30.2.5")
def test_the_melee_of_the_sherman_and_two_rifle_squads(table):
    play = example(table)
    assert play.wants == "concentrate the attack or not"
    news = play.dice(1, 1, 1, 1, 1, 1, 1, 1, *NEXT_TURN).do(a.Concentrate())
    joined = find(news, e.MeleeJoined)
    assert joined.firepower == (12, 7)
    assert joined.defense == (9, 5)
    assert [COLUMNS[c] for c in joined.columns] == ["+7", "-2"]
    blows = [x for x in news if isinstance(x, e.Struck)]
    assert [x.target for x in blows] == [play["german"], play["sgt"], play["rifle"]]
    assert find(news, v.VehicleStruck).target == play["sherman"]
    assert [x.total for x in blows] == [3, 3, 3]


@pytest.mark.example("ost", "30.5.e1")
@pytest.mark.rule("ost", "30.5.1", "30.5.2")
def test_the_german_may_concentrate_on_the_rifle_squad(table):
    play = example(table)
    news = play.dice(1, 1, 1, 1, 1, 1, *NEXT_TURN).do(a.Concentrate(target=play["rifle"]))
    joined = find(news, e.MeleeJoined)
    assert (joined.firepower[GERMAN], joined.defense[US]) == (7, 4)
    assert COLUMNS[joined.columns[GERMAN]] == "+3/+4"
    blows = [x for x in news if isinstance(x, e.Struck) and x.side == GERMAN]
    assert [(x.target, x.total - x.roll.total) for x in blows] == [(play["rifle"], 1)]
    assert "VehicleStruck" not in kinds(news)


@pytest.mark.rule("ost", "30.3.6", "30.3.9")
def test_an_open_top_defends_with_one_less(table):
    """9.1.3."""
    board = table().put("m18", "us-m18", "D4").put("german", "ger-rifle", "D3")
    play = board.put("away", "ger-rifle", "H1").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1, 1, 1, *NEXT_TURN)
    assert find(news, e.MeleeJoined).defense[US] == 1


@pytest.mark.rule("ost", "30.4.8")
def test_there_is_no_crew_to_save_in_a_melee(table):
    board = table().put("m18", "us-m18", "D4").put("german", "ger-rifle", "D3")
    play = board.put("far", "us-rifle", "A8").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1, 6, 6, *NEXT_TURN)
    assert find(news, v.Wrecked).points == 2


@pytest.mark.rule("ost", "30.4.7")
def test_a_lorry_leaves_a_melee_it_survives(table):
    board = table().put("truck", "us-truck", "D4").put("german", "ger-rifle", "D3")
    play = board.put("far", "us-rifle", "A8").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(1, 1)
    assert find(news, e.MeleeJoined).firepower[US] == 0
    assert play.wants == "a retreat out of the melee"


@pytest.mark.rule("ost", "25.0.11")
def test_a_lorry_does_not_assault(table):
    play = table().put("a", "us-truck", "D4").put("b", "ger-rifle", "D3").start()
    assert play.refused(play.assault("a", "D3")).rule == "25.0.11"


@pytest.mark.rule("ost", "25.0.3")
def test_a_tank_does_not_assault_into_a_building(table):
    rows = ("........", "........", "...l....", *("........",) * 5)
    play = table(rows).put("a", "us-m4", "D4").put("b", "ger-rifle", "D3").start()
    assert play.refused(play.assault("a", "D3")).rule == "25.0.3"


@pytest.mark.parametrize(
    ("enemy", "firepower"),
    [
        pytest.param("ger-pz4h", 8, marks=pytest.mark.rule("ost", "10.1.4")),
        ("ger-rifle", 6),
    ],
)
def test_a_bazooka_adds_two_where_there_is_a_vehicle(table, enemy, firepower):
    board = table().put("a", "us-rifle", "D4", weapon="us-bazooka").put("b", enemy, "D3", facing=S)
    play = board.put("away", "ger-rifle", "H1").put("far", "us-rifle", "A8")
    play = play.points(1, 1).start()
    play.do(play.assault("a", "D3"))
    news = play.out(1, 1, 1, 1, *NEXT_TURN)
    assert find(news, e.MeleeJoined).firepower[US] == firepower


# --- armor leaders -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "7.4.7", "7.4.10")
def test_an_armor_leader_is_lost_with_his_vehicle(table):
    board = table().put("a", "us-m4-76", "D6").put("b", "ger-pz4h", "D3", leader="ace")
    play = board.put("away", "ger-rifle", "H1").start()
    play.dice(5, 5, 6, 6, 1).shoot("a", "b")
    assert play.state.loss_points == [0, 3]


@pytest.mark.rule("ost", "7.4.4")
def test_an_armor_leader_is_one_better_on_both_rolls(table):
    board = table().put("a", "us-m4", "D6", leader="ace").put("b", "ger-pz4h", "D3", facing=S)
    news = board.start().dice(4, 4, 2, 2).shoot("a", "b")
    assert find(news, v.HitRolled).total == 9
    assert find(news, v.VehicleShot).total == 5


@pytest.mark.rule("ost", "7.4.9")
def test_a_sniper_hits_the_armor_leader_and_shakes_his_crew(table):
    board = table().put("a", "us-m4", "D6", leader="ace").put("b", "ger-sniper", "D4")
    play = board.put("away", "ger-rifle", "H1").to_move(GERMAN).start()
    news = play.dice(6, 5).fire("b", "ace")
    assert find(news, e.Shot).defense == 5
    assert play.morale("a") == "shaken"


@pytest.mark.rule("ost", "7.4.6")
def test_an_armor_leader_does_not_change_vehicles(table):
    board = table().put("a", "us-m4", "D6", leader="ace").put("c", "us-rifle", "D6", leader="sgt")
    play = board.put("b", "ger-rifle", "A1").start()
    play.out(6, 6, 1, 1, 1, 1)
    while play.wants == "reform" and play.owed == GERMAN:
        play.do(a.EndReform())
    assert play.refused(a.Detach(leader=play["ace"])).rule == "7.4.6"


@pytest.mark.rule("ost", "7.4.3")
def test_armor_leaders_lead_no_groups(table):
    board = table().put("a", "us-m4", "D4", leader="ace").put("c", "us-m4", "D4")
    play = board.put("b", "ger-rifle", "D3").start()
    assert play.refused(play.assault("a", "D3", partner="c")).rule == "7.4.3"

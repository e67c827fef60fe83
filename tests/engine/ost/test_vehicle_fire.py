"""Fire at and by vehicles (OST 29, 9, 10.1): the worked examples and each rule on its own."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS, VCT, column
from rulesengine.rulesets.ost.state import HULL_OUT, MAIN_OUT
from rulesengine.rulesets.ost.vehicle_questions import ToHitRoll, VehicleAttack
from tests.engine.ost.duels import HIT, LONG, MISS, duel_at
from tests.engine.table import GERMAN, US, find, kinds

# --- the worked examples ---------------------------------------------------------------------


@pytest.mark.example("ost", "29.0.e1")
@pytest.mark.rule("ost", "29.0.4", "29.0.6")
def test_the_marder_at_ten_hexes_hits_on_seven_with_nine(ask):
    assert ask(ToHitRoll(distance=10)).value == 7
    answer = ask(VehicleAttack(weapon="ger-marder3h", target="us-m4", distance=10))
    assert answer.steps[1] == "AP with its modifiers 9"


@pytest.mark.example("ost", "29.3.e2")
@pytest.mark.rule("ost", "29.1.1", "29.1.4", "29.1.5")
def test_the_hellcat_engages_a_hetzer_and_a_squad_in_one_impulse(table):
    rows = list(LONG)
    rows[5] = "...h...."
    board = (
        table(tuple(rows)).put("m18", "us-m18", "A10").put("hetzer", "ger-hetzer", "A2", facing=3)
    )
    play = board.put("squad", "ger-rifle", "D6").start()
    before = play.state.impulses[US]
    news = play.dice(3, 4, 4, 4, 1, 3, 3).shoot("m18", "hetzer", "squad")
    assert play.state.impulses[US] == before - 1
    hit, shot, fire = find(news, v.HitRolled), find(news, v.VehicleShot), find(news, e.Shot)
    assert (hit.distance, hit.needed, hit.total) == (8, 7, 7)
    assert (shot.firepower, shot.defense, COLUMNS[shot.column]) == (9, 8, "+1")
    assert (fire.firepower, fire.defense, COLUMNS[fire.column]) == (2, 6, "-4")
    assert play.state.damage[play["hetzer"]] == 0


@pytest.mark.example("ost", "10.0.e2")
@pytest.mark.rule("ost", "10.0.8")
def test_the_bundle_against_the_polish_armoured_car(ask):
    answer = ask(VehicleAttack(weapon="ger-grenade-bundle", target="pol-wz34", distance=1))
    assert answer.text == "FP 2 - Defense 2 = column 0"


# --- to hit, front and flank -----------------------------------------------------------------


@pytest.mark.border("ost", "29")
@pytest.mark.rule("ost", "29.0.3", "29.0.5")
@pytest.mark.parametrize(("dice", "hits"), [((2, 3), False), ((3, 3), True)])
def test_a_shot_at_four_hexes_needs_six(table, dice, hits):
    play = duel_at(table).start()
    news = play.dice(*dice, 1, 1).shoot("a", "b")
    assert find(news, v.HitRolled).needed == 6
    assert ("VehicleShot" in kinds(news)) == hits


def side_of(table, facing):
    play = duel_at(table, facing=facing).start()
    shot = find(play.dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot)
    return shot.flank, shot.defense


@pytest.mark.rule("ost", "23.4.1", "29.0.6")
@pytest.mark.parametrize("facing", [2, 3, 4])
def test_through_the_three_hexes_ahead_it_is_the_front(table, facing):
    assert side_of(table, facing) == (False, 7)


@pytest.mark.rule("ost", "23.4.2")
@pytest.mark.parametrize("facing", [0, 1, 5])
def test_through_the_other_three_it_is_the_flank(table, facing):
    assert side_of(table, facing) == (True, 2)


@pytest.mark.border("ost", "29")
@pytest.mark.rule("ost", "29.0.11")
def test_a_double_six_is_one_column_better(table):
    plain = duel_at(table).start().dice(*HIT, 1, 1).shoot("a", "b")
    critical = duel_at(table).start().dice(6, 6, 1, 1).shoot("a", "b")
    assert find(critical, v.HitRolled).critical
    assert find(critical, v.VehicleShot).column == find(plain, v.VehicleShot).column + 1


@pytest.mark.rule("ost", "29.2.1", "29.2.2")
def test_the_second_shot_at_a_vehicle_is_at_an_acquired_target(table):
    play = duel_at(table).start()
    first = play.dice(*MISS).shoot("a", "b")
    play.idle()
    second = play.dice(*MISS).shoot("a", "b")
    assert find(second, v.HitRolled).total == find(first, v.HitRolled).total + 1


@pytest.mark.rule("ost", "29.2.1")
def test_who_drives_out_of_sight_is_acquired_no_longer(table):
    rows = list(LONG)
    rows[3] = rows[4] = "wwww...."
    play = duel_at(table, at="E8", where="E3", facing=4, rows=tuple(rows)).start()
    play.dice(*MISS).shoot("a", "b")
    assert play.state.acquired
    news = play.drive("b", ("D3", 4))
    assert "AcquisitionLost" in kinds(news)
    assert not play.state.acquired


def behind_smoke(table, brush):
    """A Sherman that has shot at a Panzer IV, when smoke is laid before it."""
    rows = list(LONG)
    rows[3] = rows[4] = brush
    play = duel_at(table, rows=tuple(rows)).put("s", "us-engineer", "D6").start()
    play.dice(*MISS).shoot("a", "b")
    play.idle()
    news = play.do(a.LaySmoke(unit=play["s"], hex=play.hex("D6")))
    return play, kinds(news)


@pytest.mark.rule("ost", "29.2.1")
def test_smoke_that_blocks_the_line_ends_an_acquired_target(table):
    play, news = behind_smoke(table, "...b....")
    assert "AcquisitionLost" in news
    assert not play.state.acquired


def test_smoke_that_only_dims_the_line_leaves_the_target_acquired(table):
    play, news = behind_smoke(table, "........")
    assert "AcquisitionLost" not in news
    assert play.state.acquired


@pytest.mark.rule("ost", "17.2.8")
def test_a_shaken_crew_aims_worse_and_hits_softer(table):
    play = table(LONG).put("a", "us-m4", "D7", morale="shaken").put("b", "ger-pz4h", "D3", facing=3)
    news = play.start().dice(*HIT, 1, 1).shoot("a", "b")
    assert find(news, v.HitRolled).total == 9
    assert find(news, v.VehicleShot).firepower == 3


@pytest.mark.rule("ost", "12.3.4", "27.5.1")
def test_woods_on_the_way_and_moving_first_make_it_harder(table):
    rows = list(LONG)
    rows[4] = "...b...."
    play = duel_at(table, rows=tuple(rows)).start()
    play.drive("a", ("D7", 1))
    play.idle()
    news = play.dice(*HIT, 1, 1).shoot("a", "b")
    assert find(news, v.HitRolled).total == 8
    assert find(news, v.VehicleShot).firepower == 6


@pytest.mark.rule("ost", "29.0.1")
def test_small_arms_do_nothing_to_closed_armour(table):
    play = table().put("a", "us-rifle", "D4").put("b", "ger-pz4h", "D3").start()
    assert play.refused(play.shot("a", "b")).rule == "29.0.1"


@pytest.mark.rule("ost", "27.8.4")
def test_guns_do_not_group_against_a_vehicle(table):
    play = table(LONG).put("a", "us-57mm", "D7", leader="sgt").put("c", "us-57mm", "D8")
    play = play.put("b", "ger-pz4h", "D3").start()
    assert play.refused(play.shot("a", "b", partner="c")).rule == "27.8.4"


@pytest.mark.rule("ost", "29.0.2")
def test_a_gun_does_not_reach_past_its_range(table):
    play = table(("........",) * 26).put("a", "fra-panhard178", "A26").put("b", "us-m4", "A2")
    play = play.to_move(GERMAN).start()
    assert play.refused(play.salvo("a", "b")).rule == "29.0.2"


@pytest.mark.border("ost", "9")
@pytest.mark.rule("ost", "9.0.6")
def test_a_fixed_gun_fires_in_its_arc_only_but_a_turret_all_round(table):
    play = duel_at(table, "us-rifle", "ger-hetzer", facing=0).put("c", "us-m4", "D9")
    play = play.to_move(GERMAN).start()
    assert play.refused(play.salvo("b", "c")).rule == "9.0.6"
    play = duel_at(table, "us-rifle", "ger-pz4h", facing=0).put("c", "us-m4", "D9")
    assert play.to_move(GERMAN).start().dice(*MISS).shoot("b", "c")


# --- open tops, soft vehicles, two guns, one shot a turn ------------------------------------------


@pytest.mark.rule("ost", "9.1.1", "9.1.2")
@pytest.mark.parametrize(
    ("firer", "at", "dice", "after"),
    [
        ("us-rifle", "D6", (6, 6), "shaken"),
        ("us-rifle", "D6", (6, 5), "shaken"),
        ("us-hmg", "D4", (6, 6), "broken"),
    ],
)
def test_small_arms_at_an_open_top_halve_and_take_nerve_only(table, firer, at, dice, after):
    play = table(LONG).put("a", firer, at).put("b", "ger-marder3h", "D3").start()
    shot = find(play.dice(*dice).fire("a", "b"), e.Shot)
    assert (shot.firepower, shot.defense) == ((2, 5) if at == "D6" else (4, 5))
    assert play.morale("b") == after
    assert play.state.damage[play["b"]] == 0


@pytest.mark.rule("ost", "9.1.1")
def test_a_broken_result_at_an_open_top_is_checked(table):
    play = table(LONG).put("a", "us-rifle", "D6").put("b", "ger-marder3h", "D3").start()
    play.dice(5, 5, 6, 6).fire("a", "b")
    assert play.morale("b") == "good order"


@pytest.mark.rule("ost", "9.2.1", "9.2.2")
def test_small_arms_at_a_lorry_are_halved_on_the_vehicle_table(table):
    play = table(LONG).put("a", "us-rifle", "D6").put("b", "ger-truck", "D3").start()
    shot = find(play.dice(1, 2).fire("a", "b"), v.VehicleShot)
    assert (shot.firepower, shot.defense, shot.how) == (2, 1, "small arms")


@pytest.mark.rule("ost", "9.2.3", "29.0.10")
def test_a_gun_at_a_lorry_rolls_to_hit_and_uses_he(table):
    play = duel_at(table, "us-m4", "ger-truck").start()
    news = play.dice(*HIT, 1, 1).shoot("a", "b")
    assert find(news, v.VehicleShot).firepower == 4


@pytest.mark.rule("ost", "9.3.1", "9.3.3")
def test_the_hull_gun_of_two_fires_forward_only(table):
    play = duel_at(table, "us-m3-lee", "ger-pz4h").put("c", "ger-pz4h", "D11", facing=0).start()
    assert find(play.dice(*HIT, 1, 1).shoot("a", "b", hull=True), v.VehicleShot).firepower == 7
    play.idle()
    assert play.refused(play.salvo("a", "c", hull=True)).rule == "9.3.3"


@pytest.mark.rule("ost", "9.3.4")
def test_a_die_says_which_of_two_guns_is_out(table):
    play = duel_at(table, "us-m3-lee", "ger-pz4h").to_move(GERMAN).start()
    news = play.dice(*HIT, 3, 3, 4, 5, 6, 6).shoot("b", "a")
    assert find(news, v.DamageRolled).roll_which.total == 5
    assert play.state.damage[play["a"]] & (MAIN_OUT | HULL_OUT) == HULL_OUT


@pytest.mark.rule("ost", "9.4.1")
def test_limited_fire_is_one_main_shot_a_turn(table):
    play = table(LONG).put("a", "us-m4", "D8").put("b", "sov-is2", "D3", facing=3)
    play = play.to_move(GERMAN).start()
    play.dice(*MISS).shoot("b", "a")
    play.idle()
    assert play.refused(play.salvo("b", "a")).rule == "9.4.1"


# --- rockets ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "10.1.1", "10.0.6")
def test_a_panzerfaust_hits_a_tank_and_is_used_up(table):
    play = table().put("a", "us-m4", "D5", facing=0)
    play = play.put("b", "ger-rifle", "D4", weapon="ger-panzerfaust").to_move(GERMAN).start()
    news = play.dice(1, 3, 1, 1).fire("b", "a", weapon="b's weapon")
    assert find(news, v.VehicleShot).firepower == 13
    assert "Expended" in kinds(news)
    fates = play.battle.ruleset.result(play.state).elements
    assert next(f for f in fates if f.element == "b's weapon").cause == "used"


@pytest.mark.rule("ost", "10.1.2")
def test_a_bazooka_at_foot_units_needs_a_building(table):
    rows = ("........", "...l....", *("........",) * 6)
    play = table(rows).put("a", "us-rifle", "D4", weapon="us-bazooka")
    play = play.put("b", "ger-rifle", "D2").put("c", "ger-rifle", "E4").start()
    assert play.refused(play.shot("a", "c", weapon="a's weapon")).rule == "10.1.2"
    assert find(play.dice(1, 1).fire("a", "b", weapon="a's weapon"), e.Shot).firepower == 8


@pytest.mark.rule("ost", "10.1.3")
def test_a_rocket_out_of_a_building_shakes_the_hex(table):
    rows = ("........", "........", "........", "...l....", *("........",) * 4)
    play = table(rows).put("a", "us-rifle", "D4", weapon="us-bazooka").put("c", "us-rifle", "D4")
    play = play.put("b", "ger-pz4h", "D3", facing=3).start()
    news = play.dice(1, 1, 2, 2, 6, 6).fire("a", "b", weapon="a's weapon")
    assert "BlownBack" in kinds(news)
    assert sorted((play.morale("a"), play.morale("c"))) == ["good order", "shaken"]


# --- facts that every shot has --------------------------------------------------------------------


@pytest.mark.rule("ost", "29.0.7", "29.0.8", "29.0.9")
def test_ap_less_defense_is_the_column_and_the_roll_its_row(table):
    play = duel_at(table, "us-m4", "ger-pz4h", facing=0).start()
    shot = find(play.dice(*HIT, 3, 3, 1, 6, 6).shoot("a", "b"), v.VehicleShot)
    assert shot.column == column(shot.firepower, shot.defense)
    assert shot.result == VCT[6][shot.column]


@pytest.mark.rule("ost", "29.0.13", "29.0.2")
def test_he_and_ap_of_a_gun_end_at_one_range(table):
    rows = ("...",) * 40
    for foe in ("ger-pz4h", "ger-rifle"):
        play = table(rows).put("a", "us-m4", "B38").put("b", foe, "B7").start()
        assert play.refused(play.salvo("a", "b")).rule == "29.0.2"
    near = table(rows).put("a", "us-m4", "B38").put("b", "ger-rifle", "B8").start()
    assert find(near.dice(1, 1).shoot("a", "b"), e.Shot).distance == 30


@pytest.mark.rule("ost", "27.8.3")
def test_vehicles_join_no_fire_group(table):
    board = table().put("squad", "us-rifle", "C4", leader="sergeant").put("tank", "us-m4", "C4")
    play = board.put("foe", "ger-rifle", "C2").start()
    assert play.refused(play.shot("squad", "foe", partner="tank")).rule == "27.8.3"

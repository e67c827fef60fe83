"""What is printed on a vehicle and what a wreck is (OST 9.0, 13.10, 29.1): each on both sides of
its border."""

from __future__ import annotations

import pytest

from rulesengine.contract import Illegal
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.state import IMMOBILE
from tests.engine.ost.duels import HIT, LONG, MISS, duel_at
from tests.engine.table import GERMAN, Road, find, kinds

N, NE, SE, S, SW, NW = range(6)


def shot_at(table, facing):
    play = duel_at(table, facing=facing).start()
    return find(play.dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot)


@pytest.mark.rule("ost", "9.0.p10", "9.0.p11")
def test_the_front_has_one_defense_and_the_flank_another(table):
    front, flank = shot_at(table, SW), shot_at(table, NW)
    assert (front.flank, front.defense) == (False, 7)
    assert (flank.flank, flank.defense) == (True, 2)


@pytest.mark.rule("ost", "9.0.p6", "29.1.3", "9.0.4")
def test_the_main_gun_fires_he_at_foot_and_the_machine_guns_their_own_figure_all_round(table):
    board = table(LONG).put("a", "us-m4", "D7", facing=N).put("b", "ger-rifle", "D10")
    news = board.start().dice(1, 2, 1, 2).shoot("a", "b", "b")
    he, mg = (event.firepower for event in news if isinstance(event, e.Shot))
    assert find(news, v.VehicleFireDeclared).at_foot
    assert (he, mg) == (4, 2)


@pytest.mark.rule("ost", "29.1.3")
def test_machine_guns_have_a_range_of_their_own(table):
    rows = ("........",) * 14
    near = table(rows).put("a", "us-m4", "D12", facing=N).put("b", "ger-rifle", "D4").start()
    assert find(near.dice(1, 1).shoot("a", mg="b"), e.Shot).distance == 8
    far = table(rows).put("a", "us-m4", "D12", facing=N).put("b", "ger-rifle", "D3").start()
    assert far.refused(far.salvo("a", mg="b")).rule == "29.1.3"


@pytest.mark.rule("ost", "29.1.2")
def test_machine_guns_are_for_foot_and_for_what_small_arms_can_hurt(table):
    play = duel_at(table).start()
    assert play.refused(play.salvo("a", mg="b")).rule == "29.1.2"
    for foe in ("ger-truck", "ger-marder3h"):
        play = duel_at(table, target=foe).start()
        assert "VehicleFireDeclared" in kinds(play.dice(1, 1).shoot("a", mg="b"))


@pytest.mark.rule("ost", "9.0.p1", "29.0.10")
def test_a_lorry_is_a_soft_target_a_tank_a_hard_one(table):
    soft = find(
        duel_at(table, target="ger-truck").start().dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot
    )
    hard = find(duel_at(table).start().dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert (soft.soft, soft.firepower) == (True, 4)
    assert (hard.soft, hard.firepower) == (False, 7)
    assert "9.0.p1" not in hard.cites()


@pytest.mark.rule("ost", "9.0.5")
def test_a_vehicle_faces_one_of_six_hexsides(table):
    for facing in range(6):
        play = duel_at(table, facing=facing).to_move(GERMAN).start()
        assert play.state.facing[play["b"]] == facing
        for wrong in (-1, 6):
            assert play.refused(play.course("b", ("D3", wrong))).rule == "9.0.5"
        play.drive("b", ("D3", (facing + 2) % 6))
        assert play.state.facing[play["b"]] == (facing + 2) % 6


@pytest.mark.rule("ost", "9.0.8", "9.0.7")
def test_vehicle_and_crew_are_two_points_and_one_where_the_crew_get_out(table):
    lost = {}
    for face in (5, 6):
        play = duel_at(table, "us-m4-76", facing=N).start()
        news = play.dice(*HIT, 3, 3, face).shoot("a", "b")
        lost[face] = (play.state.loss_points[1], "9.0.8" in find(news, v.Wrecked).cites())
        assert play.state.wrecks == {play.hex("D3"): 1}
    assert lost == {5: (2, True), 6: (1, False)}


@pytest.mark.rule("ost", "13.10.p1", "13.10.5")
def test_a_wreck_stays_where_the_vehicle_was_to_the_end(table):
    board = duel_at(table, "us-m4-76", facing=N).put("c", "ger-rifle", "H12")
    play = board.put("d", "us-rifle", "A1").points(1, 1).start()
    assert not play.state.wrecks
    play.dice(*HIT, 3, 3, 5).shoot("a", "b")
    for _ in range(2):
        play.out(6, 6, 1, 1, 1, 1)
        assert play.state.wrecks == {play.hex("D3"): 1}


@pytest.mark.rule("ost", "29.4.p1")
def test_damage_outlasts_the_turn(table):
    board = duel_at(table, "us-m4-76", facing=N).put("c", "ger-rifle", "H12").points(1, 1)
    play = board.start()
    play.dice(*HIT, 2, 3, 5, 6, 6).shoot("a", "b")
    for _ in range(2):
        assert play.state.damage[play["b"]] == IMMOBILE
        play.out(6, 6, 1, 1, 1, 1)
    assert play.state.damage[play["b"]] == IMMOBILE


@pytest.mark.rule("ost", "10.0.2")
def test_a_single_use_weapon_is_gone_hit_or_miss_a_bazooka_stays(table):
    for weapon, gone in (("ger-panzerfaust", True), ("ger-panzerschreck", False)):
        board = table().put("a", "us-m4", "D5", facing=0)
        play = board.put("b", "ger-rifle", "D4", weapon=weapon).to_move(GERMAN).start()
        news = play.dice(*MISS).fire("b", "a", weapon="b's weapon")
        assert ("Expended" in kinds(news)) == gone
        assert (play.state.weapon[play["b"]] == -1) == gone


@pytest.mark.rule("ost", "14.0.3")
def test_no_vehicle_is_set_up_where_its_kind_may_not_go_but_on_a_road(table):
    rows = ("........", "........", "...h....", *("........",) * 5)

    def standing(**ground):
        return table(rows, **ground).put("a", "us-m4", "D3").put("b", "ger-rifle", "H8")

    assert standing(roads=(Road(hexes="D2 D3 D4"),)).start().at("a") == "D3"
    board = standing()
    with pytest.raises(Illegal) as refused:
        board.start()
    board.cited.take(refused.value)
    assert refused.value.refusal.rule == "14.0.3"

"""Worked examples and diagrams of the book that no other test passes whole, with their own figures:
chapters 17 to 33. The others carry their mark where their rule is tested."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.artillery import area
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS, VCT_RESULTS
from rulesengine.rulesets.ost.questions import GutCheck, MovementCost
from rulesengine.rulesets.ost.state import MGS_OUT
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from tests.engine.ost.duels import HIT, LONG, duel_at
from tests.engine.ost.test_artillery import call, guns, struck
from tests.engine.ost.test_room_to_set_up import faults, zoned
from tests.engine.ost.test_tank_duel import example
from tests.engine.table import GERMAN, US, Hexsides, Road, find, kinds

OST = ruleset("ost")
N, S = 0, 3


def hold(play):
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())


@pytest.mark.example("ost", "17.4.e1")
def test_the_french_need_an_eight_and_nothing_changes_the_roll(ask):
    """15 of the 36 falls of two dice are 8 or more."""
    for result in ("shaken", "broken"):
        answer = ask(GutCheck(gut_check=8, result=result))
        assert Fraction(15, 36) in [Fraction(c.over, c.of) for c in answer.chances]
        assert not answer.modifiers


@pytest.mark.example("ost", "21.0.e1")
def test_a_hidden_gun_in_a_forest_ambushes_an_armoured_car(table):
    """Polish and German in the book: a gun of ours, and the car."""
    rows = list(LONG)
    rows[7] = "...w...."
    board = table(tuple(rows)).put("gun", "us-57mm", "D8", facing=N, hidden=True)
    play = board.put("car", "ger-222", "D3", facing=S).to_move(GERMAN).start()
    play.drive("car", ("D4", S), ("D5", S))
    assert (play.wants, play.owed) == ("opportunity fire", US)
    news = play.dice(3, 4, 1, 1).fire("gun", "car")
    assert find(news, e.Revealed).units == (play["gun"],)
    hit, shot = find(news, v.HitRolled), find(news, v.VehicleShot)
    for roll, event in ((7, hit), (2, shot)):
        assert event.roll.total == roll
        assert event.total == roll + 1
    assert "21.0.7" in hit.cites()
    assert "21.0.7" in shot.cites()


@pytest.mark.example("ost", "23.4.d1")
def test_three_hexes_are_ahead_and_three_are_reached_in_reverse(table):
    for direction in range(6):
        play = duel_at(table, target="ger-rifle", at="D8", where="H1").start()
        there = play.state.ground.grid.neighbours[play.hex("D8")][direction]
        news = play.do(a.Drive(unit=play["a"], path=(there,), facings=(N,)))
        assert find(news, v.Drove).reverse == (direction not in (5, 0, 1))


@pytest.mark.example("ost", "23.4.d2")
def test_a_tank_spends_its_five_points_on_a_road_and_a_farm(table, ask):
    """One onto the road, a half for each hex along it, two for the farm; it turns as it goes."""
    rows = list(LONG)
    rows[1] = "....f..."
    board = table(tuple(rows), roads=(Road(hexes="D7 D6 D5 D4 D3"),))
    path = ("D8", "D7", "D6", "D5", "D4", "D3", "E2")
    facings = ("N", "N", "N", "N", "NE", "NE")
    question = DriveCost(map=board.map, vehicle="ger-pz35t", facing="N", path=path, facings=facings)
    answer = ask(question)
    assert answer.value == 5
    assert "can be done" in answer.text


@pytest.mark.example("ost", "24.2.e1")
def test_a_rifle_walks_two_hexes_and_loads_then_its_vehicle_drives_six(table):
    board = table(LONG).put("v", "us-truck", "C9").put("a", "us-rifle", "C11")
    play = board.put("z", "ger-sergeant", "H1").start()
    play.load("a", "v", "C10", "C9")
    hold(play)
    play.idle()
    play.drive("v", *((f"C{row}", N) for row in range(8, 2, -1)))
    hold(play)
    assert (play.at("a"), play.at("v")) == ("C3", "C3")
    assert play.state.moved[play["a"]]
    assert play.state.moved[play["v"]]


@pytest.mark.example("ost", "25.0.d1")
def test_a_german_squad_assaults_and_the_hex_is_shut_until_the_melee_phase(table):
    board = table().put("rifle", "ger-rifle", "C3").put("enemy", "us-rifle", "C4")
    board.put("other", "ger-rifle", "D4").put("friend", "us-rifle", "C6")
    play = board.to_move(GERMAN).points(3, 3).start()
    news = play.do(play.assault("rifle", "C4"))
    assert find(news, e.MeleeMarked).hex == play.hex("C4")
    assert play.state.melees == {play.hex("C4"): GERMAN}
    assert play.refused(play.shot("friend", "rifle")).rule == "27.4.3"
    assert play.refused(play.way("friend", "C5", "C4")).rule == "30.1.4"
    play.idle()
    assert play.refused(play.assault("other", "C4")).rule == "30.1.4"
    assert not [event for event in play.log if isinstance(event, e.MeleeJoined)]
    fought = play.out(1, 1, 1, 1, *(6, 6, 1, 1, 1, 1))
    assert kinds(fought).index("MeleePhaseBegan") < kinds(fought).index("MeleeJoined")


def load_faults(board, kind, *aboard):
    """What is wrong with an aircraft that carries these, with a squad left at home."""
    board.put("home", "us-rifle").flies(US, (kind, "B4", aboard))
    return faults(zoned(board, us="B4:C4", rows=("........",) * 9))


@pytest.mark.example("ost", "26.1.e1")
def test_a_transport_takes_a_machine_gun_and_two_squads_with_a_sergeant(table):
    def paratroops():
        board = table().put("mmg", "us-mmg").put("one", "us-airborne-rifle")
        return board.put("two", "us-airborne-rifle").put("him", "us-airborne-sergeant")

    assert not load_faults(paratroops(), "transport", "mmg", "one", "two", "him")
    more = paratroops().put("three", "us-airborne-rifle")
    told = load_faults(more, "transport", "mmg", "one", "two", "three", "him")
    assert [fault for fault in told if "it holds 3" in fault]


@pytest.mark.example("ost", "26.1.e2")
def test_a_glider_takes_two_squads_a_lieutenant_and_a_machine_gun(table):
    def airlanding():
        board = table().put("one", "us-airborne-rifle").put("two", "us-airborne-rifle")
        return board.put("him", "us-airborne-lieutenant").put("lmg", "us-lmg")

    assert not load_faults(airlanding(), "glider", "one", "two", "him", "lmg")
    more = airlanding().put("three", "us-airborne-rifle")
    told = load_faults(more, "glider", "one", "two", "three", "him", "lmg")
    assert [fault for fault in told if "it holds 2" in fault]


@pytest.mark.example("ost", "27.8.e1")
def test_one_brush_for_both_is_one_less_a_brush_and_a_hedge_are_two(table):
    """Two German rifle squads side by side, in C3 and D3, at a target in C8."""

    def firepower(brush, hedge):
        rows = [list("........") for _ in range(8)]
        for name in brush:
            rows[int(name[1]) - 1]["ABCDEFGH".index(name[0])] = "b"
        sides = (Hexsides(kind="hedge", sides=hedge),) if hedge else ()
        board = table(tuple("".join(row) for row in rows), hexsides=sides)
        board.put("one", "ger-rifle", "C3", leader="boss").put("two", "ger-rifle", "D3")
        play = board.put("target", "us-rifle", "C8").to_move(GERMAN).start()
        shot = play.shot("one", "target", partner="two")
        refusal = OST.refuse(OST.view(play.state, GERMAN), shot)
        if refusal is not None:
            return refusal.rule
        return find(play.dice(1, 1, 6, 6).do(shot), e.Shot).firepower

    assert firepower((), ()) == 8
    assert firepower(("C7",), ()) == 7  # both lines come through the hex before the target
    assert firepower(("C4",), ("D4/S",)) == 6
    assert firepower(("C4", "C5"), ("D4/S",)) == "27.8.8"


@pytest.mark.example("ost", "28.2.e2")
def test_a_captain_is_shaken_with_his_rifle(table):
    board = table().put("us", "us-rifle", "C3").put("rifle", "ger-rifle", "C5")
    board.put("captain", "ger-captain", "C5").attached.append(("captain", "rifle"))
    play = board.start()
    news = play.dice(3, 4, 1, 1, 1, 1).fire("us", "rifle")
    assert ICT_RESULTS[find(news, e.Shot).result] == "S"
    assert (play.morale("rifle"), play.morale("captain")) == ("shaken", "shaken")


@pytest.mark.example("ost", "29.3.e1")
@pytest.mark.parametrize(("gut", "nerve"), [((1, 1), "shaken"), ((6, 6), "good order")])
def test_damaged_and_shaken_are_a_damage_and_a_gut_check(table, gut, nerve):
    play = duel_at(table, "us-m4", "ger-pz4g").put("z", "ger-rifle", "H1").start()
    news = play.dice(*HIT, 4, 5, 3, *gut).shoot("a", "b")
    assert VCT_RESULTS[find(news, v.VehicleShot).result] == "D-S"
    assert play.state.damage[play["b"]] == MGS_OUT
    assert play.morale("b") == nerve


@pytest.mark.example("ost", "29.4.e1")
@pytest.mark.parametrize(("face", "gone"), [(2, False), (3, True)])
def test_a_sherman_without_its_main_gun_is_abandoned_when_the_machine_guns_go(table, face, gone):
    board = duel_at(table, "ger-pz4g", "us-m4", facing=N, condition="main gun out")
    play = board.put("friend", "us-rifle", "H12").to_move(GERMAN).start()
    news = play.dice(*HIT, 2, 3, face, 6, 6).shoot("a", "b")
    assert find(news, v.DamageRolled).roll.total == face
    assert ("Wrecked" in kinds(news)) == gone
    if gone:
        assert "AbandonRolled" not in kinds(news)
        assert play.state.loss_points == [1, 0]
        assert play.state.wrecks == {play.hex("D3"): 1}


@pytest.mark.example("ost", "30.4.d1")
def test_a_melee_of_which_good_order_units_of_both_sides_are_left(table):
    """The rifle squad of the Sherman takes a casualty, is shaken and leaves; the German leader
    falls; tank and German squad fight on, and may be reinforced."""
    play = example(table)
    # On +7: S, checked and passed, and C on the leader. On -2: nothing on the tank, C-S on the
    # squad, which fails its check.
    news = play.dice(1, 1, 2, 2, 1, 1, 5, 5, 6, 6, 1, 1).do(a.Concentrate())
    assert play.steps("sgt") == 0
    assert (play.steps("rifle"), play.morale("rifle")) == (1, "shaken")
    assert (play.wants, play.owed) == ("a retreat out of the melee", US)
    news += play.dice(1, 1, *(6, 6, 1, 1, 1, 1)).do(
        a.Retreat(unit=play["rifle"], to=play.hex("D5"))
    )
    closed = find(news, e.MeleeClosed)
    assert not closed.resolved
    assert play.state.melees == {play.hex("D4"): GERMAN}
    assert (play.at("sherman"), play.at("german"), play.at("rifle")) == ("D4", "D4", "D5")
    assert play.morale("sherman") == play.morale("german") == "good order"


@pytest.mark.example("ost", "32.0.e1", "32.0.e2")
def test_the_air_strike_of_a_veteran(table):
    """Six as AP against a flank of 1, six as HE against a squad whose leader rolls with it."""
    board = table(("............",) * 12).put("eyes", "us-rifle", "C11").air(US)
    board.put("tank", "ger-pz35t", "C4").put("squad", "ger-rifle", "C5", leader="sergeant")
    play = board.start()
    strike = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    news = play.dice(4, 1, 1, 4, 4, 6).do(strike)
    assert find(news, s.PilotRolled).firepower == 6
    tank, squad = struck(news)
    assert (tank.firepower, tank.defense, COLUMNS[tank.column]) == (6, 1, "+5/+6")
    assert tank.vehicle
    assert (squad.firepower, squad.defense, COLUMNS[squad.column]) == (6, 4, "+2")
    assert not squad.vehicle
    assert find(news, e.LeaderRolled).leader == play["sergeant"]


@pytest.mark.example("ost", "33.3.d1")
def test_a_strike_called_on_y11_drifts_to_bb10(table):
    play = guns(table, rows=("." * 32,) * 16, at="Y13").start()
    news = play.dice(1, 2, 3).do(call(play, "Y11"))
    assert find(news, s.Drifted).hex == play.hex("BB10")
    fallen = find(news, s.StrikeFell).hex
    assert fallen == play.hex("BB10")
    assert len(area(play.state, fallen)) == 7


@pytest.mark.example("ost", "33.4.e1")
def test_the_french_in_the_hexes_around_a_strike_of_six(table):
    """An armoured car, a squad in a wood and one in a house; the strike hex itself is empty."""
    board = guns(table, at="H11")
    grid = OST.setup(board.put("x", "us-rifle", "A1").document()).ground.grid
    car, wood, house = (grid.name(n) for n in grid.neighbours[grid.find("D5")][:3])
    rows = [list("............") for _ in range(12)]
    for name, sign in ((wood, "w"), (house, "l")):
        rows[int(name[1:]) - 1][ord(name[0]) - 65] = sign
    board = guns(table, rows=tuple("".join(row) for row in rows), at="H11")
    board.put("panhard", "fra-panhard178", car).put("in the wood", "ger-rifle", wood)
    play = board.put("in the house", "ger-rifle", house).start()
    news = play.dice(6, *(1, 1) * 3, 4).do(call(play, "D5"))
    fell = find(news, s.StrikeFell)
    assert (play.state.ground.name(fell.hex), fell.firepower, fell.around) == ("D5", 6, 3)
    found = {x.target: (x.firepower, x.defense, COLUMNS[x.column]) for x in struck(news)}
    assert found == {
        play["panhard"]: (3, 2, "+1"),
        play["in the wood"]: (3, 3, "0"),
        play["in the house"]: (3, 5, "-2"),
    }
    collapse = find(news, f.CollapseRolled)
    assert (collapse.needed, collapse.falls) == (5, False)
    assert kinds(news).index("CollapseRolled") > kinds(news).index("Blasted")


@pytest.mark.example("ost", "23.0.d1")
def test_the_three_paths_of_a_foot_unit_with_four_points(table, ask):
    """White over brush, blue through a structure, red over a wall into a grove."""

    def cost(rows, *path, **ground):
        answer = ask(MovementCost(map=table(rows, **ground).map, path=path, points=4))
        assert "can be done" in answer.text
        return answer.value

    wall = (Hexsides(kind="stone wall", sides=("A2/S",)),)
    assert cost(("..", "b.", "..", "..", ".."), "A1", "A2", "A3", "A4", "A5") == 1 + 1 + 1 + 1
    assert cost(("..", "l.", "..", ".."), "A1", "A2", "A3", "A4") == 2 + 1 + 1
    assert cost(("..", "..", "w."), "A1", "A2", "A3", hexsides=wall) == 1 + 3

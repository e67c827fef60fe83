"""Collateral damage (OST 24.4): who rides on a vehicle, or walks behind it, suffers with it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.questions import CollateralDamage, InfantryAttack
from rulesengine.rulesets.ost.state import OFF
from tests.engine.ost.duels import HIT, MISS
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("..........",) * 9


def target(table, vehicle="us-m4", unit="us-rifle", *, firer="ger-pak40", at="C2", **more):
    """A vehicle in C6 with a unit on it, its flank to a gun in C2."""
    board = table(FIELD).put("v", vehicle, "C6", facing=3).put("a", unit, "C6", on="v", **more)
    return board.put("b", firer, at, facing=3).to_move(GERMAN)


def blast_of(news):
    """The column and the result of the attack on the unit."""
    blast = find(news, f.Blasted)
    assert blast.why == "collateral damage"
    assert blast.modifiers == ()
    return COLUMNS[blast.column], blast.result


@pytest.mark.rule("ost", "24.0.11", "24.4.2", "24.4.p3")
def test_a_hit_without_effect_is_an_attack_on_the_passengers_in_column_minus_five(table):
    play = target(table).start()
    news = play.dice(*HIT, 1, 2, 6, 5, 6, 6).fire("b", "v")
    assert find(news, t.CollateralDue).unit == play["a"]
    assert blast_of(news) == ("-5", 2)
    assert play.state.riding == {play["a"]: play["v"]}


@pytest.mark.rule("ost", "24.4.1", "24.4.p1")
def test_with_the_vehicle_destroyed_it_is_column_minus_three_and_they_are_left_by_the_wreck(table):
    play = target(table).start()
    news = play.dice(*HIT, 6, 5, 1, 4, 4, 6, 6).fire("b", "v")
    assert find(news, t.CollateralDue).lost
    assert blast_of(news) == ("-3", 1)
    assert kinds(news).index("Wrecked") < kinds(news).index("Blasted")
    assert (play.at("a"), play.state.riding) == ("C6", {})


@pytest.mark.rule("ost", "24.4.1")
def test_an_abandoned_vehicle_is_as_bad_as_a_destroyed_one(table):
    play = target(table, "us-m4-76").start()
    news = play.dice(*HIT, 2, 3, 6, 1, 1, 1, 1, 6, 6, 6, 6).fire("b", "v")
    assert "AbandonRolled" in kinds(news)
    assert find(news, t.CollateralDue).lost
    assert blast_of(news)[0] == "-3"


@pytest.mark.rule("ost", "24.4.3")
def test_after_it_they_ride_on(table):
    play = target(table).start()
    news = play.dice(*HIT, 1, 2, 6, 6, 1, 1).fire("b", "v")
    assert play.steps("a") == 1
    play.drive("v", ("C7", 3))
    assert play.at("a") == "C7"
    assert find(news, t.CollateralDue).why == "fire"


def test_a_miss_harms_nobody(table):
    play = target(table).start()
    news = play.dice(*MISS).fire("b", "v")
    assert "CollateralDue" not in kinds(news)


@pytest.mark.rule("ost", "24.0.12")
@pytest.mark.parametrize("dice", [(1, 1), (1, 3)])
def test_small_arms_at_a_lorry_always_come_upon_its_passengers(table, dice):
    play = target(table, "us-truck", firer="ger-rifle").start()
    news = play.dice(*dice, 1, 1).fire("b", "v")
    assert find(news, t.CollateralDue).why == "small arms"
    assert blast_of(news)[0] == "-5"


def test_small_arms_at_the_crew_of_an_open_top_do_not(table):
    play = target(table, "us-m3-halftrack", firer="ger-rifle", at="C4").start()
    news = play.dice(1, 2).fire("b", "v")
    assert find(news, e.Shot).target == play["v"]
    assert "CollateralDue" not in kinds(news)


@pytest.mark.rule("ost", "24.4.p1")
def test_neither_shelter_nor_exposure_count_against_it(table):
    for vehicle, dice in (("us-m3-halftrack", (1, 2)), ("us-truck", (1, 1))):
        play = target(table, vehicle).start()
        news = play.dice(*HIT, *dice, 1, 1).fire("b", "v")
        blast = find(news, f.Blasted)
        assert (blast.defense, COLUMNS[blast.column]) == (4, "-5")


@pytest.mark.rule("ost", "13.3.8")
def test_mines_under_a_vehicle_harm_its_passengers_once(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C6", on="v")
    play = board.put("z", "ger-rifle", "J1").work(GERMAN, "mines", "C5").start()
    news = play.dice(1, 1, 1, 1).drive("v", ("C5", 0))
    blasts = [x for x in news if isinstance(x, f.Blasted)]
    assert [(x.target, x.why) for x in blasts] == [
        (play["v"], "mines"),
        (play["a"], "collateral damage"),
    ]
    assert find(news, t.CollateralDue).why == "mines"
    assert play.at("v") == "C5"


def test_engineers_on_a_vehicle_do_not_find_its_mines(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-engineer", "C6", on="v")
    play = board.put("z", "ger-rifle", "J1").work(GERMAN, "mines", "C5").start()
    news = play.dice(1, 1, 1, 1).drive("v", ("C5", 0))
    assert not find(news, f.MinesFound).engineers
    assert find(news, t.CollateralDue).unit == play["a"]


@pytest.mark.rule("ost", "33.4.4")
def test_shells_find_passengers_through_their_vehicle(table):
    board = target(table, firer="ger-rifle", at="C2").battery(GERMAN)
    play = board.start()
    call = a.CallArtillery(spotter=play["b"], battery=0, hex=play.hex("C6"))
    news = play.dice(6, 1, 1, 1, 1).do(call)
    mine = [x for x in news if isinstance(x, f.Blasted) and x.target == play["a"]]
    assert [x.why for x in mine] == ["collateral damage"]
    assert find(news, t.CollateralDue).why == "artillery"


@pytest.mark.rule("ost", "32.0.8")
def test_aircraft_find_passengers_through_their_vehicle(table):
    play = target(table, firer="ger-rifle", at="C2").air(GERMAN).start()
    strike = a.AirStrike(spotter=play["b"], hex=play.hex("C6"), other=play.hex("C7"))
    news = play.dice(1, 1, 1, 1, 1).do(strike)
    mine = [x for x in news if isinstance(x, f.Blasted) and x.target == play["a"]]
    assert [x.why for x in mine] == ["collateral damage"]
    assert find(news, t.CollateralDue).why == "air strike"


def test_who_falls_by_it_scores_and_is_off(table):
    play = target(table, reduced=True).start()
    news = play.dice(*HIT, 6, 5, 1, 6, 6).fire("b", "v")
    assert play.state.hex[play["a"]] == OFF
    assert play.state.loss_points == [3, 0]
    assert not play.state.riding
    assert "Eliminated" in kinds(news)


def test_their_leader_makes_his_roll(table):
    play = target(table, leader="l").start()
    news = play.dice(*HIT, 1, 2, 6, 6, 2).fire("b", "v")
    assert find(news, e.LeaderRolled).leader == play["l"]


def test_a_moving_vehicle_drives_on_when_it_was_hit_without_effect(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C6", on="v")
    play = board.put("b", "ger-pak40", "C1", facing=3).start()
    play.drive("v", ("C5", 0), ("C4", 0))
    news = play.dice(*HIT, 1, 1, 6, 5, 1, 1).fire("b", "v")
    assert play.morale("a") == "broken"
    assert "MoveStopped" not in kinds(news)
    assert (play.at("v"), play.at("a")) == ("C4", "C4")
    assert play.state.side[play["v"]] == US


@pytest.mark.border("ost", "24")
@pytest.mark.rule("ost", "24.4.1", "24.4.2")
@pytest.mark.parametrize(("lost", "column"), [(False, -5), (True, -3)])
def test_a_question_gives_the_exact_odds(ask, lost, column):
    """Casualties on twelve in column -5; in column -3 on eleven and, shaken too, on twelve."""
    answers = [ask(CollateralDamage(gut_check=7, vehicle_lost=wreck)) for wreck in (lost, not lost)]
    assert answers[0].value == column
    hurt = [c for c in answers[0].chances if "step" in c.outcome]
    assert sum(c.share for c in hurt) == Fraction(3 if lost else 1, 36)
    reduced = ask(CollateralDamage(gut_check=7, vehicle_lost=lost, steps=1))
    dead = next(c for c in reduced.chances if c.outcome == "eliminated")
    assert dead.share == Fraction(3 if lost else 1, 36)


@pytest.mark.parametrize(
    ("company", "change"),
    [
        pytest.param("armored transport", 1, marks=pytest.mark.rule("ost", "24.3.1")),
        pytest.param("on a vehicle", -1, marks=pytest.mark.rule("ost", "24.3.3")),
        pytest.param("in a lorry", -1, marks=pytest.mark.rule("ost", "24.3.4")),
        pytest.param("rolling cover", 1, marks=pytest.mark.rule("ost", "23.2.6")),
    ],
)
def test_a_question_about_an_attack_knows_of_riders(ask, company, change):
    plain = ask(InfantryAttack(firepower=(6,), defense=4))
    answer = ask(InfantryAttack(firepower=(6,), defense=4, company=company))
    assert answer.value == plain.value - change


def test_a_question_with_wrong_figures_is_refused(ask):
    with pytest.raises(BadDocument, match="steps"):
        ask(CollateralDamage(gut_check=7, steps=3))
    with pytest.raises(BadDocument, match="gut_check"):
        ask(CollateralDamage(gut_check=1))
    with pytest.raises(BadDocument, match="company"):
        ask(InfantryAttack(firepower=(6,), defense=4, company="on a horse"))

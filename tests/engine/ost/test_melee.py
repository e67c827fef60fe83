"""The melee phase: OST 30, single persons in it: OST 7; concentrated attacks: OST 30.5."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS, column
from rulesengine.rulesets.ost.kinds import CREWED, LEADER, SQUAD
from rulesengine.rulesets.ost.melee import Member
from rulesengine.rulesets.ost.state import GOOD
from tests.engine.ost.melees import NEXT_TURN, joined, strikes
from tests.engine.table import GERMAN, US, find, kinds

RIFLE = Member(4, 4, GOOD, SQUAD, 0)
LED_RIFLE = Member(4, 4, GOOD, SQUAD, 0, True)
SERGEANT = Member(1, 1, GOOD, LEADER, 0)
SHERMAN = Member(6, 5, GOOD, CREWED, 0)
"""Its figures in the book's example: HE and machine guns, front Defense."""


def heading(fire, shield):
    return COLUMNS[column(fire.value, shield.value)]


# --- the melee phase -----------------------------------------------


@pytest.mark.rule("ost", "27.4.3")
def test_nobody_fires_at_units_in_a_melee(table):
    battle = joined(table)
    battle.idle()
    assert battle.refused(battle.shot("far", "german")).rule == "27.4.3"


@pytest.mark.rule("ost", "30.3.1", "30.3.2", "30.3.3")
def test_each_side_adds_up_and_strikes_in_its_column(table):
    battle = joined(table)
    news = battle.out(1, 1, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    melee_ = find(news, e.MeleeJoined)
    assert (melee_.firepower, melee_.defense) == ((6, 6), (4, 4))
    assert [COLUMNS[c] for c in melee_.columns] == ["+2", "+2"]


@pytest.mark.rule("ost", "30.2.3", "30.1.1", "2.2.p4")
def test_terrain_and_moving_count_for_nothing_in_melee(table):
    rows = ("........",) * 3 + ("..h.....",) + ("........",) * 4
    battle = (
        table(rows)
        .put("us", "us-rifle", "C2")
        .put("german", "ger-rifle", "C4", morale="broken")
        .put("away", "ger-rifle", "H8")
        .points(3, 1)
        .start()
    )
    battle.move("us", "C3")
    battle.idle()
    battle.do(battle.assault("us", "C4"))
    news = battle.out(1, 1, 4, 4, 1, 1, 1, 1) if battle.wants == "an impulse" else battle.log
    battle.cited.take(news)
    assert find(news, e.MeleeJoined).defense[GERMAN] == 4
    assert find(news, e.Struck).modifiers == ()


@pytest.mark.example("ost", "30.3.e1")
@pytest.mark.rule("ost", "30.3.5", "30.3.6")
def test_every_enemy_is_attacked_with_a_roll_of_its_own_leaders_included(table):
    battle = joined(table, german={"leader": "feldwebel"}, second="ger-mmg")
    battle.out()
    battle.dice(*(1, 1) * 4, 6, 6, *NEXT_TURN)
    assert battle.wants == "concentrate the attack or not"
    news = battle.do(a.Concentrate())
    by_us = [s.target for s in strikes(news) if s.side == US]
    assert by_us == [battle["german"], battle["feldwebel"], battle["second"]]
    assert len({s.column for s in strikes(news) if s.side == US}) == 1


@pytest.mark.rule("ost", "30.3.7")
def test_results_are_simultaneous_both_sides_may_be_destroyed(table):
    battle = joined(table)
    battle.cited.take(battle.out(5, 6, 5, 6, *NEXT_TURN))
    assert battle.at("us") == "off the map"
    assert battle.at("german") == "off the map"
    assert battle.state.loss_points == [2, 2]
    assert not battle.state.melees


@pytest.mark.rule("ost", "30.3.8")
def test_a_leader_in_melee_is_struck_directly_and_makes_no_casualty_roll(table):
    battle = joined(table, german={"leader": "feldwebel"})
    news = battle.out(5, 6, 6, 6, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    assert "LeaderRolled" not in kinds(news)
    assert battle.at("feldwebel") == "off the map"
    assert battle.state.loss_points[GERMAN] == 3


@pytest.mark.example("ost", "30.2.e1")
@pytest.mark.rule("ost", "30.2.9")
def test_the_broken_do_not_strike_but_count_for_defense(table):
    battle = joined(table, german={"morale": "broken"})
    news = battle.out(1, 1, *NEXT_TURN, 1, 1)
    battle.cited.take(news)
    assert [s.side for s in strikes(news)] == [US]
    assert find(news, e.MeleeJoined).defense[GERMAN] == 4


@pytest.mark.rule("ost", "17.2.2", "17.2.7", "30.2.8")
def test_the_shaken_strike_with_half_and_one_worse(table):
    battle = joined(table, german={"morale": "shaken"})
    news = battle.out(1, 1, 3, 3, 6, 6, *NEXT_TURN)
    battle.cited.take(news)
    assert find(news, e.MeleeJoined).firepower[GERMAN] == 4
    assert [s.total for s in strikes(news)] == [2, 5]


@pytest.mark.parametrize(
    ("quality", "total"),
    [
        pytest.param("elite", 4, marks=pytest.mark.rule("ost", "19.0.p5")),
        pytest.param("poor", 2, marks=pytest.mark.rule("ost", "19.0.p7")),
    ],
)
def test_quality_changes_the_roll_in_melee(table, quality, total):
    battle = joined(table, us={"quality": quality})
    news = battle.out(1, 2, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    assert strikes(news)[0].total == total


@pytest.mark.rule("ost", "6.1.5")
def test_engineers_strike_one_better(table):
    battle = (
        table().put("us", "us-engineer", "C3").put("german", "ger-rifle", "C4").points(1, 1).start()
    )
    battle.do(battle.assault("us", "C4"))
    news = battle.out(1, 2, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    assert strikes(news)[0].total == 4


@pytest.mark.rule("ost", "7.2.5", "7.2.4")
def test_an_attached_leader_adds_one_to_firepower_defense_and_roll(table):
    battle = joined(table, us={"leader": "sergeant"})
    news = battle.out(1, 2, 1, 1, 1, 1, *NEXT_TURN)
    battle.cited.take(news)
    melee_ = find(news, e.MeleeJoined)
    assert (melee_.firepower[US], melee_.defense[US]) == (7, 5)
    assert strikes(news)[0].total == 4


@pytest.mark.rule("ost", "7.1.5")
def test_a_sniper_adds_one_to_firepower_and_defense(table):
    battle = joined(table, attacker=GERMAN, second="us-sniper")
    battle.out()
    battle.dice(1, 1, 1, 1, 1, 1, *NEXT_TURN)
    assert battle.wants == "evade the melee or stand"
    news = battle.do(a.Stand(unit=battle["second"]))
    melee_ = find(news, e.MeleeJoined)
    assert (melee_.firepower[US], melee_.defense[US]) == (7, 5)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        pytest.param("us-sergeant", "7.2.8", marks=pytest.mark.rule("ost", "7.2.8", "30.2.4")),
        pytest.param("us-sniper", "7.1.6", marks=pytest.mark.rule("ost", "7.1.6", "30.2.4")),
    ],
)
def test_alone_in_a_melee_a_single_person_counts_one_and_one(table, kind, rule):
    battle = lone(table, kind)
    news = battle.dice(1, 1, 1, 1, *NEXT_TURN).do(a.Stand(unit=battle["him"]))
    melee_ = find(news, e.MeleeJoined)
    assert (melee_.firepower[US], melee_.defense[US]) == (1, 1)
    assert rule in melee_.cites()


def lone(table, kind):
    battle = (
        table()
        .put("him", kind, "C4")
        .put("far", "us-rifle", "A1")
        .put("german", "ger-rifle", "C3")
        .to_move(GERMAN)
        .points(1, 1)
        .start()
    )
    battle.given(e.Revealed(units=(battle["him"],), why="moved"))
    battle.do(battle.assault("german", "C4"))
    battle.idle()
    assert battle.wants == "evade the melee or stand"
    return battle


@pytest.mark.border("ost", "7")
@pytest.mark.rule("ost", "7.0.4")
@pytest.mark.parametrize(("roll", "at"), [(4, "C4"), (5, "C5"), (6, "C5")])
def test_a_single_person_slips_away_on_five_or_six(table, roll, at):
    battle = lone(table, "us-sergeant")
    battle.dice(roll, *((1, 1, 1, 1) if roll == 4 else ()), *NEXT_TURN)
    battle.do(a.Evade(unit=battle["him"], to=battle.hex("C5")))
    found = battle.at("him")
    assert found == at or (roll == 4 and found != "C5")


@pytest.mark.rule("ost", "7.0.4")
def test_a_second_person_is_not_asked_when_the_first_took_the_last_way_out(table):
    """In the corner A1 everything but A2 is the enemy's, and A2 has room for one leader."""
    battle = (
        table(("...",) * 4)
        .put("one", "us-sergeant", "A1")
        .put("two", "us-sergeant", "A1")
        .put("third", "us-sergeant", "A2")
        .put("german", "ger-rifle", "B1")
        .put("guard", "ger-rifle", "B1")
        .put("other", "ger-rifle", "B2")
        .to_move(GERMAN)
        .points(1, 1)
        .start()
    )
    battle.do(battle.assault("german", "A1"))
    battle.out()
    assert battle.wants == "evade the melee or stand"
    news = battle.dice(6, *(1, 1) * 2, *NEXT_TURN, 1, 1).do(
        a.Evade(unit=battle["one"], to=battle.hex("A2"))
    )
    tried = [(x.unit, x.to) for x in news if isinstance(x, e.Evaded)]
    assert tried == [(battle["one"], battle.hex("A2")), (battle["two"], -1)]


@pytest.mark.rule("ost", "7.0.4", "21.0.6")
def test_a_person_who_slips_away_onto_a_hidden_enemy_reveals_him_and_looks_for_another_way(table):
    battle = (
        table()
        .put("him", "us-sergeant", "C4")
        .put("far", "us-rifle", "A1")
        .put("german", "ger-rifle", "C3")
        .put("hider", "ger-rifle", "C5", hidden=True)
        .to_move(GERMAN)
        .points(1, 1)
        .start()
    )
    battle.do(battle.assault("german", "C4"))
    battle.out()
    battle.do(a.Evade(unit=battle["him"], to=battle.hex("C5")))
    assert not battle.state.hidden[battle["hider"]]
    assert battle.wants == "evade the melee or stand"
    battle.dice(6, *NEXT_TURN).do(a.Evade(unit=battle["him"], to=battle.hex("B4")))
    assert battle.at("him") == "B4"


# --- concentrated attacks -----------------------------------------------


def uneven(table, **more):
    battle = joined(table, german={"leader": "feldwebel"}, second="ger-mmg", **more)
    battle.out()
    assert battle.wants == "concentrate the attack or not"
    assert battle.owed == US
    return battle


@pytest.mark.rule("ost", "30.5.1", "30.5.3", "30.5.4")
def test_the_outnumbered_side_may_strike_at_one_unit_and_the_leader_only(table):
    battle = uneven(table)
    news = battle.dice(*(1, 1) * 3, 6, 6, *NEXT_TURN).do(a.Concentrate(target=battle["second"]))
    assert [s.target for s in strikes(news) if s.side == US] == [
        battle["second"],
        battle["feldwebel"],
    ]
    assert find(news, e.MeleeJoined).defense == (4, 5)


@pytest.mark.rule("ost", "30.5.1")
def test_only_an_enemy_unit_of_the_melee_can_be_concentrated_on(table):
    battle = uneven(table)
    for name in ("feldwebel", "away", "us"):
        assert battle.refused(a.Concentrate(target=battle[name])).rule == "30.5.1"
    battle.dice(*(1, 1) * 3, 6, 6, *NEXT_TURN).do(a.Concentrate(target=battle["second"]))


@pytest.mark.rule("ost", "30.5.2", "30.5.5")
def test_single_persons_do_not_make_a_melee_uneven(table):
    battle = joined(table, german={"leader": "feldwebel"})
    assert "MeleeJoined" in kinds(battle.out(1, 1, 1, 1, 1, 1, *NEXT_TURN))
    uneven(table).dice(*(1, 1) * 4, 6, 6, *NEXT_TURN).do(a.Concentrate())


def test_every_result_of_the_table_can_come_from_a_melee():
    assert set(ICT_RESULTS) == {"", "S", "B", "C", "C-S", "C-B", "X"}

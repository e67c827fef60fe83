"""Leaders and snipers: OST 7, and the leader casualty roll: OST 28.2."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.scenario import Options
from tests.engine.table import GERMAN, US, ControlHex, find, kinds


def shaken(unit):
    return e.GutChecked(unit=unit, result=1, roll=Roll(0, 6, (1, 1)), needed=7, now=1)


def under_fire(table, *, reduced=False, strong=False):
    """A led squad in C5, fired at from C3 on column 0, or +2 by an LMG."""
    return (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg" if strong else "")
        .put("german", "ger-rifle", "C5", leader="feldwebel", reduced=reduced)
        .put("second", "ger-rifle", "H8")
        .start()
    )


# --- the casualty roll -----------------------------------------------


@pytest.mark.border("ost", "7")
@pytest.mark.border("ost", "28")
@pytest.mark.rule("ost", "28.2.p1")
@pytest.mark.parametrize(
    ("roll", "alive"),
    [
        pytest.param(1, False, marks=pytest.mark.rule("ost", "28.2.1")),
        pytest.param(3, False, marks=pytest.mark.rule("ost", "28.2.1")),
        pytest.param(4, True, marks=pytest.mark.rule("ost", "7.3.9")),
        pytest.param(6, True, marks=pytest.mark.rule("ost", "7.3.9")),
    ],
)
def test_the_leader_of_a_destroyed_unit_dies_on_one_to_three(table, roll, alive):
    battle = (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg")
        .put("german", "ger-rifle", "C5", leader="feldwebel")
        .put("second", "ger-rifle", "C5")
        .start()
    )
    news = battle.dice(5, 6, roll).fire("us", "german", weapon="us's weapon")
    assert (battle.at("feldwebel") != "off the map") is alive
    assert battle.state.loss_points[GERMAN] == (2 if alive else 3)
    if alive:
        assert find(news, e.Attached).unit == battle["second"]


@pytest.mark.rule("ost", "28.2.1")
def test_a_casualty_on_a_reduced_unit_counts_as_its_destruction(table):
    battle = under_fire(table, reduced=True)
    news = battle.dice(4, 5, 3).fire("us", "german")
    assert find(news, e.LeaderRolled).dies_on == 3
    assert battle.at("feldwebel") == "off the map"


@pytest.mark.border("ost", "28")
@pytest.mark.rule("ost", "28.2.2", "28.2.p1")
@pytest.mark.parametrize(("roll", "alive"), [(1, False), (2, True)])
def test_the_leader_of_a_reduced_unit_dies_on_a_one(table, roll, alive):
    battle = under_fire(table)
    battle.dice(4, 5, roll).fire("us", "german")
    assert battle.steps("german") == 1
    assert (battle.at("feldwebel") != "off the map") is alive


@pytest.mark.rule("ost", "28.2.3")
@pytest.mark.parametrize(
    ("unit", "leader", "morales"),
    [
        ((1, 1), (1, 1), ("shaken", "shaken")),
        ((1, 1), (6, 6), ("shaken", "good order")),
        ((6, 6), (), ("good order", "good order")),
    ],
)
def test_the_leader_checks_when_his_unit_fails_its_gut_check(table, unit, leader, morales):
    battle = under_fire(table)
    battle.dice(3, 4, *unit, *leader).fire("us", "german")
    assert (battle.morale("german"), battle.morale("feldwebel")) == morales
    if not leader:
        battle.idle()
        battle.dice(3, 4, 1, 1, 6, 6).fire("us", "german")


@pytest.mark.example("ost", "28.2.e1")
@pytest.mark.rule("ost", "28.2.4")
def test_of_two_results_the_leader_rolls_for_the_casualty_only(table):
    """C-S on column +2, roll of nine."""
    battle = under_fire(table, strong=True)
    news = battle.dice(4, 5, 6, 1, 1).fire("us", "german", weapon="us's weapon")
    assert kinds(news).count("LeaderRolled") == 1
    assert battle.morale("german") == "shaken"
    assert battle.morale("feldwebel") == "good order"


def test_a_leader_merely_in_the_hex_does_not_roll(table):
    battle = under_fire(table)
    battle.given(e.Detached(leader=battle["feldwebel"]))
    assert "LeaderRolled" not in kinds(battle.dice(4, 5).fire("us", "german"))


@pytest.mark.parametrize(("dice", "roll"), [((4, 5), 1), ((6, 6), 3)])
def test_by_option_every_leader_of_the_hex_rolls(table, dice, roll):
    battle = (
        table()
        .put("us", "us-rifle", "C3", weapon="us-lmg")
        .put("german", "ger-rifle", "C5")
        .put("other", "ger-rifle", "C5", leader="feldwebel")
        .scenario(options=Options(leader_rolls_for_hex=True))
        .start()
    )
    weapon = {"weapon": "us's weapon"} if dice == (6, 6) else {}
    battle.dice(*dice, roll).fire("us", "german", **weapon)
    assert battle.at("feldwebel") == "off the map"


# --- what a leader does -----------------------------------------------


@pytest.mark.border("ost", "7")
@pytest.mark.rule("ost", "7.2.4")
@pytest.mark.parametrize(("second", "total"), [("", 7), ("us-sergeant", 7)])
def test_a_leader_adds_one_to_the_roll_two_in_the_hex_no_more(table, second, total):
    battle = table().put("us", "us-rifle", "C3", leader="sergeant").put("g", "ger-rifle", "C6")
    if second:
        battle = battle.put("another", second, "C3")
    play = battle.start()
    assert find(play.dice(3, 3, 6, 6).fire("us", "g"), e.Shot).total == total


@pytest.mark.border("ost", "18")
@pytest.mark.rule("ost", "7.2.3", "7.2.6", "18.0.4")
def test_only_a_good_order_leader_in_command_range_helps_to_rally(table):
    def total(at, morale="good order"):
        battle = (
            table()
            .put("us", "us-rifle", "C3", morale="shaken")
            .put("him", "us-sergeant", at, morale=morale)
            .put("g", "ger-rifle", "H8")
            .start()
        )
        return find(battle.dice(3, 3).do(a.Rally(unit=battle["us"])), e.Rallied).total

    assert (total("C3"), total("C4"), total("C5"), total("C3", "shaken")) == (7, 7, 6, 6)


@pytest.mark.border("ost", "7")
@pytest.mark.rule("ost", "7.2.2", "7.2.3")
@pytest.mark.parametrize(
    ("kind", "reach"), [("us-sergeant", 1), ("us-lieutenant", 2), ("us-captain", 3)]
)
def test_command_range_counts_hexes_without_the_leaders_own(table, kind, reach):
    totals = []
    for row in (3 + reach, 4 + reach):
        battle = (
            table()
            .put("us", "us-rifle", "C3", morale="shaken")
            .put("him", kind, f"C{row}")
            .put("g", "ger-rifle", "H8")
            .start()
        )
        totals.append(find(battle.dice(3, 3).do(a.Rally(unit=battle["us"])), e.Rallied).total)
    assert totals == [7, 6]


@pytest.mark.rule("ost", "7.3.10")
def test_leaders_help_each_other_to_rally_but_nobody_himself(table):
    def total(**more):
        battle = (
            table()
            .put("him", "us-sergeant", "C3", morale="shaken")
            .put("other", "us-sergeant", "C4", **more)
            .put("g", "ger-rifle", "H8")
            .start()
        )
        rallied = find(battle.dice(3, 3).do(a.Rally(unit=battle["him"])), e.Rallied)
        return rallied.total, "7.3.10" in rallied.cites()

    assert (total(), total(morale="shaken")) == ((7, True), (6, False))


@pytest.mark.rule("ost", "7.5.1", "7.3.11")
def test_a_leader_of_another_branch_gives_no_bonus_in_combat(table):
    def total(unit, leader):
        battle = (
            table().put("us", unit, "C3").put("him", leader, "C3").put("g", "ger-rifle", "C6")
        ).start()
        battle.given(e.Attached(leader=battle["him"], unit=battle["us"]))
        return find(battle.dice(3, 3, 6, 6).fire("us", "g"), e.Shot).total

    assert total("us-rifle", "us-sergeant") == 7
    assert total("us-rifle", "us-airborne-sergeant") == 6
    assert total("us-airborne-rifle", "us-airborne-sergeant") == 7
    assert total("us-airborne-rifle", "us-sergeant") == 6
    assert total("us-mmg", "us-airborne-sergeant") == 7


@pytest.mark.rule("ost", "7.5.3")
def test_a_leader_forms_a_group_across_branches_and_helps_it_with_one_unit_of_his_own(table):
    def total(led, other):
        battle = (
            table()
            .put("led", led, "C3")
            .put("other", other, "C3")
            .put("him", "us-airborne-sergeant", "C3")
            .put("g", "ger-rifle", "C6")
            .start()
        )
        battle.given(e.Attached(leader=battle["him"], unit=battle["led"]))
        news = battle.dice(1, 1, 6, 6).fire("led", "g", partner="other")
        return find(news, e.Shot).total

    assert total("us-airborne-rifle", "us-rifle") == 3
    assert total("us-rifle", "us-rifle") == 2


def test_a_commissar_helps_squads_of_every_branch(table):
    battle = (
        table()
        .put("us", "us-rifle", "C6")
        .put("squad", "sov-rifle", "C3")
        .put("him", "sov-commissar", "C3")
        .to_move(GERMAN)
        .start()
    )
    battle.given(e.Attached(leader=battle["him"], unit=battle["squad"]))
    assert find(battle.dice(1, 1).fire("squad", "us"), e.Shot).total == 3


@pytest.mark.rule("ost", "7.2.3", "7.5.2")
def test_a_leader_of_another_branch_still_helps_to_rally(table):
    def rally(leader):
        battle = (
            table()
            .put("us", "us-rifle", "C3", morale="shaken")
            .put("him", leader, "C3")
            .put("g", "ger-rifle", "H8")
            .start()
        )
        rallied = find(battle.dice(3, 3).do(a.Rally(unit=battle["us"])), e.Rallied)
        return rallied.total, "7.5.2" in rallied.cites()

    assert (rally("us-airborne-sergeant"), rally("us-sergeant")) == ((7, True), (7, False))


@pytest.mark.rule("ost", "7.4.2")
def test_an_armor_leader_helps_the_vehicles_in_his_range_to_rally(table):
    def rally(at):
        battle = (
            table()
            .put("us", "us-m4", "C3", morale="shaken")
            .put("other", "us-m4", at, leader="ace")
            .put("g", "ger-rifle", "H8")
            .start()
        )
        rallied = find(battle.dice(3, 3).do(a.Rally(unit=battle["us"])), e.Rallied)
        return rallied.total, rallied.helps

    assert (rally("C4"), rally("C7")) == ((7, "vehicle"), (6, ""))


@pytest.mark.rule("ost", "7.5.4")
def test_a_commissar_helps_guards_to_rally(table):
    battle = (
        table()
        .put("squad", "sov-guards-rifle", "C3", morale="shaken")
        .put("him", "sov-commissar", "C4")
        .put("us", "us-rifle", "H8")
        .to_move(GERMAN)
        .start()
    )
    rallied = find(battle.dice(3, 3).do(a.Rally(unit=battle["squad"])), e.Rallied)
    assert (rallied.helps, rallied.total - rallied.roll.total >= 1) == ("commissar", True)


# --- attaching -----------------------------------------------


def reforming(table, *, us="us-rifle"):
    battle = (
        table()
        .put("us", us, "C3")
        .put("second", "us-rifle", "C3")
        .put("him", "us-sergeant", "C3")
        .put("other", "us-sergeant", "C3")
        .put("away", "us-rifle", "C5")
        .put("sniper", "us-sniper", "C3")
        .put("g", "ger-rifle", "H8")
        .start()
    )
    battle.out()
    assert battle.wants == "reform"
    return battle


@pytest.mark.rule("ost", "7.3.p1", "7.3.3", "2.1.p6")
def test_leaders_attach_and_detach_in_the_reform_phase_for_nothing(table):
    battle = reforming(table)
    battle.do(a.Attach(leader=battle["him"], unit=battle["us"]))
    assert battle.state.leader[battle["us"]] == battle["him"]
    battle.do(a.Detach(leader=battle["him"]))
    assert battle.state.leader[battle["us"]] == -1
    assert battle.refused(a.Detach(leader=battle["him"])).rule == "7.3.p1"


@pytest.mark.rule("ost", "7.3.2")
def test_one_leader_to_a_unit_and_one_unit_to_a_leader(table):
    battle = reforming(table)
    battle.do(a.Attach(leader=battle["him"], unit=battle["us"]))
    second = a.Attach(leader=battle["other"], unit=battle["us"])
    assert battle.refused(second).rule == "7.3.2"
    again = a.Attach(leader=battle["him"], unit=battle["second"])
    assert battle.refused(again).rule == "7.3.2"


@pytest.mark.rule("ost", "7.3.1")
@pytest.mark.parametrize("unit", ["us-rifle", "us-mmg", "us-crew"])
def test_a_leader_attaches_to_foot_units_and_crewed_weapons_not_to_single_persons(table, unit):
    battle = reforming(table, us=unit)
    for single in ("sniper", "other"):
        action = a.Attach(leader=battle["him"], unit=battle[single])
        assert battle.refused(action).rule == "7.3.1"
    battle.do(a.Attach(leader=battle["him"], unit=battle["us"]))


@pytest.mark.rule("ost", "7.3.3")
def test_a_leader_attaches_in_his_own_hex(table):
    battle = reforming(table)
    action = a.Attach(leader=battle["him"], unit=battle["away"])
    assert battle.refused(action).rule == "7.3.3"


@pytest.mark.rule("ost", "7.3.1")
def test_a_sniper_leads_nobody(table):
    battle = reforming(table)
    action = a.Attach(leader=battle["sniper"], unit=battle["us"])
    assert battle.refused(action).rule == "7.3.1"


# --- single persons -----------------------------------------------


@pytest.mark.rule("ost", "7.0.5")
@pytest.mark.parametrize("dice", [(4, 5), (6, 6)])
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("ger-sergeant", marks=pytest.mark.rule("ost", "1.6.p10")),
        pytest.param("ger-sniper", marks=pytest.mark.rule("ost", "1.6.p11")),
    ],
)
def test_a_casualty_or_worse_removes_a_single_person_for_one_point(table, dice, kind):
    battle = table().put("us", "us-rifle", "C3").put("him", kind, "C5").put("g", "ger-rifle", "H8")
    play = battle.start()
    play.given(e.Revealed(units=(play["him"],), why="moved"))
    play.dice(*dice).fire("us", "him")
    assert play.at("him") == "off the map"
    assert play.state.loss_points[GERMAN] == 1


def test_a_leader_alone_in_his_hex_is_a_target_for_all(table):
    battle = table().put("us", "us-rifle", "C3").put("him", "ger-sergeant", "C5").start()
    assert "Shot" in kinds(battle.dice(1, 1).fire("us", "him"))


@pytest.mark.rule("ost", "7.1.4")
def test_a_snipers_doubled_fire_is_aimed_at_snipers_too(table):
    battle = (
        table()
        .put("sniper", "us-sniper", "C3")
        .put("his", "ger-sniper", "C5")
        .put("squad", "ger-rifle", "C6")
        .start()
    )
    battle.given(e.Revealed(units=(battle["his"],), why="moved"))
    assert find(battle.dice(1, 1).fire("sniper", "his"), e.Shot).firepower == 4


@pytest.mark.rule("ost", "7.1.1")
def test_a_sniper_takes_no_part_in_a_fire_group(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", leader="sergeant")
        .put("sniper", "us-sniper", "C3")
        .put("g", "ger-rifle", "C6")
        .start()
    )
    assert battle.refused(battle.shot("us", "g", partner="sniper")).rule == "7.1.1"


def test_a_leader_takes_no_control_hex(table):
    battle = (
        table()
        .put("him", "us-sergeant", "C3")
        .put("g", "ger-rifle", "H8")
        .scenario(control=(ControlHex(hex="C4", name="Mill", owner="german"),))
        .start()
    )
    battle.move("him", "C4")
    assert battle.state.control == [GERMAN]


@pytest.mark.rule("ost", "7.0.3")
def test_single_persons_pick_up_no_support_weapon(table):
    battle = (
        table()
        .put("sniper", "us-sniper", "C3")
        .put("lost", "us-rifle", "C3", weapon="us-lmg")
        .put("g", "ger-rifle", "H8")
        .start()
    )
    weapon = battle["lost's weapon"]
    battle.given(e.Handed(weapon=weapon, unit=-1, why="left"))
    assert battle.refused(a.PickUp(unit=battle["sniper"], weapon=weapon)).rule == "7.0.3"
    assert battle.owed == US


@pytest.mark.rule("ost", "28.2.1")
def test_a_leader_whose_squad_falls_does_not_climb_into_a_tank(table):
    """7.3.1: he attaches to who remains of his stack (7.3.9), but to no vehicle."""
    board = table().put("squad", "us-rifle", "D4", leader="sgt").put("tank", "us-m4", "D4")
    play = board.put("b", "ger-hmg", "D3").to_move(GERMAN).start()
    play.dice(6, 6, 6).fire("b", "squad")
    assert play.state.leader[play["tank"]] == -1
    assert play.state.attached[play["sgt"]] == -1


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize("fights", [False, True])
def test_a_leader_in_a_melee_helps_nobody_outside_it(table, fights):
    """30.1.3: he does nothing else. B5 is next to both hexes."""
    board = table().put("us", "us-rifle", "B5", morale="shaken")
    board.put("him", "us-rifle", "C4", leader="boss").put("g", "ger-rifle", "C5", morale="broken")
    battle = board.put("z", "ger-rifle", "H8").start()
    if fights:
        battle.do(battle.assault("him", "C5"))
        battle.idle()
    rallied = find(battle.dice(3, 3).do(a.Rally(unit=battle["us"])), e.Rallied)
    assert rallied.total == (6 if fights else 7)

"""Sight from, over and into buildings of several storeys. OST 12.6, 16.3."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost.events import Shot
from rulesengine.rulesets.ost.questions import LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import HexMap, Hexsides
from rulesengine.rulesets.ost.sight import BLOCKED
from tests.engine.ost.cross_sections import hexes
from tests.engine.table import LEGEND, find

CLEAR = 0


@pytest.mark.example("ost", "12.6.e1")
@pytest.mark.rule("ost", "12.6.1", "12.6.p1", "16.3.4")
def test_from_an_upper_floor_low_terrain_is_seen_over_save_one_hex(sees_along):
    assert sees_along("l.w..", "10000") == CLEAR
    assert sees_along("l.w.", "1000") == BLOCKED
    assert sees_along("l.b.", "1000") == 1
    assert sees_along("l.l.", "2010") == BLOCKED
    assert sees_along("l.l..", "20100") == CLEAR


@pytest.mark.parametrize("level", "0123")
def test_a_building_is_as_high_as_its_level_says(ask, level):
    asked = LineOfSight(map=hexes("l..", f"{level}00"), start="A1", end="A3")
    if level == "0":
        assert not any(m.rule == "12.4.11" for m in ask(asked).modifiers)
        asked = LineOfSight(map=hexes("l..", "100"), start="A1", end="A3")
    assert any(m.rule == "12.4.11" for m in ask(asked).modifiers)


@pytest.mark.example("ost", "12.6.e2")
@pytest.mark.rule("ost", "12.6.2")
@pytest.mark.parametrize("level", "23")
def test_a_building_of_three_storeys_is_never_seen_over(sees_along, level):
    assert sees_along("..l..", f"30{level}00") == BLOCKED
    assert sees_along("..l..", f"30{level}03") == BLOCKED


@pytest.mark.border("ost", "12")
@pytest.mark.rule("ost", "12.6.2")
def test_a_building_of_two_storeys_is_seen_over_from_the_third_level_only(sees_along):
    """Its roof is above whoever stands on level 1; a hill of that level is under his feet."""
    assert sees_along("..l..", "20100") == CLEAR
    assert sees_along("..l..", "20102") == CLEAR
    assert sees_along("..l..", "10100") == BLOCKED
    assert sees_along("..l..", "10101") == BLOCKED
    assert sees_along(".....", "10101") == CLEAR


def test_behind_a_building_of_two_storeys_its_own_level_is_hidden_too(sees_along):
    assert sees_along("l.ll", "2011") == BLOCKED
    assert sees_along("l.l.l", "20101") == CLEAR


def test_past_a_tall_building_in_its_hex_the_line_is_degraded(ask):
    """C3 to E3 runs along the side of D3."""
    for levels in ("0", "1", "2"):
        ground = HexMap(
            key="t",
            title="T",
            grid=(".....", ".....", "...l.", ".....", "....."),
            levels=("00000", "00000", f"003{levels}3", "00000", "00000"),
            legend=LEGEND,
        )
        answer = ask(LineOfSight(map=ground, start="C3", end="E3"))
        assert answer.value == (1 if levels == "2" else CLEAR)


@pytest.mark.rule("ost", "12.6.3")
def test_from_tall_building_to_tall_building_the_ground_does_not_count(sees_along):
    assert sees_along("lwbwl", "10001") == CLEAR
    assert sees_along("lwbwl", "20001") == CLEAR


@pytest.mark.rule("ost", "12.6.4", "12.4.12")
def test_height_counts_between_tall_buildings(table, ask):
    battle = table(("l.", "..", "h."), levels=("20", "00", "30"))
    battle = battle.put("us", "us-rifle", "A1").put("german", "ger-rifle", "A3").start()
    shot = find(battle.dice(3, 4, 6, 6).fire("us", "german"), Shot)
    assert (shot.roll.total, shot.total) == (7, 6)
    answer = ask(LineOfSight(map=battle.state.scenario.ground, start="A1", end="A3"))
    assert any(m.amount == -1 and m.rule == "12.4.12" for m in answer.modifiers)


@pytest.mark.rule("ost", "16.3.3")
def test_nobody_pays_for_the_stairs(ask):
    def cost(terrain, levels):
        return ask(MovementCost(map=hexes(terrain, levels), path=("A1", "A2"))).value

    assert cost(".l", "02") == cost(".l", "00") == 2
    assert cost(".l", "12") == 2
    assert cost("l.", "20") == 1
    assert cost("l.", "21") == 2, "up the hill from the street door"


def test_an_upper_floor_looks_over_the_bocage_beside_it(sees_along):
    along = (Hexsides(kind="bocage", sides=("A1/S",)),)
    assert sees_along("l...", "0000", hexsides=along) == BLOCKED
    assert sees_along("l...", "1000", hexsides=along) == CLEAR


@pytest.mark.rule("ost", "16.3.2")
def test_all_who_hold_a_tall_building_see_and_are_seen_from_its_top(table, ask):
    battle = (
        table(("l.", "..", "w.", "..", ".."), levels=("10", "00", "00", "00", "00"))
        .put("us", "us-rifle", "A1")
        .put("too", "us-rifle", "A1")
        .put("german", "ger-rifle", "A5")
        .start()
    )
    for name in ("us", "too"):
        assert "12.4.11" in find(battle.dice(1, 1).fire(name, "german"), Shot).cites()
        assert "12.4.12" in find(battle.dice(1, 1).fire("german", name), Shot).cites()
    ask(LineOfSight(map=battle.state.scenario.ground, start="A1", end="A5"))


# --- weapons that stay on the ground floor -----------------------------------------------------


def house_behind_woods(table):
    """A rifle squad and a starred machine gun in a tall house, an enemy beyond woods."""
    rows = ("l.", "..", "w.", "..", "..")
    return (
        table(rows, levels=("10", "00", "00", "00", "00"))
        .put("us", "us-rifle", "A1")
        .put("hmg", "us-hmg", "A1")
        .put("german", "ger-rifle", "A5")
    )


@pytest.mark.rule("ost", "16.3.5", "8.0.11")
def test_a_starred_weapon_sees_from_the_ground_floor(table, ask):
    battle = house_behind_woods(table).start()
    assert battle.refused(battle.shot("hmg", "german")).rule == "12.2.1"
    assert "12.4.11" in find(battle.dice(1, 1).fire("us", "german"), Shot).cites()
    ground = battle.state.scenario.ground
    for start, end, where in (("A1", "A5", "start"), ("A5", "A1", "end")):
        asked = LineOfSight(map=ground, start=start, end=end, on_ground_floor=(where,))
        assert ask(asked).value == BLOCKED


def test_a_starred_weapon_is_not_seen_on_the_upper_floor(table):
    battle = house_behind_woods(table).to_move(1).start()
    assert battle.refused(battle.shot("german", "hmg")).rule == "12.2.1"
    assert "12.4.12" in find(battle.dice(1, 1).fire("german", "us"), Shot).cites()


def test_a_starred_weapon_has_no_height_in_a_house_but_on_a_hill(table):
    for rows, levels, height in (("l..", "100", 0), ("...", "100", 1), ("W..", "100", 1)):
        battle = table(tuple(f"{sign}." for sign in rows.replace("W", ".")), levels=_beside(levels))
        battle = battle.put("hmg", "us-hmg", "A1").put("german", "ger-rifle", "A3").start()
        shot = find(battle.dice(3, 4, 6, 6).fire("hmg", "german"), Shot)
        assert shot.total == 7 + height


def _beside(levels: str) -> tuple[str, ...]:
    return tuple(f"{level}0" for level in levels)


def test_opportunity_fire_counts_floors(table):
    """The gun moves into the house and is not seen there; a squad would be."""
    rows = ("..", "l.", "..", "w.", "..", "..")
    levels = ("00", "10", "00", "00", "00", "00")
    for kind, wants in (("us-hmg", "an impulse"), ("us-rifle", "a reaction")):
        battle = table(rows, levels=levels)
        battle = battle.put("us", kind, "A1").put("german", "ger-rifle", "A6").start()
        battle.move("us", "A2")
        assert (battle.wants == "an impulse") == (wants == "an impulse"), kind

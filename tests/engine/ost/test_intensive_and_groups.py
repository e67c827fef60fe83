"""Limited actions, moving fire, intensive fire and fire groups: OST 22, 27.4 to 27.8."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.sight import degraders, look
from tests.engine.table import LEGEND, US, Hexsides, find, kinds


def fired(table, times=2, *, at="C6", **more):
    """A squad that has fired so many times."""
    battle = table().put("us", "us-rifle", "C3", **more).put("german", "ger-rifle", at)
    play = battle.put("second", "ger-rifle", "H8").start()
    for _ in range(times):
        play.dice(1, 1).fire("us", "german")
        play.idle()
    return play


# --- actions and modifiers -----------------------------------------------------------------


@pytest.mark.rule("ost", "22.0.3", "27.4.1", "22.0.p1")
def test_a_unit_may_fire_twice_for_a_point_each(table):
    battle = fired(table, 0)
    points = battle.state.impulses[US]
    for times in (1, 2):
        battle.dice(1, 1).fire("us", "german")
        assert battle.state.fired[battle["us"]] == times
        battle.idle()
    assert battle.state.impulses[US] == points - 2


@pytest.mark.rule("ost", "27.5.1", "27.5.2", "22.0.6")
def test_fire_after_moving_is_moving_fire_and_fire_before_it_is_not(table):
    after = fired(table, 0)
    after.move("us", "D4")
    while after.wants == "opportunity fire":
        after.do(a.HoldFire())
    after.idle()
    assert find(after.dice(3, 3).fire("us", "german"), e.Shot).total == 5
    before = fired(table, 0)
    assert find(before.dice(3, 3, 6, 6).fire("us", "german"), e.Shot).total == 6
    before.idle()
    before.move("us", "D4")


@pytest.mark.rule("ost", "27.4.4")
def test_one_unit_of_a_stack_is_named_as_the_target(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("one", "ger-rifle", "C5")
        .put("two", "ger-rifle", "C5")
        .start()
    )
    battle.dice(4, 5).fire("us", "two")
    assert (battle.steps("one"), battle.steps("two")) == (2, 1)


@pytest.mark.rule("ost", "27.4.1")
def test_without_a_point_nobody_fires(table):
    battle = table().put("us", "us-rifle", "C3").put("g", "ger-rifle", "C6").points(1, 2).start()
    battle.given(e.PointsSpent(side=US, points=1))
    assert battle.refused(battle.shot("us", "g")).rule == "27.4.1"


def test_firepower_never_falls_below_one(table):
    rows = ("..", "b.", "b.", "..", "..")
    battle = (
        table(rows)
        .put("us", "us-straggler", "A1", reduced=True, morale="shaken")
        .put("german", "ger-rifle", "A4")
        .start()
    )
    assert find(battle.dice(1, 1).fire("us", "german"), e.Shot).firepower == 1


def test_modifiers_of_the_roll_add_up(table):
    battle = fired(table, 0, leader="sergeant")
    battle.move("us", "D4")
    while battle.wants == "opportunity fire":
        battle.do(a.HoldFire())
    battle.idle()
    assert find(battle.dice(3, 3, 6, 6).fire("us", "german"), e.Shot).total == 6


# --- intensive fire ------------------------------------------------------------------------------


@pytest.mark.rule("ost", "27.7.p1", "27.7.1", "27.7.2")
def test_a_used_unit_fires_once_more_one_worse_twice_over_and_is_shaken(table):
    battle = fired(table)
    news = battle.dice(3, 3).fire("us", "german")
    shot = find(news, e.Shot)
    assert (shot.firepower, shot.total) == (3, 5)
    assert find(news, e.FireDeclared).intensive
    assert battle.morale("us") == "shaken"


@pytest.mark.rule("ost", "22.0.9", "27.4.8")
def test_moving_and_firing_make_a_unit_used_as_well(table):
    battle = fired(table, 1)
    battle.move("us", "D4")
    while battle.wants == "opportunity fire":
        battle.do(a.HoldFire())
    battle.idle()
    news = battle.dice(4, 4).fire("us", "german")
    assert find(news, e.Shot).total == 8 - 1 - 1
    assert find(news, e.FireDeclared).intensive


@pytest.mark.rule("ost", "27.7.3")
def test_after_intensive_fire_a_unit_does_nothing_more_in_the_turn(table):
    battle = fired(table)
    battle.dice(3, 3).fire("us", "german")
    battle.idle()
    assert battle.refused(battle.shot("us", "german")).rule == "27.7.3"
    assert battle.refused(a.Rally(unit=battle["us"])).rule == "27.7.3"
    battle.out(6, 6, 6, 6, 1, 1, 1, 1)
    assert battle.morale("us") == "good order"
    battle.dice(1, 1).fire("us", "german")


@pytest.mark.rule("ost", "27.7.p1")
def test_only_a_good_order_unit_fires_intensively(table):
    battle = fired(table, morale="shaken")
    assert battle.refused(battle.shot("us", "german")).rule == "27.7.p1"


@pytest.mark.rule("ost", "22.0.1")
def test_a_used_unit_joins_no_fire_group(table):
    battle = (
        table()
        .put("us", "us-rifle", "C3", leader="sergeant")
        .put("two", "us-rifle", "C3")
        .put("german", "ger-rifle", "C6")
        .start()
    )
    for _ in range(2):
        battle.dice(1, 1).fire("us", "german")
        battle.idle()
    assert battle.refused(battle.shot("two", "german", partner="us")).rule == "22.0.1"


# --- fire groups --------------------------------------------------------------------------------


def pair(table, rows=("........",) * 8, *, two_at="D3", leader="sergeant", target="C6", **ground):
    return (
        table(rows, **ground)
        .put("one", "us-rifle", "C3", leader=leader)
        .put("two", "us-rifle", two_at)
        .put("german", "ger-rifle", target)
    )


@pytest.mark.rule("ost", "27.8.1", "27.8.2", "27.8.p1")
@pytest.mark.parametrize("two_at", ["C3", "D3", "C2"])
def test_two_units_in_the_same_or_adjacent_hexes_fire_as_one_for_two_points(table, two_at):
    battle = pair(table, two_at=two_at).start()
    points = battle.state.impulses[US]
    news = battle.dice(1, 1, 6, 6).fire("one", "german", partner="two")
    shot = find(news, e.Shot)
    assert (shot.firepower, shot.total) == (8, 3)
    assert kinds(news).count("Shot") == 1
    assert battle.state.impulses[US] == points - 2
    assert battle.state.fired[battle["one"]] == battle.state.fired[battle["two"]] == 1


@pytest.mark.rule("ost", "27.8.p1")
def test_a_fire_group_needs_neighbours_and_a_good_order_leader(table):
    apart = pair(table, two_at="E3").start()
    assert apart.refused(apart.shot("one", "german", partner="two")).rule == "27.8.p1"
    led = pair(table, leader="").start()
    assert led.refused(led.shot("one", "german", partner="two")).rule == "27.8.p1"
    alone = pair(table).start()
    assert alone.refused(alone.shot("one", "german", partner="one")).rule == "27.8.p1"


@pytest.mark.rule("ost", "27.4.2")
def test_every_unit_of_a_fire_group_needs_range_and_sight(table):
    far = pair(table, two_at="C2", target="C9", rows=("........",) * 9).start()
    assert far.refused(far.shot("one", "german", partner="two")).rule == "27.4.2"
    rows = ("........",) * 3 + ("...w....",) + ("........",) * 4
    blocked = pair(table, rows, target="C8").start()
    assert blocked.refused(blocked.shot("one", "german", partner="two")).rule == "12.2.1"
    near = pair(table).start()
    near.dice(1, 1, 6, 6).fire("one", "german", partner="two")


@pytest.mark.rule("ost", "27.8.6", "27.5.2")
def test_if_one_of_a_group_has_moved_the_group_fires_moving(table):
    battle = pair(table, two_at="D2").start()
    battle.move("two", "D3")
    while battle.wants == "opportunity fire":
        battle.do(a.HoldFire())
    battle.idle()
    shot = find(battle.dice(3, 3, 6, 6).fire("one", "german", partner="two"), e.Shot)
    assert shot.total == 6 + 1 - 1


@pytest.mark.rule("ost", "10.0.4")
def test_only_the_shaken_members_firepower_is_halved(table):
    battle = (
        table()
        .put("one", "us-rifle", "C3", leader="sergeant", weapon="us-lmg")
        .put("two", "us-rifle", "D3", weapon="us-bar", morale="shaken")
        .put("german", "ger-rifle", "C6")
        .start()
    )
    news = battle.dice(1, 1, 6, 6).fire(
        "one", "german", weapon="one's weapon", partner="two", partner_weapon="two's weapon"
    )
    assert find(news, e.Shot).firepower == 4 + 2 + (4 + 1) // 2


# C3 and C2 fire down one column at C6.


def group_shot(table, rows, **ground):
    battle = pair(table, rows, two_at="C2", **ground).start()
    return find(battle.dice(1, 1, 6, 6).fire("one", "german", partner="two"), e.Shot).firepower


@pytest.mark.rule("ost", "12.3.6", "27.8.7")
def test_a_degrading_hex_that_both_lines_share_counts_once(table):
    open_, brush = "........", "..b....."
    assert group_shot(table, (open_,) * 8) == 8
    assert group_shot(table, (open_,) * 3 + (brush,) + (open_,) * 4) == 7
    assert group_shot(table, (open_,) * 3 + (brush, brush) + (open_,) * 3) == 6


@pytest.mark.rule("ost", "27.8.7")
def test_a_hedge_that_both_lines_share_counts_once(table):
    hedge = (Hexsides(kind="hedge", sides=("C4/S",)),)
    assert group_shot(table, ("........",) * 8, hexsides=hedge) == 7


def test_two_lines_name_the_same_hexside_alike_whichever_way_they_run():
    """Firers on either side of the target in the numbering of hexes share what they share."""
    sides = tuple(
        f"{column}{row}/{way}"
        for column in "CDEF"
        for row in range(1, 7)
        for way in ("N", "NE", "SE", "S", "SW", "NW")
    )
    document = HexMap(
        key="m",
        title="m",
        grid=("........",) * 6,
        legend=LEGEND,
        hexsides=(Hexsides(kind="hedge", sides=sides),),
    )
    ground = Ground(document)
    find_ = ground.grid.find
    seen = set()
    for start, end in (("A3", "H3"), ("A4", "H3"), ("H3", "A3"), ("H3", "A4"), ("H4", "A4")):
        look(ground, find_(start), find_(end))
        for what in degraders(ground, find_(start), find_(end)):
            h, d = divmod(-what - 1, 6)
            other = ground.grid.neighbours[h][d]
            assert h < other
            seen.add((h, other))
    assert seen


def brush_at(*names):
    grid = [list("........") for _ in range(8)]
    for name in names:
        grid[int(name[1]) - 1]["ABCDEFGH".index(name[0])] = "b"
    return tuple("".join(row) for row in grid)


@pytest.mark.border("ost", "27")
@pytest.mark.rule("ost", "27.8.8")
def test_different_degrading_hexes_add_up_and_a_third_refuses_the_shot(table):
    """C3 fires down its own column at C8, D3 down the next one and then across."""

    def firepower(*names):
        battle = pair(table, brush_at(*names), two_at="D3", target="C8").start()
        news = battle.dice(1, 1, 6, 6).fire("one", "german", partner="two")
        return find(news, e.Shot).firepower

    assert [firepower(), firepower("C4"), firepower("D4"), firepower("C4", "D4")] == [8, 7, 7, 6]
    full = pair(table, brush_at("C4", "C5", "D4"), two_at="D3", target="C8").start()
    assert full.refused(full.shot("one", "german", partner="two")).rule == "27.8.8"
    assert find(full.dice(1, 1, 6, 6).fire("one", "german"), e.Shot).firepower == 2


@pytest.mark.parametrize("weapon", ["us-bazooka", "us-satchel", "us-mortar-60", "us-lmg"])
@pytest.mark.parametrize("who", ["us", "other"])
def test_a_group_is_offered_with_and_without_each_weapon(table, who, weapon):
    """27.8: what cannot be fired with the others is left out of it."""
    armed = {name: weapon if name == who else "" for name in ("us", "other")}
    board = table().put("us", "us-rifle", "C3", leader="l", weapon=armed["us"])
    board = board.put("other", "us-rifle", "C3", weapon=armed["other"])
    play = board.put("german", "ger-rifle", "C6").start()
    groups = [x for x in play.menu() if isinstance(x, a.Fire) and x.partner == play["other"]]
    used = {(x.weapon != -1, x.partner_weapon != -1) for x in groups}
    mixed = (who == "us", who == "other")
    assert used == {(False, False), *([mixed] if weapon == "us-lmg" else [])}

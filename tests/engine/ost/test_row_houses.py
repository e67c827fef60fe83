"""Row houses: what their party walls stop, and what they leave. OST 16.4."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.map_check import check_map
from rulesengine.rulesets.ost.questions import LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import HexMap, Hexsides
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.tracks import CLOSED, step
from rulesengine.rulesets.ost.vehicles import DRIVE
from tests.engine.table import LEGEND, find

ROW = ("......", "..h...", "..h...", "......", "......", "......")
"""C2 and C3 are houses of one row."""
WALL = ("C2/S",)


def row_of(**more):
    return HexMap(key="row", title="Row", grid=ROW, legend=LEGEND, **more)


@pytest.mark.rule("ost", "16.4.3")
def test_nobody_sees_through_a_party_wall(ask):
    for start, end in (("C2", "C3"), ("C3", "C2")):
        assert ask(LineOfSight(map=row_of(), start=start, end=end)).value != BLOCKED
        told = ask(LineOfSight(map=row_of(party_walls=WALL), start=start, end=end))
        assert told.value == BLOCKED
        assert told.steps == ("party wall along C2: blocks",)


@pytest.mark.parametrize("levels", [(), ("0" * 6, "002000", "001000", *("0" * 6,) * 3)])
@pytest.mark.rule("ost", "16.4.3")
def test_height_does_not_help_over_a_party_wall(ask, levels):
    told = ask(LineOfSight(map=row_of(party_walls=WALL, levels=levels), start="C2", end="C3"))
    assert told.value == BLOCKED
    assert "16.4.3" in told.rules


@pytest.mark.parametrize(
    ("start", "end", "without", "with_it"),
    [
        ("B3", "D3", 1, BLOCKED),
        ("A3", "E2", 2, BLOCKED),
        ("B2", "D2", 1, 1),
        ("C1", "C2", 0, 0),
        ("C3", "C4", 0, 0),
    ],
    ids=["along it", "across it", "past it", "from outside", "to outside"],
)
def test_only_lines_across_a_party_wall_or_along_it_are_stopped(ask, start, end, without, with_it):
    def seen(**more):
        return ask(LineOfSight(map=row_of(**more), start=start, end=end)).value

    assert (seen(), seen(party_walls=WALL)) == (without, with_it)


@pytest.mark.rule("ost", "16.4.4")
def test_nobody_goes_through_a_party_wall(table):
    battle = (
        table(ROW, party_walls=WALL)
        .put("us", "us-rifle", "C2")
        .put("german", "ger-rifle", "C3")
        .start()
    )
    ground = battle.state.ground
    here, there = battle.hex("C2"), battle.hex("C3")
    assert battle.refused(battle.assault("us", "C3")).rule == "16.4.4"
    assert ground.cost(there, here) == ground.cost(here, there) == IMPASSABLE
    assert there not in dict(ground.neighbours(here))
    assert step(ground, DRIVE[BY_KEY["us-m4"]], here, there).halves == CLOSED
    empty = table(ROW, party_walls=WALL).put("us", "us-rifle", "C2").start()
    assert empty.refused(empty.way("us", "C3")).rule == "16.4.4"
    empty.move("us", "C1")


@pytest.mark.rule("ost", "16.4.4")
def test_a_path_through_a_party_wall_is_told_to_be_none(ask):
    told = ask(MovementCost(map=row_of(party_walls=WALL), path=("C2", "C3")))
    assert told.value == IMPASSABLE
    assert "party wall" in told.text


def test_fire_and_charges_stop_at_a_party_wall(table):
    def satchel(**more):
        board = table(ROW, **more).put("us", "us-engineer", "C2", weapon="us-satchel")
        battle = board.put("german", "ger-rifle", "C3").start()
        charge = a.HexFire(unit=battle["us"], weapon=battle["us's weapon"], hex=battle.hex("C3"))
        return battle, charge

    battle, charge = satchel(party_walls=WALL)
    assert battle.refused(charge).rule == "16.4.3"
    assert look(battle.state.ground, battle.hex("C2"), battle.hex("C3")) & 3 == BLOCKED
    assert battle.refused(battle.shot("us", "german"))
    battle, charge = satchel()
    rules = battle.battle.ruleset
    assert rules.refuse(rules.view(battle.state, 0), charge) is None


@pytest.mark.parametrize("sign", ["l", "h"])
def test_a_row_house_shelters_as_its_kind(table, sign):
    """OST 16.4.5: the wall adds nothing and takes nothing."""

    def defense(**more):
        rows = tuple(line.replace("h", sign) for line in ROW)
        battle = table(rows, **more).put("us", "us-rifle", "C5").put("g", "ger-rifle", "C3").start()
        return find(battle.dice(1, 1).fire("us", "g"), e.Shot).defense

    assert defense(party_walls=WALL) == defense()


def test_a_party_wall_stands_between_two_houses_of_the_map():
    def faults(*walls):
        found = []
        check_map(row_of(party_walls=walls), found)
        return [f"{fault.where}: {fault.what}" for fault in found]

    assert faults("C2/S") == []
    assert faults("C3/S") == [
        'ground.party_walls: "C3/S": no structure in C4 to divide from the next'
    ]
    assert "names no side" in faults("C2")[0]


def test_maps_without_party_walls_are_written_as_before():
    assert b"party_walls" not in msgspec.json.encode(row_of())
    both = row_of(party_walls=WALL, hexsides=(Hexsides(kind="hedge", sides=("C4/S",)),))
    assert both.party_walls == WALL

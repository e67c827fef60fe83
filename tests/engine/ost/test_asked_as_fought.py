"""What a question answers about a target's shelter is what an attack on the table finds (OST 13.0,
14.0.2, 15.0, 16.6): the same columns, by the same modifiers."""

from __future__ import annotations

from itertools import product

import pytest

from rulesengine.contract import Modifier
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.adjudicate import adjudicate
from rulesengine.rulesets.ost.questions import InfantryAttack
from rulesengine.rulesets.ost.tally import words
from rulesengine.rulesets.ost.vehicle_questions import VehicleAttack
from tests.engine.ost.duels import HIT
from tests.engine.table import GERMAN, US, Hexsides, Road, find

ROWS = ("......",) * 6
GROUND = {"open": ".", "woods": "w", "light structure": "l", "heavy structure": "h"}
SIDES = ("", "bocage", "hedge", "stone wall")
WORKS = ("", "foxholes", "trench", "bunker", "wire")
PLACES = list(product(GROUND, SIDES, WORKS))
CARRIERS = {
    "armored transport": "us-m3-halftrack",
    "on a vehicle": "us-m4",
    "in a lorry": "us-truck",
}
AT_VEHICLES = [
    *(("ger-pak40", target) for target in ("us-m4", "us-m10", "us-truck")),
    *(("ger-hmg", target) for target in ("us-m10", "us-truck")),
]
"""Small arms do nothing to closed armour."""


def board(table, terrain, hexside, work, *, road=False):
    """A hex C4 of that kind, to be fired at from C5 over its south side."""
    rows = (*ROWS[:3], f"..{GROUND[terrain]}...", *ROWS[4:])
    more = {"hexsides": (Hexsides(kind=hexside, sides=("C4/S",)),)} if hexside else {}
    if road:
        more["roads"] = (Road(hexes="C3 C4 C5"),)
    play = table(rows, **more).put("far", "us-rifle", "A1").put("foe", "ger-rifle", "F6")
    return play.work(US, work, "C4", "S") if work else play


def place(terrain, hexside, work):
    return {
        "terrain": () if terrain == "open" else (terrain,),
        "hexside": hexside,
        "markers": (work,) if work else (),
    }


def bare(asked):
    """The modifiers of an answer without the number each changes, which it names before them."""
    return [str(Modifier(m.amount, m.name.partition(": ")[2], m.rule)) for m in asked.modifiers]


def alike(question, shot):
    """The difference, and each modifier of Defense, firepower and rolls."""
    asked = adjudicate(question)
    assert asked.value == shot.firepower - shot.defense, (asked.text, shot)
    assert sorted(bare(asked)) == sorted(map(str, words(shot.modifiers)))


@pytest.mark.parametrize(("terrain", "hexside", "work"), PLACES)
def test_who_stands_in_the_hex(table, terrain, hexside, work):
    play = board(table, terrain, hexside, work).put("a", "us-rifle", "C4")
    play = play.put("mg", "ger-hmg", "C5").to_move(GERMAN).start()
    shot = find(play.dice(1, 2, *HIT).fire("mg", "a"), e.Shot)
    where = place(terrain, hexside, work)
    alike(InfantryAttack(firepower=(6,), defense=4, adjacent=True, **where), shot)


@pytest.mark.parametrize(
    ("company", "terrain", "hexside", "work"),
    [
        (company, *where)
        for company, where in product(CARRIERS, PLACES)
        if company != "in a lorry" or where[0] != "woods"  # no wheels there
    ],
)
def test_who_rides_through_it(table, company, terrain, hexside, work):
    play = board(table, terrain, hexside, work, road=terrain.endswith("structure"))
    play = play.put("v", CARRIERS[company], "C4").put("a", "us-rifle", "C4", on="v")
    play = play.put("mg", "ger-hmg", "C5").to_move(GERMAN).start()
    shot = find(play.dice(1, 2, *HIT).fire("mg", "a"), e.Shot)
    where = place(terrain, hexside, work)
    asked = InfantryAttack(firepower=(6,), defense=4, adjacent=True, company=company, **where)
    alike(asked, shot)


@pytest.mark.parametrize(("terrain", "hexside"), list(product(GROUND, SIDES)))
def test_who_walks_behind_a_tank(table, terrain, hexside):
    road = terrain.endswith("structure")
    play = board(table, terrain, hexside, "", road=road)
    play = play.put("v", "us-m4", "C3", facing=3).put("a", "us-rifle", "C3")
    play = play.put("mg", "ger-hmg", "C5").start()
    there = play.hex("C4")
    play.dice(*([6] if terrain == "woods" else []))  # it does not bog
    play.do(a.RollingCover(unit=play["a"], vehicle=play["v"], path=(there,), facings=(3,)))
    shot = find(play.dice(1, 2, *HIT).fire("mg", "a"), e.Shot)
    where = place(terrain, hexside, "")
    asked = InfantryAttack(
        firepower=(6,), defense=4, adjacent=True, company="rolling cover", **where
    )
    alike(asked, shot)


@pytest.mark.parametrize(
    ("firer", "target", "terrain", "hexside", "work"),
    [
        (firer, target, *where)
        for (firer, target), where in product(AT_VEHICLES, PLACES)
        if target != "us-truck" or where[0] != "woods"
    ],
)
def test_a_vehicle_in_it(table, firer, target, terrain, hexside, work):
    small = firer == "ger-hmg"
    play = board(table, terrain, hexside, work, road=terrain.endswith("structure"))
    play = play.put("v", target, "C4", facing=3).put("gun", firer, "C5").to_move(GERMAN).start()
    news = play.dice(*([] if small else [4, 4]), 1, 2, *HIT).fire("gun", "v")
    open_top = small and target == "us-m10"
    shot = find(news, e.Shot if open_top else v.VehicleShot)
    by = {"firepower": (6,)} if small else {"weapon": firer}
    where = place(terrain, hexside, work)
    asked = adjudicate(VehicleAttack(target=target, distance=1, **by, **where))
    assert asked.value == shot.firepower - shot.defense, (asked.text, shot)
    assert set(map(str, words(shot.modifiers))) <= set(bare(asked))


@pytest.mark.parametrize("reduced", [False, True])
def test_the_crew_of_a_gun_at_a_lorry(table, reduced):
    play = board(table, "open", "", "").put("v", "us-truck", "C4", facing=3)
    play = play.put("gun", "ger-pak40", "C5", reduced=reduced).to_move(GERMAN).start()
    shot = find(play.dice(5, 4, 1, 2, *HIT).fire("gun", "v"), v.VehicleShot)
    asked = VehicleAttack(target="us-truck", distance=1, weapon="ger-pak40", reduced=reduced)
    assert adjudicate(asked).value == shot.firepower - shot.defense


@pytest.mark.parametrize("weapon", ["us-rifle", "us-lmg", "us-mmg", "us-sniper", "us-crew"])
def test_small_arms_are_asked_by_their_firepower(weapon):
    with pytest.raises(BadDocument, match="small arms; give its FP as firepower"):
        adjudicate(VehicleAttack(target="ger-truck", distance=2, weapon=weapon))


def test_a_hex_holds_one_marker_beside_smoke_and_a_wreck():
    several = InfantryAttack(firepower=(6,), defense=4, markers=("trench", "smoke", "wreck"))
    assert adjudicate(several).value == 6 - 4 - 4
    for question in (
        InfantryAttack(firepower=(6,), defense=4, markers=("trench", "bunker")),
        VehicleAttack(target="us-m4", weapon="ger-pak40", distance=2, markers=("cover", "wire")),
    ):
        with pytest.raises(BadDocument, match="in one hex; beside smoke and wrecks one"):
            adjudicate(question)

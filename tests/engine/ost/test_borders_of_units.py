"""Borders of what counters are and what cards say, both sides of each: OST 5, 6, 9, 10, 11."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.kinds import FIREPOWER
from rulesengine.rulesets.ost.vehicle_questions import ToHitRoll, VehicleAttack
from tests.engine.ost.duels import HIT, LONG, duel_at
from tests.engine.table import GERMAN, US, find, kinds

SHORT = ("......",) * 6


def bomb(play, h):
    return a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex(h))


# --- soft and hard, wheels and tracks ------------------------------------------------------------


@pytest.mark.border("ost", "5")
@pytest.mark.parametrize(
    ("target", "power"), [("ger-pz4h", 7), ("ger-truck", 4), ("ger-rifle", 4), ("ger-pak40", 4)]
)
def test_hard_targets_are_attacked_with_ap_and_soft_ones_with_he(table, target, power):
    """A Sherman at four hexes: seven against armour, four against a lorry, men and a gun's crew."""
    play = duel_at(table, target=target).start()
    vehicle = target in ("ger-pz4h", "ger-truck")
    news = play.dice(*(HIT if vehicle else ()), 1, 1).shoot("a", "b")
    assert find(news, v.VehicleShot if vehicle else e.Shot).firepower == power


@pytest.mark.border("ost", "5")
@pytest.mark.parametrize(
    ("target", "power"), [("ger-pz4h", None), ("ger-truck", 2), ("ger-rifle", 4)]
)
def test_small_arms_are_nothing_to_hard_targets(table, target, power):
    play = duel_at(table, "us-rifle", target).start()
    if power is None:
        assert play.refused(play.shot("a", "b")).rule == "29.0.1"
    else:
        news = play.dice(1, 1).fire("a", "b")
        assert find(news, v.VehicleShot if target == "ger-truck" else e.Shot).firepower == power


@pytest.mark.border("ost", "5")
@pytest.mark.parametrize(
    ("weapon", "target", "power"),
    [
        ("us-lmg", "ger-rifle", 4 + 2),
        ("", "ger-rifle", 4),
        ("us-bazooka", "ger-pz4h", 8 + 1),
        ("us-bazooka", "ger-truck", None),
    ],
)
def test_a_support_weapon_brings_he_or_ap(table, weapon, target, power):
    """A light machine gun joins the squad, a rocket has its own AP at armour, its HE at a lorry."""
    where, at = ("C3", "C4") if weapon == "us-bazooka" else ("C2", "C5")
    board = table(SHORT).put("a", "us-rifle", at, weapon=weapon)
    play = board.put("b", target, where, facing=3).start()
    more = {"weapon": "a's weapon"} if weapon else {}
    if target == "ger-rifle":
        assert find(play.dice(1, 1).fire("a", "b", **more), e.Shot).firepower == power
        return
    shot = find(play.dice(*HIT, 1, 1).fire("a", "b", **more), v.VehicleShot)
    he = FIREPOWER[play.state.kind[play["a's weapon"]]][1] + 1
    assert shot.firepower == (power if power else he)
    assert shot.soft is (power is None)


# --- engineers -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "6")
@pytest.mark.parametrize(
    ("who", "mines", "found", "struck"),
    [
        ("us-engineer", "C4", True, False),
        ("us-engineer", "C3", True, False),
        ("us-engineer", "C2", False, False),
        ("us-rifle", "C4", True, True),
        ("us-rifle", "C3", False, False),
    ],
)
def test_engineers_find_mines_in_the_next_hex_and_no_farther(table, who, mines, found, struck):
    board = table(SHORT).put("a", who, "C5").put("g", "ger-sergeant", "F1")
    play = board.work(GERMAN, "mines", mines).start()
    news = play.dice(*((1, 1) if struck else ())).move("a", "C4")
    assert ("MinesFound" in kinds(news)) is found
    assert ("Blasted" in kinds(news)) is struck
    assert play.state.mined[play.hex(mines)] == (GERMAN, found)


# --- open tops and lorries -----------------------------------------------------------------------


@pytest.mark.border("ost", "9")
@pytest.mark.parametrize(
    ("firer", "reduced", "full", "half"),
    [("us-mmg", False, 5, 2), ("us-rifle", False, 4, 2), ("us-rifle", True, 2, 1)],
)
@pytest.mark.parametrize("target", ["ger-marder3h", "ger-truck"])
def test_half_of_an_odd_firepower_is_rounded_down(table, firer, reduced, full, half, target):
    """Five and four have two, two has one: at the crew of an open top and at a lorry alike."""
    board = table(LONG).put("a", firer, "D7", reduced=reduced).put("b", target, "D3", facing=3)
    play = board.start()
    assert play.state.figures(play["a"])[0] == full
    news = play.dice(1, 1).fire("a", "b")
    shot = find(news, v.VehicleShot if target == "ger-truck" else e.Shot)
    assert shot.firepower == half


@pytest.mark.border("ost", "9")
@pytest.mark.parametrize(
    ("target", "facing", "defense"),
    [("us-m10", 3, -1), ("us-m10", 0, -1), ("us-m4", 3, 0), ("us-m4", 0, 0)],
)
def test_only_an_open_top_is_one_weaker_against_a_bundle(table, target, facing, defense):
    board = table(SHORT).put("b", target, "C3", facing=facing)
    play = board.put("a", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    news = play.dice(1, 1).do(play.shot("a", "b", weapon="a's weapon"))
    thrown = find(news, v.VehicleShot)
    plain = duel_at(table, "ger-pz4h", target, facing=facing).to_move(GERMAN).start()
    shot = find(plain.dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert thrown.defense - shot.defense == defense
    assert thrown.flank == shot.flank == (facing == 0)


# --- mortars -------------------------------------------------------------------------------------


@pytest.mark.border("ost", "10")
@pytest.mark.parametrize(
    ("there", "smoke", "fires"),
    [
        (("ger-pz4h",), False, False),
        (("ger-pz4h",), True, True),
        (("ger-pz4h", "ger-rifle"), False, True),
        (("ger-truck",), False, True),
        ((), False, True),
    ],
)
def test_a_mortar_is_not_aimed_at_armored_vehicles(table, there, smoke, fires):
    board = table(LONG).put("a", "us-rifle", "D12", weapon="us-mortar-60")
    for n, kind in enumerate(there):
        board.put(f"t{n}", kind, "D3")
    play = board.put("far", "ger-sergeant", "H1").start()
    action = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("D3"), smoke=smoke)
    if fires:
        news = play.dice(4, *((1, 1) if there and not smoke else ())).do(action)
        struck = [event for event in news if isinstance(event, f.Blasted)]
        assert len(struck) == (bool(there) and not smoke)
    else:
        assert play.refused(action).rule == "10.3.9"


def struck_by(news):
    return [event for event in news if isinstance(event, f.Blasted)]


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.3.8", "24.3.3")
def test_a_mortar_strikes_who_rides_by_himself_and_of_vehicles_the_lorry(table):
    board = table(LONG).put("a", "us-rifle", "D12", weapon="us-mortar-60")
    for name, vehicle, at in (("rider", "ger-pz4h", "D3"), ("passenger", "ger-truck", "E3")):
        board.put(vehicle, vehicle, at).put(name, "ger-rifle", at, on=vehicle)
    play = board.start()
    news = play.dice(4, 1, 1).do(bomb(play, "D3"))
    assert [(x.target, x.defense) for x in struck_by(news)] == [(play["rider"], 4 - 1)]
    play.idle()
    news = play.dice(4, 1, 1, 1, 1).do(bomb(play, "E3"))
    assert [x.target for x in struck_by(news)] == [play["passenger"], play["ger-truck"]]
    assert struck_by(news)[0].why == "mortar"


def test_hidden_men_beside_a_tank_are_not_told_by_the_refusal(table):
    for hidden in (False, True):
        board = table(LONG).put("a", "us-rifle", "D12", weapon="us-mortar-60")
        board.put("tank", "ger-pz4h", "D3")
        if hidden:
            board.put("men", "ger-rifle", "D3", hidden=True)
        play = board.start()
        assert play.refused(bomb(play, "D3")).rule == "10.3.9"


# --- what cards say by range ---------------------------------------------------------------------


@pytest.mark.border("ost", "11")
@pytest.mark.parametrize(
    ("distance", "needed"),
    [(2, 5), (3, 6), (6, 6), (7, 7), (12, 7), (13, 8), (18, 8), (19, 9), (24, 9), (25, 10)],
)
def test_to_hit_a_band_of_range_holds_to_its_last_hex(ask, distance, needed):
    assert ask(ToHitRoll(distance=distance)).value == needed


@pytest.mark.border("ost", "11")
@pytest.mark.parametrize(("distance", "power"), [(4, 7), (9, 7), (10, 6), (30, 6)])
def test_ap_falls_where_the_next_band_begins(table, ask, distance, power):
    answer = ask(VehicleAttack(weapon="us-m4", target="ger-pz4h", distance=distance))
    assert answer.steps[1] == f"AP with its modifiers {power}"
    if distance < 11:
        play = duel_at(table, at=f"D{distance + 1}", where="D1").start()
        shot = find(play.dice(*HIT, 1, 1).shoot("a", "b"), v.VehicleShot)
        assert shot.firepower == power


@pytest.mark.border("ost", "11")
@pytest.mark.rule("ost", "27.4.2")
def test_a_range_counts_the_hexes_without_the_firers_own(table):
    """Six hexes of a rifle squad: from row 1 to row 7, and not to row 8."""
    board = table(LONG).put("a", "us-rifle", "D1").put("in", "ger-rifle", "D7")
    play = board.put("out", "ger-rifle", "D8").start()
    assert play.refused(play.shot("a", "out")).rule == "27.4.2"
    assert find(play.dice(1, 1).fire("a", "in"), e.Shot).distance == 6


# --- how far each support weapon reaches ---------------------------------------------------------

WEAPONS = [t for t in TYPES if t.category == "support weapon"]
COLUMN = ("..",) * 34


def carried(table, weapon, distance, target, **more):
    """A squad of the weapon's nation that carries it, and an enemy so many hexes off."""
    us = weapon.key.startswith("us-")
    nation = weapon.key.split("-")[0]
    squad = {"us": "us-engineer", "ger": "ger-pioneer", "sov": "sov-sapper"}[nation]
    kinds_ = {"armour": ("ger-pz4h", "us-m4"), "foot": ("ger-rifle", "us-rifle")}
    board = table(COLUMN).put("a", squad, "A1", weapon=weapon.key)
    board.put("b", kinds_[target][not us], f"A{1 + distance}", facing=3)
    board.to_move(US if us else GERMAN)
    return board.start()


def order_of(play, weapon, distance):
    """How the weapon is used at what stands there."""
    if {"mortar", "whole hex"} & set(weapon.traits):
        h = play.hex(f"A{1 + distance}")
        return a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=h)
    own = play.state.figures(play["a"])[1]
    alone = "own range" in weapon.traits and distance > own
    return play.shot("a", "b", weapon="a's weapon", alone=alone)


@pytest.mark.border("ost", "10")
@pytest.mark.parametrize("weapon", WEAPONS, ids=lambda t: t.key)
def test_each_support_weapon_reaches_its_range_and_no_farther(table, weapon):
    """An automatic rifle reaches as far as the squad it fires with, for it does not fire alone."""
    at = "armour" if {"antitank", "thrown", "flame"} & set(weapon.traits) else "foot"
    at = "foot" if "whole hex" in weapon.traits else at
    reach = weapon.range
    if not ({"own range", "antitank", "thrown", "flame", "mortar"} & set(weapon.traits)):
        reach = min(reach, 4)  # of the squad
    rules = carried(table, weapon, reach, at).battle.ruleset
    for distance, reaches in ((reach, True), (reach + 1, False)):
        play = carried(table, weapon, distance, at)
        view = rules.view(play.state, play.owed)
        assert (rules.refuse(view, order_of(play, weapon, distance)) is None) is reaches
    if weapon.min_range:
        play = carried(table, weapon, weapon.min_range - 1, at)
        assert play.refused(order_of(play, weapon, weapon.min_range - 1)).rule == "10.3.1"
        play = carried(table, weapon, weapon.min_range, at)
        view = rules.view(play.state, play.owed)
        assert rules.refuse(view, order_of(play, weapon, weapon.min_range)) is None


@pytest.mark.border("ost", "10")
@pytest.mark.parametrize(("distance", "alone"), [(4, False), (5, True), (8, True)])
def test_a_light_machine_gun_is_alone_from_the_first_hex_past_its_squad(table, distance, alone):
    """A squad of engineers reaches four hexes."""
    lmg = next(t for t in WEAPONS if t.key == "us-lmg")
    play = carried(table, lmg, distance, "foot")
    right = play.shot("a", "b", weapon="a's weapon", alone=alone)
    wrong = play.shot("a", "b", weapon="a's weapon", alone=not alone)
    assert play.refused(wrong).rule == ("27.4.2" if alone else "10.0.5")
    assert find(play.dice(1, 1).do(right), e.Shot).firepower == (2 if alone else 7)

"""Armour as arithmetic: shots at vehicles, damage, duels. OST 9, 10.0.8, 29, 31."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rulesengine.chance import certain
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import damage, duel, gunnery
from rulesengine.rulesets.ost.armour_asked import duel_pair
from rulesengine.rulesets.ost.charts import VCT, VCT_RESULTS
from rulesengine.rulesets.ost.damage import (
    ABANDONED,
    DESTROYED,
    IMMOBILE,
    MAIN,
    MGS,
    WHOLE,
    Hull,
)
from rulesengine.rulesets.ost.questions import (
    Duellist,
    InfantryAttack,
    LineOfSight,
    TankDuel,
    VehicleShot,
)
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from rulesengine.rulesets.ost.state import BROKEN, SHAKEN
from rulesengine.rulesets.ost.vehicles import BY_KEY, CARDS, NEEDED, reach


def chance(answer, outcome):
    return sum((Fraction(c.over, c.of) for c in answer.chances if c.outcome == outcome), Fraction())


def hellcat(**more):
    return VehicleShot(firer="m18", distance=8, target="hetz", **more)


# --- the book's examples ----------------------------------------------------------------------


@pytest.mark.rule("ost", "29.0.4", "29.0.6", "29.0.7")
def test_the_example_of_a_hellcat_and_a_hetzer(ask):
    answer = ask(hellcat())
    assert answer.text.startswith("7 or more to hit; FP 9 - Defense 8 = column +1")
    machine_guns = ask(InfantryAttack(firepower=(2,), defense=4, terrain=("heavy structure",)))
    assert machine_guns.value == -4


@pytest.mark.rule("ost", "29.0.5", "29.0.13")
def test_the_example_of_a_marder_at_ten_hexes(ask):
    for marder in ("mard3r", "mard3h"):
        answer = ask(VehicleShot(firer=marder, distance=10, target="m4"))
        assert answer.text.startswith("7 or more to hit; FP 9 - Defense 5")


@pytest.mark.rule("ost", "10.0.8")
def test_the_example_of_a_grenade_bundle(ask):
    answer = ask(VehicleShot(firepower=3, thrown=True, distance=1, target="wz34"))
    assert answer.value == 0
    assert answer.text.startswith("hits by itself; FP 2 - Defense 2 = column 0")


@pytest.mark.rule("ost", "31.1.2", "31.1.6")
def test_a_duel_is_fought_with_the_bonus_of_melee(ask):
    asked = TankDuel(assaults=Duellist(vehicle="pz4g"), other=Duellist(vehicle="m4"))
    tanks = duel_pair(asked)
    assert [duel.firepower(tank).value for tank in tanks] == [12, 9]
    assert ask(asked).chances


@pytest.mark.rule("ost", "31.1.8", "31.1.9")
def test_the_example_of_a_duel_goes_without_the_bonus(ask):
    asked = TankDuel(
        assaults=Duellist(vehicle="pz4g", morale="shaken"),
        other=Duellist(vehicle="m4"),
        melee_bonus=False,
    )
    panzer, sherman = duel_pair(asked)
    assert gunnery.column_of(duel.firepower(sherman, melee_bonus=False).value, panzer.front) == 5
    assert duel.firepower(panzer, melee_bonus=False).value == 5
    assert gunnery.column_of(5, sherman.front) == 5
    assert duel.roll_changes(panzer).value == -1
    # Shaken on column 0 needs a roll of 6 or 7; damaged needs an 8.
    assert [VCT_RESULTS[gunnery.look_up(5, roll)] for roll in (6, 7, 8)] == ["S", "S", "D"]
    ask(asked)


# --- to hit --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "29.0.3", "29.0.9")
@pytest.mark.parametrize(
    ("more", "amount"),
    [
        ({"moved": True}, -1),
        ({"armor_leader": True}, 1),
        ({"ambush": True}, 1),
        ({"from_ground": "higher"}, 1),
        ({"from_ground": "lower"}, -1),
        ({"captured": True}, -1),
        ({"reduced": True}, -1),
        ({"quality": "elite"}, 1),
        ({"quality": "poor"}, -1),
        ({"target_immobile": True}, 1),
    ],
)
def test_what_changes_the_roll_to_hit(ask, more, amount):
    plain, changed = ask(hellcat()), ask(hellcat(**more))
    assert f"7 or more on 2D6 {amount:+d}" in changed.steps[0]
    assert (chance(changed, "missed") < chance(plain, "missed")) == (amount > 0)


@pytest.mark.rule("ost", "29.2.1", "29.2.2")
def test_an_acquired_target_is_hit_more_easily(ask):
    answer = ask(hellcat(acquired=True))
    assert any(m.rule == "29.2.2" and m.amount == 1 for m in answer.modifiers)


@pytest.mark.rule("ost", "29.0.11")
def test_two_sixes_hit_whatever_is_against_it_and_shift_a_column(ask):
    assert gunnery.hits((6, 6), -20, 11) == gunnery.CRITICAL
    assert gunnery.column_of(9, 8, gunnery.CRITICAL) == gunnery.column_of(9, 8) + 1
    assert gunnery.column_of(30, 1, gunnery.CRITICAL) == 10
    ask(hellcat())


def test_a_shot_by_every_fall_of_its_dice():
    """The answer against the book's steps, counted out by hand."""
    hull = Hull(gut_check=7)
    gone = Fraction()
    for one in range(1, 7):
        for two in range(1, 7):
            if one + two < 7:
                continue
            column = 7 if (one, two) == (6, 6) else 6
            for three in range(1, 7):
                for four in range(1, 7):
                    result = VCT[three + four][column]
                    left = damage.after(hull, result)
                    lost = sum(w for h, w in left.weights.items() if h.damage >= ABANDONED)
                    gone += Fraction(lost, left.of * 36 * 36)
    from rulesengine.rulesets.ost.armour_asked import shot

    answer = shot(hellcat())
    assert chance(answer, "destroyed") + chance(answer, "abandoned") == gone


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "29.3.p3", "29.3.p4", "29.3.p5")
def test_what_a_damage_roll_does(ask):
    hull = Hull()
    ends = {die: set(damage.damaged_by(hull, die).weights) for die in range(1, 7)}
    assert ends[1] == ends[2] == {hull}
    assert {h.damage for h in ends[3]} == {MGS}
    assert {h.damage for h in ends[4]} == {MAIN}
    assert {h.damage for h in ends[5]} == {IMMOBILE}
    assert {h.damage for h in ends[6]} == {WHOLE, ABANDONED}
    ask(hellcat())


@pytest.mark.rule("ost", "29.4.1")
def test_the_only_armament_is_the_one_that_goes(ask):
    guns = Hull(armaments=1, has_main=False)
    assert {h.damage for die in (3, 4) for h in damage.damaged_by(guns, die).weights} == {MGS}
    gun = Hull(armaments=1, has_main=True)
    assert {h.damage for die in (3, 4) for h in damage.damaged_by(gun, die).weights} == {MAIN}
    ask(VehicleShot(firer="m18", distance=8, target="s251"))


@pytest.mark.rule("ost", "29.4.4", "29.3.p9")
def test_damaged_again_it_is_abandoned(ask):
    for before in (MGS, MAIN, IMMOBILE):
        for die in range(3, 7):
            (left,) = damage.damaged_by(Hull(damage=before), die).weights
            assert left.damage == ABANDONED
    whole, hurt = ask(hellcat()), ask(hellcat(target_damaged=True))
    assert chance(hurt, "abandoned") > chance(whole, "abandoned")
    assert not chance(hurt, "immobilized")


@pytest.mark.rule("ost", "29.4.2", "29.0.10", "9.2.3")
def test_a_truck_dies_of_any_damage_and_is_shot_at_with_high_explosive(ask):
    assert all(
        next(iter(damage.damaged_by(Hull(soft=True), die).weights)).damage == DESTROYED
        for die in range(3, 7)
    )
    answer = ask(VehicleShot(firer="m4", distance=5, defense=2, soft=True))
    assert "FP 4 - Defense 2" in answer.text


@pytest.mark.rule("ost", "9.2.1", "9.2.2")
def test_small_arms_always_hit_a_soft_vehicle_at_half_firepower(ask):
    answer = ask(VehicleShot(firepower=6, small_arms=True, soft=True, distance=3, defense=2))
    assert answer.text.startswith("hits by itself; FP 3 - Defense 2")


def test_damage_never_heals():
    hulls = [
        Hull(damage=d, morale=m, armaments=a)
        for d in (WHOLE, MGS, MAIN, IMMOBILE)
        for m in (0, SHAKEN, BROKEN)
        for a in (1, 2)
    ]
    for hull in hulls:
        for result in range(len(VCT_RESULTS)):
            for left in damage.after(hull, result).weights:
                assert left.damage >= hull.damage or hull.damage == WHOLE
                assert left.damage != WHOLE or hull.damage == WHOLE
                assert left.morale >= hull.morale


def test_casualty_points_of_a_vehicle():
    assert damage.casualty_points(Hull(damage=ABANDONED)).weights == {1: 1}
    assert damage.casualty_points(Hull(damage=DESTROYED)).weights == {2: 5, 1: 1}
    assert damage.casualty_points(Hull(damage=DESTROYED), crew_rolls=False).weights == {1: 1}
    assert damage.casualty_points(Hull(damage=MAIN)).weights == {0: 1}


# --- the duel -------------------------------------------------------------------------------------


def pair(**more):
    return duel_pair(
        TankDuel(assaults=Duellist(vehicle="pz4g", **more), other=Duellist(vehicle="m4"))
    )


@pytest.mark.rule("ost", "31.0.2", "31.0.3")
def test_the_first_shot_is_even_and_ties_are_rolled_again(ask):
    shots = duel.first_shot(pair())
    assert shots.of == 1296 - 146
    assert shots.chance((0, False)) == shots.chance((1, False))
    assert shots.chance((0, True)) == shots.chance((1, True)) > 0
    led = duel.first_shot(pair(armor_leader=True))
    assert led.chance((0, False)) + led.chance((0, True)) > Fraction(1, 2)
    ask(TankDuel(assaults=Duellist(vehicle="pz4g"), other=Duellist(vehicle="m4")))


@pytest.mark.rule("ost", "31.0.4", "31.1.8")
def test_a_broken_tank_does_not_shoot(ask):
    broken, whole = pair(morale="broken")
    assert (
        duel.attack(broken, whole, flank=False, melee_bonus=True).weights == certain(whole).weights
    )
    ask(TankDuel(assaults=Duellist(vehicle="pz4g", morale="broken"), other=Duellist(vehicle="m4")))


@pytest.mark.rule("ost", "31.1.10")
def test_without_a_piercing_gun_it_attacks_with_one(ask):
    track = duel_pair(TankDuel(assaults=Duellist(vehicle="s251"), other=Duellist(vehicle="m4")))[0]
    assert duel.firepower(track, melee_bonus=False).value == 1
    ask(TankDuel(assaults=Duellist(vehicle="s251"), other=Duellist(vehicle="m4")))


def test_who_is_destroyed_or_cannot_shoot_does_not_answer():
    one, two = pair()
    for left in (
        replace(one.hull, damage=DESTROYED),
        replace(one.hull, damage=MAIN),
        replace(one.hull, morale=BROKEN),
    ):
        assert not replace(one, hull=left).shoots
    assert replace(one, hull=replace(one.hull, damage=IMMOBILE)).shoots
    assert sum(duel.fought((one, two)).weights.values()) == duel.fought((one, two)).of


# --- cards ----------------------------------------------------------------------------------------


def test_every_card_is_sound():
    assert len(CARDS) == len(BY_KEY) == 75
    for card in CARDS:
        assert card.front >= 1
        assert card.flank >= 1
        assert card.mp >= 1
        if card.ap:
            assert list(card.ap) == sorted(card.ap, reverse=True)
    assert [NEEDED[reach(d)] for d in (1, 8, 10, 40)] == [5, 7, 7, 11]
    with pytest.raises(ValueError, match="past every"):
        reach(41)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (VehicleShot(firer="m19", distance=8, target="hetz"), 'firer: no vehicle "m19"'),
        (VehicleShot(firer="m18", distance=90, target="hetz"), "past every weapon's range"),
        (VehicleShot(firer="s251", distance=3, target="hetz"), "no armour-piercing firepower"),
        (VehicleShot(firer="m18", distance=0, target="hetz"), "distance: 1 or more"),
        (VehicleShot(firer="m18", distance=8), "defense: 1 or more"),
        (VehicleShot(distance=8, defense=2), "firepower: 1 or more"),
        (VehicleShot(firepower=3, small_arms=True, defense=2), "only a soft vehicle"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(ask, question, words):
    with pytest.raises(BadDocument, match=words):
        ask(question)


def asked_of(**changes):
    """A line of sight over a map with a fault."""
    fields = {"key": "m", "title": "M", "grid": ("...", "..."), "legend": {".": "open"}}
    return LineOfSight(map=HexMap(**fields | changes), start="A1", end="A2")


@pytest.mark.parametrize(
    "changes",
    [
        {"grid": ()},
        {"levels": ("009", "000")},
        {"levels": ("000",)},
        {"grid": ("....", "...")},
        {"steep": ("A1/Q",)},
        {"footprints": (Footprint(hex="Z50", polygon=((0, 0), (1, 0), (0, 1))),)},
        {"levels": ("100", "000"), "footprints": (Footprint(hex="A1", polygon=()),)},
        {
            "levels": ("100", "000"),
            "footprints": (Footprint(hex="A1", polygon=((0, 0), (10**30, 0), (0, 1))),),
        },
        {
            "levels": ("100", "000"),
            "footprints": (Footprint(hex="A1", polygon=((0, 0), (10, 0), (20, 0))),),
        },
    ],
)
def test_a_map_with_a_fault_is_refused_in_words(ask, changes):
    with pytest.raises(BadDocument):
        ask(asked_of(**changes))

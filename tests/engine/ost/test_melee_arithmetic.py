"""The arithmetic of melee: OST 30.2, 30.3 and 30.5, pure."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import melee
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.charts import COLUMNS, column
from rulesengine.rulesets.ost.kinds import (
    ASSAULT,
    CREWED,
    ELITE,
    ENGINEER,
    LEADER,
    POOR,
    SNIPER,
    SQUAD,
)
from rulesengine.rulesets.ost.melee import Member
from rulesengine.rulesets.ost.state import BROKEN, GOOD, MAIN_OUT, MGS_OUT, SHAKEN

RIFLE = Member(4, 4, GOOD, SQUAD, 0)
LED_RIFLE = Member(4, 4, GOOD, SQUAD, 0, True)
SERGEANT = Member(1, 1, GOOD, LEADER, 0)
SHERMAN = Member(6, 5, GOOD, CREWED, 0)
"""Its figures in the book's example: HE and machine guns, front Defense."""


def heading(fire, shield):
    return COLUMNS[column(fire.value, shield.value)]


# --- the arithmetic -----------------------------------------------


def test_the_example_of_30_3_as_arithmetic():
    americans, germans = [RIFLE, SHERMAN], [LED_RIFLE, SERGEANT]
    assert melee.firepower(americans).value == 12
    assert melee.defense(germans).value == 5
    assert heading(melee.firepower(americans), melee.defense(germans)) == "+7"
    assert melee.firepower(germans).value == 7
    assert melee.defense(americans).value == 9
    assert heading(melee.firepower(germans), melee.defense(americans)) == "-2"
    assert melee.roll_modifiers(germans).value == 1


def test_the_example_of_30_5_as_arithmetic():
    """Concentrating on the rifle squad alone: seven against four."""
    fire = melee.firepower([LED_RIFLE, SERGEANT])
    assert heading(fire, melee.defense([RIFLE])) == "+3/+4"


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(
    ("members", "firepower"),
    [
        ([RIFLE], 6),
        ([RIFLE, RIFLE], 10),
        ([RIFLE._replace(morale=SHAKEN)], 4),
        ([Member(5, 4, SHAKEN, SQUAD, 0)], 4),
        ([RIFLE._replace(morale=SHAKEN), RIFLE], 8),
        ([RIFLE._replace(morale=BROKEN), RIFLE], 6),
        ([RIFLE, SERGEANT._replace(morale=SHAKEN)], 6),
        ([RIFLE, SERGEANT, SERGEANT], 8),
        ([RIFLE, Member(1, 1, GOOD, SNIPER, 0)], 7),
        ([SERGEANT], 1),
        ([SERGEANT._replace(morale=SHAKEN)], 1),
        ([Member(1, 1, GOOD, SNIPER, 0)], 1),
    ],
)
def test_the_firepower_of_a_side_in_melee(members, firepower):
    assert melee.firepower(members).value == firepower


def test_a_side_all_broken_does_not_strike():
    assert melee.firepower([RIFLE._replace(morale=BROKEN)]) is None


def test_by_option_a_shaken_side_is_halved_after_the_bonus():
    members = [Member(5, 4, SHAKEN, SQUAD, 0)]
    assert melee.firepower(members).value == 4
    assert melee.firepower(members, halve_after=True).value == 3


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(
    ("members", "defense"),
    [
        ([RIFLE], 4),
        ([RIFLE._replace(morale=BROKEN), RIFLE], 8),
        ([RIFLE, SERGEANT], 5),
        ([SERGEANT], 1),
        ([SERGEANT, SERGEANT], 2),
    ],
)
def test_the_defense_of_a_side_in_melee(members, defense):
    assert melee.defense(members).value == defense


def trait(*traits, morale=GOOD, leads=False):
    return Member(4, 4, morale, SQUAD, sum(traits), leads)


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(
    ("members", "modifier"),
    [
        ([trait()], 0),
        ([trait(leads=True)], 1),
        ([trait(leads=True), trait(leads=True)], 1),
        ([trait(ELITE)], 1),
        ([trait(ENGINEER)], 1),
        ([trait(ASSAULT)], 1),
        ([trait(ELITE, ENGINEER)], 1),
        ([trait(ELITE), trait(ASSAULT)], 1),
        ([trait(POOR)], -1),
        ([trait(POOR), trait(POOR)], -1),
        ([trait(morale=SHAKEN)], -1),
        ([trait(morale=SHAKEN), trait(morale=SHAKEN)], -1),
        ([trait(morale=SHAKEN), trait()], -1),
        ([trait(POOR, morale=SHAKEN)], -2),
        ([trait(ELITE, leads=True)], 2),
        ([trait(ELITE, morale=BROKEN), trait()], 0),
        ([trait(leads=True, morale=BROKEN), trait()], 0),
    ],
)
def test_modifiers_marked_max_count_once_a_side_and_different_ones_add_up(members, modifier):
    assert melee.roll_modifiers(members).value == modifier


@pytest.mark.parametrize(("out", "power", "shock"), [(0, 4, True), (MGS_OUT, 2, True)])
def test_a_gun_without_he_still_strikes_and_shocks(out, power, shock):
    """30.2.5: an armament that works; 30.3.2: what HE it has, none, and the +2."""
    matilda = melee.vehicle(BY_KEY["bri-matilda"], out, GOOD, 0)
    assert melee.firepower([matilda]).value == power
    assert bool(melee.roll_modifiers([matilda]).value) == shock
    unarmed = melee.vehicle(BY_KEY["bri-matilda"], MGS_OUT | MAIN_OUT, GOOD, 0)
    assert melee.firepower([unarmed]) is None
    assert melee.firepower([unarmed, RIFLE]).value == 6
    assert melee.roll_modifiers([unarmed, RIFLE]).value == 0

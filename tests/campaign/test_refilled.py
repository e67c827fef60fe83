"""What comes back between two fights comes back with men, or waits for them."""

from __future__ import annotations

from collections import Counter

import pytest

from campaigns import between_fights
from campaigns.operations import adjustments
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return Club("refilled", EASTERN)


def lose(club, unit, **elements):
    for element, number in elements.items():
        adjustments.adjust(
            seat=club.referee,
            unit_id=club.campaign.units.get(key=unit).uid,
            element=element.replace("_", "-"),
            condition="fit",
            quantity=-number,
            reason="the Bug",
            key=f"{unit}/{element}",
        )


def gain(club, unit, element, condition="fit", number=1):
    adjustments.adjust(
        seat=club.referee,
        unit_id=club.campaign.units.get(key=unit).uid,
        element=element,
        condition=condition,
        quantity=number,
        reason="the Bug",
        key=f"{unit}/{element}/{condition}",
    )


def coming(club, rung):
    """What comes to whom before a rung, by the house rules."""
    plan = between_fights.recovery(club.campaign, rung)
    return {
        (entry.account.key, entry.item.key): entry.quantity
        for entry in plan.entries
        if entry.account.holder.value == "unit"
    }


def test_a_company_without_men_gets_neither_leader_nor_weapon(club, balanced):
    lose(club, "s52-1", ger_infantry=2, ger_lmg_34=1, ger_lieutenant=1)
    assert coming(club, "borisov") == {}


def test_a_company_that_is_sent_men_gets_them_too(club, balanced):
    lose(club, "s52-1", ger_infantry=2, ger_lmg_34=1, ger_lieutenant=1)
    assert coming(club, "senno") == {("s52-1", "ger-lmg-34"): 1, ("s52-1", "ger-lieutenant"): 1}


def test_one_squad_is_enough_to_carry_what_comes(club, balanced):
    lose(club, "s52-1", ger_infantry=1, ger_lmg_34=1, ger_lieutenant=1)
    assert coming(club, "borisov") == {("s52-1", "ger-lmg-34"): 1, ("s52-1", "ger-lieutenant"): 1}


def test_a_machine_gun_comes_with_its_crew(club, balanced):
    lose(club, "s52-4", ger_hmg_34=1)
    assert coming(club, "borisov") == {("s52-4", "ger-hmg-34"): 1}


def sent_before(club, rung):
    """What the pack's schedule sends to whom before a rung."""
    plan = between_fights.replacements(club.campaign, rung)
    return {
        (entry.account.key, entry.item.key): entry.quantity
        for entry in plan.entries
        if entry.account.holder.value == "unit"
    }


def test_a_unit_at_its_establishment_is_sent_nobody(club, balanced):
    for rung in club.campaign.ladder:
        assert sent_before(club, rung["key"]) == {}


def test_a_unit_is_sent_no_more_than_it_lost(club, balanced):
    lose(club, "pz18-1", ger_pz3f=1)
    assert sent_before(club, "mtsensk") == {("pz18-1", "ger-pz3f"): 1}
    lose(club, "pz18-4", ger_pz4e=2)
    assert sent_before(club, "mtsensk") == {
        ("pz18-1", "ger-pz3f"): 1,
        ("pz18-4", "ger-pz4e"): 1,
    }


def test_two_rows_of_a_schedule_for_one_unit_are_one_draft(club, balanced):
    lose(club, "pz18-1", ger_pz3f=3)
    row = next(r for r in club.campaign.replacements if r["unit"] == "pz18-1")
    club.campaign.replacements = [row, row]
    assert sent_before(club, "mtsensk") == {("pz18-1", "ger-pz3f"): 3}
    club.campaign.replacements = [{**row, "element": "ger-pz4e"}]
    assert sent_before(club, "mtsensk") == {}, "a type the unit is not authorised"


def test_the_crew_that_got_out_mans_the_tank_that_comes(club, balanced):
    lose(club, "pz18-1", ger_pz3f=3)
    gain(club, "pz18-1", "ger-crew", number=2)
    assert sent_before(club, "mtsensk") == {("pz18-1", "ger-pz3f"): 2, ("pz18-1", "ger-crew"): -2}


def test_the_squad_that_its_gunners_became_mans_the_gun_that_comes(club, balanced):
    lose(club, "s52-4", ger_hmg_34=1)
    gain(club, "s52-4", "ger-infantry", "reduced")
    assert coming(club, "borisov") == {("s52-4", "ger-hmg-34"): 1, ("s52-4", "ger-infantry"): -1}


def test_whom_a_unit_is_authorised_nobody_takes_for_a_crew(club, balanced):
    mortar = {("gd1-1", "sov-mortar-50"): 1}
    lose(club, "gd1-1", sov_mortar_50=1)
    assert coming(club, "snow") == mortar


def test_what_two_squads_merged_into_is_not_taken_twice(club, balanced):
    """A company with a leader puts two reduced squads together; one is left to man a gun."""
    lose(club, "s52-4", ger_hmg_34=1)
    gain(club, "s52-4", "ger-lieutenant")
    gain(club, "s52-4", "ger-infantry", "reduced", 3)
    plan = between_fights.recovery(club.campaign, "borisov")
    moved: Counter[tuple[str, str]] = Counter()
    for entry in plan.entries:
        if entry.account.holder.value == "unit":
            moved[entry.item.key, entry.account.condition] += entry.quantity
    assert moved == {
        ("ger-infantry", "fit"): 1,
        ("ger-infantry", "reduced"): -3,
        ("ger-hmg-34", "fit"): 1,
    }

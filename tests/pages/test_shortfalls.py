"""A force that is short, or without men, says so to its own side, and to nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Role
from campaigns.operations import battles, detachments, ledger, members
from campaigns.refusals import Refused
from tests.campaign.conftest import person
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    made = Club("short", EASTERN)
    made.seats = {"referee": made.referee}
    made.people = {"referee": made.referee.user}
    for side in ("german", "soviet"):
        invited = members.invite(seat=made.organiser, role=Role.COMMANDER, side_key=side)
        made.people[side] = person(side)
        made.seats[side] = members.accept(user=made.people[side], token=invited.token)
    made.battle = battles.plan_battle(seat=made.referee)
    return made


def read(club, who, address):
    client = Client()
    client.force_login(club.people[who])
    return client.get(address).content.decode()


def page(club, name, *more):
    return reverse(name, args=(club.campaign.slug, club.battle.uid, *more))


def choose(club, who, side, **picks):
    """Choose the units by key, with what of each; nothing said, all of it."""
    units = {unit.key.replace("-", "_"): unit.uid for unit in club.campaign.units.all()}
    detachments.choose_detachment(
        seat=club.seats[who],
        battle_id=club.battle.uid,
        side_key=side,
        picks=[(units[key], elements) for key, elements in picks.items()],
    )


def lose(club, unit, element, number):
    """Losses, as the referee's hand takes them off."""
    from campaigns.operations import adjustments

    row = club.campaign.units.get(key=unit)
    adjustments.adjust(
        seat=club.referee,
        unit_id=row.uid,
        element=element,
        condition="fit",
        quantity=-number,
        reason="the Bug",
        key=f"{unit}/{element}",
    )


@pytest.mark.parametrize("who", ["german", "referee"])
def test_a_force_without_anybody_who_fights_is_refused_when_it_is_chosen(club, who):
    with pytest.raises(Refused, match="Germans have nobody to fight with"):
        choose(club, who, "german", s52_1={"ger-lieutenant": 1, "ger-lmg-34": 1})
    with pytest.raises(Refused, match="no squad to carry them"):
        choose(club, who, "german", s52_1={"ger-lmg-34": 1}, stug={})
    choose(club, who, "german", s52_1={"ger-infantry": 1, "ger-lmg-34": 1})
    battles.lock_forces(seat=club.referee, battle_id=club.battle.uid)


def test_the_page_says_why_such_a_force_is_refused(club):
    unit = club.campaign.units.get(key="s52-1")
    client = Client()
    client.force_login(club.people["german"])
    answer = client.post(
        page(club, "battle_forces", "german"), {f"n:{unit.uid}:ger-lieutenant": "1"}
    )
    assert answer.status_code == 409
    assert "Germans have nobody to fight with" in answer.content.decode()


def test_a_force_that_is_short_says_how_many_and_who_could_come(club):
    choose(club, "german", "german", s52_1={"ger-infantry": 2, "ger-lmg-34": 1})
    for address in (page(club, "battle"), page(club, "battle_forces", "german")):
        for who in ("german", "referee"):
            text = " ".join(read(club, who, address).split())
            told = text.partition("shortfall")[2].partition("</div>")[0]
            assert f"{club.battle.limits['german'] - 3} short" in told
            assert "1./Pz. 18, Panzer III (4 × " in told
            assert "1./Schtz. 52 (1 × " in told
            assert "Leutnant" in told
        assert "shortfall" not in read(club, "soviet", address)
        assert "Panzer III" not in read(club, "soviet", address)
    api = f"/api/v1/campaigns/{club.campaign.slug}/battles/{club.battle.uid}/"
    assert "1./Pz. 18" in read(club, "german", api)
    assert "Pz. 18" not in read(club, "soviet", api)


def test_a_company_that_lives_on_as_its_leader_alone_is_named(club):
    lose(club, "s52-1", "ger-infantry", 2)
    lose(club, "s52-1", "ger-lmg-34", 1)
    for address in (page(club, "battle"), page(club, "battle_forces", "german")):
        text = read(club, "german", address)
        assert "1./Schtz. 52 brings nobody who fights, only 1 × " in text
        assert "brings nobody" not in read(club, "soviet", address)
    assert "short of: 2 × " in read(club, "german", page(club, "battle_forces", "german"))


def test_weapons_that_find_no_squad_are_named(club):
    lose(club, "pi98-1", "ger-pioneer", 2)
    choose(club, "german", "german", s52_1={"ger-infantry": 1}, pi98_1={})
    text = read(club, "german", page(club, "battle"))
    assert "1 support weapon finds no squad" in text
    assert "1./Pi. 98, assault party brings nobody who fights" in text


def test_a_full_force_says_nothing_of_the_kind(club):
    assert "shortfall" not in read(club, "referee", page(club, "battle"))


def test_a_locked_force_is_not_told_who_could_come(club):
    choose(club, "german", "german", s52_1={"ger-infantry": 2})
    battles.lock_forces(seat=club.referee, battle_id=club.battle.uid)
    assert ledger.open_turn(club.campaign).number == 1
    assert "could come" not in read(club, "german", page(club, "battle"))


@pytest.mark.parametrize("who", ["german", "referee"])
def test_a_scenarios_own_force_over_its_limit_says_why_and_what_to_do(club, who):
    address = page(club, "battle")
    told = "Its units hold more than the scenario reckons with."
    assert told not in read(club, who, address)
    club.battle.limits = {**club.battle.limits, "german": club.battle.limits["german"] - 1}
    club.battle.save(update_fields=["limits"])
    assert "1 over the limit" in read(club, who, address)
    assert told in read(club, who, address)
    assert told not in read(club, "soviet", address)

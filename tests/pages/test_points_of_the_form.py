"""The result form says what points follow from the losses, and where a head start belongs."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import BattleTerms, Role
from campaigns.operations import battles, members
from tests.campaign.conftest import person
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    made = Club("points", EASTERN)
    made.people = {"referee": made.referee.user}
    invited = members.invite(seat=made.organiser, role=Role.COMMANDER, side_key="german")
    made.people["german"] = person("points german")
    members.accept(user=made.people["german"], token=invited.token)
    return made


def form_of(club, who="referee", **victory):
    """The form of the first battle, under other terms of victory."""
    battle = battles.plan_battle(seat=club.referee)
    document = json.loads(battle.terms.document)
    document["victory"] |= victory
    BattleTerms.objects.filter(pk=battle.terms_id).update(document=json.dumps(document))
    battles.lock_forces(seat=club.referee, battle_id=battle.uid)
    battles.play_at_table(seat=club.referee, battle_id=battle.uid)
    client = Client()
    client.force_login(club.people[who])
    address = reverse("battle_result", args=(club.campaign.slug, battle.uid))
    return " ".join(html.unescape(client.get(address).content.decode()).split())


def test_where_losses_score_the_page_adds_them_to_the_head_start(club):
    page = form_of(club, per_casualty=2, handicap=7)
    assert "A head start belongs into the victory points" in page
    assert re.search(
        r"enemy losses at 2 each and the head start of 7 make at least"
        r' <output data-sum="points-german" data-weighted data-base="0" data-times="2"'
        r' data-plus="7">',
        page,
    )


def test_where_losses_score_nothing_the_head_start_alone_is_named(club):
    page = form_of(club)
    assert "with the head start of 1" in page
    assert "data-times" not in page


def test_who_starts_behind_is_told_so(club):
    assert "less the other side's head start of 3" in form_of(club, handicap=-3)


def test_who_reports_one_side_is_shown_no_sum_of_the_other(club):
    page = form_of(club, "german", per_casualty=1, handicap=7)
    assert "with the head start of 7" in page
    assert "data-times" not in page
    assert "losses of Soviets" not in page

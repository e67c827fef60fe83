"""Pages ask the database as often for an army of twenty units as for one of two."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import InstalledPack
from tests.campaign.conftest import Cast, toy_pack

PAGES = [
    "home",
    "campaign",
    "oob",
    "oob_changes",
    "history",
    "journal",
    "members",
    "tokens",
    "roster",
    "rung",
]
PAGES += ["battle", "battle_report", "battle_sheet", "luck", "chronicle"]
LIMIT = 60


def queries(cast, battle, name):
    args = [] if name == "home" else [cast.campaign.slug]
    args += [battle.uid] if name.startswith("battle") else []
    args += {"roster": ["red"], "rung": ["two"]}.get(name, [])
    client = Client()
    client.force_login(cast.referee.user)
    client.get(reverse(name, args=args))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(reverse(name, args=args)).status_code == 200
    return len(asked)


@pytest.fixture
def counted(db, sent, known_dice):
    """Queries by page, for a small and a large army."""
    told = []
    for units in (2, 20):
        cast = Cast(toy_pack(units=units))
        battle, _ = cast.posted()
        told.append({name: queries(cast, battle, name) for name in PAGES})
        for seat in cast.seats.values():
            seat.user.username += f"-{units}"
            seat.user.save()
        cast.stranger.username += f"-{units}"
        cast.stranger.save()
        InstalledPack.objects.all().delete()
    return told


def test_the_number_of_queries_does_not_grow_with_the_army(counted):
    small, large = counted
    assert small == large


def test_no_page_asks_the_database_very_often(counted):
    assert {name: count for name, count in counted[1].items() if count > LIMIT} == {}

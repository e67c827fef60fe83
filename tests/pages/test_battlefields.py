"""The page and the sheet of a battle by printed rules: its terms in words, its map."""

from __future__ import annotations

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from campaigns import engine
from campaigns.operations import battles
from rulesengine.registry import document_type
from tests.campaign.test_road_to_bastogne import Club


@pytest.fixture
def club(db, sent, known_dice):
    return Club("field")


def seen(club, name, battle):
    client = Client()
    client.force_login(club.referee.user)
    answer = client.get(reverse(name, args=[club.campaign.slug, battle.uid]))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", ["battle", "battle_sheet"])
def test_every_option_is_explained_where_it_stands(name, club):
    battle = battles.plan_battle(seat=club.referee)
    page = seen(club, name, battle)
    options = msgspec.structs.fields(document_type("ost", "scenario"))
    (kind,) = (field.type for field in options if field.name == "options")
    notes = engine.term_notes("ost")
    for option in msgspec.structs.fields(kind):
        label = option.name.replace("_", " ").capitalize()
        told = page.partition(f"<dt>{label}</dt>")[2].partition("</dd>")[0]
        assert escape(notes[f"options.{option.name}"]) in told, option.name

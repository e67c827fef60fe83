"""Figures that a pack prints otherwise are those a club reads, on the page and on paper."""

from __future__ import annotations

import shutil

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.operations import battles
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club

COUNTERS = """
[[counters]]
key    = "sov-mmg-39"
status = "printed"
source = "the owner's counter sheet"
fp     = 9
"""


@pytest.fixture
def club(db, sent, known_dice, tmp_path):
    folder = tmp_path / EASTERN.name
    shutil.copytree(EASTERN, folder)
    (folder / "counters.toml").write_text(COUNTERS, "utf-8")
    return Club("recast", folder)


@pytest.mark.parametrize("name", ["unit", "roster", "battle_rules", "battle_sheet"])
def test_the_figure_of_the_pack_is_shown_with_its_own_mark(name, club):
    battle = battles.plan_battle(seat=club.referee)
    battles.lock_forces(seat=club.referee, battle_id=battle.uid)
    gun = club.campaign.units.get(key="sr84-mg")
    last = {"unit": gun.uid, "roster": "soviet"}.get(name, battle.uid)
    client = Client()
    client.force_login(club.referee.user)
    answer = client.get(reverse(name, args=[club.campaign.slug, last]))
    assert answer.status_code == 200
    row = answer.content.decode().partition("MMG (DS-39 machine gun)")[2].partition("</tr>")[0]
    assert ">FP 9</span>" in row
    assert "estimate" not in row, "printed now, by the pack's own word"

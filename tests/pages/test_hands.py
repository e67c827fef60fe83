"""Luck cards that were never played are on no page but their own side's."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from campaigns import battle_log
from campaigns.models import ForceSnapshot
from campaigns.operations import battles, resolution
from rulesengine.proof import events_of
from rulesengine.rulesets.ost.charts import LUCK_CARD, LUCK_CARDS
from tests.pages.test_reinforcements import club, read  # noqa: F401

pytestmark = pytest.mark.django_db

NEVER = ("one-more-mission", "spotter-plane")
"""Cards of no use where there is no battery and nobody may hide: whoever draws them has them to the
end."""


def fought_with_cards(club):  # noqa: F811
    battle = battles.plan_battle(seat=club.referee)
    document = json.loads(battle.terms.document)
    assert not any(side.get("artillery") or side.get("hidden") for side in document["terms"])
    deck = [{"card": key, "copies": 1} for key in NEVER]
    document["luck_cards"] = {"each": 1, "deck": deck}
    type(battle.terms).objects.filter(pk=battle.terms.pk).update(document=json.dumps(document))
    battles.lock_forces(seat=club.referee, battle_id=battle.uid)
    job = battles.request_resolve(seat=club.referee, battle_id=battle.uid)
    resolution.resolve(job_id=job.pk)
    battle.refresh_from_db()
    club.post(battle)
    return battle


def test_a_hand_is_read_by_its_own_side_and_the_referee(club):  # noqa: F811
    battle = fought_with_cards(club)
    log = battle_log.of_snapshot(ForceSnapshot.objects.get(battle=battle))
    assert log is not None
    dealt = [e for e in events_of(log) if type(e).__name__ == "HandDealt"]
    held = {("allies", "axis")[e.side]: LUCK_CARD[e.cards[0]].title for e in dealt}
    assert sorted(held.values()) == sorted(row.title for row in LUCK_CARDS if row.key in NEVER)
    slug = club.campaign.slug
    pages = [
        reverse(name, args=(slug, battle.uid))
        for name in ("battle_report", "battle_replay", "battle_frames")
    ]
    pages.append(f"/api/v1/campaigns/{slug}/battles/{battle.uid}/report/lines/")
    for address in pages:
        whole = "/report/" not in address or "lines" in address  # the report begins with the great
        referee = read(club, "referee", address)
        assert not whole or all(title in referee for title in held.values()), address
        for side, other in (("allies", "axis"), ("axis", "allies")):
            told = read(club, side, address)
            assert not whole or held[side] in told, address
            assert held[other] not in told, address
        assert not any(title in read(club, "stranger", address) for title in held.values())

"""The ladder of the eastern front, walked by the engine: who won decides, losses are carried."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from campaigns.models import Battle
from campaigns.operations import turns
from tests.campaign.test_road_to_bastogne import PACK, Club

EASTERN = PACK.parent / "eastern-front-1941"
RIFLES = "ger-infantry"
COMPANIES = ("s52-1", "s52-2")
"""They fight on the Bug and wherever comes next."""

AUTHORISED = 2
"""Rifle squads of each of them."""

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db, sent, known_dice):
    return Club("eastern", EASTERN)


def brought(battle: Battle) -> Counter[tuple[str, str, str]]:
    """What came to a battle, as (unit, type, condition)."""
    document = json.loads(battle.latest_snapshot().document)
    return Counter(
        (unit["id"], element["type"], element.get("condition", "fit"))
        for force in document["forces"]
        for unit in force["units"]
        for element in unit["elements"]
    )


def left(document: dict, unit: str) -> Counter[str]:
    """A company's rifle squads after a battle, by condition; two reduced ones make a fit one where
    the company has its leader, as the pack's house rules say."""
    squads = Counter(
        fate["after"]
        for fate in document["elements"]
        if (fate["unit"], fate["type"]) == (unit, RIFLES)
    )
    if unit == COMPANIES[0] and squads["reduced"] >= 2:
        squads += Counter(fit=1)
        squads.subtract(reduced=2)
    del squads["eliminated"]
    return +squads


def test_the_second_fight_begins_with_what_the_first_has_left(club, balanced):
    first = club.resolved()
    document = club.document(first)
    lost = [fate for fate in document["elements"] if fate["after"] != fate["before"]]
    assert any(fate["type"] == RIFLES for fate in lost), "dice without a loss prove nothing"
    club.post(first)
    turn = turns.open_next(seat=club.referee)
    assert turn is not None
    ladder = {rung["key"]: rung for rung in club.campaign.ladder}
    assert turn.rung == ladder["bug"]["next"][document["ending"]["winner"] or "draw"]
    sent = Counter(
        row["unit"]
        for row in club.campaign.replacements
        if (row["before"], row["element"]) == (turn.rung, RIFLES)
        for _ in range(row["quantity"])
    )
    second = brought(club.locked())
    for unit in COMPANIES:
        there_are = left(document, unit)
        room = AUTHORISED - sum(there_are.values())
        expected = there_are + Counter(fit=min(sent[unit], room))
        wanted = {"s52-1": 2, "s52-2": 1}[unit]
        there = Counter({c: n for (u, kind, c), n in second.items() if (u, kind) == (unit, RIFLES)})
        assert sum(there.values()) == min(wanted, sum(expected.values()))
        assert there["fit"] == min(wanted, expected["fit"])


def test_the_ladder_leads_from_the_bug_to_the_snow(club, balanced):
    ladder = {rung["key"]: rung for rung in club.campaign.ladder}
    walked, rung = [], "bug"
    while rung:
        battle = club.resolved()
        walked.append(battle.rung)
        assert battle.rung == rung
        winner = club.document(battle)["ending"]["winner"] or "draw"
        club.post(battle)
        rung = ladder[rung]["next"][winner]
        turn = turns.open_next(seat=club.referee)
        assert (turn.rung if turn else "") == rung
    assert walked[0] == "bug"
    assert walked[-2:] == ["mtsensk", "snow"]

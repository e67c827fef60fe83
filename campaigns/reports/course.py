"""How the ladder went, and where a result that led on is told otherwise since.

A correction never unplays a fight: what was fought stands, and these sentences say which fight the
result as it is now would have led to. Who won is every member's to know, and so is all of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from campaigns import engine
from campaigns.models import Battle, Campaign, Posting, Result, Turn

DRAW = "draw"


@dataclass(frozen=True)
class Parted:
    """A turn from which the ladder went another way than its result leads now."""

    battle: str
    turn: int
    """The turn that was opened by the result as it stood then."""
    then: str
    """How it stood then: "Soviets win"; empty where that is not on record."""
    led_to: str
    """Key of the rung that was fought next; empty for the end."""
    now: str
    """How it stands now; empty where the battle is reversed."""
    leads_to: str
    """Key of the rung that leads to; empty for the end, or where nothing stands."""


def leads_to(campaign: Campaign, rung: str, winner: str) -> str:
    """The key of the rung that an outcome of a rung leads to; empty where the ladder ends."""
    step: Mapping[str, Any] = next((r for r in campaign.ladder if r["key"] == rung), {})
    return str(step.get("next", {}).get(winner or DRAW, ""))


def titles(campaign: Campaign) -> dict[str, str]:
    """What the rungs of a ladder are called, by key; the end too."""
    named = dict(campaign.terms.values_list("key", "title"))
    own = {rung["key"]: named.get(rung["scenario"], rung["key"]) for rung in campaign.ladder}
    return own | {"": "the end of the ladder"}


def outcome(campaign: Campaign, winner: str) -> str:
    """ "Germans win", "a draw"."""
    names = {side.key: f"{side.name} win" for side in campaign.sides.all()}
    return names.get(winner, "a draw")


def parted(campaign: Campaign, turns: Iterable[Turn], battles: Iterable[Battle]) -> list[Parted]:
    """Every turn of a campaign from which the ladder went another way than its result leads."""
    ordered = list(turns)
    rows = list(battles)
    # What is posted counts before what is reversed, and of either the last.
    fought = {b.turn_id: b for b in rows if b.state == Battle.State.REVERSED}
    fought |= {b.turn_id: b for b in rows if b.state == Battle.State.POSTED}
    winners = _winners(list(fought.values()))
    found = []
    for turn, following in pairwise(ordered):
        row = fought.get(turn.pk)
        if row is None or not campaign.ladder:
            continue
        stands = row.state == Battle.State.POSTED
        winner = winners.get(row.pk, "")
        way = leads_to(campaign, turn.rung, winner) if stands else ""
        if stands and way == following.rung:
            continue
        then = _winner_at(row, following)
        found.append(
            Parted(
                battle=row.title,
                turn=following.number,
                then="" if then is None else outcome(campaign, then),
                led_to=following.rung,
                now=outcome(campaign, winner) if stands else "",
                leads_to=way,
            )
        )
    return found


def _winners(battles: list[Battle]) -> dict[int, str]:
    rows = Result.objects.filter(battle__in=battles).order_by("pk")
    newest = dict(rows.values_list("battle_id", "document"))
    return {pk: engine.parsed(text)["ending"].get("winner", "") for pk, text in newest.items()}


def _winner_at(battle: Battle, following: Turn) -> str | None:
    """Who had won by the posting that stood when a turn was opened."""
    posting = (
        Posting.objects.filter(
            battle=battle, reverses__isnull=True, created_at__lte=following.opened_at
        )
        .order_by("pk")
        .last()
    )
    report = posting.reports.select_related("result").first() if posting else None
    if report is None:
        return None
    return str(engine.parsed(report.result.document)["ending"].get("winner", ""))


def in_words(campaign: Campaign, ways: Iterable[Parted]) -> tuple[str, ...]:
    """A sentence or two for each parting of the ways."""
    called = titles(campaign)
    return tuple(
        (
            f"{way.battle} now stands as {way.now}, which leads to {called[way.leads_to]}."
            if way.now
            else f"{way.battle} is reversed."
        )
        + (
            f" When turn {way.turn} was opened it stood as {way.then or 'another result'}, which"
            f" led to {called[way.led_to]}. The fights played since stand."
        )
        for way in ways
    )


# --- before it is done ---------------------------------------------------------------------------


def _opened_after(battle: Battle) -> Turn | None:
    turns = Turn.objects.filter(campaign=battle.campaign_id, number__gt=battle.turn.number)
    return turns.order_by("number").first() if battle.campaign.ladder else None


def went_on(battle: Battle) -> tuple[str, ...]:
    """That the ladder went on from a battle's result, and where to."""
    following = _opened_after(battle)
    if following is None:
        return ()
    to = titles(battle.campaign)[following.rung]
    return (f"The ladder went on from its result: turn {following.number}, {to}.",)


def if_corrected(battle: Battle, was: str, will: str) -> tuple[str, ...]:
    """What another winner means for the ladder; `was` and `will` are keys of sides, empty for a
    draw."""
    campaign = battle.campaign
    stood, way = (leads_to(campaign, battle.turn.rung, winner) for winner in (was, will))
    called = titles(campaign)
    following = _opened_after(battle)
    if following is None:
        if stood == way:
            return ()
        return (f"The ladder will lead to {called[way]}, no longer to {called[stood]}.",)
    words = outcome(campaign, will)
    if way != following.rung:
        return (
            f"As corrected ({words}) the battle would have led to {called[way]}. The ladder went on"
            f" to {called[following.rung]} in turn {following.number}; the fights played since"
            " stand, nothing is unplayed.",
        )
    if stood != way:
        return (f"As corrected ({words}) the battle leads to {called[way]}, as it did go on.",)
    return ()

"""The campaign's clock. On a ladder a turn is a rung: its battle decides the next.

Opening a turn closes the last and posts what happens between fights: what the house rules
carry over or refit, who is merged, and the replacements the pack sends before that rung.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from campaigns import access, between_fights, engine
from campaigns.access import Action
from campaigns.models import OPEN_STATES, Battle, BattleTerms, Campaign, Posting, Seat, Turn
from campaigns.operations import ledger
from campaigns.operations.ledger import Author
from campaigns.refusals import Refused
from campaigns.reports import course


def next_rung(campaign: Campaign, turn: Turn) -> str:
    """The rung that the open turn's battle leads to; "" where the ladder ends.

    Refuses while the battle is not posted.
    """
    if not turn.rung:
        raise Refused("The ladder has ended: no turn follows.")
    battle = _posted_battle(campaign, turn)
    if battle is None:
        raise Refused(f"Turn {turn.number} is open, and {_not_posted(campaign, turn)}.")
    document = engine.read_result(_posted_document(battle))
    return course.leads_to(campaign, turn.rung, document.ending.winner)


def _posted_battle(campaign: Campaign, turn: Turn) -> Battle | None:
    return campaign.battles.filter(turn=turn, state=Battle.State.POSTED).last()


def _not_posted(campaign: Campaign, turn: Turn) -> str:
    battle = campaign.battles.filter(turn=turn).exclude(state=Battle.State.CANCELLED).last()
    return f"{battle.title} {battle.stands}" if battle else "its battle is not planned yet"


def _posted_document(battle: Battle) -> str:
    posting = Posting.standing_for(battle)
    report = posting.reports.select_related("result").first() if posting else None
    if report is None:
        raise Refused(f"{battle.title} has no posting that stands.")
    return report.result.document


@transaction.atomic
def open_next(*, seat: Seat) -> Turn | None:
    """Close the turn and open the next rung's; None where the ladder has ended.

    Refuses while a battle of the turn is open or none is posted.
    """
    access.require(seat, Action.ADVANCE)
    campaign = ledger.lock_campaign(seat.campaign)
    turn = ledger.open_turn(campaign)
    standing = campaign.battles.filter(turn=turn, state__in=OPEN_STATES).first()
    if standing is not None:
        raise Refused(f"{standing.title} {standing.stands}: post or cancel it.")
    key = next_rung(campaign, turn)
    turn.closed_at = timezone.now()
    turn.save(update_fields=["closed_at"])
    terms = _terms_of(campaign, key)
    following = Turn.objects.create(
        campaign=campaign,
        number=turn.number + 1,
        date=_date_of(terms, turn),
        rung=key,
        title=terms.title if terms else "The ladder has ended",
    )
    _carry_over(campaign, following, seat)
    return following if terms else None


def _terms_of(campaign: Campaign, rung_key: str) -> BattleTerms | None:
    rung = next((r for r in campaign.ladder if r["key"] == rung_key), None)
    return BattleTerms.objects.get(campaign=campaign, key=rung["scenario"]) if rung else None


def _date_of(terms: BattleTerms | None, turn: Turn) -> date:
    """The scenario's own date where it has one that is later, else the next day."""
    if terms is not None:
        text = str(engine.parsed(terms.document).get("date", ""))[:10]
        try:
            told = date.fromisoformat(text)
        except ValueError:
            told = turn.date
        if told > turn.date:
            return told
    return turn.date + timedelta(days=1)


def _carry_over(campaign: Campaign, turn: Turn, seat: Seat) -> None:
    plan = between_fights.recovery(campaign, turn.rung)
    if plan.entries or plan.levels:
        ledger.post(
            campaign=campaign,
            kind=Posting.Kind.RECOVERY,
            key=f"recovery:{campaign.uid}:{turn.number}",
            author=Author(seat),
            lines=plan.entries,
            levels=plan.levels,
            turn=turn,
            reason="What is carried over from the last fight, by the house rules",
        )
    arrivals = between_fights.replacements(campaign, turn.rung)
    if arrivals.entries:
        ledger.post(
            campaign=campaign,
            kind=Posting.Kind.REPLACEMENT,
            key=f"replacements:{campaign.uid}:{turn.number}",
            author=Author(seat),
            lines=arrivals.entries,
            turn=turn,
            reason="Replacements on the pack's schedule",
        )

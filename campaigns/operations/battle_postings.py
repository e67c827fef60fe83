"""A reported battle into the journal, and out of it again.

Posting writes the previewed plan in one transaction, under the campaign's lock, once. Undoing
is a reversal, before which the impact list says what depends on the posting; nothing cascades
by itself.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum

from campaigns import access, aftermath, engine
from campaigns.access import Action
from campaigns.models import (
    LIVE_STATES,
    NEVER_NEGATIVE,
    Balance,
    Battle,
    Line,
    Posting,
    Result,
    Seat,
    StoredReport,
    Unit,
)
from campaigns.operations import battle_states, ledger
from campaigns.operations.battle_states import State
from campaigns.operations.battles import current_result, current_snapshot
from campaigns.operations.ledger import Author
from campaigns.projection import audiences
from campaigns.refusals import Refused
from campaigns.reports import aar, course


@dataclass(frozen=True)
class Impact:
    """What depends on a posting that somebody wants undone."""

    later_battles: tuple[str, ...]
    later_postings: tuple[str, ...]
    negative: tuple[str, ...]
    """What would be left with less than nothing; while any is, it cannot be undone alone."""
    ladder: tuple[str, ...] = ()
    """That the ladder went on from its result; every member may know it."""

    @property
    def clear(self) -> bool:
        return not (self.later_battles or self.later_postings or self.negative or self.ladder)


BLIND = ("Later acts depend on it. A referee can see which.",)

Told = dict[str, tuple[aar.AarLine, ...]]
"""Audience -> what it is told. Composed before the lock is taken: telling takes longest."""


def post_result(*, seat: Seat, battle_id: str, plan_hash: str) -> Posting:
    """Post the previewed result of a battle. Refuses if anything changed since the preview.

    Posted twice with the same plan, the posting that stands is returned.
    """
    return _post(
        seat, battle_id, plan_hash, told_of(access.battle_for(seat, battle_id, Action.POST))
    )


def told_of(battle: Battle) -> Told:
    """What each audience is told of a battle that has a result."""
    snapshot = battle.latest_snapshot()
    if snapshot is None or battle.state not in (State.REPORTED, State.POSTED):
        return {}
    return {v.audience: aar.told(v, snapshot) for v in audiences(battle.campaign)}


@transaction.atomic
def _post(seat: Seat, battle_id: str, plan_hash: str, told: Told) -> Posting:
    ledger.lock_campaign(seat.campaign)
    battle = access.battle_for(seat, battle_id, Action.POST, lock=True)
    standing = Posting.standing_for(battle)
    if standing is not None and standing.plan_hash == plan_hash:
        return standing
    battle_states.require(battle, State.REPORTED, what="posted")
    snapshot, result = current_snapshot(battle), current_result(battle)
    plan = aftermath.plan(battle, snapshot, result)
    if plan.hash != plan_hash:
        raise Refused("Something changed since the preview. Look at the new preview, then post.")
    with access.blinded(seat, "This cannot be posted yet. The referee has to look at it."):
        if plan.blocks:
            raise Refused(f"This cannot be posted yet. {plan.blocks[0]}")
    posting = ledger.post(
        campaign=battle.campaign,
        kind=Posting.Kind.BATTLE,
        key=f"battle:{battle.uid}:{plan.hash}",
        author=Author(seat),
        lines=plan.entries,
        levels=plan.levels,
        turn=battle.turn,
        battle=battle,
        reason=f"{battle.title} ({result.source})",
        plan_hash=plan.hash,
    )
    battle_states.move(battle, State.POSTED, expecting=State.REPORTED, what="posted")
    store_reports(battle, result, posting, told)
    return posting


def store_reports(battle: Battle, result: Result, posting: Posting, told: Told) -> None:
    """Keep the report as each audience is shown it."""
    StoredReport.objects.bulk_create(
        StoredReport(
            posting=posting,
            battle=battle,
            result=result,
            audience=viewer.audience,
            document=aar.to_document(
                aar.compose(viewer, battle, result, posting, told.get(viewer.audience))
            ),
        )
        for viewer in audiences(battle.campaign)
    )


# --- undo ------------------------------------------------------------------------------------


def impact(*, seat: Seat, posting_id: str) -> Impact:
    """What depends on a posting, before it is reversed; to a referee with the names of units."""
    posting = access.posting_for(seat, posting_id, Action.REVERSE)
    found = impact_of(posting)
    if access.audience_of(seat) == access.REFEREE:
        return found
    return Impact(
        later_battles=found.later_battles,
        later_postings=BLIND if found.later_postings else (),
        negative=BLIND if found.negative else (),
        ladder=found.ladder,
    )


def impact_of(posting: Posting) -> Impact:
    """Later battles of the same units, later postings on the same accounts, negative rests."""
    accounts = set(posting.lines.values_list("account", flat=True))
    units = set(
        posting.lines.filter(account__unit__isnull=False).values_list("account__unit", flat=True)
    )
    standing = Posting.objects.filter(
        campaign_id=posting.campaign_id,
        pk__gt=_first_of(posting).pk,
        reverses__isnull=True,
        reversed_by__isnull=True,
    ).select_related("battle", "turn")
    if posting.battle_id:
        standing = standing.exclude(battle=posting.battle_id)
    others = [
        f"{other.get_kind_display()}, turn {other.turn.number}: {other.reason}"
        for other in standing.filter(battle=None, lines__account__unit__in=units)
        .distinct()
        .order_by("pk")
    ]
    fought = _units_of(posting) | set(
        Unit.objects.filter(pk__in=units).values_list("key", flat=True)
    )
    battles = [
        f"{other.battle.title} (turn {other.turn.number}) was fought by"
        for other in standing.filter(battle__isnull=False).order_by("pk")
        if other.battle is not None and fought & _units_of(other)
    ]
    locked = Battle.objects.filter(campaign_id=posting.campaign_id, state__in=LIVE_STATES).exclude(
        pk=posting.battle_id or 0
    )
    return Impact(
        later_battles=tuple(
            [f"{line} some of the same units." for line in battles]
            + [f"{battle.title} {battle.stands}." for battle in locked]
        ),
        later_postings=tuple(others),
        negative=tuple(_negative_without(posting, accounts)),
        ladder=course.went_on(posting.battle) if posting.battle else (),
    )


def _first_of(posting: Posting) -> Posting:
    """The posting that was corrected into this one, at the start of the chain: what was built on
    any of them was built on all."""
    while posting.replaces is not None:
        posting = posting.replaces
    return posting


def _units_of(posting: Posting) -> set[str]:
    """Keys of the units that were in the battle of a posting, with losses or without."""
    snapshot = posting.battle.latest_snapshot() if posting.battle else None
    if snapshot is None:
        return set()
    forces = engine.parsed(snapshot.document)["forces"]
    return {unit["id"] for force in forces for unit in force["units"]}


def _negative_without(posting: Posting, accounts: set[int]) -> list[str]:
    moved: dict[tuple[int, str], int] = defaultdict(int)
    sums = (
        Line.objects.filter(posting=posting)
        .order_by()
        .values("account", "item")
        .annotate(total=Sum("quantity"))
    )
    for row in sums:
        moved[row["account"], row["item"]] = row["total"]
    told = []
    balances = Balance.objects.filter(
        account__in=accounts, account__holder__in=NEVER_NEGATIVE
    ).select_related("account", "account__unit")
    for balance in balances:
        rest = balance.quantity - moved[balance.account_id, balance.item]
        if rest < 0:
            holder = balance.account.unit.name if balance.account.unit else balance.account.code
            told.append(
                f"{holder} would be left with {rest} {balance.item_name}"
                f" ({balance.account.condition})."
            )
    return told


@transaction.atomic
def reverse_posting(*, seat: Seat, posting_id: str, reason: str) -> Posting:
    """Undo a posting with a reason; its battle is reversed with it.

    Refuses while a unit would be left with less than nothing.
    """
    access.require(seat, Action.REVERSE)
    ledger.lock_campaign(seat.campaign)
    posting = access.posting_for(seat, posting_id, Action.REVERSE, lock=True)
    if posting.kind == Posting.Kind.ESTABLISHMENT:
        raise Refused("The order of battle a campaign began with is not reversed; adjust it.")
    done = ledger.reverse(posting=posting, author=Author(seat), reason=reason)
    if posting.battle is not None and Posting.standing_for(posting.battle) is None:
        battle_states.move(posting.battle, State.REVERSED, expecting=State.POSTED, what="reversed")
    return done


@transaction.atomic
def reverse_battle(*, seat: Seat, battle_id: str, reason: str) -> Posting:
    """Undo a posted battle with a reason."""
    battle = access.battle_for(seat, battle_id, Action.REVERSE)
    standing = Posting.standing_for(battle)
    if standing is None:
        raise Refused(f"{battle.title} cannot be reversed: it {battle.stands}.")
    return reverse_posting(seat=seat, posting_id=standing.uid, reason=reason)

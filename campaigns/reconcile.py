"""Recompute everything from the journal and say what disagrees: an empty list is the proof.

Postings sum to zero per item; balances are the sums of their lines; units and pools hold
nothing below zero; a posted battle has one posting that stands and no other battle has one; a
reversal is the exact opposite of what it reverses; stored logs still have their hash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, F, Q, Sum

from campaigns import battle_log, engine
from campaigns.models import (
    NEVER_NEGATIVE,
    Balance,
    Battle,
    ForceSnapshot,
    Job,
    Line,
    Log,
    Posting,
    Result,
)


def reconcile() -> list[str]:
    """Every disagreement, as a sentence."""
    return [
        *_unbalanced(),
        *_balances(),
        *_negative(),
        *_battles(),
        *_reversals(),
        *_documents(),
    ]


def _unbalanced() -> Iterator[str]:
    sums = (
        Line.objects.order_by()
        .values("posting__uid", "item")
        .annotate(total=Sum("quantity"))
        .exclude(total=0)
    )
    for row in sums:
        yield f"posting {row['posting__uid']}: {row['item']} sums to {row['total']}, not zero"
    foreign = Line.objects.exclude(account__campaign=F("posting__campaign"))
    for line in foreign:
        yield f"line {line.pk}: its account is of another campaign than its posting"


def _balances() -> Iterator[str]:
    sums = {
        (row["account"], row["item"]): row["total"]
        for row in Line.objects.order_by().values("account", "item").annotate(total=Sum("quantity"))
    }
    told = {(b.account_id, b.item): b.quantity for b in Balance.objects.all()}
    for place in sorted(set(sums) | set(told)):
        if sums.get(place, 0) != told.get(place, 0):
            yield (
                f"account {place[0]}, {place[1]}: the lines sum to {sums.get(place, 0)},"
                f" the balance says {told.get(place, 0)}"
            )


def _negative() -> Iterator[str]:
    rows = Balance.objects.filter(account__holder__in=NEVER_NEGATIVE, quantity__lt=0)
    for balance in rows.select_related("account"):
        yield f"{balance.account.code} holds {balance.quantity} {balance.item}"


def _battles() -> Iterator[str]:
    standing = Count(
        "postings",
        filter=Q(
            postings__kind__in=[Posting.Kind.BATTLE, Posting.Kind.CORRECTION],
            postings__reversed_by__isnull=True,
        ),
    )
    counted = Battle.objects.annotate(standing=standing).values_list("uid", "state", "standing")
    for uid, state, found in counted:
        if found != (1 if state == Battle.State.POSTED else 0):
            yield f"battle {uid} is {state} and has {found} postings that stand"
    idle = Battle.objects.filter(state=Battle.State.RESOLVING).exclude(
        jobs__state__in=[Job.State.QUEUED, Job.State.RUNNING]
    )
    for battle in idle:
        yield f"battle {battle.uid} is being fought by no job"
    unreported = Battle.objects.filter(
        state__in=[Battle.State.REPORTED, Battle.State.POSTED], results__isnull=True
    )
    for battle in unreported:
        yield f"battle {battle.uid} is {battle.state} without a result"


def _reversals() -> Iterator[str]:
    for reversal in Posting.objects.filter(reverses__isnull=False).select_related("reverses"):
        original = reversal.reverses
        if original is None:
            continue
        sums: Counter[tuple[int, str]] = Counter()
        for posting in (original, reversal):
            for account, item, quantity in posting.lines.values_list("account", "item", "quantity"):
                sums[account, item] += quantity
        if any(sums.values()):
            yield f"posting {reversal.uid} is not the opposite of {original.uid}"


def _documents() -> Iterator[str]:
    for log in Log.objects.iterator(50):
        try:
            battle_log.load(log)
        except (battle_log.DamagedLog, ValueError) as fault:
            yield str(fault)
    for snapshot in ForceSnapshot.objects.iterator(50):
        if engine.digest(engine.parsed(snapshot.document)) != snapshot.hash:
            yield f"snapshot {snapshot.uid} no longer has its hash"
    for result in Result.objects.iterator(50):
        if engine.read_result(result.document).hash != result.hash:
            yield f"result {result.uid} no longer has its hash"

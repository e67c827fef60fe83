"""Another result in the place of a posted one: reversal and replacement in one act.

It can be tried before it is made: the trial is the act itself, undone, so what it shows is what
the act will write.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from campaigns import access, aftermath, engine, entries
from campaigns.access import Action
from campaigns.entries import AccountRef, Entry, Item, Plan
from campaigns.models import (
    NEVER_NEGATIVE,
    Battle,
    Campaign,
    Holder,
    Posting,
    Result,
    Seat,
    Status,
)
from campaigns.operations import battle_states, ledger
from campaigns.operations.battle_postings import Told, store_reports, told_of
from campaigns.operations.battle_states import State
from campaigns.operations.battles import current_result, current_snapshot, write_result
from campaigns.operations.ledger import Author
from campaigns.projection import Viewer, viewer_for
from campaigns.refusals import Refused
from campaigns.reports import corrected, course
from campaigns.reports.battle import PreviewReport, preview_of


@dataclass(frozen=True)
class _Made:
    posting: Posting
    old: Posting
    plan: Plan
    """What was written, levels that somebody has set since left out."""
    stood: Result
    """The result that the new one takes the place of."""
    result: Result


class _Undo(Exception):
    """Ends a trial: everything it wrote is rolled back."""

    def __init__(self, report: PreviewReport) -> None:
        self.report = report


def correct_battle(
    *,
    seat: Seat,
    battle_id: str,
    document: dict[str, Any] | str | bytes,
    reason: str,
    plan_hash: str = "",
) -> Posting:
    """Put another result in the place of a posted one.

    With the hash of a trial it is refused if the correction would write anything else by now.
    """
    told = told_of(access.battle_for(seat, battle_id, Action.REVERSE))
    return _correct(seat, battle_id, document, reason, told, plan_hash).posting


def try_correction(
    *, seat: Seat, battle_id: str, document: dict[str, Any] | str | bytes, reason: str
) -> PreviewReport:
    """What a correction would change in the ledger against what stands, cut to what this seat
    may see. Refuses what the correction would refuse, and writes nothing."""
    try:
        with transaction.atomic():
            made = _correct(seat, battle_id, document, reason, {}, "")
            battle = made.posting.battle
            assert battle is not None
            raise _Undo(_told(viewer_for(seat), battle, made))
    except _Undo as undo:
        return undo.report


def _told(viewer: Viewer, battle: Battle, made: _Made) -> PreviewReport:
    """What the correction writes and tells otherwise, and what it leaves behind."""
    scenario = engine.read_scenario(battle.campaign.ruleset, current_snapshot(battle).document)
    was, will = (engine.read_result(row.document) for row in (made.stood, made.result))
    plan = changes_of(made.plan, made.old)
    behind = corrected.points_behind(scenario, was, will)
    report = preview_of(viewer, battle, replace(plan, warnings=(*behind, *plan.warnings)))
    seen = {unit.key for unit in viewer.units()}
    rows = corrected.changes(scenario, was, will)
    return replace(
        report,
        # Who won, and so where the ladder leads, is everybody's to know.
        warnings=(
            *course.if_corrected(battle, was.ending.winner, will.ending.winner),
            *report.warnings,
        ),
        changes=tuple(x for x in rows if viewer.sees_all or not x.unit or x.unit in seen),
    )


def changes_of(plan: Plan, old: Posting) -> Plan:
    """A plan cut to what it writes otherwise than the posting it takes the place of did."""
    sums: dict[tuple[AccountRef, Item], int] = defaultdict(int)
    causes: dict[tuple[AccountRef, Item], str] = {}
    for line in old.lines.select_related("account__unit", "account__side"):
        account = line.account
        owner = account.unit or account.side
        ref = AccountRef(Holder(account.holder), owner.key if owner else "", account.condition)
        item = Item(line.item, line.item_name, line.measure)
        sums[ref, item] -= line.quantity
        causes.setdefault((ref, item), line.cause)
    for entry in plan.entries:
        item = replace(entry.item, price=0)
        sums[entry.account, item] += entry.quantity
        causes[entry.account, item] = entry.cause
    changed = sorted(
        ((key, n) for key, n in sums.items() if n),
        key=lambda pair: (pair[0][0].code, pair[0][1].key),
    )
    lines = tuple(Entry(account, item, n, causes[account, item]) for (account, item), n in changed)
    stood = {(s.kind, s.subject): s.value for s in old.statuses.all()}
    levels = tuple(
        replace(level, before=stood.get((level.kind, level.subject), level.before))
        for level in plan.levels
        if stood.get((level.kind, level.subject)) != level.value
    )
    return replace(plan, entries=lines, levels=levels)


@transaction.atomic
def _correct(
    seat: Seat,
    battle_id: str,
    document: dict[str, Any] | str | bytes,
    reason: str,
    told: Told,
    plan_hash: str,
) -> _Made:
    access.require(seat, Action.REVERSE)
    access.require(seat, Action.OVERRULE)
    campaign = ledger.lock_campaign(seat.campaign)
    battle = access.battle_for(seat, battle_id, Action.REVERSE, lock=True)
    battle_states.require(battle, State.POSTED, what="corrected")
    if not reason.strip():
        raise Refused("A correction needs a reason.", path="reason")
    old = Posting.standing_for(battle)
    if old is None:
        raise Refused(f"{battle.title} has no posting that stands.")
    since = _levels_since(old)
    ledger.reverse(posting=old, author=Author(seat), reason=reason, allow_negative=True)
    standing = current_result(battle)
    result = write_result(
        seat, battle, engine.read_result(document), reason=reason, overrules=standing
    )
    plan = aftermath.plan(battle, current_snapshot(battle), result)
    if plan.blocks:
        raise Refused(f"This correction cannot be posted. {plan.blocks[0]}")
    levels = tuple(level for level in plan.levels if (level.kind, level.subject) not in since)
    trial = entries.hash_of(plan.entries, levels, (plan.hash, old.uid))
    if plan_hash and trial != plan_hash:
        raise Refused("Something changed since the preview. Look at the new preview, then correct.")
    posting = ledger.post(
        campaign=battle.campaign,
        kind=Posting.Kind.CORRECTION,
        key=f"battle:{battle.uid}:{plan.hash}:corrects:{old.uid}",
        author=Author(seat),
        lines=plan.entries,
        levels=levels,
        turn=battle.turn,
        battle=battle,
        reason=reason,
        plan_hash=plan.hash,
        replaces=old,
        allow_negative=True,
    )
    _refuse_negative_units(campaign)
    store_reports(battle, result, posting, told)
    return _Made(posting, old, replace(plan, levels=levels, hash=trial), standing, result)


def _levels_since(posting: Posting) -> set[tuple[str, str]]:
    """Which levels somebody has set since: a later word on the same subject stands."""
    later = Status.objects.filter(
        posting__campaign_id=posting.campaign_id, posting__pk__gt=posting.pk
    )
    return set(later.values_list("kind", "subject"))


def _refuse_negative_units(campaign: Campaign) -> None:
    """Within one act a rest may dip below zero; at its end none may."""
    ledger.refuse_negative(campaign.accounts.filter(holder__in=NEVER_NEGATIVE))

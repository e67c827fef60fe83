"""One unit's life: strength over time, losses by cause, its ledger, the lines that tell of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from campaigns import access, engine
from campaigns.models import LOSSES, Holder, Seat, StoredReport, Turn
from campaigns.projection import Viewer, viewer_for
from campaigns.refusals import NotFound
from campaigns.reports import strengths
from campaigns.reports.aar import AarLine, from_document, spelled
from campaigns.reports.oob import UnitRow

LEDGER_LINES = 300
REPORTS = 20


@dataclass(frozen=True)
class StrengthPoint:
    turn: int
    on_hand: int
    fit: int


@dataclass(frozen=True)
class LedgerRow:
    turn: int
    at: datetime
    posting: str
    kind: str
    reason: str
    item: str
    condition: str
    quantity: int
    cause: str
    by: str


@dataclass(frozen=True)
class ToldLine:
    """A line of a battle's report that names this unit."""

    battle: str
    title: str
    turn: int
    line: AarLine


@dataclass(frozen=True)
class UnitReport:
    row: UnitRow
    formation: str
    strength: tuple[StrengthPoint, ...]
    losses: tuple[tuple[str, int], ...]
    """(cause, how many elements)."""
    ledger: tuple[LedgerRow, ...]
    told: tuple[ToldLine, ...]
    """Turning points first in each battle; newest battle first."""


def unit(seat: Seat, unit_id: str, preview: str = "") -> UnitReport:
    """One unit's life, as this seat may know it."""
    row = access.unit_for(seat, unit_id)
    viewer = viewer_for(seat, preview)
    if not viewer.owns(row.side_id):
        raise NotFound
    lines = (
        viewer.lines()
        .filter(account__unit=row, account__holder=Holder.UNIT)
        .select_related("posting", "posting__turn", "account")
        .order_by("-pk")[:LEDGER_LINES]
    )
    held = strengths.held(viewer).get(row.pk, {})
    types = strengths.printed(seat.campaign)
    authorised = list(row.establishment.all())
    elements = strengths.element_rows(seat.campaign, types, authorised, held)
    summary = UnitRow(
        uid=row.uid,
        key=row.key,
        name=row.name,
        side=row.side.key,
        echelon=row.echelon,
        symbol=row.symbol,
        quality=row.quality,
        morale=strengths.morale(viewer).get(row.key, ""),
        fatigue=strengths.fatigue(viewer).get(row.key, ""),
        note=row.note,
        elements=elements,
        authorised=sum(e.authorised for e in elements),
        on_hand=sum(e.on_hand for e in elements),
        reduced=sum(e.reduced for e in elements),
    )
    return UnitReport(
        row=summary,
        formation=row.formation.name,
        strength=_strength(viewer, row.pk, seat.campaign.ruleset),
        losses=_losses(viewer, row.pk),
        ledger=tuple(
            LedgerRow(
                turn=line.posting.turn.number,
                at=line.posting.created_at,
                posting=line.posting.uid,
                kind=line.posting.get_kind_display(),
                reason=line.posting.reason,
                item=line.item_name,
                condition=line.account.condition,
                quantity=line.quantity,
                cause=line.cause,
                by=line.posting.actor_name,
            )
            for line in lines
        ),
        told=_told(viewer, row.key),
    )


def _strength(viewer: Viewer, unit_id: int, ruleset: str) -> tuple[StrengthPoint, ...]:
    """Elements on hand at the end of each turn."""
    sums = (
        viewer.lines()
        .filter(account__unit_id=unit_id, account__holder=Holder.UNIT)
        .order_by("posting__turn__number")
        .values_list("posting__turn__number", "item", "account__condition")
        .annotate(total=Sum("quantity"))
    )
    gained: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for turn, item, condition, total in sums:
        kind = engine.element_type(ruleset, item)
        gained[turn][0] += total
        if kind is None or not kind.conditions or condition == kind.conditions[0]:
            gained[turn][1] += total
    points: list[StrengthPoint] = []
    on_hand = fit = 0
    turns = Turn.objects.filter(campaign_id=viewer.campaign_id).values_list("number", flat=True)
    for number in turns:
        on_hand, fit = on_hand + gained[number][0], fit + gained[number][1]
        points.append(StrengthPoint(number, on_hand, fit))
    return tuple(points)


def _losses(viewer: Viewer, unit_id: int) -> tuple[tuple[str, int], ...]:
    """Elements lost for good, by cause; what was reversed cancels out."""
    sums = (
        viewer.lines()
        .filter(account__unit_id=unit_id, account__holder__in=LOSSES)
        .order_by()
        .values_list("cause")
        .annotate(total=Sum("quantity"))
    )
    causes = Counter({cause or "not said": total for cause, total in sums if total})
    return tuple(causes.most_common())


def _told(viewer: Viewer, unit_key: str) -> tuple[ToldLine, ...]:
    stored = (
        StoredReport.objects.filter(
            battle__campaign_id=viewer.campaign_id,
            audience=viewer.audience,
            posting__reversed_by__isnull=True,
            posting__lines__account__unit__key=unit_key,
        )
        .distinct()
        .order_by("-pk")[:REPORTS]
    )
    told = []
    for report in stored:
        document = from_document(report.document)
        lines = sorted(document.of_unit(unit_key), key=lambda line: -line.weight)
        told += [
            ToldLine(document.battle, document.title, document.turn, spelled(line))
            for line in lines
        ]
    return tuple(told)

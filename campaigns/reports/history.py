"""What the campaign has come to: points and casualties by turn, and the journal itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet, Sum

from campaigns.models import (
    CASUALTY_POINTS,
    VICTORY_POINTS,
    Campaign,
    Holder,
    Posting,
)
from campaigns.projection import Viewer
from campaigns.reports import casualties
from campaigns.reports.casualties import CasualtyRow, UnitCasualties
from campaigns.scored import HEAD_START


def scored_for(why: str, points: int) -> str:
    """Why points were scored; what a side starts behind is the head start of the other."""
    return "the other side's head start" if why == HEAD_START and points < 0 else why


@dataclass(frozen=True)
class Standing:
    """A side's score."""

    side: str
    name: str
    colour: str
    victory: int
    casualty: int
    head_start: int = 0
    """Victory points, of those above, that scenarios gave before a shot was fired."""


@dataclass(frozen=True)
class TurnPoints:
    turn: int
    victory: tuple[int, ...]
    """Gained in the turn, one figure a side in the order of `sides`."""
    total: tuple[int, ...]


@dataclass(frozen=True)
class HistoryReport:
    campaign: str
    sides: tuple[str, ...]
    standings: tuple[Standing, ...]
    points: tuple[TurnPoints, ...]
    casualties: tuple[CasualtyRow, ...]
    """By turn, side and element type; of the sides the viewer may see."""
    by_unit: tuple[UnitCasualties, ...]


def standings(viewer: Viewer, campaign: Campaign) -> tuple[Standing, ...]:
    """Each side's points so far."""
    sums = (
        viewer.lines()
        .filter(account__holder=Holder.SCORE)
        .order_by()
        .values_list("account__side_id", "item", "cause")
        .annotate(total=Sum("quantity"))
    )
    totals: Counter[tuple[int | None, str]] = Counter()
    given: Counter[int | None] = Counter()
    for side_id, item, cause, total in sums:
        totals[side_id, item] += total
        if item == VICTORY_POINTS and cause == HEAD_START:
            given[side_id] += total
    return tuple(
        Standing(
            side.key,
            side.name,
            side.colour,
            totals.get((side.pk, VICTORY_POINTS), 0),
            totals.get((side.pk, CASUALTY_POINTS), 0),
            given.get(side.pk, 0),
        )
        for side in campaign.sides.all()
    )


def history(viewer: Viewer, campaign: Campaign) -> HistoryReport:
    """Points and casualties by turn, as the viewer may know them."""
    sides = list(campaign.sides.all())
    return HistoryReport(
        campaign=campaign.title,
        sides=tuple(side.name for side in sides),
        standings=standings(viewer, campaign),
        points=_points(viewer, campaign, [side.pk for side in sides]),
        casualties=casualties.by_type(viewer, campaign),
        by_unit=casualties.by_unit(viewer, campaign),
    )


def _points(viewer: Viewer, campaign: Campaign, sides: list[int]) -> tuple[TurnPoints, ...]:
    sums = (
        viewer.lines()
        .filter(account__holder=Holder.SCORE, item=VICTORY_POINTS)
        .order_by()
        .values_list("posting__turn__number", "account__side_id")
        .annotate(total=Sum("quantity"))
    )
    gained: dict[int, dict[int, int]] = defaultdict(dict)
    for turn, side, total in sums:
        if side is not None:
            gained[turn][side] = total
    total = [0] * len(sides)
    rows = []
    for turn in campaign.turns.all():
        now = tuple(gained[turn.number].get(side, 0) for side in sides)
        total = [old + new for old, new in zip(total, now, strict=True)]
        rows.append(TurnPoints(turn.number, now, tuple(total)))
    return tuple(rows)


# --- the journal -----------------------------------------------------------------------------


@dataclass(frozen=True)
class JournalRow:
    uid: str
    turn: int
    at: datetime
    kind: str
    kind_name: str
    reason: str
    by: str
    role: str
    battle: str
    battle_title: str
    reversed: bool
    reverses: str
    lines: int
    """How many of its lines the viewer may see."""


def journal(
    viewer: Viewer, *, kind: str = "", turn: int | None = None, limit: int = 100, before: int = 0
) -> tuple[JournalRow, ...]:
    """Who did what, when and why; newest first."""
    rows = postings(viewer)
    if kind:
        rows = rows.filter(kind=kind)
    if turn is not None:
        rows = rows.filter(turn__number=turn)
    return journal_rows(viewer, list(rows.order_by("-pk")[before : before + limit]))


def postings(viewer: Viewer) -> QuerySet[Posting]:
    """Every posting the viewer may know of, with what a row of the journal tells of it."""
    return viewer.postings().select_related("turn", "battle", "reverses", "reversed_by")


def journal_rows(viewer: Viewer, page: Sequence[Posting]) -> tuple[JournalRow, ...]:
    """Some of `postings`, as the journal lists them."""
    counted: dict[int, int] = defaultdict(int)
    for posting_id in viewer.lines().filter(posting__in=page).values_list("posting", flat=True):
        counted[posting_id] += 1
    return tuple(_row(row, counted[row.pk]) for row in page)


@dataclass(frozen=True)
class PostingLine:
    account: str
    holder: str
    condition: str
    item: str
    quantity: int
    measure: str
    cause: str


@dataclass(frozen=True)
class PostingReport:
    row: JournalRow
    lines: tuple[PostingLine, ...]
    levels: tuple[tuple[str, str, str, str], ...]
    """(who or what, which level, before, after)."""


def posting(viewer: Viewer, row: Posting) -> PostingReport:
    """One act with its lines, cut to what the viewer may know."""
    found = journal_row(viewer, row)
    lines = viewer.lines().filter(posting=row).select_related("account")
    statuses = viewer.statuses().filter(posting=row)
    names = {side.key: side.name for side in row.campaign.sides.all()}
    return PostingReport(
        row=found,
        lines=tuple(
            PostingLine(
                x.account.code,
                x.holder_name,
                x.account.condition,
                x.item_name,
                x.quantity,
                x.measure,
                x.cause,
            )
            for x in lines
        ),
        levels=tuple(
            (
                s.subject_name,
                s.get_kind_display(),
                names.get(s.before, s.before),
                names.get(s.value, s.value),
            )
            for s in statuses
        ),
    )


def journal_row(viewer: Viewer, row: Posting) -> JournalRow:
    """One posting as the journal lists it."""
    return _row(row, viewer.lines().filter(posting=row).count())


def _row(row: Posting, lines: int) -> JournalRow:
    return JournalRow(
        uid=row.uid,
        turn=row.turn.number,
        at=row.created_at,
        kind=row.kind,
        kind_name=row.get_kind_display(),
        reason=row.reason,
        by=row.actor_name,
        role=row.actor_role,
        battle=row.battle.uid if row.battle else "",
        battle_title=row.battle.title if row.battle else "",
        reversed=hasattr(row, "reversed_by"),
        reverses=row.reverses.uid if row.reverses else "",
        lines=lines,
    )

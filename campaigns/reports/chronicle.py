"""The public chronicle: the campaign as a story, turn by turn, of what was published.

It is told from the reports that were stored for the public when battles were posted, whoever
reads it, so nothing secret can come into it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from campaigns.models import Battle, Campaign, Log
from campaigns.projection import public_viewer
from campaigns.reports import aar
from campaigns.reports.aar import AarReport
from campaigns.reports.history import Standing, scored_for, standings

TURNING_POINT = 2
"""Weight of the lines that are told again."""

MOMENTS = 8
"""Turning points told of one battle; the report has the others."""


@dataclass(frozen=True)
class Scored:
    """What one side won of points in a battle, and why."""

    side: str
    victory: int
    casualty: int
    why: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    """One battle, as the public was told of it."""

    battle: Battle
    report: AarReport
    reversed: bool
    """Undone since: it counts no more."""
    watched: bool
    """Whether there is a replay."""
    moments: tuple[str, ...]
    more: int
    """Turning points that are not among the moments."""
    scored: tuple[Scored, ...]


@dataclass(frozen=True)
class Step:
    """A turn in which something was published."""

    number: int
    date: date
    title: str
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True)
class Chronicle:
    title: str
    summary: str
    starts: date
    standings: tuple[Standing, ...]
    steps: tuple[Step, ...]
    turn: int
    """The turn the campaign is in."""
    ended: bool


def chronicle(campaign: Campaign) -> Chronicle:
    """The story so far."""
    viewer = public_viewer(campaign)
    told = (Battle.State.POSTED, Battle.State.REVERSED)
    battles = list(campaign.battles.filter(state__in=told).select_related("turn"))
    stored = aar.published(viewer, battles)
    snapshots = {row.result.snapshot_id for row in stored.values()}
    watched = set(Log.objects.filter(snapshot__in=snapshots).values_list("snapshot", flat=True))
    chapters: dict[int, list[Chapter]] = defaultdict(list)
    for battle in battles:
        row = stored.get(battle.pk)
        if row is not None:
            report = aar.from_document(row.document)
            chapter = _chapter(battle, report, watched=row.result.snapshot_id in watched)
            chapters[battle.turn_id].append(chapter)
    turns = list(campaign.turns.all())
    return Chronicle(
        title=campaign.title,
        summary=campaign.summary,
        starts=campaign.starts,
        standings=standings(viewer, campaign),
        steps=tuple(
            Step(turn.number, turn.date, turn.title, tuple(chapters[turn.pk]))
            for turn in turns
            if turn.pk in chapters
        ),
        turn=turns[-1].number,
        ended=bool(campaign.ladder) and not turns[-1].rung,
    )


def _chapter(battle: Battle, report: AarReport, *, watched: bool) -> Chapter:
    # The last line of a fight says how it ended, as the chapter itself does.
    moments = tuple(line.text for line in report.lines[:-1] if line.weight >= TURNING_POINT)
    return Chapter(
        battle=battle,
        report=report,
        reversed=battle.state == Battle.State.REVERSED,
        watched=watched,
        moments=moments[:MOMENTS],
        more=max(0, len(moments) - MOMENTS),
        scored=_scored(report),
    )


def _scored(report: AarReport) -> tuple[Scored, ...]:
    sides = dict.fromkeys(point.side for point in report.points)

    def won(side: str, what: str) -> int:
        return sum(p.quantity for p in report.points if (p.side, p.what) == (side, what))

    return tuple(
        Scored(
            side,
            won(side, "victory"),
            won(side, "casualty"),
            tuple(
                scored_for(p.why, p.quantity)
                for p in report.points
                if p.side == side and p.what == "victory"
            ),
        )
        for side in sides
    )


def open_campaigns() -> tuple[Campaign, ...]:
    """The campaigns whose chronicle anyone may read, the newest first."""
    return tuple(Campaign.objects.filter(options__public=True))

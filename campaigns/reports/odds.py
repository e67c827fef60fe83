"""Odds as one reader may have them: shares that add up, intervals, spreads, and how they held.

A side reads what its own question found: its losses, the points, who wins. What it assumed of
the enemy is not shown as if it were known.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaigns import access, engine, muster
from campaigns.access import Action
from campaigns.models import Battle, Forecast, Result, Seat
from campaigns.projection import Viewer, viewer_for
from campaigns.refusals import NotFound, Refused
from campaigns.reports.aar import AarLine, lines_of


@dataclass(frozen=True)
class OutcomeRow:
    """One way it can end, in hundredths of a percent."""

    key: str
    """The side's key, `draw` or `failed`."""
    words: str
    side: str
    count: int
    share: int
    low: int
    high: int
    typical: bool
    """Whether there is a run to look at."""


@dataclass(frozen=True)
class SpreadRow:
    """A number over the runs: eight of ten lie from `low` to `high`."""

    what: str
    name: str
    side: str
    side_name: str
    low: int
    middle: int
    high: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class OddsReport:
    uid: str
    battle: str
    state: str
    state_name: str
    basis: str
    """What it was worked out from, in words."""
    fought: int
    runs: int
    most: int
    half_width: int
    enough: bool
    outcomes: tuple[OutcomeRow, ...]
    spreads: tuple[SpreadRow, ...]
    faults: tuple[str, ...]
    error: str
    stale: bool
    """Whether other forces would be fought with by now."""
    hash: str
    asked_by: str
    created_at: datetime
    finished_at: datetime | None
    elapsed: int = 0
    """Seconds since they were asked for, while they are being worked out."""
    expected: int = 0
    """About how many battles will be enough; 0 once it is over."""
    remaining: int | None = None
    """About how many seconds more, from the battles so far; None while none has been fought."""

    @property
    def unfinished(self) -> bool:
        return self.state == Forecast.State.RUNNING


BEFORE = (Battle.State.PLANNED, Battle.State.LOCKED)
REFEREES = "The forces as they are, on both sides."
LOCKED = "The locked forces of both sides."
A_SIDES = (
    "Your own force as it stands, against the force the scenario gives the other side, at full"
    " strength. What the other side really brings is not looked at, and its works, guns, aircraft"
    " and ways off the map are left out: they are its own to know before the battle."
)


def odds(seat: Seat, forecast_id: str) -> OddsReport:
    """One forecast."""
    return of(viewer_for(seat), access.forecast_for(seat, forecast_id))


def latest(seat: Seat, battle: Battle) -> OddsReport | None:
    """The newest forecast of a battle that this seat's audience asked for and did not give up."""
    if not access.may(seat, Action.FORECAST):
        return None
    viewer = viewer_for(seat)
    rows = Forecast.objects.filter(battle=battle).exclude(state=Forecast.State.CANCELLED)
    rows = rows.select_related("battle__campaign", "asked_by")
    side = None if viewer.sees_all else seat.side
    found = rows.filter(side=side).first()
    return of(viewer, found) if found else None


def of(viewer: Viewer, row: Forecast) -> OddsReport:
    """A forecast for somebody who may read it."""
    found = engine.read_odds(row.result) if row.result else None
    fought, waiting = _under_way(row) if row.state == Forecast.State.RUNNING else (0, {})
    names = {side.key: side.name for side in row.battle.campaign.sides.all()}
    basis = A_SIDES if row.side_id else LOCKED if row.snapshot_id else REFEREES
    return OddsReport(
        uid=row.uid,
        battle=row.battle.uid,
        state=row.state,
        state_name=row.get_state_display(),
        basis=basis,
        fought=found.runs if found else fought,
        runs=found.runs if found else 0,
        most=row.most,
        half_width=row.half_width,
        enough=bool(found and found.enough),
        outcomes=tuple(
            OutcomeRow(
                key=share.side or share.outcome,
                words=f"{names.get(share.side, share.side)} win" if share.side else share.outcome,
                side=share.side,
                count=share.count,
                share=share.share,
                low=share.low,
                high=share.high,
                # Told in full, a battle names the terms of both sides.
                typical=viewer.sees_all and share.typical >= 0 and share.outcome != "failed",
            )
            for share in (found.outcomes if found else ())
        ),
        spreads=tuple(
            SpreadRow(
                a.what, a.name, a.side, names.get(a.side, ""), a.low, a.middle, a.high, a.counts
            )
            for a in (found.amounts if found else ())
            if viewer.sees_all
            or a.what in ("victory", "casualty")
            or (a.what == "lost" and a.side == viewer.side_key)
        ),
        faults=found.faults if found and viewer.sees_all else (),
        error=row.error,
        stale=_stale(row),
        hash=found.hash if found else "",
        asked_by=row.asked_by.username,
        created_at=row.created_at,
        finished_at=row.finished_at,
        **waiting,
    )


def _under_way(row: Forecast) -> tuple[int, dict[str, Any]]:
    """How many battles were fought, and what that says of the time to come."""
    bodies = row.chunks.exclude(body="").order_by("first").values_list("body", flat=True)
    outcomes = [outcome for body in bodies for outcome in engine.odds_outcomes(body)]
    fought = len(outcomes)
    elapsed = max(0, round((timezone.now() - row.created_at).total_seconds()))
    expected = engine.odds_expected(outcomes, row.most, row.half_width)
    remaining = round(elapsed * max(0, expected - fought) / fought) if fought else None
    return fought, {"elapsed": elapsed, "expected": expected, "remaining": remaining}


def _stale(row: Forecast) -> bool:
    """Whether the battle, not fought yet, would by now be fought with other forces."""
    battle = row.battle
    if row.state != Forecast.State.DONE or battle.state not in BEFORE:
        return False
    snapshot = battle.latest_snapshot() if battle.state == Battle.State.LOCKED else None
    try:
        if row.side is not None:
            return engine.digest(muster.known_scenario(battle, row.side)) != row.hash
        return (snapshot.hash if snapshot else engine.digest(muster.scenario(battle))) != row.hash
    except Refused:
        return True


@dataclass(frozen=True)
class TypicalReport:
    """A run of a forecast, told to who asked for it."""

    words: str
    run: int
    how: str
    lines: tuple[AarLine, ...]


def typical(seat: Seat, forecast_id: str, outcome: str) -> TypicalReport:
    """The run in the middle of those that ended one way, fought again and told. Nothing of it
    happened: it is told as its asker would hear it."""
    row = access.forecast_for(seat, forecast_id)
    report = of(viewer_for(seat), row)
    chosen = next((o for o in report.outcomes if o.key == outcome and o.typical), None)
    if chosen is None:
        raise NotFound
    found = engine.read_odds(row.result)
    if found.version != engine.version(row.campaign.ruleset):
        raise Refused("These odds are by another version of the rules. Work them out again.")
    run = next(s.typical for s in found.outcomes if (s.side or s.outcome) == outcome)
    scenario = engine.read_scenario(row.campaign.ruleset, row.document)
    proven = engine.odds_run(scenario, bytes(row.key), run)
    told = engine.narrate(proven.log, viewer_for(seat).narrated_to)
    return TypicalReport(chosen.words, run, proven.result.ending.how, lines_of(told))


# --- how the odds held -------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """A battle whose odds were known before it was fought, and how it ended."""

    battle: str
    title: str
    turn: int
    said: tuple[OutcomeRow, ...]
    came: str
    """Key of the outcome that came."""
    came_words: str
    share: int
    """What was said of it, in hundredths of a percent."""
    penalty: int
    """Brier score in thousandths: 0 was certain and right, 2000 certain and wrong."""


@dataclass(frozen=True)
class Calibration:
    battles: tuple[Held, ...]
    mean: int
    """Mean penalty in thousandths; -1 where nothing is to be compared."""
    blind: int
    """The mean penalty of saying a third for each outcome."""


def calibration(seat: Seat) -> Calibration:
    """The referee's odds of locked forces against how their battles ended."""
    access.require(seat, Action.PREVIEW_AS)
    viewer = viewer_for(seat)
    rows = (
        Forecast.objects.filter(
            campaign=seat.campaign, side=None, state=Forecast.State.DONE, snapshot__isnull=False
        )
        .select_related("battle__turn", "battle__campaign", "snapshot")
        .order_by("-pk")
    )
    held: dict[int, Held] = {}
    for row in rows:
        assert row.snapshot_id is not None
        result = Result.objects.filter(snapshot=row.snapshot_id).order_by("-pk").first()
        posted = row.battle.state == Battle.State.POSTED
        if row.battle_id in held or result is None or not posted:
            continue
        if row.snapshot_id != row.battle.latest_snapshot().pk:  # type: ignore[union-attr]
            continue
        ending = engine.read_result(result.document).ending
        held[row.battle_id] = _held(of(viewer, row), row.battle, ending.winner or ending.kind)
    battles = tuple(held.values())
    mean = round(sum(b.penalty for b in battles) / len(battles)) if battles else -1
    return Calibration(battles, mean, 667)


def _held(report: OddsReport, battle: Battle, came: str) -> Held:
    outcome = next(row for row in report.outcomes if row.key == came)
    wrong = sum(((row.key == came) - row.share / 10_000) ** 2 for row in report.outcomes)
    return Held(
        battle=battle.uid,
        title=battle.title,
        turn=battle.turn.number,
        said=report.outcomes,
        came=came,
        came_words=outcome.words,
        share=outcome.share,
        penalty=round(1000 * wrong),
    )

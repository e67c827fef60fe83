"""Odds before the battle: asked for, worked out in chunks by bulk workers, kept.

A forecast has lanes, one job each. A lane takes the next chunk that nobody holds, fights it,
writes it, and asks whether the runs so far are enough; the asking is of the prefix alone, so
the answer is the same for any number of lanes and any timing. A lane that dies loses its lease
like any job, and its chunk falls to whoever comes next.
"""

from __future__ import annotations

import logging

from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from campaigns import access, engine, muster
from campaigns.access import Action
from campaigns.models import Battle, Campaign, Forecast, ForecastChunk, ForecastLane, Job, Seat
from campaigns.operations import battle_states, jobs
from campaigns.operations.jobs import Claim
from campaigns.refusals import Refused

logger = logging.getLogger(__name__)

State = Forecast.State
LANES = 2
CHUNK = 25
"""Battles between two looks at whether it is enough, and between two writes."""
CHUNKS_A_TASK = 40
"""Then a lane hands over to a new task, so that none meets the worker's time limit."""
MOST = 10_000
HALF_WIDTH = 300


@transaction.atomic
def ask(*, seat: Seat, battle_id: str, most: int = MOST, half_width: int = HALF_WIDTH) -> Forecast:
    """Have the odds of a planned or locked battle worked out.

    Asked the same again while it is being worked out, the same forecast is returned; asked of
    other forces, it is begun anew. `half_width` in hundredths of a percent.
    """
    battle = access.battle_for(seat, battle_id, Action.FORECAST, lock=True)
    battle_states.require(battle, Battle.State.PLANNED, Battle.State.LOCKED, what="forecast")
    if not 1 <= most <= MOST:
        raise Refused(f"Between 1 and {MOST} battles can be fought for odds.", path="most")
    if not 50 <= half_width <= 2_000:
        raise Refused("The interval can be from 0.5 to 20 points wide.", path="half_width")
    side = None if access.audience_of(seat) == access.REFEREE else seat.side
    snapshot = battle.latest_snapshot() if battle.state == Battle.State.LOCKED else None
    if side is not None:
        scenario = muster.known_scenario(battle, side)
    elif snapshot is not None:
        scenario = engine.read_scenario(battle.campaign.ruleset, snapshot.document)
    else:
        scenario = muster.scenario(battle)
    with access.blinded(seat, "The forces cannot be laid out as they are."):
        engine.validate(scenario)
    running = Forecast.objects.filter(battle=battle, side=side, state=State.RUNNING).first()
    if running is not None:
        asked = (engine.digest(scenario), most, half_width)
        if (running.hash, running.most, running.half_width) == asked:
            return running
        _end(running, State.CANCELLED)
    forecast = Forecast.objects.create(
        campaign=battle.campaign,
        battle=battle,
        side=side,
        snapshot=snapshot if side is None else None,
        document=engine.canonical(scenario).decode(),
        hash=engine.digest(scenario),
        key=engine.new_key(),
        most=most,
        half_width=half_width,
        asked_by=seat.user,
    )
    for _ in range(LANES):
        job = jobs.enqueue("forecast", campaign=battle.campaign, queue="bulk", asked_by=seat.user)
        ForecastLane.objects.create(forecast=forecast, job=job)
    return forecast


@transaction.atomic
def cancel(*, seat: Seat, forecast_id: str) -> Forecast:
    """Stop working out odds; what was fought so far is not kept."""
    forecast = access.forecast_for(seat, forecast_id)
    if not access.may(seat, Action.FORECAST):  # also where the campaign is archived by now
        access.require(seat, Action.FORECAST)
    if not _end(forecast, State.CANCELLED):
        forecast.refresh_from_db()
        raise Refused(f"These odds cannot be cancelled: they are {forecast.get_state_display()}.")
    forecast.refresh_from_db()
    return forecast


def end_all(campaign: Campaign) -> None:
    """Stop every odds of a campaign that is being worked out: it goes into the archive."""
    for forecast in Forecast.objects.filter(battle__campaign=campaign, state=State.RUNNING):
        _end(forecast, State.CANCELLED)


def progress(forecast: Forecast) -> int:
    """How many battles have been fought."""
    done = forecast.chunks.exclude(body="").values_list("count", flat=True)
    return sum(done)


# --- the worker's part -----------------------------------------------------------------------


def work(*, job_id: int) -> None:
    """Fight chunks until the forecast is over. Raises nothing: the rows say it all."""
    claim = jobs.claim(job_id)
    if claim is None:
        return
    lane = ForecastLane.objects.select_related("forecast__campaign", "forecast__battle").get(
        job_id=job_id
    )
    forecast = lane.forecast
    try:
        scenario = engine.read_scenario(forecast.campaign.ruleset, forecast.document)
        for _ in range(CHUNKS_A_TASK):
            chunk = _next_chunk(forecast, claim)
            if chunk is None:
                # Whoever fought the last one may have died before it asked.
                _sum_up(forecast, scenario)
                break
            body = engine.odds_chunk(
                scenario,
                bytes(forecast.key),
                chunk.first,
                chunk.count,
                lambda made: claim.beat(made, "fighting for odds"),
                (SoftTimeLimitExceeded,),
            )
            if body is None:
                return
            _keep(claim, chunk, body)
            _sum_up(forecast, scenario)
        else:
            _hand_over(forecast, claim)
    except SoftTimeLimitExceeded:
        _hand_over(forecast, claim)
    except (OperationalError, InterfaceError):
        # A database that went away is no fault of the odds: the lease runs out, and another
        # attempt takes the chunk up.
        logger.exception("forecast %s met a database that failed", forecast.uid)
    except Exception as error:
        logger.exception("forecast %s failed", forecast.uid)
        claim.finish(Job.State.FAILED, error=str(error)[:500], phase="failed")
        _end(forecast, State.FAILED, error=f"The odds broke down: {type(error).__name__}.")
    else:
        claim.finish(Job.State.SUCCEEDED, phase="done")
    _sweep(forecast)


@transaction.atomic
def _hand_over(forecast: Forecast, claim: Claim) -> None:
    """End this task and begin another, in one act; a chunk it held falls to whoever comes next."""
    running = Forecast.objects.filter(pk=forecast.pk, state=State.RUNNING).exists()
    if not claim.finish(Job.State.SUCCEEDED, phase="handed over") or not running:
        return
    job = jobs.enqueue(
        "forecast", campaign=forecast.campaign, queue="bulk", asked_by=forecast.asked_by
    )
    ForecastLane.objects.create(forecast=forecast, job=job)


def _next_chunk(forecast: Forecast, claim: Claim) -> ForecastChunk | None:
    """The next runs nobody holds, now held by this lane; None when there are none to fight."""
    while True:
        forecast.refresh_from_db(fields=["state"])
        if forecast.state != State.RUNNING:
            return None
        lost = (
            ForecastChunk.objects.filter(forecast=forecast, body="")
            .filter(~Q(job__state=Job.State.RUNNING) | Q(job=claim.job))
            .first()
        )
        if lost is not None:
            taken = ForecastChunk.objects.filter(
                pk=lost.pk, body="", job=lost.job_id, attempt=lost.attempt
            ).update(job=claim.job, attempt=claim.attempt)
            if taken:
                return ForecastChunk.objects.get(pk=lost.pk)
            continue
        last = forecast.chunks.order_by("-first").first()
        first = last.first + last.count if last else 0
        if first >= forecast.most:
            return None
        count = min(CHUNK, forecast.most - first)
        try:
            with transaction.atomic():
                return ForecastChunk.objects.create(
                    forecast=forecast,
                    first=first,
                    count=count,
                    job=claim.job,
                    attempt=claim.attempt,
                )
        except IntegrityError:
            continue


def _keep(claim: Claim, chunk: ForecastChunk, body: str) -> None:
    """Write a fought chunk, if it is still this lane's."""
    ForecastChunk.objects.filter(pk=chunk.pk, body="", job=claim.job, attempt=claim.attempt).update(
        body=body
    )


def _sum_up(forecast: Forecast, scenario: engine.Scenario) -> None:
    """End the forecast if the runs in order from the first on are enough."""
    fought = forecast.chunks.exclude(body="").order_by("first")
    upto = 0
    for first, count in fought.values_list("first", "count"):
        if first != upto:
            break
        upto += count
    if upto < forecast.most and upto % engine.ODDS_LOOK >= CHUNK:
        return  # nothing is asked between two looks
    bodies = list(fought.filter(first__lt=upto).values_list("body", flat=True))
    outcomes = [outcome for body in bodies for outcome in engine.odds_outcomes(body)]
    runs = engine.odds_enough(outcomes, forecast.most, forecast.half_width)
    if runs:
        odds = engine.odds_of(scenario, bodies, runs, forecast.half_width)
        _end(forecast, State.DONE, result=engine.canonical(odds).decode())


def _sweep(forecast: Forecast) -> None:
    """Drop a chunk that was taken just as somebody else ended the odds."""
    if Forecast.objects.filter(pk=forecast.pk).exclude(state=State.RUNNING).exists():
        forecast.chunks.all().delete()


@transaction.atomic
def _end(forecast: Forecast, state: State, *, result: str = "", error: str = "") -> bool:
    """End a forecast once; its chunks are summed up in it and go, its lanes stop by themselves."""
    ended = Forecast.objects.filter(pk=forecast.pk, state=State.RUNNING).update(
        state=state, result=result, error=error, finished_at=timezone.now()
    )
    if ended:
        Job.objects.filter(lane__forecast=forecast, state=Job.State.QUEUED).update(
            state=Job.State.CANCELLED, finished_at=timezone.now(), phase="not needed"
        )
        if state != State.DONE:
            Job.objects.filter(lane__forecast=forecast, state=Job.State.RUNNING).update(
                state=Job.State.CANCELLED, finished_at=timezone.now(), phase="cancelled"
            )
        forecast.chunks.all().delete()
    return bool(ended)

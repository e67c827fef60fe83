"""Jobs: the row is the truth, the message only wakes a worker.

A claim is a compare-and-swap that raises the attempt number; every later write names that
number, so a worker that was given up for lost writes nothing more. A heartbeat keeps the
lease. The tick requeues what lost it and sends what was never sent. All of them go by the clock
of the database, since those of the machines may differ.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from campaigns import access
from campaigns.access import Action
from campaigns.models import Battle, Campaign, ForceSnapshot, Forecast, ForecastLane, Job, Seat
from campaigns.operations import battle_states
from campaigns.refusals import Refused

logger = logging.getLogger(__name__)

State = Job.State
UNFINISHED = (State.QUEUED, State.RUNNING)
SECONDS_BETWEEN_BEATS = 1.0


def now() -> datetime:
    """The time by the clock of the database; one of a file has that of this machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        told: datetime = cursor.fetchone()[0]
    return told


def enqueue(
    task: str,
    *,
    campaign: Campaign,
    battle: Battle | None = None,
    snapshot: ForceSnapshot | None = None,
    queue: str = "battles",
    asked_by: Any = None,
) -> Job:
    """Write a job and wake a worker once the transaction commits. Tasks go by name."""
    job = Job.objects.create(
        campaign=campaign,
        battle=battle,
        snapshot=snapshot,
        task=task,
        queue=queue,
        asked_by=asked_by,
    )
    transaction.on_commit(lambda: dispatch(job))
    return job


def dispatch(job: Job) -> None:
    """Send the message that wakes a worker. A broker that is down is tried again by the tick."""
    try:
        current_app.send_task(job.task, args=[job.pk], queue=job.queue, retry=False)
    except Exception as error:
        logger.warning("job %s was not sent, the next tick sends it: %s", job.uid, error)
        return
    Job.objects.filter(pk=job.pk).update(dispatched_at=now())


@dataclass
class Claim:
    """A worker's hold on a job, good while nobody else has claimed it."""

    job: Job
    attempt: int
    _last: float = field(default=0.0, repr=False)

    def _mine(self) -> Any:
        return Job.objects.filter(pk=self.job.pk, attempt=self.attempt, state=State.RUNNING)

    def beat(self, progress: int, phase: str) -> bool:
        """Say that the work goes on; False when it is no longer ours to do."""
        moment = time.monotonic()
        if moment - self._last < SECONDS_BETWEEN_BEATS:
            return True
        self._last = moment
        return bool(self._mine().update(heartbeat_at=now(), progress=progress, phase=phase))

    def finish(self, state: State, *, error: str = "", phase: str = "") -> bool:
        """End the job; False when it was no longer ours, and nothing may be written."""
        return bool(
            self._mine().update(state=state, error=error, phase=phase, finished_at=timezone.now())
        )


def claim(job_id: int) -> Claim | None:
    """Take a job that waits, or None when somebody else has it or it is over."""
    taken = Job.objects.filter(pk=job_id, state=State.QUEUED).update(
        state=State.RUNNING,
        attempt=F("attempt") + 1,
        heartbeat_at=now(),
        progress=0,
        phase="starting",
    )
    if not taken:
        return None
    job = Job.objects.select_related("campaign", "battle", "snapshot").get(pk=job_id)
    return Claim(job, job.attempt)


@transaction.atomic
def cancel(*, seat: Seat, job_id: str) -> Job:
    """Stop a job that waits or runs; its battle is locked again."""
    access.require(seat, Action.RESOLVE)
    job = access.job_for(seat, job_id, lock=True)
    stopped = Job.objects.filter(pk=job.pk, state__in=UNFINISHED).update(
        state=State.CANCELLED, finished_at=timezone.now(), phase="cancelled"
    )
    job.refresh_from_db()
    if not stopped:
        raise Refused(f"This job cannot be cancelled: it is {job.get_state_display()}.")
    release(job)
    return job


def release(job: Job) -> None:
    """Give a battle back that its job will not fight; end the odds that no lane works at."""
    lane = ForecastLane.objects.filter(job=job).first()
    if lane is not None:
        others = Job.objects.filter(lane__forecast=lane.forecast_id, state__in=UNFINISHED)
        if not others.exclude(pk=job.pk).exists():
            Forecast.objects.filter(pk=lane.forecast_id, state=Forecast.State.RUNNING).update(
                state=Forecast.State.FAILED,
                error="The workers were lost before the odds were worked out.",
                finished_at=timezone.now(),
            )
            lane.forecast.chunks.all().delete()
    if job.battle is not None:
        battle_states.try_move(job.battle, Battle.State.LOCKED, expecting=Battle.State.RESOLVING)


def reap(dispatcher: Callable[[Job], None] = dispatch) -> int:
    """Requeue jobs that lost their lease, send those that were never sent; how many."""
    present = now()
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    # A heartbeat from the future is a clock that was set back: it keeps no lease either.
    lost = Job.objects.filter(state=State.RUNNING).filter(
        Q(heartbeat_at__lt=present - lease) | Q(heartbeat_at__gt=present + lease)
    )
    handled = 0
    for job in lost.select_related("battle"):
        handled += _requeue(job, dispatcher)
    unsent = Job.objects.filter(state=State.QUEUED).filter(
        Q(dispatched_at__isnull=True, created_at__lt=present - timedelta(seconds=2))
        | Q(dispatched_at__isnull=True, created_at__gt=present + lease)
        | Q(dispatched_at__lt=present - 3 * lease)
        | Q(dispatched_at__gt=present + lease)
    )
    for job in unsent:
        dispatcher(job)
        handled += 1
    return handled


@transaction.atomic
def _requeue(job: Job, dispatcher: Callable[[Job], None]) -> int:
    held = Job.objects.filter(
        pk=job.pk, state=State.RUNNING, attempt=job.attempt, heartbeat_at=job.heartbeat_at
    )
    if job.attempt >= settings.JOB_MAX_ATTEMPTS:
        given_up = held.update(
            state=State.FAILED,
            finished_at=timezone.now(),
            error=f"The worker was lost {job.attempt} times before it had finished.",
        )
        if given_up:
            release(job)
        return given_up
    requeued = held.update(state=State.QUEUED, phase="waiting again", dispatched_at=None)
    if requeued:
        transaction.on_commit(lambda: dispatcher(job))
    return requeued

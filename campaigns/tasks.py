"""What a worker does: fetch, call an operation. Tasks are known by name."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from campaigns.operations import forecasts, jobs, kept_answers, pulses, resolution


@shared_task(name="resolve")  # type: ignore[untyped-decorator]  # celery has no types
def resolve(job_id: int) -> None:
    """Fight the battle of a job."""
    resolution.resolve(job_id=job_id)


@shared_task(name="forecast")  # type: ignore[untyped-decorator]
def forecast(job_id: int) -> None:
    """Fight chunks of a forecast until it is enough."""
    forecasts.work(job_id=job_id)


@shared_task(name="tick", bind=True)  # type: ignore[untyped-decorator]
def tick(self: Any) -> None:
    """Requeue what was lost, send what was never sent."""
    jobs.reap()
    kept_answers.forget()
    pulses.beat(worker=self.request.hostname or "here", queue="battles")


@shared_task(name="pulse", bind=True)  # type: ignore[untyped-decorator]
def pulse(self: Any, queue: str) -> None:
    """Say that a worker of this queue lives."""
    pulses.beat(worker=self.request.hostname or "here", queue=queue)

"""How the installation is, for its operators: processes and stores, nothing of any campaign."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu.exceptions import ChannelError

from campaigns import VERSION
from campaigns.models import Job, Pulse

QUEUES = ("battles", "bulk")
SILENT_AFTER = timedelta(seconds=60)
LITTLE_SPACE = 1 << 30
NO_SPACE = 200 << 20
OK, WATCH, BAD = "ok", "watch", "bad"


@dataclass(frozen=True)
class Finding:
    """One thing looked at: how it is, in words and in figures."""

    name: str
    state: str
    words: str
    figures: dict[str, Any]


@dataclass(frozen=True)
class Health:
    version: str
    state: str
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def health() -> Health:
    """Everything looked at once. What cannot be asked is bad, and breaks nothing else."""
    looks: list[tuple[str, Callable[[], Finding]]] = [
        ("Database", _database),
        ("Migrations", _migrations),
        ("Broker", _broker),
        *[(f"Workers: {q}", lambda q=q: _workers(q)) for q in QUEUES],
        ("Jobs", _jobs),
        ("Disk", _disk),
    ]
    found = tuple(_look(name, look) for name, look in looks)
    states = {finding.state for finding in found}
    worst = next((state for state in (BAD, WATCH) if state in states), OK)
    return Health(VERSION, worst, found)


def _look(name: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except Exception as error:
        return Finding(name, BAD, f"It does not answer ({type(error).__name__}).", {})


def _database() -> Finding:
    begun = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    took = round((time.monotonic() - begun) * 1000, 1)
    kind = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}.get(
        connection.vendor, connection.vendor
    )
    return Finding("Database", OK, f"{kind} answers.", {"kind": kind, "milliseconds": took})


def _migrations() -> Finding:
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    words = f"{missing} to be applied: run manage.py migrate." if missing else "All are applied."
    return Finding("Migrations", BAD if missing else OK, words, {"missing": missing})


def _broker() -> Finding:
    waiting = {}
    with current_app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=2)
        for queue in QUEUES:
            try:
                declared = broker.default_channel.queue_declare(queue, passive=True)
                waiting[queue] = declared.message_count
            except ChannelError:  # Redis has no empty queues
                waiting[queue] = 0
        kind = broker.transport.driver_type
    told = ", ".join(f"{count} in {queue}" for queue, count in waiting.items())
    return Finding("Broker", OK, f"It answers. Messages: {told}.", {"kind": kind} | waiting)


def _workers(queue: str) -> Finding:
    """A worker that fights says so in its job, and takes no message meanwhile."""
    now = timezone.now()
    pulses = list(Pulse.objects.filter(queue=queue).order_by("-seen_at"))
    beating = [pulse for pulse in pulses if pulse.seen_at > now - SILENT_AFTER]
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    fighting = Job.objects.filter(
        queue=queue, state=Job.State.RUNNING, heartbeat_at__gt=now - lease
    ).count()
    last = max([pulse.seen_at for pulse in pulses], default=None)
    if last is None:
        words = "None has ever been heard of."
    else:
        words = f"{len(beating)} heard of in the last minute, the last at {last:%H:%M:%S} UTC."
    if fighting:
        words += f" {fighting} at work."
    figures = {
        "seen": len(beating),
        "last_tick": last.isoformat() if last else None,
        "at_work": fighting,
    }
    return Finding(f"Workers: {queue}", OK if beating or fighting else BAD, words, figures)


def _jobs() -> Finding:
    now = timezone.now()
    queued = Job.objects.filter(state=Job.State.QUEUED)
    old = queued.filter(created_at__lt=now - timedelta(minutes=5)).count()
    failed = Job.objects.filter(state=Job.State.FAILED)
    figures = {
        "waiting": {queue: queued.filter(queue=queue).count() for queue in QUEUES},
        "waiting_long": old,
        "running": Job.objects.filter(state=Job.State.RUNNING).count(),
        "failed_today": failed.filter(finished_at__gt=now - timedelta(days=1)).count(),
        "failed": failed.count(),
    }
    words = (
        f"{queued.count()} waiting ({old} for more than five minutes), {figures['running']}"
        f" running, {figures['failed_today']} failed in a day, {figures['failed']} in all."
    )
    return Finding("Jobs", WATCH if old or figures["failed_today"] else OK, words, figures)


def _disk() -> Finding:
    usage = shutil.disk_usage(settings.VAR_DIR)
    state = BAD if usage.free < NO_SPACE else WATCH if usage.free < LITTLE_SPACE else OK
    words = f"{usage.free / (1 << 30):.1f} GiB free of {usage.total / (1 << 30):.1f}."
    return Finding("Disk", state, words, {"free": usage.free, "total": usage.total})

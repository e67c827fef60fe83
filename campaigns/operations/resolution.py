"""The worker's part: fight a locked battle by its job, and report it.

Stateless and safe to run twice: snapshot and key are stored, so another attempt gives the
identical battle; log and result are written in one transaction that the job's attempt number
guards. A ruleset that raises makes a failed job with its reason, never an event of the game.
A database that went away makes neither: the lease runs out and another attempt is made.
"""

from __future__ import annotations

import contextlib
import logging

from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from campaigns import battle_log, engine, muster
from campaigns.engine import Fought, Scenario
from campaigns.models import Battle, Job, Log, Result
from campaigns.operations import battle_states, jobs
from campaigns.operations.jobs import Claim
from campaigns.refusals import Refused

logger = logging.getLogger(__name__)

DISK_FULL = "53100"
"""PostgreSQL's code for it."""


def resolve(*, job_id: int) -> None:
    """Fight the battle of a job, if it still waits. Raises nothing: the job row says it all."""
    claim = jobs.claim(job_id)
    if claim is None:
        return
    try:
        _resolve(claim)
    except (OperationalError, InterfaceError) as error:
        logger.exception("battle job %s met a database that failed", claim.job.uid)
        if full(error):
            with contextlib.suppress(DatabaseError):
                _fail(claim, "The disk of the database is full: nothing was written.")


def full(error: Exception) -> bool:
    """Whether a database failed for want of room, SQLite or PostgreSQL."""
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    return sqlstate == DISK_FULL or "database or disk is full" in str(error)


def _resolve(claim: Claim) -> None:
    try:
        scenario, fought = _fight(claim)
    except engine.Stopped:
        return
    except Refused as refusal:
        _fail(claim, refusal.why)
    except engine.UnknownRuleset:
        _fail(
            claim,
            f"The worker has no rules called {claim.job.campaign.ruleset}: it runs another version"
            " of Sitrep. Once the operator has brought it up to date, ask again.",
        )
    except (OperationalError, InterfaceError):
        raise
    except SoftTimeLimitExceeded:
        _fail(claim, "The battle took longer than the worker's time limit.")
    except Exception as error:
        logger.exception("battle job %s failed", claim.job.uid)
        _fail(claim, f"The rules of {claim.job.campaign.ruleset} broke down: {_words(error)}")
    else:
        _report(claim, scenario, fought)


def _fight(claim: Claim) -> tuple[Scenario, Fought]:
    job = claim.job
    if job.snapshot is None:
        raise Refused("This job has no forces to fight with.")
    snapshot = job.snapshot
    current = engine.version(job.campaign.ruleset)
    if current != snapshot.ruleset_version:
        raise Refused(
            f"The forces locked under version {snapshot.ruleset_version} of the rules, this is"
            f" {current}. Unlock the battle and lock it again."
        )
    scenario = engine.read_scenario(job.campaign.ruleset, snapshot.document)
    fought = engine.fight(
        scenario,
        bytes(snapshot.sealed_key.key),
        snapshot.attempt,
        lambda made: claim.beat(made, f"{made} decisions made"),
    )
    return scenario, fought


def _words(error: Exception) -> str:
    text = str(error).strip()
    return f"{text} ({type(error).__name__})." if text else f"{type(error).__name__}."


@transaction.atomic
def _fail(claim: Claim, why: str) -> None:
    if claim.finish(Job.State.FAILED, error=why, phase="failed"):
        jobs.release(claim.job)


@transaction.atomic
def _report(claim: Claim, scenario: Scenario, fought: Fought) -> None:
    """Write log and result and report the battle, if the job is still this worker's."""
    job = claim.job
    snapshot = job.snapshot
    if job.battle is None or snapshot is None:
        return
    battle = Battle.objects.select_for_update().get(pk=job.battle.pk)
    if battle.attempt != snapshot.attempt or not muster.still_stands(battle, scenario):
        if claim.finish(
            Job.State.SUPERSEDED,
            error="The forces changed while the battle was fought. Unlock it and lock it again.",
        ):
            jobs.release(job)
        return
    if not claim.finish(Job.State.SUCCEEDED, phase=engine.many(fought.events, "event")):
        return
    if not Log.objects.filter(snapshot=snapshot).exists():
        battle_log.store(snapshot, fought)
        Result.objects.create(
            snapshot=snapshot,
            battle=battle,
            source="engine",
            document=engine.canonical(fought.result).decode(),
            hash=fought.result.hash,
            by_name="the engine",
        )
    battle_states.try_move(battle, Battle.State.REPORTED, expecting=Battle.State.RESOLVING)

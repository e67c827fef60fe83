"""Faults that a resolution must survive, injected one by one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone

from campaigns.models import Battle, Job, Log, Result
from campaigns.operations import adjustments, battles, jobs, resolution
from campaigns.refusals import Refused
from campaigns.reports import battle as battle_report
from tests.campaign.conftest import Cast, toy_pack
from tests.toy.ruleset import Trouble

pytestmark = pytest.mark.usefixtures("balanced")


def asked(cast: Cast) -> tuple[Battle, Job]:
    battle = cast.locked()
    return battle, battles.request_resolve(seat=cast.referee, battle_id=battle.uid)


def later(job: Job, **fields: object) -> None:
    Job.objects.filter(pk=job.pk).update(**fields)


def test_a_message_delivered_twice_fights_one_battle(cast: Cast) -> None:
    battle, job = asked(cast)
    resolution.resolve(job_id=job.pk)
    resolution.resolve(job_id=job.pk)
    assert Result.objects.filter(battle=battle).count() == 1
    job.refresh_from_db()
    assert (job.state, job.attempt) == (Job.State.SUCCEEDED, 1)


def test_asking_twice_returns_the_job_under_way(cast: Cast) -> None:
    battle, job = asked(cast)
    assert battles.request_resolve(seat=cast.organiser, battle_id=battle.uid) == job


def test_a_message_that_was_never_sent_is_sent_by_the_tick(cast: Cast, sent: list[int]) -> None:
    _, job = asked(cast)
    sent.clear()
    later(job, created_at=timezone.now() - timedelta(seconds=10))
    assert jobs.reap(lambda found: sent.append(found.pk)) == 1
    assert sent == [job.pk]


@pytest.mark.django_db
def test_a_broker_that_is_down_does_not_stop_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*args: object, **kwargs: object) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(current_app, "send_task", down)
    cast = Cast(toy_pack())
    _, job = asked(cast)
    jobs.dispatch(job)
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED
    assert job.dispatched_at is None


def test_a_ruleset_that_raises_makes_a_failed_job_and_no_event(db: None, sent: list[int]) -> None:
    cast = Cast(toy_pack(trouble=Trouble(kind="fail", at=3)))
    battle, job = asked(cast)
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    battle.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "The rules of toy broke down: the toy broke, as it was told to" in job.error
    assert battle.state == Battle.State.LOCKED
    assert not Log.objects.exists()
    assert not Result.objects.exists()
    assert "toy broke" in battle_report.job(cast.referee, job.uid).error
    assert battle_report.job(cast.red, job.uid).error == "The referee knows why."


def test_a_battle_without_end_is_stopped_and_said_to_have_failed(db: None, sent: list[int]) -> None:
    cast = Cast(toy_pack(trouble=Trouble(kind="loop")))
    battle, job = asked(cast)
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    battle.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "not over after" in job.error
    assert battle.state == Battle.State.LOCKED


def test_a_lost_worker_is_replaced_and_writes_nothing_more(cast: Cast) -> None:
    battle, job = asked(cast)
    lost = jobs.claim(job.pk)
    assert lost is not None
    later(job, heartbeat_at=timezone.now() - timedelta(minutes=5))
    jobs.reap(lambda found: None)
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (Job.State.SUCCEEDED, 2)
    assert not lost.finish(Job.State.FAILED, error="too late")
    assert not lost.beat(7, "still here")
    battle.refresh_from_db()
    assert battle.state == Battle.State.REPORTED


def test_the_second_attempt_of_a_job_gives_the_identical_battle(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, job = asked(cast)
    monkeypatch.setattr(resolution, "_report", lambda *args: None)
    resolution.resolve(job_id=job.pk)
    monkeypatch.undo()
    later(job, heartbeat_at=timezone.now() - timedelta(minutes=5))
    jobs.reap(lambda found: None)
    _, fought = resolution._fight(jobs.Claim(Job.objects.get(pk=job.pk), 0, float("inf")))
    resolution.resolve(job_id=job.pk)
    assert Result.objects.get(battle=battle).hash == fought.result.hash


def test_a_worker_lost_again_and_again_gives_the_battle_back_with_a_reason(cast: Cast) -> None:
    battle, job = asked(cast)
    for _ in range(settings.JOB_MAX_ATTEMPTS):
        assert jobs.claim(job.pk) is not None
        later(job, heartbeat_at=timezone.now() - timedelta(minutes=5))
        jobs.reap(lambda found: None)
    job.refresh_from_db()
    battle.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.error == (
        f"The worker was lost {settings.JOB_MAX_ATTEMPTS} times before it had finished."
    )
    assert battle.state == Battle.State.LOCKED


@pytest.mark.parametrize("hours", [-5, 5])
def test_a_clock_that_jumps_delays_a_battle_and_loses_none(cast: Cast, hours: int) -> None:
    battle, job = asked(cast)
    jobs.claim(job.pk)
    later(job, heartbeat_at=timezone.now() + timedelta(hours=hours))
    assert jobs.reap(lambda found: None) == 1
    resolution.resolve(job_id=job.pk)
    battle.refresh_from_db()
    assert battle.state == Battle.State.REPORTED


def test_forces_that_change_meanwhile_supersede_the_battle(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, job = asked(cast)
    fight = resolution._fight

    def slow(claim: jobs.Claim) -> object:
        done = fight(claim)
        adjustments.adjust(
            seat=cast.referee,
            unit_id=cast.unit("r1").uid,
            element="toy-squad",
            condition="fit",
            quantity=-1,
            reason="deserted in the night",
            key="1",
        )
        return done

    monkeypatch.setattr(resolution, "_fight", slow)
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    battle.refresh_from_db()
    assert job.state == Job.State.SUPERSEDED
    assert battle.state == Battle.State.LOCKED
    assert not Result.objects.exists()


def test_a_cancelled_job_stops_and_its_battle_is_locked_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, job = asked(cast)
    claim = jobs.claim(job.pk)
    assert claim is not None
    jobs.cancel(seat=cast.referee, job_id=job.uid)
    assert not claim.beat(1, "going on")
    assert not claim.finish(Job.State.SUCCEEDED)
    battle.refresh_from_db()
    assert battle.state == Battle.State.LOCKED
    with pytest.raises(Refused, match="cannot be cancelled"):
        jobs.cancel(seat=cast.referee, job_id=job.uid)


def test_rules_of_another_version_do_not_fight_a_locked_battle(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    from campaigns import engine

    _, job = asked(cast)
    monkeypatch.setattr(engine, "version", lambda ruleset: "2")
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    assert "locked under version 1 of the rules, this is 2" in job.error

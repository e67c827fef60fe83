"""The health pages: for machines that it lives, for operators how it is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from campaigns import tasks
from campaigns.models import Job, Pulse
from campaigns.operations import pulses
from campaigns.reports import health
from tests.campaign.conftest import SECRETS
from tests.pages.conftest import EVERYBODY

JSON = {"Accept": "application/json"}


@pytest.fixture
def operator(admin_user):
    client = Client()
    client.force_login(admin_user)
    return client


def findings(client):
    answer = client.get("/health/", headers=JSON)
    told = answer.json()
    return answer.status_code, {finding["name"]: finding for finding in told["findings"]}


def test_it_lives_without_a_database():
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_a_member_finds_no_health_page(cast, as_):
    assert {as_(who).get("/health/").status_code for who in EVERYBODY} == {404}


def test_an_operator_sees_stores_and_workers_and_nothing_of_a_campaign(cast, operator):
    cast.posted()
    tasks.tick()
    tasks.pulse("bulk")
    page = operator.get("/health/")
    assert page.status_code == 200
    text = page.content.decode() + operator.get("/health/", headers=JSON).content.decode()
    for name in ("Database", "Migrations", "Broker", "Workers: battles", "Jobs", "Disk"):
        assert name in text
    secrets = [*SECRETS, cast.campaign.title, cast.campaign.slug, "platoon", "first fight"]
    assert not [secret for secret in secrets if secret in text]


def test_workers_that_fell_silent_are_bad_unless_one_is_at_work(cast, operator):
    status, told = findings(operator)
    assert status == 503
    assert told["Workers: battles"]["words"] == "None has ever been heard of."
    for queue in health.QUEUES:
        pulses.beat(worker=f"{queue}@here", queue=queue)
    assert findings(operator)[0] == 200
    Pulse.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    status, told = findings(operator)
    assert (status, told["Workers: bulk"]["figures"]["seen"]) == (503, 0)
    job = Job.objects.create(campaign=cast.campaign, task="forecast", queue="bulk")
    Job.objects.filter(pk=job.pk).update(state="running", heartbeat_at=timezone.now())
    assert findings(operator)[1]["Workers: bulk"]["state"] == "ok"


def test_jobs_that_failed_or_wait_long_want_watching(cast, operator):
    job = Job.objects.create(campaign=cast.campaign, task="resolve")
    assert findings(operator)[1]["Jobs"]["state"] == "ok"
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    told = findings(operator)[1]["Jobs"]
    assert (told["state"], told["figures"]["waiting_long"]) == ("watch", 1)
    Job.objects.filter(pk=job.pk).update(state="failed", finished_at=timezone.now())
    assert findings(operator)[1]["Jobs"]["figures"]["failed_today"] == 1


def test_what_does_not_answer_is_bad_and_the_rest_is_told(operator, monkeypatch, settings):
    def down(*arguments, **more):
        raise ConnectionError("at secret-host")

    monkeypatch.setattr(health.current_app, "connection_for_read", down)
    settings.VAR_DIR = Path("nowhere at all")
    status, told = findings(operator)
    assert status == 503
    assert told["Broker"]["words"] == "It does not answer (ConnectionError)."
    assert told["Disk"]["state"] == "bad"
    assert told["Database"]["state"] == "ok"


def test_a_worker_not_heard_of_for_a_day_is_forgotten(db):
    Pulse.objects.create(
        worker="old@gone", queue="bulk", seen_at=timezone.now() - timedelta(days=2)
    )
    pulses.beat(worker="new@here", queue="bulk")
    pulses.beat(worker="new@here", queue="bulk")
    assert [pulse.worker for pulse in Pulse.objects.all()] == ["new@here"]

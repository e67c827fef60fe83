"""Odds on the battle page: asked for, watched, read, looked into."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns import engine
from campaigns.models import Forecast
from campaigns.operations import battles, forecasts, resolution
from campaigns.templatetags.words import lasting


def page_of(name, battle, *more):
    return reverse(name, args=[battle.campaign.slug, *more])


@pytest.fixture
def asked(cast, as_):
    battle = cast.locked()
    client = as_("referee")
    address = page_of("battle", battle, battle.uid)
    assert "Work out the odds" in client.get(address).content.decode()
    client.post(page_of("odds_ask", battle, battle.uid))
    return battle, Forecast.objects.get(battle=battle)


def done(forecast):
    while lane := forecast.lanes.filter(job__state="queued").first():
        forecasts.work(job_id=lane.job_id)
    forecast.refresh_from_db()
    return forecast


def test_from_the_button_to_the_table(asked, as_):
    battle, forecast = asked
    client = as_("referee")
    address = page_of("battle", battle, battle.uid)
    assert "being worked out" in client.get(address).content.decode()
    progress = client.get(page_of("odds_progress", battle, forecast.uid))
    assert "0 battles fought so far" in progress.content.decode()
    assert "known once the first are fought" in progress.content.decode()
    assert "HX-Refresh" not in progress.headers
    done(forecast)
    assert "HX-Refresh" in client.get(page_of("odds_progress", battle, forecast.uid)).headers
    page = client.get(address).content.decode()
    assert "The locked forces of both sides." in page
    assert "95 % interval" in page
    assert "Work them out again" in page


def test_a_typical_battle_is_told_and_said_not_to_have_happened(asked, as_):
    battle, forecast = asked
    done(forecast)
    client = as_("referee")
    found = client.get(page_of("battle", battle, battle.uid)).content.decode()
    address = page_of("odds_typical", battle, forecast.uid, "red")
    assert address in found
    page = client.get(address).content.decode()
    assert "This did not happen" in page
    assert "Red" in page
    assert client.get(page_of("odds_typical", battle, forecast.uid, "failed")).status_code == 404


def test_odds_of_forces_that_have_changed_say_so(asked, cast, as_):
    battle, forecast = asked
    done(forecast)
    client = as_("referee")
    address = page_of("battle", battle, battle.uid)
    assert "The forces have changed since" not in client.get(address).content.decode()
    battles.unlock_forces(seat=cast.referee, battle_id=battle.uid)
    assert "The forces have changed since" not in client.get(address).content.decode()
    battles.choose_detachment(
        seat=cast.red,
        battle_id=battle.uid,
        side_key="red",
        picks=[(cast.unit("r1").uid, {"toy-squad": 1})],
    )
    assert "The forces have changed since" in client.get(address).content.decode()


def test_stopped_they_are_gone(asked, as_):
    battle, forecast = asked
    client = as_("referee")
    client.post(page_of("odds_cancel", battle, forecast.uid))
    page = client.get(page_of("battle", battle, battle.uid)).content.decode()
    assert "Work out the odds" in page
    again = client.post(page_of("odds_cancel", battle, forecast.uid))
    assert again.status_code == 409


@pytest.mark.parametrize("who", ["blue", "spectator", "stranger"])
def test_the_referees_odds_are_not_there_for_others(asked, who, as_):
    battle, forecast = asked
    done(forecast)
    client = as_(who)
    for name, more in (("odds_progress", ()), ("odds_typical", ("red",))):
        assert client.get(page_of(name, battle, forecast.uid, *more)).status_code == 404
    assert client.post(page_of("odds_cancel", battle, forecast.uid)).status_code in (403, 404)
    assert client.get(page_of("calibration", battle)).status_code == 404


def test_how_the_odds_held(asked, cast, as_):
    battle, forecast = asked
    done(forecast)
    client = as_("referee")
    address = page_of("calibration", battle)
    assert "Nothing to compare yet" in client.get(address).content.decode()
    job = battles.request_resolve(seat=cast.referee, battle_id=battle.uid)
    resolution.resolve(job_id=job.pk)
    battle.refresh_from_db()
    cast.post(battle)
    page = client.get(address).content.decode()
    assert "Mean penalty" in page
    assert battle.title in page
    assert address in client.get(page_of("history", battle)).content.decode()


def test_while_they_run_the_page_says_how_long_it_took_and_what_remains(asked, as_):
    battle, forecast = asked
    lane = forecast.lanes.first()
    outcomes = [n % 2 for n in range(100)]
    runs = engine.canonical([[outcome] for outcome in outcomes]).decode()
    body = f'{{"first": 0, "runs": {runs}}}'
    assert engine.odds_outcomes(body) == outcomes
    forecast.chunks.create(first=0, count=100, job=lane.job, attempt=1, body=body)
    began = timezone.now() - timedelta(seconds=30)
    Forecast.objects.filter(pk=forecast.pk).update(created_at=began)
    answer = as_("referee").get(page_of("odds_progress", battle, forecast.uid))
    report = answer.context["odds"]
    # Even odds within three points take 1.96 squared times a quarter over 0.03 squared: 1067.
    assert (report.fought, report.expected) == (100, 1100)
    assert 30 <= report.elapsed <= 40
    assert report.remaining == report.elapsed * 10
    words = " ".join(answer.content.decode().split())
    assert f"Asked for {report.elapsed} seconds ago; about 1100 will be enough" in words
    assert f"so some {report.remaining // 60} minutes more" in words
    assert 'max="1100" value="100"' in words


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "1 second"),
        (89, "89 seconds"),
        (100, "2 minutes"),
        (3_600, "1 hour"),
        (3_960, "1 hour 6 minutes"),
        (7_260, "2 hours 1 minute"),
    ],
)
def test_a_time_is_said_as_a_person_says_it(seconds, said):
    assert lasting(seconds) == said

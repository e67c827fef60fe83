"""Odds in a campaign: who may ask what, from which knowledge, and through what faults they hold."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from campaigns import access, engine
from campaigns.models import Forecast, ForecastChunk, Job
from campaigns.operations import (
    adjustments,
    battles,
    campaigns,
    forecasts,
    jobs,
    resolution,
)
from campaigns.refusals import NotFound, Refused
from campaigns.reports import odds
from rulesengine import forecast as engine_forecast
from tests.campaign.conftest import Cast, toy_pack
from tests.toy.ruleset import Trouble

pytestmark = pytest.mark.django_db


def lanes(forecast: Forecast) -> list[Job]:
    return list(Job.objects.filter(lane__forecast=forecast).order_by("pk"))


def worked(forecast: Forecast) -> Forecast:
    """The first lane fights it out; the tasks it hands over to as well."""
    while job := Job.objects.filter(lane__forecast=forecast, state="queued").first():
        forecasts.work(job_id=job.pk)
    forecast.refresh_from_db()
    return forecast


def asked(cast: Cast, seat=None, **more) -> Forecast:
    battle = cast.locked()
    return forecasts.ask(seat=seat or cast.referee, battle_id=battle.uid, **more)


def test_the_odds_are_those_that_the_engine_finds_alone(cast):
    done = worked(asked(cast))
    assert done.state == Forecast.State.DONE
    scenario = engine.read_scenario("toy", done.document)
    alone = engine_forecast.forecast(scenario, bytes(done.key))
    assert engine.read_odds(done.result) == alone
    assert not done.chunks.exists()


def test_two_lanes_by_turns_count_the_same(cast, monkeypatch):
    forecast = asked(cast)
    first, second = lanes(forecast)
    claims = [jobs.claim(first.pk), jobs.claim(second.pk)]
    scenario = engine.read_scenario("toy", forecast.document)
    turn = 0
    # The second lane's chunks come in late and out of order.
    held = []
    while Forecast.objects.get(pk=forecast.pk).state == Forecast.State.RUNNING:
        claim = claims[turn % 2]
        chunk = forecasts._next_chunk(forecast, claim)
        body = engine.odds_chunk(
            scenario, bytes(forecast.key), chunk.first, chunk.count, lambda made: True
        )
        held.append((claim, chunk, body))
        if turn % 2:
            for late in reversed(held):
                forecasts._keep(*late)
                forecasts._sum_up(forecast, scenario)
            held = []
        turn += 1
    done = Forecast.objects.get(pk=forecast.pk)
    alone = engine_forecast.forecast(scenario, bytes(done.key))
    assert engine.read_odds(done.result) == alone


def test_asked_twice_it_is_worked_out_once(cast):
    battle = cast.locked()
    first = forecasts.ask(seat=cast.referee, battle_id=battle.uid)
    again = forecasts.ask(seat=cast.referee, battle_id=battle.uid)
    assert first.pk == again.pk
    assert len(lanes(first)) == forecasts.LANES


def test_a_side_asks_from_what_it_knows(cast):
    battle = cast.planned()
    blue = cast.unit("b1")
    adjustments.adjust(
        seat=cast.referee,
        unit_id=blue.uid,
        element="toy-squad",
        condition="fit",
        quantity=-2,
        reason="lost on the way",
        key="k",
    )
    theirs = forecasts.ask(seat=cast.red, battle_id=battle.uid)
    truth = forecasts.ask(seat=cast.referee, battle_id=battle.uid)
    known = engine.read_scenario("toy", theirs.document)
    real = engine.read_scenario("toy", truth.document)
    names = [unit.name for force in known.forces for unit in force.units]
    assert "enemy unit 1" in names
    assert not any(name.startswith("Blue") for name in names)
    count = {
        key: sum(len(u.elements) for f in scenario.forces if f.side == "blue" for u in f.units)
        for key, scenario in (("known", known), ("real", real))
    }
    assert count["known"] == count["real"] + 2


@pytest.mark.parametrize("name", ["blue", "red_player", "spectator", "referee"])
def test_the_odds_of_a_side_are_its_own(cast, name):
    forecast = worked(asked(cast, cast.red))
    seat = cast.seats[name]
    if name == "red_player":
        assert odds.odds(seat, forecast.uid).runs
        return
    with pytest.raises(NotFound):
        odds.odds(seat, forecast.uid)
    with pytest.raises(NotFound):
        odds.typical(seat, forecast.uid, "red")
    battle = forecast.battle
    found = odds.latest(seat, battle)
    assert found is None
    for job in lanes(forecast):
        with pytest.raises(NotFound):
            access.job_for(seat, job.uid)


def test_a_side_reads_nothing_of_what_it_assumed_of_the_enemy(cast):
    forecast = worked(asked(cast, cast.red))
    report = odds.odds(cast.red, forecast.uid)
    lost = [row for row in report.spreads if row.what == "lost"]
    assert {(row.side, row.side_name) for row in lost} == {("red", cast.red.side.name)}
    # A battle told in full names the other side's terms: where it sets up, what dice it has.
    assert not any(row.typical for row in report.outcomes)
    with pytest.raises(NotFound):
        odds.typical(cast.red, forecast.uid, "red")


@pytest.mark.parametrize("name", ["red_player", "spectator"])
def test_not_everybody_may_ask(cast, name):
    battle = cast.planned()
    with pytest.raises(Refused):
        forecasts.ask(seat=cast.seats[name], battle_id=battle.uid)


def test_odds_come_before_the_battle(cast):
    battle = cast.resolved()
    with pytest.raises(Refused):
        forecasts.ask(seat=cast.referee, battle_id=battle.uid)


@pytest.mark.parametrize(("most", "half_width"), [(0, 300), (10**6, 300), (500, 1)])
def test_bounds(cast, most, half_width):
    battle = cast.planned()
    with pytest.raises(Refused):
        forecasts.ask(seat=cast.referee, battle_id=battle.uid, most=most, half_width=half_width)


def test_cancelled_it_stops_and_leaves_nothing(cast):
    forecast = asked(cast)
    forecasts.cancel(seat=cast.referee, forecast_id=forecast.uid)
    worked(forecast)
    assert forecast.state == Forecast.State.CANCELLED
    assert not ForecastChunk.objects.exists()
    with pytest.raises(Refused):
        forecasts.cancel(seat=cast.referee, forecast_id=forecast.uid)
    assert odds.latest(cast.referee, forecast.battle) is None


def test_a_lane_that_dies_leaves_its_chunk_to_the_next(cast):
    forecast = asked(cast)
    first, _ = lanes(forecast)
    claim = jobs.claim(first.pk)
    chunk = forecasts._next_chunk(forecast, claim)
    assert chunk.first == 0
    Job.objects.filter(pk=first.pk).update(heartbeat_at=timezone.now() - timedelta(hours=1))
    jobs.reap(lambda job: None)
    done = worked(forecast)
    assert done.state == Forecast.State.DONE
    alone = engine_forecast.forecast(engine.read_scenario("toy", done.document), bytes(done.key))
    assert engine.read_odds(done.result).hash == alone.hash
    # The dead lane comes to: it writes nothing more.
    forecasts._keep(claim, chunk, "late")
    assert not ForecastChunk.objects.filter(body="late").exists()


def test_a_database_that_went_away_costs_a_lane_its_lease_and_not_the_odds(cast, monkeypatch):
    forecast = asked(cast)
    first, _ = lanes(forecast)

    def gone(*args):
        raise OperationalError("the connection was closed")

    with monkeypatch.context() as patched:
        patched.setattr(forecasts, "_keep", gone)
        forecasts.work(job_id=first.pk)
    forecast.refresh_from_db()
    assert forecast.state == Forecast.State.RUNNING
    Job.objects.filter(pk=first.pk).update(heartbeat_at=timezone.now() - timedelta(hours=1))
    jobs.reap(lambda job: None)
    assert worked(forecast).state == Forecast.State.DONE


def test_a_lane_that_dies_before_it_asks_leaves_the_asking_to_the_next(cast, monkeypatch):
    forecast = asked(cast, most=100)
    first, second = lanes(forecast)

    def dies(*args):
        raise OperationalError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(forecasts, "_sum_up", dies)
        while forecast.chunks.exclude(body="").count() < 4:
            Job.objects.filter(pk=first.pk).update(state=Job.State.QUEUED)
            forecasts.work(job_id=first.pk)
    forecasts.work(job_id=second.pk)
    forecast.refresh_from_db()
    assert forecast.state == Forecast.State.DONE


def test_a_time_limit_is_no_outcome_of_a_battle(cast, monkeypatch):
    forecast = asked(cast, most=100)
    first, _ = lanes(forecast)
    begin = engine_forecast.begin
    calls = iter(range(1_000))

    def slow(*args, **more):
        if next(calls) == 30:
            raise SoftTimeLimitExceeded
        return begin(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(engine_forecast, "begin", slow)
        forecasts.work(job_id=first.pk)
    first.refresh_from_db()
    assert first.state == Job.State.SUCCEEDED
    done = worked(forecast)
    assert done.state == Forecast.State.DONE
    assert engine.read_odds(done.result).outcomes[3].count == 0
    assert not ForecastChunk.objects.exists()


def test_asked_of_other_forces_it_is_begun_anew(cast):
    battle = cast.planned()
    first = forecasts.ask(seat=cast.referee, battle_id=battle.uid)
    battles.choose_detachment(
        seat=cast.red,
        battle_id=battle.uid,
        side_key="red",
        picks=[(cast.unit("r1").uid, {"toy-squad": 1})],
    )
    again = forecasts.ask(seat=cast.referee, battle_id=battle.uid)
    first.refresh_from_db()
    assert again.pk != first.pk
    assert first.state == Forecast.State.CANCELLED


def test_odds_by_other_rules_are_not_told_by_these(cast, monkeypatch):
    forecast = worked(asked(cast))
    outcome = next(o.key for o in odds.odds(cast.referee, forecast.uid).outcomes if o.typical)
    monkeypatch.setattr(engine, "version", lambda ruleset: "2")
    with pytest.raises(Refused, match="another version of the rules"):
        odds.typical(cast.referee, forecast.uid, outcome)


def test_when_every_lane_is_lost_the_odds_fail_with_a_reason(cast):
    forecast = asked(cast)
    for _ in range(settings.JOB_MAX_ATTEMPTS):
        for job in lanes(forecast):
            assert jobs.claim(job.pk)
        Job.objects.filter(lane__forecast=forecast).update(
            heartbeat_at=timezone.now() - timedelta(hours=1)
        )
        jobs.reap(lambda job: None)
    forecast.refresh_from_db()
    assert forecast.state == Forecast.State.FAILED
    assert "workers were lost" in forecast.error


def test_rules_that_raise_are_counted_as_failed_battles(db, sent, known_dice):
    cast = Cast(toy_pack(trouble=Trouble(kind="fail")))
    done = worked(asked(cast, most=100))
    found = engine.read_odds(done.result)
    assert found.outcomes[3].count == found.runs == 100
    assert odds.odds(cast.referee, done.uid).faults


def test_a_long_forecast_is_handed_from_task_to_task(cast, monkeypatch):
    monkeypatch.setattr(forecasts, "CHUNKS_A_TASK", 2)
    done = worked(asked(cast))
    assert done.state == Forecast.State.DONE
    assert len(lanes(done)) > forecasts.LANES


def test_kept_odds_are_compared_with_what_came(cast, balanced):
    battle = cast.locked()
    worked(forecasts.ask(seat=cast.referee, battle_id=battle.uid))
    assert odds.calibration(cast.referee).battles == ()
    job = battles.request_resolve(seat=cast.referee, battle_id=battle.uid)
    resolution.resolve(job_id=job.pk)
    assert odds.calibration(cast.referee).battles == ()
    battle.refresh_from_db()
    cast.post(battle)
    (held,) = odds.calibration(cast.referee).battles
    ending = engine.read_result(battle.latest_result().document).ending
    assert held.came == (ending.winner or ending.kind)
    wrong = sum(((o.key == held.came) - o.share / 10_000) ** 2 for o in held.said)
    assert held.penalty == round(1000 * wrong)
    with pytest.raises(Refused):
        odds.calibration(cast.red)


def test_a_purged_campaign_takes_its_odds_along(cast):
    worked(asked(cast))
    campaigns.purge(seat=cast.organiser, typed_title=cast.campaign.title)
    assert not Forecast.objects.exists()

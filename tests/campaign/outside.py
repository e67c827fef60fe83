"""A process of its own with a database of its own, for faults that need a real one.

It reads commands from its input, a line each, and answers each with a line of JSON:

    lock <milliseconds>      make the cast, and lock a battle in which a decision takes so long
    ask                      have it fought
    prepare <milliseconds>   lock and ask
    state                    the job, the battle, what reconcile says
    race <threads>           post one battle from many threads
    ask_and_die              ask, and be killed before the worker is told
    die_in_post              be killed in the middle of a posting
    hang_in_post <place>     stop in the middle of a posting until <place>/go is there
    post_together <place>    be ready in <place>, and post when <place>/go is there
    backup <file>            everything into a file
    restore <file>           a new database, with everything of a file
    full_disk                fight with a disk that is full
    many <battles> <ms>      so many battles asked for, each in a campaign of its own, and odds
    tally                    how many came to what
    post_all                 post what is reported
    digest                   a hash of every row of every table
    ready <workers>          wait until so many workers answer
    noops <tasks>            how long so many tasks take that do nothing, in seconds
    turn <battles>           how long so many real battles take from asking to their stored logs
    odds <battles>           how long odds of a real battle take, and how long in this process

Its place is `SITREP_VAR`. A worker with the toy ruleset is
`celery -A tests.campaign.outside worker`. Its clock is `CLOCK_HOURS` fast.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django
from django.utils import timezone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaigns.conf.settings")
django.setup()

_fast = timedelta(hours=float(os.environ.get("CLOCK_HOURS", "0")))
if _fast:
    timezone.now = lambda: datetime.now(UTC) + _fast

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import DatabaseError, connection  # noqa: E402

from campaigns import reconcile  # noqa: E402
from campaigns.conf.celery import app  # noqa: E402
from campaigns.engine import read_scenario  # noqa: E402
from campaigns.models import Battle, Forecast, Job, Log, Posting, Result, Seat  # noqa: E402
from campaigns.operations import (  # noqa: E402
    backups,
    battle_postings,
    battles,
    campaigns,
    forecasts,
    jobs,
    ledger,
    packs,
    resolution,
)
from campaigns.refusals import Refused  # noqa: E402
from rulesengine.dice import key_of_seed  # noqa: E402
from rulesengine.forecast import forecast  # noqa: E402
from tests.campaign.conftest import Cast, toy_pack  # noqa: E402
from tests.toy.ruleset import Trouble  # noqa: E402

__all__ = ["app"]


def lock(milliseconds: str) -> None:
    call_command("migrate", verbosity=0)
    wait = Trouble(kind="wait", milliseconds=int(milliseconds)) if int(milliseconds) else None
    Cast(toy_pack(trouble=wait, units=24, turns=400)).locked()


def ask() -> Any:
    referee, battle = Seat.objects.get(role="referee"), Battle.objects.latest("pk")
    return battles.request_resolve(seat=referee, battle_id=battle.uid).uid


def prepare(milliseconds: str) -> Any:
    lock(milliseconds)
    return ask()


def state() -> Any:
    job = Job.objects.latest("pk")
    battle = Battle.objects.latest("pk")
    return {
        "job": job.state,
        "attempt": job.attempt,
        "progress": job.progress,
        "error": job.error,
        "battle": battle.state,
        "results": Result.objects.count(),
        "postings": Posting.objects.filter(battle=battle).count(),
        "disagreements": reconcile.reconcile(),
    }


def _referee_and_plan() -> tuple[Seat, Battle, str]:
    referee = Seat.objects.get(role="referee")
    battle = Battle.objects.latest("pk")
    if battle.state == Battle.State.RESOLVING:
        resolution.resolve(job_id=Job.objects.latest("pk").pk)
    plan = battles.preview(seat=referee, battle_id=battle.uid)
    return referee, battle, plan.hash


def race(threads: str) -> Any:
    referee, battle, plan_hash = _referee_and_plan()
    told: list[str] = []
    ready = threading.Barrier(int(threads))

    def post() -> None:
        ready.wait()
        try:
            posting = battle_postings.post_result(
                seat=referee, battle_id=battle.uid, plan_hash=plan_hash
            )
            told.append(posting.uid)
        except Refused as refusal:
            told.append(refusal.why)
        finally:
            connection.close()

    workers = [threading.Thread(target=post) for _ in range(int(threads))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return told


def die_in_post() -> None:
    referee, battle, plan_hash = _referee_and_plan()
    ledger.recompute = lambda accounts: os.kill(os.getpid(), signal.SIGKILL)
    battle_postings.post_result(seat=referee, battle_id=battle.uid, plan_hash=plan_hash)


def backup(path: str) -> int:
    return backups.backup(Path(path))


def _stop(place: Path, name: str) -> None:
    """Say that one is there, and wait to be told to go on."""
    (place / name).touch()
    _waited((place / "go").exists)


def hang_in_post(place: str) -> Any:
    referee, battle, plan_hash = _referee_and_plan()
    recompute = ledger.recompute

    def slowly(accounts: Any) -> None:
        _stop(Path(place), "hangs")
        recompute(accounts)

    ledger.recompute = slowly
    try:
        posting = battle_postings.post_result(
            seat=referee, battle_id=battle.uid, plan_hash=plan_hash
        )
    except DatabaseError as error:
        return type(error).__name__
    finally:
        ledger.recompute = recompute
    return posting.uid


def post_together(place: str) -> Any:
    referee, battle, plan_hash = _referee_and_plan()
    _stop(Path(place), f"ready-{os.getpid()}")
    return battle_postings.post_result(seat=referee, battle_id=battle.uid, plan_hash=plan_hash).uid


def ask_and_die() -> None:
    jobs.dispatch = lambda job: os.kill(os.getpid(), signal.SIGKILL)
    ask()


def restore(path: str) -> int:
    call_command("migrate", verbosity=0)
    return backups.restore(Path(path))


def digest() -> str:
    told = hashlib.sha256()
    for model in backups.tables():
        for row in backups._rows(model):
            told.update(json.dumps([model._meta.label, row], sort_keys=True).encode())
    return told.hexdigest()


FULL = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
    END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON campaigns_log EXECUTE FUNCTION no_room()
"""


def full_disk() -> Any:
    """SQLite may not grow by one page; PostgreSQL says of the log what it says then."""
    server = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if server:
            cursor.execute(FULL)
        else:
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        resolution.resolve(job_id=Job.objects.latest("pk").pk)
        told = state()
        cursor.execute(
            "DROP FUNCTION no_room CASCADE" if server else "PRAGMA max_page_count = 1000000"
        )
    return told


def many(battle_count: str, milliseconds: str) -> Any:
    call_command("migrate", verbosity=0)
    wait = Trouble(kind="wait", milliseconds=int(milliseconds)) if int(milliseconds) else None
    pack = packs.install(pack=toy_pack(key="toy-many", trouble=wait))
    user, _ = User.objects.get_or_create(username="many")
    for _ in range(int(battle_count)):
        seat = campaigns.create_from_pack(user=user, pack_key=pack.key)
        battle = battles.plan_battle(seat=seat)
        battles.lock_forces(seat=seat, battle_id=battle.uid)
        battles.request_resolve(seat=seat, battle_id=battle.uid)
    seat = campaigns.create_from_pack(user=user, pack_key=pack.key)
    battle = battles.plan_battle(seat=seat)
    return forecasts.ask(seat=seat, battle_id=battle.uid, most=100).uid


def tally() -> Any:
    fought = Job.objects.filter(task="resolve")
    lanes = Job.objects.filter(task="forecast")
    return {
        "jobs": Counter(fought.values_list("state", flat=True)),
        "attempts": Counter(fought.values_list("attempt", flat=True)),
        "errors": sorted(set(fought.exclude(error="").values_list("error", flat=True))),
        "lanes": list(lanes.values_list("state", "attempt")),
        "odds": list(Forecast.objects.values_list("state", flat=True)),
        "runs": [json.loads(f.result)["runs"] for f in Forecast.objects.exclude(result="")],
        "battles": Counter(Battle.objects.values_list("state", flat=True)),
        "results": [Result.objects.count(), Result.objects.values("battle").distinct().count()],
        "logs": Log.objects.count(),
        "postings": Posting.objects.filter(kind="battle").count(),
        "disagreements": reconcile.reconcile(),
    }


def post_all() -> Any:
    for battle in Battle.objects.filter(state=Battle.State.REPORTED):
        seat = Seat.objects.get(campaign=battle.campaign, role="organiser")
        plan = battles.preview(seat=seat, battle_id=battle.uid)
        battle_postings.post_result(seat=seat, battle_id=battle.uid, plan_hash=plan.hash)
    return tally()


# --- how long real work takes through real workers ---------------------------------------------

ROAD = Path(__file__).parents[2] / "fixtures" / "packs" / "road-to-bastogne"


@app.task(name="tests.nothing")
def nothing(number: int) -> None:
    """A task that does nothing but say that it was carried out."""
    Path(os.environ["SITREP_VAR"], f"nothing-{number}").touch()


def _waited(over: Callable[[], bool]) -> None:
    while not over():
        time.sleep(0.02)


def ready(workers: str) -> Any:
    call_command("migrate", verbosity=0)
    _waited(lambda: len(app.control.ping(timeout=0.5)) >= int(workers))


def noops(tasks: str) -> Any:
    begun = time.perf_counter()
    for number in range(int(tasks)):
        nothing.apply_async((number,), queue="battles")
    place = Path(os.environ["SITREP_VAR"])
    _waited(lambda: len(list(place.glob("nothing-*"))) == int(tasks))
    return time.perf_counter() - begun


def _real_battle(name: str) -> tuple[Seat, Battle]:
    user, _ = User.objects.get_or_create(username=name)
    seat = campaigns.create_from_pack(user=user, pack_key="road-to-bastogne")
    battle = battles.plan_battle(seat=seat)
    battles.lock_forces(seat=seat, battle_id=battle.uid)
    return seat, battle


def turn(battle_count: str) -> Any:
    packs.load(folder=ROAD)
    planned = [_real_battle("turn") for _ in range(int(battle_count))]
    begun = time.perf_counter()
    for seat, battle in planned:
        battles.request_resolve(seat=seat, battle_id=battle.uid)
    _waited(lambda: Log.objects.count() == int(battle_count))
    return time.perf_counter() - begun


def odds(battle_count: str) -> Any:
    packs.load(folder=ROAD)
    seat, battle = _real_battle("odds")
    begun = time.perf_counter()
    asked = forecasts.ask(seat=seat, battle_id=battle.uid, most=int(battle_count), half_width=50)
    _waited(lambda: Forecast.objects.get(pk=asked.pk).state != "running")
    workers = time.perf_counter() - begun
    done = Forecast.objects.get(pk=asked.pk)
    snapshot = battle.latest_snapshot()
    assert snapshot
    scenario = read_scenario("ost", snapshot.document)
    begun = time.perf_counter()
    here = forecast(scenario, key_of_seed("bench"), most=int(battle_count), half_width=50)
    alone = time.perf_counter() - begun
    return {
        "workers": workers,
        "alone": alone,
        "runs": [json.loads(done.result)["runs"], here.runs],
    }


COMMANDS = {
    "ready": ready,
    "noops": noops,
    "turn": turn,
    "odds": odds,
    "ask_and_die": ask_and_die,
    "ask": ask,
    "lock": lock,
    "hang_in_post": hang_in_post,
    "post_together": post_together,
    "full_disk": full_disk,
    "many": many,
    "tally": tally,
    "post_all": post_all,
    "prepare": prepare,
    "state": state,
    "race": race,
    "die_in_post": die_in_post,
    "backup": backup,
    "restore": restore,
    "digest": digest,
}

if __name__ == "__main__":
    for line in sys.stdin:
        name, *arguments = line.split()
        print(json.dumps(COMMANDS[name](*arguments)), flush=True)

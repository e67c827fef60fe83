"""A minute of workers killed at random, on PostgreSQL and Redis: no battle is lost or doubled."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import services
from tests.campaign.installation import Outside

BATTLES = 200
WORKERS = 3
KILLING = 60.0
PATIENCE = 480.0


@pytest.mark.long
def test_two_hundred_battles_survive_a_minute_of_killed_workers(tmp_path: Path) -> None:
    dice = random.Random(1944)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(services.postgresql())
        broker = stack.enter_context(services.redis())
        outside = Outside(tmp_path, DATABASE_URL=database, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        outside.run("many", str(BATTLES), "15")
        begun, killed, named = time.monotonic(), 0, iter(range(1000))
        outside.celery("beat", "--pidfile=")
        live = [outside.worker("battles", "-n", f"w{next(named)}") for _ in range(WORKERS)]
        bulk, bulk_killed = outside.worker("bulk", "-n", "lane"), 0
        while time.monotonic() < begun + KILLING:
            time.sleep(3)
            told = outside.run("tally")
            if not bulk_killed and any(state == "running" for state, _ in told["lanes"]):
                os.killpg(bulk.pid, signal.SIGKILL)
                bulk, bulk_killed = outside.worker("bulk", "-n", "lane2"), 1
            victim = dice.randrange(WORKERS)
            os.killpg(live[victim].pid, signal.SIGKILL)
            live[victim] = outside.worker("battles", "-n", f"w{next(named)}")
            killed += 1
        until = time.monotonic() + PATIENCE
        while not over(told := outside.run("tally")):
            assert time.monotonic() < until, told
            time.sleep(1)
        took = time.monotonic() - begun
        assert told["jobs"] == {"succeeded": BATTLES}, told["errors"]
        assert (told["results"], told["logs"]) == ([BATTLES, BATTLES], BATTLES)
        assert (told["odds"], told["runs"]) == (["done"], [100])
        assert bulk_killed
        posted = outside.run("post_all")
        assert posted["battles"] == {"posted": BATTLES, "planned": 1}
        assert (posted["postings"], posted["disagreements"]) == (BATTLES, [])
        print(
            f"{BATTLES} battles in {took:.0f} s, {killed} workers killed and {bulk_killed} lane;"
            f" attempts {told['attempts']}, lanes {told['lanes']}"
        )


def over(told: dict[str, Any]) -> bool:
    return not {"queued", "running"} & set(told["jobs"]) and told["odds"] != ["running"]

"""Faults that need real processes: a worker killed, a poster killed, many posters at once."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import services

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120.0


class Outside:
    """An installation in a folder of its own."""

    def __init__(self, folder: Path, **services: str) -> None:
        self.environment = {
            **os.environ,
            "SITREP_VAR": str(folder),
            "JOB_LEASE_SECONDS": "8",
            "DJANGO_SETTINGS_MODULE": "campaigns.conf.settings",
            "LOG_LEVEL": "ERROR",
        }
        for name in ("DATABASE_URL", "CELERY_BROKER_URL"):
            self.environment.pop(name, None)
        self.environment |= services
        self.workers: list[subprocess.Popen[bytes]] = []
        self.shell: subprocess.Popen[str] | None = None

    def run(self, *command: str) -> Any:
        """What a command answers; None when the process died of it."""
        if self.shell is None or self.shell.poll() is not None:
            self.shell = subprocess.Popen(
                [sys.executable, "-m", "tests.campaign.outside"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.shell.stdin
        assert self.shell.stdout
        self.shell.stdin.write(" ".join(command) + "\n")
        self.shell.stdin.flush()
        answer = self.shell.stdout.readline()
        if not answer:
            self.shell.wait()
            return None
        return json.loads(answer)

    def worker(self, queue: str = "battles", *more: str) -> subprocess.Popen[bytes]:
        """A worker that also ticks, unless `more` says what it does instead."""
        return self.celery(
            "worker",
            "-Q",
            queue,
            "-c",
            "1",
            "--without-gossip",
            "--without-mingle",
            *(more or ("-B",)),
        )

    def celery(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", "tests.campaign.outside", *arguments]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.workers.append(process)
        return process

    def hang_up(self) -> None:
        """End the process that answers; the next command starts another."""
        if self.shell is not None:
            self.shell.kill()
            self.shell.communicate()

    def end(self) -> None:
        for process in self.workers:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.hang_up()

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while True:
            state: dict[str, Any] = self.run("state")
            if wanted(state):
                return state
            assert time.monotonic() < until, state
            time.sleep(0.2)


@pytest.fixture(params=["embedded", "server"])
def outside(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Outside]:
    """SQLite with a broker of files, then PostgreSQL with Redis."""
    with contextlib.ExitStack() as stack:
        addresses = {}
        if request.param == "server":
            addresses["DATABASE_URL"] = stack.enter_context(services.postgresql())
            addresses["CELERY_BROKER_URL"] = stack.enter_context(services.redis())
        made = Outside(tmp_path, **addresses)
        stack.callback(made.end)
        yield made


def test_a_worker_killed_in_mid_battle_is_followed_by_another_that_finishes_it(
    outside: Outside,
) -> None:
    outside.run("prepare", "15")
    first = outside.worker()
    outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    killed = outside.run("state")
    assert (killed["job"], killed["results"]) == ("running", 0)
    outside.worker()
    done = outside.until(lambda state: state["job"] not in ("queued", "running"))
    assert (done["job"], done["attempt"], done["battle"]) == ("succeeded", 2, "reported")
    assert done["results"] == 1
    assert done["disagreements"] == []


def test_many_referees_posting_at_once_post_once(outside: Outside) -> None:
    outside.run("prepare", "0")
    told = outside.run("race", "6")
    assert len(told) == 6
    assert len(set(told)) == 1
    state = outside.run("state")
    assert (state["battle"], state["postings"], state["disagreements"]) == ("posted", 1, [])


def test_a_process_killed_in_the_middle_of_a_posting_leaves_nothing_half_written(
    outside: Outside,
) -> None:
    outside.run("prepare", "0")
    assert outside.run("die_in_post") is None
    state = outside.run("state")
    assert (state["battle"], state["postings"], state["disagreements"]) == ("reported", 0, [])
    outside.run("race", "1")
    assert outside.run("state")["postings"] == 1


def test_a_club_moves_from_sqlite_to_postgresql_by_backup_and_restore(tmp_path: Path) -> None:
    archive = str(tmp_path / "club.sitrep")
    with contextlib.ExitStack() as stack:
        small = Outside(tmp_path / "small")
        stack.callback(small.end)
        small.run("prepare", "0")
        small.run("race", "1")
        rows = small.run("backup", archive)
        database = stack.enter_context(services.postgresql())
        big = Outside(tmp_path / "big", DATABASE_URL=database, ALLOW_EMBEDDED_BROKER="1")
        stack.callback(big.end)
        assert big.run("restore", archive) == rows > 500
        assert big.run("digest") == small.run("digest")
        state = big.run("state")
        assert (state["battle"], state["postings"], state["disagreements"]) == ("posted", 1, [])
        back = str(tmp_path / "back.sitrep")
        assert big.run("backup", back) == rows
        smaller = Outside(tmp_path / "smaller")
        stack.callback(smaller.end)
        assert smaller.run("restore", back) == rows
        assert smaller.run("digest") == small.run("digest")


def fought_on(outside: Outside, attempts: set[int]) -> None:
    done = outside.until(lambda state: state["job"] not in ("queued", "running"))
    assert (done["job"], done["battle"], done["results"]) == ("succeeded", "reported", 1)
    assert done["attempt"] in attempts
    assert done["disagreements"] == []


def test_a_broker_that_restarts_in_mid_battle_loses_nothing(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        port = services.free_port()
        broker = services.redis(port)
        address = broker.__enter__()
        outside = Outside(tmp_path, CELERY_BROKER_URL=address)
        stack.callback(outside.end)
        outside.run("prepare", "15")
        outside.worker()
        outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
        broker.__exit__(None, None, None)
        time.sleep(1)
        stack.enter_context(services.redis(port))
        fought_on(outside, {1})
        outside.run("many", "1", "0")
        until = time.monotonic() + PATIENCE
        while outside.run("tally")["jobs"] != {"succeeded": 2}:
            assert time.monotonic() < until, outside.run("tally")
            time.sleep(0.3)


def test_a_database_that_restarts_in_mid_battle_costs_an_attempt_and_no_battle(
    tmp_path: Path,
) -> None:
    with contextlib.ExitStack() as stack:
        database = services.PostgreSQL()
        stack.callback(shutil.rmtree, database.folder, ignore_errors=True)
        database.start()
        stack.callback(database.stop)
        broker = stack.enter_context(services.redis())
        outside = Outside(tmp_path, DATABASE_URL=database.address, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        outside.run("prepare", "15")
        outside.worker()
        outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
        outside.hang_up()
        database.stop()
        time.sleep(2)
        database.start()
        fought_on(outside, {2})


def test_two_workers_fight_every_battle_once(outside: Outside) -> None:
    outside.run("many", "6", "5")
    for name in ("one", "two"):
        outside.worker("battles", "-n", name)
    outside.celery("beat")
    until = time.monotonic() + PATIENCE
    while (told := outside.run("tally"))["jobs"] != {"succeeded": 6}:
        assert time.monotonic() < until, told
        time.sleep(0.3)
    assert told["attempts"] == {"1": 6}
    assert (told["results"], told["logs"], told["disagreements"]) == ([6, 6], 6, [])


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    outside = Outside(tmp_path)
    try:
        outside.run("prepare", "0")
        full = outside.run("full_disk")
        assert (full["job"], full["battle"], full["results"]) == ("failed", "locked", 0)
        assert full["error"] == "The disk of the database is full: nothing was written."
        assert full["disagreements"] == []
    finally:
        outside.end()

"""Faults that need real processes: a worker killed, a poster killed, many posters at once."""

from __future__ import annotations

import contextlib
import json
import os
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

    def worker(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", "tests.campaign.outside", "worker"]
        command += ["-Q", "battles", "-c", "1", "-B", "--without-gossip", "--without-mingle"]
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

    def end(self) -> None:
        for process in self.workers:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if self.shell is not None:
            self.shell.kill()
            self.shell.communicate()

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

"""What `manage.py up` keeps running, when each of its processes is killed in turn."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.management.commands import up
from campaigns.management.supervisor import Child, Supervisor
from tests.campaign.installation import PATIENCE, Outside

APP = "campaigns.conf.celery"


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[tuple[Outside, Supervisor, list[str]]]:
    """All that `up` runs besides the web, with the toy rules, and what the supervisor says."""
    outside, told = Outside(tmp_path), []
    children = [
        Child(
            child.name,
            ["tests.campaign.outside" if word == APP else word for word in child.command],
            outside.environment,
            child.log,
        )
        for child in up._children("127.0.0.1", 8000, "localhost", 8, tmp_path)
        if child.name != "web"
    ]
    supervisor = Supervisor(children, told.append)
    try:
        yield outside, supervisor, told
    finally:
        for child in children:
            child.end()
        outside.end()


def processes_under(pid: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def test_a_battle_is_fought_though_who_fights_it_and_who_ticks_are_killed(
    supervised: tuple[Outside, Supervisor, list[str]],
) -> None:
    outside, supervisor, told = supervised
    outside.run("prepare", "15")
    for child in supervisor.children:
        child.start()
    outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
    for child in supervisor.children:
        assert child.process
        if child.name == "worker":
            killed = processes_under(child.process.pid)
            assert killed
        elif child.name == "beat":
            killed = [child.process.pid]
        else:
            continue
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
    lost = outside.run("state")
    assert (lost["job"], lost["results"]) == ("running", 0)
    until = time.monotonic() + PATIENCE / 2
    while outside.run("state")["job"] in ("queued", "running"):
        assert time.monotonic() < until, "nobody sends the lost battle again"
        supervisor.look()
        time.sleep(0.2)
    outside.assert_fought({2})
    assert any(line.startswith("beat ended with -9") for line in told), told

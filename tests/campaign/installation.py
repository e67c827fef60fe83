"""An installation of its own for a test: real processes on real stores, in a scratch folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
        self.say(*command)
        return self.hear()

    def say(self, *command: str) -> None:
        """Begin a command; what it answers is for `hear`."""
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
        self.shell.stdin.write(" ".join(command) + "\n")
        self.shell.stdin.flush()

    def hear(self) -> Any:
        assert self.shell
        assert self.shell.stdout
        answer = self.shell.stdout.readline()
        if not answer:
            self.shell.wait()
            return None
        return json.loads(answer)

    def worker(self, queue: str = "battles", *more: str, **told: str) -> subprocess.Popen[bytes]:
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
            **told,
        )

    def celery(
        self, *arguments: str, app: str = "tests.campaign.outside", log: str = os.devnull
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", app, "--quiet", *arguments]
        with open(log, "w") as said:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=said,
                stderr=said,
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

    def assert_fought(self, attempts: set[int]) -> None:
        """Wait for the battle's end: it was fought once, by one of these attempts."""
        done = self.until(lambda state: state["job"] not in ("queued", "running"))
        assert (done["job"], done["battle"], done["results"]) == ("succeeded", "reported", 1)
        assert done["attempt"] in attempts
        assert done["disagreements"] == []

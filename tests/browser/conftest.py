"""A whole instance of its own (web, worker, clock) and a real browser to look at it with."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PASSWORD = "correct horse battery"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Instance:
    """A running Sitrep with a folder of its own."""

    address: str
    environment: dict[str, str]

    def manage(self, *arguments: str, **more: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**self.environment, **more},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _wait_for(address: str) -> None:
    for _ in range(150):
        try:
            urllib.request.urlopen(address + "/about/", timeout=2)
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(f"nothing answers at {address}")


@pytest.fixture(scope="session")
def instance(tmp_path_factory: Any) -> Iterator[Instance]:
    folder = tmp_path_factory.mktemp("instance")
    port = free_port()
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "CELERY_BROKER_URL")},
        "SITREP_VAR": str(folder),
        "PYTHONUNBUFFERED": "1",
    }
    made = Instance(f"http://127.0.0.1:{port}", environment)
    made.manage("migrate", "--verbosity", "0")
    made.manage(
        "createsuperuser",
        "--noinput",
        "--username",
        "olga",
        "--email",
        "",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    log = (folder / "instance.log").open("w")
    commands = [
        ["gunicorn", "campaigns.conf.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "4"],
        ["celery", "-A", "campaigns.conf.celery", "worker", "-P", "solo", "-Q", "battles", "-B"],
    ]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        for command in commands
    ]
    try:
        _wait_for(made.address)
        yield made
    finally:
        for process in running:
            process.send_signal(signal.SIGTERM)
        for process in running:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    assert chromium, "Chromium is needed for the browser tests: apt-get install chromium"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield made
        made.close()

"""A whole instance of its own (web, worker, clock) and a real browser to look at it with."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.campaign import services
from tests.campaign.services import free_port

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
VIOLATIONS = {"resultTypes": ["violations"]}
"""For axe: what passes is not told element by element, which took most of its time."""
PASSWORD = "correct horse battery"


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


def _embedded(port: int) -> list[list[str]]:
    return [["python", "manage.py", "up", "--port", str(port)]]


def _server(port: int) -> list[list[str]]:
    """What the example for a club's server runs: web, a worker for each queue, the clock."""
    composed = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    commands = [list(one["command"]) for one in composed.values() if one.get("image") == "sitrep"]
    (web,) = [command for command in commands if "--bind" in command]
    web[web.index("--bind") + 1] = f"127.0.0.1:{port}"
    return commands


@contextlib.contextmanager
def _running(commands: list[list[str]], environment: dict[str, str], log: Path) -> Iterator[None]:
    running = []
    with log.open("w") as said:
        try:
            for python, *words in commands:
                assert python == "python"
                command = [sys.executable, *words]
                running.append(
                    subprocess.Popen(
                        command, cwd=ROOT, env=environment, stdout=said, stderr=subprocess.STDOUT
                    )
                )
            yield
        finally:
            for process in running:
                process.send_signal(signal.SIGTERM)
            for process in running:
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@pytest.fixture(scope="session")
def instance(tmp_path_factory: Any) -> Iterator[Instance]:
    """On SQLite what `manage.py up` runs; where the tests run on PostgreSQL and Redis a server,
    with a database and a Redis of its own. No test can tell which from here."""
    folder = tmp_path_factory.mktemp("instance")
    port = free_port()
    environment = {**os.environ, "SITREP_VAR": str(folder), "PYTHONUNBUFFERED": "1"}
    shared = environment.pop("DATABASE_URL", "")
    environment.pop("CELERY_BROKER_URL", None)
    commands = _embedded(port)
    with contextlib.ExitStack() as stores:
        if shared:
            own = f"browser_{os.getpid()}"
            environment["DATABASE_URL"] = stores.enter_context(services.database(shared, own))
            environment["CELERY_BROKER_URL"] = stores.enter_context(services.redis())
            environment["SECRET_KEY"] = secrets.token_urlsafe(50)
            commands = _server(port)
        made = Instance(f"http://127.0.0.1:{port}", environment)
        made.manage("migrate", "--verbosity", "0")
        operator = ["createsuperuser", "--noinput", "--username", "olga", "--email", ""]
        made.manage(*operator, DJANGO_SUPERUSER_PASSWORD=PASSWORD)
        made.manage("loadpack", "road-to-bastogne")
        with _running(commands, environment, folder / "instance.log"):
            _wait_for(made.address)
            yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    chromium = services.needed("chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield made
        made.close()


class Person:
    """Somebody at a browser of his own."""

    def __init__(self, browser: Any, address: str, name: str, **options: Any) -> None:
        self.name = name
        self.address = address
        self.context = browser.new_context(base_url=address, **options)
        self.context.set_default_timeout(15_000)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "console",
            lambda said: (
                self.faults.append(said.text) if "Content Security Policy" in said.text else None
            ),
        )

    def goes(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is None or answer.status < 400, f"{self.name}: {answer.status} at {path}"

    def presses(self, words: str) -> None:
        """A button or a link by its words; waits for the page it leads to."""
        main = self.page.get_by_role("main")
        button = main.get_by_role("button", name=words, exact=True)
        link = main.get_by_role("link", name=words, exact=True)
        button.or_(link).first.click()
        self.page.wait_for_load_state()

    def reads(self) -> str:
        return self.page.get_by_role("main").inner_text()

    def signs_in(self, password: str = PASSWORD) -> None:
        self.goes("/sign-in/")
        if self.page.get_by_role("button", name="Sign out").count():
            return
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_label("Password").fill(password)
        self.presses("Sign in")


@pytest.fixture(scope="session")
def people(browser: Any, instance: Instance) -> Iterator[Any]:
    """Browsers by name; none of them may have met an error in a script or a broken policy."""
    made: dict[str, Person] = {}

    def person(name: str, **options: Any) -> Person:
        if name not in made:
            made[name] = Person(browser, instance.address, name, **options)
        return made[name]

    yield person
    for one in made.values():
        one.context.close()
        assert one.faults == [], f"{one.name}: {one.faults}"

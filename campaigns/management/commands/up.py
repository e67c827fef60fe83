"""manage.py up: web and workers in the foreground, restarted when they fall.

One web process with threads, a worker for battles, one for bulk work and beat, the same commands
as in production. Each is a child of its own: a beat inside of a worker would die unseen. Refuses
to start twice. `--demo` has the worker fight the demo's first battle and prints how it ended.
"""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.management.supervisor import AlreadyRunning, Child, Supervisor, only_one
from campaigns.models import Job
from campaigns.operations import battles, demo

PATIENCE = 60.0


class Command(BaseCommand):
    help = "Run web and workers in the foreground until a signal stops them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=_port, default=os.environ.get("PORT", "8000"))
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--lan", action="store_true", help="let the club's network in")
        parser.add_argument("--demo", action="store_true", help="fight the demo's first battle")
        parser.add_argument("--threads", type=_threads, default=8)

    def handle(self, *args: Any, **options: Any) -> None:
        logs = Path(settings.VAR_DIR) / "log"
        logs.mkdir(parents=True, exist_ok=True)
        try:
            with only_one(Path(settings.VAR_DIR) / "up.lock"):
                self._run(options, logs)
        except AlreadyRunning as other:
            raise CommandError(
                f"Sitrep runs already here (process {other}). Stop it first."
            ) from other

    def _run(self, options: dict[str, Any], logs: Path) -> None:
        host = "0.0.0.0" if options["lan"] else options["host"]
        port = options["port"]
        _refuse_taken(host, port)
        shown = lan_address() if options["lan"] else options["host"]
        supervisor = Supervisor(_children(host, port, shown, options["threads"], logs), self._say)
        supervisor.start()
        try:
            self._wait_for_web(supervisor, port)
            if options["demo"] and not supervisor.stopping:
                self._first_battle(supervisor)
            if not supervisor.stopping:
                self._greet(f"http://{shown}:{port}/", lan=options["lan"])
            supervisor.watch()
        finally:
            self._say("Stopping.")
            supervisor.stop()

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def _wait_for_web(self, supervisor: Supervisor, port: int) -> None:
        until = time.monotonic() + PATIENCE
        while not supervisor.stopping:
            if answers(port):
                return
            if time.monotonic() > until:
                raise CommandError(f"The web process did not answer. See {settings.VAR_DIR}/log.")
            supervisor.look()
            time.sleep(0.1)

    def _first_battle(self, supervisor: Supervisor) -> None:
        campaign = demo.find()
        job = demo.ask_for_first_battle(campaign) if campaign else None
        if job is None or job.battle is None:
            return
        self._say(f"The worker fights the demo's first battle, {job.battle.title} ...")
        until = time.monotonic() + PATIENCE
        while job.state in (Job.State.QUEUED, Job.State.RUNNING):
            if supervisor.stopping or time.monotonic() > until:
                self._say("It is still being fought; its page shows how far it is.")
                return
            supervisor.look()
            time.sleep(0.2)
            job.refresh_from_db()
        if job.state == Job.State.SUCCEEDED:
            self._say(f"  {battles.outcome_of(job.battle)}")
        else:
            self._say(f"  The battle was not fought: {job.error}")

    def _greet(self, address: str, *, lan: bool) -> None:
        self._say(f"\nSitrep is at {address}   (Ctrl C stops it)")
        for login in demo.logins():
            self._say(f"  {login.name:<12} {login.password:<14} {login.what}")
        if lan:
            import segno

            segno.make(address).terminal(out=sys.stdout, compact=True)


def _children(host: str, port: int, shown: str, threads: int, logs: Path) -> list[Child]:
    environment = dict(os.environ)
    hosts = ",".join(dict.fromkeys([*settings.ALLOWED_HOSTS, shown]))
    environment.update(DJANGO_SETTINGS_MODULE="campaigns.conf.settings", ALLOWED_HOSTS=hosts)
    python = [sys.executable, "-m"]
    web = [*python, "gunicorn", "campaigns.conf.wsgi", "--worker-class", "gthread"]
    web += ["--workers", "1", "--threads", str(threads), "--bind", f"{host}:{port}"]
    web += ["--worker-tmp-dir", str(settings.VAR_DIR), "--graceful-timeout", "10"]
    # Without --quiet a worker prints a banner, and dies of it where its log cannot be written.
    celery = [*python, "celery", "-A", "campaigns.conf.celery", "--quiet"]
    worker = [*celery, "worker", "--concurrency", "1"]
    worker += ["--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    battles_worker = [*worker, "-Q", "battles", "-n", "battles@%h"]
    bulk_worker = [*worker, "-Q", "bulk", "-n", "bulk@%h"]
    beat = [*celery, "beat", "--pidfile=", "--loglevel", "INFO"]
    return [
        Child("web", web, environment, logs / "web.log"),
        Child("worker", battles_worker, environment, logs / "battles.log"),
        Child("bulk worker", bulk_worker, environment, logs / "bulk.log"),
        Child("beat", beat, environment, logs / "beat.log"),
    ]


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; ports are from 1 to 65535.")
    return int(text)


def _threads(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999.")
    return int(text)


def _refuse_taken(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(_why_not(error, host, port)) from error


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken; choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is not for everybody; choose one from 1024 up with --port."
    return f"{host}: nothing can be served there ({error.strerror}); choose another with --host."


def answers(port: int) -> bool:
    """Whether the web process answers at all, whatever it says."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def lan_address() -> str:
    """The address of this machine on its own network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])

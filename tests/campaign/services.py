"""PostgreSQL and Redis of a test's own, on free ports, in scratch folders.

Where a program is missing the tests that need it are skipped, and under `CI` they fail.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def needed(program: str) -> str:
    """Where a program is. Debian keeps PostgreSQL's out of the path."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    found = shutil.which(program) or (str(places[-1]) if places else "")
    if not found:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{program} is not installed")
        pytest.skip(f"{program} is not installed")
    return found


def answers(port: int, patience: float = 20.0) -> None:
    until = time.monotonic() + patience
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert time.monotonic() < until, f"nothing answers on port {port}"
        time.sleep(0.05)


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL server; its database's address. It refuses to run as root, so root lends it
    the user `postgres`."""
    initdb, server = needed("initdb"), needed("postgres")
    folder = Path(tempfile.mkdtemp(prefix="sitrep-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_user = [needed("runuser"), "-u", "postgres", "--"]
    port = free_port()
    data = str(folder / "data")
    subprocess.run(
        [*as_user, initdb, "-D", data, "-A", "trust", "-U", "sitrep"],
        check=True,
        capture_output=True,
        cwd="/",
    )
    command = [*as_user, server, "-D", data, "-p", str(port), "-k", str(folder)]
    command += ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
    command += ["-c", "listen_addresses=127.0.0.1"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
    )
    try:
        answers(port)
        yield f"postgres://sitrep@127.0.0.1:{port}/postgres"
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """A Redis server that keeps nothing; its address."""
    program, port = needed("redis-server"), free_port()
    process = subprocess.Popen(
        [program, "--port", str(port), "--save", "", "--bind", "127.0.0.1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
    )
    try:
        answers(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(20)

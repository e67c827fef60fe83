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
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql


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


class PostgreSQL:
    """A PostgreSQL server that can be stopped and started again. It refuses to run as root, so
    root lends it the user `postgres`."""

    def __init__(self) -> None:
        initdb, server = needed("initdb"), needed("postgres")
        self.folder = Path(tempfile.mkdtemp(prefix="sitrep-pg-"))
        as_user: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            as_user = [needed("runuser"), "-u", "postgres", "--"]
        self.port = free_port()
        data = str(self.folder / "data")
        subprocess.run(
            [*as_user, initdb, "-D", data, "-A", "trust", "-U", "sitrep"],
            check=True,
            capture_output=True,
            cwd="/",
        )
        self.command = [*as_user, server, "-D", data, "-p", str(self.port), "-k", str(self.folder)]
        self.stopping = [*as_user, needed("pg_ctl"), "stop", "-m", "fast", "-D", data]
        for option in ("fsync=off", "synchronous_commit=off", "full_page_writes=off"):
            self.command += ["-c", option]
        self.command += ["-c", "listen_addresses=127.0.0.1"]
        self.address = f"postgres://sitrep@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = quietly(self.command, cwd="/")
        answers(self.port)

    def stop(self) -> None:
        """Whoever is connected is cut off."""
        if self.process is not None:
            subprocess.run(self.stopping, check=False, capture_output=True, cwd="/")
            self.process.wait(20)
            self.process = None


def quietly(command: list[str], cwd: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd)


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL server; its database's address."""
    server = PostgreSQL()
    try:
        server.start()
        yield server.address
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


@contextlib.contextmanager
def database(server: str, name: str) -> Iterator[str]:
    """An empty database on the server of an address; its own address. Gone afterwards."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


@contextlib.contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """A Redis server that keeps nothing; its address."""
    program, port = needed("redis-server"), port or free_port()
    process = quietly(
        [program, "--port", str(port), "--save", "", "--bind", "127.0.0.1"],
        cwd=tempfile.gettempdir(),
    )
    try:
        answers(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(20)

"""Keep child processes running: start, restart with back-off, stop cleanly on a signal.

Each child leads a process group of its own, so that stopping it stops its children too, and on
Linux dies with its parent. One supervisor an installation: a lock on a file says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

LONGEST_WAIT = 30.0
STEADY = 60.0
"""A child that ran so long is forgiven its earlier falls."""
SIGNAL_GAP = 1.0
"""Seconds between a child that a signal ended and the same signal here; till then it is not said
to have fallen."""
GRACE = 15.0
PR_SET_PDEATHSIG = 1


class AlreadyRunning(Exception):
    """Another supervisor has the lock."""


@contextlib.contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Hold an installation's lock. Raises AlreadyRunning with the pid of who has it."""
    with lock.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            raise AlreadyRunning(file.read().strip() or "unknown") from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        os.set_inheritable(file.fileno(), False)
        yield


@dataclass
class Child:
    """One program to keep running."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    fell: float = 0.0
    falls: int = 0
    due: float = 0.0
    _file: IO[bytes] | None = field(default=None, repr=False)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        if self._file is None:
            self._file = self.log.open("ab")
        self.process = subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self._file,
            stderr=self._file,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 no threads here
        )
        self.started = time.monotonic()

    def ask_to_end(self) -> None:
        """Only the child itself is told: it lets its own children finish what they do."""
        if self.process is not None and self.alive:
            self.process.terminate()

    def end(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Supervisor:
    """Runs children until it is told to stop."""

    def __init__(self, children: Sequence[Child], say: Callable[[str], None]) -> None:
        self.children = children
        self.stopping = False
        self._say = say

    def start(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._told_to_stop)
        for child in self.children:
            child.start()

    def _told_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def watch(self, pause: float = 0.3) -> None:
        """Restart what falls, until a signal comes."""
        while not self.stopping:
            self.look()
            time.sleep(pause)

    def look(self) -> None:
        """Restart, after a growing wait, whatever has fallen."""
        now = time.monotonic()
        for child in self.children:
            if child.alive or self.stopping:
                continue
            if child.process is None:
                if now >= child.due:
                    child.start()
            elif not child.fell:
                child.fell = now
            elif now - child.fell >= SIGNAL_GAP:
                self._fallen(child, child.process.returncode)

    def _fallen(self, child: Child, code: int) -> None:
        child.falls = 1 if child.fell - child.started > STEADY else child.falls + 1
        wait = min(LONGEST_WAIT, 2.0 ** (child.falls - 1))
        child.due, child.process, child.fell = time.monotonic() + wait, None, 0.0
        self._say(f"{child.name} ended with {code}; again in {wait:.0f} s. See {child.log}.")

    def stop(self) -> None:
        """Ask every child to end, insist after a while."""
        for child in self.children:
            child.ask_to_end()
        until = time.monotonic() + GRACE
        while any(child.alive for child in self.children) and time.monotonic() < until:
            time.sleep(0.1)
        for child in self.children:
            child.end()

"""The command `odds`: a scenario fought many times, with words for who waits and a way to stop.

Ctrl-C ends it between two battles and what was fought so far is told, marked as interrupted. It
is the answer to a smaller question, how the first so many battles ended, and can be had again
with `--most`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from rulesengine import loader
from rulesengine.dice import key_of_seed
from rulesengine.documents import Scenario
from rulesengine.forecast import MOST, Forecast, forecast
from rulesengine.quantities import many

INTERRUPTED = 130
"""What a shell expects of a command that was stopped with Ctrl-C."""
CHUNK = 10
"""Battles between two looks at the clock."""
EVERY = 5.0
"""Seconds between two lines that say how far the odds are, where nobody sits before a screen."""


class Fault(Exception):
    """What the person at the keyboard has to mend."""


def add_to(commands: Any) -> None:
    """Add the command to those of the engine."""
    odds = commands.add_parser("odds", help="fight a scenario many times and count")
    odds.add_argument("scenario", type=Path)
    odds.add_argument("--seed", default="1", help="the dice: a number or any words")
    odds.add_argument(
        "--points", type=float, default=3.0, help="stop when every interval is within +- so many"
    )
    odds.add_argument("--most", "--battles", type=int, default=MOST, help="battles at most")
    odds.add_argument("--processes", type=int, default=1)
    odds.add_argument("--json", action="store_true", help="print the forecast document instead")
    odds.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Work the odds out and print them; 130 where they were interrupted."""
    if options.most < 1 or options.processes < 1 or not 0.1 <= options.points <= 50:
        raise Fault("--most and --processes are 1 at least, --points is from 0.1 to 50.")
    scenario = loader.load_scenario(options.scenario)
    options.processes = _bounded(options.processes)
    way, asked = _Way(), _Asked()
    with asked.listening():
        found = forecast(
            scenario,
            key_of_seed(options.seed),
            most=options.most,
            half_width=round(options.points * 100),
            processes=options.processes,
            chunk=CHUNK,
            progress=way.told,
            stopped=asked.to_stop,
        )
    way.ended()
    if options.json:
        document = msgspec.to_builtins(found)
        print_json({**document, "interrupted": asked.obeyed, "hash": found.hash})
    else:
        _print(scenario, found, options, interrupted=asked.obeyed)
    return INTERRUPTED if asked.obeyed else 0


def _bounded(processes: int) -> int:
    """As many as there are processors at most: more would be slower, and end the same."""
    processors = multiprocessing.cpu_count()
    if processes > processors:
        print(
            f"--processes {processes}: at most one a processor, which is {processors} here.",
            file=sys.stderr,
        )
    return min(processes, processors)


class _Asked:
    """Whether somebody pressed Ctrl-C. Pressed again it ends everything at once."""

    def __init__(self) -> None:
        self._pressed = False
        self.obeyed = False
        """Whether the odds were told to stop, and so are not whole."""

    def to_stop(self) -> bool:
        self.obeyed = self.obeyed or self._pressed
        return self._pressed

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C, unless whoever started the command keeps it from it."""
        before = signal.getsignal(signal.SIGINT)
        if before is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _press(self, number: int, frame: Any) -> None:
        self._pressed = True
        signal.signal(number, signal.default_int_handler)


class _Way:
    """Says on stderr how far the odds are: on a screen one line that changes, elsewhere a line
    every few seconds. The clock is for these words alone; nothing that is fought sees it."""

    def __init__(self) -> None:
        self.screen = sys.stderr.isatty()
        self.began = self.said = time.monotonic()

    def told(self, fought: int, enough: int) -> None:
        now = time.monotonic()
        seconds = now - self.began
        left = max(0.0, seconds * (enough - fought) / fought)
        words = (
            f"{many(fought, 'battle')} of about {enough}, {seconds:.0f} s, some {left:.0f} s more"
        )
        if self.screen:
            print(f"\r{words:<60}", end="", file=sys.stderr, flush=True)
        elif now - self.said >= EVERY:
            self.said = now
            print(words, file=sys.stderr, flush=True)

    def ended(self) -> None:
        if self.screen:
            print(file=sys.stderr)


def _print(
    scenario: Scenario, found: Forecast, options: argparse.Namespace, *, interrupted: bool
) -> None:
    if not found.runs:
        print(f"{scenario.title}: interrupted before a battle was counted")
        return
    names = {side.key: side.name for side in scenario.sides}
    battles = many(found.runs, "battle")
    print(f"{scenario.title}: {f'interrupted after {battles}, so far' if interrupted else battles}")
    for share in found.outcomes:
        words = f"{names[share.side]} win" if share.side else share.outcome
        print(
            f"  {words:<24} {share.count:>6}  {share.share / 100:6.2f} %"
            f"   95 % between {share.low / 100:.2f} and {share.high / 100:.2f} %"
        )
    for row in found.amounts:
        words = {"lost": "lost by ", "spent": "spent: "}.get(row.what, f"{row.what} points of ")
        print(f"  {words}{row.name}: {row.middle} ({row.low} to {row.high} in eight of ten)")
    for fault in found.faults:
        print(f"  failed: {fault}")
    if interrupted:
        print(f"  Interrupted: not the whole answer, but that of --most {found.runs}.")
    elif not found.enough:
        words = "was" if found.runs == 1 else "were"
        print(f"  {battles} {words} too few for +- {options.points:g} points.")
    print(f"hash {found.hash}")


def print_json(document: Any) -> None:
    """A document as JSON that a person can read."""
    print(json.dumps(document, indent=2, ensure_ascii=False))

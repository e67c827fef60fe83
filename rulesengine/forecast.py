"""Odds of a battle: the battle itself, fought many times, counted, and stopped when it is enough.

Run *i* is fought with the key `key/i`, whoever fights it and in whatever chunk, so counts do not
depend on chunking, on workers or on timing; any run can be fought again with its log. Whether to
stop is asked only at every hundredth run, of the runs before it: the answer is a property of the
key. A run that breaks down counts as failed, never as a draw.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing.synchronize import Event
from typing import Any, Literal

import msgspec

from rulesengine.contract import Battle
from rulesengine.dice import Tape, key_of_run
from rulesengine.documents import (
    ELIMINATED,
    BattleResult,
    Doc,
    Proven,
    Scenario,
    canonical,
    digest,
)
from rulesengine.play import begin, fight, play
from rulesengine.registry import ruleset

LOOK = 100
"""Runs between two looks at whether it is enough."""
LEAST = 100
"""A lopsided battle is known well enough after the first look; a later first look would hold its
interval less often, not more."""
MOST = 10_000
CHUNK = 50
HALF_WIDTH = 300
"""Hundredths of a percent: the interval is to be no wider than +-3 points."""
Z = 1.959963984540054
"""Of a 95 % interval."""
DRAW, FAILED = 2, 3
"""Outcomes of a run; 0 and 1 are the sides in the scenario's order."""


class Run(Doc, frozen=True, kw_only=True, array_like=True):
    """What one fought battle came to."""

    outcome: int
    """0 or 1 the side that won, 2 a draw, 3 failed."""
    victory: tuple[int, int] = (0, 0)
    casualty: tuple[int, int] = (0, 0)
    lost: tuple[int, ...] = ()
    """Elements lost by each unit, in the scenario's order of units."""
    spent: tuple[tuple[str, int], ...] = ()
    """Per item, how many were used up."""
    why: str = ""
    """Of a failed run."""


class Chunk(Doc, frozen=True, kw_only=True):
    """Runs `first`, `first + 1`, ... in order."""

    first: int
    runs: tuple[Run, ...]


class Share(Doc, frozen=True, kw_only=True):
    """How often one outcome came, with its 95 % interval in hundredths of a percent."""

    outcome: str
    """`win` with a side, `draw` or `failed`."""
    side: str
    count: int
    share: int
    low: int
    high: int
    typical: int = -1
    """The run in the middle of those that ended so, by points; -1 where there is none."""


class Amounts(Doc, frozen=True, kw_only=True):
    """How a number was spread over the runs that did not fail."""

    what: str
    """`victory` or `casualty` of a side, `lost` of a unit, `spent` of an item."""
    of: str
    name: str
    side: str
    low: int
    """One run in ten came lower or as low."""
    middle: int
    high: int
    counts: tuple[tuple[int, int], ...]
    """Each value and how many runs had it, ascending."""


class Forecast(Doc, frozen=True, kw_only=True):
    """The odds of one scenario."""

    schema: Literal["forecast/1"]
    ruleset: str
    version: str
    scenario: str
    """SHA-256 of the scenario's canonical form."""
    runs: int
    half_width: int
    """What was asked for, in hundredths of a percent."""
    enough: bool
    """Whether the interval is as narrow as asked; else the runs ended first."""
    outcomes: tuple[Share, ...]
    amounts: tuple[Amounts, ...]
    faults: tuple[str, ...] = ()
    """What broke down, of the first failed runs."""

    @property
    def hash(self) -> str:
        return digest(self)


Progress = Callable[[int], bool]
"""Called with the number of runs fought so far; False stops."""


# --- fighting --------------------------------------------------------------------------------


def run_chunk(
    scenario: Scenario,
    key: bytes,
    first: int,
    count: int,
    progress: Progress | None = None,
    through: tuple[type[Exception], ...] = (MemoryError,),
) -> Chunk | None:
    """Fight runs `first` to `first + count - 1`. None when told to stop.

    `through`: what is no fault of the battle, such as a time limit, and ends the chunk instead.
    """
    runs = []
    for number in range(first, first + count):
        runs.append(_run(scenario, key_of_run(key, number), through))
        if progress is not None and not progress(len(runs)):
            return None
    return Chunk(first=first, runs=tuple(runs))


def _run(scenario: Scenario, key: bytes, through: tuple[type[Exception], ...]) -> Run:
    """One battle, its log off: the same code and the same result as with it on."""
    try:
        battle = begin(scenario, Tape(key), log=False)
        fight(battle)
        return _counted(scenario, battle)
    except through:
        raise
    except Exception as fault:  # whatever a ruleset raises is this run's end, not the forecast's
        return Run(outcome=FAILED, why=f"{type(fault).__name__}: {fault}"[:200])


def _counted(scenario: Scenario, battle: Battle[Any]) -> Run:
    result: BattleResult = battle.ruleset.result(battle.state)
    sides = [side.key for side in scenario.sides]
    ending = result.ending
    points = {"victory": [0, 0], "casualty": [0, 0]}
    for row in result.points:
        points[row.what][sides.index(row.side)] += row.quantity
    gone = Counter(f.unit for f in result.elements if f.after == ELIMINATED and not f.merged_into)
    spent: Counter[str] = Counter()
    for used in result.spent:
        spent[used.item] += used.quantity
    return Run(
        outcome=sides.index(ending.winner)
        if ending.kind == "win"
        else DRAW
        if ending.kind == "draw"
        else FAILED,
        victory=(points["victory"][0], points["victory"][1]),
        casualty=(points["casualty"][0], points["casualty"][1]),
        lost=tuple(gone[unit.id] for force in scenario.forces for unit in force.units),
        spent=tuple(sorted(spent.items())),
        why=ending.how if ending.kind == "failed" else "",
    )


def run_of(scenario: Scenario, key: bytes, number: int) -> Proven:
    """One run fought once more, with its log."""
    return play(scenario, key_of_run(key, number))


Watch = Callable[[int, int], None]
"""Told how many battles are fought and about how many will be enough."""
Stopped = Callable[[], bool]
"""Asked between battles whether to stop."""


def forecast(
    scenario: Scenario,
    key: bytes,
    *,
    most: int = MOST,
    half_width: int = HALF_WIDTH,
    processes: int = 1,
    chunk: int = CHUNK,
    progress: Watch | None = None,
    stopped: Stopped | None = None,
) -> Forecast:
    """The odds of a battle.

    `half_width` in hundredths of a percent. The counts are the same for any number of processes
    and any chunk. When `stopped` says so they are those of the chunks that are whole by then: the
    first so many runs, as if no more had been asked for.
    """
    stopped = stopped or (lambda: False)
    watch = progress or (lambda fought, enough: None)
    if processes == 1:
        runs = _alone(scenario, key, most, half_width, chunk, watch, stopped)
    else:
        runs = _together(scenario, key, most, half_width, processes, chunk, watch, stopped)
    return summed_up(scenario, runs, half_width)


def _about(runs: Sequence[Run], most: int, half_width: int) -> int:
    return expected([run.outcome for run in runs], most, half_width)


def _alone(
    scenario: Scenario,
    key: bytes,
    most: int,
    half_width: int,
    chunk: int,
    watch: Watch,
    stopped: Stopped,
) -> list[Run]:
    runs: list[Run] = []
    while not (end := stop_at(runs, most, half_width)):
        count = min(chunk, most - len(runs))
        done = run_chunk(scenario, key, len(runs), count, lambda _: not stopped())
        if done is None:
            return runs
        runs += done.runs
        watch(len(runs), _about(runs, most, half_width))
    return runs[:end]


_SCENARIO: list[Scenario] = []
"""The scenario of a child process, so that it is sent once."""
_STOP: list[Event] = []
"""Of a child process: set once its parent wants no more."""
PATIENCE = 0.1
"""Seconds between two questions whether to stop, while a chunk is waited for."""


def _prepare(kind: type[Scenario], document: bytes, stop: Event) -> None:
    # A Ctrl-C at a terminal reaches every process; what it means is for the parent to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _SCENARIO[:] = [msgspec.json.decode(document, type=kind)]
    _STOP[:] = [stop]


def _work(key: bytes, first: int, count: int) -> Chunk | None:
    return run_chunk(_SCENARIO[0], key, first, count, lambda _: not _STOP[0].is_set())


def _waited_for(future: Future[Chunk | None], stopped: Stopped) -> Chunk | None:
    """What a child fought; None once it is told to stop."""
    while not stopped():
        if wait((future,), PATIENCE).done:
            return future.result()
    return None


def _together(
    scenario: Scenario,
    key: bytes,
    most: int,
    half_width: int,
    processes: int,
    chunk: int,
    watch: Watch,
    stopped: Stopped,
) -> list[Run]:
    """Chunks go out in order and are read in order, so that only the prefix is ever looked at."""
    stop = multiprocessing.Event()
    prepared = (type(scenario), canonical(scenario), stop)
    with ProcessPoolExecutor(processes, initializer=_prepare, initargs=prepared) as pool:
        waiting: list[Future[Chunk | None]] = []
        sent = 0
        runs: list[Run] = []
        try:
            while not (end := stop_at(runs, most, half_width)):
                while sent < most and len(waiting) < processes + 1:
                    count = min(chunk, most - sent)
                    waiting.append(pool.submit(_work, key, sent, count))
                    sent += count
                done = _waited_for(waiting.pop(0), stopped)
                if done is None:
                    return runs
                runs += done.runs
                watch(len(runs), _about(runs, most, half_width))
            return runs[:end]
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


# --- when it is enough -------------------------------------------------------------------------


def wilson(count: int, of: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share, as fractions of 1."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (middle - half if count else 0.0), (middle + half if count < of else 1.0)


def stop_at(runs: Sequence[Run], most: int, half_width: int) -> int:
    """How many of the first runs are enough; 0 = not yet. Asked at every hundredth run only, so
    it does not matter how many more have been fought."""
    return stop_of([run.outcome for run in runs], most, half_width)


def stop_of(outcomes: Sequence[int], most: int, half_width: int) -> int:
    """The same of the bare outcomes of runs, in order."""
    counts = [0, 0, 0, 0]
    for number, outcome in enumerate(outcomes, 1):
        counts[outcome] += 1
        if number >= most:
            return number
        if number >= LEAST and number % LOOK == 0 and widest(counts, number) <= half_width:
            return number
    return 0


def expected(outcomes: Sequence[int], most: int, half_width: int) -> int:
    """About how many runs will be enough, if those to come end as those so far: a guess for who
    waits, and never less than the next look. Nothing is decided by it."""
    fought = len(outcomes)
    shares = [outcomes.count(outcome) / fought for outcome in range(4)] if fought else [0.5, 0.5]
    for number in range(max(LEAST, (fought // LOOK + 1) * LOOK), most, LOOK):
        if widest([round(share * number) for share in shares], number) <= half_width:
            return number
    return most


def widest(counts: Iterable[int], of: int) -> float:
    """The largest half-width among the intervals, in hundredths of a percent."""
    return max((high - low) / 2 for low, high in (wilson(count, of) for count in counts)) * 10_000


# --- summing up ----------------------------------------------------------------------------------


def summed_up(scenario: Scenario, runs: Sequence[Run], half_width: int) -> Forecast:
    """Runs as odds and spreads."""
    counts = [sum(run.outcome == outcome for run in runs) for outcome in range(4)]
    faults = dict.fromkeys(run.why for run in runs if run.outcome == FAILED)
    return Forecast(
        schema="forecast/1",
        ruleset=scenario.ruleset,
        version=ruleset(scenario.ruleset).version,
        scenario=digest(scenario),
        runs=len(runs),
        half_width=half_width,
        enough=widest(counts, len(runs)) <= half_width,
        outcomes=tuple(_share(scenario, runs, outcome, counts[outcome]) for outcome in range(4)),
        amounts=tuple(_amounts(scenario, [run for run in runs if run.outcome != FAILED])),
        faults=tuple(list(faults)[:5]),
    )


def _share(scenario: Scenario, runs: Sequence[Run], outcome: int, count: int) -> Share:
    low, high = wilson(count, len(runs))
    return Share(
        outcome=("win", "win", "draw", "failed")[outcome],
        side=scenario.sides[outcome].key if outcome < DRAW else "",
        count=count,
        share=round(10_000 * count / max(1, len(runs))),
        low=round(10_000 * low),
        high=round(10_000 * high),
        typical=_typical(runs, outcome),
    )


def _typical(runs: Sequence[Run], outcome: int) -> int:
    """The run in the middle, by the lead in victory points, of those that ended so."""
    ended = [
        (run.victory[0] - run.victory[1], n) for n, run in enumerate(runs) if run.outcome == outcome
    ]
    return sorted(ended)[len(ended) // 2][1] if ended else -1


def _amounts(scenario: Scenario, runs: Sequence[Run]) -> Iterable[Amounts]:
    if not runs:
        return
    for index, side in enumerate(scenario.sides):
        yield _spread("victory", side.key, side.name, side.key, [r.victory[index] for r in runs])
        yield _spread("casualty", side.key, side.name, side.key, [r.casualty[index] for r in runs])
    place = 0
    for force in scenario.forces:
        for unit in force.units:
            yield _spread("lost", unit.id, unit.name, force.side, [r.lost[place] for r in runs])
            place += 1
    for item in sorted({item for run in runs for item, _ in run.spent}):
        yield _spread("spent", item, item, "", [dict(run.spent).get(item, 0) for run in runs])


def _spread(what: str, of: str, name: str, side: str, values: list[int]) -> Amounts:
    ordered = sorted(values)
    last = len(ordered) - 1
    return Amounts(
        what=what,
        of=of,
        name=name,
        side=side,
        low=ordered[round(last * 0.1)],
        middle=ordered[round(last * 0.5)],
        high=ordered[round(last * 0.9)],
        counts=tuple(sorted(Counter(ordered).items())),
    )

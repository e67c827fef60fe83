"""Who wins how often: every fight of a pack, fought many times by the doctrine on both sides.

    python -m tests.balance fixtures/packs/eastern-front-1941 --battles 100 --processes 2

A line a fight: shares of wins and draws, points and losses in the middle, turns. A fight can be
named to look at it alone. To be used whenever a doctrine, a rule or a figure has changed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from rulesengine.dice import Tape, key_of_run, key_of_seed
from rulesengine.documents import Scenario
from rulesengine.loader import load_pack
from rulesengine.play import begin, fight

CHUNK = 10


class Fought(msgspec.Struct, frozen=True):
    """What one battle came to, sides in the scenario's order."""

    winner: str
    victory: tuple[int, ...]
    casualty: tuple[int, ...]
    turns: int


def fought(scenario: Scenario, run: int) -> Fought:
    """One battle, the same for the same scenario and run."""
    battle = begin(scenario, Tape(key_of_run(key_of_seed(f"balance {scenario.key}"), run)))
    winner = fight(battle).winner
    result = battle.ruleset.result(battle.state)
    points = {
        what: tuple(
            sum(p.quantity for p in result.points if (p.side, p.what) == (side.key, what))
            for side in scenario.sides
        )
        for what in ("victory", "casualty")
    }
    return Fought(winner, points["victory"], points["casualty"], result.turns)


def wins(battles: Iterable[Fought]) -> Counter[str]:
    """How often each side won; "" is a draw."""
    return Counter(battle.winner for battle in battles)


def line(scenario: Scenario, battles: list[Fought], seconds: float) -> str:
    """What a club wants to know of a fight before it plays it."""
    won = wins(battles)
    shares = [
        f"{name} {100 * won[key] / len(battles):5.1f} %"
        for key, name in (*((s.key, s.name) for s in scenario.sides), ("", "draw"))
    ]
    middle = [
        " : ".join(f"{median(getattr(b, what)[n] for b in battles):g}" for n in (0, 1))
        for what in ("victory", "casualty")
    ]
    turns = median(b.turns for b in battles)
    speed = 1000 * seconds / len(battles)
    return (
        f"{scenario.key:18} {'  '.join(shares)}  points {middle[0]}  casualties {middle[1]}"
        f"  turns {turns:g}  {speed:.0f} ms a battle"
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("pack", type=Path)
    asked.add_argument("fights", nargs="*", help="keys of scenarios; all of the pack if none")
    asked.add_argument("--battles", type=int, default=100)
    asked.add_argument("--processes", type=int, default=1)
    options = asked.parse_args()
    scenarios = load_pack(options.pack).scenarios
    unknown = sorted(set(options.fights) - set(scenarios))
    if unknown:
        asked.error(f"no fight {unknown[0]!r} in the pack; there are: {', '.join(scenarios)}")
    with ProcessPoolExecutor(options.processes) as pool:
        for key in options.fights or scenarios:
            start = perf_counter()
            runs = range(options.battles)
            battles = list(pool.map(partial(fought, scenarios[key]), runs, chunksize=CHUNK))
            print(line(scenarios[key], battles, perf_counter() - start), flush=True)


if __name__ == "__main__":
    main()

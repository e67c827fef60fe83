"""Speed as ratios measured in one run: `bin/bench [--json] [--rounds N] [--odds] [--workers]`.

Each round times the calibration loop and every case once, one after the other, in processor time,
so that whatever else the machine does falls on all alike; medians are compared. The reference
battle is `fixtures/bench/reference.toml`: 40 units, 30x20 hexes, 10 turns.

battle_warm  a battle not fought before, log off, on a map played on        / calibration loop
battle_cold  the same on a map never seen, with log and report in words   / battle_warm
log_on       the same on a warm map with its log on                       / battle_warm
doubling     twice the units on the same map                              / battle_warm
armour_warm  a battle of tanks, guns and infantry, like battle_warm       / calibration loop
map_area     the reference battle on a map of twice the area              / battle_warm
ask_1000     a thousand rule questions of all kinds, asked in a process
             that has asked nothing before                                / calibration loop
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from rulesengine.aar import in_words, tell
from rulesengine.contract import Battle
from rulesengine.dice import Tape, key_of_run, key_of_seed
from rulesengine.documents import Force, Unit
from rulesengine.loader import load_scenario
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import State
from tests import bench_asking

REFERENCE = Path(__file__).parents[1] / "fixtures" / "bench" / "reference.toml"
ARMOUR = REFERENCE.with_name("armour.toml")
BOUNDS = {
    "battle_warm": 0.7,
    "battle_cold": 5.0,
    "log_on": 1.2,
    "doubling": 3.0,
    "armour_warm": 0.7,
    "map_area": 1.4,
    "ask_1000": bench_asking.BOUND,
}
FOUGHT = [name for name in BOUNDS if name != "ask_1000"]
SEED = "bench"
ASKED = 3
"""Rounds of a thousand questions: each takes a process."""


def loop() -> None:
    sum(i * i for i in range(10**6))


def fought(scenario: OstScenario, run: int, *, log: bool = False) -> Battle[State]:
    battle = begin(scenario, Tape(key_of_run(key_of_seed(SEED), run)), log=log)
    fight(battle)
    return battle


def fresh(scenario: OstScenario) -> OstScenario:
    """The same document read anew, so that nothing about its map is known."""
    return msgspec.json.decode(msgspec.json.encode(scenario), type=OstScenario)


def told(scenario: OstScenario, run: int) -> int:
    """A cold battle with its log and its report; how many lines."""
    battle = fought(scenario, run, log=True)
    return len([in_words(entry) for entry in tell(scenario, battle.log or ())])


def doubled(scenario: OstScenario) -> OstScenario:
    """Every unit twice."""
    return msgspec.structs.replace(
        scenario,
        forces=tuple(
            Force(side=f.side, units=f.units + tuple(twin(unit) for unit in f.units))
            for f in scenario.forces
        ),
    )


def wider(scenario: OstScenario) -> OstScenario:
    """The same battle on twice the area: the map once more below itself, nobody in it."""
    ground = scenario.ground
    levels = ground.levels * 2
    return msgspec.structs.replace(
        scenario,
        ground=msgspec.structs.replace(
            ground, key=f"{ground.key}-wide", grid=ground.grid * 2, levels=levels
        ),
    )


def twin(unit: Unit) -> Unit:
    """The same unit once more, under another id."""
    elements = tuple(
        msgspec.structs.replace(element, id=f"{element.id}-twin") for element in unit.elements
    )
    return msgspec.structs.replace(
        unit, id=f"{unit.id}-twin", name=f"{unit.name} II", elements=elements
    )


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(rounds: int) -> dict[str, float]:
    """The ratios, and what the reference battle is like."""
    scenario, armour = load_scenario(REFERENCE), load_scenario(ARMOUR)
    assert isinstance(scenario, OstScenario)
    assert isinstance(armour, OstScenario)
    twice, wide = doubled(scenario), wider(scenario)
    for run in range(rounds, 2 * rounds):
        fought(scenario, run)
        fought(twice, run)
        fought(armour, run)
        fought(wide, run)
    times: dict[str, list[float]] = {name: [] for name in ("loop", *FOUGHT)}
    for run in range(rounds):
        unseen = fresh(scenario)
        times["loop"].append(timed(loop))
        times["battle_warm"].append(timed(lambda: fought(scenario, run)))  # noqa: B023
        times["log_on"].append(timed(lambda: fought(scenario, run, log=True)))  # noqa: B023
        times["battle_cold"].append(timed(lambda: told(unseen, run)))  # noqa: B023
        times["doubling"].append(timed(lambda: fought(twice, run)))  # noqa: B023
        times["map_area"].append(timed(lambda: fought(wide, run)))  # noqa: B023
        times["armour_warm"].append(timed(lambda: fought(armour, run)))  # noqa: B023
    median = {name: statistics.median(each) for name, each in times.items()}
    return {
        "battle_warm": round(median["battle_warm"] / median["loop"], 3),
        "battle_cold": round(median["battle_cold"] / median["battle_warm"], 3),
        "log_on": round(median["log_on"] / median["battle_warm"], 3),
        "doubling": round(median["doubling"] / median["battle_warm"], 3),
        "map_area": round(median["map_area"] / median["battle_warm"], 3),
        "armour_warm": round(median["armour_warm"] / median["loop"], 3),
        "ask_1000": bench_asking.measure(min(rounds, ASKED)),
        "loop_ms": round(median["loop"] * 1000, 1),
        "warm_ms": round(median["battle_warm"] * 1000, 1),
        "impulses": statistics.median(impulses(scenario, run) for run in range(rounds)),
    }


def impulses(scenario: OstScenario, run: int) -> int:
    """Impulses used in a battle."""
    log = fought(scenario, run, log=True).log or ()
    return sum(1 for event in log if type(event).__name__ == "PointsSpent")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--odds", action="store_true", help="the figures of odds too (minutes)")
    parser.add_argument("--workers", action="store_true", help="what Celery costs too (minutes)")
    options = parser.parse_args()
    figures = measure(options.rounds)
    fast_enough = all(figures[name] <= bound for name, bound in BOUNDS.items())
    if options.odds:
        from tests import bench_odds

        more = bench_odds.measure()
        fast_enough &= all(more[name] >= bound for name, bound in bench_odds.BOUNDS.items())
        figures |= more
    if options.workers:
        from tests import bench_workers

        costs = bench_workers.measure()
        fast_enough &= all(costs[name] <= bound for name, bound in bench_workers.BOUNDS.items())
        figures |= costs
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, figure in figures.items():
            bound = f"  (at most {BOUNDS[name]})" if name in BOUNDS else ""
            print(f"{name:12} {figure}{bound}")
    return 0 if fast_enough else 1


if __name__ == "__main__":
    sys.exit(main())

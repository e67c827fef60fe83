"""Speed of odds, as ratios measured in one run: `bin/bench --odds [--json]`.

forecast_2p   a forecast of 1,000 battles by one process / by two, wall clock    (at least 1.7)
exact_cold    what ten attacks in a row do to a two-step squad with gut checks, nothing
              remembered: icepool's plain formulation (`plainly`) / `ask`, in processor time;
              equal fractions                                                     (at least 5)
"""

from __future__ import annotations

import statistics
import time
from fractions import Fraction
from pathlib import Path

import icepool

from rulesengine.dice import key_of_seed
from rulesengine.forecast import forecast
from rulesengine.loader import load_scenario
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import worth
from rulesengine.rulesets.ost.charts import ICT, column
from rulesengine.rulesets.ost.questions import InfantryAttack

BOUNDS = {"forecast_2p": 1.7, "exact_cold": 5.0}
BATTLE = Path(__file__).parents[1] / "fixtures" / "bench" / "reference.toml"
BATTLES = 1_000
ATTACKS = 10
CASES = [(firepower, defense) for firepower in (2, 4, 6, 8, 10) for defense in (4, 6)]
GUT_CHECK = 7


def forecast_2p() -> float:
    """How much sooner two processes are done than one, with the same counts."""
    scenario = load_scenario(BATTLE)
    spent, found = [], []
    for processes in (1, 2):
        start = time.perf_counter()
        found.append(
            forecast(
                scenario, key_of_seed("bench"), most=BATTLES, half_width=1, processes=processes
            )
        )
        spent.append(time.perf_counter() - start)
    assert found[0] == found[1]
    return spent[0] / spent[1]


def asked(firepower: int, defense: int) -> dict[str, Fraction]:
    question = InfantryAttack(
        firepower=(firepower,), defense=defense, gut_check=GUT_CHECK, attacks=ATTACKS
    )
    answer = ruleset("ost").adjudicate(question)
    return {c.outcome: Fraction(c.over, c.of) for c in answer.chances}


def plainly(firepower: int, defense: int) -> dict[str, Fraction]:
    """The same with icepool, the rules written down as they are read."""
    two = icepool.d(6) + icepool.d(6)
    at = column(firepower, defense)
    fails = two.map(lambda roll: roll < GUT_CHECK)

    def falls_to(morale: int, level: int) -> int:
        return 2 if level == 2 or morale == 1 else max(morale, 1)

    def attacked(lost: int, morale: int) -> object:
        if lost == 2:
            return (lost, morale)

        def result(roll: int) -> object:
            code = ICT[min(12, roll)][at]
            if code == 6 or (code >= 3 and lost == 1):
                return (2, morale)
            now = lost + (code >= 3)
            level = {1: 1, 2: 2, 4: 1, 5: 2}.get(code, 0)
            if not level or morale == 2:
                return (now, morale)
            return fails.map(lambda failed: (now, falls_to(morale, level) if failed else morale))

        return two.map(result)

    die = icepool.Die([(0, 0)]).map(attacked, repeat=ATTACKS, star=True)
    found: dict[str, Fraction] = {}
    for lost, morale in die.outcomes():
        name = "eliminated" if lost == 2 else NAMES[lost, morale]
        found[name] = found.get(name, Fraction(0)) + Fraction(die.probability((lost, morale)))
    return found


NAMES = {
    (0, 0): "no effect",
    (0, 1): "shaken",
    (0, 2): "broken",
    (1, 0): "one step lost",
    (1, 1): "one step lost, shaken",
    (1, 2): "one step lost, broken",
}


def forget() -> None:
    """Nothing is remembered of any attack."""
    worth.outcomes.cache_clear()
    worth._WORTH.clear()
    worth._STRENGTH.clear()
    worth._RESISTANCE.clear()


def exact_cold(rounds: int = 20) -> float:
    ratios = []
    for _ in range(rounds):
        forget()
        start = time.process_time()
        ours = [asked(*case) for case in CASES]
        between = time.process_time()
        theirs = [plainly(*case) for case in CASES]
        end = time.process_time()
        assert ours == theirs, (ours, theirs)
        ratios.append((end - between) / (between - start))
    return statistics.median(ratios)


def measure() -> dict[str, float]:
    return {"forecast_2p": round(forecast_2p(), 2), "exact_cold": round(exact_cold(), 2)}

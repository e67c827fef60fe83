"""What holds after every single event of random legal battles of every kind.

Battles and seeds are declared here, before any is fought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.charts import MODIFIERS, column
from rulesengine.rulesets.ost.kinds import CATEGORY, DEFENSE, FIREPOWER, LEADER, VEHICLE, WEAPON
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import NONE, OFF, State
from tests.engine.ost.battles import (
    ARMOUR,
    HILLS,
    MIRROR,
    fortified,
    in_town,
    lucky,
    motorised,
    parachuted,
    random_battle,
    scenario,
)

OST = ruleset("ost")
RUNS = 1
BATTLES: dict[str, Callable[[], OstScenario]] = {
    "infantry": lambda: scenario(MIRROR),
    "hills": lambda: scenario(HILLS),
    "armour": lambda: scenario(ARMOUR),
    "works": fortified,
    "riders": motorised,
    "town": in_town,
    "airborne": parachuted,
    "cards": lucky,
}
APPLIES = {row.code: row.applies for row in MODIFIERS}
MOST_ACTS = 3
"""Two limited actions and intensive fire."""


def changed(event: Any, *what: str) -> int:
    """What the modifiers of an event add to a number."""
    pairs = zip(event.modifiers[::2], event.modifiers[1::2], strict=True)
    return sum(amount for code, amount in pairs if APPLIES.get(code, "terrain") in what)


def check_sum(event: Any) -> bool:
    """The total of a roll is its dice and the modifiers told; whether the event has one."""
    if not all(hasattr(event, name) for name in ("roll", "total", "modifiers")):
        return False
    rolls = set(APPLIES.values()) - {"firepower", "defense", "range", "first shot"}
    assert event.total == event.roll.total + changed(event, *rolls), event
    return True


def check_strengths(state: State, event: Any) -> bool:
    """Firepower and Defense of an attack are those of the counters and the modifiers told, and
    the column is the one of their difference. OST 27.1."""
    if type(event).__name__ != "Shot":
        return False
    against = event.defense - changed(event, "defense", "terrain")
    armored = CATEGORY[state.kind[event.target]] == VEHICLE
    assert armored or against == DEFENSE[state.kind[event.target]], event
    base = event.firepower - changed(event, "firepower")
    own = [FIREPOWER[state.kind[c]][state.steps[c]] for c in event.firers]
    held = [state.weapon[c] for c in event.firers]
    weapons = [FIREPOWER[state.kind[w]][1] for w in held if w != NONE]
    if event.firepower > 1 and not any(CATEGORY[state.kind[c]] == VEHICLE for c in event.firers):
        assert 0 < base <= sum(own) + sum(weapons), event
    assert event.column == column(event.firepower, event.defense), event
    return True


def check_limits(state: State) -> None:
    """Nobody acts more often than he may, and who acted three times fired intensively. OST 22,
    27.7; no points are owed, no steps below nothing."""
    for c in range(len(state.kind)):
        if CATEGORY[state.kind[c]] == WEAPON or state.hex[c] == OFF:
            continue
        acts = state.acts(c)
        assert acts <= MOST_ACTS, state.names[c]
        assert CATEGORY[state.kind[c]] == LEADER or state.steps[c] > 0
    assert min(state.impulses) >= 0


def check_intensive(state: State, event: Any) -> int:
    """Who fires after two actions fires intensively, and nobody else does. OST 22.0.1, 27.7.1.
    How many fired so."""
    name = type(event).__name__
    if name not in ("FireDeclared", "HexFireDeclared"):
        return 0
    first = event.firers[0] if name == "FireDeclared" else event.unit
    assert (state.acts(first) == MOST_ACTS) == event.intensive, event
    return int(event.intensive)


class Ages:
    """How long smoke has been where it is, and what a turn's end has to take away."""

    def __init__(self) -> None:
        self.smoke: dict[int, int] = {}
        self.turns = 0

    def check(self, state: State, event: Any) -> None:
        name = type(event).__name__
        if name == "SmokeLaid":
            for h in state.smoke:
                self.smoke.setdefault(h, 0)
            self.smoke |= dict.fromkeys(laid(event), 0)
        elif name == "SmokeAged":
            self.smoke = {h: age + 1 for h, age in self.smoke.items() if h in state.smoke}
            assert all(age < 2 for age in self.smoke.values()), "smoke lasts two turns (13.9.2)"
        elif name == "TurnEnded":
            self.turns += 1
            assert not state.strikes
            assert not state.acquired
            assert not state.clearing
            assert not any(state.moved + state.assaulted + state.done)
            assert not any(state.fired)
        assert set(state.smoke) <= set(self.smoke)


def laid(event: Any) -> tuple[int, ...]:
    return tuple(getattr(event, "hexes", ())) or (event.hex,)


@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("name", BATTLES)
def test_sums_limits_and_ages_hold_after_every_event(name, rough):
    fought, seen = BATTLES[name](), Counter[str]()
    for run in range(RUNS):
        battle = random_battle(fought, f"properties {name}", run, rough=rough)
        folded, ages = OST.setup(fought), Ages()
        for event in battle.log or ():
            seen["strengths"] += check_strengths(folded, event)
            OST.evolve(folded, event)
            seen["sums"] += check_sum(event)
            check_limits(folded)
            seen["intensive"] += check_intensive(folded, event)
            ages.check(folded, event)
        seen["turns"] += ages.turns
    assert min(seen["sums"], seen["strengths"], seen["turns"]) > 1, seen


@pytest.mark.parametrize("name", BATTLES)
def test_no_line_is_ever_told_as_degraded_more_than_twice(name):
    """Two at most; the third blocks. OST 12.3.4."""
    battle = random_battle(BATTLES[name](), f"degraded {name}", 0)
    degraded = {row.code for row in MODIFIERS if row.key in ("DEGRADED_SIGHT", "DEGRADED_TO_HIT")}
    assert len(degraded) == 2
    told_of = 0
    for event in battle.log or ():
        told = getattr(event, "modifiers", ())
        for code, amount in zip(told[::2], told[1::2], strict=True):
            if code in degraded:
                assert -2 <= amount < 0, event
                told_of += 1
    assert told_of, "no shot of the battle was degraded"

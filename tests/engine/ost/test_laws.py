"""The doctrine obeys the laws of the game it plays: fair mirrors, more is never worse, no idling.

Seeds, sizes and error probabilities are declared here, before any battle is fought.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import msgspec
import pytest

from rulesengine.contract import Battle
from rulesengine.dice import Tape
from rulesengine.documents import Element, Force, Unit
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.scenario import Impulses, OstScenario
from tests.balance import fought, wins
from tests.bench import twin
from tests.engine.ost.battles import (
    EASTERN_FIGHTS,
    FIGHTS,
    MIRROR,
    fight_of,
    key,
    scenario,
    swapped,
)

MIRRORED = 400
"""Battles for the fairness of the mirror: half with the sides as they are, half swapped."""
FAIR = 3.29
"""Half-width in standard errors of the 99.9 % interval around even chances."""
PAIRS = 100
ALPHA = 0.001
"""Chance of calling one more platoon harmful when it is not."""
BALANCED = 120
BRIEFLY, AT_LENGTH = 60, 400
"""Battles of a fight of the eastern pack: in every run of the tests, and in the long one."""
LEAST, MOST = 0.2, 0.8
SHARE = 0.7
FEW, WELL_USED = 20, 0.65
"""For fewer and smaller battles, which scatter more."""


def winner(battle: OstScenario, name: str, run: int) -> str:
    started = begin(battle, Tape(key(name, run)), log=False)
    return fight(started).winner


def test_a_mirrored_battle_with_sides_swapped_is_fair():
    wins = {"allies": 0, "axis": 0}
    for run in range(MIRRORED // 2):
        for battle in (scenario(MIRROR), swapped(scenario(MIRROR))):
            won = winner(battle, f"mirror {battle.key}", run)
            if won:
                wins[won] += 1
    decided = sum(wins.values())
    assert decided > MIRRORED * 0.8, "too many draws to judge by"
    off = abs(wins["allies"] - decided / 2) / (decided**0.5 / 2)
    assert off < FAIR, f"{wins}: {off:.2f} standard errors from even"


def paired(change: Callable[[OstScenario, str], OstScenario]) -> tuple[int, int]:
    """Battles that a change for one side turned for the better, and for the worse."""
    plain = scenario(MIRROR)
    better = worse = 0
    for side in ("allies", "axis"):
        changed = change(plain, side)
        for run in range(PAIRS):
            before = winner(plain, "one more platoon", run) == side
            after = winner(changed, "one more platoon", run) == side
            better += after and not before
            worse += before and not after
    return better, worse


def test_one_more_platoon_never_lowers_the_chance_to_win():
    """Paired by seed: the sign test must not find the reinforced side worse."""
    better, worse = paired(with_platoon)
    assert better + worse > PAIRS // 10, "the platoon changed next to nothing"
    assert sign_test(better, worse) > ALPHA, f"better in {better}, worse in {worse}"


def test_twice_the_force_with_twice_the_points_wins_more_often():
    """The sign test must find the doubled side better."""
    better, worse = paired(doubled)
    assert sign_test(worse, better) < ALPHA, f"better in {better}, worse in {worse}"


def doubled(battle: OstScenario, side: str) -> OstScenario:
    """Every unit of a side twice, and its Impulse Points."""
    forces = tuple(
        Force(side=f.side, units=f.units + tuple(twin(unit) for unit in f.units))
        if f.side == side
        else f
        for f in battle.forces
    )
    terms = tuple(
        msgspec.structs.replace(
            t, impulses=Impulses(dice=t.impulses.dice * 2, plus=t.impulses.plus * 2)
        )
        if t.side == side
        else t
        for t in battle.terms
    )
    return msgspec.structs.replace(battle, forces=forces, terms=terms)


def with_platoon(battle: OstScenario, side: str) -> OstScenario:
    """Three more squads of the side's first squad type."""
    force = next(f for f in battle.forces if f.side == side)
    kind = next(
        e.type
        for u in force.units
        for e in u.elements
        if ("rifle" in e.type or "infantry" in e.type)
    )
    platoon = Unit(
        id="more",
        name="One more platoon",
        elements=tuple(Element(id=f"more/{n}", type=kind) for n in (1, 2, 3)),
    )
    forces = tuple(
        Force(side=f.side, units=(*f.units, platoon)) if f is force else f for f in battle.forces
    )
    return msgspec.structs.replace(battle, forces=forces)


def sign_test(better: int, worse: int) -> float:
    """Chance of at least this many worse among the pairs that differ, if it made no difference."""
    total = better + worse
    return float(sum(comb(total, k) for k in range(worse, total + 1)) / 2**total)


def points_of(battle: Battle[Any]) -> tuple[int, int]:
    """Impulse Points that were put to use in a battle, and those that were rolled."""
    used = given = 0
    for event in battle.log or ():
        kind = type(event).__name__
        if kind == "ImpulsesRolled":
            given += event.total  # type: ignore[attr-defined]
        elif kind == "PointsSpent":
            used += event.points  # type: ignore[attr-defined]
    return used, given


@pytest.mark.parametrize("name", FIGHTS)
def test_either_side_can_win_each_fight_and_points_are_put_to_use(name):
    wins = {"allies": 0, "axis": 0, "": 0}
    used = given = 0
    for run in range(BALANCED):
        battle = begin(fight_of(name), Tape(key(f"balance {name}", run)))
        wins[fight(battle).winner] += 1
        put, rolled = points_of(battle)
        used, given = used + put, given + rolled
    for side in ("allies", "axis"):
        assert LEAST <= wins[side] / BALANCED <= MOST, wins
    assert used / given >= SHARE, f"{used} of {given} Impulse Points were put to use"


def balanced(name: str, battles: int) -> None:
    battle = fight_of(name)
    won = wins(fought(battle, run) for run in range(battles))
    for side in battle.sides:
        assert LEAST <= won[side.key] / battles <= MOST, dict(won)


@pytest.mark.parametrize("name", EASTERN_FIGHTS)
def test_either_side_can_win_each_fight_on_the_eastern_front(name):
    balanced(name, BRIEFLY)


@pytest.mark.parametrize("name", EASTERN_FIGHTS)
def test_most_points_are_put_to_use_on_the_eastern_front(name):
    used = given = 0
    for run in range(FEW):
        battle = begin(fight_of(name), Tape(key(f"points {name}", run)))
        fight(battle)
        put, rolled = points_of(battle)
        used, given = used + put, given + rolled
    assert used / given >= WELL_USED, f"{used} of {given} Impulse Points were put to use"


@pytest.mark.long
@pytest.mark.parametrize("name", EASTERN_FIGHTS)
def test_either_side_wins_its_share_on_the_eastern_front_in_the_long_run(name):
    balanced(name, AT_LENGTH)

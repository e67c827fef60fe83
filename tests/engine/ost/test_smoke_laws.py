"""Smoke before an attack over open ground helps the attacker, and the doctrine lays it.

Paired by seed: the same dice with the doctrine, and with one that never thinks of smoke. Seeds,
sizes and error probabilities are declared here, before any battle is fought.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rulesengine.contract import Battle
from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.field_events import SmokeLaid
from rulesengine.rulesets.ost.state import State
from tests.engine.ost.battles import key
from tests.engine.ost.open_ground import Smokeless, attack
from tests.engine.ost.test_laws import ALPHA, sign_test

PAIRS = 50
OFTEN = {"missions": 0.9, "mortars": 0.6, "engineers": 0.2}
"""The share of battles in which smoke of each means is laid, at least."""


def fought(kind: type[Sensible], means: str, run: int) -> Battle[State]:
    battle = begin(attack(means), Tape(key(f"smoke of {means}", run)))
    fight(battle, [kind(battle.state, 0), Sensible(battle.state, 1)])
    return battle


def won(battle: Battle[State]) -> bool:
    ending = battle.ruleset.outcome(battle.state)
    return ending is not None and ending.winner == "allies"


def clouds(battle: Battle[State]) -> list[SmokeLaid]:
    return [event for event in battle.log or () if isinstance(event, SmokeLaid)]


def paired(means: str, runs: Iterable[int]) -> tuple[int, int, int]:
    """Battles that smoke turned for the better, for the worse, and those in which it was laid."""
    better = worse = laid = 0
    for run in runs:
        before, after = fought(Smokeless, means, run), fought(Sensible, means, run)
        assert not clouds(before)
        better += won(after) and not won(before)
        worse += won(before) and not won(after)
        laid += bool(clouds(after))
    return better, worse, laid


@pytest.mark.parametrize("means", OFTEN)
def test_smoke_before_an_attack_over_open_ground_is_laid_and_never_harms(means):
    better, worse, laid = paired(means, range(PAIRS))
    assert laid >= OFTEN[means] * PAIRS, f"laid in {laid} of {PAIRS} battles"
    assert sign_test(better, worse) > ALPHA, f"better in {better}, worse in {worse}"


def test_smoke_of_a_battery_wins_attacks_that_are_lost_without():
    better, worse, _ = paired("missions", range(PAIRS, 2 * PAIRS))
    assert sign_test(worse, better) < ALPHA, f"better in {better}, worse in {worse}"

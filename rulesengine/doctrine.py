"""How an AI side decides: what every ruleset's doctrine shares.

A doctrine sees only its side's view and answers one decision at a time. `Anything` answers at
random, from dice of its own: it is the fuzzer's player, and the yardstick of every other.
"""

from __future__ import annotations

from typing import Any

from rulesengine.contract import Action, Decision, Ruleset
from rulesengine.dice import Dice


class Anything:
    """Chooses any candidate, each as likely as the next."""

    def __init__(self, ruleset: Ruleset[Any], dice: Dice) -> None:
        self._ruleset = ruleset
        self._dice = dice

    def choose(self, view: Any, decision: Decision) -> Action:
        menu = list(self._ruleset.candidates(view, decision))
        if not menu:
            raise ValueError(f"no candidate answers: {decision.wants}")
        index = 0
        remaining = len(menu)
        while remaining > 1:
            index = index * 100 + self._dice.roll(100, 1).faces[0] - 1
            remaining = -(-remaining // 100)
        return menu[index % len(menu)]

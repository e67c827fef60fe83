"""The simple first doctrine: the yardstick that the doctrine of today is measured by.

It rates each unit's best shot, rally, move and assault and takes the best, as the doctrine does,
but all units press on alike, cover counts for less, opportunity fire is held back, and a side
that has nothing to gain passes or gives its point up instead of looking for a better place.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.contract import Action
from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.doctrine import INTENSIVE, Sensible
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.shots import NO_SHOT, can_fire
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.weights import Weights
from tests.engine.ost.battles import key

FIRST = Weights(
    cover=9,
    nearer=9,
    spearhead=99,
    slack=2,
    danger=1,
    target=0,
    keep_off=4,
    least_shot=6,
    reaction=16,
    price=0,
    prize=0,
    control=60,
    assault=20,
)


class First(Sensible):
    """One side's player. Answers every decision of the ruleset."""

    __slots__ = ()

    def __init__(self, state: State, side: int) -> None:
        super().__init__(state, side, FIRST)

    def _idle(self) -> Action:
        state, side = self._view.state, self._side
        for c in state.of_side[side]:
            if state.acts(c) >= 2 and can_fire(self._view, c, intensive=True):
                shot = max(
                    (self._shots.shot(c, t, intensive=True) for t in self._view.enemies()),
                    default=NO_SHOT,
                )
                if shot[0] >= INTENSIVE:
                    return self._shots.order(c, shot)
        if state.impulses[side] < state.impulses[1 - side]:
            return a.Pass()
        return a.DropPoint()


def share_won(fights: Iterable[tuple[str, OstScenario]], seeds: range) -> float:
    """The share of decided battles that the doctrine wins against this one, from either side of
    each of the fights (name for the dice, scenario)."""
    won = lost = 0
    for name, battle in fights:
        for run in seeds:
            for me in (0, 1):
                started = begin(battle, Tape(key(name, run)), log=False)
                kinds = (Sensible, First) if me == 0 else (First, Sensible)
                players = [kind(started.state, side) for side, kind in enumerate(kinds)]
                winner = fight(started, players).winner
                won += winner == battle.sides[me].key
                lost += winner == battle.sides[1 - me].key
    return won / (won + lost)

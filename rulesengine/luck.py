"""How a side's dice came out against what fair dice give.

Only rolls of events that the listener is told of are counted, so nothing comes out of it that
does not stand, die by die, in the report he may read. What is counted is the total of each roll,
not what it led to: a 9 that hits nobody is as lucky as a 9 that hits. Sums are whole numbers
(doubled, and times twelve) and exact; battles add up.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import msgspec

from rulesengine.dice import Roll
from rulesengine.documents import BattleLog
from rulesengine.explain import Throw
from rulesengine.proof import events_of, scenario_of
from rulesengine.registry import ruleset

Z95 = NormalDist().inv_cdf(0.975)
"""Standard deviations to either side that hold 95 of 100 sums of fair dice. From two dice on the
sum is near enough to the normal law for that; a test compares it with the exact one."""


class Luck(msgspec.Struct, frozen=True):
    """Rolls of one kind of one side, summed."""

    side: int
    what: str
    rolls: int = 0
    shown: int = 0
    """What the dice showed, all together."""
    due2: int = 0
    """Twice what fair dice show on average."""
    gain2: int = 0
    """Twice what the side got above that; below is negative. Turned round where low is good."""
    variance12: int = 0
    """Twelve times the variance of the sum."""

    @property
    def due(self) -> float:
        return self.due2 / 2

    @property
    def gain(self) -> float:
        return self.gain2 / 2

    @property
    def fair(self) -> float:
        """Between minus and plus this lies `gain` for 95 of 100 sets of fair dice."""
        return Z95 * sqrt(self.variance12 / 12)

    @property
    def beats(self) -> float:
        """The share of sets of fair dice that do worse, from 0 to 1."""
        if not self.variance12:
            return 0.5
        return NormalDist().cdf(self.gain / sqrt(self.variance12 / 12))

    def plus(self, other: Luck) -> Luck:
        """Both together, under this one's name."""
        return Luck(
            self.side,
            self.what,
            self.rolls + other.rolls,
            self.shown + other.shown,
            self.due2 + other.due2,
            self.gain2 + other.gain2,
            self.variance12 + other.variance12,
        )


def of_throw(throw: Throw) -> Luck:
    """One roll. A die of s sides has the mean (s + 1) / 2 and the variance (s * s - 1) / 12."""
    roll: Roll = throw.roll
    count = len(roll.faces)
    due2 = count * (roll.sides + 1)
    gain2 = 2 * roll.total - due2
    return Luck(
        throw.side,
        throw.what,
        1,
        roll.total,
        due2,
        gain2 if throw.high else -gain2,
        count * (roll.sides * roll.sides - 1),
    )


def counted(log: BattleLog, side: int | None) -> dict[tuple[int, str], Luck]:
    """The luck of a battle by side and kind of roll, for one listener: None the referee, -1 the
    public, else a side."""
    rules = ruleset(log.ruleset)
    state = rules.setup(scenario_of(log))
    sums: dict[tuple[int, str], Luck] = {}
    for event in events_of(log):
        rules.evolve(state, event)
        throws = rules.throws(state, event)
        if throws and rules.narrate(state, event, side) is not None:
            for throw in throws:
                key = (throw.side, throw.what)
                sums[key] = sums.get(key, Luck(*key)).plus(of_throw(throw))
    return sums

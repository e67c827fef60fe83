"""What an attempt to rally is worth (for the doctrine)."""

from __future__ import annotations

from rulesengine.rulesets.ost.kinds import ELITE, POOR
from rulesengine.rulesets.ost.morale import NEEDED, leader_in_range
from rulesengine.rulesets.ost.state import BROKEN, NONE, SHAKEN, State
from rulesengine.rulesets.ost.worth import MORALE_WORTH

WAYS_TO_TOTAL = tuple(sum(6 - abs(7 - t) for t in range(n, 13)) for n in range(15))
"""Falls of 2D6, of 36, that reach a number."""


def rally_worth(state: State, c: int) -> int:
    """What a rally attempt gains on average, in hundredths of a step. OST 18."""
    morale, traits = state.morale[c], state.quality[c]
    helped = (leader_in_range(state, c) != NONE) + bool(traits & ELITE) - bool(traits & POOR)
    ways = WAYS_TO_TOTAL[max(0, NEEDED[morale] - helped)]
    gain = MORALE_WORTH[morale] * ways
    if morale == BROKEN:
        gain += (MORALE_WORTH[BROKEN] - MORALE_WORTH[SHAKEN]) * (36 - ways)
    return gain * state.steps[c] // 50

"""What an enemy's fire makes of a hex, and what could be fired at from it, for one turn (for the
doctrine)."""

from __future__ import annotations

from rulesengine.rulesets.ost.glance import near
from rulesengine.rulesets.ost.heights import rise
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    FIREPOWER,
    LEADER,
    VEHICLE,
)
from rulesengine.rulesets.ost.screens import dimmed
from rulesengine.rulesets.ost.sight import BLOCKED, UNKNOWN, look
from rulesengine.rulesets.ost.state import (
    BROKEN,
    NONE,
    SHAKEN,
    View,
)
from rulesengine.rulesets.ost.worth import worths

TYPICAL_DEFENSE = 4
SHARED = 3
"""A vehicle reaches so far that its fire is shared out among this many targets."""


class Dangers:
    """The dangers of hexes to one side, as it stood when it last looked around."""

    __slots__ = ("_danger", "_enemies", "_farthest", "_in_reach", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._danger: dict[int, int] = {}
        self._enemies: list[tuple[int, int, int, int]] = []
        """(hex, reach, firepower, targets it is shared among) of each that it sees."""
        self._farthest = 0
        """The longest of their reaches."""
        self._in_reach: dict[tuple[int, int], int] = {}

    def look_around(self) -> None:
        """Where the enemies are that can fire."""
        view, state = self._view, self._view.state
        ground = state.ground
        self._danger.clear()
        self._in_reach.clear()
        self._enemies = []
        for c in view.enemies():
            kind = state.kind[c]
            if state.morale[c] == BROKEN or CATEGORY[kind] == LEADER:
                continue
            power, reach = state.figures(c)
            if state.morale[c] == SHAKEN:
                power //= 2
            weapon = state.weapon[c]
            if weapon != NONE:
                power += FIREPOWER[state.kind[weapon]][1]
            targets = SHARED if CATEGORY[kind] == VEHICLE else 1
            self._enemies.append((view.hex[c], reach + ground.relief, power, targets))
        self._farthest = max((reach for _, reach, _, _ in self._enemies), default=0)

    def targets(self, h: int, reach: int) -> int:
        """How many enemies it sees would be in reach and sight from a hex, two at most."""
        known = self._in_reach.get((h, reach))
        if known is not None:
            return known
        ground = self._view.state.ground
        relief, seen_from, row = ground.relief, ground.seen, h * ground.grid.size
        in_sight = near(ground, reach + relief)
        count = 0
        for there in [enemy[0] for enemy in self._enemies if in_sight[seen_from[row + enemy[0]]]]:
            seen = seen_from[row + there]
            if seen == UNKNOWN and there != h:
                seen = look(ground, h, there)
            if seen >> 2 > reach + relief or seen & 3 == BLOCKED or there == h:
                continue
            if relief and seen >> 2 > reach and rise(ground, h, there) <= 0:
                continue
            count += 1
            if count == 2:
                break
        self._in_reach[h, reach] = count
        return count

    def danger(self, h: int) -> int:
        """Worth of all the fire the enemy it sees could put on a unit in a hex, this turn."""
        known = self._danger.get(h)
        if known is not None:
            return known
        state, ground = self._view.state, self._view.state.ground
        gut = state.gut[self._view.side]
        against, relief = TYPICAL_DEFENSE + ground.defense[h], ground.relief
        if h in state.shelter:
            against += state.shelter[h][0]
        seen_from, row = ground.seen, h * ground.grid.size
        total, level, in_sight = 0, worths(0, gut), near(ground, self._farthest)
        smoky = bool(state.smoke)
        for there, reach, power, targets in [
            enemy for enemy in self._enemies if in_sight[seen_from[row + enemy[0]]]
        ]:
            seen = seen_from[row + there]
            if seen == UNKNOWN and there != h:
                seen = look(ground, there, h)
            if smoky:
                seen = dimmed(state, there, h, seen)
            if seen >> 2 > reach or seen & 3 == BLOCKED:
                continue
            table = level
            if relief:
                height = rise(ground, there, h)
                if height <= 0 and seen >> 2 == reach:
                    continue
                table = worths(height, gut)
            strength = max(1, power - (seen & 3) + (seen >> 2 == 1))
            total += table[strength - against + 40] // targets
        self._danger[h] = total
        return total

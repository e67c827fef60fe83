"""What an enemy's fire makes of a hex, and what could be fired at from it, for one turn (for the
doctrine)."""

from __future__ import annotations

from functools import cache

from rulesengine.rulesets.ost.glance import tables
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
NO_FIRE = b"\0"
NOT_SEEN = 255
"""In place of a strength: nobody has looked along the line."""
NOT_ALL_SEEN = 10**9
"""More than any danger there is."""
SHARED = 3
"""A vehicle reaches so far that its fire is shared out among this many targets."""


class Dangers:
    """The dangers of hexes to one side, as it stood when it last looked around."""

    __slots__ = ("_danger", "_farthest", "_in_reach", "_near", "_posts", "_strength", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._danger: dict[int, int] = {}
        self._posts: list[tuple[int, list[tuple[int, int, int]]]] = []
        """By hex with enemies that it sees: (reach, firepower, targets it is shared among) of
        each."""
        self._strength = b""
        """Enemy by enemy the strength of his fire at every hex as `_strengths` has it: on a flat
        map without smoke, where nobody shares his out."""
        self._near = tables(view.state.ground)
        self._farthest = 0
        """The longest of their reaches."""
        self._in_reach: dict[tuple[int, int], int] = {}

    def look_around(self) -> None:
        """Where the enemies are that can fire."""
        view, state = self._view, self._view.state
        ground = state.ground
        self._danger.clear()
        self._in_reach.clear()
        self._near = tables(ground)
        posts: dict[int, list[tuple[int, int, int]]] = {}
        self._farthest = 0
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
            reach += ground.relief
            posts.setdefault(view.hex[c], []).append((reach, power, targets))
            self._farthest = max(self._farthest, reach)
        self._posts = list(posts.items())
        self._strength = b""
        if not (ground.relief or state.smoke or state.armour):
            size, seen = ground.grid.size, ground.seen
            self._strength = b"".join(
                seen[there * size : there * size + size].translate(_strengths(reach, power))
                for there, those in self._posts
                for reach, power, _ in those
            )

    def targets(self, h: int, reach: int) -> int:
        """How many enemies it sees would be in reach and sight from a hex, two at most."""
        known = self._in_reach.get((h, reach))
        if known is not None:
            return known
        ground = self._view.state.ground
        relief, seen_from, row = ground.relief, ground.seen, h * ground.grid.size
        in_sight = self._near[reach + relief]
        count = 0
        for there, those in [p for p in self._posts if in_sight[seen_from[row + p[0]]]]:
            seen = seen_from[row + there]
            if seen == UNKNOWN and there != h:
                seen = look(ground, h, there)
            if seen >> 2 > reach + relief or seen & 3 == BLOCKED or there == h:
                continue
            if relief and seen >> 2 > reach and rise(ground, h, there) <= 0:
                continue
            count += len(those)
            if count >= 2:
                count = 2
                break
        self._in_reach[h, reach] = count
        return count

    def danger(self, h: int) -> int:
        """Worth of all the fire the enemy it sees could put on a unit in a hex, this turn."""
        known = self._danger.get(h)
        if known is not None:
            return known
        state, ground = self._view.state, self._view.state.ground
        against = TYPICAL_DEFENSE + ground.defense[h]
        if h in state.shelter:
            against += state.shelter[h][0]
        gut = state.gut[self._view.side]
        if self._strength and not state.smoke:
            table = _by_strength(against, gut)
            strong = self._strength[h :: ground.grid.size].translate(None, NO_FIRE)
            total = sum([table[strength] for strength in strong])
            if total >= NOT_ALL_SEEN:
                total = self._with_new_lines(h, table)
        else:
            total = self._line_by_line(h, against, gut)
        self._danger[h] = total
        return total

    def _with_new_lines(self, h: int, table: tuple[int, ...]) -> int:
        """The same where nobody has looked along some of the lines to the hex: along those."""
        ground, total = self._view.state.ground, 0
        seen_from, size = ground.seen, ground.grid.size
        strengths = iter(self._strength[h::size])
        for there, those in self._posts:
            for (reach, power, _), strength in zip(those, strengths, strict=False):
                now = strength
                if strength == NOT_SEEN:
                    seen = seen_from[there * size + h]
                    if seen == UNKNOWN and there != h:
                        seen = look(ground, there, h)
                    now = 0 if seen == UNKNOWN else _strengths(reach, power)[seen]
                total += table[now]
        return total

    def _line_by_line(self, h: int, against: int, gut: int) -> int:
        """The same, with every line to the hex looked along."""
        state, ground = self._view.state, self._view.state.ground
        seen_from, row = ground.seen, h * ground.grid.size
        total, level, in_sight = 0, worths(0, gut), self._near[self._farthest]
        relief, smoky = ground.relief, bool(state.smoke)
        for there, those in [p for p in self._posts if in_sight[seen_from[row + p[0]]]]:
            seen = seen_from[row + there]
            if seen == UNKNOWN and there != h:
                seen = look(ground, there, h)
            if smoky:
                seen = dimmed(state, there, h, seen)
            degraded, far = seen & 3, seen >> 2
            if degraded == BLOCKED:
                continue
            table, height = level, 0
            if relief:
                height = rise(ground, there, h)
                table = worths(height, gut)
            add = (far == 1) - degraded
            for reach, power, targets in those:
                if far < reach or (far == reach and (not relief or height > 0)):
                    strength = power + add
                    total += table[(strength if strength > 1 else 1) - against + 40] // targets
        return total


@cache
def _strengths(reach: int, power: int) -> bytes:
    """By what `Ground.seen` says of a line: the firepower that comes along it with what degrades
    and adds to it, 0 if none does, 255 if nobody has looked along it."""
    strengths = bytearray(256)
    for seen in range(256):
        degraded, far = seen & 3, seen >> 2
        if degraded != BLOCKED and far <= reach:
            strengths[seen] = max(1, power - degraded + (far == 1))
    strengths[UNKNOWN] = NOT_SEEN
    return bytes(strengths)


@cache
def _by_strength(against: int, gut: int) -> tuple[int, ...]:
    """`worths` on level ground by what `_strengths` says, NOT_ALL_SEEN for 255."""
    level = worths(0, gut)
    of = [level[min(strength - against + 40, len(level) - 1)] for strength in range(255)]
    return (0, *of[1:], NOT_ALL_SEEN)

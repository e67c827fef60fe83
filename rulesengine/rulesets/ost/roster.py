"""What each unit of a side may still do, and the best shot of each: kept until it changes.

A doctrine looks at every unit each impulse, but an impulse changes few of them. `refresh` brings
the roster up to date from what was touched; the rest is read off lists in C.
"""

from __future__ import annotations

from itertools import compress

from rulesengine.rulesets.ost.kinds import ASTERISK, CATEGORY, LEADER, TRAITS
from rulesengine.rulesets.ost.rallying import rally_worth
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.state import BROKEN, GOOD, NONE, OFF, View
from rulesengine.rulesets.ost.vehicles import is_gun, is_vehicle

NEVER = -(10**6)
"""The worth of what cannot be done; less than any floor."""


class Roster:
    """The units of one side by their place in `state.of_side`."""

    __slots__ = (
        "_able",
        "_drives",
        "_fire",
        "_places",
        "_rallies",
        "_relist",
        "_view",
        "_weak",
        "drivers",
        "guns",
        "movers",
        "news",
        "on_foot",
        "shots",
        "units",
        "weak",
    )

    def __init__(self, view: View, shots: Shots) -> None:
        self._view = view
        self._fire = shots
        self.units = view.state.of_side[view.side]
        self._places = {c: place for place, c in enumerate(self.units)}
        self.shots = [NEVER] * len(self.units)
        """By place, the worth of the best shot; NEVER of who cannot fire."""
        self.on_foot = [False] * len(self.units)
        """By place, whether it may move on foot."""
        self._weak = [False] * len(self.units)
        self._drives = [False] * len(self.units)
        self._able = [(False, False, False, False)] * len(self.units)
        """By place those three, and whether it has a shot."""
        self.news: set[int] = set(self.units)
        """Units looked at anew since who makes plans for them last cleared it."""
        self.movers: list[int] = []
        """Those that may move on foot."""
        self.drivers: list[int] = []
        """Vehicles that may drive."""
        self.guns: list[int] = []
        """Guns that may turn, with nothing to shoot at."""
        self.weak: list[int] = []
        """Those not in good order that may try to rally."""
        self._rallies: dict[int, int] = {}
        """What attempts to rally are worth, as long as neither unit nor leader is touched."""
        for c in self.units:
            self._look_at(c)
        self._list()

    def refresh(self) -> None:
        """Look anew at the units that something happened to, and at their best shots."""
        self._fire.refresh()
        stale, places, rallies = self._fire.stale, self._places, self._rallies
        for c in stale:
            if c in places:
                self._look_at(c)
                self.news.add(c)
                if rallies:
                    rallies.pop(c, None)
                    if CATEGORY[self._view.state.kind[c]] == LEADER:
                        rallies.clear()
        stale.clear()
        if self._relist:
            self._list()

    def best_shot(self) -> tuple[int, int]:
        """(worth, unit) of the best shot, the first of equals; the unit is NONE without units."""
        worth = max(self.shots, default=NEVER)
        return (worth, self.units[self.shots.index(worth)]) if worth > NEVER else (NEVER, NONE)

    def rally_worth(self, c: int) -> int:
        """What an attempt of a weak unit to rally is worth."""
        known = self._rallies.get(c)
        if known is None:
            known = self._rallies[c] = rally_worth(self._view.state, c)
        return known

    def _look_at(self, c: int) -> None:
        state, place = self._view.state, self._places[c]
        h, morale = state.hex[c], state.morale[c]
        weak = moves = vehicle = False
        worth = NEVER
        if h != OFF and h not in state.melees:
            moved = state.moved[c]
            weak = morale != GOOD and not state.done[c]
            if morale != BROKEN and moved + state.assaulted[c] + state.fired[c] < 2:
                worth = self._best_shot(c)
                moves = not moved and state.attached[c] == NONE and c not in state.riding
                vehicle = state.armour and is_vehicle(state, c)
        now = weak, moves and not vehicle, moves and vehicle, bool(worth)
        self.shots[place] = worth
        if now != self._able[place]:
            self._able[place] = now
            self._weak[place], self.on_foot[place], self._drives[place], _ = now
            self._relist = True

    def _best_shot(self, c: int) -> int:
        """Worth of the best shot of a unit with an action left."""
        state, kind = self._view.state, self._view.state.kind[c]
        if CATEGORY[kind] == LEADER or state.done[c] or c in state.mute:
            return 0
        if state.displaced[c] and TRAITS[kind] & ASTERISK:
            return 0
        return self._fire.best_of_able(c)[0]

    def _list(self) -> None:
        state, units = self._view.state, self.units
        self._relist = False
        self.weak = list(compress(units, self._weak))
        self.movers = list(compress(units, self.on_foot))
        if state.armour:
            self.drivers = list(compress(units, self._drives))
            worths, places = self.shots, self._places
            self.guns = [c for c in self.movers if not worths[places[c]] and is_gun(state, c)]

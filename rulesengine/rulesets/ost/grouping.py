"""Fire by two units, or twice: fire groups and sustained fire where they pay (for the doctrine)."""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.embrasures import barred
from rulesengine.rulesets.ost.fire import MOST_DEGRADING, contribution, degrading
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    CATEGORY,
    CREWED,
    ENGINEER,
    ENGINEERS_ONLY,
    FLAME,
    MORTAR,
    RANGE,
    SNIPER,
    SQUAD,
    SUSTAINED,
    THROWN,
    TRAITS,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.posts import advantage, ranged, sight
from rulesengine.rulesets.ost.shots import Shots, can_fire
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import NONE, SHAKEN, View
from rulesengine.rulesets.ost.vehicles import is_vehicle
from rulesengine.rulesets.ost.worth import strength

AMMO_RISK = 18
"""What sustained fire risks: two doubles in thirty-six of losing the gun, each attack."""


class Groups:
    """The fire groups of one side."""

    __slots__ = ("_shots", "_view")

    def __init__(self, view: View, shots: Shots) -> None:
        self._view = view
        self._shots = shots

    def better_fire(self, fire: a.Fire, value: int) -> Action:
        """The same target with a group or with sustained fire, where that pays."""
        state = self._view.state
        firer, target = fire.firer, fire.target
        if TRAITS[state.kind[firer]] & SUSTAINED:
            second = self._second_target(firer, target)
            if second != NONE and value > AMMO_RISK:
                return a.Fire(firer=firer, target=target, second=second)
        group = self._group(fire, value)
        return group or fire

    def _second_target(self, firer: int, target: int) -> int:
        """The best target of a second attack: the same or beside it. OST 8.1.5."""
        state, hexes = self._view.state, self._view.hex
        best, found = 0, NONE
        near = {hexes[target], *state.ground.grid.neighbours[hexes[target]]}
        for c in self._view.enemies():
            if hexes[c] in near:
                value = self._shots.shot(firer, c)[0]
                if c == target:
                    value = value * 2 // 3
                if value > best:
                    best, found = value, c
        return found

    def _group(self, fire: a.Fire, value: int) -> Action | None:
        """Join with a neighbour under a leader if both points are better spent so. OST 27.8."""
        state = self._view.state
        one = fire.firer
        if is_vehicle(state, fire.target):
            return None
        if state.impulses[self._view.side] < 2 or fire.alone or CATEGORY[state.kind[one]] == SNIPER:
            return None
        best, found = 0, None
        grid = state.ground.grid
        for h in (state.hex[one], *grid.neighbours[state.hex[one]]):
            for two in state.stacks.get(h, ()):
                if two == one or state.side[two] != self._view.side or not self._can_join(one, two):
                    continue
                joined = self._group_worth(fire, two)
                alone = self._shots.shot(two, fire.target)[0]
                if joined > best and joined > value + alone:
                    best, found = joined, two
        if found is None:
            return None
        return a.Fire(
            firer=one,
            target=fire.target,
            weapon=fire.weapon,
            partner=found,
            partner_weapon=self._weapon_in_reach(found, fire.target),
        )

    def _can_join(self, one: int, two: int) -> bool:
        state = self._view.state
        if CATEGORY[state.kind[two]] not in (SQUAD, CREWED):
            return False
        if state.good_leader(one) == NONE and state.good_leader(two) == NONE:
            return False
        return state.acts(two) < 2 and can_fire(self._view, two)

    def _weapon_in_reach(self, unit: int, target: int) -> int:
        state = self._view.state
        weapon = state.weapon[unit]
        if weapon == NONE or state.firer_of[weapon] not in (NONE, unit):
            return NONE
        traits = TRAITS[state.kind[weapon]]
        if traits & (ANTITANK | WHOLE_HEX | MORTAR):
            return NONE
        if traits & ENGINEERS_ONLY and not TRAITS[state.kind[unit]] & ENGINEER:
            return NONE
        there = self._view.hex[target]
        distance = ranged(state, unit, target, there)
        if traits & (THROWN | FLAME):
            distance = state.ground.grid.distance(state.hex[unit], there)
        return weapon if distance <= RANGE[state.kind[weapon]][1] else NONE

    def _group_worth(self, fire: a.Fire, two: int) -> int:
        state = self._view.state
        one, target = fire.firer, fire.target
        there = self._view.hex[target]
        if state.pillboxes and barred(state, two, state.hex[two], there, target):
            return 0
        seen = sight(state, two, target, there)
        relief = state.ground.relief
        distance = ranged(state, two, target, there) if relief else seen >> 2
        if seen & 3 == BLOCKED or distance > RANGE[state.kind[two]][state.steps[two]]:
            return 0
        if not self._shots.bears(two, target):
            return 0
        degraded = degrading(state, (one, two), target)
        if degraded > MOST_DEGRADING:
            return 0
        apart = state.ground.grid.distance(state.hex[one], there)
        near = ranged(state, one, target, there) if relief else apart
        power = 0
        weapons = (fire.weapon, self._weapon_in_reach(two, target))
        for c, weapon, far in ((one, weapons[0], near), (two, weapons[1], distance)):
            share = contribution(state, c, weapon, far, alone=False)
            power += share // 2 if state.morale[c] == SHAKEN else share
        modifier = 1 - (state.moved[one] or state.moved[two])
        if relief:
            modifier += advantage(state, (one, two), target, there)
        total = strength(power, min(apart, seen >> 2) == 1, degraded, False, False)
        return self._shots.value(total, target, state.hex[one], modifier)

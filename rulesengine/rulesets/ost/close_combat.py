"""Which assaults and which targets in a melee are worth it (for the doctrine; OST 25, 30).

Worth is what one round of melee takes from the enemy less what it costs, by the arithmetic of
`melee.py` and the exact odds of `worth.py`.
"""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import melee
from rulesengine.rulesets.ost.armour_shots import full_worth
from rulesengine.rulesets.ost.armour_worth import attack_worth
from rulesengine.rulesets.ost.assault import refuse_assault
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.duel import targets_of
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    DEFENSE,
    SQUAD,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.melee_phase import fighting_units, singled_out
from rulesengine.rulesets.ost.movement import load
from rulesengine.rulesets.ost.state import (
    DAMAGE,
    GOOD,
    NONE,
    OFF,
    View,
)
from rulesengine.rulesets.ost.vehicles import is_vehicle
from rulesengine.rulesets.ost.weights import Weights
from rulesengine.rulesets.ost.worth import COLUMN_OF, worth


class CloseCombat:
    """The close combat of one side."""

    __slots__ = (
        "_around",
        "_beside",
        "_control",
        "_goals",
        "_read",
        "_theirs",
        "_view",
        "_wanted",
        "_was",
        "_weights",
    )

    def __init__(self, view: View, weights: Weights) -> None:
        self._view = view
        self._weights = weights
        state, size = view.state, view.state.ground.grid.size
        self._theirs = frozenset(view.theirs)
        self._goals = [0] * (size + 1)
        """By hex how many things there are worth an assault: enemies seen, and a place to be won.
        The last is that of OFF and stays 0."""
        self._around = [0] * (size + 1)
        """By hex how many there are beside it."""
        self._wanted: set[int] = set()
        """Control hexes that it does not hold."""
        self._control = [-2] * len(state.control)
        self._was = [OFF] * len(view.hex)
        """Where it saw each counter when it last looked."""
        self._read = 0
        self._beside: list[int] = []
        """Its units beside something worth an assault."""

    def assault(self, best: int) -> Action | None:
        """The best assault, if it beats everything else the impulse offers. OST 25."""
        state = self._view.state
        found = None
        best = max(best, self._weights.assault)
        if self._look_around():
            hexes, around = state.hex, self._around
            self._beside = [c for c in state.of_side[self._view.side] if around[hexes[c]]]
        goals, neighbours = self._goals, state.ground.grid.neighbours
        for c in self._beside:
            if not self._can_assault(c):
                continue
            h = state.hex[c]
            for there in neighbours[h]:
                if goals[there] and self._may_enter(c, h, there):
                    value = self._assault_worth(c, there)
                    if value > best:
                        best, found = value, a.AssaultMove(unit=c, hex=there)
        return found

    def _may_enter(self, c: int, h: int, there: int) -> bool:
        """Infantry goes anywhere; a vehicle where the rules let it, and never into a duel."""
        state = self._view.state
        if not is_vehicle(state, c):
            return state.ground.cost(h, there) < IMPASSABLE
        enemies = [t for t in state.stacks.get(there, ()) if self._view.hex[t] == there]
        if not enemies or any(is_vehicle(state, t) for t in enemies):
            return False
        return refuse_assault(self._view, a.AssaultMove(unit=c, hex=there)) is None

    def duel_target(self) -> Action:
        """The enemy vehicle with the thinner front. OST 31.1.12."""
        state = self._view.state
        target = min(targets_of(state), key=lambda c: (DEFENSE[state.kind[c]], c))
        return a.DuelTarget(target=target)

    def _look_around(self) -> bool:
        """Count what is worth an assault where it is now; whether anything or anybody moved."""
        view, state = self._view, self._view.state
        changes, hexes, was = state.changes, view.hex, self._was
        moved = False
        if self._control != state.control:
            moved, self._control = True, state.control.copy()
            held = state.control
            wanted = {h for h, place in state.control_at.items() if held[place] != view.side}
            for h in wanted ^ self._wanted:
                self._count(h, 1 if h in wanted else -1)
            self._wanted = wanted
        if self._read != len(changes):
            for c in set(changes[self._read :]):
                h = hexes[c]
                if h != was[c]:
                    moved = True
                    if c in self._theirs:
                        self._count(was[c], -1)
                        self._count(h, 1)
                    was[c] = h
            self._read = len(changes)
        return moved

    def _count(self, h: int, more: int) -> None:
        if h != OFF:
            around = self._around
            self._goals[h] += more
            for there in self._view.state.ground.grid.neighbours[h]:
                around[there] += more
            around[OFF] = 0

    def _can_assault(self, c: int) -> bool:
        state = self._view.state
        return (
            state.morale[c] == GOOD
            and CATEGORY[state.kind[c]] in (SQUAD, VEHICLE)
            and not state.assaulted[c]
            and state.acts(c) < 2
            and state.hex[c] not in state.melees
            and c not in state.riding
            and not riders(state, c)
        )

    def _assault_worth(self, c: int, h: int) -> int:
        view = self._view
        state = view.state
        enemies = [t for t in state.stacks.get(h, ()) if view.hex[t] == h]
        enemies = [t for t in enemies if state.side[t] != self._view.side]
        if h in state.fresh_melees or not state.room(h, self._view.side, *load(state, (c,))):
            return 0
        place = state.control_at.get(h, NONE)
        prize = (
            self._weights.control
            if place != NONE and state.control[place] != self._view.side
            else 0
        )
        if not enemies:
            return prize if prize and not state.in_hex(h, self._view.side) else 0
        mine = [c, *(m for m in state.in_hex(h, self._view.side))]
        if state.leader[c] != NONE:
            mine.append(state.leader[c])
        return self._balance(mine, enemies) + prize

    def _balance(self, mine: list[int], enemies: list[int]) -> int:
        """Worth of one round of melee for this side, less what it costs. OST 30.3."""
        return self._blows(mine, enemies) - self._blows(enemies, mine)

    def _blows(self, strikers: list[int], targets: list[int]) -> int:
        state = self._view.state
        armour = state.armour and any(is_vehicle(state, t) for t in targets)
        ours = [melee.member(state, c, armour=armour) for c in strikers]
        power = melee.firepower(ours)
        if power is None:
            return 0
        against = melee.defense([melee.member(state, c) for c in targets])
        modifier = melee.roll_modifiers(ours).value
        at = _column(power.value - against.value)
        return sum(self._blow(t, at, modifier) for t in targets)

    def _blow(self, t: int, at: int, modifier: int) -> int:
        """Worth of one attack roll of a melee, on the target's table. OST 30.3.6."""
        state = self._view.state
        gut = state.gut[state.side[t]]
        if not is_vehicle(state, t):
            if TRAITS[state.kind[t]] & ARMOR:
                return 0
            return worth(at, modifier, gut, state.steps[t], state.morale[t])
        damaged, full = bool(state.damage[t] & DAMAGE), full_worth(state, t)
        kind, morale = state.kind[t], state.morale[t]
        return attack_worth(at, modifier, gut, kind, full, damaged, morale) // (36 * 216)

    def concentrate(self) -> Action:
        """One enemy unit or both: whichever the table says is worth more. OST 30.5."""
        state = self._view.state
        h = state.frames[-1].hex
        mine = state.in_hex(h, self._view.side)
        theirs = state.in_hex(h, 1 - self._view.side)
        best, target = self._blows(mine, theirs), NONE
        for c in fighting_units(state, h, 1 - self._view.side):
            value = self._blows(mine, singled_out(state, c, theirs))
            if value > best:
                best, target = value, c
        return a.Concentrate(target=target)


def _column(difference: int) -> int:
    return COLUMN_OF[max(-40, min(60, difference)) + 40]

"""Where a unit should go: aims, cover, danger (for the doctrine).

A move is worth what it gains towards the unit's aim and in cover, less the fire it walks into.
A unit's plan is made when first wanted in a turn and made anew when the unit is touched.
"""

from __future__ import annotations

from rulesengine.rulesets.ost.dangers import Dangers
from rulesengine.rulesets.ost.deployment import from_home, home_of, objectives
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    MOVEMENT,
    SNIPER,
)
from rulesengine.rulesets.ost.movement import allowance, can_hold, load
from rulesengine.rulesets.ost.reaction import reach_of
from rulesengine.rulesets.ost.roster import NEVER, Roster
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.state import (
    GOOD,
    NONE,
    OFF,
    View,
)
from rulesengine.rulesets.ost.ways import Gain, covers, gains
from rulesengine.rulesets.ost.weights import Weights

Plan = tuple[int, tuple[int, ...]]
"""(worth, path); an empty path is to stay."""

STAY: Plan = (0, ())

NO_MINES = (NONE, False)
LOOKED_AT = 2
"""Destinations whose danger is worked out, the best of the rest left aside."""


class Plans:
    """Plans of one side for one turn."""

    __slots__ = (
        "_aims",
        "_dangers",
        "_ground",
        "_home",
        "_nearest",
        "_number",
        "_outposts",
        "_plans",
        "_posture",
        "_rank",
        "_smoke",
        "_special",
        "_turn",
        "_view",
        "_weights",
        "_worths",
        "danger",
    )

    def __init__(self, view: View, weights: Weights) -> None:
        self._view = view
        self._weights = weights
        self._posture = terms_of(view.state, view.side).posture
        self._home = home_of(view.state, view.side)
        self._number = {c: i for i, c in enumerate(view.state.of_side[view.side])}
        self._turn = -1
        self._worths = [NEVER] * len(self._number)
        self._ground = view.state.ground
        self._smoke: dict[int, int] = {}
        self._plans: dict[int, tuple[int, Plan]] = {}
        self._dangers = Dangers(view)
        self.danger = self._dangers.danger
        self._aims: list[int] = []
        self._nearest: dict[int, tuple[int, int]] = {}
        self._rank: dict[int, int] = {}
        self._outposts: dict[int, tuple[int, Plan]] = {}
        self._special: dict[int, int] = {}

    def _look_around(self) -> None:
        """Once a turn, and when smoke or the map has changed: where the enemy is and what is worth
        having."""
        view = self._view
        state = view.state
        self._turn, self._smoke, self._ground = state.turn, dict(state.smoke), state.ground
        self._plans.clear()
        self._dangers.look_around()
        self._outposts.clear()
        self._nearest.clear()
        ground, home = state.ground, self._home
        aims = objectives(state, view.side)
        self._aims = sorted(aims, key=lambda h: from_home(ground, h, home))
        self._rank_units()
        self._special = self._prizes()

    def _prizes(self) -> dict[int, int]:
        """Worth of the objectives of others to a unit that walks in, which has won them; works of
        the field that shelter are there with none."""
        state, prize = self._view.state, self._weights.prize
        found = dict.fromkeys(state.shelter, 0)
        if prize:
            for h, place in state.control_at.items():
                control = state.scenario.control[place]
                if state.control[place] != self._view.side:
                    found[h] = prize * (control.at_end + control.per_turn * state.turn)
        return found

    def _rank_units(self) -> None:
        """Which units are nearest to their aim: the first few press on, the rest support."""
        state = self._view.state
        wanted: dict[int, list[tuple[int, int]]] = {}
        for unit in state.of_side[self._view.side]:
            here = state.hex[unit]
            if here != OFF and state.attached[unit] == NONE:
                aim = self._aim(unit)
                wanted.setdefault(aim, []).append((state.ground.field(aim)[here], unit))
        self._rank = {}
        for those in wanted.values():
            for rank, (_, unit) in enumerate(sorted(those)):
                self._rank[unit] = rank

    def best_of(self, roster: Roster, floor: int) -> tuple[int, int, tuple[int, ...]] | None:
        """The best move on foot of any unit worth more than `floor`: (worth, unit, path).

        Plans are only looked over before use: one that is no longer open is made anew.
        """
        units, worths, news = roster.units, self._worths, roster.news
        state = self._view.state
        changed = self._ground is not state.ground or self._smoke != state.smoke
        if self._turn != state.turn or changed:
            self._look_around()
            news.update(units)
        if news:
            for c in news:
                place = self._number[c]
                worths[place] = self._plan(c)[0] if roster.on_foot[place] else NEVER
            news.clear()
        while True:
            best = max(worths, default=floor)
            if best <= floor:
                return None
            place = worths.index(best)
            chosen = units[place]
            path = self._path(chosen)
            if path:
                return best, chosen, path
            worths[place] = self._plans[chosen][1][0]

    def _plan(self, c: int) -> Plan:
        """The plan of a unit, made anew if it stands elsewhere or in another order."""
        state = self._view.state
        mark = state.hex[c] << 2 | state.morale[c]
        known = self._plans.get(c)
        if known is None or known[0] != mark:
            known = self._plans[c] = (mark, self._make(c))
        return known[1]

    def offers(self) -> list[int]:
        """What the moves still planned this turn are worth."""
        state = self._view.state
        if self._turn != state.turn:
            return []
        return [
            plan[0]
            for c, (mark, plan) in self._plans.items()
            if plan[0] and mark == state.hex[c] << 2 | state.morale[c] and not state.moved[c]
        ]

    def going(self) -> list[tuple[int, tuple[int, ...]]]:
        """(unit, path) of the moves still planned this turn, the one worth most first."""
        state = self._view.state
        if self._turn != state.turn:
            return []
        found = [
            (-plan[0], c, plan[1])
            for c, (mark, plan) in self._plans.items()
            if plan[0] and mark == state.hex[c] << 2 | state.morale[c] and not state.moved[c]
        ]
        return [(c, path) for _, c, path in sorted(found)]

    def _path(self, unit: int) -> tuple[int, ...]:
        """The way of that move; empty, and another plan made, if something stands in it now."""
        mark, (_, path) = self._plans[unit]
        if self._open(unit, path):
            return path
        self._plans[unit] = (mark, self._make(unit))
        return ()

    def outpost(self, unit: int) -> Plan:
        """A place near by from which a unit that sees no enemy would have one in reach."""
        state = self._view.state
        mark = state.hex[unit] << 2 | state.morale[unit]
        known = self._outposts.get(unit)
        if known is None or known[0] != mark:
            known = self._outposts[unit] = (mark, self._look_for_outpost(unit))
        plan = known[1]
        return plan if plan[1] and self._open(unit, plan[1]) else STAY

    def _look_for_outpost(self, unit: int) -> Plan:
        state = self._view.state
        here = state.hex[unit]
        reach = reach_of(state, unit)
        if not MOVEMENT[state.kind[unit]] or self._dangers.targets(here, reach):
            return STAY
        points = max(1, allowance(state, unit))
        found = STAY
        share, cover, target = self._weights.danger, self._weights.cover, self._weights.target
        most = 2 * target - -self.danger(here) * share // 3
        for better, there, path in covers(state.ground, here, points, self._home):
            if most + cover * better <= found[0]:
                break
            targets = self._dangers.targets(there, reach)
            if not targets or not self._open(unit, path):
                continue
            risk = (self.danger(there) - self.danger(here)) * share // 3
            value = target * targets + cover * better - risk
            if value > found[0]:
                found = (value, path)
        return found

    def _open(self, unit: int, path: tuple[int, ...]) -> bool:
        """Whether nothing has come to stand in the way since."""
        view = self._view
        state, stacks = view.state, view.state.stacks
        mined, theirs = state.mined, (1 - view.side, True)
        if not mined and stacks.keys().isdisjoint(path):
            return True  # a melee has a stack
        for h in path:
            if h in state.melees or (mined and mined.get(h, NO_MINES) == theirs):
                return False
            if stacks.get(h):
                for c in stacks[h]:
                    if state.side[c] != view.side and view.hex[c] == h:
                        return False
                if not state.room(h, view.side, *load(state, (unit,))):
                    return False
        return True

    def _make(self, unit: int) -> Plan:
        state = self._view.state
        if not MOVEMENT[state.kind[unit]] or state.hex[unit] == OFF:
            return STAY
        aim = self._aim(unit)
        here, points = state.hex[unit], max(1, allowance(state, unit))
        terms = (self._weight(unit, aim), self._weights.cover, self._keep_off(unit))
        plan = self._safest(unit, here, gains(state.ground, here, points, aim, terms, self._home))
        if self._special:
            ways = state.ground.reach(here, points)
            within = {h: ways[h] for h in self._special if h in ways}
            if within:
                return self._special_place(unit, aim, terms, within, plan)
        return plan

    def _special_place(
        self,
        unit: int,
        aim: int,
        terms: tuple[int, int, int],
        within: dict[int, tuple[int, ...]],
        plan: Plan,
    ) -> Plan:
        """The plan, or the way into an objective in reach or behind a work of the field, if that
        is worth more. OST 3.2.2, 13."""
        state, ground = self._view.state, self._view.state.ground
        here, (weight, cover, keep) = state.hex[unit], terms
        holds = state.morale[unit] == GOOD and can_hold(state, unit)
        field, defense = ground.field(aim), ground.defense
        for there, path in within.items():
            if not self._open(unit, path):
                continue
            value = self._special[there] if holds else 0
            value += weight * (max(keep, field[here]) - max(keep, field[there]))
            value += cover * (defense[there] - defense[here])
            value += self._sheltered(there) - self._sheltered(here)
            value -= (self.danger(there) - self.danger(here)) * self._weights.danger // 3
            if value > plan[0]:
                plan = (value, path)
        return plan

    def _sheltered(self, h: int) -> int:
        """Worth of what works of the field add to the cover of a hex. OST 13."""
        shelter = self._view.state.shelter
        return self._weights.cover * shelter[h][0] if h in shelter else 0

    def _safest(self, unit: int, here: int, rated: tuple[Gain, ...]) -> Plan:
        state, danger, share = self._view.state, self.danger, self._weights.danger
        stay = danger(here)
        behind = self._sheltered(here) if state.shelter else 0
        mined, taken = state.mined, state.stacks.keys()
        found, looked = STAY, 0
        relief = stay * share // 3
        least = -relief
        for gain, there, path in rated:
            if gain <= least or looked == LOOKED_AT:
                break
            if (mined or not taken.isdisjoint(path)) and not self._open(unit, path):
                continue
            looked += 1
            value = gain - behind - (danger(there) - stay) * share // 3
            if value > found[0]:
                found = (value, path)
                least = value - relief
        return found

    def _aim(self, unit: int) -> int:
        """The objective a unit makes for: near ones first, spread over the side by number."""
        here, aims = self._view.state.hex[unit], self._aims
        if len(aims) == 1:
            return aims[0]
        known = self._nearest.get(here)
        if known is None:
            distance = self._view.state.ground.grid.distance
            by_distance = sorted(aims, key=lambda h: distance(here, h))
            known = self._nearest[here] = (by_distance[0], by_distance[1])
        return known[self._number[unit] % 2 if self._posture != "defend" else 0]

    def _weight(self, unit: int, aim: int) -> int:
        """Worth of a hex nearer: more as time runs out, little for a defender in place."""
        state = self._view.state
        if CATEGORY[state.kind[unit]] == SNIPER:
            return 2
        index = state.control_at.get(aim, NONE)
        held = index != NONE and state.control[index] == self._view.side
        if self._posture == "defend" and held:
            return self._weights.nearer // 2
        left = max(1, state.turn)
        need = state.ground.field(aim)[state.hex[unit]]
        late = need > MOVEMENT[state.kind[unit]] * (left - self._weights.slack)
        nearer = self._weights.nearer
        rank = self._rank.get(unit, 0)
        if rank >= self._weights.spearhead:
            nearer = nearer // 2 if rank < 2 * self._weights.spearhead else nearer // 4
        return nearer * 2 if late else nearer

    def _keep_off(self, unit: int) -> int:
        state = self._view.state
        if CATEGORY[state.kind[unit]] in (CREWED, SNIPER):
            return self._weights.keep_off
        return 0

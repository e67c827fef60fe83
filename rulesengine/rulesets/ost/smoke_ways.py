"""Where smoke helps those who go forward (OST 6.1.1, 10.3.12, 13.9, 33.0.5; for the doctrine).

Smoke is worth the fire that it takes from the enemies seen at the units about to move, on their
way and where it ends, less what it takes from the own units that would rather shoot: both by the
lines it dims or shuts. Nothing is worked out where nobody is about to move into fire.
"""

from __future__ import annotations

from typing import NamedTuple

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.artillery import aimed, area, batteries, refuse_call
from rulesengine.rulesets.ost.dangers import SHARED, TYPICAL_DEFENSE
from rulesengine.rulesets.ost.fieldwork import refuse_smoke
from rulesengine.rulesets.ost.hex_fire import ON_TARGET, aim_of
from rulesengine.rulesets.ost.hex_fire import refuse as refuse_hex_fire
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    FIREPOWER,
    LEADER,
    MORTAR,
    SUSTAINED,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.luck_own import sees
from rulesengine.rulesets.ost.mines import is_engineer
from rulesengine.rulesets.ost.plans import Plans
from rulesengine.rulesets.ost.reaction import reach_of
from rulesengine.rulesets.ost.screens import dimmed, screens
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.state import BROKEN, GOOD, NONE, OFF, SHAKEN, State, View
from rulesengine.rulesets.ost.support_menu import spotters
from rulesengine.rulesets.ost.works import FRESH
from rulesengine.rulesets.ost.worth import worths

LEAST = 5
"""Smoke of engineers and mortars that is worth less is not laid: it takes a point."""
MISSION = 40
"""A mission is kept for later below this."""
LOOKED_AT = 4
"""Places for smoke that are worked out of all those for a means."""
AGAIN = 8
"""Points after which smoke is thought of anew, and half as many for a card, which takes none."""
WORRYING = 40
"""Fire at somebody who goes, in hundredths of a step, for which it is thought of."""
NEAR = 3
"""Hexes from engineers at which their smoke can help."""
TWO_TURNS = 3
"""Halves of its worth that smoke of two turns has. OST 13.9.2."""

Offer = tuple[int, Action | None]
NOTHING: Offer = (0, None)
ONCE = (1, 1)


class Line(NamedTuple):
    """Fire that could come from one hex to another."""

    start: int
    end: int
    seen: int
    """As `sight.look` has it, smoke that hangs there already included."""
    power: int
    against: int
    worth: int
    table: tuple[int, ...]
    rate: tuple[int, int]
    """Attacks, and among how many targets they are shared out."""

    def through(self, state: State, smoke: frozenset[int]) -> int:
        """What it is worth with so much more smoke. OST 13.9.4, 13.9.5."""
        dims = sum(not smoke.isdisjoint(s) for s in screens(state.ground, self.start, self.end))
        hidden, choked = self.end in smoke, self.start in smoke
        if not (dims or hidden or choked):
            return self.worth
        dims += self.seen & 3
        if dims >= BLOCKED:
            return 0
        power = max(1, self.power - choked - dims + (self.seen >> 2 == 1))
        attacks, targets = self.rate
        return self.table[power - self.against - hidden + 40] * attacks // targets


Fire = list[tuple[list[tuple[list[Line], Line | None]], int]]
"""By enemy, then by unit about to move: his lines to it on its way, the best first, and the line to
where it ends; and how many he can choose from. Half of his fire comes on the way, half when it is
there."""
Able = tuple[tuple[int, ...], tuple[int, ...], bool]
"""Engineers, squads with mortars, and whether there are missions."""


class Smoke:
    """The smoke of one side."""

    __slots__ = (
        "_engineers",
        "_mark",
        "_mortars",
        "_offer",
        "_plans",
        "_pots_mark",
        "_shots",
        "_view",
    )

    def __init__(self, view: View, plans: Plans, shots: Shots) -> None:
        state = view.state
        self._view, self._plans, self._shots = view, plans, shots
        self._engineers = [c for c in state.of_side[view.side] if is_engineer(state, c)]
        self._mortars = [c for c, kind in enumerate(state.kind) if TRAITS[kind] & MORTAR]
        self._mark = self._pots_mark = NONE
        self._offer = NOTHING

    def best(self, floor: int) -> tuple[int, Action] | None:
        """The smoke that is worth more than `floor`, if there is any.

        Worked out every few points, and again before it is laid.
        """
        state, side = self._view.state, self._view.side
        points = state.impulses[side]
        mark = state.turn << 8 | points // AGAIN
        if mark == self._mark and self._offer[0] <= floor:
            return None
        if not state.impulses[1 - side] or points < 2:
            return None
        floor = max(floor, LEAST)
        self._mark, self._offer = mark, NOTHING
        able = self._able()
        if any(able):
            paths, others = self._exposed(able)
            if paths:
                self._offer = self._look(able, paths, others)
        worth, action = self._offer
        return (worth, action) if action is not None and worth > floor else None

    def pots(self, card: int) -> Offer:
        """The best hex for a luck card of fresh smoke, in sight of the side. OST 3.3."""
        state, side = self._view.state, self._view.side
        mark = state.turn << 8 | state.impulses[side] // (AGAIN // 2)
        if mark == self._pots_mark or not state.impulses[1 - side]:
            return NOTHING
        self._pots_mark = mark
        paths, _ = self._exposed(((), (), True))
        fire = self._fire_at(paths, 0)
        found = NOTHING
        if not fire:
            return found
        scores, own = self._scores(fire), self._own_fire()
        for h in sorted(scores, key=lambda h: (-scores[h], h))[: 2 * LOOKED_AT]:
            worth = self._saved(frozenset((h,)), fire, own) * TWO_TURNS // 2
            if worth > found[0] and state.smoke.get(h) != FRESH and sees(self._view, h):
                found = worth, a.PlayCard(card=card, hexes=(h,))
        return found

    def _exposed(self, able: Able) -> tuple[list[tuple[int, ...]], int]:
        """Ways of those about to move as far as the points go, and places of those who have moved;
        and how many are left out because engineers alone cannot help them. None if no fire to speak
        of would come at any."""
        state, side = self._view.state, self._view.side
        found = [path for _, path in self._plans.going()[: state.impulses[side] - 1]]
        for c in state.of_side[side]:
            if state.moved[c] and state.hex[c] != OFF and state.hex[c] not in state.melees:
                found.append((state.hex[c],))
        danger, distance = self._plans.danger, state.ground.grid.distance
        if able[1] or able[2]:
            return found if any(danger(path[-1]) >= WORRYING for path in found) else [], 0
        posts = [state.hex[c] for c in able[0]]
        near = [p for p in found if any(distance(p[-1], post) <= NEAR for post in posts)]
        near = [p for p in near if danger(p[-1]) >= WORRYING]
        return near, len(found) - len(near)

    def _able(self) -> Able:
        """Engineers, squads with mortars, and whether batteries can lay smoke now."""
        state, side = self._view.state, self._view.side

        def ready(c: int) -> bool:
            busy = state.done[c] or state.hex[c] in state.melees or c in state.riding
            fit = state.hex[c] != OFF and state.morale[c] == GOOD
            return fit and not busy and state.acts(c) < 2

        holders = [state.holder[c] for c in self._mortars]
        return (
            tuple(c for c in self._engineers if ready(c)),
            tuple(c for c in holders if c != NONE and state.side[c] == side and ready(c)),
            any(state.missions[side]),
        )

    def _look(
        self,
        able: Able,
        paths: list[tuple[int, ...]],
        others: int,
    ) -> Offer:
        """The best smoke of all means, as things stand."""
        fire = self._fire_at(paths, others)
        if not fire:
            return NOTHING
        scores = self._scores(fire)
        own = self._own_fire()
        found = NOTHING
        for offer in (
            self._by_engineers(able[0], scores, fire, own),
            self._by_mortars(able[1], scores, fire, own),
            self._by_batteries(scores, fire, own) if able[2] else NOTHING,
        ):
            if offer[0] > found[0]:
                found = offer
        return found

    def _scores(self, fire: Fire) -> dict[int, int]:
        """How much of the worst fire smoke in a hex would touch at all, roughly."""
        ground, scores = self._view.state.ground, dict[int, int]()
        for movers, count in fire:
            for lines, last in movers:
                for line in (lines[0], last):
                    if line is not None:
                        share = line.worth // count
                        ends = {line.start, line.end}
                        for h in ends.union(*screens(ground, line.start, line.end)):
                            scores[h] = scores.get(h, 0) + share
        return scores

    # --- the fire there is ---------------------------------------------------------------------

    def _fire_at(self, paths: list[tuple[int, ...]], others: int) -> Fire:
        """What each enemy seen could fire at each of those who go, the best line first."""
        view = self._view
        state, found = view.state, []
        table = worths(0, state.gut[view.side])
        exposed = {h for path in paths for h in path}
        for c in view.enemies():
            kind = state.kind[c]
            spent = state.done[c] or state.acts(c) >= 2
            if state.morale[c] == BROKEN or CATEGORY[kind] == LEADER or spent:
                continue
            rate = (
                2 if TRAITS[kind] & SUSTAINED else 1,
                SHARED if CATEGORY[kind] == VEHICLE else 1,
            )
            lines = {h: self._line(c, view.hex[c], h, table, rate) for h in exposed}
            movers = []
            for path in paths:
                at = [line for line in map(lines.get, path) if line is not None]
                if at:
                    movers.append((sorted(at, key=lambda line: -line.worth), lines[path[-1]]))
            if movers:
                found.append((movers, len(movers) + others))
        return found

    def _line(
        self, c: int, start: int, end: int, table: tuple[int, ...], rate: tuple[int, int]
    ) -> Line | None:
        """A unit's fire from one hex at a squad in another."""
        state = self._view.state
        ground = state.ground
        if start == end:
            return None
        seen = look(ground, start, end)
        if seen & 3 == BLOCKED or seen >> 2 > reach_of(state, c):
            return None
        if state.smoke:
            seen = dimmed(state, start, end, seen)
            if seen & 3 == BLOCKED:
                return None
        power = state.figures(c)[0]
        if state.morale[c] == SHAKEN:
            power //= 2
        if state.weapon[c] != NONE:
            power += FIREPOWER[state.kind[state.weapon[c]]][1]
        against = TYPICAL_DEFENSE + ground.defense[end]
        if end in state.shelter:
            against += state.shelter[end][0]
        strength = max(1, power - (seen & 3) + (seen >> 2 == 1))
        worth = table[strength - against + 40] * rate[0] // rate[1]
        if not worth:
            return None
        return Line(start, end, seen, power, against, worth, table, rate)

    def _own_fire(self) -> list[tuple[Line, int]]:
        """The shots of the units that stay, each with what the doctrine thinks it worth."""
        self._shots.refresh()  # a card may be answered with before anybody looked
        going = {unit for unit, _ in self._plans.going()}
        view = self._view
        state, found = view.state, []
        table = worths(0, state.gut[1 - view.side])
        for c, shot in self._shots.known.items():
            if shot[0] > 0 and c not in going and state.hex[c] != OFF:
                line = self._line(c, state.hex[c], view.hex[shot[1]], table, ONCE)
                if line is not None:
                    found.append((line, shot[0]))
        return found

    def _saved(self, smoke: frozenset[int], fire: Fire, own: list[tuple[Line, int]]) -> int:
        """Worth of smoke in some hexes: of the fire of as many enemies as there are points for,
        each at any of those he could fire at."""
        state, side = self._view.state, self._view.side
        saved = []
        for movers, count in fire:
            total = 0
            for lines, last in movers:
                left = 0
                for line in lines:
                    if line.worth <= left:
                        break
                    left = max(left, line.through(state, smoke))
                total += lines[0].worth - left
                if last is not None:
                    total += last.worth - last.through(state, smoke)
            saved.append(total // (2 * count))
        saved.sort(reverse=True)
        lost = [
            shot * (line.worth - line.through(state, smoke)) // line.worth for line, shot in own
        ]
        lost.sort(reverse=True)
        return sum(saved[: state.impulses[1 - side]]) - sum(lost[: state.impulses[side]])

    # --- the means ------------------------------------------------------------------------------

    def _by_engineers(
        self,
        engineers: tuple[int, ...],
        scores: dict[int, int],
        fire: Fire,
        own: list[tuple[Line, int]],
    ) -> Offer:
        """OST 6.1.1."""
        state, found = self._view.state, NOTHING
        for c in engineers:
            here = state.hex[c]
            near = [h for h in (here, *state.ground.grid.neighbours[here]) if h in scores]
            for h in sorted(near, key=lambda h: (-scores[h], h))[:LOOKED_AT]:
                worth = self._saved(frozenset((h,)), fire, own) * TWO_TURNS // 2
                action = a.LaySmoke(unit=c, hex=h)
                if worth > found[0] and refuse_smoke(self._view, action) is None:
                    found = worth, action
        return found

    def _by_mortars(
        self,
        squads: tuple[int, ...],
        scores: dict[int, int],
        fire: Fire,
        own: list[tuple[Line, int]],
    ) -> Offer:
        """OST 10.3.12; bombs that drift count for nothing."""
        state, found = self._view.state, NOTHING
        for c in squads:
            looked = 0
            hits = max(0, min(6, 7 - ON_TARGET + aim_of(state, c).value))
            for h in sorted(scores, key=lambda h: (-scores[h], h)):
                action = a.HexFire(unit=c, weapon=state.weapon[c], hex=h, smoke=True)
                if refuse_hex_fire(self._view, action) is not None:
                    continue
                worth = self._saved(frozenset((h,)), fire, own) * TWO_TURNS * hits // 12
                if worth > found[0]:
                    found = worth, action
                looked += 1
                if looked == LOOKED_AT:
                    break
        return found

    def _by_batteries(
        self, scores: dict[int, int], fire: Fire, own: list[tuple[Line, int]]
    ) -> Offer:
        """OST 33.0.5; a mission that drifts counts for nothing."""
        view = self._view
        state = view.state
        found: Offer = (MISSION, None)
        around: dict[int, int] = {}
        for h, score in scores.items():
            for n in area(state, h):
                around[n] = around.get(n, 0) + score
        eyes = spotters(view)
        for h in sorted(around, key=lambda h: (-around[h], h))[:LOOKED_AT]:
            worth = self._saved(frozenset(area(state, h)), fire, own)
            if worth <= found[0]:
                continue
            for number, battery in enumerate(batteries(state, view.side)):
                for c in eyes if state.missions[view.side][number] else ():
                    call = a.CallArtillery(spotter=c, battery=number, hex=h, smoke=True)
                    if refuse_call(view, call) is not None:
                        continue
                    hits = max(0, min(6, 7 - battery.accuracy + aimed(state, c, h).value))
                    if worth * hits // 6 > found[0]:
                        found = worth * hits // 6, call
                    break
        return found if found[1] is not None else NOTHING


def smoke_of(view: View, plans: Plans, shots: Shots) -> Smoke | None:
    """The smoke of a side that has any means of it, or may draw a card. OST 13.9.1, 3.3."""
    state, side = view.state, view.side
    means = bool(state.scenario.luck_cards)
    means = means or any(is_engineer(state, c) for c in state.of_side[side])
    means = means or any(state.missions[side])
    means = means or any(
        TRAITS[kind] & MORTAR and owner == side
        for kind, owner in zip(state.kind, state.side, strict=True)
    )
    return Smoke(view, plans, shots) if means else None

"""Where a vehicle should go and which way it should face (for the doctrine).

A drive is worth what it gains towards the aim and in cover, less the armour-piercing fire it
drives into; that fire is reckoned by the rules that resolve it, front or flank.
"""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import gunnery
from rulesengine.rulesets.ost.armour_shots import column_of, full_worth
from rulesengine.rulesets.ost.armour_worth import shell_worth
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.driving import points_of, refuse_drive
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import (
    ARC,
    CATEGORY,
    LEADER,
    SOFT,
    TRAITS,
    TRANSPORT,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.state import (
    BROKEN,
    DAMAGE,
    OFF,
    View,
)
from rulesengine.rulesets.ost.tracks import Course, courses
from rulesengine.rulesets.ost.vehicles import (
    AP,
    DRIVE,
    FLANK,
    FRONT,
    HULL_RANGE,
    MAIN_RANGE,
    ap_at,
    hull_works,
    in_front,
    is_armed,
    is_immobile,
    is_vehicle,
    main_works,
)
from rulesengine.rulesets.ost.weights import Weights

LOOKED_AT = 6
"""Hexes whose danger is worked out."""
BOG = 18
"""What a bog roll on the way is thought to cost."""
STANDOFF = 4
"""Hexes vehicles keep from their aim: infantry takes it."""
TARGET = 30
"""An enemy vehicle in sight and reach of the main armament from there."""

Threat = tuple[int, int, tuple[int, ...]]
"""(hex, range, AP) of an enemy that can hurt armour."""


class Drives:
    """The drives of one side."""

    __slots__ = ("_danger", "_offs", "_plans", "_threats", "_turn", "_view", "_weights")

    def __init__(self, view: View, weights: Weights) -> None:
        self._view = view
        self._weights = weights
        self._turn = -1
        self._threats: list[Threat] = []
        self._danger: dict[tuple[int, int, int], int] = {}
        self._offs: dict[tuple[int, int], tuple[int, ...]] = {}
        self._plans: dict[int, tuple[tuple[int, ...], int, Course | None]] = {}

    def _look_around(self) -> None:
        """Where the enemy has guns; anew each turn and whenever one of them has moved."""
        view = self._view
        state = view.state
        threats = []
        for c in view.enemies():
            kind = state.kind[c]
            if state.morale[c] == BROKEN or CATEGORY[kind] in (LEADER, WEAPON):
                continue
            if AP[kind] and (CATEGORY[kind] != VEHICLE or main_works(state, c)):
                threats.append((view.hex[c], MAIN_RANGE[kind], AP[kind]))
            weapon = state.weapon[c]
            if weapon >= 0 and AP[state.kind[weapon]]:
                held = state.kind[weapon]
                threats.append((view.hex[c], MAIN_RANGE[held], AP[held]))
        if threats != self._threats or self._turn != state.turn:
            self._threats, self._turn = threats, state.turn
            self._danger.clear()
            self._offs.clear()
            self._plans.clear()

    def best(self, units: list[int], floor: int) -> tuple[int, Action] | None:
        """The best drive of any of the vehicles that is worth more than `floor`."""
        view = self._view
        state = view.state
        if not units:
            return None
        self._look_around()
        found: Action | None = None
        for c in units:
            if is_immobile(state, c):
                continue
            loaded = len(riders(state, c))
            mark = (state.hex[c], state.facing[c], state.morale[c], state.damage[c], loaded)
            known = self._plans.get(c)
            if known is None or known[0] != mark:
                known = self._plans[c] = (mark, *self._make(c))
            value, course = known[1], known[2]
            if course is None or value <= floor:
                continue
            drive = a.Drive(unit=c, path=course.path, facings=course.facings)
            if refuse_drive(view, drive) is None:
                floor, found = value, drive
            else:
                self._plans[c] = (mark, 0, None)
        return (floor, found) if found is not None else None

    def _make(self, c: int) -> tuple[int, Course | None]:
        state = self._view.state
        here, facing = state.hex[c], state.facing[c]
        aim = self._aim(c)
        fights = is_armed(state, c) and not TRAITS[state.kind[c]] & (SOFT | TRANSPORT)
        nearer = self._weights.nearer if fights or riders(state, c) else 0
        if terms_of(state, self._view.side).posture == "defend":
            nearer //= 3
        points = max(1, points_of(state, c))
        move = (DRIVE[state.kind[c]], here, facing, points)
        rated = prospects(state.ground, move, aim, nearer, self._weights.cover)
        stay = self._risk(c, here, facing) - self._targets(c, here, facing)
        safest = (-TARGET - stay) // 2
        best: tuple[int, Course | None] = (0, None)
        for there, most, ways in rated:
            if most - safest <= best[0]:
                # Even with a target and out of all fire it would be no better.
                continue
            off = self._off(there, aim)
            gain, after = max([(gain - off[way], way) for gain, way, _ in ways])
            if gain - safest <= best[0]:
                continue
            risk = self._risk(c, there, after) - self._targets(c, there, after)
            value = gain - (risk - stay) // 2
            if value > best[0]:
                best = (value, next(course for _, way, course in ways if way == after))
        return best

    def _aim(self, c: int) -> int:
        """The nearest objective."""
        state = self._view.state
        distance = state.ground.grid.distance
        return min(objectives(state, self._view.side), key=lambda h: (distance(state.hex[c], h), h))

    def _off(self, h: int, aim: int) -> tuple[int, ...]:
        """By facing, how badly it suits what is to be faced in a hex: guns first, then the aim."""
        known = self._offs.get((h, aim))
        if known is None:
            known = self._offs[h, aim] = self._slow_off(h, aim)
        return known

    def _slow_off(self, h: int, aim: int) -> tuple[int, ...]:
        ground = self._view.state.ground
        distance = ground.grid.distance
        to_face = {t[0] for t in self._threats if t[0] != h} or {aim}
        away, nearest = min((distance(h, there), there) for there in to_face)
        known = ground.turned.get((h, nearest))
        if known is None:
            known = ground.turned[h, nearest] = tuple(
                (2 * (distance(ahead, nearest) - away + 1) if ahead >= 0 else 6) if away else 0
                for ahead in ground.grid.neighbours[h]
            )
        return known

    def _targets(self, c: int, h: int, facing: int) -> int:
        """Worth of having an enemy vehicle or gun before a muzzle: in the covered arc of a gun
        that is fixed, anywhere for a turret. OST 9.0.6, 9.3.3, 8.0.12."""
        state, ground = self._view.state, self._view.state.ground
        kind = state.kind[c]
        main = MAIN_RANGE[kind] if AP[kind] and main_works(state, c) else -1
        hull = HULL_RANGE[kind] if hull_works(state, c) else -1
        if main < 0 and hull < 0:
            return 0
        turret, fixed = (-1, max(main, hull)) if TRAITS[kind] & ARC else (main, hull)
        for there, _, _ in self._threats:
            if there == h:
                continue
            reach = max(turret, fixed) if in_arc(ground, h, there, facing) else turret
            if reach >= 0:
                seen = look(ground, h, there)
                if seen & 3 != BLOCKED and seen >> 2 <= reach:
                    return TARGET
        return 0

    def danger(self, c: int, h: int, facing: int) -> int:
        """Worth of the armour-piercing fire known enemies could put on a vehicle there."""
        self._look_around()
        return self._risk(c, h, facing)

    def _risk(self, c: int, h: int, facing: int) -> int:
        state, ground = self._view.state, self._view.state.ground
        kind = state.kind[c]
        key = (c, h, facing)
        known = self._danger.get(key)
        if known is not None:
            return known
        total = 0
        for there, reach, ap in self._threats:
            if there in (h, OFF):
                continue
            seen = look(ground, there, h)
            distance, degraded = seen >> 2, seen & 3
            if degraded == BLOCKED or distance > reach:
                continue
            printed = FRONT[kind] if in_front(ground, h, facing, there) else FLANK[kind]
            power = max(1, ap_at(ap, distance) + (distance == 1) - degraded)
            total += shell_worth(
                gunnery.needed_to_hit(distance),
                (distance == 1) - degraded,
                column_of(power - printed - ground.defense[h]),
                0,
                state.gut[self._view.side],
                kind,
                full_worth(state, c),
                bool(state.damage[c] & DAMAGE),
                state.morale[c],
            )
        self._danger[key] = total
        return total

    def pivot(self, guns: list[int], floor: int) -> tuple[int, Action] | None:
        """Turn a gun to the enemy vehicle it would like to shoot. OST 8.0.13."""
        view = self._view
        state, ground = view.state, view.state.ground
        found: Action | None = None
        for c in guns:
            here = state.hex[c]
            for target in view.enemies():
                there = view.hex[target]
                if not is_vehicle(state, target) or there == here:
                    continue
                seen = look(ground, here, there)
                if seen & 3 == BLOCKED or seen >> 2 > MAIN_RANGE[state.kind[c]]:
                    continue
                if in_arc(ground, here, there, state.facing[c]):
                    continue
                ways = ground.grid.neighbours[here]
                to = min(
                    (d for d in range(6) if ways[d] >= 0),
                    key=lambda d: (ground.grid.distance(ways[d], there), d),
                )
                value = TARGET * 2 - (seen >> 2)
                if to != state.facing[c] and value > floor:
                    floor, found = value, a.Pivot(unit=c, facing=to)
        return (floor, found) if found is not None else None


Prospect = tuple[int, int, tuple[tuple[int, int, Course], ...]]
"""(hex, highest gain, (gain, facing, course) of each facing there), the enemy left out of
account."""


def prospects(
    ground: Ground, move: tuple[int, int, int, int], aim: int, nearer: int, cover: int
) -> tuple[Prospect, ...]:
    """The destinations that gain most towards the aim and in cover, and the hex it is in itself.

    `move`: drive, hex, facing, half points. Depends on the map alone, so it is kept with the map.
    """
    key = (*move, aim, nearer, cover)
    known: tuple[Prospect, ...] | None = ground.prospects.get(key)
    if known is not None:
        return known
    here = move[1]
    field, defense = ground.field(aim), ground.defense
    start = max(STANDOFF, field[here])
    by_hex: dict[int, list[tuple[int, int, Course]]] = {}
    for (there, after), course in courses(ground, *move).items():
        gain = nearer * (start - max(STANDOFF, field[there]))
        gain += cover * (defense[there] - defense[here])
        gain -= BOG * course.bogs + course.halves // 4
        by_hex.setdefault(there, []).append((gain, after, course))
    mine = by_hex.pop(here, None)
    rated = [(-max(g for g, _, _ in ways), there) for there, ways in by_hex.items()]
    found = [(there, -gain, tuple(by_hex[there])) for gain, there in sorted(rated)[:LOOKED_AT]]
    if mine:
        found.append((here, max(g for g, _, _ in mine), tuple(mine)))
    made = ground.prospects[key] = tuple(found)
    return made

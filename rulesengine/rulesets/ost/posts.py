"""What one unit sees of another, and what height does to its fire (OST 12.4, 16.3.4, 16.3.5).

A unit looks from the level of its hex: its hill, or the top of its building, of which it holds
all floors. Weapons marked * stay on the ground floor. On flat maps all of it is `sight.look`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.rulesets.ost import street_sight
from rulesengine.rulesets.ost.carriage import in_street, in_vehicle
from rulesengine.rulesets.ost.kinds import ASTERISK, GUN, TRAITS
from rulesengine.rulesets.ost.sight import (
    BLOCKED,
    bocage_at,
    degraders,
    look,
    look_from,
)
from rulesengine.rulesets.ost.state import OFF, State
from rulesengine.rulesets.ost.veils import meets_any, veiled


def eye(state: State, unit: int, h: int) -> int:
    """The level a unit in hex h looks from and is looked at: of a tall building the top, but the
    ground for those marked * and for who is in the street. OST 8.0.7, 8.0.11, 16.3.4, 16.3.5,
    16.6."""
    ground = state.ground
    low = TRAITS[state.kind[unit]] & (ASTERISK | GUN)
    if low or (h in ground.dual and h == state.hex[unit] and in_street(state, unit)):
        return ground.base[h]
    return ground.level[h]


def sight(state: State, firer: int, target: int, there: int) -> int:
    """The line from a unit to an enemy in hex `there`, as `sight.look` has it."""
    ground, here = state.ground, state.hex[firer]
    eyes = (0, 0)
    if not ground.relief:
        seen = look(ground, here, there)
        if not (ground.dual or state.veils or ground.bocage):
            return seen  # nothing of what follows is there
    else:
        eyes = (eye(state, firer, here), eye(state, target, there))
        seen = look_from(ground, here, there, eyes)
    ends = streets(state, firer, target, there)
    if ends is not None:
        seen = street_sight.look(ground, (here, there), eyes, ends)
    if shut_in(state, firer, target, there):
        return seen | BLOCKED
    if state.veils and seen & 3 != BLOCKED:
        key = (here, there, *eyes, *(ends or ()))
        known = state.dimmed.get(key)
        if known is None:
            known = seen
            if meets_any(ground, state.veils, here, there):
                count = len(dims(state, firer, target, there))
                known = seen & ~3 | (count if count < BLOCKED else BLOCKED)
            state.dimmed[key] = known
        return known
    return seen


def streets(state: State, firer: int, target: int, there: int) -> tuple[bool, bool] | None:
    """Which ends of a line to an enemy in hex `there` are in the street; None if neither."""
    dual = state.ground.dual
    if not dual or (there not in dual and state.hex[firer] not in dual):
        return None
    ends = (in_street(state, firer), there == state.hex[target] and in_street(state, target))
    return ends if True in ends else None


def spots(state: State, spotter: int, there: int) -> int:
    """The line from a unit to a hex, as `sight.look` has it: what smoke, wrecks and roadblocks do
    to it included. OST 33.1.1, 32.0.2. Bocage shuts a vehicle in, and who is on it: 15.3.7."""
    seen = _line_to(state, spotter, there)
    beside = state.armour and state.ground.bocage and in_vehicle(state, spotter)
    if beside and bocage_at(state.ground, state.hex[spotter], there):
        return seen | BLOCKED
    return seen


def _line_to(state: State, spotter: int, there: int) -> int:
    ground, here = state.ground, state.hex[spotter]
    eyes = (eye(state, spotter, here), ground.level[there])
    if ground.dual and here != there and in_street(state, spotter):
        out = (True, False)
        count = len(street_sight.dims(ground, (here, there), eyes, out, state.veils))
        seen = street_sight.look(ground, (here, there), eyes, out)
        return seen if seen & 3 == BLOCKED else seen & ~3 | min(count, BLOCKED)
    seen = look_from(ground, here, there, eyes)
    if not state.veils or seen & 3 == BLOCKED:
        return seen
    found = degraders(ground, here, there, eyes)
    count = len(found | veiled(ground, state.veils, (here, there), eyes, found))
    return seen & ~3 | min(count, BLOCKED)


def shut_in(state: State, firer: int, target: int, there: int) -> bool:
    """Whether bocage blocks the line from or to a vehicle beside it. OST 15.3.7."""
    bocage = state.armour and state.ground.bocage
    return bool(bocage) and _behind_bocage(state, firer, target, there)


def _behind_bocage(state: State, firer: int, target: int, there: int) -> bool:
    """Whether bocage shuts in a vehicle at an end of the line. OST 15.3.7: a vehicle beside it is
    not in it, so only a foot unit that is lets the line through."""
    here = state.hex[firer]
    hard = [in_vehicle(state, c) for c in (firer, target)]
    if not any(hard):
        return False
    beside = [bocage_at(state.ground, here, there), bocage_at(state.ground, there, here)]
    opened = {side for sides, shut in zip(beside, hard, strict=True) if not shut for side in sides}
    return any(side not in opened for sides in beside for side in sides)


def dims(state: State, firer: int, target: int, there: int = OFF) -> frozenset[int]:
    """What degrades that line, as `sight.degraders` has it, and what lies on the table."""
    ground, here = state.ground, state.hex[firer]
    if there == OFF:
        there = state.hex[target]
    eyes = (0, 0)
    if ground.relief:
        eyes = (eye(state, firer, here), eye(state, target, there))
    ends = streets(state, firer, target, there)
    if ends is not None:
        return street_sight.dims(ground, (here, there), eyes, ends, state.veils)
    found = degraders(ground, here, there, eyes if ground.relief else None)
    return found | veiled(ground, state.veils, (here, there), eyes, found) if state.veils else found


def ranged(state: State, firer: int, target: int, there: int) -> int:
    """The distance that counts against a range: one hex less where the firer looks down. OST
    12.4.6, 14.14.8."""
    ground, here = state.ground, state.hex[firer]
    distance = ground.grid.distance(here, there)
    if ground.relief and eye(state, firer, here) > eye(state, target, there):
        return distance - 1
    return distance


def over_hex(state: State, unit: int, there: int) -> int:
    """+1 where a unit looks down on a hex that is fired at as such, -1 where it looks up. OST
    12.4.6, 12.4.11, 12.4.12."""
    ground = state.ground
    if not ground.relief:
        return 0
    over = eye(state, unit, state.hex[unit]) - ground.level[there]
    return (over > 0) - (over < 0)


def advantage(state: State, firers: Iterable[int], target: int, there: int) -> int:
    """+1 where every firer looks down on the target, -1 where one looks up. OST 12.4.11,
    12.4.12, 12.6.4."""
    if not state.ground.relief:
        return 0
    least = min(eye(state, c, state.hex[c]) for c in firers) - eye(state, target, there)
    return (least > 0) - (least < 0)

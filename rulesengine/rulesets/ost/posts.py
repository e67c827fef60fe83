"""What one unit sees of another, and what height does to its fire (OST 12.4, 16.3.4, 16.3.5).

A unit looks from the level of its hex: its hill, or the top of its building, of which it holds
all floors. Weapons marked * stay on the ground floor. On flat maps all of it is `sight.look`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.rulesets.ost.sight import BLOCKED, crossed, degraders, look, look_from
from rulesengine.rulesets.ost.state import ASTERISK, OFF, TRAITS, State


def eye(state: State, unit: int, h: int) -> int:
    """The level a unit in hex h looks from and is looked at. OST 8.0.11, 16.3.4, 16.3.5."""
    ground = state.ground
    return ground.base[h] if TRAITS[state.kind[unit]] & ASTERISK else ground.level[h]


def sight(state: State, firer: int, target: int, there: int) -> int:
    """The line from a unit to an enemy in hex `there`, as `sight.look` has it."""
    ground, here = state.ground, state.hex[firer]
    if not ground.relief:
        seen = look(ground, here, there)
    else:
        eyes = (eye(state, firer, here), eye(state, target, there))
        seen = look_from(ground, here, there, eyes)
    if state.wrecks and seen & 3 != BLOCKED:
        count = len(dims(state, firer, target, there))
        return seen & ~3 | (count if count < BLOCKED else BLOCKED)
    return seen


def _wrecks_on(state: State, here: int, there: int) -> frozenset[int]:
    """The hexes with wrecks that a line goes through, its ends apart. OST 13.10.1."""
    wrecks = state.wrecks
    between = crossed(state.ground, here, there)
    return frozenset(h for h in between if h in wrecks and h not in (here, there))


def dims(state: State, firer: int, target: int, there: int = OFF) -> frozenset[int]:
    """What degrades that line, as `sight.degraders` has it, and wrecks."""
    ground, here = state.ground, state.hex[firer]
    if there == OFF:
        there = state.hex[target]
    if not ground.relief:
        found = degraders(ground, here, there)
    else:
        eyes = (eye(state, firer, here), eye(state, target, there))
        found = degraders(ground, here, there, eyes)
    return found | _wrecks_on(state, here, there) if state.wrecks else found


def ranged(state: State, firer: int, target: int, there: int) -> int:
    """The distance that counts against a range: one hex less where the firer looks down. OST
    12.4.6, 14.14.8."""
    ground, here = state.ground, state.hex[firer]
    distance = ground.grid.distance(here, there)
    if ground.relief and eye(state, firer, here) > eye(state, target, there):
        return distance - 1
    return distance


def advantage(state: State, firers: Iterable[int], target: int, there: int) -> int:
    """+1 where every firer looks down on the target, -1 where one looks up. OST 12.4.11,
    12.4.12, 12.6.4."""
    if not state.ground.relief:
        return 0
    least = min(eye(state, c, state.hex[c]) for c in firers) - eye(state, target, there)
    return (least > 0) - (least < 0)

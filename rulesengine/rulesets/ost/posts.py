"""What one unit sees of another, and what height does to its fire (OST 12.4, 16.3.4, 16.3.5).

A unit looks from the level of its hex: its hill, or the top of its building, of which it holds
all floors. Weapons marked * stay on the ground floor. On flat maps all of it is `sight.look`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.rulesets.ost.sight import degraders, look, look_from
from rulesengine.rulesets.ost.state import ASTERISK, TRAITS, State


def eye(state: State, unit: int, h: int) -> int:
    """The level a unit in hex h looks from and is looked at. OST 8.0.11, 16.3.4, 16.3.5."""
    ground = state.ground
    return ground.base[h] if TRAITS[state.kind[unit]] & ASTERISK else ground.level[h]


def sight(state: State, firer: int, target: int, there: int) -> int:
    """The line from a unit to an enemy in hex `there`, as `sight.look` has it."""
    ground, here = state.ground, state.hex[firer]
    if not ground.relief:
        return look(ground, here, there)
    return look_from(ground, here, there, (eye(state, firer, here), eye(state, target, there)))


def dims(state: State, firer: int, target: int) -> frozenset[int]:
    """What degrades that line, as `sight.degraders` has it."""
    ground, here, there = state.ground, state.hex[firer], state.hex[target]
    if not ground.relief:
        return degraders(ground, here, there)
    return degraders(ground, here, there, (eye(state, firer, here), eye(state, target, there)))


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

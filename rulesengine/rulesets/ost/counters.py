"""Counters on the table: put down, moved, revealed, taken off (for `evolve.py` alone).

Whatever happens to one, and to those whose situation it changes, is noted in `state.changes`.
"""

from __future__ import annotations

from bisect import insort

from rulesengine.rulesets.ost.kinds import CATEGORY, ELITE, LEADER, POOR, TRAITS, VEHICLE, WEAPON
from rulesengine.rulesets.ost.state import NONE, OFF, State


def touch(state: State, c: int) -> None:
    """Note that something happened to a counter."""
    state.changes.append(c)


def _touch_leaders(state: State, stack: list[int]) -> None:
    """Who stands with a leader decides whether he can be picked out. OST 27.4.6."""
    kinds = state.kind
    for other in stack:
        if CATEGORY[kinds[other]] == LEADER:
            state.changes.append(other)


def place(state: State, c: int, h: int) -> None:
    """Put a counter into a hex, or take it off with OFF; what it carries goes with it."""
    hexes, known, side = state.hex, state.known, state.side[c]
    old = hexes[c]
    if CATEGORY[state.kind[c]] != WEAPON:
        if old != OFF:
            _leave(state, c, old)
            if h == OFF:
                state.present[side].remove(c)
        if h != OFF:
            if old == OFF:
                state.waiting.discard(c)
                insort(state.present[side], c)
            state.held[side] |= 1 << h
            stack = state.stacks.get(h)
            if stack:
                _touch_leaders(state, stack)
                stack.append(c)
            else:
                state.stacks[h] = [c]
        if state.street and h != old:
            state.street.discard(c)
    hexes[c] = known[side][c] = h
    known[1 - side][c] = OFF if state.hidden[c] else h
    state.changes.append(c)
    weapon = state.weapon[c]
    if weapon != NONE:
        place(state, weapon, h)
    if state.armour and h != OFF and (state.riding or state.freight):
        _take_along(state, c, h)


def _leave(state: State, c: int, h: int) -> None:
    """Take a unit or leader out of the stack of its hex."""
    stack, sides, side = state.stacks[h], state.side, state.side[c]
    if len(stack) == 1:
        del state.stacks[h]
        state.held[side] ^= 1 << h
        return
    stack.remove(c)
    _touch_leaders(state, stack)
    for other in stack:
        if sides[other] == side:
            return
    state.held[side] ^= 1 << h


def _take_along(state: State, vehicle: int, h: int) -> None:
    """Who rides goes where the vehicle goes, and his leader with him. OST 24."""
    for unit, on in state.riding.items():
        if on == vehicle:
            place(state, unit, h)
            if state.leader[unit] != NONE:
                place(state, state.leader[unit], h)
    for weapon, on in state.freight.items():
        if on == vehicle:
            place(state, weapon, h)


def reveal(state: State, c: int) -> None:
    """Let both sides see a counter, the leader and weapon with it, and who rides on it."""
    for unit, on in state.riding.items():
        if on == c:
            reveal(state, unit)
    for each in (c, state.leader[c], state.weapon[c]):
        if each != NONE:
            state.hidden[each] = False
            state.known[1 - state.side[each]][each] = state.hex[each]
            touch(state, each)
    _touch_leaders(state, state.stacks.get(state.hex[c], []))


def detach(state: State, leader: int) -> None:
    """A leader is with no unit any more."""
    unit = state.attached[leader]
    if unit != NONE:
        if unit in state.street or unit in state.riding:  # who is on a vehicle is in the street
            state.street.add(leader)
        else:
            state.street.discard(leader)
        state.leader[unit] = NONE
        state.attached[leader] = NONE
        touch(state, unit)
    touch(state, leader)


def remove(state: State, c: int) -> None:
    """Take a counter off for good; its weapon stays in the hex, its leader alone."""
    state.steps[c] = 0
    leader = state.leader[c]
    if leader != NONE:
        detach(state, leader)
    if state.attached[c] != NONE:
        detach(state, c)
    weapon = state.weapon[c]
    if weapon != NONE:
        state.weapon[c], state.holder[weapon] = NONE, NONE
        uncover(state, weapon)
    place(state, c, OFF)


def change(state: State, c: int, kind: int) -> None:
    """A counter becomes one of another type; how good its men are stays."""
    kind = state.recast.get(kind, kind)
    own = ELITE | POOR
    if CATEGORY[state.kind[c]] == VEHICLE and state.hex[c] in state.ground.dual:
        state.street.add(c)  # who gets out of a vehicle stands where it stood
    old = TRAITS[state.kind[c]] & ~own
    state.kind[c] = kind
    state.quality[c] = (state.quality[c] & ~old) | (TRAITS[kind] & ~own)
    touch(state, c)


def uncover(state: State, weapon: int) -> None:
    """A weapon on the ground is there for all to see."""
    state.hidden[weapon] = False
    for known in state.known:
        known[weapon] = state.hex[weapon]
    touch(state, weapon)

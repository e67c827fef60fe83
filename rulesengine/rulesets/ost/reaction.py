"""Opportunity fire (OST 27.6): who could fire at what has just entered a hex."""

from __future__ import annotations

from rulesengine.rulesets.ost.embrasures import barred
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.kinds import (
    ARC,
    ASTERISK,
    CATEGORY,
    LEADER,
    MIN_RANGE,
    MORTAR,
    OWN_RANGE,
    RANGE,
    SNIPER,
    TRAITS,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.posts import ranged, sight
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    State,
)
from rulesengine.rulesets.ost.vehicles import (
    can_engage,
    can_fire_at_vehicle,
    is_armored,
    is_vehicle,
    reach,
)
from rulesengine.rulesets.ost.works import is_shut_in


def can_react(state: State, side: int, moving: tuple[int, ...]) -> bool:
    """Whether anybody of a side could fire at all at one of the moving units. OST 27.6."""
    first, ground = moving[0], state.ground
    posts = state.held[side]
    if not ground.dual:  # in a town other lines run from a street
        posts &= ground.open[state.hex[first]]
    others = moving[1:] if ground.relief or state.armour or ground.dual else ()
    while posts:
        post = posts & -posts
        posts ^= post
        for c in state.stacks[post.bit_length() - 1]:
            if state.side[c] != side:
                continue
            if could_fire_at(state, c, first):
                return True
            if others and any(could_fire_at(state, c, o) for o in others):
                return True
    return False


def could_fire_at(state: State, c: int, target: int) -> bool:
    """Whether a unit is able to fire, sees a unit and reaches it."""
    here, h, morale = state.hex[c], state.hex[target], state.morale[c]
    if CATEGORY[state.kind[c]] == LEADER or morale == BROKEN or state.done[c]:
        return False
    if CATEGORY[state.kind[target]] == LEADER and not _picks(state, c, target):
        return False
    if here in (OFF, h) or here in state.melees or c in state.mute:
        return False
    if morale != GOOD and state.acts(c) >= 2:
        return False
    ground = state.ground
    plain = not (ground.relief or state.armour or ground.dual)
    bare = plain and not (state.veils or ground.bocage)
    seen = look(ground, here, h) if bare else sight(state, c, target, h)
    if seen & 3 == BLOCKED or (state.pillboxes and barred(state, c, here, h, target)):
        return False
    if plain:
        return seen >> 2 <= reach_of(state, c) and _bears(state, c, h)
    distance = ranged(state, c, target, h) if ground.relief else seen >> 2
    if state.armour:
        if is_vehicle(state, c):
            return can_engage(state, c, target, h, distance)
        if is_vehicle(state, target):
            return _reaches_vehicle(state, c, target, distance)
    return distance <= reach_of(state, c) and _bears(state, c, h)


def _picks(state: State, c: int, leader: int) -> bool:
    """Whether a unit may fire at a leader where he is: alone as far as it sees, or it is a sniper,
    or its weapon strikes all of the hex. OST 27.4.6, 27.4.7."""
    weapon = state.weapon[c]
    if CATEGORY[state.kind[c]] == SNIPER:
        return True
    if weapon != NONE and TRAITS[state.kind[weapon]] & (MORTAR | WHOLE_HEX):
        return True
    here = state.in_hex(state.hex[leader], state.side[leader])
    return all(CATEGORY[state.kind[o]] == LEADER or state.hidden[o] for o in here)


def _reaches_vehicle(state: State, c: int, target: int, distance: int) -> bool:
    """Whether a foot unit could fire at a vehicle, or a sniper at the armor leader in it. OST
    7.4.9, 29.0.1."""
    led = CATEGORY[state.kind[c]] == SNIPER and state.leader[target] != NONE
    if led and distance <= RANGE[state.kind[c]][state.steps[c]]:
        return True
    if can_fire_at_vehicle(state, c, target, distance) and _bears(state, c, state.hex[target]):
        return True
    return _shells(state, c, target, distance)


def _shells(state: State, c: int, target: int, distance: int) -> bool:
    """Whether a squad's mortar reaches the hex of a soft vehicle. OST 10.3.1, 10.3.10, 27.6.9."""
    weapon, h = state.weapon[c], state.hex[target]
    if weapon == NONE or state.firer_of[weapon] not in (NONE, c) or is_armored(state, target):
        return False
    if is_shut_in(state, c):
        return False
    kind, apart = state.kind[weapon], state.ground.grid.distance(state.hex[c], h)
    return bool(TRAITS[kind] & MORTAR) and MIN_RANGE[kind] <= apart and distance <= RANGE[kind][1]


def _bears(state: State, c: int, h: int) -> bool:
    """Whether a weapon may fire after what it did, and in its arc. OST 8.0.10, 8.0.12."""
    traits = TRAITS[state.kind[c]]
    if traits & ASTERISK and state.displaced[c]:
        return False
    return not traits & ARC or in_arc(state.ground, state.hex[c], h, state.facing[c])


def reach_of(state: State, c: int) -> int:
    """The farthest a unit can hit anything: its own range, or that of a weapon it may use."""
    if state.armour and is_vehicle(state, c):
        return reach(state, c)
    own = RANGE[state.kind[c]][state.steps[c]]
    weapon = state.weapon[c]
    if weapon != NONE and state.firer_of[weapon] in (NONE, c):
        kind = state.kind[weapon]
        if TRAITS[kind] & (OWN_RANGE | MORTAR) and RANGE[kind][1] > own:
            return own if TRAITS[kind] & MORTAR and is_shut_in(state, c) else RANGE[kind][1]
    return own

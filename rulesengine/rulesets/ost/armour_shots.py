"""What vehicles can do to enemies, and what anybody can do to vehicles (for the doctrine)."""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import gunnery
from rulesengine.rulesets.ost.armour_worth import (
    CARRIER_WORTH,
    VEHICLE_WORTH,
    attack_worth,
    exposed_worth,
    shell_worth,
)
from rulesengine.rulesets.ost.attacks import aim_of, punch
from rulesengine.rulesets.ost.carriage import in_street, shelter_worth
from rulesengine.rulesets.ost.embrasures import barred
from rulesengine.rulesets.ost.fire import beside, inspired, street
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    DUAL,
    LEADER,
    SOFT,
    TRAITS,
    TRANSPORT,
)
from rulesengine.rulesets.ost.posts import advantage, ranged, sight
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import (
    DAMAGE,
    NONE,
    SHAKEN,
    State,
    View,
)
from rulesengine.rulesets.ost.vehicles import (
    MG,
    can_engage,
    facing_defense,
    figures_of,
    is_gun,
    is_vehicle,
    lets_small_arms_in,
    main_reaches,
    mgs_reach,
    useful_weapon,
)
from rulesengine.rulesets.ost.worth import COLUMN_OF, resistance, strength, worth


def column_of(difference: int) -> int:
    return COLUMN_OF[max(-40, min(60, difference)) + 40]


def full_worth(state: State, c: int) -> int:
    return CARRIER_WORTH if TRAITS[state.kind[c]] & (TRANSPORT | SOFT) else VEHICLE_WORTH


def _terrain(state: State, firer: int, there: int) -> int:
    """Defense a vehicle has of a hex against fire from another. OST 16.6.6."""
    ground, here = state.ground, state.hex[firer]
    shield = beside(ground.shield[here * ground.grid.size + there])
    cover = resistance(0, street(ground.terrain[there]), shield) - resistance(0, (), 0)
    return cover + (state.shelter[there][1] if there in state.shelter else 0)


def _both(state: State, firer: int, target: int, ambush: int, intensive: bool) -> int:
    led = state.good_leader(firer) != NONE if is_vehicle(state, firer) else inspired(state, firer)
    height = advantage(state, (firer,), target, state.hex[target])
    return led - state.moved[firer] + ambush - intensive + height


def shell_value(
    state: State,
    firer: int,
    target: int,
    seen: int,
    *,
    weapon: int = NONE,
    hull: bool = False,
    intensive: bool = False,
    ambush: int = 0,
) -> int:
    """Mean worth of a gun or anti-tank weapon at a vehicle. OST 29.0."""
    distance, degraded = seen >> 2, seen & 3
    soft = bool(TRAITS[state.kind[target]] & SOFT)
    both = _both(state, firer, target, ambush, intensive)
    aim = gunnery.to_hit_modifiers(**aim_of(state, firer, target, distance, degraded, weapon)).value
    raw = punch(state, firer, distance, weapon=weapon, hull=hull, soft=soft)
    shaken = state.morale[firer] == SHAKEN
    power = strength(raw, distance == 1, degraded, shaken, intensive)
    printed, _ = facing_defense(state, target, state.hex[firer])
    against = printed + _terrain(state, firer, state.hex[target])
    return shell_worth(
        gunnery.needed_to_hit(distance),
        aim + both,
        column_of(power - against),
        both,
        state.gut[state.side[target]],
        state.kind[target],
        full_worth(state, target),
        bool(state.damage[target] & DAMAGE),
        state.morale[target],
    )


def small_value(
    state: State, firer: int, target: int, seen: int, raw: int, *, intensive: bool, ambush: int
) -> int:
    """Mean worth of small arms at an open top or a soft vehicle. OST 9.1, 9.2."""
    distance, degraded = seen >> 2, seen & 3
    soft = bool(TRAITS[state.kind[target]] & SOFT)
    shaken = state.morale[firer] == SHAKEN
    power = strength(raw // 2, distance == 1, degraded, shaken, intensive)
    both = _both(state, firer, target, ambush, intensive)
    cover = _terrain(state, firer, state.hex[target])
    gut, morale = state.gut[state.side[target]], state.morale[target]
    if not soft:
        at = column_of(power - gunnery.EXPOSED_CREW - cover)
        return exposed_worth(at, both, gut, morale)
    printed, _ = facing_defense(state, target, state.hex[firer])
    at = column_of(power - printed - cover)
    damaged = bool(state.damage[target] & DAMAGE)
    kind, full = state.kind[target], full_worth(state, target)
    return attack_worth(at, both, gut, kind, full, damaged, morale) // (36 * 216)


def _foot_value(
    state: State, firer: int, target: int, seen: int, raw: int, *, intensive: bool, ambush: int
) -> int:
    """Mean worth of HE or machine guns at a foot unit. OST 29.0.12, 29.1.2."""
    distance, degraded = seen >> 2, seen & 3
    shaken = state.morale[firer] == SHAKEN
    power = strength(raw, distance == 1, degraded, shaken, intensive)
    ground = state.ground
    shield = ground.shield[state.hex[firer] * ground.grid.size + state.hex[target]]
    terrain = ground.terrain[state.hex[target]]
    if state.hex[target] in ground.dual and in_street(state, target):
        terrain = street(terrain)
    against = resistance(state.kind[target], terrain, shield)
    against += state.shelter[state.hex[target]][0] if state.hex[target] in state.shelter else 0
    if state.riding or state.rolling:
        against += shelter_worth(state, target)
    both = _both(state, firer, target, ambush, intensive)
    return worth(
        column_of(power - against),
        both,
        state.gut[state.side[target]],
        state.steps[target],
        state.morale[target],
    )


def main_value(
    state: State, c: int, target: int, seen: int, *, intensive: bool = False, ambush: int = 0
) -> tuple[int, bool]:
    """(worth, hull gun) of the better main armament of a vehicle; worth 0 if none bears."""
    there = state.hex[target]
    distance = ranged(state, c, target, there)
    best, which = 0, False
    for hull in (False, True) if TRAITS[state.kind[c]] & DUAL else (False,):
        if not main_reaches(state, c, target, there, distance, hull):
            continue
        if is_vehicle(state, target):
            value = shell_value(
                state, c, target, seen, hull=hull, intensive=intensive, ambush=ambush
            )
        else:
            he = figures_of(state, c, hull=hull)[0]
            value = _foot_value(state, c, target, seen, he, intensive=intensive, ambush=ambush)
        if value > best:
            best, which = value, hull
    return best, which


def mgs_value(
    state: State, c: int, target: int, seen: int, *, intensive: bool = False, ambush: int = 0
) -> int:
    """Worth of a vehicle's machine guns at an enemy; 0 if they do nothing to it."""
    if not mgs_reach(state, c, target, ranged(state, c, target, state.hex[target])):
        return 0
    value = small_value if is_vehicle(state, target) else _foot_value
    return value(state, c, target, seen, MG[state.kind[c]], intensive=intensive, ambush=ambush)


def armour_shot(
    view: View, firer: int, target: int, *, intensive: bool = False, ambush: int = 0
) -> tuple[int, int, int, bool]:
    """As `Shots.shot`, where the firer or the target is a vehicle. OST 29, 9.1, 9.2, 10.1."""
    state = view.state
    there = view.hex[target]
    nothing = (0, NONE, NONE, False)
    if state.hex[firer] == there or there in state.melees:
        return nothing
    seen = sight(state, firer, target, there)
    if seen & 3 == BLOCKED:
        return nothing
    distance = ranged(state, firer, target, there)
    if is_vehicle(state, firer):
        if not can_engage(state, firer, target, there, distance):
            return nothing
        value, _ = main_value(state, firer, target, seen, intensive=intensive, ambush=ambush)
        value += mgs_value(state, firer, target, seen, intensive=intensive, ambush=ambush)
        return (value, target, NONE, False) if value else nothing
    return _foot_at_vehicle(state, firer, target, seen, distance, intensive, ambush)


def _foot_at_vehicle(
    state: State,
    firer: int,
    target: int,
    seen: int,
    distance: int,
    intensive: bool,
    ambush: int,
) -> tuple[int, int, int, bool]:
    weapon = useful_weapon(state, firer, target, distance)
    own, reach = state.figures(firer)
    value = 0
    if weapon != NONE or (is_gun(state, firer) and distance <= reach):
        value = shell_value(
            state, firer, target, seen, weapon=weapon, intensive=intensive, ambush=ambush
        )
    elif not is_gun(state, firer) and lets_small_arms_in(state, target) and distance <= reach:
        value = small_value(state, firer, target, seen, own, intensive=intensive, ambush=ambush)
    return (value, target, weapon, False) if value else (0, NONE, NONE, False)


def vehicle_order(view: View, c: int, target: int, *, reaction: bool) -> Action:
    """Both armaments at the best use of them: where the main one has a vehicle, the machine guns
    look for foot units. OST 29.1.4."""
    state = view.state
    seen = sight(state, c, target, view.hex[target])
    value, hull = main_value(state, c, target, seen)
    main = target if value else NONE
    mg = target if mgs_value(state, c, target, seen) else NONE
    if mg == NONE and not reaction:
        best = 0
        for other in view.enemies():
            there = view.hex[other]
            if there == state.hex[c] or there in state.melees or _is_led(view, other):
                continue
            if state.pillboxes and barred(state, c, state.hex[c], there, other):
                continue
            other_seen = sight(state, c, other, there)
            if other_seen & 3 != BLOCKED:
                gain = mgs_value(state, c, other, other_seen)
                if gain > best:
                    best, mg = gain, other
    return a.VehicleFire(firer=c, target=main, mg=mg, hull=hull and main != NONE)


def _is_led(view: View, c: int) -> bool:
    """A leader among others, who cannot be picked out. OST 27.4.6."""
    return CATEGORY[view.state.kind[c]] == LEADER

"""Movement on foot (OST 20, 21.0.6, 23): what a move may be, its path, group and stealth.

`going.py` carries it out.
"""

from __future__ import annotations

from rulesengine.contract import Refusal
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.actions import Move, Pivot
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.entering import refuse_entry, together
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import (
    ARC,
    ARMOR,
    CATEGORY,
    CREW,
    LEADER,
    MOVEMENT,
    SNIPER,
    STEALTH,
    TRAITS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.mobile import halted_by, is_mobile, rule_of
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    SHAKEN,
    State,
    View,
)
from rulesengine.rulesets.ost.streets import refuse_streets, step_cost
from rulesengine.rulesets.ost.vehicles import is_armed, is_armored, is_vehicle
from rulesengine.rulesets.ost.works import leaving


def allowance(state: State, unit: int, *, stealth: bool = False) -> int:
    """Movement points of a unit: halved when shaken (17.2.2), half for stealth (23.3.2), less the
    point to come out of a bunker that lies hidden with it (13.4.5)."""
    shaken = state.morale[unit] == SHAKEN
    points = points_of_type(state.kind[unit], shaken=shaken, stealth=stealth)
    return max(0, points - leaving(state, unit)) if state.unseen else points


def points_of_type(kind: int, *, shaken: bool, stealth: bool) -> int:
    """The same for a counter of a type."""
    points = MOVEMENT[kind]
    if shaken:
        points //= 2
    return points // 2 if stealth else points


def path_cost(
    state: State, start: int, path: tuple[int, ...], streets: tuple[int, ...] = ()
) -> int:
    """Movement points of a path; OST 23, 14, 15.0.3."""
    total = 0
    for there in path:
        total += step_cost(state.ground, start, there, streets)
        start = there
    return total


def refuse_move(view: View, move: Move) -> Refusal | None:
    state = view.state
    group = (move.unit,) if move.partner == NONE else (move.unit, move.partner)
    if state.impulses[view.side] < len(group):
        return Refusal(f"This takes {len(group)} Impulse Points.", "23.1.2")
    for unit in group:
        refusal = refuse_mover(
            view, unit, stealth=move.stealth, grouped=len(group) > 1, enters=True
        )
        if refusal:
            return refusal
    if len(group) > 1:
        refusal = _refuse_group(state, *group)
        if refusal:
            return refusal
    return refuse_path(view, group, move)


def refuse_mover(
    view: View,
    unit: int,
    *,
    stealth: bool,
    grouped: bool = False,
    enters: bool = False,
    aboard: bool = False,
) -> Refusal | None:
    """Why a unit may not move at all this turn; `enters`: it may come onto the map, `aboard`: it
    is about to get off a vehicle. OST 23, 22."""
    state = view.state
    waits = enters and unit in state.waiting
    if state.side[unit] != view.side or (state.hex[unit] == OFF and not waits):
        return Refusal("That is not a unit of yours on the map.", "23.0.p1")
    if waits and not state.may_enter(unit):
        return Refusal("It comes in a later turn.", "2.1.p2")
    if CATEGORY[state.kind[unit]] == WEAPON:
        return Refusal("A support weapon moves with the squad that carries it.", "10.0.12")
    if state.attached[unit] != NONE:
        return Refusal("An attached leader moves with his unit.", "7.3.7")
    if unit in state.riding and not aboard:
        return Refusal("It rides on a vehicle and has to get off first.", "24.0.5")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if state.morale[unit] == BROKEN:
        return Refusal("A broken unit may not move.", "17.3.2")
    if state.moved[unit]:
        return Refusal("It has moved this turn.", "23.0.1")
    if state.done[unit]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if state.acts(unit) >= 2:
        rule = "22.0.5" if state.fired[unit] >= 2 else "22.0.1"
        return Refusal("It has done its two actions this turn.", rule)
    if TRAITS[state.kind[unit]] & ARMOR:
        return Refusal("An armor leader stays in his vehicle.", "7.4.6")
    if not MOVEMENT[state.kind[unit]]:
        return Refusal("It can only be moved by transport.", "24.0.15")
    if stealth and not TRAITS[state.kind[unit]] & STEALTH:
        return Refusal("It cannot move by stealth.", "23.3.3" if grouped else "23.3.p1")
    return None


def _refuse_group(state: State, one: int, two: int) -> Refusal | None:
    """OST 23.1."""
    if one == two or state.hex[one] != state.hex[two]:
        return Refusal("The units of a group start in the same hex.", "23.1.4")
    if state.hex[one] == OFF and not together(state, one, two):
        return Refusal("They do not come on at the same place.", "23.6.2")
    if any(CATEGORY[state.kind[c]] == SNIPER for c in (one, two)):
        return Refusal("Snipers take no part in groups.", "7.1.1")
    if state.is_single(one) or state.is_single(two):
        return Refusal("A group is two units with a leader attached.", "23.1.p1")
    if all(state.good_leader(c) == NONE for c in (one, two)):
        return Refusal("A group needs an attached leader in good order.", "23.1.1")
    return None


def refuse_path(
    view: View, group: tuple[int, ...], move: Move, *, goes_on: bool = False
) -> Refusal | None:
    """Why units may not go along a path, and with `goes_on` do more at its end. OST 23.0."""
    state = view.state
    here = state.hex[move.unit]
    if state.armour and any(CATEGORY[state.kind[c]] == VEHICLE for c in group):
        rule = "23.1.7" if len(group) > 1 else "23.4.p1"
        return Refusal("Vehicles drive, with a facing after each step.", rule)
    if not move.path:
        return Refusal("The path is empty.", "23.0.p1")
    refusal = guns.refuse_claim(view, move, move.path[-1])
    if refusal:
        return refusal
    refusal = (
        refuse_streets(state, group, move.path, move.streets)
        if state.ground.dual or (move.streets)
        else None
    )
    if refusal:
        return refusal
    spent = 0
    points = min(allowance(state, unit, stealth=move.stealth) for unit in group)
    units, leaders = load(state, group)
    mounted = any(is_mobile(state, c) for c in group)
    halts = ""
    for number, there in enumerate(move.path):
        refusal = refuse_leaving(state, here, halts) if number else None
        if refusal:
            return refusal
        if here == OFF:
            refusal = refuse_entry(state, move.unit, there)
            if refusal:
                return refusal
        elif state.ground.grid.direction(here, there) < 0:
            return Refusal("Each hex of the path must be next to the one before.", "23.0.p1")
        cost = step_cost(state.ground, here, there, move.streets)
        if cost >= IMPASSABLE:
            return Refusal(*state.ground.bar(here, there))
        spent += cost
        if spent > points and (number or move.stealth):
            rule = "23.3.2" if move.stealth else "23.1.3" if len(group) > 1 else "23.0.4"
            return Refusal(f"The path costs {spent} movement points of {points}.", rule)
        if there in state.melees:
            return Refusal("A melee hex may not be entered by moving.", "30.1.4")
        if any(view.hex[c] == there for c in view.theirs):
            return Refusal("An enemy holds a hex of the path.", "23.0.8")
        if there != state.hex[move.unit] and not state.room(there, view.side, units, leaders):
            return Refusal("No more units fit into a hex of the path.", "20.0.4")
        halts = halted_by(state.ground, here, there, move.streets) if mounted else ""
        here = there
    return refuse_leaving(state, here, halts) if goes_on else None


def refuse_leaving(state: State, h: int, halts: str = "") -> Refusal | None:
    """Why who has come into a hex goes no farther: wire, or what stops mobile troops."""
    if h in state.ground.stops:
        return Refusal(f"The wire in {state.ground.name(h)} ends the move.", "13.6.3")
    if halts:
        where = state.ground.name(h)
        return Refusal(f"Mobile troops stop in {where}: {halts}.", rule_of(halts))
    return None


def load(state: State, group: tuple[int, ...], *, alone: bool = False) -> tuple[int, int]:
    """(units, leaders) a group brings into a hex, for the stacking limit; riders are part of their
    vehicle, their leaders count. OST 20, 20.0.3, 7.1.2. `alone`: those who get off, whose leaders
    are there already."""
    units = leaders = 0
    if state.riding:
        for rider in (r for c in group for r in riders(state, c)):
            leaders += state.leader[rider] != NONE or CATEGORY[state.kind[rider]] == LEADER
    for c in group:
        category = CATEGORY[state.kind[c]]
        if category == LEADER:
            leaders += 1
        elif category != SNIPER:
            units += 1
        if state.leader[c] != NONE:
            leaders += 1
    return units, 0 if alone else leaders


def holds_ground(state: State, unit: int) -> bool:
    """Whether a unit can take a control hex now: in good order as well. OST 3.2.2."""
    return state.hex[unit] != OFF and state.morale[unit] == GOOD and can_hold(state, unit)


def can_hold(state: State, unit: int) -> bool:
    """Whether a unit can take or contest a control hex at all: no single person, no crew, no
    lorry, no vehicle without an armament that works. OST 3.2.3."""
    if is_vehicle(state, unit):
        return is_armored(state, unit) and is_armed(state, unit)
    return CATEGORY[state.kind[unit]] not in (LEADER, SNIPER, CREW)


def refuse_pivot(view: View, pivot: Pivot) -> Refusal | None:
    """OST 8.0.13: turning a covered arc is a move."""
    state = view.state
    refusal = refuse_mover(view, pivot.unit, stealth=False)
    if refusal and refusal.rule != "24.0.15":
        return refusal
    if not TRAITS[state.kind[pivot.unit]] & ARC or CATEGORY[state.kind[pivot.unit]] == VEHICLE:
        return Refusal("It has no covered arc to turn.", "8.0.13")
    if not 0 <= pivot.facing < 6 or pivot.facing == state.facing[pivot.unit]:
        return Refusal("Turn it to another hexside, 0 (north) to 5.", "8.0.13")
    return None

"""Assault moves (OST 25): into an adjacent enemy hex or an empty control hex."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import guns
from rulesengine.rulesets.ost.actions import AssaultMove
from rulesengine.rulesets.ost.artillery import ran_into
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.events import (
    Entered,
    MeleeMarked,
    MoveDeclared,
    MoveEnded,
    PointsSpent,
    Revealed,
)
from rulesengine.rulesets.ost.going import go_on as go_on_moving
from rulesengine.rulesets.ost.going import lose_sight
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    SOFT,
    SQUAD,
    TRAITS,
)
from rulesengine.rulesets.ost.mines import sprung
from rulesengine.rulesets.ost.movement import load
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.streets import choose, come_in, mark
from rulesengine.rulesets.ost.tracks import CLOSED, is_reverse, roll_bog, step, storm
from rulesengine.rulesets.ost.transport_events import CoverKept, CoverLeft
from rulesengine.rulesets.ost.vehicles import DRIVE, held_by, is_armed, is_immobile, is_vehicle
from rulesengine.rulesets.ost.works import flatten_wire


def refuse_assault(view: View, action: AssaultMove) -> Refusal | None:
    """OST 25."""
    state = view.state
    group = (action.unit,) if action.partner == NONE else (action.unit, action.partner)
    if state.impulses[view.side] < len(group):
        return Refusal(f"This takes {len(group)} Impulse Points.", "25.0.5")
    for unit in group:
        refusal = _refuse_assaulter(view, unit, action.hex)
        if refusal:
            return refusal
    if len(group) > 1:
        if action.unit == action.partner or (
            state.ground.grid.distance(state.hex[action.unit], state.hex[action.partner]) > 1
        ):
            rule = "25.0.8" if any(is_vehicle(state, c) for c in group) else "25.0.9"
            return Refusal("A group starts in the same or adjacent hexes.", rule)
        if all(state.good_leader(c) == NONE for c in group):
            rule = "25.0.8" if any(is_vehicle(state, c) for c in group) else "25.0.7"
            return Refusal("A group needs an attached leader in good order.", rule)
        if all(is_vehicle(state, c) for c in group):
            return Refusal("Vehicles do not move as a group.", "7.4.3")
    enemies = [c for c in view.theirs if view.hex[c] == action.hex]
    if not enemies and (action.hex not in state.control_at or state.in_hex(action.hex, view.side)):
        return Refusal("Assault an enemy's hex or an empty control hex.", "25.0.12")
    if action.street and action.hex not in state.ground.dual:
        return Refusal("There is no street beside a house.", "16.6.1")
    if action.hex in state.melees and action.hex in state.fresh_melees:
        return Refusal("A melee set this turn is closed until it has been fought.", "30.1.4")
    units, leaders = load(state, group)
    if not state.room(action.hex, view.side, units, leaders):
        rule = "20.0.2" if action.hex in state.melees else "20.0.1"
        return Refusal("No more units of yours fit into the hex.", rule)
    return guns.refuse_claim(view, action, action.hex)


def _refuse_assaulter(view: View, unit: int, h: int) -> Refusal | None:
    state = view.state
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "25.0.p1")
    if is_vehicle(state, unit):
        refusal = _refuse_vehicle(view, unit, h)
        if refusal:
            return refusal
    elif unit in state.riding:
        return Refusal("It rides on a vehicle and has to get off first.", "24.0.5")
    elif CATEGORY[state.kind[unit]] != SQUAD:
        return Refusal("Crewed weapons, crews and single persons may not assault.", "25.0.11")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if state.morale[unit] != GOOD:
        rule = "17.3.3" if state.morale[unit] == BROKEN else "17.2.3"
        return Refusal("Only a good order unit can assault.", rule)
    if state.assaulted[unit]:
        return Refusal("It has assaulted this turn.", "25.0.4")
    if state.acts(unit) >= 2:
        return Refusal("It has done its two actions this turn.", "22.0.1")
    if state.ground.grid.direction(state.hex[unit], h) < 0:
        return Refusal("An assault move goes into an adjacent hex.", "25.0.1")
    if state.ground.cost(state.hex[unit], h) >= IMPASSABLE:
        return Refusal(*state.ground.bar(state.hex[unit], h))
    return None


def _refuse_vehicle(view: View, unit: int, h: int) -> Refusal | None:
    """OST 25.0.3, 25.0.11: forward, into terrain it may enter, with an armament that works. Of a
    pillbox with an enemy in it the hex is open to an assault, 13.5.13."""
    state = view.state
    if TRAITS[state.kind[unit]] & SOFT or not is_armed(state, unit):
        return Refusal("Lorries and vehicles without an armament may not assault.", "25.0.11")
    if riders(state, unit):
        return Refusal("A vehicle that carries passengers may not assault.", "25.0.11")
    if is_immobile(state, unit):
        return Refusal("It is bogged or immobilised.", held_by(state, unit))
    direction = state.ground.grid.direction(state.hex[unit], h)
    if direction >= 0:
        met = any(view.hex[c] == h for c in view.theirs)
        way = (storm if met else step)(state.ground, DRIVE[state.kind[unit]], state.hex[unit], h)
        if way.halves == CLOSED:
            return Refusal("Vehicles of its kind may not go there.", "25.0.3")
        if is_reverse(direction, state.facing[unit]):
            return Refusal("A vehicle assaults through its front arc.", "23.4.3")
    return None


def start(battle: Battle[State], action: AssaultMove) -> None:
    """Carry out an assault move; into an empty control hex it is a move like any other."""
    state = battle.state
    group = (action.unit,) if action.partner == NONE else (action.unit, action.partner)
    side = state.side[action.unit]
    battle.emit(PointsSpent(side=side, points=len(group)))
    hidden = tuple(c for c in group if state.hidden[c])
    if hidden:
        battle.emit(Revealed(units=hidden, why="moved"))
    joins = action.hex in state.melees
    battle.emit(MoveDeclared(units=group, path=(action.hex,), assault=True, reinforces=joins))
    choose(battle, group, (action.hex,) if action.street else ())
    guns.declare(battle, action)
    indoors = action.hex in state.ground.dual and not action.street
    for c in group:
        if state.rolling.get(c, NONE) in group:
            cover = CoverLeft if indoors else CoverKept  # the vehicle keeps to the street, 16.6.6
            battle.emit(cover(unit=c, vehicle=state.rolling[c]))
    enemies = state.in_hex(action.hex, 1 - side)
    if all(state.hidden[c] for c in enemies):
        go_on_moving(battle)
        return
    met = tuple(c for c in enemies if state.hidden[c])
    if met:
        battle.emit(Revealed(units=met, why="met"))
    starts = {c: state.hex[c] for c in group}
    cost = state.ground.cost(starts[action.unit], action.hex, street=action.street)
    battle.emit(Entered(units=group, hex=action.hex, cost=cost))
    come_in(battle, group, street=action.street)
    for c in group:
        if is_vehicle(state, c):
            way = storm(state.ground, DRIVE[state.kind[c]], starts[c], action.hex)
            if way.bog:
                roll_bog(battle, c)
            flatten_wire(battle, c)
        lose_sight(battle, c)
    sprung(battle, group)
    ran_into(battle, group)
    if not state.in_hex(action.hex, side):  # a leader may be all that mines have left, 7.2.8
        battle.emit(MoveEnded(units=group))
        return
    if action.hex not in state.melees:
        battle.emit(MeleeMarked(hex=action.hex, side=side))
    mark(battle, group)
    battle.emit(MoveEnded(units=group))

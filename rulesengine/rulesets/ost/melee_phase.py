"""The melee phase (OST 30): each melee is a frame on the stack of interruptions.

Single persons may evade, the outnumbered side may concentrate, both sides strike at once, then the
shaken and broken are led out of the hex. `go_on` takes it up again after every decision.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import damage, duel, gunnery, melee
from rulesengine.rulesets.ost.actions import Concentrate, Evade, Retreat, Stand
from rulesengine.rulesets.ost.carriage import riders
from rulesengine.rulesets.ost.casualties import apply_result, eliminate
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.endings import is_towed
from rulesengine.rulesets.ost.events import (
    Concentrated,
    ControlTaken,
    Evaded,
    MeleeClosed,
    MeleeJoined,
    MeleeOpened,
    MeleePhaseBegan,
    Retreated,
    RetreatsOwed,
    Revealed,
    Struck,
)
from rulesengine.rulesets.ost.fire import look_up
from rulesengine.rulesets.ost.going import take_control
from rulesengine.rulesets.ost.hazards import fall_upon
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    SINGLE_USE,
    TRAITS,
    TRANSPORT,
)
from rulesengine.rulesets.ost.movement import can_hold, load
from rulesengine.rulesets.ost.retreats import leaders_of, must_retreat
from rulesengine.rulesets.ost.state import (
    BROKEN,
    CONCENTRATE,
    DUEL,
    EVADE,
    NONE,
    RETREAT,
    STRIKE,
    State,
    View,
)
from rulesengine.rulesets.ost.tracks import CLOSED, step
from rulesengine.rulesets.ost.vehicle_events import Expended, GunAbandoned, VehicleStruck
from rulesengine.rulesets.ost.vehicles import DRIVE, is_immobile, is_lorry, is_vehicle

EVADES_ON = 5
"""A single person slips out of a melee on this or more. OST 7.0.4."""


def begin_phase(battle: Battle[State]) -> None:
    battle.emit(MeleePhaseBegan(hexes=tuple(sorted(battle.state.melees))))


def go_on(battle: Battle[State]) -> bool:
    """Fight the melees of the phase in turn. True while a side owes a decision."""
    state = battle.state
    while state.frames or state.melee_queue:
        if not state.frames:
            _open(battle, state.melee_queue[0])
        frame = state.frames[-1]
        while frame.stage == EVADE and not retreats_of(state, frame.queue[0]):
            battle.emit(Evaded(unit=frame.queue[0], to=NONE))
        if frame.stage in (EVADE, CONCENTRATE):
            return True
        if frame.stage == STRIKE and state.armour and duel.is_duel(state, frame.hex):
            duel.open_duel(battle, frame.hex)
        if frame.stage == DUEL and duel.go_on(battle):
            return True
        if frame.stage == STRIKE:
            _strike(battle)
        if frame.stage == RETREAT and _lead_out(battle):
            return True
    return False


def _open(battle: Battle[State], h: int) -> None:
    state = battle.state
    evaders = tuple(
        c
        for side in (0, 1)
        for c in state.in_hex(h, side)
        if state.is_single(c) and state.attached[c] == NONE and retreats_of(state, c)
    )
    counts = [len(fighting_units(state, h, side)) for side in (0, 1)]
    outnumbered = may_concentrate(counts)
    if outnumbered != NONE and state.armour and duel.is_duel(state, h):
        outnumbered = NONE
    battle.emit(MeleeOpened(hex=h, evaders=evaders, concentrates=outnumbered))


def may_concentrate(counts: list[int]) -> int:
    """The side that may concentrate, or NONE: it has units, the other twice as many or more. With
    passengers there can be three to one. OST 30.5.p1, 30.5.5, 24.0.14."""
    few, many = min(counts), max(counts)
    return counts.index(few) if few and many >= few * 2 else NONE


def fighting_units(state: State, h: int, side: int) -> list[int]:
    """Squads and crewed weapons; single persons do not count. OST 30.5.2."""
    return [c for c in state.in_hex(h, side) if not state.is_single(c)]


def singled_out(state: State, target: int, enemies: list[int]) -> list[int]:
    """The targets of a concentrated attack: a foot unit and the leaders of its hex, or a vehicle
    with who rides in it. OST 30.5.1, 30.5.3."""
    if is_vehicle(state, target):
        leader = state.leader[target]
        return [target] if leader == NONE else [target, leader]
    return [target, *(c for c in leaders_of(state, enemies) if not TRAITS[state.kind[c]] & ARMOR)]


def evade(battle: Battle[State], action: Evade | Stand) -> None:
    """OST 7.0.4: a 5 or 6 and the single person slips out."""
    if isinstance(action, Stand):
        battle.emit(Evaded(unit=action.unit, to=NONE))
        return
    if _bumps(battle, action.unit, action.to):
        return
    roll = battle.dice.roll(6, 1)
    to = action.to if roll.total >= EVADES_ON else NONE
    battle.emit(Evaded(unit=action.unit, to=to, roll=roll))
    if to != NONE:
        fall_upon(battle, action.unit)


def concentrate(battle: Battle[State], action: Concentrate) -> None:
    battle.emit(Concentrated(side=battle.state.frames[-1].side, target=action.target))


def _strike(battle: Battle[State]) -> None:
    """Both sides strike at once; then results, then who must leave. OST 30.3."""
    state = battle.state
    frame = state.frames[-1]
    h = frame.hex
    present = [state.in_hex(h, side) for side in (0, 1)]
    if not present[0] or not present[1]:
        battle.emit(RetreatsOwed(hex=h, units=()))
        return
    targets = [present[1], present[0]]
    if frame.target != NONE:
        targets[frame.side] = singled_out(state, frame.target, present[1 - frame.side])
    spent = _spent(state, present)
    blows = _joined(battle, h, present, targets)
    for target, result in blows:
        if state.hex[target] == h:
            apply = damage.apply_result if is_vehicle(state, target) else apply_result
            apply(battle, target, result, melee=True)
    for weapon in spent:
        battle.emit(Expended(weapon=weapon))
    units, because = must_retreat(state, h)
    battle.emit(RetreatsOwed(hex=h, units=units, because=because))


def _spent(state: State, present: list[list[int]]) -> list[int]:
    """Single-use weapons that were used in it, and are gone after it. OST 10.0.6, 10.1.4."""
    found = []
    for side in (0, 1):
        armour = state.armour and any(is_vehicle(state, t) for t in present[1 - side])
        found += [
            state.weapon[c]
            for c in present[side]
            if state.weapon[c] != NONE
            and state.morale[c] != BROKEN
            and TRAITS[state.kind[state.weapon[c]]] & SINGLE_USE
            and melee.fights(state, c, armour=armour)
        ]
    return found


def _joined(
    battle: Battle[State], h: int, present: list[list[int]], targets: list[list[int]]
) -> list[tuple[int, int]]:
    """Work out both columns, roll every attack; (target, result) in order."""
    state = battle.state
    armour = [any(is_vehicle(state, c) for c in here) for here in present]
    members = [
        [melee.member(state, c, armour=armour[1 - side]) for c in present[side]] for side in (0, 1)
    ]
    after = state.options.melee_halves_after_bonus
    fires = [melee.firepower(members[side], halve_after=after) for side in (0, 1)]
    shields = [melee.defense([melee.member(state, c) for c in targets[side]]) for side in (0, 1)]
    rolls = [melee.roll_modifiers(members[side]) for side in (0, 1)]
    columns = [
        column(f.value, shield.value) if f else NONE
        for f, shield in zip(fires, shields, strict=True)
    ]
    values = [f.value if f else 0 for f in fires]
    battle.emit(
        MeleeJoined(
            hex=h,
            firepower=(values[0], values[1]),
            defense=(shields[1].value, shields[0].value),
            columns=(columns[0], columns[1]),
            lone=melee.lone_rules(members[0]) + melee.lone_rules(members[1]),
            lorries=any(is_lorry(state.kind[c]) for c in state.stacks.get(h, ())),
            modifiers=(
                tuple((fires[0].parts if fires[0] else []) + shields[0].parts),
                tuple((fires[1].parts if fires[1] else []) + shields[1].parts),
            ),
        )
    )
    blows = []
    for side in (0, 1):
        if columns[side] == NONE:
            continue
        for target in targets[side]:
            if TRAITS[state.kind[target]] & ARMOR:
                continue
            hard = is_vehicle(state, target)
            roll = battle.dice.roll(6, 2)
            total = roll.total + rolls[side].value
            result = (gunnery.look_up if hard else look_up)(columns[side], total)
            battle.emit(
                (VehicleStruck if hard else Struck)(
                    side=side,
                    target=target,
                    column=columns[side],
                    roll=roll,
                    total=total,
                    result=result,
                    modifiers=tuple(rolls[side].parts),
                )
            )
            blows.append((target, result))
    return blows


def retreats_of(state: State, unit: int) -> tuple[int, ...]:
    """Adjacent hexes free of enemies and melees, with room; none for a gun that only a vehicle
    can move, but its crew may be a squad that can leave it. OST 30.4.3, 20, 24.0.15, 8.2.2."""
    h, side = state.hex[unit], state.side[unit]
    units, leaders = load(state, (unit,))
    known = state.known[side]
    enemies = {known[c] for c in state.of_side[1 - side]}
    ways = tuple(n for n, _ in state.ground.neighbours(h))
    if is_towed(state, unit) and unit not in state.manning:
        return ()
    if is_vehicle(state, unit):
        drive = DRIVE[state.kind[unit]]
        ways = tuple(n for n in ways if step(state.ground, drive, h, n).halves != CLOSED)
        if is_immobile(state, unit):
            return ()
    return tuple(
        n
        for n in ways
        if n not in enemies and n not in state.melees and state.room(n, side, units, leaders)
    )


def leaves_gun(state: State, unit: int) -> bool:
    """Whether a retreat leaves a gun behind that others than its own crew have manned. OST 8.2.2,
    24.0.15."""
    return unit in state.manning and is_towed(state, unit)


def _lead_out(battle: Battle[State]) -> bool:
    """Retreat the units that must leave; True while an owner has to choose where."""
    state = battle.state
    frame = state.frames[-1]
    while frame.queue:
        unit = frame.queue[0]
        ways = retreats_of(state, unit)
        if len(ways) > 1 or (ways and leaves_gun(state, unit)):
            return True
        if ways:
            _retreat_to(battle, unit, ways[0])
        else:
            _trapped(battle, unit)
    _close(battle)
    return False


def _retreat_to(battle: Battle[State], unit: int, h: int, *, destroy: bool = False) -> None:
    """Go, unless somebody hides there: then he is revealed and another way is looked for. Who is in
    good order takes the ground (3.2.2)."""
    if _bumps(battle, unit, h):
        return
    if leaves_gun(battle.state, unit):
        battle.emit(GunAbandoned(unit=unit, destroyed=destroy))
    because = battle.state.frames[-1].because
    battle.emit(Retreated(unit=unit, to=h, because=because))
    fall_upon(battle, unit)
    take_control(battle, (unit, *riders(battle.state, unit)))


def _bumps(battle: Battle[State], unit: int, h: int) -> bool:
    """Whether hidden enemies hold the hex, who are revealed by it. OST 21.0.6, 30.4.3."""
    state = battle.state
    met = tuple(c for c in state.in_hex(h, 1 - state.side[unit]) if state.hidden[c])
    if met:
        battle.emit(Revealed(units=met, why="met"))
    return bool(met)


def _trapped(battle: Battle[State], unit: int) -> None:
    """Who cannot retreat is destroyed, and his leader unless he finds a way out alone."""
    state = battle.state
    leader, h = state.leader[unit], state.hex[unit]
    if is_vehicle(state, unit):
        _lose_vehicle(battle, unit)
        return
    eliminate(battle, unit, "no retreat", melee=True)
    while leader != NONE and state.hex[leader] == h and state.attached[leader] == NONE:
        ways = retreats_of(state, leader)
        if ways:
            _retreat_to(battle, leader, ways[0])
        else:
            eliminate(battle, leader, "no retreat", melee=True)


def _lose_vehicle(battle: Battle[State], unit: int) -> None:
    """A vehicle that has to leave and cannot: abandoned if it cannot move (30.4.9, 31.2.6), else
    destroyed (30.4.3, 31.2.5)."""
    state = battle.state
    frame = state.frames[-1]
    carrier = TRAITS[state.kind[unit]] & TRANSPORT
    if is_immobile(state, unit):
        damage.wreck(battle, unit, "duel, cannot move" if frame.duel else "cannot retreat", 1)
    else:
        points = 1 if carrier else 2
        damage.wreck(battle, unit, "duel, no retreat" if frame.duel else "no retreat", points)


def _close(battle: Battle[State]) -> None:
    state = battle.state
    h, duel = state.frames[-1].hex, state.frames[-1].duel
    sides = [bool(state.in_hex(h, side)) for side in (0, 1)]
    battle.emit(MeleeClosed(hex=h, resolved=not all(sides), duel=duel))
    place = state.control_at.get(h, NONE)
    if place != NONE and any(sides) and not all(sides):
        side = sides.index(True)
        able = any(can_hold(state, c) for c in state.in_hex(h, side))
        if able and state.control[place] != side:
            battle.emit(ControlTaken(place=place, side=side, melee=True))


def refuse_in_melee(view: View, action: Evade | Stand | Concentrate | Retreat) -> Refusal | None:
    """Decisions owed inside a melee."""
    state = view.state
    frame = state.frames[-1]
    if isinstance(action, Concentrate):
        here = fighting_units(state, frame.hex, 1 - frame.side)
        if frame.stage != CONCENTRATE or frame.side != view.side:
            return Refusal("There is nothing to concentrate on now.", "30.5.4")
        if action.target != NONE and action.target not in here:
            return Refusal("Concentrate on one enemy unit of this melee.", "30.5.1")
        return None
    wanted = EVADE if isinstance(action, (Evade, Stand)) else RETREAT
    if frame.stage != wanted or frame.queue[0] != action.unit:
        return Refusal("That unit does not have to decide now.", "7.0.4")
    if isinstance(action, (Evade, Retreat)) and action.to not in retreats_of(state, action.unit):
        return Refusal("It can only go to an adjacent hex free of enemies.", "30.4.3")
    if isinstance(action, Retreat) and action.destroy and not leaves_gun(state, action.unit):
        return Refusal("It leaves no gun behind.", "8.2.2")
    return None


def retreat(battle: Battle[State], action: Retreat) -> None:
    _retreat_to(battle, action.unit, action.to, destroy=action.destroy)

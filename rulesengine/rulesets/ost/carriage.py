"""Who rides on what, and who walks behind what (OST 23.2, 24): facts, and how they change.

`state.riding` names the vehicle of each unit that is carried, `state.rolling` that of each unit in
rolling cover, `state.freight` that of each support weapon a vehicle has taken on. `state.mute`
holds who may not fire for it. All are empty where nobody rides. The functions of the second half
change them, for `evolve.py` alone.
"""

from __future__ import annotations

from rulesengine.rulesets.ost.counters import place, touch
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    CREWED,
    GUN,
    LEADER,
    MOBILE,
    NO_RIDERS,
    SNIPER,
    SOFT,
    SQUAD,
    TRAITS,
    TRANSPORT,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import NONE, OFF, State
from rulesengine.rulesets.ost.tally import AMOUNT, code

ROLLING_COVER = code("ROLLING_COVER")
ARMOURED_TRANSPORT = code("ARMOURED_TRANSPORT")
EXPOSED_PASSENGER = code("EXPOSED_PASSENGER")
EXPOSED_IN_LORRY = code("EXPOSED_IN_LORRY")
RIDES = (SQUAD, CREWED, LEADER, SNIPER)
"""Categories that vehicles carry. OST 24.0.p1."""


def riders(state: State, vehicle: int) -> list[int]:
    """Who rides on a vehicle: one unit at most (24.0.2). His leader is not named apart."""
    return [c for c, on in state.riding.items() if on == vehicle] if state.riding else []


def followers(state: State, vehicle: int) -> list[int]:
    """Who is in the rolling cover of a vehicle."""
    return [c for c, on in state.rolling.items() if on == vehicle] if state.rolling else []


def freight_of(state: State, vehicle: int) -> list[int]:
    """The support weapons a vehicle has taken on. OST 24.0.3."""
    return [w for w, on in state.freight.items() if on == vehicle] if state.freight else []


def rides(state: State, c: int) -> bool:
    """Whether a unit, or a leader with his unit, is carried."""
    return bool(state.riding) and (c in state.riding or state.attached[c] in state.riding)


def in_vehicle(state: State, c: int) -> bool:
    """A vehicle, or who is in or on one: an armor leader (7.4.6), riders. OST 24.0.1."""
    kind = state.kind[c]
    return CATEGORY[kind] == VEHICLE or bool(TRAITS[kind] & ARMOR) or rides(state, c)


def in_street(state: State, c: int) -> bool:
    """Whether a counter is in the road of a hex that has a structure too: whoever chose to, and
    every vehicle with those on it. An attached leader is where his unit is. OST 16.6."""
    if state.hex[c] not in state.ground.dual:
        return False
    unit = state.attached[c] if state.attached[c] != NONE else c
    return unit in state.street or in_vehicle(state, c)


def in_the_move(state: State) -> tuple[int, ...]:
    """Whom opportunity fire can be aimed at: who moves, and who rides with it. OST 27.6,
    24.0.10."""
    units = state.frames[-1].units if state.frames else ()
    if not state.riding or not units:
        return units
    return (*units, *(c for unit in units for c in riders(state, unit)))


def carries_armoured(kind: int) -> bool:
    """An armoured troop transport: its passengers are sheltered and it fires. OST 24.3.1,
    24.3.2."""
    return bool(TRAITS[kind] & TRANSPORT) and not TRAITS[kind] & SOFT


def why_not_aboard(state: State, unit: int, vehicle: int) -> tuple[str, str] | None:
    """Why a unit cannot ride on a vehicle at all: (words, rule). OST 24.0.p1, 24.0.2, 6.2.5."""
    kind, on = state.kind[unit], state.kind[vehicle]
    if CATEGORY[on] != VEHICLE or state.side[unit] != state.side[vehicle]:
        return "It takes a vehicle of one's own to ride on.", "24.0.p1"
    if TRAITS[on] & NO_RIDERS:
        return "That vehicle takes no riders.", "24.0.p1"
    if CATEGORY[kind] not in RIDES or TRAITS[kind] & ARMOR:
        return "Squads, crewed weapons and single persons ride.", "24.0.p1"
    if TRAITS[kind] & MOBILE:
        return "Mobile troops have transport of their own.", "6.2.5"
    if state.attached[unit] != NONE:
        return "An attached leader rides with his unit.", "7.3.7"
    if riders(state, vehicle):
        return "A vehicle carries one unit.", "24.0.2"
    return None


def shelter_of(state: State, c: int) -> int:
    """The modifier of his Defense for who rides or walks behind armour; NONE for all others.
    OST 23.2.6, 24.3.1, 24.3.3, 24.3.4."""
    unit = c if c in state.riding or c in state.rolling else state.attached[c]
    if unit in state.rolling:
        return ROLLING_COVER
    vehicle = state.riding.get(unit, NONE)
    if vehicle == NONE:
        return NONE
    kind = state.kind[vehicle]
    if carries_armoured(kind):
        return ARMOURED_TRANSPORT
    return EXPOSED_IN_LORRY if TRAITS[kind] & SOFT else EXPOSED_PASSENGER


def shelter_worth(state: State, c: int) -> int:
    """What that adds to his Defense."""
    modifier = shelter_of(state, c)
    return AMOUNT[modifier] if modifier != NONE else 0


# --- how it changes ------------------------------------------------------------------------------


def board(state: State, unit: int, vehicle: int) -> None:
    """A unit is on a vehicle from now on."""
    state.riding[unit] = vehicle
    state.rolling.pop(unit, None)
    hush(state)
    touch(state, unit)
    touch(state, vehicle)


def get_off(state: State, unit: int) -> None:
    """A unit is on no vehicle any more."""
    vehicle = state.riding.pop(unit)
    state.mute.discard(unit)
    if not riders(state, vehicle):
        state.mute.discard(vehicle)
    touch(state, unit)
    touch(state, vehicle)


def hush(state: State) -> None:
    """Who may not fire: riders, and what carries them but for armoured troop transports. OST
    24.0.6, 24.0.7. Guns that were unloaded are added until the turn ends, 24.2.5."""
    for unit, vehicle in state.riding.items():
        state.mute.add(unit)
        if not carries_armoured(state.kind[vehicle]):
            state.mute.add(vehicle)


def end_turn(state: State) -> None:
    """The turn's markers come off."""
    state.mute.clear()
    hush(state)


def set_down(state: State, unit: int) -> None:
    """Unloaded: a gun may not fire this turn. OST 24.2.5."""
    get_off(state, unit)
    if TRAITS[state.kind[unit]] & GUN:
        state.mute.add(unit)


def keep_together(state: State) -> None:
    """After any event: riders go where their vehicle goes, for that see `counters.place`; here
    those who are no longer together part. OST 23.2.9, 24.4.1."""
    for unit, vehicle in list(state.riding.items()):
        apart = state.hex[unit] != state.hex[vehicle]
        if apart or not _whole(state, vehicle) or not state.steps[unit]:
            get_off(state, unit)
            if not _whole(state, vehicle) and state.hex[unit] in state.ground.dual:
                state.street.add(unit)
    for unit, vehicle in list(state.rolling.items()):
        apart = state.hex[unit] != state.hex[vehicle] or state.hex[unit] == OFF
        if apart or not _whole(state, vehicle):
            del state.rolling[unit]
            touch(state, unit)
    for weapon, vehicle in list(state.freight.items()):
        if not _whole(state, vehicle) or state.holder[weapon] != NONE or not state.steps[weapon]:
            del state.freight[weapon]


def _whole(state: State, vehicle: int) -> bool:
    """Not a wreck, nor the crew of one."""
    return CATEGORY[state.kind[vehicle]] == VEHICLE and bool(state.steps[vehicle])


def leave_map(state: State, units: tuple[int, ...]) -> None:
    """Units, those they carry and their leaders go off the map for good. OST 23.6.4."""
    for c in units:
        state.riding.pop(c, None)
        state.rolling.pop(c, None)
        state.mute.discard(c)
        state.exited.append(c)
        for weapon in [w for w, on in state.freight.items() if on == c]:
            del state.freight[weapon]
            place(state, weapon, OFF)
        place(state, c, OFF)
    gone = set(units)
    state.acquired = {pair for pair in state.acquired if gone.isdisjoint(pair)}

"""Calls for artillery and aircraft that are worth thinking of, for the menu and the doctrine.

Targets are hexes an enemy is seen in; the spotter is whoever sees one best.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.air import refuse_air_strike
from rulesengine.rulesets.ost.armour_shots import full_worth
from rulesengine.rulesets.ost.armour_worth import attack_worth
from rulesengine.rulesets.ost.artillery import aimed, area, batteries, refuse_call
from rulesengine.rulesets.ost.blast import shelter, targets
from rulesengine.rulesets.ost.fire import smoked
from rulesengine.rulesets.ost.hex_fire import CHARGE, ON_TARGET, aim_of, power
from rulesengine.rulesets.ost.hex_fire import refuse as refuse_hex_fire
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    DEFENSE,
    FIREPOWER,
    LEADER,
    MORTAR,
    TRAITS,
    VEHICLE,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.state import DAMAGE, GOOD, NONE, OFF, SHAKEN, State, View
from rulesengine.rulesets.ost.vehicles import FLANK, is_armored
from rulesengine.rulesets.ost.works import ROADBLOCK, WIRE
from rulesengine.rulesets.ost.worth import COLUMN_OF, worth

FRIENDS = 2
"""How many times as dear a friend under the shells is as an enemy."""
ASTRAY = 4
"""A strike that drifts is worth so small a part of one that does not."""
SPOTTERS = 8
"""Units asked whether they see a hex, leaders first."""


def target_hexes(view: View) -> list[int]:
    """Hexes in which the side sees an enemy, melees apart."""
    hexes = {view.hex[c] for c in view.enemies()}
    return sorted(h for h in hexes if h not in view.state.melees)


def spotters(view: View) -> list[int]:
    """Units that may spot, leaders first."""
    state = view.state
    able = [
        c
        for c in state.of_side[view.side]
        if state.hex[c] != OFF and state.morale[c] == GOOD and state.hex[c] not in state.melees
    ]
    return sorted(able, key=lambda c: (CATEGORY[state.kind[c]] != LEADER, c))[:SPOTTERS]


def calls(view: View) -> Iterator[a.CallArtillery]:
    """One call of high explosive, and one of smoke, for each battery and target."""
    state, side = view.state, view.side
    if not any(state.missions[side]):
        return
    eyes = spotters(view)
    for h in target_hexes(view):
        for number, left in enumerate(state.missions[side]):
            for spotter in eyes if left else ():
                call = a.CallArtillery(spotter=spotter, battery=number, hex=h)
                if refuse_call(view, call) is None:
                    yield call
                    yield a.CallArtillery(spotter=spotter, battery=number, hex=h, smoke=True)
                    break


def sorties(view: View) -> Iterator[a.AirStrike]:
    """Air strikes on a target and a hex beside it."""
    state = view.state
    if not state.sorties[view.side]:
        return
    eyes = spotters(view)
    for h in target_hexes(view):
        for spotter in eyes:
            strikes = [
                a.AirStrike(spotter=spotter, hex=h, other=n)
                for n in state.ground.grid.neighbours[h]
                if n >= 0 and n not in state.ground.outside and n not in state.melees
            ]
            if strikes and refuse_air_strike(view, strikes[0]) is None:
                yield from strikes
                break


def hex_weapons(state: State, side: int) -> list[int]:
    """Satchel charges and mortars a side began with, or may pick up."""
    return [c for c, kind in enumerate(state.kind) if TRAITS[kind] & (MORTAR | WHOLE_HEX)]


def hex_fires(view: View, moving: tuple[int, ...] = ()) -> Iterator[a.HexFire]:
    """Satchels and mortars at hexes with an enemy in them, or at what stands in the way."""
    state = view.state
    weapons = [c for c in hex_weapons(state, view.side) if state.holder[c] != NONE]
    if not weapons:
        return
    hexes = {view.hex[c] for c in moving if view.hex[c] != OFF} if moving else None
    for weapon in weapons:
        unit = state.holder[weapon]
        if state.side[unit] != view.side or state.hex[unit] == OFF:
            continue
        aims = sorted(hexes) if hexes is not None else _aims(view, unit, weapon)
        for h in aims:
            for smoke in (False, True):
                fire = a.HexFire(unit=unit, weapon=weapon, hex=h, smoke=smoke)
                if refuse_hex_fire(view, fire, moving) is None:
                    yield fire


def _aims(view: View, unit: int, weapon: int) -> list[int]:
    state = view.state
    if TRAITS[state.kind[weapon]] & MORTAR:
        return target_hexes(view)
    near = [n for n in state.ground.grid.neighbours[state.hex[unit]] if n >= 0]
    seen = set(target_hexes(view))
    return [n for n in near if n in seen or state.works.get(n) in (WIRE, ROADBLOCK)]


def hex_fire_worth(view: View, fire: a.HexFire) -> int:
    """Mean worth of a satchel charge or of a mortar's bombs; what drifts counts for nothing."""
    state, kind = view.state, view.state.kind[fire.weapon]
    if TRAITS[kind] & WHOLE_HEX:
        return hex_worth(view, fire.hex, CHARGE, "satchel charge")
    aim = aim_of(state, fire.unit).value
    hits = max(0, min(6, 7 - ON_TARGET + aim))
    shaken = state.morale[fire.unit] == SHAKEN
    smoke = smoked(state, (fire.unit,))
    strength = power(FIREPOWER[kind][1], shaken=shaken, intensive=False, smoked=smoke).value
    return hex_worth(view, fire.hex, strength, "mortar") * hits // 6


def best_hex_fire(view: View, floor: int) -> tuple[int, a.HexFire] | None:
    """The best of them in one's own impulse that is worth more than `floor`."""
    offers = [
        (hex_fire_worth(view, fire), fire)
        for fire in hex_fires(view)
        if not fire.smoke and view.state.acts(fire.unit) < 2
    ]
    best = max(offers, key=lambda offer: offer[0], default=None)
    return best if best is not None and best[0] > floor else None


def call_worth(view: View, call: a.CallArtillery) -> int:
    """Mean worth of a mission of high explosive."""
    battery = batteries(view.state, view.side)[call.battery]
    total = 0
    for h in area(view.state, call.hex):
        strength = battery.firepower if h == call.hex else battery.firepower // 2
        total += hex_worth(view, h, strength, "artillery")
    aim = aimed(view.state, call.spotter, call.hex).value
    hits = max(0, min(6, 7 - battery.accuracy + aim))
    return (total * hits + max(0, total) * (6 - hits) // ASTRAY) // 6


def sortie_worth(view: View, strike: a.AirStrike, strength: int = 6) -> int:
    """Mean worth of an air strike with a veteran pilot."""
    return sum(hex_worth(view, h, strength, "air strike") for h in (strike.hex, strike.other))


def hex_worth(view: View, h: int, strength: int, why: str) -> int:
    """Mean worth of a strike on all of a hex that the side sees; its own count against it."""
    state, total = view.state, 0
    for c in targets(state, h, why):
        mine = state.side[c] == view.side
        if not mine and view.hex[c] == OFF:
            continue
        if why == "mortar" and is_armored(state, c):
            continue
        value = _unit_worth(view, c, h, strength, why)
        total += -FRIENDS * value if mine else value
    return total


def _unit_worth(view: View, c: int, h: int, strength: int, why: str) -> int:
    state, kind = view.state, view.state.kind[c]
    hard = CATEGORY[kind] == VEHICLE
    printed = FLANK[kind] if hard else DEFENSE[kind]
    against = shelter(state, c, h, printed, airburst=why == "artillery").value
    at = COLUMN_OF[max(-40, min(60, strength - against)) + 40]
    gut, morale = state.gut[state.side[c]], state.morale[c]
    if hard:
        damaged = bool(state.damage[c] & DAMAGE)
        full = full_worth(state, c)
        return attack_worth(at, 0, gut, kind, full, damaged, morale) // (36 * 216)
    return worth(at, 0, gut, state.steps[c], morale)


def best_support(view: View, floor: int) -> tuple[int, a.CallArtillery | a.AirStrike] | None:
    """The best use of artillery or aircraft now that is worth more than `floor`."""
    offers: list[tuple[int, a.CallArtillery | a.AirStrike]] = [
        (call_worth(view, call), call) for call in calls(view) if not call.smoke
    ]
    offers += ((sortie_worth(view, strike), strike) for strike in sorties(view))
    best = max(offers, key=lambda offer: offer[0], default=None)
    return best if best is not None and best[0] > floor else None

"""Words for what comes by air; see `narrate.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost.telling import Teller, Told

CRASHES = {
    "terrain": "crashes",
    "heavy terrain": "crashes into heavy terrain",
    "hexside": "crashes into what lines the hex",
    "enemy": "crashes among the enemy",
}


def _planned(t: Teller, e: x.FlightsPlanned) -> Told:
    if t.side not in (None, e.side):
        return None
    where = ", ".join(t.place(h) for _, h in e.aircraft)
    return f"{t.team(e.side)} plan their flights from {where}.", (), 0


def _came(t: Teller, e: x.AircraftCame) -> Told:
    if e.heading < 0:
        return f"{t.team(e.side)}: a glider is cast off over {t.place(e.hex)}.", (), 1
    way = DIRECTION_NAMES[e.heading]
    return f"{t.team(e.side)}: a transport over {t.place(e.hex)}, flying {way}.", (), 1


def _left(t: Teller, e: x.AircraftLeft) -> Told:
    return f"{t.team(e.side)}: the transport flies off.", (), 0


def _drift(t: Teller, rolls: tuple[Any, ...], h: int, edge: bool) -> str:
    way, far = rolls[0].total, rolls[1].total
    end = ", the edge of the map" if edge else ""
    hexes = "a hex" if far == 1 else f"{far} hexes"
    return f"direction {way}, {hexes}, to {t.place(h)}{end}"


def _dropped(t: Teller, e: x.Dropped) -> Told:
    drift = _drift(t, e.rolls, e.hex, e.edge)
    return f"{t.name(e.unit)} jumps over {t.place(e.over)} and drifts: {drift}.", (e.unit,), 1


def _supplies(t: Teller, e: x.SuppliesDropped) -> Told:
    drift = _drift(t, e.rolls, e.hex, e.edge)
    return f"{t.name(e.weapon)} is dropped over {t.place(e.over)}: {drift}.", (e.weapon,), 0


def _owed(t: Teller, e: x.LandingFireOwed) -> Told:
    return (f"{t.team(e.side)} may fire at the landing.", (), 0) if t.side is None else None


def _held(t: Teller, e: x.LandingFireHeld) -> Told:
    return (f"{t.team(e.side)} hold their fire.", (), 0) if t.side is None else None


def _fired(t: Teller, e: x.LandingFired) -> Told:
    fires = "fires" if len(e.firers) == 1 else "fire as a group"
    weapons = f" with {t.names(e.weapons)}" if e.weapons else ""
    text = f"{t.names(e.firers)}{weapons} {fires} at {t.name(e.unit)}, who is coming down."
    return text, (*e.firers, e.unit), 0


def _choose(t: Teller, e: x.PlaceOwed) -> Told:
    return (f"{t.names(e.units)} cannot stay there.", e.units, 0) if t.side is None else None


def _placed(t: Teller, e: x.LandingPlaced) -> Told:
    return f"{t.name(e.unit)} goes to {t.place(e.to)} instead.", (e.unit,), 0


def _landed(t: Teller, e: x.Landed) -> Told:
    if e.hex < 0:
        return None
    how = "has a hard landing" if e.column else "lands well"
    return f"{t.name(e.unit)} {how} in {t.place(e.hex)}.", (e.unit,), 0


def _released(t: Teller, e: x.GliderReleased) -> Told:
    drift = _drift(t, e.rolls, e.hex, e.edge)
    way = f"{e.rolls[2].total}, {DIRECTION_NAMES[e.facing]}"
    return f"The glider drifts: {drift}; it turns to land: {way}.", (), 0


def _crash(t: Teller, e: x.CrashRolled) -> Told:
    what = f"the edge of {t.place(e.hex)}" if e.hexside else t.place(e.hex)
    verdict = "no" if e.crashes else "yes"
    return f"Does the glider get through {what}? {e.roll.total}: {verdict}.", (), 0


def _down(t: Teller, e: x.GliderDown) -> Told:
    what = f"The glider {CRASHES[e.why]}" if e.why else "The glider lands"
    return f"{what} in {t.place(e.hex)} with {t.names(e.units)}.", e.units, 2


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    x.FlightsPlanned: _planned,
    x.AircraftCame: _came,
    x.AircraftLeft: _left,
    x.Dropped: _dropped,
    x.SuppliesDropped: _supplies,
    x.LandingFireOwed: _owed,
    x.LandingFireHeld: _held,
    x.LandingFired: _fired,
    x.PlaceOwed: _choose,
    x.LandingPlaced: _placed,
    x.Landed: _landed,
    x.GliderReleased: _released,
    x.CrashRolled: _crash,
    x.GliderDown: _down,
}

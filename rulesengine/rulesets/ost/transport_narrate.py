"""Words for events about riders and rolling cover; see `narrate.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.quantities import many
from rulesengine.rulesets.ost import transport_events as x
from rulesengine.rulesets.ost.telling import Teller, Told


def _loads(t: Teller, e: x.LoadDeclared) -> Told:
    return f"{t.name(e.unit)} makes for {t.name(e.vehicle)}.", (e.unit, e.vehicle), 0


def _loaded(t: Teller, e: x.Loaded) -> Told:
    how = "rides on" if e.at_start else "is hitched to" if e.towed else "gets on"
    return f"{t.name(e.unit)} {how} {t.name(e.vehicle)}.", (e.unit, e.vehicle), 0


def _unloaded(t: Teller, e: x.Unloaded) -> Told:
    how = "is unhitched from" if e.towed else "gets off"
    return f"{t.name(e.unit)} {how} {t.name(e.vehicle)}.", (e.unit, e.vehicle), 0


def _fetched(t: Teller, e: x.Fetched) -> Told:
    how = "takes on" if e.taken else "puts down"
    return f"{t.name(e.vehicle)} {how} {t.name(e.weapon)}.", (e.vehicle, e.weapon), 0


def _drives_on(t: Teller, e: x.DrivesOn) -> Told:
    return f"{t.name(e.vehicle)} drives on with its passengers.", (e.vehicle,), 0


def _collateral(t: Teller, e: x.CollateralDue) -> Told:
    who = "behind" if e.walking else "on"
    return f"{t.name(e.unit)}, {who} {t.name(e.vehicle)}, is hit too.", (e.unit, e.vehicle), 0


def _rolling(t: Teller, e: x.RollingDeclared) -> Told:
    way = " ".join(t.state.ground.name(h) for h in e.path)
    squad, vehicle = e.units
    return f"{t.name(squad)} moves in the cover of {t.name(vehicle)}: {way}.", e.units, 0


def _kept(t: Teller, e: x.CoverKept) -> Told:
    text = f"{t.name(e.unit)} goes in with {t.name(e.vehicle)}."
    return text, (e.unit, e.vehicle), 0


def _left(t: Teller, e: x.CoverLeft) -> Told:
    return f"{t.name(e.unit)} gives up the cover of {t.name(e.vehicle)}.", (e.unit, e.vehicle), 0


def _dismounted(t: Teller, e: x.Dismounted) -> Told:
    dismount = "dismount" if len(e.units) > 1 else "dismounts"
    return f"{t.names(e.units)} {dismount} in {t.place(e.hex)} ({e.what}).", e.units, 0


def _exits(t: Teller, e: x.ExitDeclared) -> Told:
    return f"{t.name(e.unit)} makes for the edge of the map.", (e.unit,), 0


def _exited(t: Teller, e: x.Exited) -> Told:
    scored = f" for {many(e.points, 'victory point')}" if e.points else ""
    leave = "leave" if len(e.units) > 1 else "leaves"
    return f"{t.names(e.units)} {leave} the map at {t.place(e.hex)}{scored}.", e.units, 1


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    x.LoadDeclared: _loads,
    x.Loaded: _loaded,
    x.Unloaded: _unloaded,
    x.Fetched: _fetched,
    x.DrivesOn: _drives_on,
    x.CollateralDue: _collateral,
    x.RollingDeclared: _rolling,
    x.CoverKept: _kept,
    x.CoverLeft: _left,
    x.Dismounted: _dismounted,
    x.ExitDeclared: _exits,
    x.Exited: _exited,
}

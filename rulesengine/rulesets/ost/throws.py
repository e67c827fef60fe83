"""Whose luck a roll is, and what it was for.

In Old School Tactical a high total is good for whoever rolls it, everywhere: more on the combat
table (28), a gut check or rally passed (17.4, 18), the initiative and more Impulse Points (3.4,
4.0), a leader unhurt (28.2), a single person who slips away (7.0.4), a vehicle hit (29.0.5), one
that does not bog down (23.5) or whose crew get out (29.6). The two dice of extended play (1.4) are
rolled for the battle and are nobody's luck; nor is the die that tells what breaks on a vehicle
(29.3), whether a gun without crew stays on the field (8.0.2) or a house stands (16.7), nor where a
strike, a parachute or a glider drifts (33.3, 26.3), nor which luck card is drawn (3.3): no face is
better than the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.explain import Throw
from rulesengine.rulesets.ost import airborne_events as air
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import luck_events as luck
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.state import State

Throws = tuple[Throw, ...]


def throws(state: State, event: Event) -> Throws:
    """The dice of one event, each as its side's."""
    read = _OF.get(type(event))
    return read(state, event) if read else ()


def _initiative(
    state: State, x: e.InitiativeRolled | v.DuelOpened, what: str = "initiative"
) -> Throws:
    return tuple(Throw(n % 2, what, roll) for n, roll in enumerate(x.rolls))


def _evaded(state: State, x: e.Evaded) -> Throws:
    return (Throw(state.side[x.unit], "evasion", x.roll),) if x.roll else ()


def _blasted(state: State, x: f.Blasted) -> Throws:
    """Of mines, shells and bombs; what falls on men by itself is nobody's luck."""
    return (Throw(x.by, "attack", x.roll),) if x.by >= 0 else ()


NOBODYS = (
    e.ExtendedPlayRolled,
    v.DamageRolled,
    v.GunLeft,
    f.CollapseRolled,
    s.Drifted,
    s.MortarDrifted,
    air.Dropped,
    air.SuppliesDropped,
    air.GliderReleased,
    luck.HandDealt,
)
"""Events with dice that are no side's luck."""

_OF: dict[type[Event], Callable[[State, Any], Throws]] = {
    e.Shot: lambda state, x: (Throw(state.side[x.firers[0]], "attack", x.roll),),
    e.Struck: lambda state, x: (Throw(x.side, "melee", x.roll),),
    e.GutChecked: lambda state, x: (Throw(state.side[x.unit], "gut check", x.roll),),
    e.Rallied: lambda state, x: (Throw(state.side[x.unit], "rally", x.roll),),
    e.LeaderRolled: lambda state, x: (Throw(state.side[x.leader], "leader casualty", x.roll),),
    e.Evaded: _evaded,
    e.InitiativeRolled: _initiative,
    e.ImpulsesRolled: lambda state, x: (Throw(x.side, "Impulse Points", x.roll),),
    v.HitRolled: lambda state, x: (Throw(state.side[x.firer], "to hit", x.roll),),
    v.VehicleShot: lambda state, x: (Throw(state.side[x.firers[0]], "attack", x.roll),),
    v.VehicleStruck: lambda state, x: (Throw(x.side, "melee", x.roll),),
    v.AbandonRolled: lambda state, x: (Throw(state.side[x.unit], "gut check", x.roll),),
    v.CrewRolled: lambda state, x: (Throw(state.side[x.unit], "crew gets out", x.roll),),
    v.BogRolled: lambda state, x: (Throw(state.side[x.unit], "bogging down", x.roll),),
    v.FreeingRolled: lambda state, x: (Throw(state.side[x.unit], "getting free", x.roll),),
    v.DuelOpened: lambda state, x: _initiative(state, x, "duel"),
    f.Blasted: _blasted,
    f.CoverSought: lambda state, x: (Throw(state.side[x.unit], "cover", x.roll),),
    s.AccuracyRolled: lambda state, x: (Throw(x.side, "accuracy", x.roll),),
    s.PilotRolled: lambda state, x: (Throw(x.side, "pilot", x.roll),),
    air.CrashRolled: lambda state, x: (Throw(x.side, "glider landing", x.roll),),
    s.ObstacleShelled: lambda state, x: (Throw(x.side, "clearing an obstacle", x.roll),),
}

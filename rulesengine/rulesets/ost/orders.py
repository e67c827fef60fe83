"""Which chapter answers which order: why it may not be given, and how it is carried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Action, Battle, Refusal
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import (
    air,
    airborne,
    artillery,
    assault,
    command,
    driving,
    duel,
    exits,
    fieldwork,
    going,
    guns,
    heavy,
    hex_fire,
    landing_fire,
    loose_weapons,
    luck,
    melee_phase,
    morale,
    movement,
    rolling,
    setup,
    targeting,
    transport,
    vehicle_fire,
    volley,
)
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.state import NONE, State, View

COUNTERS = ("unit", "spotter", "firer", "target", "weapon", "leader", "kept", "gone", "vehicle")
OPTIONAL = ("partner", "partner_weapon", "second", "weapon", "target", "mg", "gun")
"""Fields that hold counters; those may be NONE where the action allows it."""


def refuse_unknown(state: State, action: Action) -> Refusal | None:
    """Counters and hexes that do not exist, whoever sent them."""
    count = len(state.kind)
    on_map = state.ground.grid.on_map
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if name in COUNTERS or name in OPTIONAL:
            known = 0 <= value < count or (value == NONE and name in OPTIONAL)
            if not known or (value == NONE and isinstance(action, _NEEDS.get(name, ()))):
                return Refusal("There is no such counter.", "5.0.p3")
        elif name in ("hex", "other", "to", "path") or (
            name == "streets" and not isinstance(action, a.Deploy)
        ):
            hexes = value if isinstance(value, tuple) else (value,)
            if not all(on_map(h) for h in hexes):
                return Refusal("There is no such hex.", "1.1.p1")
            if not state.ground.outside.isdisjoint(hexes):
                return Refusal("That hex is not in play.", "3.1.2")
        elif isinstance(action, a.Deploy):
            pairs = [pair if isinstance(pair, tuple) else (pair, 0) for pair in value]
            for one, two in pairs:
                other = name in ("attached", "carried", "aboard")
                if not 0 <= one < count or (other and not 0 <= two < count):
                    return Refusal("There is no such counter.", "5.0.p3")
                if name in ("places", "aircraft") and not on_map(two):
                    return Refusal("There is no such hex.", "1.1.p1")
    return None


_NEEDS: dict[str, tuple[type[Action], ...]] = {
    "weapon": (a.PickUp, a.Transfer, a.HexFire, a.Scrap),
    "target": (a.Fire, a.DuelTarget),
}
"""Where an otherwise optional counter has to be named."""


REFUSE: dict[type[Action], Callable[[View, Any], Refusal | None]] = {
    a.Deploy: airborne.refuse_deploy,
    a.FireAtLanding: landing_fire.refuse,
    a.Land: airborne.refuse_land,
    a.PlayCard: luck.refuse,
    a.KeepCard: lambda view, x: None,
    **dict.fromkeys((a.Attach, a.Detach, a.Merge, a.Transfer, a.EndReform), setup.refuse_reform),
    a.Fire: lambda view, x: targeting.refuse_fire(view, x, in_the_move(view.state)),
    a.VehicleFire: lambda view, x: vehicle_fire.refuse_vehicle_fire(
        view, x, in_the_move(view.state)
    ),
    a.HexFire: lambda view, x: hex_fire.refuse(view, x, in_the_move(view.state)),
    a.HoldFire: lambda view, x: None,
    a.Drive: driving.refuse_drive,
    a.LeaveGun: guns.refuse_leave,
    a.Move: movement.refuse_move,
    a.AssaultMove: assault.refuse_assault,
    a.Pivot: movement.refuse_pivot,
    a.Rally: morale.refuse_rally,
    a.PickUp: loose_weapons.refuse_pick_up,
    a.Scrap: loose_weapons.refuse_scrap,
    a.Demolish: heavy.refuse_demolish,
    a.SeekCover: fieldwork.refuse_cover,
    a.LaySmoke: fieldwork.refuse_smoke,
    a.Clear: fieldwork.refuse_clear,
    a.BlowUp: fieldwork.refuse_blow_up,
    a.CallArtillery: artillery.refuse_call,
    a.AirStrike: air.refuse_air_strike,
    a.Load: transport.refuse_load,
    a.Unload: transport.refuse_unload,
    a.RollingCover: rolling.refuse_rolling,
    a.LeaveCover: transport.refuse_leave_cover,
    a.Exit: exits.refuse_exit,
    **dict.fromkeys((a.Pass, a.DropPoint), command.refuse_pass),
    **dict.fromkeys((a.Evade, a.Stand, a.Concentrate, a.Retreat), melee_phase.refuse_in_melee),
    a.DuelTarget: duel.refuse_target,
}
"""Why a side may not do it, from what it knows."""

CARRY_OUT: dict[type[Action], Callable[[Battle[State], Any], object]] = {
    a.Fire: lambda battle, x: volley.resolve(battle, x, reaction=False),
    a.VehicleFire: lambda battle, x: vehicle_fire.resolve(battle, x, reaction=False),
    a.HexFire: lambda battle, x: hex_fire.resolve(battle, x, reaction=False),
    a.Drive: driving.start,
    a.LeaveGun: guns.leave,
    a.Move: going.start,
    a.AssaultMove: assault.start,
    a.Pivot: going.pivot,
    a.Rally: lambda battle, x: morale.rally(battle, x.unit, free=False),
    a.PickUp: loose_weapons.pick_up,
    a.Scrap: loose_weapons.scrap,
    a.Demolish: heavy.demolish,
    a.SeekCover: fieldwork.seek_cover,
    a.LaySmoke: fieldwork.lay_smoke,
    a.Clear: fieldwork.clear,
    a.BlowUp: fieldwork.blow_up,
    a.CallArtillery: artillery.call,
    a.AirStrike: air.call,
    a.Load: transport.start_load,
    a.Unload: transport.start_unload,
    a.RollingCover: rolling.start,
    a.LeaveCover: transport.leave_cover,
    a.Exit: exits.start,
    a.PlayCard: luck.play,
    **dict.fromkeys((a.Pass, a.DropPoint), command.pass_by),
}
"""How it is done in one's own impulse."""

FREE = frozenset({a.LeaveGun, a.PickUp, a.Scrap, a.LeaveCover, a.PlayCard})
"""What takes no impulse: the side goes on."""

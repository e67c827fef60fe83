"""What each event about vehicles and guns does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.counters import change, place, remove, touch
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.state import (
    DUEL,
    FIGHTING,
    MOVING,
    NONE,
    STUCK,
    State,
)
from rulesengine.rulesets.ost.works import settle


def _fire_declared(state: State, event: v.VehicleFireDeclared) -> None:
    c = event.firer
    state.fired[c] += 1
    state.spent_statistic[c] += 1
    if event.target != NONE:
        state.main_fired[c] += 1
    if event.reaction:
        state.frames[-1].owed = False
    touch(state, c)


def _hit_rolled(state: State, event: v.HitRolled) -> None:
    state.acquired.add((event.firer, event.target))


def _damage(state: State, event: v.DamageRolled) -> None:
    state.damage[event.unit] |= event.adds
    touch(state, event.unit)


def _wrecked(state: State, event: v.Wrecked) -> None:
    c = event.unit
    h = state.hex[c]
    state.loss_points[state.side[c]] += event.points
    state.wrecks[h] = state.wrecks.get(h, 0) + 1
    state.lost_to[c] = event.why
    for frame in state.frames:
        if frame.kind == FIGHTING and c in frame.queue:
            frame.queue.remove(c)
    state.acquired = {pair for pair in state.acquired if c not in pair}
    state.bogged[c] = False
    if event.becomes == NONE:
        remove(state, c)
    else:
        change(state, c, event.becomes)
    settle(state, (h,))


def _leader_lost(state: State, event: v.ArmorLeaderLost) -> None:
    state.loss_points[state.side[event.leader]] += event.points
    remove(state, event.leader)


def _unnerved(state: State, event: v.CrewUnnerved) -> None:
    state.morale[event.unit] = event.now
    touch(state, event.unit)


def _lost_sight(state: State, event: v.AcquisitionLost) -> None:
    state.acquired.discard((event.firer, event.target))
    touch(state, event.firer)


def _drive(state: State, event: v.DriveDeclared) -> None:
    frame = Frame(MOVING, state.side[event.unit])
    frame.units, frame.path, frame.facings = (event.unit,), event.path, event.facings
    state.frames.append(frame)
    state.moved[event.unit] = True
    if event.enters:
        state.facing[event.unit] = event.facings[0]
    touch(state, event.unit)


def _drove(state: State, event: v.Drove) -> None:
    c = event.unit
    place(state, c, event.hex)
    if state.leader[c] != NONE:
        place(state, state.leader[c], event.hex)
    state.frames[-1].at += 1


def _turned(state: State, event: v.Turned) -> None:
    state.facing[event.unit] = event.facing
    state.frames[-1].at += bool(event.halves)
    touch(state, event.unit)


def _bog(state: State, event: v.BogRolled) -> None:
    state.bogged[event.unit] = event.bogged
    touch(state, event.unit)


def _freeing(state: State, event: v.FreeingRolled) -> None:
    c = event.unit
    if event.freed or event.stuck:
        state.bogged[c] = False
    if event.stuck:
        state.damage[c] |= STUCK
    touch(state, c)


def _expended(state: State, event: v.Expended) -> None:
    weapon = event.weapon
    holder = state.holder[weapon]
    if holder != NONE:
        state.weapon[holder], state.holder[weapon] = NONE, NONE
        touch(state, holder)
    state.spent_statistic[weapon] += 1
    remove(state, weapon)


def _gun_left(state: State, event: v.GunLeft) -> None:
    manned = [c for c, (gun, _) in state.manning.items() if gun == event.gun]
    if manned:
        state.facing[event.gun] = state.facing[manned[-1]]
    if event.remains:
        state.unmanned[event.gun] = event.hex


def _gun_claimed(state: State, event: v.GunClaimed) -> None:
    state.frames[-1].gun, state.frames[-1].scrap = event.gun, event.scrap


def _gun_manned(state: State, event: v.GunManned) -> None:
    c, gun = event.unit, event.gun
    state.manning[c] = (gun, state.kind[c])
    state.facing[c] = state.facing[gun]
    state.captured[c] = event.captured
    state.displaced[c] = False
    if state.assaulted[c] and not state.moved[c]:  # its fire is moving fire, however it came, 8.0.5
        state.moved[c], state.assaulted[c] = True, False
    state.rolling.pop(c, None)  # a squad walks beside a vehicle, not a gun, 23.2
    del state.unmanned[gun]
    change(state, c, state.kind[gun])


def _gun_destroyed(state: State, event: v.GunDestroyed) -> None:
    del state.unmanned[event.gun]


def _gun_abandoned(state: State, event: v.GunAbandoned) -> None:
    c = event.unit
    gun, kind = state.manning.pop(c)
    state.captured[c] = False
    state.facing[gun] = state.facing[c]
    if not event.destroyed:
        state.unmanned[gun] = state.hex[c]
    change(state, c, kind)


def _duel_opened(state: State, event: v.DuelOpened) -> None:
    frame = state.frames[-1]
    frame.stage = DUEL
    frame.duel = True
    frame.shots = list(event.shots)


def _duel_shot(state: State, event: v.DuelShotLost | v.DuelShotTaken) -> None:
    state.frames[-1].shots.pop(0)


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    v.VehicleFireDeclared: _fire_declared,
    v.HitRolled: _hit_rolled,
    v.VehicleShot: _nothing,
    v.DamageRolled: _damage,
    v.AbandonRolled: _nothing,
    v.CrewRolled: _nothing,
    v.Wrecked: _wrecked,
    v.ArmorLeaderLost: _leader_lost,
    v.CrewUnnerved: _unnerved,
    v.AcquisitionLost: _lost_sight,
    v.DriveDeclared: _drive,
    v.Drove: _drove,
    v.Turned: _turned,
    v.BogRolled: _bog,
    v.FreeingRolled: _freeing,
    v.Expended: _expended,
    v.BlownBack: _nothing,
    v.GunLeft: _gun_left,
    v.GunClaimed: _gun_claimed,
    v.GunManned: _gun_manned,
    v.GunDestroyed: _gun_destroyed,
    v.GunAbandoned: _gun_abandoned,
    v.VehicleStruck: _nothing,
    v.DuelOpened: _duel_opened,
    v.DuelShotLost: _duel_shot,
    v.DuelShotTaken: _duel_shot,
}

"""What is on offer with vehicles and guns: part of the menu."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.driving import points_of, refuse_drive, refuse_driver
from rulesengine.rulesets.ost.duel import targets_of
from rulesengine.rulesets.ost.guns import Onto, refuse_claim, refuse_leave
from rulesengine.rulesets.ost.kinds import DUAL, TRAITS
from rulesengine.rulesets.ost.state import OFF, View
from rulesengine.rulesets.ost.tracks import courses
from rulesengine.rulesets.ost.vehicle_fire import refuse_vehicle_fire
from rulesengine.rulesets.ost.vehicles import DRIVE, is_vehicle


def _mine(view: View) -> list[int]:
    state = view.state
    return [c for c in state.of_side[view.side] if state.hex[c] != OFF and is_vehicle(state, c)]


def orders(view: View) -> Iterator[Action]:
    """Fire and drives of vehicles, and guns left, in one's own impulse."""
    if view.state.armour:
        yield from fires(view, ())
        for unit in _mine(view):
            yield from drives(view, unit)
    for unit in sorted(view.state.manning):
        for destroy in (False, True):
            leave = a.LeaveGun(unit=unit, destroy=destroy)
            if refuse_leave(view, leave) is None:
                yield leave


def fires(view: View, moving: tuple[int, ...]) -> Iterator[Action]:
    """Each armament alone and, at the same or another target, both."""
    state = view.state
    if not state.armour:
        return
    targets = moving or tuple(view.enemies())
    for firer in _mine(view):
        guns = (False, True) if TRAITS[state.kind[firer]] & DUAL else (False,)
        mains = [
            a.VehicleFire(firer=firer, target=target, hull=hull)
            for target in targets
            for hull in guns
        ]
        mgs = [a.VehicleFire(firer=firer, mg=target) for target in targets]
        mains = [m for m in mains if refuse_vehicle_fire(view, m, moving) is None]
        mgs = [m for m in mgs if refuse_vehicle_fire(view, m, moving) is None]
        yield from mains
        yield from mgs
        for main in mains:
            for mg in mgs:
                both = msgspec.structs.replace(main, mg=mg.mg)
                if refuse_vehicle_fire(view, both, moving) is None:
                    yield both


def drives(view: View, unit: int) -> Iterator[Action]:
    """Everywhere it can go, with every facing there."""
    state = view.state
    if refuse_driver(view, unit) is not None:
        return
    here, facing = state.hex[unit], state.facing[unit]
    points = max(1, points_of(state, unit))
    for course in courses(state.ground, DRIVE[state.kind[unit]], here, facing, points).values():
        drive = a.Drive(unit=unit, path=course.path, facings=course.facings)
        if refuse_drive(view, drive) is None:
            yield drive
            yield from (
                msgspec.structs.replace(drive, gun=gun)
                for gun, h in state.unmanned.items()
                if course.path and h == course.path[-1] != here
            )


def claims(view: View, order: Onto, end: int) -> Iterator[Action]:
    """The same order, which may be done, to man or destroy a gun where it ends."""
    for gun, h in view.state.unmanned.items():
        if h == end:
            for scrap in (False, True):
                claim = msgspec.structs.replace(order, gun=gun, scrap=scrap)
                if refuse_claim(view, claim, end) is None:
                    yield claim


def duel_targets(view: View) -> Iterator[Action]:
    yield from (a.DuelTarget(target=c) for c in targets_of(view.state))

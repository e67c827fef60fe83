"""What is on offer with riders, rolling cover and ways off the map: part of the menu."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice

import msgspec

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.armour_menu import claims, drives
from rulesengine.rulesets.ost.carriage import freight_of
from rulesengine.rulesets.ost.driving import points_of, refuse_drive, refuse_driver
from rulesengine.rulesets.ost.endings import ways_out
from rulesengine.rulesets.ost.exits import refuse_exit
from rulesengine.rulesets.ost.kinds import ARC, CATEGORY, SQUAD, TRAITS, WEAPON
from rulesengine.rulesets.ost.movement import allowance, refuse_mover
from rulesengine.rulesets.ost.rolling import points_of as points_of_both
from rulesengine.rulesets.ost.rolling import refuse_rolling
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.state import NONE, OFF, View
from rulesengine.rulesets.ost.streets import variants
from rulesengine.rulesets.ost.tracks import AHEAD, courses
from rulesengine.rulesets.ost.transport import refuse_leave_cover, refuse_load, refuse_unload
from rulesengine.rulesets.ost.vehicles import DRIVE, is_armored, is_vehicle

COURSES = 12
"""Drives on which support weapons are taken on or put down, of each vehicle."""


def orders(view: View) -> Iterator[Action]:
    """All of it, in one's own impulse."""
    state = view.state
    mine = [c for c in state.of_side[view.side] if state.hex[c] != OFF]
    if state.armour:
        vehicles = [c for c in mine if is_vehicle(state, c)]
        for unit in mine:
            yield from _unloadings(view, unit)
            yield from _loadings(view, unit, vehicles)
            yield from _rolling(view, unit, vehicles)
        for vehicle in vehicles:
            yield from _fetching(view, vehicle)
    if terms_of(state, view.side).exits:
        area = ways_out(state, view.side)
        for unit in mine:
            yield from _exits(view, unit, area)


def _loadings(view: View, unit: int, vehicles: list[int]) -> Iterator[Action]:
    state = view.state
    if is_vehicle(state, unit) or unit in state.riding or state.moved[unit]:
        return
    here = state.hex[unit]
    ways = state.ground.reach(here, max(1, allowance(state, unit)))
    for vehicle in vehicles:
        there = state.hex[vehicle]
        path = () if there == here else ways.get(there)
        if path is not None:
            for streets in variants(state.ground, path):
                load = a.Load(unit=unit, vehicle=vehicle, path=path, streets=streets)
                if refuse_load(view, load) is None:
                    yield load


def _unloadings(view: View, unit: int) -> Iterator[Action]:
    state = view.state
    if unit not in state.riding:
        return
    facings = range(6) if TRAITS[state.kind[unit]] & ARC else (0,)
    for facing in facings:
        for streets in variants(state.ground, (state.hex[unit],)):
            unload = a.Unload(unit=unit, facing=facing, streets=streets)
            if refuse_unload(view, unload) is None:
                yield unload
                yield from claims(view, unload, state.hex[unit])
    for path in state.ground.reach(state.hex[unit], max(1, allowance(state, unit))).values():
        for streets in variants(state.ground, (state.hex[unit], *path)):
            unload = a.Unload(unit=unit, path=path, streets=streets)
            if refuse_unload(view, unload) is None:
                yield unload
                yield from claims(view, unload, path[-1])


def _rolling(view: View, unit: int, vehicles: list[int]) -> Iterator[Action]:
    state = view.state
    if refuse_leave_cover(view, a.LeaveCover(unit=unit)) is None:
        yield a.LeaveCover(unit=unit)
    if CATEGORY[state.kind[unit]] != SQUAD or refuse_mover(view, unit, stealth=False):
        return
    here = state.hex[unit]
    for vehicle in vehicles:
        if state.hex[vehicle] != here or not is_armored(state, vehicle):
            continue
        points = max(1, points_of_both(state, unit, vehicle))
        for path in state.ground.reach(here, points).values():
            for turn in AHEAD:
                facing = (state.facing[vehicle] + turn) % 6
                order = a.RollingCover(
                    unit=unit, vehicle=vehicle, path=path, facings=(facing,) * len(path)
                )
                if refuse_rolling(view, order) is None:
                    yield order
                    yield from claims(view, order, path[-1])


def _fetching(view: View, vehicle: int) -> Iterator[Action]:
    """Drives on which it takes a weapon on where it is, or puts one down where it arrives."""
    state = view.state
    if state.moved[vehicle]:
        return
    here = state.hex[vehicle]
    loose = [
        w
        for w, kind in enumerate(state.kind)
        if CATEGORY[kind] == WEAPON
        and state.holder[w] == NONE
        and state.hex[w] == here
        and w not in state.freight
    ]
    aboard = freight_of(state, vehicle)
    if not loose and not aboard:
        return
    for drive in islice(drives(view, vehicle), COURSES):
        assert isinstance(drive, a.Drive)
        end = len(drive.path)
        stops: list[tuple[tuple[int, int], ...]] = [((0, w),) for w in loose]
        stops += [((end, w),) for w in aboard]
        stops += [((0, w), (end, w)) for w in loose]
        for weapons in stops:
            order = msgspec.structs.replace(drive, weapons=weapons)
            if refuse_drive(view, order) is None:
                yield order


def _exits(view: View, unit: int, area: Container[int]) -> Iterator[Action]:
    """From where it is, and by one way to each hex of the edge."""
    state = view.state
    if state.hex[unit] in area and refuse_exit(view, a.Exit(unit=unit)) is None:
        yield a.Exit(unit=unit)
    if is_vehicle(state, unit):
        here, facing = state.hex[unit], state.facing[unit]
        points = max(1, points_of(state, unit))
        ways = courses(state.ground, DRIVE[state.kind[unit]], here, facing, points)
        ends = {h: course for (h, _), course in ways.items() if h in area and h != here}
        for course in ends.values() if refuse_driver(view, unit) is None else ():
            order = a.Exit(unit=unit, path=course.path, facings=course.facings)
            if refuse_exit(view, order) is None:
                yield order
    elif refuse_mover(view, unit, stealth=False) is None:
        points = max(1, allowance(state, unit))
        for h, path in state.ground.reach(state.hex[unit], points).items():
            if h not in area:
                continue
            for streets in variants(state.ground, path):
                order = a.Exit(unit=unit, path=path, streets=streets)
                if refuse_exit(view, order) is None:
                    yield order

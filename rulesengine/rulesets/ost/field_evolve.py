"""What each event about the field does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import goal_events as g
from rulesengine.rulesets.ost import heavy_events as hv
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.altered import RUBBLE
from rulesengine.rulesets.ost.counters import change, remove, touch
from rulesengine.rulesets.ost.kinds import CATEGORY, VEHICLE
from rulesengine.rulesets.ost.state import IMMOBILE, NONE, State
from rulesengine.rulesets.ost.works import FRESH, OLD, settle


def _found(state: State, event: f.MinesFound) -> None:
    owner, _ = state.mined[event.hex]
    state.mined[event.hex] = (owner, True)
    settle(state, (event.hex,))


def _placed(state: State, event: f.WorkPlaced) -> None:
    state.works[event.hex] = event.marker
    state.covers[event.hex] = state.side[event.by]
    settle(state, (event.hex,))


def _removed(state: State, event: f.WorkRemoved) -> None:
    del state.works[event.hex]
    state.mined.pop(event.hex, None)
    state.pillboxes.pop(event.hex, None)
    state.covers.pop(event.hex, None)
    settle(state, (event.hex,))


def _smoke(state: State, event: f.SmokeLaid) -> None:
    for h, age in zip(event.hexes, event.ages, strict=True):
        state.smoke[h] = min(age, state.smoke.get(h, OLD))
    settle(state, event.hexes)


def _aged(state: State, event: f.SmokeAged) -> None:
    for h in event.gone:
        del state.smoke[h]
    for h in event.thin:
        state.smoke[h] = OLD
    settle(state, (*event.gone, *event.thin))


def _collapse(state: State, event: f.CollapseRolled) -> None:
    if event.falls and not event.bunker:
        state.works[event.hex] = RUBBLE
        state.mined.pop(event.hex, None)
        state.covers.pop(event.hex, None)
        settle(state, (event.hex,))


def _buried(state: State, event: f.WeaponBuried | f.WeaponScrapped) -> None:
    weapon = event.weapon
    holder = state.holder[weapon]
    if holder != NONE:
        state.weapon[holder], state.holder[weapon] = NONE, NONE
        touch(state, holder)
    buried = isinstance(event, f.WeaponBuried)
    state.lost_to[weapon] = "lost in a collapse" if buried else "destroyed"
    state.unmanned.pop(weapon, None)
    remove(state, weapon)


def _crew_left(state: State, event: f.CrewLeft) -> None:
    c = event.unit
    state.loss_points[state.side[c]] += event.points
    state.manning.pop(c, None)
    state.captured[c] = False
    state.steps[c] = 1
    change(state, c, event.becomes)


def _busy(state: State, event: f.SmokePlaced | f.BlownUp) -> None:
    state.fired[event.unit] += 1
    touch(state, event.unit)


def _clearing(state: State, event: f.ClearingBegun) -> None:
    state.fired[event.unit] += 1
    state.clearing[event.unit] = (event.at, event.hex)
    touch(state, event.unit)


def _mine_damage(state: State, event: f.MineDamage) -> None:
    state.damage[event.unit] |= IMMOBILE
    touch(state, event.unit)


def _called(state: State, event: s.ArtilleryCalled) -> None:
    state.missions[state.side[event.spotter]][event.battery] -= 1


def _hex_fire(state: State, event: s.HexFireDeclared) -> None:
    state.fired[event.unit] += 1
    state.spent_statistic[event.unit] += 1
    state.firer_of[event.weapon] = event.unit
    if event.reaction:
        state.frames[-1].owed = False
    touch(state, event.unit)


def _fell(state: State, event: s.StrikeFell) -> None:
    state.strikes.append((event.hex, event.firepower, event.side))


def _flown(state: State, event: s.AirStrikeCalled) -> None:
    if event.card is not True:
        state.sorties[event.side] -= 1


def _fired_at_building(state: State, event: hv.BuildingFiredAt) -> None:
    c = event.firer
    state.fired[c] += 1
    state.spent_statistic[c] += 1
    if CATEGORY[state.kind[c]] == VEHICLE:
        state.main_fired[c] += 1
    touch(state, c)


def _battery(state: State, event: g.BatteryRolled) -> None:
    change = state.silent.discard if event.ready else state.silent.add
    change((event.side, event.battery))


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


assert FRESH < OLD

APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    f.Blasted: _nothing,
    f.WorksLaid: _nothing,
    f.MinesFound: _found,
    f.WorkPlaced: _placed,
    f.WorkRemoved: _removed,
    f.SmokeLaid: _smoke,
    f.SmokeAged: _aged,
    f.CollapseRolled: _collapse,
    f.WeaponBuried: _buried,
    f.CrewLeft: _crew_left,
    f.CoverSought: _nothing,
    f.SmokePlaced: _busy,
    f.ClearingBegun: _clearing,
    f.BlownUp: _busy,
    f.MineDamage: _mine_damage,
    s.ArtilleryCalled: _called,
    s.AccuracyRolled: _nothing,
    s.Drifted: _nothing,
    s.StrikeFell: _fell,
    s.ObstacleShelled: _nothing,
    s.AirStrikeCalled: _flown,
    s.PilotRolled: _nothing,
    s.HexFireDeclared: _hex_fire,
    s.MortarDrifted: _nothing,
    f.WeaponScrapped: _buried,
    hv.BuildingFiredAt: _fired_at_building,
    hv.HeavyRoundStruck: _nothing,
    g.GoalMet: _nothing,
    g.BatteryRolled: _battery,
}

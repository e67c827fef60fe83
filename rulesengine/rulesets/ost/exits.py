"""Leaving the map (OST 23.6.4, 23.6.5): over the hexes the scenario names, for a movement point."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import driving, going
from rulesengine.rulesets.ost.driving import refuse_drive, refuse_driver
from rulesengine.rulesets.ost.endings import way_out
from rulesengine.rulesets.ost.events import MoveDeclared, PointsSpent, Revealed
from rulesengine.rulesets.ost.mobile import set_out
from rulesengine.rulesets.ost.movement import allowance, path_cost, refuse_mover, refuse_path
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.state import OFF, State, View
from rulesengine.rulesets.ost.streets import choose
from rulesengine.rulesets.ost.transport_events import ExitDeclared
from rulesengine.rulesets.ost.vehicle_events import DriveDeclared
from rulesengine.rulesets.ost.vehicles import is_vehicle

OVER_THE_EDGE = 1
"""Movement points. OST 23.6.4."""


def refuse_exit(view: View, action: a.Exit) -> Refusal | None:
    """OST 23.6.4, 23.6.5."""
    state, unit = view.state, action.unit
    if not terms_of(state, view.side).exits:
        return Refusal("The scenario lets no unit of the side leave the map.", "23.6.5")
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "23.6.2")
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "23.0.p1")
    end = action.path[-1] if action.path else state.hex[unit]
    if way_out(state, view.side, end) is None:
        return Refusal("The scenario lets nobody leave the map there.", "23.6.5")
    if is_vehicle(state, unit):
        if not action.path:
            return refuse_driver(view, unit)
        drive = a.Drive(unit=unit, path=action.path, facings=action.facings)
        return refuse_drive(view, drive, leaves=2 * OVER_THE_EDGE)
    refusal = refuse_mover(view, unit, stealth=False)
    if refusal or not action.path:
        return refusal
    cost = path_cost(state, state.hex[unit], action.path, action.streets) + OVER_THE_EDGE
    points = allowance(state, unit)
    if cost > points:
        return Refusal(f"Leaving takes {cost} movement points of {points}.", "23.6.4")
    move = a.Move(unit=unit, path=action.path, streets=action.streets)
    return refuse_path(view, (unit,), move, goes_on=True)


def start(battle: Battle[State], action: a.Exit) -> None:
    """Go to the edge, and off the map if nobody prevents it."""
    state, unit = battle.state, action.unit
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    if state.hidden[unit]:
        battle.emit(Revealed(units=(unit,), why="moved"))
    if is_vehicle(state, unit):
        battle.emit(DriveDeclared(unit=unit, path=action.path, facings=action.facings))
        battle.emit(ExitDeclared(unit=unit))
        driving.go_on(battle)
        return
    battle.emit(MoveDeclared(units=(unit,), path=action.path))
    set_out(battle, (unit,))
    choose(battle, (unit,), action.streets)
    battle.emit(ExitDeclared(unit=unit))
    going.go_on(battle)

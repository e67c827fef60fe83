"""What waits in a hex for whoever comes into it: mines, falling shells (OST 13.3, 33.4.9)."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.artillery import ran_into
from rulesengine.rulesets.ost.events import MoveStopped
from rulesengine.rulesets.ost.fieldwork import tidy
from rulesengine.rulesets.ost.mines import sprung
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.vehicles import is_vehicle
from rulesengine.rulesets.ost.works import flatten_wire


def fall_upon(battle: Battle[State], unit: int) -> None:
    """A unit has come into a hex out of a melee: what waits there does not ask why. OST 13.3.1,
    33.4.9, 13.6.5."""
    state = battle.state
    if is_vehicle(state, unit):
        flatten_wire(battle, unit)
    if state.mined or state.strikes:
        sprung(battle, (unit,))
        ran_into(battle, (unit,))


def come_upon(battle: Battle[State], units: tuple[int, ...]) -> None:
    """Units in mid-move have entered a hex; who suffers goes no farther. OST 23.0.9, 28.1. Cover
    that all have left is gone at once, 13.1.3."""
    if battle.state.covers:
        tidy(battle)
    if not (battle.state.mined or battle.state.strikes):
        return
    if sprung(battle, units):
        battle.emit(MoveStopped(units=units, why="mines"))
    if ran_into(battle, units):
        battle.emit(MoveStopped(units=units, why="shells"))

"""What waits in a hex for whoever comes into it: mines, falling shells (OST 13.3, 33.4.9)."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.artillery import ran_into
from rulesengine.rulesets.ost.events import MoveStopped
from rulesengine.rulesets.ost.mines import sprung
from rulesengine.rulesets.ost.state import State


def come_upon(battle: Battle[State], units: tuple[int, ...]) -> None:
    """Units in mid-move have entered a hex; who suffers goes no farther. OST 23.0.9, 28.1."""
    if not (battle.state.mined or battle.state.strikes):
        return
    if sprung(battle, units):
        battle.emit(MoveStopped(units=units, why="mines"))
    if ran_into(battle, units):
        battle.emit(MoveStopped(units=units, why="shells"))

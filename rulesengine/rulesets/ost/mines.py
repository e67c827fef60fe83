"""Mines (OST 13.3, 6.1.2): found by engineers, set off by others, passed by their owner.

Both kinds of move, on foot and driven, ask `sprung` after each hex entered.
"""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.field_events import MinesFound
from rulesengine.rulesets.ost.kinds import ENGINEER, TRAITS
from rulesengine.rulesets.ost.state import NONE, OFF, State
from rulesengine.rulesets.ost.tally import Tally

FIREPOWER = 5
"""OST 13.3.6, 13.3.7."""


def is_engineer(state: State, unit: int) -> bool:
    """OST 6.1."""
    return bool(TRAITS[state.kind[unit]] & ENGINEER)


def sprung(battle: Battle[State], units: tuple[int, ...]) -> bool:
    """What mines do to units that came into a hex. True if one of them has to stop. OST 23.0.9."""
    state = battle.state
    if not state.mined:
        return False
    h, side = state.hex[units[0]], state.side[units[0]]
    for unit in units:
        if is_engineer(state, unit):
            look_around(battle, unit)
    owner, found = state.mined.get(h, (side, True))
    victims = [c for c in units if not is_engineer(state, c)]
    if owner == side or not victims:
        return False
    if not found:
        battle.emit(MinesFound(hex=h, by=victims[0], engineers=False))
    suffered = [
        blast.strike(battle, c, Tally(FIREPOWER), "mines", again=found, by=owner) for c in victims
    ]
    return any(suffered) or any(state.hex[c] == OFF for c in units)


def look_around(battle: Battle[State], unit: int) -> None:
    """Engineers find mines of the enemy where they are and next to it. OST 6.1.2, 13.3.2."""
    state = battle.state
    here = state.hex[unit]
    for h in (here, *state.ground.grid.neighbours[here]):
        owner, found = state.mined.get(h, (NONE, True))
        if not found and owner != state.side[unit]:
            battle.emit(MinesFound(hex=h, by=unit, engineers=True))

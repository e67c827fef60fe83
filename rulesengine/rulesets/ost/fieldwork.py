"""What units do to the ground they hold (OST 6.1, 13.1, 13.4.9): cover, smoke, clearing, blowing
a bunker up.

Seeking cover is no limited action (22.0.8); the other three are firing actions.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import BlowUp, Clear, LaySmoke, SeekCover
from rulesengine.rulesets.ost.altered import RUBBLE, RUBBLE_TERRAIN
from rulesengine.rulesets.ost.blast import bury_weapons
from rulesengine.rulesets.ost.carriage import in_vehicle
from rulesengine.rulesets.ost.charts import MARKERS
from rulesengine.rulesets.ost.events import PointsSpent, Revealed
from rulesengine.rulesets.ost.field_events import (
    BlownUp,
    ClearingBegun,
    CoverSought,
    SmokeLaid,
    SmokePlaced,
    WorkPlaced,
    WorkRemoved,
)
from rulesengine.rulesets.ost.kinds import CATEGORY, WEAPON
from rulesengine.rulesets.ost.mines import is_engineer
from rulesengine.rulesets.ost.state import BROKEN, GOOD, NONE, OFF, State, View
from rulesengine.rulesets.ost.works import (
    BUNKER,
    COVER,
    FRESH,
    MINES,
    ROADBLOCK,
    WIRE,
    known_work,
    work_of,
)

FOUND = 5
"""Lowest 1D6 that finds cover. OST 13.1.1."""
CLEARED = {MINES: "6.1.3", WIRE: "13.6.6", ROADBLOCK: "13.7.4"}
"""What engineers take away."""


def refuse_cover(view: View, action: SeekCover) -> Refusal | None:
    """OST 13.1, 21.0.2, 27.7.3."""
    state, unit = view.state, action.unit
    refusal = _refuse_anything(view, unit)
    if refusal:
        return refusal
    if state.done[unit]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if state.hidden[unit]:
        return Refusal("A hidden unit does not better its position.", "21.0.2")
    h = state.hex[unit]
    owner, found = state.mined.get(h, (NONE, True))
    kind = known_work(state, h, view.side)
    if kind != NONE and (found or owner == view.side):
        name = MARKERS[kind].name
        rule = "13.0.p2" if kind in (COVER, MINES) else "13.1.4"
        rule = "13.8.6" if kind == RUBBLE else rule
        return Refusal(f"There is {name} in the hex already.", rule)
    return None


def seek_cover(battle: Battle[State], action: SeekCover) -> None:
    """One attempt. OST 13.1.1. Where mines lie unknown the cover goes to those who found it."""
    state, unit = battle.state, action.unit
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    roll = battle.dice.roll(6, 1)
    h = state.hex[unit]
    rubble = RUBBLE_TERRAIN in state.ground.terrain[h]
    battle.emit(CoverSought(unit=unit, roll=roll, needed=FOUND, rubble=rubble))
    if roll.total >= FOUND and h not in state.works:
        battle.emit(WorkPlaced(hex=h, marker=COVER, by=unit))


def refuse_smoke(view: View, action: LaySmoke) -> Refusal | None:
    """OST 6.1.1, 13.9.6."""
    state, unit = view.state, action.unit
    refusal = _refuse_engineer(view, unit)
    if refusal:
        return refusal
    if state.ground.grid.distance(state.hex[unit], action.hex) > 1:
        return Refusal("Engineers lay smoke where they are or next to it.", "6.1.1")
    if state.smoke.get(action.hex) == FRESH:
        return Refusal("There is fresh smoke already.", "13.9.6")
    return None


def lay_smoke(battle: Battle[State], action: LaySmoke) -> None:
    _begin(battle, action.unit)
    battle.emit(SmokePlaced(unit=action.unit, hex=action.hex))
    battle.emit(SmokeLaid(hexes=(action.hex,), ages=(FRESH,), by="engineers"))


def refuse_clear(view: View, action: Clear) -> Refusal | None:
    """OST 6.1.3, 13.3.3, 13.6.6, 13.7.4."""
    state, unit = view.state, action.unit
    refusal = _refuse_engineer(view, unit)
    if refusal:
        return refusal
    if state.morale[unit] != GOOD:
        return Refusal("It takes a good order unit to clear an obstacle.", "6.1.3")
    if state.ground.grid.distance(state.hex[unit], action.hex) > 1:
        return Refusal("Engineers clear where they are or next to it.", "6.1.3")
    owner, found = state.mined.get(action.hex, (NONE, True))
    kind = state.works.get(action.hex, NONE)
    if kind not in CLEARED or not (found or owner == view.side):
        return Refusal("There is nothing there that engineers clear.", "6.1.3")
    if unit in state.clearing:
        return Refusal("It is clearing an obstacle already.", "6.1.3")
    return None


def clear(battle: Battle[State], action: Clear) -> None:
    """Begin; who is still there and in good order at the turn's end has done it. OST 6.1.3."""
    state, unit = battle.state, action.unit
    _begin(battle, unit)
    battle.emit(ClearingBegun(unit=unit, at=state.hex[unit], hex=action.hex))


def finish_clearing(battle: Battle[State]) -> None:
    """At the turn's end. OST 6.1.3."""
    state = battle.state
    for unit, (at, h) in sorted(state.clearing.items()):
        kind = state.works.get(h, NONE)
        stayed = state.hex[unit] == at and state.morale[unit] == GOOD and at not in state.melees
        if stayed and kind in CLEARED:
            battle.emit(WorkRemoved(hex=h, marker=kind, why="engineers"))


def refuse_blow_up(view: View, action: BlowUp) -> Refusal | None:
    """OST 13.4.9."""
    state, unit = view.state, action.unit
    refusal = _refuse_firing(view, unit)
    if refusal:
        return refusal
    if work_of(state, unit) != BUNKER:
        return Refusal("There is no bunker here to blow up.", "13.4.9")
    if in_vehicle(state, unit):
        return Refusal("Only a unit in the bunker can blow it up.", "13.4.9")
    return None


def blow_up(battle: Battle[State], action: BlowUp) -> None:
    state, unit = battle.state, action.unit
    h = state.hex[unit]
    _begin(battle, unit)
    battle.emit(BlownUp(unit=unit))
    battle.emit(WorkRemoved(hex=h, marker=BUNKER, why="blown up"))
    bury_weapons(battle, h, crewed_only=True)


def tidy(battle: Battle[State]) -> None:
    """Cover nobody of its owner's is left in is taken off. OST 13.1.3."""
    state = battle.state
    for h, side in list(state.covers.items()):
        if not state.in_hex(h, side):
            battle.emit(WorkRemoved(hex=h, marker=COVER, why="left"))


def _begin(battle: Battle[State], unit: int) -> None:
    state = battle.state
    battle.emit(PointsSpent(side=state.side[unit], points=1))
    if state.hidden[unit]:
        battle.emit(Revealed(units=(unit,), why="fired"))


def _refuse_anything(view: View, unit: int) -> Refusal | None:
    state = view.state
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "27.4.1")
    if CATEGORY[state.kind[unit]] == WEAPON or state.attached[unit] != NONE:
        return Refusal("It acts with the unit it is with.", "7.3.7")
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "4.0.2")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if unit in state.riding:
        return Refusal("Who rides on a vehicle does nothing but ride.", "24.0.6")
    return None


def _refuse_firing(view: View, unit: int) -> Refusal | None:
    """Whether a unit has a firing action left. OST 22.0.1."""
    state = view.state
    refusal = _refuse_anything(view, unit)
    if refusal:
        return refusal
    if state.morale[unit] == BROKEN:
        return Refusal("A broken unit may not fire.", "17.3.2")
    if state.acts(unit) >= 2 or state.done[unit]:
        return Refusal("It has done its two actions this turn.", "22.0.4")
    return None


def _refuse_engineer(view: View, unit: int) -> Refusal | None:
    if not is_engineer(view.state, unit):
        return Refusal("Only engineers do that.", "6.1.p1")
    return _refuse_firing(view, unit)

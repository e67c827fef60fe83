"""Battlefield markers on the table (OST 13): who lies behind them, what they hide, what they stop.

A hex holds one marker (13.0.p2), wrecks and smoke apart. The state keeps, per hex, what they add
to Defense (`shelter`) and which of them dim a line of sight (`veils`); `settle` works both out
anew when something changed. What a marker costs to enter is in `altered.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from rulesengine.contract import Battle
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost.altered import ENCLOSED, RUBBLE, altered
from rulesengine.rulesets.ost.carriage import in_street, in_vehicle
from rulesengine.rulesets.ost.charts import MARKER_BY_KEY, MARKERS, TERRAIN_BY_KEY, Marker
from rulesengine.rulesets.ost.field_events import WorkRemoved, WorksLaid
from rulesengine.rulesets.ost.state import NONE, STUCK, State
from rulesengine.rulesets.ost.veils import LOW, TALL

RUINS = TERRAIN_BY_KEY["ruins"]
COVER = MARKER_BY_KEY["cover"]
FOXHOLES = MARKER_BY_KEY["foxholes"]
TRENCH = MARKER_BY_KEY["trench"]
MINES = MARKER_BY_KEY["mines"]
BUNKER = MARKER_BY_KEY["bunker"]
PILLBOX = MARKER_BY_KEY["pillbox"]
WIRE = MARKER_BY_KEY["wire"]
ROADBLOCK = MARKER_BY_KEY["roadblock"]
SMOKE = MARKERS[MARKER_BY_KEY["smoke"]]
WRECK = MARKERS[MARKER_BY_KEY["wreck"]]

CRAMPED = (BUNKER, PILLBOX)
"""What leaves no room for rockets and mortars. OST 10.1.3, 10.3.15."""

FRESH, OLD = 1, 2
"""Ages of smoke. OST 13.9.2."""


def aids(state: State, h: int, *, vehicle: bool) -> list[tuple[int, int]]:
    """(code, Defense) of each marker, wreck and smoke in a hex. OST 13.0.p1, 13.0.p3.

    Rubble is the terrain of its hex and counted there.
    """
    rows = []
    kind = state.works.get(h, NONE)
    if kind not in (NONE, RUBBLE):
        rows.append(MARKERS[kind])
    if h in state.wrecks:
        rows.append(WRECK)
    if h in state.smoke:
        rows.append(SMOKE)
    return aids_of(rows, vehicle=vehicle)


def aids_of(rows: Iterable[Marker], *, vehicle: bool) -> list[tuple[int, int]]:
    """(code, Defense) of each marker that adds to Defense or takes from it. OST 13.0.p3."""
    found = ((row.code, row.vehicle_defense if vehicle else row.defense) for row in rows)
    return [(code, amount) for code, amount in found if amount]


def is_walled(state: State, c: int) -> bool:
    """Whether a foot unit can be fired at with an anti-tank weapon's HE. OST 10.1.2."""
    h = state.hex[c]
    if bool(state.ground.structure[h]) and not in_street(state, c):
        return True
    return work_of(state, c) in CRAMPED and not in_vehicle(state, c)


def is_enclosed(state: State, c: int) -> bool:
    """Whether back-blast has nowhere to go: a building, but no ruin. OST 10.1.3, 16.5.6."""
    h = state.hex[c]
    if not state.ground.structure[h] or in_street(state, c):
        return False
    return RUINS not in state.ground.terrain[h]


def is_shut_in(state: State, c: int) -> bool:
    """Whether a mortar cannot be fired where a unit is: in a house, a bunker, a pillbox. OST
    10.3.15."""
    return is_enclosed(state, c) or work_of(state, c) in CRAMPED


def is_cramped(state: State, h: int) -> bool:
    """Whether a hex has a bunker or a pillbox. OST 10.1.3, 10.3.15."""
    return state.works.get(h) in CRAMPED


def known_work(state: State, h: int, side: int) -> int:
    """The marker of a hex as a side knows it, its own that lies hidden too, or NONE. OST 21.0.2."""
    owner, kind = state.unseen.get(h, (NONE, NONE))
    return state.works.get(h, kind if owner == side else NONE)


def work_of(state: State, c: int) -> int:
    """What a counter stands in as its own side knows it, or NONE: who hides is in what lies hidden
    with him, a friend who is seen is not. OST 21.0.2."""
    h = state.hex[c]
    return known_work(state, h, state.side[c]) if state.hidden[c] else state.works.get(h, NONE)


def leaving(state: State, c: int) -> int:
    """Points it takes a unit to come out of what nobody else knows of; out of what is seen, the
    ground has them. OST 13.4.5."""
    h = state.hex[c]
    if h not in state.unseen or h in state.works or in_vehicle(state, c):
        return 0
    return int(work_of(state, c) in ENCLOSED)


def dug_in(state: State, units: tuple[int, ...]) -> str:
    """What some of these are in, in words: a bunker, in which no vehicle is (13.4.2), or cover."""
    if any(state.works.get(state.hex[c]) == BUNKER and not in_vehicle(state, c) for c in units):
        return "in a bunker"
    return "in cover" if any(state.works.get(state.hex[c]) == COVER for c in units) else ""


def veil_of(state: State, h: int) -> int:
    """What dims a line through a hex beside its terrain: 0, LOW or TALL. OST 13.7.7, 13.9.5,
    13.9.7, 13.10.1."""
    if h in state.smoke:
        return TALL
    kind = state.works.get(h, NONE)
    dims = kind not in (NONE, RUBBLE) and MARKERS[kind].sight == "degrades"
    return LOW if dims or h in state.wrecks else 0


def settle(state: State, hexes: tuple[int, ...]) -> None:
    """Work out anew what stands in some hexes; every line of sight may be another (for
    `evolve.py` alone)."""
    for h in hexes:
        foot, hard = (sum(n for _, n in aids(state, h, vehicle=v)) for v in (False, True))
        if foot or hard:
            state.shelter[h] = (foot, hard)
        else:
            state.shelter.pop(h, None)
        veil = veil_of(state, h)
        if veil:
            state.veils[h] = veil
        else:
            state.veils.pop(h, None)
    state.dimmed.clear()
    state.ground = altered(state.ground, state.works)
    for stack in state.stacks.values():
        state.changes += stack


def flatten_wire(battle: Battle[State], unit: int) -> None:
    """A vehicle that is not bogged, nor stuck in it for good, leaves no wire standing in its hex,
    however it came there. OST 13.6.5, 23.5.7."""
    state = battle.state
    h, caught = state.hex[unit], state.bogged[unit] or state.damage[unit] & STUCK
    if state.works.get(h) == WIRE and not caught:
        battle.emit(WorkRemoved(hex=h, marker=WIRE, why="driven flat"))


def announce(battle: Battle[State]) -> None:
    """Say what works there are before anybody sets up. OST 13.2.p1, 13.3.p1."""
    state = battle.state
    for side, terms in enumerate(state.terms()):
        for work in terms.works:
            hexes = tuple(state.ground.grid.area(work.hexes))
            marker, hidden = MARKER_BY_KEY[work.kind], work.hidden or UNSET
            battle.emit(WorksLaid(side=side, marker=marker, hexes=hexes, hidden=hidden))


def tell_of_found(battle: Battle[State], unseen: dict[int, tuple[int, int]]) -> None:
    """Tell everybody of bunkers and cover that lay hidden until now and have nobody to be hidden
    with. OST 21.0.2."""
    for h, (side, marker) in unseen.items():
        if h not in battle.state.unseen:
            battle.emit(WorksLaid(side=side, marker=marker, hexes=(h,)))


def lay_out(state: State) -> None:
    """The works both sides have from the start. OST 13.2.p1, 13.3.p1, 21.0.2."""
    grid = state.ground.grid
    for side, terms in enumerate(state.terms()):
        for work in terms.works:
            kind = MARKER_BY_KEY[work.kind]
            for h in grid.area(work.hexes):
                if work.hidden:
                    state.unseen[h] = (side, kind)
                    continue
                state.works[h] = kind
                if kind == COVER:
                    state.covers[h] = side
                if kind == MINES:
                    state.mined[h] = (side, False)
                if kind == PILLBOX:
                    state.pillboxes[h] = DIRECTION_NAMES.index(work.facing)
    if state.works:
        settle(state, tuple(state.works))

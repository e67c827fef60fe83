"""What each event of a luck card does to the table; see `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import luck_events as x
from rulesengine.rulesets.ost.counters import touch
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.state import AFTER, AGAINST, CARD, GOOD, NONE, OFF, State


def _drawn(state: State, event: x.HandDealt) -> None:
    state.cards[event.side] += event.cards


def _offered(state: State, event: x.CardOffered) -> None:
    frame = Frame(CARD, event.side)
    frame.stage, frame.shot = AFTER, event.again
    state.frames.append(frame)


def _held(state: State, event: x.OrderHeld) -> None:
    frame = Frame(CARD, 1 - event.side)
    frame.stage, frame.order = AGAINST, event.order
    state.frames.append(frame)


def _pop(state: State, event: x.OrderResumed | x.CardKept) -> None:
    state.frames.pop()


def _played(state: State, event: x.CardPlayed) -> None:
    state.cards[event.side].remove(event.card)
    where = event.hexes[0] if event.hexes else OFF
    if where == OFF and event.target != NONE and not state.hidden[event.target]:
        where = state.hex[event.target]
    state.cards_shown.append((event.side, event.card, where))


def _impulses(state: State, event: x.ImpulsesChanged) -> None:
    state.impulses[event.side] += event.points


def _mended(state: State, event: x.MoraleMended) -> None:
    state.morale[event.unit] = GOOD
    touch(state, event.unit)


def _lifted(state: State, event: x.MarkersLifted) -> None:
    c = event.unit
    state.moved[c] = state.assaulted[c] = state.displaced[c] = False
    state.fired[c] = state.main_fired[c] = 0
    weapon = state.weapon[c]
    if weapon != NONE and state.firer_of[weapon] == c:
        state.firer_of[weapon] = NONE
    touch(state, c)


def _repaired(state: State, event: x.VehicleMended) -> None:
    if event.damage:
        state.damage[event.unit] &= ~event.damage
    else:
        state.bogged[event.unit] = False
    touch(state, event.unit)


def _mission(state: State, event: x.MissionGained) -> None:
    state.missions[event.side][event.battery] += 1


def _spoiled(state: State, event: x.OrderSpoiled) -> None:
    state.impulses[event.side] -= event.points
    state.first_play = False
    if event.mark == "mission":
        state.missions[event.side][event.battery] -= 1
    if event.mark == "air strike":
        state.sorties[event.side] -= 1
    for c in event.units:
        if event.mark == "moved":
            state.moved[c] = True
        elif event.mark == "assaulted":
            state.assaulted[c] = True
        elif event.mark == "fired":
            state.fired[c] += 1
        touch(state, c)


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    x.FoundNoVehicleCards: _nothing,
    x.CardsDrawn: _nothing,
    x.HandDealt: _drawn,
    x.CardOffered: _offered,
    x.OrderHeld: _held,
    x.OrderResumed: _pop,
    x.CardKept: _pop,
    x.CardPlayed: _played,
    x.ImpulsesChanged: _impulses,
    x.MoraleMended: _mended,
    x.MarkersLifted: _lifted,
    x.VehicleMended: _repaired,
    x.MissionGained: _mission,
    x.OrderSpoiled: _spoiled,
}

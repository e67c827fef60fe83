"""Luck cards against what the enemy has just begun (OST 3.3.3): what each does to his order.

`why_not` says why a card is of no use against an order, `play` gives back what is left of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from rulesengine.contract import Action, Battle
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.events import Revealed, ShakenByOwnFire
from rulesengine.rulesets.ost.fire import firers_of
from rulesengine.rulesets.ost.kinds import CATEGORY, VEHICLE
from rulesengine.rulesets.ost.luck_events import OrderSpoiled
from rulesengine.rulesets.ost.state import NONE, OFF, State
from rulesengine.rulesets.ost.tally import Tally

TRIP_WIRE = 3
"""Firepower."""


class Against(NamedTuple):
    """A card: why it is of no use against an order, and what it leaves of it."""

    why_not: Callable[[State, int, Action], str]
    play: Callable[[Battle[State], Action], Action | None]


def _only(kinds: tuple[type[Action], ...], words: str) -> Callable[[State, int, Action], str]:
    return lambda state, side, order: "" if isinstance(order, kinds) else words


OnFoot = a.Move | a.AssaultMove | a.Load | a.Unload | a.RollingCover | a.Exit
"""Orders that let somebody go on foot: getting on and off are moves, 24.0.5, and so is a squad
behind its vehicle, 23.2."""


def _movers(order: Action) -> tuple[int, ...]:
    """Who moves by an order, the one on foot first where a vehicle goes along."""
    if isinstance(order, a.RollingCover):
        return (order.unit, order.vehicle)
    assert isinstance(order, OnFoot)
    partner = getattr(order, "partner", NONE)
    return (order.unit,) if partner == NONE else (order.unit, partner)


def _fires(state: State, side: int, order: Action) -> str:
    """Mortars and charges of squads, and guns at buildings, as well; not the tanks."""
    fires = isinstance(order, a.Fire | a.HexFire) or (
        isinstance(order, a.Demolish) and CATEGORY[state.kind[order.unit]] != VEHICLE
    )
    return "" if fires else "No unit on foot and no gun is firing."


def _jam(battle: Battle[State], order: Action) -> None:
    assert isinstance(order, a.Fire | a.HexFire | a.Demolish)
    firers = firers_of(order) if isinstance(order, a.Fire) else (order.unit,)
    side, intensive = battle.state.side[firers[0]], battle.state.acts(firers[0]) >= 2
    battle.emit(OrderSpoiled(side=side, units=firers, points=len(firers), mark="fired"))
    if intensive:  # it counts as fired, and that was the last time (27.7)
        battle.emit(ShakenByOwnFire(unit=firers[0]))


def _drives(state: State, side: int, order: Action) -> str:
    """By itself, off the map, or with a squad in its cover. OST 23.2, 23.4, 23.6.4."""
    leaves = isinstance(order, a.Exit) and CATEGORY[state.kind[order.unit]] == VEHICLE
    drives = leaves or isinstance(order, a.Drive | a.RollingCover)
    return "" if drives else "No vehicle is driving."


def _stall(battle: Battle[State], order: Action) -> None:
    """The squad of a rolling cover stays with its vehicle."""
    assert isinstance(order, a.Drive | a.RollingCover | a.Exit)
    units = (order.unit,) if isinstance(order, a.Drive) else _movers(order)
    side = battle.state.side[order.unit]
    battle.emit(OrderSpoiled(side=side, units=units, points=len(units), mark="moved"))


def _goes_far(state: State, side: int, order: Action) -> str:
    """More than a hex; leaving the map comes after the last one of its way. OST 23.6.4."""
    far = False
    if isinstance(order, a.Move | a.Load | a.Unload | a.RollingCover):
        far = len(order.path) > 1
    elif isinstance(order, a.Exit):
        far = bool(order.path) and CATEGORY[state.kind[order.unit]] != VEHICLE
    return "" if far else "The enemy is not moving on foot, or no farther than a hex."


def _shorten(battle: Battle[State], order: Action) -> Action:
    """The first hex of the way, and nothing of what was to be done at its end."""
    if isinstance(order, a.Load | a.Exit):
        return a.Move(unit=order.unit, path=order.path[:1], streets=order.streets)
    if isinstance(order, a.RollingCover):
        short = msgspec.structs.replace(order, path=order.path[:1], facings=order.facings[:1])
        return msgspec.structs.replace(short, gun=NONE, scrap=False)
    assert isinstance(order, a.Move | a.Unload)
    return msgspec.structs.replace(order, path=order.path[:1], gun=NONE, scrap=False)


def _misplace(battle: Battle[State], order: Action) -> None:
    assert isinstance(order, a.CallArtillery)
    side, battery = battle.state.side[order.spotter], order.battery
    battle.emit(OrderSpoiled(side=side, units=(), points=1, mark="mission", battery=battery))


def _turn_back(battle: Battle[State], order: Action) -> None:
    assert isinstance(order, a.AirStrike)
    side = battle.state.side[order.spotter]
    battle.emit(OrderSpoiled(side=side, units=(), points=1, mark="air strike"))


def _drown(battle: Battle[State], order: Action) -> None:
    assert isinstance(order, a.Rally)
    side = battle.state.side[order.unit]
    battle.emit(OrderSpoiled(side=side, units=(order.unit,), points=1, mark="rally"))


def _walks(state: State, side: int, order: Action) -> str:
    on_foot = isinstance(order, OnFoot) and (
        state.hex[order.unit] != OFF and CATEGORY[state.kind[order.unit]] != VEHICLE
    )
    return "" if on_foot else "The enemy is not moving on foot."


def _trip(battle: Battle[State], order: Action) -> Action | None:
    """The first of those who move is attacked where it stands."""
    assert isinstance(order, OnFoot)
    state, units = battle.state, _movers(order)
    side = state.side[order.unit]
    on = order.vehicle if isinstance(order, a.RollingCover) else state.riding.get(order.unit, NONE)
    seen = tuple(c for c in (order.unit, on) if c != NONE and state.hidden[c])
    if seen:
        battle.emit(Revealed(units=seen, why="moved"))
    if not blast.strike(battle, order.unit, Tally(TRIP_WIRE), "luck card", by=1 - side):
        return order
    left = tuple(c for c in units if state.hex[c] != OFF)
    mark = "assaulted" if isinstance(order, a.AssaultMove) else "moved"
    battle.emit(OrderSpoiled(side=side, units=left, points=len(units), mark=mark))
    return None


CARDS: dict[str, Against] = {
    "jammed": Against(_fires, _jam),
    "cold-engine": Against(_drives, _stall),
    "second-thoughts": Against(_goes_far, _shorten),
    "wrong-map": Against(_only((a.CallArtillery,), "No artillery is called."), _misplace),
    "flak": Against(_only((a.AirStrike,), "No air strike is called."), _turn_back),
    "lost-voice": Against(_only((a.Rally,), "Nobody is trying to rally."), _drown),
    "trip-wire": Against(_walks, _trip),
}
"""By the key of their rows in `tables/luck_cards.toml`."""

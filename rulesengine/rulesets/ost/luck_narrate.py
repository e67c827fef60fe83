"""Words for luck cards; see `narrate.py`. A card in a hand is told to nobody but its side, nor that
somebody could have played one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import luck_events as x
from rulesengine.rulesets.ost.charts import LUCK_CARD
from rulesengine.rulesets.ost.state import NONE
from rulesengine.rulesets.ost.telling import Teller, Told


def _no_vehicles(t: Teller, e: x.FoundNoVehicleCards) -> Told:
    return "Luck cards: those for vehicles are left out of the deck.", (), 0


def _drawn(t: Teller, e: x.CardsDrawn) -> Told:
    return f"{t.team(e.side)} draw {e.count} luck card{'s' if e.count != 1 else ''}.", (), 0


def _dealt(t: Teller, e: x.HandDealt) -> Told:
    if t.side not in (None, e.side):
        return None
    cards = " ".join(f"{LUCK_CARD[c].title}: {LUCK_CARD[c].text}" for c in e.cards)
    return f"{t.team(e.side)} hold: {cards}", (), 0


def _secret(t: Teller, e: Event) -> Told:
    if t.side is not None:
        return None
    words = {
        x.CardOffered: "may play a luck card after their action",
        x.OrderHeld: "are about to act, and a luck card could be played against it",
        x.CardKept: "play no luck card",
    }
    return f"{t.team(e.side)} {words[type(e)]}.", (), 0  # type: ignore[attr-defined]


def _played(t: Teller, e: x.CardPlayed) -> Told:
    row = LUCK_CARD[e.card]
    where = ", ".join(t.place(h) for h in e.hexes)
    at = f" on {where}" if where else ""
    if e.target != NONE and t.hears(e.target):
        at = f" for {t.name(e.target)}" if row.aim == "unit" else f" on {t.name(e.target)}"
    return f"{t.team(e.side)} play a luck card{at}: {row.title}. {row.text}", (), 2


def _impulses(t: Teller, e: x.ImpulsesChanged) -> Told:
    return f"{t.team(e.side)}: {e.points:+d} Impulse Points.", (), 0


def _mended(t: Teller, e: x.MoraleMended) -> Told:
    return f"{t.name(e.unit)} is in good order.", (e.unit,), 1


def _lifted(t: Teller, e: x.MarkersLifted) -> Told:
    return f"{t.name(e.unit)} can act again.", (e.unit,), 0


def _repaired(t: Teller, e: x.VehicleMended) -> Told:
    what = "is mended" if e.damage else "is free"
    return f"{t.name(e.unit)} {what}.", (e.unit,), 0


def _mission(t: Teller, e: x.MissionGained) -> Told:
    return f"{t.team(e.side)} have one mission more.", (), 0


SPOILED = {
    "moved": "do not move",
    "assaulted": "do not assault",
    "fired": "do not get a shot off",
    "mission": "shell an empty field",
    "air strike": "see their aircraft turn back",
    "rally": "do not rally",
}


def _spoiled(t: Teller, e: x.OrderSpoiled) -> Told:
    who = t.team(e.side)
    if e.units and all(t.hears(c) for c in e.units):
        who += f", {t.names(e.units)},"
    return f"{who} {SPOILED[e.mark]}.", (), 1


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    x.FoundNoVehicleCards: _no_vehicles,
    x.CardsDrawn: _drawn,
    x.HandDealt: _dealt,
    x.CardOffered: _secret,
    x.OrderHeld: _secret,
    x.CardKept: _secret,
    x.CardPlayed: _played,
    x.ImpulsesChanged: _impulses,
    x.MoraleMended: _mended,
    x.MarkersLifted: _lifted,
    x.VehicleMended: _repaired,
    x.MissionGained: _mission,
    x.OrderSpoiled: _spoiled,
}

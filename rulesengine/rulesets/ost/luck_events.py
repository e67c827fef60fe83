"""What luck cards do (OST 3.3): drawn, offered, played, and what comes of it. Kinds are for ever;
see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll

__all__ = [
    "AnyLuckEvent",
    "CardKept",
    "CardOffered",
    "CardPlayed",
    "CardsDrawn",
    "FoundNoVehicleCards",
    "HandDealt",
    "ImpulsesChanged",
    "MarkersLifted",
    "MissionGained",
    "MoraleMended",
    "OrderHeld",
    "OrderResumed",
    "OrderSpoiled",
    "VehicleMended",
]


class FoundNoVehicleCards(Event, frozen=True, tag="ost.found_no_vehicle_cards"):
    """The deck of this battle goes without its vehicle cards."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.7",)


class CardsDrawn(Event, frozen=True, tag="ost.cards_drawn"):
    """A side draws so many luck cards, face down."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.p1", "3.3.1", "3.3.2")
    side: int
    count: int


class HandDealt(Event, frozen=True, tag="ost.hand_dealt"):
    """The luck cards a side drew. Only that side is told, and sees the dice that would tell it."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.1", "3.3.2")
    side: int
    cards: tuple[int, ...]
    """Codes."""
    rolls: tuple[Roll, ...]
    """A die of as many sides as the deck has cards, for each."""


class CardOffered(Event, frozen=True, tag="ost.card_offered"):
    """A side has acted and may play a card yet. Only the referee is told; `again`: the next
    impulse is that of the same side."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.4",)
    side: int
    again: bool = False


class OrderHeld(Event, frozen=True, tag="ost.order_held"):
    """A side is about to act, and the other may play a card against it. Only the referee is told;
    `order` is the action as JSON."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int
    order: str


class OrderResumed(Event, frozen=True, tag="ost.order_resumed"):
    """What was begun goes on, or is given up."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int


class CardKept(Event, frozen=True, tag="ost.card_kept"):
    """A side plays none. Only the referee is told."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int


class CardPlayed(Event, frozen=True, tag="ost.card_played"):
    """A card is played, and gone."""

    side: int
    card: int
    target: int
    hexes: tuple[int, ...]
    against: bool
    """While the enemy acts."""

    def cites(self) -> tuple[str, ...]:
        return ("3.3.2", "3.3.3", *(() if self.against else ("3.3.4",)), "3.3.5")


class ImpulsesChanged(Event, frozen=True, tag="ost.impulses_changed"):
    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int
    points: int
    """More, or fewer below 0."""


class MoraleMended(Event, frozen=True, tag="ost.morale_mended"):
    """A unit is in good order at once."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    unit: int


class MarkersLifted(Event, frozen=True, tag="ost.markers_lifted"):
    """A unit counts as not having acted this turn."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    unit: int


class VehicleMended(Event, frozen=True, tag="ost.vehicle_mended"):
    """A bit of damage is off a vehicle; `damage` 0: it is bogged no longer."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    unit: int
    damage: int


class MissionGained(Event, frozen=True, tag="ost.mission_gained"):
    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int
    battery: int


class OrderSpoiled(Event, frozen=True, tag="ost.order_spoiled"):
    """What the enemy had begun comes to nothing: its points are spent, its units marked."""

    rules: ClassVar[tuple[str, ...]] = ("3.3.3",)
    side: int
    units: tuple[int, ...]
    points: int
    mark: str
    """moved, assaulted, fired, mission, air strike, or rally."""
    battery: int = -1


AnyLuckEvent = (
    FoundNoVehicleCards
    | CardsDrawn
    | HandDealt
    | CardOffered
    | OrderHeld
    | OrderResumed
    | CardKept
    | CardPlayed
    | ImpulsesChanged
    | MoraleMended
    | MarkersLifted
    | VehicleMended
    | MissionGained
    | OrderSpoiled
)

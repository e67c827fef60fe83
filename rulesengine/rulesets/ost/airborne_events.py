"""What happens from the air (OST 26): flights, drops, landings, crashes. Kinds are for ever; see
`events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll

__all__ = [
    "AircraftCame",
    "AircraftLeft",
    "AnyAirborneEvent",
    "CrashRolled",
    "Dropped",
    "FlightsPlanned",
    "GliderDown",
    "GliderReleased",
    "Landed",
    "LandingFireHeld",
    "LandingFireOwed",
    "LandingFired",
    "LandingPlaced",
    "PlaceOwed",
    "SuppliesDropped",
]


class FlightsPlanned(Event, frozen=True, tag="ost.flights_planned"):
    """A side has set its aircraft up, each as (flight, hex). Only that side is told."""

    rules: ClassVar[tuple[str, ...]] = ("26.2.1", "26.2.2", "26.2.3", "26.1.3", "26.1.4")
    side: int
    aircraft: tuple[tuple[int, int], ...]


class AircraftCame(Event, frozen=True, tag="ost.aircraft_came"):
    """An aircraft is over the map; `heading` 0 to 5, -1 for a glider."""

    flight: int
    side: int
    hex: int
    heading: int
    units: tuple[int, ...]
    """Those aboard who fight; leaders and weapons are with them."""

    def cites(self) -> tuple[str, ...]:
        own = ("26.1.2",) if self.heading < 0 else ("26.1.1", "26.2.4", "26.2.5")
        return ("26.2.2", *own, "26.2.6")


class AircraftLeft(Event, frozen=True, tag="ost.aircraft_left"):
    """A transport has dropped all it had."""

    rules: ClassVar[tuple[str, ...]] = ("26.3.14",)
    flight: int
    side: int


class Dropped(Event, frozen=True, tag="ost.dropped"):
    """A unit jumps over a hex and drifts to another, where it is about to come down."""

    unit: int
    over: int
    rolls: tuple[Roll, Roll]
    """For the direction, then for the distance."""
    hex: int
    edge: bool
    """The map ended before the drift did."""

    def cites(self) -> tuple[str, ...]:
        edge = ("26.3.4",) if self.edge else ()
        return ("26.3.1", "26.3.2", "26.3.3", "33.3.1", "33.3.2", *edge)


class SuppliesDropped(Event, frozen=True, tag="ost.supplies_dropped"):
    """A support weapon is dropped by itself."""

    weapon: int
    over: int
    rolls: tuple[Roll, Roll]
    hex: int
    edge: bool

    def cites(self) -> tuple[str, ...]:
        return ("26.3.11", "26.3.3", *(("26.3.4",) if self.edge else ()))


class LandingFireOwed(Event, frozen=True, tag="ost.landing_fire_owed"):
    """The enemy may fire at who comes down. Only the referee is told."""

    rules: ClassVar[tuple[str, ...]] = ("26.3.9",)
    side: int


class LandingFireHeld(Event, frozen=True, tag="ost.landing_fire_held"):
    rules: ClassVar[tuple[str, ...]] = ("26.3.9",)
    side: int


class LandingFired(Event, frozen=True, tag="ost.landing_fired"):
    """A unit or group fires at who comes down; no point and no action is spent."""

    rules: ClassVar[tuple[str, ...]] = ("26.3.9", "26.3.10")
    firers: tuple[int, ...]
    weapons: tuple[int, ...]
    unit: int


PLACES = {"enemy": "26.3.8", "full": "26.3.12", "spilled": "26.4.15"}
"""Why a unit cannot stay where it came down, and the rule."""


class PlaceOwed(Event, frozen=True, tag="ost.place_owed"):
    """Its owner chooses where a unit, or one of those of a full hex, goes instead."""

    units: tuple[int, ...]
    why: str
    """A key of PLACES."""

    def cites(self) -> tuple[str, ...]:
        return (PLACES[self.why],)


class LandingPlaced(Event, frozen=True, tag="ost.landing_placed"):
    """A unit goes to another hex than it fell to."""

    unit: int
    to: int
    why: str

    def cites(self) -> tuple[str, ...]:
        return (PLACES[self.why],)


class Landed(Event, frozen=True, tag="ost.landed"):
    """A parachutist is on the ground; `column` -3 or -5 if it is a hard landing, else 0. Nobody
    came down where `hex` is -1."""

    unit: int
    hex: int
    column: int
    moved: bool
    """In the course of the battle: it counts as having moved."""

    def cites(self) -> tuple[str, ...]:
        if self.hex < 0:
            return ("26.3.6",)
        return ("26.3.5", "26.3.7", *(("26.3.13",) if self.moved else ()))


class GliderReleased(Event, frozen=True, tag="ost.glider_released"):
    """A glider drifts to the hex it begins to land from, and turns."""

    flight: int
    side: int
    rolls: tuple[Roll, Roll, Roll]
    """For the direction and the distance of its drift, then for that of its landing."""
    hex: int
    facing: int
    edge: bool

    def cites(self) -> tuple[str, ...]:
        edge = ("26.4.12",) if self.edge else ()
        return ("26.4.1", "26.4.2", "26.4.3", "26.4.4", "33.3.1", "33.3.2", *edge)


class CrashRolled(Event, frozen=True, tag="ost.crash_rolled"):
    """Whether a glider gets through a hex, or over a `hexside` into it."""

    flight: int
    side: int
    hex: int
    roll: Roll
    hexside: bool

    @property
    def crashes(self) -> bool:
        return self.roll.total <= CRASH

    def cites(self) -> tuple[str, ...]:
        return ("26.4.7",) if self.hexside else ("26.4.6",)


CRASH = 2
"""Highest 1D6 that wrecks a glider in a hex it rolls for. OST 26.4.6."""
CRASHES = {
    "": ("26.4.9",),
    "terrain": ("26.4.6", "26.4.8"),
    "heavy terrain": ("26.4.6", "26.4.8"),
    "hexside": ("26.4.7", "26.4.8"),
    "enemy": ("26.4.14", "26.4.8"),
}
"""What stopped a glider, and the rules."""


class GliderDown(Event, frozen=True, tag="ost.glider_down"):
    """A glider has come to rest and those aboard are in its hex."""

    flight: int
    side: int
    hex: int
    path: tuple[int, ...]
    why: str
    """A key of CRASHES; "" where it landed well."""
    units: tuple[int, ...]
    facing: int
    wreck: bool
    """It stays as a wreck, as it does but in structures and woods."""
    edge: bool
    moved: bool

    def cites(self) -> tuple[str, ...]:
        ends = ("26.4.12",) if self.edge else ()
        late = ("26.4.16",) if self.moved else ()
        return ("26.4.5", *CRASHES[self.why], "26.4.11", "26.4.13", *ends, *late)


AnyAirborneEvent = (
    FlightsPlanned
    | AircraftCame
    | AircraftLeft
    | Dropped
    | SuppliesDropped
    | LandingFireOwed
    | LandingFireHeld
    | LandingFired
    | PlaceOwed
    | LandingPlaced
    | Landed
    | GliderReleased
    | CrashRolled
    | GliderDown
)

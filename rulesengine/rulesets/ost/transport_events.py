"""What happens to riders and to those who walk behind armour (OST 6.2, 23.2, 23.6.4, 24). Kinds
are for ever; see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event

__all__ = [
    "AnyTransportEvent",
    "CollateralDue",
    "CoverKept",
    "CoverLeft",
    "Dismounted",
    "DrivesOn",
    "ExitDeclared",
    "Exited",
    "Fetched",
    "LoadDeclared",
    "Loaded",
    "MountedMove",
    "RollingDeclared",
    "StopsPlanned",
    "Unloaded",
]

HALTS = {
    "woods": ("6.2.2", "14.5.2"),
    "light structure": ("6.2.2", "16.1.4"),
    "heavy structure": ("6.2.2", "16.2.4"),
    "ruins": ("6.2.2", "16.5.5"),
    "stream": ("6.2.3",),
    "marsh": ("6.2.3",),
    "bocage": ("6.2.2", "15.3.10"),
}
"""What mobile troops dismount in, and the rules of it."""

STRUCK = {
    "fire": ("24.0.11", "24.4.p3"),
    "small arms": ("24.0.12",),
    "mines": ("13.3.8",),
    "artillery": ("33.4.4",),
    "air strike": ("32.0.8",),
}
"""By what the vehicle was attacked, and the rules that draw in its riders."""


class LoadDeclared(Event, frozen=True, tag="ost.load_declared"):
    """The move that has begun ends on a vehicle."""

    rules: ClassVar[tuple[str, ...]] = ("24.0.5", "24.1.3")
    unit: int
    vehicle: int


class Loaded(Event, frozen=True, tag="ost.loaded"):
    """A unit is on a vehicle, with its leader and weapon."""

    unit: int
    vehicle: int
    at_start: bool = False
    """It begins the battle there, or waits there to come on."""
    towed: bool = False
    fires: bool = False
    """The vehicle is an armoured troop transport and fires all the same."""

    def cites(self) -> tuple[str, ...]:
        silent = ("24.0.6", "24.3.2" if self.fires else "24.0.7")
        if self.at_start:
            return ("24.0.p1", "24.0.2", "24.0.8", "20.0.3", *silent)
        towed = ("24.0.15",) if self.towed else ()
        head = ("24.0.p1", "24.0.2", "24.0.4", "24.0.5", "24.0.8", "24.0.9", "20.0.3")
        return (*head, "24.1.1", "24.1.2", *silent, *towed)


class Unloaded(Event, frozen=True, tag="ost.unloaded"):
    """A unit gets off in the hex of its vehicle; `facing` is that of its covered arc."""

    unit: int
    vehicle: int
    cost: int
    facing: int
    covered: bool
    """The vehicle is armoured: rolling cover as long as they stay together."""
    towed: bool = False
    gun: bool = False
    goes_on: bool = False
    """It has points left, and a way to go."""

    def cites(self) -> tuple[str, ...]:
        covered = ("24.2.3", "23.2.11") if self.covered else ()
        gun = ("24.2.5", "8.0.10") if self.gun else ()
        towed = ("24.0.15",) if self.towed else ()
        on = ("24.2.4",) if self.goes_on else ()
        head = ("24.0.4", "24.0.5", "24.0.9", "24.2.1", "24.2.2")
        return (*head, *covered, *gun, *towed, *on)


class StopsPlanned(Event, frozen=True, tag="ost.stops_planned"):
    """Where on its way a vehicle takes support weapons on or puts them down."""

    rules: ClassVar[tuple[str, ...]] = ("24.0.3",)
    unit: int
    stops: tuple[tuple[int, int], ...]
    """(steps of the path gone by then, weapon)."""


class Fetched(Event, frozen=True, tag="ost.fetched"):
    """A vehicle takes a support weapon on, or puts it down."""

    rules: ClassVar[tuple[str, ...]] = ("24.0.3", "24.0.2")
    weapon: int
    vehicle: int
    taken: bool


class DrivesOn(Event, frozen=True, tag="ost.drives_on"):
    """Riders of a moving vehicle were hit: it drives on with them."""

    rules: ClassVar[tuple[str, ...]] = ("23.0.10", "24.0.13", "27.6.4", "24.0.10")
    unit: int
    vehicle: int


class CollateralDue(Event, frozen=True, tag="ost.collateral_due"):
    """An attack on a vehicle comes upon who rides on it or walks behind it."""

    unit: int
    vehicle: int
    why: str
    """What attacked the vehicle: "fire", "small arms", or a strike by its name."""
    lost: bool
    """The vehicle is a wreck: column -3, not -5."""
    walking: bool
    """In its rolling cover."""

    def cites(self) -> tuple[str, ...]:
        by = STRUCK.get(self.why, ())
        walking = ("23.2.7", "24.4.p2") if self.walking else ()
        return ("24.4.p1", "24.4.1" if self.lost else "24.4.2", "24.4.3", *by, *walking)


class RollingDeclared(Event, frozen=True, tag="ost.rolling_declared"):
    """A squad and an armoured vehicle move together, the squad in the vehicle's cover."""

    units: tuple[int, int]
    path: tuple[int, ...]
    facings: tuple[int, ...]
    shaky: bool = False
    """One of the two is shaken."""

    def cites(self) -> tuple[str, ...]:
        shaky = ("23.2.10",) if self.shaky else ()
        head = ("23.2.p1", "23.2.1", "23.2.2", "23.2.3", "23.2.4")
        return (*head, "23.0.1", "22.0.2", *shaky)


class CoverKept(Event, frozen=True, tag="ost.cover_kept"):
    """Squad and vehicle assault together out of rolling cover."""

    rules: ClassVar[tuple[str, ...]] = ("23.2.8", "25.0.8")
    unit: int
    vehicle: int


class CoverLeft(Event, frozen=True, tag="ost.cover_left"):
    """A unit gives its rolling cover up."""

    rules: ClassVar[tuple[str, ...]] = ("23.2.9",)
    unit: int
    vehicle: int


class MountedMove(Event, frozen=True, tag="ost.mounted_move"):
    """Mobile troops move: costs are those of foot; leaders and weapons go with them."""

    units: tuple[int, ...]
    laden: bool
    """With a leader or a support weapon."""

    def cites(self) -> tuple[str, ...]:
        return ("6.2.1", "6.2.6", *(("6.2.4",) if self.laden else ()))


class Dismounted(Event, frozen=True, tag="ost.dismounted"):
    """Mobile troops have come into what stops them."""

    units: tuple[int, ...]
    hex: int
    what: str
    """A key of HALTS."""

    def cites(self) -> tuple[str, ...]:
        return HALTS[self.what]


class ExitDeclared(Event, frozen=True, tag="ost.exit_declared"):
    """The move that has begun leads off the map."""

    rules: ClassVar[tuple[str, ...]] = ("23.6.4", "23.6.5")
    unit: int


class Exited(Event, frozen=True, tag="ost.exited"):
    """Units have left the map, with all they carry; `points` of victory are for it."""

    rules: ClassVar[tuple[str, ...]] = ("23.6.4", "23.6.5")
    units: tuple[int, ...]
    hex: int
    points: int


AnyTransportEvent = (
    LoadDeclared
    | Loaded
    | Unloaded
    | StopsPlanned
    | Fetched
    | DrivesOn
    | CollateralDue
    | RollingDeclared
    | CoverKept
    | CoverLeft
    | MountedMove
    | Dismounted
    | ExitDeclared
    | Exited
)

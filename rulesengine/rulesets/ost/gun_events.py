"""What happens to guns without crews, in melees with vehicles and in tank duels (OST 8, 30, 31).

Kinds are for ever; see `events.py`.
"""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import rules_of_modifiers


class GunLeft(Event, frozen=True, tag="ost.gun_left"):
    """The crew is gone: on a 5 or 6 the gun stays on the field."""

    rules: ClassVar[tuple[str, ...]] = ("8.0.2",)
    gun: int
    hex: int
    roll: Roll
    remains: bool


class GunClaimed(Event, frozen=True, tag="ost.gun_claimed"):
    """A squad goes to man an unmanned gun, or any unit to destroy it."""

    unit: int
    gun: int
    scrap: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("8.0.9",) if self.scrap else ("8.0.6",)


class GunManned(Event, frozen=True, tag="ost.gun_manned"):
    """The squad's counter is the gun's from now on."""

    unit: int
    gun: int
    captured: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("8.0.3", "8.0.4", "8.0.5") if self.captured else ("8.0.3", "8.0.4")


class GunDestroyed(Event, frozen=True, tag="ost.gun_destroyed"):
    rules: ClassVar[tuple[str, ...]] = ("8.0.9", "1.6.p12")
    unit: int
    gun: int


class GunAbandoned(Event, frozen=True, tag="ost.gun_abandoned"):
    """Those who manned it are squads again; losses stay. `buried`: what they were in fell on it."""

    unit: int
    destroyed: bool
    buried: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("16.7.11" if self.buried else "8.2.2", "8.2.3", "8.2.4")


class VehicleStruck(Event, frozen=True, tag="ost.vehicle_struck"):
    """One attack roll of a melee at a vehicle."""

    side: int
    target: int
    column: int
    roll: Roll
    total: int
    result: int
    modifiers: tuple[int, ...]

    def cites(self) -> tuple[str, ...]:
        changes = rules_of_modifiers(self.modifiers)
        added = ("30.2.7",) if len(self.modifiers) > 2 else ()
        return ("30.3.5", "30.3.6", "30.3.7", "30.3.9", "27.2.2", *added, *changes)


class DuelOpened(Event, frozen=True, tag="ost.duel_opened"):
    """Who shoots first, and in what order; `shots` are (vehicle, 1 at the flank)."""

    hex: int
    rolls: tuple[Roll, ...]
    totals: tuple[int, int]
    shots: tuple[tuple[int, int], ...]
    modifiers: tuple[int, ...] = ()

    def cites(self) -> tuple[str, ...]:
        three = ("31.1.11",) if len(self.shots) > 2 else ()
        flank = ("31.0.3",) if any(at for _, at in self.shots) else ()
        changes = rules_of_modifiers(self.modifiers)
        return ("31.0.p1", "31.0.1", "31.0.2", "31.1.9", *three, *flank, *changes)


class DuelShotLost(Event, frozen=True, tag="ost.duel_shot_lost"):
    """A vehicle that is broken, or has lost its gun, does not shoot."""

    unit: int
    broken: bool

    def cites(self) -> tuple[str, ...]:
        return ("31.0.4", "31.1.8") if self.broken else ("31.1.9",)


class DuelShotTaken(Event, frozen=True, tag="ost.duel_shot_taken"):
    """The next of the order has its shot, at this target."""

    rules: ClassVar[tuple[str, ...]] = ("31.1.5", "31.1.9")
    unit: int
    target: int
    chosen: bool = False
    bare: bool = False
    """It has no AP and shoots for 1."""

    def cites(self) -> tuple[str, ...]:
        chosen = ("31.1.12",) if self.chosen else ()
        bare = ("31.1.10",) if self.bare else ()
        return (*self.rules, *chosen, *bare)

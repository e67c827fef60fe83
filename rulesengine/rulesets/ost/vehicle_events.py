"""What happens to vehicles and guns (OST 8, 9, 23.4, 23.5, 29, 31). Kinds are for ever; see
`events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import (
    MODIFIER,
    VCT_RESULTS,
    rule_of_vehicle_row,
    rules_of_modifiers,
)
from rulesengine.rulesets.ost.gun_events import (
    DuelOpened,
    DuelShotLost,
    DuelShotTaken,
    GunAbandoned,
    GunClaimed,
    GunDestroyed,
    GunLeft,
    GunManned,
    VehicleStruck,
)

__all__ = [
    "AbandonRolled",
    "AcquisitionLost",
    "AnyVehicleEvent",
    "ArmorLeaderLost",
    "BlownBack",
    "BogRolled",
    "CrewRolled",
    "CrewUnnerved",
    "DamageRolled",
    "DriveDeclared",
    "Drove",
    "DuelOpened",
    "DuelShotLost",
    "DuelShotTaken",
    "Expended",
    "FreeingRolled",
    "GunAbandoned",
    "GunClaimed",
    "GunDestroyed",
    "GunLeft",
    "GunManned",
    "HitRolled",
    "Turned",
    "VehicleFireDeclared",
    "VehicleShot",
    "VehicleStruck",
    "Wrecked",
]

ACQUIRED = MODIFIER["TARGET_ACQUIRED"].code
MOVED = MODIFIER["MOVING_FIRE"].code
ARMOR_LEADER = MODIFIER["ARMOR_LEADER_ATTACHED"].code
SHAKEN = MODIFIER["SHAKEN_IN_MELEE"].code
MELEE = MODIFIER["MELEE_FIREPOWER"].code

ABANDONED = ("abandoned", "damaged again", "cannot retreat", "duel, cannot move")
"""Why a vehicle was left by its crew rather than destroyed. OST 29.5."""


class VehicleFireDeclared(Event, frozen=True, tag="ost.vehicle_fire_declared"):
    """A vehicle fires a main armament at `target` and its machine guns at `mg`; -1 for none."""

    firer: int
    target: int
    mg: int
    hull: bool
    reaction: bool
    intensive: bool
    at_foot: bool = False
    """The main armament fires HE at a foot unit."""
    spent: bool = False
    """Its main armament has had its one shot of the turn; the machine guns fire on."""

    def cites(self) -> tuple[str, ...]:
        both = ("29.1.1", "29.1.5") if self.target >= 0 and self.mg >= 0 else ()
        mg = ("29.1.3", "9.0.4") if self.mg >= 0 else ()
        same = ("29.1.4",) if both and (self.reaction or self.mg != self.target) else ()
        main = ("29.0.2", "29.0.13") if self.target >= 0 else ()
        he = ("29.0.12", "9.0.p6") if self.at_foot else ()
        dual = ("9.3.1", "9.3.3") if self.hull else ()
        if self.hull and self.mg >= 0:
            dual = (*dual, "9.3.2")
        limited = ("9.4.2",) if self.spent else ()
        reaction = ("27.6.1", "27.6.2") if self.reaction else ()
        intensive = ("27.7.p1", "27.7.1") if self.intensive else ()
        head = ("27.4.1", "27.4.2", "22.0.3")
        return (*head, *main, *he, *mg, *both, *same, *dual, *limited, *reaction, *intensive)


class HitRolled(Event, frozen=True, tag="ost.hit_rolled"):
    """The roll to hit a vehicle. `critical`: two sixes."""

    firer: int
    weapon: int
    target: int
    distance: int
    needed: int
    roll: Roll
    total: int
    critical: bool
    modifiers: tuple[int, ...]

    def cites(self) -> tuple[str, ...]:
        acquired = ("29.2.1",) if ACQUIRED in self.modifiers[::2] else ()
        critical = ("29.0.11", "1.9.p35") if self.critical else ()
        weapon = ("10.1.1",) if self.weapon >= 0 else ()
        moved = ("27.5.1",) if MOVED in self.modifiers[::2] else ()
        head = ("29.0.1", "29.0.3", "29.0.4", "29.0.5", "29.0.p1")
        changes = rules_of_modifiers(self.modifiers)
        return (*head, *acquired, *critical, *weapon, *moved, *changes)


class VehicleShot(Event, frozen=True, tag="ost.vehicle_shot"):
    """One attack looked up on the Vehicle Combat Table. `how`: gun, small arms, duel."""

    firers: tuple[int, ...]
    target: int
    flank: bool
    soft: bool
    how: str
    firepower: int
    defense: int
    column: int
    roll: Roll
    total: int
    result: int
    modifiers: tuple[int, ...]
    critical: bool = False

    def cites(self) -> tuple[str, ...]:
        side = ("23.4.2", "9.0.p11") if self.flank else ("23.4.1", "9.0.p10")
        head = {
            "gun": ("29.0.6", "29.0.7", "29.0.8", "29.0.9", "27.2.2", *side, "29.3.p14"),
            "small arms": ("9.2.1", "9.2.2", *side),
            "thrown": ("10.0.8", "27.2.2", *side),
            "duel": ("31.1.1", "31.1.2", "31.1.3", "31.1.4", "31.1.5", "31.0.3"),
        }[self.how]
        soft = ("9.2.3", "29.0.10", "9.0.p1") if self.soft and self.how == "gun" else ()
        critical = ("29.0.11",) if self.critical else ()
        plus = ("31.1.6",) if self.how == "duel" and MELEE in self.modifiers[::2] else ()
        lead: tuple[str, ...] = (
            ("31.1.7",) if self.how == "duel" and ARMOR_LEADER in self.modifiers[::2] else ()
        )
        if self.how == "duel" and SHAKEN in self.modifiers[::2]:
            lead = (*lead, "31.1.8")
        double = ("29.3.p13",) if self.result in (4, 5) else ()
        result = {
            "": ("29.3.p12",),
            "S": ("29.3.p11",),
            "B": ("29.3.p10",),
            "X": ("29.3.p1",),
        }.get(VCT_RESULTS[self.result], ("29.3.p2",))
        changes = rules_of_modifiers(self.modifiers)
        aid = ("1.9.p1", rule_of_vehicle_row(self.total), "1.9.p32", "1.9.p33")
        return (*head, *soft, *critical, *plus, *lead, *result, *double, *changes, *aid)


class DamageRolled(Event, frozen=True, tag="ost.damage_rolled"):
    """`adds` are the bits of the damage; 0 for a minor one or where the crew decide."""

    unit: int
    roll: Roll
    adds: int
    roll_which: Roll | None = None
    """Of two main armaments: 1 to 3 the turret's. OST 9.3.4."""
    only: bool = False
    """It had one armament: that one is hit."""
    moves_on: bool = False
    """It was hit on the move, and what broke does not stop it."""
    led: bool = False
    """An armor leader is in it, who makes no casualty roll."""

    def cites(self) -> tuple[str, ...]:
        face = self.roll.total
        row = {3: "29.3.p5", 4: "29.3.p6", 5: "29.3.p7", 6: "29.3.p8"}.get(face, "29.3.p4")
        dual = ("9.3.4",) if self.roll_which else ()
        only = ("29.4.1",) if self.only else ()
        moves_on = ("27.6.5", "29.4.3") if self.moves_on else ()
        led = ("7.4.8", "28.2.6") if self.led else ()
        marked = ("1.10.p9",) if self.adds else ()
        return ("29.3.p3", "29.4.p1", row, *dual, *only, *moves_on, *led, "1.9.p36", *marked)


class AbandonRolled(Event, frozen=True, tag="ost.abandon_rolled"):
    """A gut check whether the crew stay; passed, everything is in order."""

    rules: ClassVar[tuple[str, ...]] = ("29.3.p8", "17.4.2", "29.5.p1")
    unit: int
    roll: Roll
    needed: int


class CrewRolled(Event, frozen=True, tag="ost.crew_rolled"):
    """A six lets the crew of a destroyed vehicle get out."""

    unit: int
    roll: Roll

    def cites(self) -> tuple[str, ...]:
        saved = ("29.6.2", "29.6.3") if self.roll.total == 6 else ()
        return ("29.6.p1", "29.6.1", *saved)


class Wrecked(Event, frozen=True, tag="ost.wrecked"):
    """A vehicle is a wreck from now on; `becomes` is the type of the crew that got out, -1 if
    none did."""

    unit: int
    points: int
    why: str
    becomes: int = -1

    def cites(self) -> tuple[str, ...]:
        wreck = ("9.0.7", "13.10.p1", "13.10.1", "13.10.5", "13.10.2", "13.10.3", "13.10.6")
        points = ("1.6.p5",) if self.points == 2 else ("1.6.p6",)
        return {
            "destroyed": (*wreck, "29.3.p1", *points, *(("9.0.8",) if self.points == 2 else ())),
            "carrier": (*wreck, "29.6.4", "9.0.9", "1.6.p9"),
            "soft": (*wreck, "29.4.2", "29.6.4", "1.6.p8"),
            "destroyed in melee": (*wreck, "30.4.8", *points),
            "abandoned": (*wreck, "29.5.1", "29.5.2", *points),
            "damaged again": (*wreck, "29.3.p9", "29.4.4", "29.5.1", "29.5.2", *points),
            "cannot retreat": ("30.4.9", "29.5.2", *points),
            "no retreat": ("30.4.3", *points),
            "duel, cannot move": ("31.2.6", "29.5.2", *points),
            "duel, no retreat": ("31.2.5", *points),
        }[self.why]


class ArmorLeaderLost(Event, frozen=True, tag="ost.armor_leader_lost"):
    """He goes with his vehicle, or a sniper has hit him."""

    leader: int
    why: str
    points: int = 1

    def cites(self) -> tuple[str, ...]:
        return ("7.4.10", "7.4.7") if self.why == "vehicle" else ("7.4.10", "7.4.9")


class CrewUnnerved(Event, frozen=True, tag="ost.crew_unnerved"):
    """Shaken or broken without a gut check: small arms at an open top; a leader shot."""

    unit: int
    now: int
    why: str = "exposed"

    def cites(self) -> tuple[str, ...]:
        return ("9.1.2",) if self.why == "exposed" else ("7.4.9",)


class AcquisitionLost(Event, frozen=True, tag="ost.acquisition_lost"):
    """The firer has lost sight of a vehicle it had fired at."""

    rules: ClassVar[tuple[str, ...]] = ("29.2.1",)
    firer: int
    target: int


class DriveDeclared(Event, frozen=True, tag="ost.drive_declared"):
    """A vehicle moves; a step into the hex it is in is a pivot."""

    unit: int
    path: tuple[int, ...]
    facings: tuple[int, ...]
    enters: bool = False
    """It comes onto the map, facing as it will after the first hex."""
    waited: bool = False
    """It could have done so in an earlier turn."""

    def cites(self) -> tuple[str, ...]:
        waited = ("23.6.3",) if self.waited else ()
        enters = ("23.6.1", "23.6.2", *waited) if self.enters else ()
        return (*enters, "23.4.p1", "23.0.1", "22.0.2")


class Drove(Event, frozen=True, tag="ost.drove"):
    """Into a hex; `halves` are half movement points."""

    unit: int
    hex: int
    halves: int
    reverse: bool = False
    by_road: bool = False

    def cites(self) -> tuple[str, ...]:
        way = ("23.4.4",) if self.reverse else ("23.4.3",)
        road = ("14.13.2", "14.13.4") if self.by_road else ()
        return ("23.0.2", *way, *road)


class Turned(Event, frozen=True, tag="ost.turned"):
    """`halves` 0 is the turn after a step; 2 is a pivot."""

    unit: int
    facing: int
    halves: int = 0

    def cites(self) -> tuple[str, ...]:
        return ("23.4.7", "23.4.8", "23.4.9") if self.halves else ("23.4.5", "23.4.6")


class BogRolled(Event, frozen=True, tag="ost.bog_rolled"):
    unit: int
    roll: Roll
    total: int
    bogged: bool
    modifiers: tuple[int, ...] = ()

    def cites(self) -> tuple[str, ...]:
        stuck = ("23.5.2",) if self.bogged else ("23.5.3",)
        return ("23.5.p1", "23.5.1", *stuck, *rules_of_modifiers(self.modifiers))


class FreeingRolled(Event, frozen=True, tag="ost.freeing_rolled"):
    """A bogged vehicle tries to get free: 3 to 6 it is, on a 1 it never will be."""

    unit: int
    roll: Roll
    total: int
    modifiers: tuple[int, ...] = ()

    @property
    def freed(self) -> bool:
        return self.total >= 3

    @property
    def stuck(self) -> bool:
        """For good."""
        return self.total < 2

    def cites(self) -> tuple[str, ...]:
        came = "23.5.5" if self.freed else "23.5.7" if self.stuck else "23.5.6"
        return ("23.5.4", "2.1.p5", came, *rules_of_modifiers(self.modifiers))


class Expended(Event, frozen=True, tag="ost.expended"):
    """A single-use weapon is gone."""

    rules: ClassVar[tuple[str, ...]] = ("10.0.2", "10.0.6")
    weapon: int


class BlownBack(Event, frozen=True, tag="ost.blown_back"):
    """A rocket was fired inside a building: everybody in the hex checks."""

    rules: ClassVar[tuple[str, ...]] = ("10.1.3",)
    hex: int


AnyVehicleEvent = (
    VehicleFireDeclared
    | HitRolled
    | VehicleShot
    | DamageRolled
    | AbandonRolled
    | CrewRolled
    | Wrecked
    | ArmorLeaderLost
    | CrewUnnerved
    | AcquisitionLost
    | DriveDeclared
    | Drove
    | Turned
    | BogRolled
    | FreeingRolled
    | Expended
    | BlownBack
    | GunLeft
    | GunClaimed
    | GunManned
    | GunDestroyed
    | GunAbandoned
    | VehicleStruck
    | DuelOpened
    | DuelShotLost
    | DuelShotTaken
)

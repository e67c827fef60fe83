"""What happened in a battle of Old School Tactical. Kinds are for ever.

Counters and hexes are their numbers in the scenario. Modifiers are (code, amount) pairs in
one flat tuple; codes below 1000 are those of `tables/modifiers.toml`, the rest terrain.
"""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import (
    ICT_RESULTS,
    MODIFIER,
    rule_of_row,
    rules_of_modifiers,
)
from rulesengine.rulesets.ost.melee_events import (
    Concentrated,
    Evaded,
    MeleeClosed,
    MeleeJoined,
    MeleeMarked,
    MeleeOpened,
    MeleePhaseBegan,
    Retreated,
    RetreatsOwed,
    Struck,
)
from rulesengine.rulesets.ost.vehicle_events import AnyVehicleEvent

LEADS = MODIFIER["LEADER_ATTACHED"].code
MOVED = MODIFIER["MOVING_FIRE"].code
DEGRADED = MODIFIER["DEGRADED_SIGHT"].code
DOUBLE = (ICT_RESULTS.index("C-S"), ICT_RESULTS.index("C-B"))
IN_RANGE = MODIFIER["LEADER_IN_RANGE"].code

__all__ = [
    "AlreadyBroken",
    "AmmoRanOut",
    "AnyEvent",
    "Attached",
    "BattleEnded",
    "CasualtyTaken",
    "Concentrated",
    "ControlTaken",
    "Deployed",
    "Detached",
    "Eliminated",
    "Entered",
    "Evaded",
    "ExtendedPlayRolled",
    "FireDeclared",
    "FireHeld",
    "GutChecked",
    "Handed",
    "ImpulseGiven",
    "ImpulsesRolled",
    "InitiativeRolled",
    "LeaderRolled",
    "MeleeClosed",
    "MeleeJoined",
    "MeleeMarked",
    "MeleeOpened",
    "MeleePhaseBegan",
    "Merged",
    "MoveDeclared",
    "MoveEnded",
    "MoveStopped",
    "Passed",
    "Pivoted",
    "PointDropped",
    "PointsSpent",
    "Rallied",
    "ReactionOwed",
    "ReformEnded",
    "ReformOwed",
    "Retreated",
    "RetreatsOwed",
    "Revealed",
    "ShakenByOwnFire",
    "Shot",
    "Struck",
    "TurnEnded",
    "TurnStarted",
]


class Deployed(Event, frozen=True, tag="ost.deployed"):
    side: int
    places: tuple[tuple[int, int], ...]
    attached: tuple[tuple[int, int], ...]
    carried: tuple[tuple[int, int], ...]
    hidden: tuple[int, ...]
    facings: tuple[tuple[int, int], ...]

    def cites(self) -> tuple[str, ...]:
        attached = ("7.3.4",) if self.attached else ()
        hidden = ("21.0.p1", "21.0.1", "21.0.3") if self.hidden else ()
        facings = ("8.0.p11",) if self.facings else ()
        return ("3.1.4", "20.0.1", *attached, *hidden, *facings)


class TurnStarted(Event, frozen=True, tag="ost.turn_started"):
    rules: ClassVar[tuple[str, ...]] = ("2.1.p1", "1.3.p1", "2.0.p1")
    turn: int
    """Counts down to 1; 0 is extended play."""


class Rallied(Event, frozen=True, tag="ost.rallied"):
    """A rally attempt, free or paid for. `now` is the morale after it."""

    unit: int
    roll: Roll
    total: int
    needed: int
    now: int
    free: bool
    modifiers: tuple[int, ...] = ()

    def cites(self) -> tuple[str, ...]:
        start = ("18.1.p1", "2.1.p5") if self.free else ("18.0.p1", "22.0.8")
        needed = "18.0.2" if self.needed == 7 else "18.0.3"
        passed = "18.0.5" if self.total >= self.needed else "18.0.6"
        led = ("7.2.2", "7.2.6") if IN_RANGE in self.modifiers[::2] else ()
        changes = rules_of_modifiers(self.modifiers)
        return (*start, "18.0.1", "18.0.4", needed, passed, *led, *changes)


class Attached(Event, frozen=True, tag="ost.attached"):
    """`after_loss`: the unit he was with is gone, so he joined another of the stack."""

    leader: int
    unit: int
    after_loss: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("7.3.9",) if self.after_loss else ("7.3.p1", "7.3.1", "7.3.3", "2.1.p6")


class Detached(Event, frozen=True, tag="ost.detached"):
    rules: ClassVar[tuple[str, ...]] = ("7.3.p1", "2.1.p6")
    leader: int


class Merged(Event, frozen=True, tag="ost.merged"):
    rules: ClassVar[tuple[str, ...]] = ("18.2.p1", "18.2.1", "18.2.2", "18.2.3", "2.1.p6")
    kept: int
    gone: int


class Handed(Event, frozen=True, tag="ost.handed"):
    """A support weapon changed hands; unit -1 leaves it on the ground."""

    weapon: int
    unit: int
    why: str

    def cites(self) -> tuple[str, ...]:
        return {
            "reform": ("10.0.14", "2.1.p6"),
            "picked up": ("10.0.13",),
            "carrier lost": ("10.0.11",),
            "left": ("10.0.9",),
            "manning": ("8.0.3",),
        }[self.why]


class ReformOwed(Event, frozen=True, tag="ost.reform_owed"):
    rules: ClassVar[tuple[str, ...]] = ("2.1.p6",)
    side: int


class ReformEnded(Event, frozen=True, tag="ost.reform_ended"):
    rules: ClassVar[tuple[str, ...]] = ("2.1.p6",)
    side: int


class InitiativeRolled(Event, frozen=True, tag="ost.initiative_rolled"):
    """Two rolls a round, first side first, until they differ."""

    rules: ClassVar[tuple[str, ...]] = ("3.4.p1", "3.4.1", "3.4.2", "2.2.p1")
    rolls: tuple[Roll, ...]
    winner: int


class ImpulsesRolled(Event, frozen=True, tag="ost.impulses_rolled"):
    side: int
    roll: Roll
    plus: int
    losses: int
    total: int

    def cites(self) -> tuple[str, ...]:
        mounting = ("1.7.p2",) if self.losses else ()
        return ("4.0.3", "4.0.4", "2.2.p2", "3.1.6", *mounting)


class ImpulseGiven(Event, frozen=True, tag="ost.impulse_given"):
    """It is this side's impulse now."""

    rules: ClassVar[tuple[str, ...]] = ("4.0.1",)
    side: int


class Passed(Event, frozen=True, tag="ost.passed"):
    side: int
    first: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("3.4.3", "4.0.6") if self.first else ("4.0.6",)


class PointDropped(Event, frozen=True, tag="ost.point_dropped"):
    rules: ClassVar[tuple[str, ...]] = ("4.0.7",)
    side: int


class PointsSpent(Event, frozen=True, tag="ost.points_spent"):
    rules: ClassVar[tuple[str, ...]] = ("1.8.p2", "1.8.p3", "4.0.2", "4.0.5", "22.0.p1")
    side: int
    points: int


class ReinforcementsDue(Event, frozen=True, tag="ost.reinforcements_due"):
    """From now on these can come onto the map. Told to their own side alone."""

    rules: ClassVar[tuple[str, ...]] = ("2.1.p2",)
    side: int
    units: tuple[int, ...]


class MoveDeclared(Event, frozen=True, tag="ost.move_declared"):
    units: tuple[int, ...]
    path: tuple[int, ...]
    stealth: bool = False
    assault: bool = False
    reinforces: bool = False
    """The assault joins a melee of an earlier turn."""
    enters: bool = False
    """The units come onto the map."""
    waited: bool = False
    """It could have done so in an earlier turn."""

    def cites(self) -> tuple[str, ...]:
        if self.assault:
            together = ("25.0.7", "25.0.9") if len(self.units) > 1 else ()
            joins = ("30.4.13",) if self.reinforces else ()
            return ("25.0.p1", "25.0.1", "25.0.2", "25.0.5", "25.0.6", *together, *joins)
        stealth = ("23.3.1", "23.3.2", "23.3.4", "23.3.5") if self.stealth else ()
        group = ("23.1.p1", "23.1.2", "23.1.4") if len(self.units) > 1 else ()
        waited = ("23.6.3",) if self.waited else ()
        enters = ("23.6.1", "23.6.2", *waited) if self.enters else ()
        return (*enters, "23.0.1", "22.0.2", *stealth, *group)


class Entered(Event, frozen=True, tag="ost.entered"):
    rules: ClassVar[tuple[str, ...]] = ("23.0.p1", "23.0.4")
    units: tuple[int, ...]
    hex: int
    cost: int


class ReactionOwed(Event, frozen=True, tag="ost.reaction_owed"):
    """The other side may fire at what entered the hex. Told to nobody but the referee."""

    rules: ClassVar[tuple[str, ...]] = ("27.6.p1",)
    side: int


class FireHeld(Event, frozen=True, tag="ost.fire_held"):
    rules: ClassVar[tuple[str, ...]] = ("27.6.p1",)
    side: int


class Revealed(Event, frozen=True, tag="ost.revealed"):
    units: tuple[int, ...]
    why: str

    def cites(self) -> tuple[str, ...]:
        return {"fired": ("21.0.4", "21.0.8"), "moved": ("21.0.4",), "met": ("21.0.6",)}[self.why]


class MoveStopped(Event, frozen=True, tag="ost.move_stopped"):
    units: tuple[int, ...]
    why: str

    def cites(self) -> tuple[str, ...]:
        if self.why == "hidden enemy":
            return ("21.0.6",)
        group = ("23.1.6",) if len(self.units) > 1 else ()
        return ("23.0.9", "27.6.3", "27.6.6", *group)


class MoveEnded(Event, frozen=True, tag="ost.move_ended"):
    rules: ClassVar[tuple[str, ...]] = ("22.0.2",)
    units: tuple[int, ...]


class Pivoted(Event, frozen=True, tag="ost.pivoted"):
    rules: ClassVar[tuple[str, ...]] = ("8.0.13", "27.5.4")
    unit: int
    facing: int


class ControlTaken(Event, frozen=True, tag="ost.control_taken"):
    place: int
    side: int
    melee: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("3.2.5",) if self.melee else ("3.2.2",)


class FireDeclared(Event, frozen=True, tag="ost.fire_declared"):
    """Who fires with what at whom. Marks the firers, spends nothing."""

    firers: tuple[int, ...]
    weapons: tuple[int, ...]
    target: int
    second: int
    reaction: bool
    intensive: bool

    def cites(self) -> tuple[str, ...]:
        group = ("27.8.p1", "27.8.1", "27.8.2") if len(self.firers) > 1 else ()
        sustained = (
            ("8.1.2", "8.1.5", "8.1.6", "8.1.7", "8.1.8", "8.1.9") if self.second >= 0 else ()
        )
        reaction: tuple[str, ...] = ("27.6.1", "27.6.2", "27.6.8") if self.reaction else ()
        if self.reaction and group:
            reaction = (*reaction, "27.6.7")
        if self.reaction and sustained:
            reaction = (*reaction, "27.6.9")
        intensive = ("27.7.p1", "27.7.1", "22.0.9", "27.4.8") if self.intensive else ()
        weapons = ("10.0.4",) if self.weapons else ()
        head = ("27.4.1", "27.4.2", "27.4.4", "12.1.1", "22.0.3")
        return (*head, *group, *sustained, *reaction, *intensive, *weapons)


class Shot(Event, frozen=True, tag="ost.shot"):
    """One attack looked up on the Infantry Combat Table. OST 27.1, 28."""

    firers: tuple[int, ...]
    target: int
    distance: int
    firepower: int
    defense: int
    column: int
    roll: Roll
    total: int
    result: int
    modifiers: tuple[int, ...]

    def cites(self) -> tuple[str, ...]:
        codes = self.modifiers[::2]
        group = len(self.firers) > 1
        leads = ("7.2.6", "7.3.11", "7.5.1") if LEADS in codes else ()
        moved = ("27.5.2", "22.0.6", *(("27.8.6",) if group else ())) if MOVED in codes else ()
        shared = ("12.3.6", "27.8.7") if group and DEGRADED in codes else ()
        result = ("28.1.p5",) if not self.result else ("28.1.p6",) if self.result in DOUBLE else ()
        return (
            "27.1.1",
            "27.1.2",
            "27.2.1",
            "28.0.1",
            "28.0.3",
            "28.0.4",
            "28.0.p1",
            rule_of_row(self.total),
            *result,
            *leads,
            *moved,
            *shared,
            *rules_of_modifiers(self.modifiers),
        )


class CasualtyTaken(Event, frozen=True, tag="ost.casualty_taken"):
    """A full unit was reduced."""

    unit: int
    points: int
    crewed: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("28.1.p2", "8.0.1" if self.crewed else "6.0.1", "1.6.p4", "1.6.p1")


class Eliminated(Event, frozen=True, tag="ost.eliminated"):
    unit: int
    points: int
    why: str

    def cites(self) -> tuple[str, ...]:
        return {
            "destroyed": ("28.1.p1", "1.6.p3" if self.points == 2 else "1.6.p4"),
            "casualties": ("28.1.p2", "6.0.3", "1.6.p4"),
            "weapon crew casualties": ("28.1.p2", "8.0.1", "1.6.p4"),
            "weapon in melee": ("30.4.10", "30.4.1", "1.6.p3" if self.points == 2 else "1.6.p4"),
            "crew": ("28.1.p2", "1.6.p7"),
            "single person": ("7.0.5", "1.6.p10"),
            "sniper": ("7.0.5", "1.6.p11"),
            "leader in melee": ("7.0.5", "30.3.8", "1.6.p10"),
            "leader with his unit": ("28.2.1", "1.6.p10"),
            "leader casualty": ("28.2.2", "1.6.p10"),
            "no retreat": ("30.4.3", "17.2.5", "30.4.1"),
        }[self.why]


class GutChecked(Event, frozen=True, tag="ost.gut_checked"):
    """`now` is the morale after it."""

    unit: int
    result: int
    """1 shaken, 2 broken."""
    roll: Roll
    needed: int
    now: int
    leader: bool = False
    """A leader checks because the unit he is attached to failed."""

    def cites(self) -> tuple[str, ...]:
        passed = self.roll.total >= self.needed
        how = ("17.4.2",) if passed else ("17.4.3",)
        twice = ("17.2.6",) if not passed and self.result == 1 and self.now == 2 else ()
        leader = ("28.2.3",) if self.leader else ()
        kind = "28.1.p4" if self.result == 1 else "28.1.p3"
        return ("17.4.p1", "17.4.1", "17.4.4", kind, *how, *twice, *leader)


class AlreadyBroken(Event, frozen=True, tag="ost.already_broken"):
    rules: ClassVar[tuple[str, ...]] = ("17.3.6",)
    unit: int


class LeaderRolled(Event, frozen=True, tag="ost.leader_rolled"):
    leader: int
    roll: Roll
    dies_on: int
    """This or less kills him: 3 when his unit is gone, 1 when it was reduced."""

    def cites(self) -> tuple[str, ...]:
        return ("28.2.p1", "28.2.1" if self.dies_on == 3 else "28.2.2", "28.2.4")


class AmmoRanOut(Event, frozen=True, tag="ost.ammo_ran_out"):
    """A sustained-fire weapon is gone; its crew fights on as a reduced rifle squad."""

    rules: ClassVar[tuple[str, ...]] = ("8.1.10",)
    unit: int
    becomes: int


class ShakenByOwnFire(Event, frozen=True, tag="ost.shaken_by_own_fire"):
    """Intensive fire leaves the unit shaken and done for the turn."""

    rules: ClassVar[tuple[str, ...]] = ("27.7.1", "27.7.3")
    unit: int


class TurnEnded(Event, frozen=True, tag="ost.turn_ended"):
    """Markers come off, points are scored."""

    points: tuple[int, int]
    contested: tuple[int, ...] = ()
    """Control hexes that score for nobody, by their place in the scenario."""

    def cites(self) -> tuple[str, ...]:
        contested = ("3.2.4",) if self.contested else ()
        return ("2.3.p1", "2.3.p2", "2.3.p3", "1.5.p1", "1.10.p11", *contested)


class ExtendedPlayRolled(Event, frozen=True, tag="ost.extended_play_rolled"):
    rules: ClassVar[tuple[str, ...]] = ("1.4.p1", "2.4.p1")
    rolls: tuple[Roll, ...]
    extended: bool


class BattleEnded(Event, frozen=True, tag="ost.battle_ended"):
    """`winner` -1 is a draw. `points` are final."""

    winner: int
    how: str
    points: tuple[int, int]

    def cites(self) -> tuple[str, ...]:
        return (
            ("3.1.10",)
            if self.how == "all enemy units destroyed"
            else ("1.3.p3", "2.4.p2", "2.4.p3", "3.1.1", "3.1.9")
        )


AnyEvent = (
    Deployed
    | TurnStarted
    | Rallied
    | Attached
    | Detached
    | Merged
    | Handed
    | ReformOwed
    | ReformEnded
    | InitiativeRolled
    | ImpulsesRolled
    | ImpulseGiven
    | Passed
    | PointDropped
    | PointsSpent
    | ReinforcementsDue
    | MoveDeclared
    | Entered
    | ReactionOwed
    | FireHeld
    | Revealed
    | MoveStopped
    | MoveEnded
    | Pivoted
    | ControlTaken
    | FireDeclared
    | Shot
    | CasualtyTaken
    | Eliminated
    | GutChecked
    | AlreadyBroken
    | LeaderRolled
    | AmmoRanOut
    | ShakenByOwnFire
    | MeleeMarked
    | MeleePhaseBegan
    | MeleeOpened
    | Evaded
    | Concentrated
    | MeleeJoined
    | Struck
    | RetreatsOwed
    | Retreated
    | MeleeClosed
    | TurnEnded
    | ExtendedPlayRolled
    | BattleEnded
    | AnyVehicleEvent
)

"""What happened in a battle of Old School Tactical. Kinds are for ever.

Counters and hexes are their numbers in the scenario. Modifiers are (code, amount) pairs in
one flat tuple; codes below 1000 are those of `tables/modifiers.toml`, the rest terrain.
"""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.airborne_events import AnyAirborneEvent
from rulesengine.rulesets.ost.charts import (
    ICT_RESULTS,
    MODIFIER,
    rule_of_row,
    rules_of_modifiers,
)
from rulesengine.rulesets.ost.field_events import AnyFieldEvent
from rulesengine.rulesets.ost.goal_events import AnyGoalEvent
from rulesengine.rulesets.ost.heavy_events import AnyHeavyEvent
from rulesengine.rulesets.ost.luck_events import AnyLuckEvent
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
from rulesengine.rulesets.ost.street_events import AnyStreetEvent
from rulesengine.rulesets.ost.support_events import AnySupportEvent
from rulesengine.rulesets.ost.transport_events import AnyTransportEvent
from rulesengine.rulesets.ost.turn_events import (
    Attached,
    BattleEnded,
    ControlTaken,
    Deployed,
    Detached,
    Entered,
    ExtendedPlayRolled,
    FireHeld,
    Handed,
    ImpulseGiven,
    ImpulsesRolled,
    InitiativeRolled,
    Merged,
    MoveDeclared,
    MoveEnded,
    MoveStopped,
    Passed,
    Pivoted,
    PointDropped,
    PointsSpent,
    Rallied,
    ReactionOwed,
    ReformEnded,
    ReformOwed,
    ReinforcementsDue,
    Revealed,
    TurnEnded,
    TurnStarted,
)
from rulesengine.rulesets.ost.vehicle_events import AnyVehicleEvent

LEADS = MODIFIER["LEADER_ATTACHED"].code
MOVED = MODIFIER["MOVING_FIRE"].code
DEGRADED = MODIFIER["DEGRADED_SIGHT"].code
SHAKEN = MODIFIER["SHAKEN_FIREPOWER"].code
DOUBLE = (ICT_RESULTS.index("C-S"), ICT_RESULTS.index("C-B"))

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
    "ReinforcementsDue",
    "Retreated",
    "RetreatsOwed",
    "Revealed",
    "ShakenByOwnFire",
    "Shot",
    "Struck",
    "TurnEnded",
    "TurnStarted",
]


WITH, BEYOND, ANTITANK_ALONE, THROWN_ALONE = "10.0.4", "10.0.5", "10.1.1", "10.0.8"
"""How support weapons fire: their firepower added to the squad's, past its range, or at a vehicle
that its small arms have no part in."""


class FireDeclared(Event, frozen=True, tag="ost.fire_declared"):
    """Who fires with what at whom. Marks the firers, spends nothing."""

    firers: tuple[int, ...]
    weapons: tuple[int, ...]
    target: int
    second: int
    reaction: bool
    intensive: bool
    at_group: bool = False
    """In reaction to units that move together."""
    at_leader: bool = False
    """At a leader who is alone in his hex."""
    picks: bool = False
    """A sniper picks a leader out of those he is with."""
    by: str = WITH
    """The rule by which the weapons fire: with the squad, or alone."""

    def cites(self) -> tuple[str, ...]:
        group = ("27.8.p1", "27.8.1", "27.8.2", "27.8.5") if len(self.firers) > 1 else ()
        sustained = (
            ("8.1.2", "8.1.5", "8.1.6", "8.1.7", "8.1.8", "8.1.9") if self.second >= 0 else ()
        )
        reaction: tuple[str, ...] = ("27.6.1", "27.6.2", "27.6.8") if self.reaction else ()
        if self.reaction and group:
            reaction = (*reaction, "27.6.7")
        if self.reaction and sustained:
            reaction = (*reaction, "27.6.9")
        intensive = ("27.7.p1", "27.7.1", "22.0.9", "27.4.8") if self.intensive else ()
        weapons = (self.by,) if self.weapons else ()
        head = ("27.4.1", "27.4.2", "27.4.4", "12.1.1", "22.0.3")
        marks = ("1.10.p5", "27.4.9")
        at = ("23.1.5",) * self.at_group + ("27.4.7",) * self.at_leader + ("7.1.3",) * self.picks
        return (*head, *group, *sustained, *reaction, *intensive, *weapons, *marks, *at)


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
        leads: tuple[str, ...] = ("7.2.6", "7.3.11", "7.5.1", "7.5.p1") if LEADS in codes else ()
        if leads and group:
            leads = (*leads, "7.5.3")
        moved = ("27.5.2", "22.0.6", *(("27.8.6",) if group else ())) if MOVED in codes else ()
        shared = ("12.3.6", "27.8.7") if group and DEGRADED in codes else ()
        result = ("28.1.p5",) if not self.result else ("28.1.p6",) if self.result in DOUBLE else ()
        aid = ("27.1.p1", "27.3.p2", "1.9.p1", "1.9.p16", "1.9.p17")
        halved = ("10.0.16",) if SHAKEN in codes else ()
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
            *aid,
            *halved,
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
        nerve = ("17.0.p2",) if passed else ("17.0.p2", "1.10.p8")
        return ("17.4.p1", "17.4.1", "17.4.4", kind, *how, *twice, *leader, *nerve)


class AlreadyBroken(Event, frozen=True, tag="ost.already_broken"):
    rules: ClassVar[tuple[str, ...]] = ("17.3.6",)
    unit: int


class LeaderRolled(Event, frozen=True, tag="ost.leader_rolled"):
    leader: int
    roll: Roll
    dies_on: int
    """This or less kills him: 3 when his unit is gone, 1 when it was reduced."""

    def cites(self) -> tuple[str, ...]:
        worst = "28.2.1" if self.dies_on == 3 else "28.2.2"
        return ("28.2.p1", worst, "28.2.4", "1.9.p18", "27.4.5")


class AmmoRanOut(Event, frozen=True, tag="ost.ammo_ran_out"):
    """A sustained-fire weapon is gone; its crew fights on as a reduced rifle squad."""

    rules: ClassVar[tuple[str, ...]] = ("8.1.10",)
    unit: int
    becomes: int


class ShakenByOwnFire(Event, frozen=True, tag="ost.shaken_by_own_fire"):
    """Intensive fire leaves the unit shaken and done for the turn."""

    rules: ClassVar[tuple[str, ...]] = ("27.7.1", "27.7.3")
    unit: int


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
    | AnyFieldEvent
    | AnySupportEvent
    | AnyTransportEvent
    | AnyStreetEvent
    | AnyHeavyEvent
    | AnyGoalEvent
    | AnyAirborneEvent
    | AnyLuckEvent
)

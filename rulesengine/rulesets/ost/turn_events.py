"""Turns and moves: what happens beside fire and melee; see `events.py`. Kinds are for ever."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import MODIFIER, rules_of_modifiers

IN_RANGE = MODIFIER["LEADER_IN_RANGE"].code


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
        return ("3.1.4", "20.0.1", *attached, *hidden, *facings, "7.1.2")


class TurnStarted(Event, frozen=True, tag="ost.turn_started"):
    rules: ClassVar[tuple[str, ...]] = ("2.1.p1", "1.3.p1", "2.0.p1")
    turn: int
    """Counts down to 1; 0 is extended play."""


HELPS = {"leader": "7.3.10", "vehicle": "7.4.2", "branch": "7.5.2", "commissar": "7.5.4"}


class Rallied(Event, frozen=True, tag="ost.rallied"):
    """A rally attempt, free or paid for. `now` is the morale after it."""

    unit: int
    roll: Roll
    total: int
    needed: int
    now: int
    free: bool
    modifiers: tuple[int, ...] = ()
    helps: str = ""
    """Why a leader helps who does not lead foot soldiers of his own branch here, if one does."""

    def cites(self) -> tuple[str, ...]:
        start = ("18.1.p1", "2.1.p5") if self.free else ("18.0.p1", "22.0.8")
        needed = "18.0.2" if self.needed == 7 else "18.0.3"
        passed = "18.0.5" if self.total >= self.needed else "18.0.6"
        led = ("7.2.2", "7.2.6") if IN_RANGE in self.modifiers[::2] else ()
        helps = (HELPS[self.helps],) if self.helps else ()
        changes = rules_of_modifiers(self.modifiers)
        whole = ("17.1.1",) if self.now == 0 else ()
        return (*start, "18.0.1", "18.0.4", needed, passed, *led, *helps, *changes, *whole)


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
    rules: ClassVar[tuple[str, ...]] = ("18.2.p1", "18.2.1", "18.2.2", "18.2.3", "2.1.p6", "18.2.5")
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
            "put down": ("10.0.12", "10.0.13"),
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
        mounting = ("1.7.p2", "1.7.p3") if self.losses else ()
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
    after_fire: bool = False
    """It has fired before, and that fire was not moving fire."""

    def cites(self) -> tuple[str, ...]:
        if self.assault:
            together = ("25.0.7", "25.0.9") if len(self.units) > 1 else ()
            joins = ("30.4.13",) if self.reinforces else ()
            return ("25.0.p1", "25.0.1", "25.0.2", "25.0.5", "25.0.6", *together, *joins)
        stealth = ("23.3.1", "23.3.2", "23.3.4", "23.3.5", "7.1.7") if self.stealth else ()
        group = ("23.1.p1", "23.1.2", "23.1.4") if len(self.units) > 1 else ()
        waited = ("23.6.3",) if self.waited else ()
        enters = ("23.6.1", "23.6.2", *waited) if self.enters else ()
        after = ("22.0.7", "27.5.3", "1.10.p6") if self.after_fire else ()
        return (*enters, "23.0.1", "22.0.2", *stealth, *group, *after)


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
        return {
            "fired": ("21.0.4", "21.0.8"),
            "moved": ("21.0.4",),
            "joined": ("21.0.4", "21.0.8"),
            "met": ("21.0.6",),
            "shelled": ("21.0.5", "33.4.7"),
            "bombed": ("32.0.6",),
            "collapse": ("16.7.9",),
            "spotted": ("3.3.3",),
        }[self.why]


class MoveStopped(Event, frozen=True, tag="ost.move_stopped"):
    units: tuple[int, ...]
    why: str

    def cites(self) -> tuple[str, ...]:
        if self.why == "hidden enemy":
            return ("21.0.6",)
        if self.why == "enemy in the way":
            return ("23.0.8",)
        if self.why == "no road":
            return ("16.7.8", "16.6.6")
        group = ("23.1.6",) if len(self.units) > 1 else ()
        if self.why in ("mines", "shells"):
            return ("23.0.9", "28.1.p2", *group)
        return ("23.0.9", "27.6.3", "27.6.6", *group)


class MoveEnded(Event, frozen=True, tag="ost.move_ended"):
    rules: ClassVar[tuple[str, ...]] = ("22.0.2", "1.10.p4")
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
        return ("3.2.5" if self.melee else "3.2.2", "1.10.p10", "3.1.5")


class TurnEnded(Event, frozen=True, tag="ost.turn_ended"):
    """Markers come off, points are scored."""

    points: tuple[int, int]
    contested: tuple[int, ...] = ()
    """Control hexes that score for nobody, by their place in the scenario."""

    def cites(self) -> tuple[str, ...]:
        contested = ("3.2.4",) if self.contested else ()
        off = ("1.10.p11", "29.2.4", "33.4.13")
        owned = ("1.5.p2", "3.2.p1", "3.2.1", "3.2.3", "7.0.2") if any(self.points) else ()
        return ("2.3.p1", "2.3.p2", "2.3.p3", "1.5.p1", *off, *contested, *owned)


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
            else ("1.3.p3", "2.4.p2", "2.4.p3", "3.1.1", "3.1.9", "1.5.p3")
        )

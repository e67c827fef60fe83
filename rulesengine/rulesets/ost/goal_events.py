"""Goals, and what a scenario rolls for before a turn (OST 2.1.p4, 3.1.7, 3.1.9). Kinds are for
ever; see `events.py`."""

from __future__ import annotations

from rulesengine.contract import Event
from rulesengine.dice import Roll

__all__ = ["AnyGoalEvent", "BatteryRolled", "GoalMet"]


class GoalMet(Event, frozen=True, tag="ost.goal_met"):
    """A side has all that one of its goals needs; `sudden`: that ends the battle."""

    side: int
    goal: int
    """Its place among the scenario's goals."""
    sudden: bool = False

    def cites(self) -> tuple[str, ...]:
        return ("3.1.9", "2.4.p3", *(("3.1.7",) if self.sudden else ()))


class BatteryRolled(Event, frozen=True, tag="ost.battery_rolled"):
    """Whether a battery can be called in the turn that begins. Told to its own side alone."""

    side: int
    battery: int
    roll: Roll
    needed: int

    @property
    def ready(self) -> bool:
        return self.roll.total >= self.needed

    def cites(self) -> tuple[str, ...]:
        return ("2.1.p4", "3.1.7")


AnyGoalEvent = GoalMet | BatteryRolled

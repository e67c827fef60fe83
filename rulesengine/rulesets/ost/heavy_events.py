"""Heavy guns at buildings (OST 16.7.2, 16.7.3). Kinds are for ever; see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import rules_of_modifiers

__all__ = ["AnyHeavyEvent", "BuildingFiredAt", "HeavyRoundStruck"]


class BuildingFiredAt(Event, frozen=True, tag="ost.building_fired_at"):
    """A heavy gun fires at an empty building."""

    firer: int
    hex: int
    distance: int
    needed: int
    roll: Roll
    total: int
    critical: bool
    intensive: bool
    modifiers: tuple[int, ...] = ()

    @property
    def hit(self) -> bool:
        """OST 29.0.5, 29.0.11."""
        return self.critical or self.total >= self.needed

    def cites(self) -> tuple[str, ...]:
        intensive = ("27.7.p1", "27.7.1") if self.intensive else ()
        head = ("16.7.3", "16.7.2", "22.0.3", "29.0.4", "29.0.5")
        return (*head, *intensive, *rules_of_modifiers(self.modifiers))


class HeavyRoundStruck(Event, frozen=True, tag="ost.heavy_round_struck"):
    """A heavy gun has fired at units in a building or bunker, which may fall."""

    rules: ClassVar[tuple[str, ...]] = ("16.7.2", "16.7.4")
    firer: int
    hex: int


AnyHeavyEvent = BuildingFiredAt | HeavyRoundStruck

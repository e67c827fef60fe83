"""What happens in the Melee Phase (OST 25.0.10, 30, 7.0.4). Kinds are for ever; see `events.py`."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET, UnsetType

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import MODIFIER, rule_of_row, rules_of_modifiers

HALVED = MODIFIER["SHAKEN_FIREPOWER"].code


class MeleeMarked(Event, frozen=True, tag="ost.melee_marked"):
    hex: int
    side: int
    crash: bool | UnsetType = UNSET
    """A glider came down among the enemy."""

    def cites(self) -> tuple[str, ...]:
        return ("26.4.14" if self.crash is True else "25.0.10", "1.10.p7")


class MeleePhaseBegan(Event, frozen=True, tag="ost.melee_phase_began"):
    rules: ClassVar[tuple[str, ...]] = ("2.2.p3", "2.2.p4", "4.0.8", "30.1.1")
    hexes: tuple[int, ...]


class MeleeOpened(Event, frozen=True, tag="ost.melee_opened"):
    """One melee is about to be fought: who may evade, and which side may concentrate (-1
    neither)."""

    rules: ClassVar[tuple[str, ...]] = ("30.2.1",)
    hex: int
    evaders: tuple[int, ...]
    concentrates: int


class Evaded(Event, frozen=True, tag="ost.evaded"):
    """`to` is -1 where it failed or did not try (then without a roll)."""

    rules: ClassVar[tuple[str, ...]] = ("7.0.4",)
    unit: int
    to: int
    roll: Roll | None = None


class Concentrated(Event, frozen=True, tag="ost.concentrated"):
    side: int
    target: int

    def cites(self) -> tuple[str, ...]:
        one = ("30.5.1", "30.5.3") if self.target >= 0 else ()
        return ("30.5.p1", "30.5.2", "30.5.4", "30.5.5", "30.5.6", *one)


class MeleeJoined(Event, frozen=True, tag="ost.melee_joined"):
    """Both sides' totals and columns; a column of -1 does not attack."""

    rules: ClassVar[tuple[str, ...]] = (
        "30.2.3",
        "30.3.1",
        "30.3.2",
        "30.3.3",
        "30.3.4",
        "27.1.p3",
    )
    hex: int
    firepower: tuple[int, int]
    defense: tuple[int, int]
    columns: tuple[int, int]
    modifiers: tuple[tuple[int, ...], tuple[int, ...]]
    lone: tuple[str, ...] = ()
    """The rules about a single person who fights alone."""
    lorries: bool = False
    """An unarmed lorry is in it."""

    def cites(self) -> tuple[str, ...]:
        halved = ("30.2.8",) if any(HALVED in m[::2] for m in self.modifiers) else ()
        silent = ("30.2.9",) if -1 in self.columns else ()
        changes = (r for m in self.modifiers for r in rules_of_modifiers(m))
        lorries = ("30.3.10",) if self.lorries else ()
        return (*self.rules, "30.2.2", *self.lone, *halved, *silent, *lorries, *changes, "10.0.15")


class Struck(Event, frozen=True, tag="ost.struck"):
    """One attack roll of a melee."""

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
        return ("30.3.5", "30.3.6", "30.3.7", rule_of_row(self.total), *added, *changes)


class RetreatsOwed(Event, frozen=True, tag="ost.retreats_owed"):
    """Who has to leave a melee hex. `because`: the rules that made it so."""

    hex: int
    units: tuple[int, ...]
    because: tuple[str, ...] = ("30.4.3",)

    def cites(self) -> tuple[str, ...]:
        return self.because


class Retreated(Event, frozen=True, tag="ost.retreated"):
    unit: int
    to: int
    because: tuple[str, ...] = ("30.4.3",)

    def cites(self) -> tuple[str, ...]:
        return self.because


class MeleeClosed(Event, frozen=True, tag="ost.melee_closed"):
    """The melee of this turn is over; `resolved` if one side is left or none."""

    hex: int
    resolved: bool
    duel: bool = False

    def cites(self) -> tuple[str, ...]:
        if self.duel:
            return ("31.2.1", "31.2.2")
        return ("30.4.11",) if self.resolved else ("30.4.12", "30.4.2", "30.4.14")

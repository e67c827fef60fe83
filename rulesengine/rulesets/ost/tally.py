"""A number and what changed it. Modifiers are integer codes here; words come when somebody reads.

Codes below 1000 stand in `tables/modifiers.toml`, the others are those of terrain.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rulesengine.contract import Modifier
from rulesengine.rulesets.ost.charts import MODIFIER, MODIFIERS, NAMES

AMOUNT = {row.code: row.amount for row in MODIFIERS}


def code(key: str) -> int:
    """The code of a modifier of `tables/modifiers.toml`."""
    return MODIFIER[key].code


class Tally(msgspec.Struct, gc=False):
    """`value` as it stands; `parts` is code, amount, code, amount ..."""

    value: int
    parts: list[int] = []

    def add(self, modifier: int, times: int = 1) -> None:
        """Apply a named modifier of the table so many times."""
        if times:
            self.plus(modifier, AMOUNT[modifier] * times)

    def plus(self, modifier: int, amount: int) -> None:
        if amount:
            self.value += amount
            self.parts += (modifier, amount)

    def halve(self, modifier: int) -> None:
        """Halve what stands, fractions rounded down."""
        self.plus(modifier, self.value // 2 - self.value)

    def at_least(self, least: int) -> Tally:
        self.value = max(self.value, least)
        return self


def words(parts: tuple[int, ...]) -> tuple[Modifier, ...]:
    """Modifiers of an event in words."""
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return tuple(Modifier(amount, *NAMES[modifier]) for modifier, amount in pairs)


def words_of(**changed: Iterable[int]) -> tuple[Modifier, ...]:
    """Modifiers in words, each with the number it changes: `words_of(FP=..., roll=...)`."""
    return tuple(
        Modifier(m.amount, f"{number.replace('_', ' ')}: {m.name}", m.rule)
        for number, parts in changed.items()
        for m in words(tuple(parts))
    )

"""Vehicle cards (OST 9.0, 11.0): what stands on a vehicle's counter and card, and its origin.

They serve questions about single shots and duels. Vehicles do not take part in battles yet;
`state.NOT_BUILT` says so to whoever lists one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rulesengine.tables import Row, read_rows

REACHES = (2, 6, 12, 18, 24, 30, 40)
"""The last hex of each reach of a weapon table. OST 29.0.4."""

NEEDED = (5, 6, 7, 8, 9, 10, 11)
"""The to-hit number of each reach: 7 is printed at 8 and 10 hexes (29.3 and 29.0 examples), the
others are estimates."""


class VehicleCard(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One vehicle. Figures are 0, or absent, where the counter has none."""

    key: str
    title: str
    nation: Literal["german", "soviet", "us", "british", "italian", "french", "polish"]
    movement: Literal["tracked", "wheeled"]
    mp: int
    he: int = 0
    """Firepower of the main armament against soft targets. OST 9.0.3."""
    ap: tuple[int, int, int, int, int] | None = None
    """Armour-piercing firepower by reach; the last holds for all farther ones."""
    mg: int = 0
    """Firepower of the machine guns. OST 9.0.4."""
    front: int
    flank: int
    open_top: bool = False
    arc: bool = False
    """The main armament fires in the front arc only. OST 9.0.6."""
    printed: tuple[str, ...] = ()
    """Which figures the book prints, and where."""

    @property
    def armaments(self) -> int:
        """How many kinds of armament it has: a main one, machine guns."""
        return bool(self.he or self.ap) + bool(self.mg)

    def piercing(self, distance: int) -> int:
        """Armour-piercing firepower at a distance; 0 without such a gun. OST 29.0.6."""
        return self.ap[min(reach(distance), len(self.ap) - 1)] if self.ap else 0


CARDS = read_rows(Path(__file__).with_name("units") / "vehicles.toml", VehicleCard)
BY_KEY = {card.key: card for card in CARDS}


def reach(distance: int) -> int:
    """The reach of a weapon table that a distance falls into. Raises ValueError beyond all."""
    for index, last in enumerate(REACHES):
        if distance <= last:
            return index
    raise ValueError(f"{distance} hexes is past every weapon's range of {REACHES[-1]}")

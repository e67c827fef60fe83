"""Rule questions anybody may ask, answered by the functions that resolve battles.

Each is a document with a `kind`; `python -m rulesengine ask` and the rules desk read them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.vehicle_questions import AnyVehicleQuestion

MoraleWord = Literal["good order", "shaken", "broken"]
QualityWord = Literal["elite", "regular", "poor"]


class Question(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question."""


class InfantryAttack(Question, frozen=True, kw_only=True, tag="infantry attack"):
    """An attack on a foot unit, or several like it. OST 27.1, 28."""

    firepower: tuple[int, ...]
    """Printed FP of each unit and support weapon that fires together."""
    defense: int
    terrain: tuple[str, ...] = ()
    """Terrain of the target's hex."""
    hexside: str = ""
    """Hexside terrain the attack is traced through into the target's hex."""
    markers: tuple[str, ...] = ()
    """Battlefield markers on the target's hex: foxholes, trench, cover ..."""
    degraded: int = 0
    """Degrading hexes and hexsides on the way."""
    adjacent: bool = False
    shaken: bool = False
    """The firer is shaken."""
    intensive: bool = False
    moved: bool = False
    leader: bool = False
    ambush: bool = False
    from_ground: Literal["higher", "level", "lower"] = "level"
    """Where the firer stands, against the target. OST 12.4.11, 12.4.12."""
    gut_check: int = 7
    """Of the target's side."""
    steps: int = 2
    """Of the target: 2 full, 1 reduced or single."""
    morale: MoraleWord = "good order"
    attacks: int = 1
    """How many such attacks one after the other, the target never rallying in between."""


class GutCheck(Question, frozen=True, kw_only=True, tag="gut check"):
    """A gut check against a Shaken or Broken result. OST 17.4."""

    gut_check: int
    result: Literal["shaken", "broken"]
    morale: MoraleWord = "good order"


class RallyAttempt(Question, frozen=True, kw_only=True, tag="rally"):
    """OST 18."""

    morale: Literal["shaken", "broken"]
    leader: bool = False
    """Another good order leader has the unit in command range."""
    quality: QualityWord = "regular"


class LineOfSight(Question, frozen=True, kw_only=True, tag="line of sight"):
    """Between two hexes of a map. OST 12, 15."""

    map: HexMap
    start: str
    end: str
    on_ground_floor: tuple[Literal["start", "end"], ...] = ()
    """Where a weapon marked * stands in a building of several storeys. OST 16.3.5."""


class MovementCost(Question, frozen=True, kw_only=True, tag="movement cost"):
    """Of a path on foot. OST 14, 15, 23."""

    map: HexMap
    path: tuple[str, ...]
    """Hexes in order, the first is where the unit stands."""
    points: int = 4
    """Movement points it has."""


AnyQuestion = (
    InfantryAttack | GutCheck | RallyAttempt | LineOfSight | MovementCost | AnyVehicleQuestion
)

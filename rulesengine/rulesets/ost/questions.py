"""Rule questions anybody may ask, answered by the functions that resolve battles.

Each is a document with a `kind`; `python -m rulesengine ask` and the rules desk read them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesengine.rulesets.ost.scenario import HexMap

MoraleWord = Literal["good order", "shaken", "broken"]
QualityWord = Literal["elite", "regular", "poor"]


class Question(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question."""


class InfantryAttack(Question, frozen=True, kw_only=True, tag="infantry attack"):
    """One attack on a foot unit. OST 27.1, 28."""

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


class VehicleShot(Question, frozen=True, kw_only=True, tag="vehicle shot"):
    """One shot at a vehicle: the roll to hit, the Vehicle Combat Table, the damage. OST 29."""

    firer: str = ""
    """Key of a vehicle card; else `firepower` and `needed` say what the weapon's card says."""
    firepower: int = 0
    """Armour-piercing, or high-explosive against a soft target, at this range."""
    needed: int = 0
    """To-hit number at this range; 0 = it hits by itself (small arms, thrown weapons)."""
    thrown: bool = False
    """A thrown weapon or flamethrower: hits by itself, at half firepower (10.0.8)."""
    small_arms: bool = False
    """Foot units and machine guns at a soft vehicle: hit by themselves, halved (9.2.2)."""
    distance: int = 1
    target: str = ""
    """Key of a vehicle card; else `defense` is the one attacked."""
    defense: int = 0
    aspect: Literal["front", "flank"] = "front"
    soft: bool = False
    """An unarmed soft vehicle such as a truck."""
    terrain: tuple[str, ...] = ()
    """Terrain of the target's hex."""
    hexside: str = ""
    degraded: int = 0
    from_ground: Literal["higher", "level", "lower"] = "level"
    moved: bool = False
    intensive: bool = False
    ambush: bool = False
    acquired: bool = False
    """Fired at before in this turn by the same unit (29.2)."""
    armor_leader: bool = False
    leader: bool = False
    shaken: bool = False
    """The firer is."""
    reduced: bool = False
    captured: bool = False
    quality: QualityWord = "regular"
    target_immobile: bool = False
    """Bogged or immobilized."""
    target_damaged: bool = False
    """It has taken damage that was not minor (29.4.4)."""
    target_morale: MoraleWord = "good order"
    gut_check: int = 7
    """Of the target's side."""


class Duellist(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle in a duel, by the key of its card."""

    vehicle: str
    gut_check: int = 7
    morale: MoraleWord = "good order"
    armor_leader: bool = False
    damaged: bool = False


class TankDuel(Question, frozen=True, kw_only=True, tag="tank duel"):
    """Two armoured vehicles in one hex. OST 31."""

    assaults: Duellist
    other: Duellist
    melee_bonus: bool = True
    """The +2 of 31.1.6; without it the book's own example is worked out."""


AnyQuestion = (
    InfantryAttack | GutCheck | RallyAttempt | LineOfSight | MovementCost | VehicleShot | TankDuel
)
"""Everything that can be asked."""

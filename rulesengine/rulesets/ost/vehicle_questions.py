"""Rule questions about vehicles and guns; see `questions.py`."""

from __future__ import annotations

from typing import Literal

import msgspec

from rulesengine.rulesets.ost.scenario import HexMap

MoraleWord = Literal["good order", "shaken", "broken"]
QualityWord = Literal["elite", "regular", "poor"]
Ground = Literal["higher", "level", "lower"]
DirectionWord = Literal["N", "NE", "SE", "S", "SW", "NW"]


class VehicleQuestion(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question about vehicles."""


class ToHitRoll(VehicleQuestion, frozen=True, kw_only=True, tag="to hit"):
    """Whether a shot at a vehicle hits. OST 29.0.3 to 29.0.5, 29.2."""

    distance: int
    degraded: int = 0
    captured: bool = False
    """The firer uses a captured weapon."""
    shaken: bool = False
    reduced: bool = False
    """The firer is the reduced crew of a gun."""
    quality: QualityWord = "regular"
    immobile: bool = False
    """The target is bogged or immobilised."""
    acquired: bool = False
    moved: bool = False
    leader: bool = False
    armor_leader: bool = False
    ambush: bool = False
    intensive: bool = False
    from_ground: Ground = "level"


class VehicleAttack(VehicleQuestion, frozen=True, kw_only=True, tag="vehicle attack"):
    """One attack on a vehicle with its roll to hit, if it takes one. OST 29, 9.1, 9.2, 10.0.8."""

    weapon: str = ""
    """Key of a vehicle, gun or support weapon; empty for small arms."""
    hull: bool = False
    """The hull gun of two main armaments."""
    firepower: tuple[int, ...] = ()
    """Printed FP of small arms that fire together."""
    target: str
    """Key of the vehicle."""
    distance: int
    flank: bool = False
    terrain: tuple[str, ...] = ()
    hexside: str = ""
    degraded: int = 0
    captured: bool = False
    shaken: bool = False
    """The firer is shaken."""
    reduced: bool = False
    quality: QualityWord = "regular"
    immobile: bool = False
    acquired: bool = False
    moved: bool = False
    leader: bool = False
    armor_leader: bool = False
    ambush: bool = False
    intensive: bool = False
    from_ground: Ground = "level"
    gut_check: int = 7
    """Of the target's side."""
    damaged: bool = False
    """The target has a damage that is not minor."""
    morale: MoraleWord = "good order"
    """Of the target."""


class Duellist(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One vehicle of a tank duel."""

    vehicle: str
    """Its key."""
    armor_leader: bool = False
    morale: MoraleWord = "good order"
    gut_check: int = 7
    damaged: bool = False


class TankDuel(VehicleQuestion, frozen=True, kw_only=True, tag="tank duel"):
    """A duel of one against one: what comes of it for both. OST 31."""

    one: Duellist
    two: Duellist
    without_bonus: bool = False
    """Leave out the +2 of 31.1.6, as the book's example does."""


class DriveCost(VehicleQuestion, frozen=True, kw_only=True, tag="drive"):
    """What a drive costs, and where it may end in a bog. OST 14, 15, 23.4, 23.5."""

    map: HexMap
    vehicle: str
    """Its key."""
    facing: DirectionWord
    """Where it looks at first."""
    path: tuple[str, ...]
    """Hexes in order, the first is where it stands; the same hex again is a pivot."""
    facings: tuple[DirectionWord, ...]
    """After each step."""
    shaken: bool = False


AnyVehicleQuestion = ToHitRoll | VehicleAttack | TankDuel | DriveCost

"""Rule questions about vehicles and guns; see `questions.py`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    CATEGORY,
    FLAME,
    GUN,
    THROWN,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.scenario import HexMap

SHELL_FIRING = frozenset(
    row.key
    for kind, row in enumerate(TYPES)
    if CATEGORY[kind] == VEHICLE or TRAITS[kind] & (GUN | ANTITANK)
)
"""What rolls to hit. OST 29.0.1, 10.1.1."""
WEAPONS = sorted(
    row.key
    for kind, row in enumerate(TYPES)
    if row.key in SHELL_FIRING or TRAITS[kind] & (THROWN | FLAME)
)
"""What attacks a vehicle otherwise than small arms do."""


class VehicleQuestion(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question about vehicles."""


class ToHitRoll(VehicleQuestion, frozen=True, kw_only=True, tag="to hit"):
    """Whether a shot at a vehicle hits. OST 29.0.3 to 29.0.5, 29.2."""

    distance: say.Distance
    degraded: say.Degraded = 0
    quality: say.Quality = "regular"
    from_ground: say.Footing = "level"
    immobile: say.Immobile = False
    acquired: say.Acquired = False
    moved: say.FirerMoved = False
    shaken: say.FirerShaken = False
    reduced: say.FirerReduced = False
    captured: say.Captured = False
    leader: say.Led = False
    armor_leader: say.ArmorLed = False
    ambush: say.Ambush = False
    intensive: say.Intensive = False


class VehicleAttack(VehicleQuestion, frozen=True, kw_only=True, tag="vehicle attack"):
    """One attack on a vehicle with its roll to hit, if it takes one. OST 29, 9.1, 9.2, 10.0.8."""

    weapon: Annotated[
        str,
        Meta(
            title="Weapon",
            description="Vehicle, gun or support weapon; none for small arms.",
            extra_json_schema={"enum": ["", *WEAPONS]},
        ),
    ] = ""
    hull: Annotated[bool, Meta(title="The hull gun of two main armaments")] = False
    firepower: Annotated[
        say.FirePowers,
        Meta(title="Firepower", description="Printed FP of small arms that fire together."),
    ] = ()
    target: Annotated[str, Meta(title="Vehicle attacked", extra_json_schema={"enum": say.VEHICLES})]
    distance: say.Distance
    flank: Annotated[bool, Meta(title="In its flank")] = False
    gut_check: say.GutCheckNumber = 7
    morale: say.TargetMorale = "good order"
    damaged: Annotated[bool, Meta(title="It has a damage that is not minor")] = False
    terrain: say.Terrain = ()
    hexside: say.Hexside = ""
    markers: say.Markers = ()
    degraded: say.Degraded = 0
    quality: say.Quality = "regular"
    from_ground: say.Footing = "level"
    immobile: say.Immobile = False
    acquired: say.Acquired = False
    moved: say.FirerMoved = False
    shaken: say.FirerShaken = False
    reduced: say.FirerReduced = False
    captured: say.Captured = False
    leader: say.Led = False
    armor_leader: say.ArmorLed = False
    ambush: say.Ambush = False
    intensive: say.Intensive = False


class Duellist(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One vehicle of a tank duel."""

    vehicle: say.Vehicle
    morale: Annotated[say.MoraleWord, Meta(title="Morale")] = "good order"
    gut_check: Annotated[say.GutCheckNumber, Meta(title="Gut check")] = 7
    armor_leader: say.ArmorLed = False
    damaged: Annotated[bool, Meta(title="It has a damage that is not minor")] = False


class TankDuel(VehicleQuestion, frozen=True, kw_only=True, tag="tank duel"):
    """A duel of one against one: what comes of it for both. OST 31."""

    one: Annotated[Duellist, Meta(title="First")]
    two: Annotated[Duellist, Meta(title="Second")]
    without_bonus: Annotated[
        bool, Meta(title="Without the +2", description="As the book’s example does.")
    ] = False
    """OST 31.1.6."""


class DriveCost(VehicleQuestion, frozen=True, kw_only=True, tag="drive"):
    """What a drive costs, and where it may end in a bog. OST 14, 15, 23.4, 23.5."""

    map: HexMap
    vehicle: say.Vehicle
    facing: Annotated[say.DirectionWord, Meta(title="Facing at first")]
    path: Annotated[
        say.Path,
        Meta(
            title="Path",
            description="Hexes in order from where it stands; the same again is a pivot.",
        ),
    ]
    facings: Annotated[
        tuple[say.DirectionWord, ...],
        Meta(title="Facings", description="After each step: N, NE, SE, S, SW or NW."),
    ]
    shaken: Annotated[bool, Meta(title="It is shaken")] = False


AnyVehicleQuestion = ToHitRoll | VehicleAttack | TankDuel | DriveCost

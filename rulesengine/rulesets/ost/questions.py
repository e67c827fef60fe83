"""Rule questions anybody may ask, answered by the functions that resolve battles.

Each is a document with a `kind`; `python -m rulesengine ask` and the pages read them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.airborne_questions import AnyAirborneQuestion
from rulesengine.rulesets.ost.fate_questions import AnyFateQuestion
from rulesengine.rulesets.ost.melee_questions import MeleeRound
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.strike_questions import AnyStrikeQuestion
from rulesengine.rulesets.ost.vehicle_questions import AnyVehicleQuestion


class Question(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question."""


class InfantryAttack(Question, frozen=True, kw_only=True, tag="infantry attack"):
    """An attack on a foot unit, or several like it. OST 27.1, 28."""

    firepower: say.FirePowers
    defense: Annotated[
        int,
        Meta(
            title="Printed Defense of the target",
            extra_json_schema={"minimum": 0, "maximum": say.MOST_FIREPOWER},
        ),
    ]
    gut_check: say.GutCheckNumber = 7
    steps: Annotated[
        int,
        Meta(
            title="Steps of the target",
            description="2 full, 1 reduced or single.",
            extra_json_schema={"minimum": 1, "maximum": 2},
        ),
    ] = 2
    morale: say.TargetMorale = "good order"
    attacks: Annotated[
        int,
        Meta(
            title="Attacks in a row",
            description="The target never rallies in between.",
            extra_json_schema={"minimum": 1, "maximum": say.MOST_ATTACKS},
        ),
    ] = 1
    terrain: say.Terrain = ()
    hexside: say.Hexside = ""
    markers: say.Markers = ()
    company: Annotated[
        Literal["", "armored transport", "on a vehicle", "in a lorry", "rolling cover"],
        Meta(title="The target rides, or is in rolling cover"),
    ] = ""
    """OST 23.2.6, 24.3."""
    degraded: say.Degraded = 0
    from_ground: say.Footing = "level"
    """OST 12.4.11, 12.4.12."""
    adjacent: Annotated[bool, Meta(title="The target is adjacent")] = False
    shaken: say.FirerShaken = False
    intensive: say.Intensive = False
    moved: say.FirerMoved = False
    leader: say.Led = False
    ambush: say.Ambush = False


class GutCheck(Question, frozen=True, kw_only=True, tag="gut check"):
    """A gut check against a Shaken or Broken result. OST 17.4."""

    gut_check: say.GutCheckNumber
    result: Annotated[Literal["shaken", "broken"], Meta(title="Result that is checked against")]
    morale: Annotated[say.MoraleWord, Meta(title="Morale of the unit")] = "good order"


class RallyAttempt(Question, frozen=True, kw_only=True, tag="rally"):
    """A unit’s attempt to rally. OST 18."""

    morale: Annotated[Literal["shaken", "broken"], Meta(title="Morale of the unit")]
    leader: Annotated[
        bool, Meta(title="Another good order leader has the unit in command range")
    ] = False
    quality: Annotated[say.QualityWord, Meta(title="Quality of the unit")] = "regular"


class CollateralDamage(Question, frozen=True, kw_only=True, tag="collateral damage"):
    """An attack on a vehicle that comes upon who rides on it or walks behind it. OST 24.4."""

    gut_check: say.GutCheckNumber
    vehicle_lost: Annotated[bool, Meta(title="The vehicle is destroyed or abandoned")] = False
    steps: Annotated[
        int,
        Meta(
            title="Steps of the unit",
            description="2 full, 1 reduced or single.",
            extra_json_schema={"minimum": 1, "maximum": 2},
        ),
    ] = 2
    morale: Annotated[say.MoraleWord, Meta(title="Morale of the unit")] = "good order"


class UnitCard(Question, frozen=True, kw_only=True, tag="unit card"):
    """What is printed on a counter and its card. OST 11."""

    counter: Annotated[str, Meta(title="Counter", extra_json_schema={"enum": say.COUNTERS})]


class LineOfSight(Question, frozen=True, kw_only=True, tag="line of sight"):
    """Between two hexes of a map. OST 12, 15."""

    map: HexMap
    start: Annotated[str, Meta(title="From hex")]
    end: Annotated[str, Meta(title="To hex")]
    on_ground_floor: Annotated[
        tuple[Literal["start", "end"], ...],
        Meta(
            title="On the ground floor",
            description="Where a weapon marked * stands in a building of several storeys.",
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ()
    """OST 16.3.5."""
    on_road: Annotated[
        tuple[Literal["start", "end"], ...],
        Meta(
            title="In the street",
            description="Ends of the line that are in the street of a hex with road and house.",
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ()
    smoke: Annotated[tuple[str, ...], Meta(title="Smoke in")] = ()
    """OST 13.9.5, 13.9.7."""
    wrecks: Annotated[tuple[str, ...], Meta(title="Wrecks in")] = ()
    roadblocks: Annotated[tuple[str, ...], Meta(title="Roadblocks in")] = ()
    rubble: Annotated[tuple[str, ...], Meta(title="Rubble in")] = ()
    """OST 13.8.4."""


class MovementCost(Question, frozen=True, kw_only=True, tag="movement cost"):
    """Of a path on foot. OST 14, 15, 23."""

    map: HexMap
    path: say.Path
    points: Annotated[int, Meta(title="Movement points it has")] = 4
    streets: Annotated[
        tuple[str, ...],
        Meta(
            title="By the street in",
            description="Hexes with road and house where it keeps to the street.",
        ),
    ] = ()
    wire: Annotated[tuple[str, ...], Meta(title="Wire in")] = ()
    roadblocks: Annotated[tuple[str, ...], Meta(title="Roadblocks in")] = ()
    bunkers: Annotated[tuple[str, ...], Meta(title="Bunkers in")] = ()
    pillboxes: Annotated[tuple[str, ...], Meta(title="Pillboxes in")] = ()

    def works(self) -> dict[str, tuple[str, ...]]:
        """Hexes by the markers in them."""
        return {
            "wire": self.wire,
            "roadblock": self.roadblocks,
            "bunker": self.bunkers,
            "pillbox": self.pillboxes,
        }


AnyQuestion = (
    InfantryAttack
    | GutCheck
    | RallyAttempt
    | CollateralDamage
    | UnitCard
    | LineOfSight
    | MovementCost
    | AnyVehicleQuestion
    | AnyStrikeQuestion
    | MeleeRound
    | AnyFateQuestion
    | AnyAirborneQuestion
)

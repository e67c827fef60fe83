"""Types that several questions share, with the words that a form or a schema says of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from rulesengine.rulesets.ost.catalogue import ROWS
from rulesengine.rulesets.ost.charts import HEXSIDE_BY_KEY, MARKER_BY_KEY, TERRAIN_BY_KEY

MOST_GUT_CHECK = 13
MOST_FIREPOWER = 99
"""More than any counter has, Defense too."""
MOST_ATTACKS = 50
"""In one question."""
MOST_DEGRADED = 2
"""A third blocks the line (12.3.2)."""

VEHICLES = sorted(kind.key for kind in ROWS if kind.category == "vehicle")
COUNTERS = sorted(kind.key for kind in ROWS)

TerrainWord = Annotated[str, Meta(extra_json_schema={"enum": sorted(TERRAIN_BY_KEY)})]
MarkerWord = Annotated[str, Meta(extra_json_schema={"enum": sorted(MARKER_BY_KEY)})]
MoraleWord = Annotated[
    Literal["good order", "shaken", "broken"],
    Meta(extra_json_schema={"enum": ["good order", "shaken", "broken"]}),
]
"""Named once more in the order a form offers them: the type itself keeps none."""
QualityWord = Annotated[
    Literal["elite", "regular", "poor"],
    Meta(extra_json_schema={"enum": ["elite", "regular", "poor"]}),
]
DirectionWord = Annotated[
    Literal["N", "NE", "SE", "S", "SW", "NW"],
    Meta(extra_json_schema={"enum": ["N", "NE", "SE", "S", "SW", "NW"]}),
]

FirePowers = Annotated[
    tuple[
        Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MOST_FIREPOWER})],
        ...,
    ],
    Meta(
        title="Firepower",
        description="Printed FP of each unit and support weapon that fires together.",
    ),
]
"""Printed, of each that fires together."""
Terrain = Annotated[
    tuple[TerrainWord, ...],
    Meta(title="Terrain of the target’s hex", extra_json_schema={"uniqueItems": True}),
]
Hexside = Annotated[
    str,
    Meta(
        title="Hexside before the target",
        description="What the attack is traced through into the target’s hex.",
        extra_json_schema={"enum": ["", *sorted(HEXSIDE_BY_KEY)]},
    ),
]
Markers = Annotated[
    tuple[MarkerWord, ...],
    Meta(
        title="Markers on the target’s hex",
        description="Foxholes, trench, cover ...; one of them a hex, smoke and wrecks apart.",
        extra_json_schema={"uniqueItems": True},
    ),
]
Degraded = Annotated[
    int,
    Meta(
        title="Degrading hexes on the way",
        description="Hexsides too; a third one blocks the line.",
        extra_json_schema={"minimum": 0, "maximum": MOST_DEGRADED},
    ),
]
GutCheckNumber = Annotated[
    int,
    Meta(
        title="Gut check of the target’s side",
        extra_json_schema={"minimum": 0, "maximum": MOST_GUT_CHECK},
    ),
]
Distance = Annotated[int, Meta(title="Distance", description="In hexes.")]
Footing = Annotated[
    Literal["higher", "level", "lower"],
    Meta(
        title="Where the firer stands",
        description="Against the target.",
        extra_json_schema={"enum": ["level", "higher", "lower"]},
    ),
]
TargetMorale = Annotated[MoraleWord, Meta(title="Morale of the target")]
Vehicle = Annotated[str, Meta(title="Vehicle", extra_json_schema={"enum": VEHICLES})]
"""Key of its element type."""
Path = Annotated[
    tuple[str, ...],
    Meta(title="Path", description="Hexes in order; the first is where it stands."),
]

FirerShaken = Annotated[
    bool,
    Meta(
        title="The firer is shaken",
        description="One who fires alone; of a group, halve the FP of who is shaken.",
    ),
]
FirerMoved = Annotated[bool, Meta(title="The firer has moved")]
FirerReduced = Annotated[bool, Meta(title="The firer is the reduced crew of a gun")]
Captured = Annotated[bool, Meta(title="The weapon is captured")]
Quality = Annotated[QualityWord, Meta(title="Quality of the firer")]
Immobile = Annotated[bool, Meta(title="The target is bogged or immobilised")]
Acquired = Annotated[bool, Meta(title="The target is acquired")]
Led = Annotated[bool, Meta(title="A leader is with the firers")]
ArmorLed = Annotated[bool, Meta(title="An armour leader commands it")]
Ambush = Annotated[bool, Meta(title="From ambush")]
Intensive = Annotated[bool, Meta(title="Intensive fire")]

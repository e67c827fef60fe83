"""Rule questions about what strikes all of a hex: artillery, aircraft, falling buildings; see
`questions.py`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.catalogue import ROWS
from rulesengine.rulesets.ost.charts import ARTILLERY_BY_KEY
from rulesengine.rulesets.ost.scenario import HexMap

TARGETS = sorted(
    kind.key
    for kind in ROWS
    if kind.category != "support weapon"
    and not (kind.category == "leader" and "armor" in kind.traits)
)
"""Counters that are attacked in a hex; an armor leader is in his vehicle (7.4.8)."""

Battery = Annotated[
    str,
    Meta(title="Battery", extra_json_schema={"enum": list(ARTILLERY_BY_KEY)}),
]
Target = Annotated[
    str,
    Meta(
        title="Unit in the hex",
        description="None: only where it falls, or what falls.",
        extra_json_schema={"enum": ["", *TARGETS]},
    ),
]
Reduced = Annotated[bool, Meta(title="The unit is reduced")]
Damaged = Annotated[bool, Meta(title="It is a vehicle with a damage that is not minor")]
Morale = Annotated[say.MoraleWord, Meta(title="Morale of the unit")]
GutCheck = Annotated[say.GutCheckNumber, Meta(title="Gut check of the unit’s side")]
Terrain = Annotated[
    tuple[say.TerrainWord, ...],
    Meta(title="Terrain of the hex", extra_json_schema={"uniqueItems": True}),
]


class StrikeQuestion(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question about a strike."""


class ArtilleryStrike(StrikeQuestion, frozen=True, kw_only=True, tag="artillery"):
    """A mission of off-board artillery: where it falls, and what it does to a unit. OST 33."""

    map: HexMap
    battery: Battery
    called: Annotated[str, Meta(title="Called on hex")]
    leader: Annotated[
        bool,
        Meta(title="A leader spots", description="Or a leader has the spotter in command range."),
    ] = False
    degraded: Annotated[bool, Meta(title="The spotter’s line of sight is degraded")] = False
    smoke: Annotated[bool, Meta(title="Smoke instead of shells")] = False
    hex: Annotated[
        str,
        Meta(title="Hex asked about", description="Empty: the hex that it is called on."),
    ] = ""
    unit: Target = ""
    reduced: Reduced = False
    morale: Morale = "good order"
    gut_check: GutCheck = 7
    damaged: Damaged = False
    markers: say.Markers = ()


class AirStrikeOn(StrikeQuestion, frozen=True, kw_only=True, tag="air strike"):
    """An air strike on a unit in one of its two hexes. OST 32."""

    unit: Annotated[str, Meta(title="Unit in the hex", extra_json_schema={"enum": TARGETS})]
    pilot: Annotated[
        Literal["not rolled yet", "green", "veteran", "ace"],
        Meta(
            title="Pilot",
            extra_json_schema={"enum": ["not rolled yet", "green", "veteran", "ace"]},
        ),
    ] = "not rolled yet"
    reduced: Reduced = False
    morale: Morale = "good order"
    gut_check: GutCheck = 7
    damaged: Damaged = False
    terrain: Terrain = ()
    markers: say.Markers = ()


class MortarRound(StrikeQuestion, frozen=True, kw_only=True, tag="mortar"):
    """A squad’s mortar at a hex: whether its bomb falls there, and what it does to a unit there.
    OST 10.3."""

    mortar: Annotated[
        str,
        Meta(
            title="Mortar",
            extra_json_schema={"enum": [kind.key for kind in ROWS if "mortar" in kind.traits]},
        ),
    ]
    leader: Annotated[bool, Meta(title="A leader is with the squad")] = False
    shaken: Annotated[bool, Meta(title="The squad is shaken")] = False
    moved: Annotated[bool, Meta(title="The squad has moved")] = False
    from_ground: say.Footing = "level"
    """OST 12.4.11, 12.4.12."""
    ambush: say.Ambush = False
    intensive: say.Intensive = False
    unit: Annotated[str, Meta(title="Unit in the hex", extra_json_schema={"enum": TARGETS})]
    reduced: Reduced = False
    morale: Morale = "good order"
    gut_check: GutCheck = 7
    damaged: Damaged = False
    terrain: Terrain = ()
    markers: say.Markers = ()


class Collapse(StrikeQuestion, frozen=True, kw_only=True, tag="collapse"):
    """Whether a building or a bunker comes down, and what that does to a unit inside. OST 16.7."""

    building: Annotated[
        Literal["light structure", "heavy structure", "ruins", "bunker"],
        Meta(
            title="Building",
            extra_json_schema={"enum": ["light structure", "heavy structure", "ruins", "bunker"]},
        ),
    ]
    charge: Annotated[
        Literal["", "rockets", "satchel charge"],
        Meta(
            title="Brought down by", extra_json_schema={"enum": ["", "rockets", "satchel charge"]}
        ),
    ] = ""
    tall: Annotated[bool, Meta(title="It has several storeys")] = False
    unit: Target = ""
    reduced: Reduced = False
    morale: Morale = "good order"
    gut_check: GutCheck = 7
    damaged: Damaged = False


AnyStrikeQuestion = ArtilleryStrike | AirStrikeOn | MortarRound | Collapse

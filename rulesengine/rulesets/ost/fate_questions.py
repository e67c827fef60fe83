"""Rule questions about single rolls at the table: leaders, crews, bogs, Impulse Points; see
`questions.py`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.catalogue import ROWS
from rulesengine.rulesets.ost.charts import HEXSIDE_BY_KEY

RESULTS = ["S", "B", "C", "C-S", "C-B", "X"]
MOST_DICE = 6
MOST_POINTS = 99
ON_FOOT = sorted(k.key for k in ROWS if k.category not in ("vehicle", "support weapon"))


class FateQuestion(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question about a single roll."""


class LeaderCasualty(FateQuestion, frozen=True, kw_only=True, tag="leader casualty"):
    """What becomes of a leader whose unit suffers a result. OST 28.2."""

    result: Annotated[
        Literal["S", "B", "C", "C-S", "C-B", "X"],
        Meta(title="Result against his unit", extra_json_schema={"enum": RESULTS}),
    ]
    reduced: Annotated[bool, Meta(title="His unit was reduced before, or has one step")] = False
    morale: Annotated[say.MoraleWord, Meta(title="Morale of his unit")] = "good order"
    leader_morale: Annotated[say.MoraleWord, Meta(title="Morale of the leader")] = "good order"
    gut_check: Annotated[say.GutCheckNumber, Meta(title="Gut check of their side")] = 7


class CrewSurvival(FateQuestion, frozen=True, kw_only=True, tag="crew survival"):
    """Whether the crew of a destroyed vehicle get out, and what it scores. OST 29.6."""

    vehicle: say.Vehicle
    melee: Annotated[bool, Meta(title="Destroyed in melee")] = False


class BogRoll(FateQuestion, frozen=True, kw_only=True, tag="bog"):
    """Whether a vehicle bogs down in a hex, or gets free again. OST 23.5."""

    vehicle: say.Vehicle
    terrain: Annotated[
        tuple[say.TerrainWord, ...],
        Meta(title="Terrain of the hex", extra_json_schema={"uniqueItems": True}),
    ]
    hexside: Annotated[
        str,
        Meta(title="Hexside it crosses", extra_json_schema={"enum": ["", *sorted(HEXSIDE_BY_KEY)]}),
    ] = ""
    bogged: Annotated[
        bool, Meta(title="It is bogged already", description="And tries to get free.")
    ] = False


class ImpulsePoints(FateQuestion, frozen=True, kw_only=True, tag="impulse points"):
    """The Impulse Points of a turn. OST 4.0, 1.7."""

    dice: Annotated[
        int,
        Meta(title="Dice", extra_json_schema={"minimum": 1, "maximum": MOST_DICE}),
    ]
    plus: Annotated[
        int,
        Meta(
            title="Added to the roll",
            extra_json_schema={"minimum": -MOST_POINTS, "maximum": MOST_POINTS},
        ),
    ] = 0
    losses: Annotated[
        int,
        Meta(
            title="Casualty points the enemy has",
            extra_json_schema={"minimum": 0, "maximum": MOST_POINTS},
        ),
    ] = 0


class StealthMove(FateQuestion, frozen=True, kw_only=True, tag="stealth"):
    """How far a counter moves by stealth. OST 23.3."""

    counter: Annotated[str, Meta(title="Counter", extra_json_schema={"enum": ON_FOOT})]
    shaken: Annotated[bool, Meta(title="It is shaken")] = False


AnyFateQuestion = LeaderCasualty | CrewSurvival | BogRoll | ImpulsePoints | StealthMove

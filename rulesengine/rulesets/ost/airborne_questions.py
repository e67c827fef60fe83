"""Rule questions about drops and gliders; see `questions.py`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.scenario import HexMap

Steps = Annotated[
    int,
    Meta(
        title="Steps of the unit",
        description="2 full, 1 reduced or single.",
        extra_json_schema={"minimum": 1, "maximum": 2},
    ),
]
GutCheckOfUnit = Annotated[
    int,
    Meta(
        title="Gut check of the unit’s side",
        extra_json_schema={"minimum": 2, "maximum": say.MOST_GUT_CHECK},
    ),
]


class AirborneQuestion(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The head of every question about what comes by air."""


class Paradrop(AirborneQuestion, frozen=True, kw_only=True, tag="paradrop"):
    """Where a unit drifts that jumps over a hex, and how it lands. OST 26.3."""

    map: HexMap
    over: Annotated[str, Meta(title="Jumps over hex")]
    gut_check: GutCheckOfUnit
    steps: Steps = 2


class GliderLanding(AirborneQuestion, frozen=True, kw_only=True, tag="glider landing"):
    """How a glider lands that is cast off over a hex, and what becomes of a unit aboard, where no
    enemy is in its way. OST 26.4."""

    map: HexMap
    over: Annotated[str, Meta(title="Cast off over hex")]
    gut_check: GutCheckOfUnit
    steps: Steps = 2
    rolls_for_bocage: Annotated[
        bool, Meta(title="Bocage is rolled for", description="As the scenario’s option has it.")
    ] = False


AnyAirborneQuestion = Paradrop | GliderLanding

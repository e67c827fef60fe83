"""The rule question about a round of melee; see `questions.py`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rulesengine.rulesets.ost import question_words as say
from rulesengine.rulesets.ost.catalogue import ROWS

FIGHTERS = sorted(k.key for k in ROWS if k.category not in ("support weapon", "leader"))
LONE = sorted(k.key for k in ROWS if k.category == "leader" and "armor" not in k.traits)
"""Leaders who may be caught in a melee without a unit. OST 7.2.8."""
LEADERS = [k.key for k in ROWS if k.category == "leader"]
WEAPONS = [k.key for k in ROWS if k.category == "support weapon"]

Weapon = Annotated[
    str,
    Meta(title="Support weapon it carries", extra_json_schema={"enum": ["", *WEAPONS]}),
]
Out = Annotated[
    Literal["", "machine guns", "main gun", "hull gun", "engine"],
    Meta(
        title="Damage of a vehicle",
        extra_json_schema={"enum": ["", "machine guns", "main gun", "hull gun", "engine"]},
    ),
]


class FirstUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit in a melee, or somebody alone."""

    counter: Annotated[str, Meta(title="Counter", extra_json_schema={"enum": [*FIGHTERS, *LONE]})]
    reduced: Annotated[bool, Meta(title="It is reduced")] = False
    morale: Annotated[say.MoraleWord, Meta(title="Morale")] = "good order"
    weapon: Weapon = ""
    out: Out = ""


class SecondUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another unit of the side, or none."""

    counter: Annotated[str, Meta(title="Counter", extra_json_schema={"enum": ["", *FIGHTERS]})] = ""
    reduced: Annotated[bool, Meta(title="It is reduced")] = False
    morale: Annotated[say.MoraleWord, Meta(title="Morale")] = "good order"
    weapon: Weapon = ""
    out: Out = ""


class MeleeSide(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody of a side in the hex."""

    first: Annotated[FirstUnit, Meta(title="First unit")]
    second: Annotated[SecondUnit, Meta(title="Second unit")] = SecondUnit()
    leader: Annotated[
        str,
        Meta(title="Leader with the first unit", extra_json_schema={"enum": ["", *LEADERS]}),
    ] = ""
    leader_morale: Annotated[say.MoraleWord, Meta(title="Morale of the leader")] = "good order"
    gut_check: Annotated[say.GutCheckNumber, Meta(title="Gut check")] = 7


class MeleeRound(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="kind",
    tag="melee",
    forbid_unknown_fields=True,
):
    """One round of melee: what both sides have, and what it does to each. OST 30."""

    one: Annotated[MeleeSide, Meta(title="One side")]
    two: Annotated[MeleeSide, Meta(title="Other side")]
    concentrate: Annotated[
        Literal["", "first", "second"],
        Meta(
            title="Concentrated attack on the enemy’s unit",
            description="By a side of one unit against two.",
            extra_json_schema={"enum": ["", "first", "second"]},
        ),
    ] = ""
    """OST 30.5."""

"""Rule questions as lists of fields: everything that is read off the question types."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine import asking, registry
from rulesengine.rulesets.ost.charts import TERRAIN_BY_KEY
from tests.toy import ruleset as toy

KINDS = {one.kind: one for one in asking.questions("ost")}


def field(kind, name):
    return next(f for f in KINDS[kind].fields if f.name == name)


def test_every_kind_of_question_is_there():
    published = msgspec.json.schema(registry.document_type("ost", "question"))
    assert set(KINDS) == set(published["discriminator"]["mapping"])
    assert all(one.about and one.fields for one in KINDS.values())


def test_a_ruleset_without_question_types_has_no_questions():
    registry.register("toy", "tests.toy.ruleset:RULESET")
    assert toy.RULESET.question_type == dict[str, int]
    assert asking.questions("toy") == ()


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("infantry attack", "firepower", ("numbers", None, True)),
        ("infantry attack", "attacks", ("number", 1, False)),
        ("infantry attack", "adjacent", ("yes", False, False)),
        ("infantry attack", "terrain", ("choices", (), False)),
        ("infantry attack", "hexside", ("choice", "", False)),
        ("line of sight", "start", ("text", None, True)),
        ("movement cost", "path", ("texts", None, True)),
        ("drive", "facings", ("texts", None, True)),
        ("drive", "map", ("map", None, True)),
        ("tank duel", "two.gut_check", ("number", 7, False)),
    ],
)
def test_kinds_of_field(kind, name, expected):
    found = field(kind, name)
    assert (found.kind, found.default, found.required) == expected


def test_bounds_choices_and_words_come_with_a_field():
    attacks = field("infantry attack", "attacks")
    assert (attacks.least, attacks.most) == (1, 50)
    assert set(field("infantry attack", "terrain").choices) == set(TERRAIN_BY_KEY)
    assert field("rally", "quality").choices == ("elite", "regular", "poor")
    assert field("tank duel", "one.morale").title == "First: morale"
    assert KINDS["drive"].of_map == "map"
    assert not KINDS["rally"].of_map


def test_a_field_has_words_of_its_own():
    for one in KINDS.values():
        for found in one.fields:
            assert found.kind == "map" or "_" not in found.title, (one.kind, found.name)

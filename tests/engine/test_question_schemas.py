"""The JSON Schemas of rule questions, published in `docs/schemas/ost`, a file a kind.

Write them anew with `SITREP_WRITE_SCHEMAS=1 bin/test tests/engine/test_question_schemas.py`, and
read the diff: a program that asks has to live with it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from rulesengine import asking
from rulesengine.__main__ import main

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "schemas" / "ost"
QUESTIONS = sorted((ROOT / "docs" / "questions").glob("*.json"))
KINDS = [one.kind for one in asking.questions("ost")]


def text(kind: str) -> str:
    return json.dumps(asking.schema("ost", kind), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schema_of_a_kind_is_that_of_the_code(kind):
    published = FOLDER / f"{asking.slug(kind)}.json"
    if os.environ.get("SITREP_WRITE_SCHEMAS"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        published.write_text(text(kind))
    assert published.exists(), f"{published.name} is missing; see the head of this file"
    assert published.read_text() == text(kind), "out of date; see the head of this file"


def test_no_schema_is_left_of_a_kind_that_is_gone():
    assert {p.stem for p in FOLDER.glob("*.json")} == {asking.slug(kind) for kind in KINDS}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda path: path.stem)
def test_every_documented_question_is_of_its_schema(question):
    document = json.loads(question.read_text())
    for one in document if isinstance(document, list) else [document]:
        schema = json.loads((FOLDER / f"{asking.slug(one['kind'])}.json").read_text())
        jsonschema.validate(one, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**one, "weather": "mud"}, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**one, "kind": "weather"}, schema)


def test_every_kind_has_a_documented_question():
    documents = [json.loads(path.read_text()) for path in QUESTIONS]
    asked = {one["kind"] for d in documents for one in (d if isinstance(d, list) else [d])}
    assert asked == set(KINDS)


def test_the_command_prints_the_schema_of_one_kind(capsys):
    assert main(["schema", "ost", "question", "--kind", "gut check"]) == 0
    assert capsys.readouterr().out == text("gut check")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["question", "--kind", "gut chek"], 'Did you mean "gut check"?'),
        (["scenario", "--kind", "gut check"], "--kind is for the document question"),
    ],
)
def test_a_kind_that_is_none_is_refused_with_its_mend(arguments, said, capsys):
    assert main(["schema", "ost", *arguments]) == 1
    assert said in capsys.readouterr().err

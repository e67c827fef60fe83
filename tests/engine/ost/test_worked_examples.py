"""Every worked example and diagram of the book passes as a test, and every chapter has tests that
stand on its borders.

`rules/examples.csv` lists the examples and diagrams by the section they stand in (`18.4.e1`,
`12.3.d1`). A test passes one when it carries `@pytest.mark.example("ost", "18.4.e1")`; a test of
a border carries `@pytest.mark.border("ost", "18")`. Both are read from the source, so that a run
of a part of the tests says the same as a whole one.
"""

from __future__ import annotations

import ast
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rulesengine import coverage

HERE = Path(__file__).parents[1]
LISTED = coverage.RULESETS / "ost" / "rules" / "examples.csv"

LEAST_BORDERS = 3

WITHOUT_BORDERS: dict[str, str] = {}
"""Chapters in which nothing is measured, and why."""


def _marks(kind: str) -> Iterator[str]:
    """What stands in every `@pytest.mark.<kind>("ost", ...)` of the engine's tests."""
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == f"pytest.mark.{kind}":
                    ruleset, *ids = (ast.literal_eval(arg) for arg in mark.args)
                    yield from ids if ruleset == "ost" else ()


def _listed() -> list[str]:
    with LISTED.open(encoding="utf-8", newline="") as rows:
        return [row["id"] for row in csv.DictReader(rows)]


def test_every_worked_example_and_diagram_passes_as_a_test() -> None:
    listed = _listed()
    passed = set(_marks("example"))
    assert len(listed) == len(set(listed))
    assert passed <= set(listed), f"not in {LISTED.name}: {sorted(passed - set(listed))}"
    assert set(listed) <= passed, f"no test passes {sorted(set(listed) - passed)}"


def test_every_chapter_has_tests_on_its_borders() -> None:
    chapters = list(dict.fromkeys(rule.id.partition(".")[0] for rule in coverage.index("ost")))
    borders = Counter(_marks("border"))
    assert set(borders) <= set(chapters)
    few = {
        chapter: borders[chapter]
        for chapter in chapters
        if borders[chapter] < LEAST_BORDERS and chapter not in WITHOUT_BORDERS
    }
    assert not few, f"chapters with fewer than {LEAST_BORDERS} tests of a border: {few}"
    assert not set(WITHOUT_BORDERS) & set(borders)

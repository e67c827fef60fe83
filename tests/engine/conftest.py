"""Fixtures of the engine's tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulesengine.contract import Answer
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.questions import Question
from tests.engine.table import OPEN, Table
from tests.rule_marks import Cited


@pytest.fixture
def table(cited: Cited) -> Callable[..., Table]:
    """A new table: `table()` is open ground, `table(rows, hexsides=...)` any other."""

    def make(rows: tuple[str, ...] = OPEN, **ground: Any) -> Table:
        return Table(cited, tuple(rows), **ground)

    return make


@pytest.fixture
def ask(cited: Cited) -> Callable[[Question], Answer]:
    """Ask a rule question."""

    def put(question: Question) -> Answer:
        answer = ruleset("ost").adjudicate(question)
        cited.take(answer)
        return answer

    return put

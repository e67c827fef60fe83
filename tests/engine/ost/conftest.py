"""Fixtures of the tests of Old School Tactical."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulesengine.contract import Answer
from rulesengine.rulesets.ost.questions import LineOfSight
from tests.engine.ost.cross_sections import hexes


@pytest.fixture
def sees_along(ask: Callable[[Any], Answer]) -> Callable[..., int]:
    """0 to 2 degrading hexes, 3 blocked, from one end of a cross-section to the other; asked both
    ways."""

    def look_along(terrain: str, levels: str, **more: Any) -> int:
        ground = hexes(terrain, levels, **more)
        end = f"A{len(terrain)}"
        there = ask(LineOfSight(map=ground, start="A1", end=end)).value
        assert ask(LineOfSight(map=ground, start=end, end="A1")).value == there
        assert there is not None
        return there

    return look_along

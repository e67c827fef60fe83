"""One of a thing is one, in every sentence that counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesengine.quantities import hex_count, many

ROOT = Path(__file__).parents[2]
COUNTED = re.compile(
    r"""f["'](?:[^"'{]|\{[^}]*\})*\{[^}]+\}\s(?:hexes|units|battles|faults|cards|events)\b"""
)
MEANT = ("MOST", "LARGEST", "LONGEST", "else f", "allowed", "STACK", " 1 to ")
"""Bounds that are never one, and what looks whether it is."""


def test_one_is_one():
    assert [many(count, "fault") for count in (0, 1, 2)] == ["0 faults", "1 fault", "2 faults"]
    assert [many(count, "die", "dice") for count in (1, -1)] == ["1 die", "-1 dice"]
    assert [hex_count(count) for count in (1, 2)] == ["1 hex", "2 hexes"]


@pytest.mark.parametrize("package", ["rulesengine", "campaigns"])
def test_no_sentence_counts_one_as_many(package):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if COUNTED.search(line) and not any(word in line for word in MEANT)
    ]
    assert found == []

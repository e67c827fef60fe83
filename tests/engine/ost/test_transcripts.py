"""Golden transcripts: the first turns of battles, in words, reviewed as diffs.

A change of rules, doctrine, dice or wording shows here. Rewrite them with
`SITREP_WRITE_TRANSCRIPTS=1 bin/test tests/engine/ost/test_transcripts.py`, and read the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulesengine.aar import Entry, in_words, report
from rulesengine.play import play
from rulesengine.rulesets.ost.scenario import OstScenario
from tests.engine.ost.battles import MIRROR, fight_of, key, scenario

FOLDER = Path(__file__).with_name("transcripts")
LINES = 60
BATTLES = ("mirror", "noville", "foy-road", "hills")


def told(name: str, side: int | None) -> str:
    battle: OstScenario = scenario(MIRROR) if name == "mirror" else fight_of(name)
    entries: list[Entry] = report(play(battle, key(f"transcript {name}", 1)).log, side)
    return "\n".join(in_words(entry) for entry in entries[:LINES]) + "\n"


@pytest.mark.parametrize("side", [None, 0, -1], ids=["referee", "allies", "public"])
@pytest.mark.parametrize("name", BATTLES)
def test_the_opening_of_the_battle_reads_as_it_was_reviewed(name, side):
    who = {None: "referee", 0: "allies", -1: "public"}[side]
    golden = FOLDER / f"{name}-{who}.txt"
    text = told(name, side)
    if os.environ.get("SITREP_WRITE_TRANSCRIPTS"):
        golden.write_text(text)
    assert text == golden.read_text()

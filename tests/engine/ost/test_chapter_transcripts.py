"""Golden transcripts, one for each chapter of the book that is told in play, reviewed as diffs.

Chapters that are not played (5, 11) are asked instead. A change of rules or wording shows here.
Rewrite them with
`SITREP_WRITE_TRANSCRIPTS=1 bin/test tests/engine/ost/test_chapter_transcripts.py`, and read the
diff as a player would.
"""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import pytest

from rulesengine.__main__ import main
from rulesengine.aar import Entry, in_words, tell
from rulesengine.rulesets.ost import catalogue
from tests.engine.ost import chapters_more  # noqa: F401 - its chapters join the others
from tests.engine.ost.chapters import CHAPTERS
from tests.engine.ost.chapters_asked import ASKED

FOLDER = Path(__file__).with_name("transcripts") / "chapters"
WITH_SET_UP = ("02-sequence-of-play", "20-stacking", "26-airborne")
"""Told from the beginning; of the others only what is played."""
LINES = 30
CITED = re.compile(r"\[([^\]]+)\]$")
"""The rules at the end of a line."""
INDEX = Path(catalogue.__file__).parent / "rules" / "index.csv"
RULES = [row["id"] for row in csv.DictReader(INDEX.open())]


def told(name: str, table: object) -> list[Entry]:
    play = CHAPTERS[name](table)  # type: ignore[arg-type]
    first = 0 if name in WITH_SET_UP else len(list(tell(play.scenario, play.log[: play.mark])))
    return list(tell(play.scenario, play.log))[first:]


@pytest.mark.parametrize("name", sorted(CHAPTERS))
def test_the_chapter_reads_as_it_was_reviewed(name, table):
    golden = FOLDER / f"{name}.txt"
    entries = told(name, table)
    text = "".join(f"{in_words(entry)}\n" for entry in entries)
    if os.environ.get("SITREP_WRITE_TRANSCRIPTS"):
        golden.write_text(text)
    assert text == golden.read_text()
    assert len(text.splitlines()) <= LINES
    chapter = f"{int(name[:2])}."
    cited = [rule for entry in entries for rule in entry.line.rules]
    cited += [change.rule for entry in entries for change in entry.line.modifiers]
    assert any(rule.startswith(chapter) for rule in cited)


@pytest.mark.parametrize("name", sorted(ASKED))
def test_the_chapter_that_is_asked_reads_as_it_was_reviewed(name, tmp_path, capsys):
    golden = FOLDER / f"{name}.txt"
    question = tmp_path / "questions.json"
    question.write_text(json.dumps(ASKED[name]))
    assert main(["ask", str(question)]) == 0
    text = capsys.readouterr().out
    if os.environ.get("SITREP_WRITE_TRANSCRIPTS"):
        golden.write_text(text)
    assert text == golden.read_text()
    assert len(text.splitlines()) <= LINES
    cited = [rule for line in text.splitlines() for rule in CITED.findall(line)]
    chapter = f"{int(name[:2])}."
    rules = {rule for rule in RULES if rule.startswith(chapter) and ".p" not in rule}
    assert rules <= {rule for row in cited for rule in row.split(", ")}


def test_no_transcript_is_left_of_a_chapter_that_is_not_told():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CHAPTERS) | set(ASKED)

"""The example of docs/packs.md is one that can be fought."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.scenario import LuckCards, OstScenario, SideTerms, Victory
from tests.engine.ost.battles import MIRROR, key, scenario

PAGE = Path(__file__).parents[3] / "docs" / "packs.md"
HEAD = "## What a fight may say"


def example() -> dict[str, Any]:
    """The indented lines under the heading, as the TOML they are."""
    section = PAGE.read_text().partition(HEAD)[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    return tomllib.loads("\n".join(lines))


def as_told() -> OstScenario:
    said, battle = example(), scenario(MIRROR)
    (mine,) = msgspec.convert(said["terms"], tuple[SideTerms, ...])
    terms = tuple(mine if terms.side == mine.side else terms for terms in battle.terms)
    return msgspec.structs.replace(
        battle,
        terms=terms,
        victory=msgspec.convert(said["victory"], Victory),
        luck_cards=msgspec.convert(said["luck_cards"], LuckCards),
    )


def test_the_example_has_no_fault_and_is_fought_to_its_end():
    battle = as_told()
    assert [f"{fault.where}: {fault.what}" for fault in check(battle)] == []
    ends = {fight(begin(battle, Tape(key("page", run)), log=False)).kind for run in range(5)}
    assert ends <= {"win", "draw"}

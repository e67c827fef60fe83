"""The examples of docs/packs.md are such as can be fought."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from rulesengine.dice import Tape
from rulesengine.loader import load_pack
from rulesengine.loader.looking import worth_a_look
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.scenario import LuckCards, OstScenario, SideTerms, Victory
from tests.engine.ost.battles import MIRROR, key, scenario

PAGE = Path(__file__).parents[3] / "docs" / "packs.md"
HEAD = "## What a fight may say"
WHO_COMES = "## Who comes, what is to be held, who comes later"
PACK = Path(__file__).parents[3] / "fixtures" / "packs" / "eastern-front-1941"


def written(head: str) -> str:
    """The indented lines under a heading."""
    section = PAGE.read_text().partition(head)[2].partition("\n## ")[0]
    assert section, head
    return "\n".join(line[4:] for line in section.splitlines() if line.startswith("    "))


def example() -> dict[str, Any]:
    return tomllib.loads(written(HEAD))


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


def test_the_example_of_who_comes_is_a_sound_fight_of_a_pack(tmp_path):
    folder = tmp_path / PACK.name
    shutil.copytree(PACK, folder)
    file = folder / "scenarios" / "senno.toml"
    rest = file.read_text().partition("[[arrivals]]")[0]
    file.write_text(f"{rest}\n{written(WHO_COMES)}\n")
    pack = load_pack(folder)
    assert worth_a_look(pack) == ()
    battle = pack.scenarios["senno"]
    (place,) = battle.control
    assert (place.owner, place.per_turn, place.at_end) == ("german", 1, 2)
    assert [[unit.id for unit in force.units] for force in battle.forces] == [
        ["s52-1", "pz38t"],
        ["td18-1"],
    ]
    assert len(battle.forces[0].units[0].elements) == 3
    assert battle.arrivals[0].units == ("pz38t",)
    ends = {fight(begin(battle, Tape(key("who", run)), log=False)).kind for run in range(3)}
    assert ends <= {"win", "draw"}

"""A pack prints a counter otherwise: its own battles use the figure, all else the catalogue's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulesengine.loader import BadPack, load_pack
from rulesengine.play import play
from rulesengine.proof import audit, rerun
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.catalogue import BY_KEY, unit_type
from rulesengine.rulesets.ost.kinds import DEFENSE, FIREPOWER
from rulesengine.rulesets.ost.vehicle_events import Wrecked
from rulesengine.rulesets.ost.vehicles import AP, FRONT
from tests.engine.ost.battles import EASTERN, fight_of, key

OST = ruleset("ost")
GUN = """
[[counters]]
key    = "ger-hmg-34"
status = "printed"
source = "the owner's counter sheet"
fp     = 9
"""


@pytest.fixture
def packed(tmp_path):
    """The eastern pack with a file of counters."""

    def made(text: str):
        folder = tmp_path / EASTERN.name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EASTERN, folder)
        Path(folder / "counters.toml").write_text(text, "utf-8")
        return load_pack(folder)

    return made


def kinds(battle) -> dict[str, int]:
    """The counter each type of the battle is played with."""
    state = OST.setup(battle)
    types = [e.type for force in battle.forces for unit in force.units for e in unit.elements]
    return dict(zip(types, state.kind, strict=True))


def test_one_figure_of_one_counter_is_the_packs_and_all_else_stays(packed):
    before = len(OST.catalogue().elements)
    pack = packed(GUN)
    mine, theirs = kinds(pack.scenarios["senno"]), kinds(fight_of("senno"))
    assert FIREPOWER[mine["ger-hmg-34"]] == (0, 3, 9)
    assert FIREPOWER[theirs["ger-hmg-34"]] == (0, 3, 6)
    others = set(mine) - {"ger-hmg-34"}
    assert {kind: mine[kind] for kind in others} == {kind: theirs[kind] for kind in others}
    assert unit_type("ger-hmg-34").fp == 6
    assert len(OST.catalogue().elements) == before


def test_the_recast_counter_is_shown_with_its_own_mark_and_source(packed):
    (element,) = OST.recast(packed(GUN).scenarios["senno"])
    assert (element.key, element.status) == ("ger-hmg-34", "printed")
    assert ("FP", "9") in element.figures
    assert "the owner's counter sheet (printed)" in element.source


def test_a_battle_with_recast_counters_is_proved_like_any_other(packed):
    battle = packed(GUN).scenarios["yelnya"]
    proven = play(battle, key("recast", 1))
    assert audit(proven.log, key("recast", 1)) > 100
    assert rerun(proven, key("recast", 1)).hash == proven.hash
    assert proven.result.scenario != play(fight_of("yelnya"), key("recast", 1)).result.scenario
    assert {fate.type for fate in proven.result.elements} >= {"ger-hmg-34", "ger-infantry"}


def test_ap_by_range_and_armour_of_a_tank(packed):
    text = """
[[counters]]
key    = "sov-t34"
status = "printed"
ap_at  = [8, 8, 7, 6, 5]
front  = 7
"""
    tank = kinds(packed(text).scenarios["borisov"])["sov-t34"]
    assert AP[tank] == (8, 8, 7, 6, 5)
    assert FRONT[tank] == 7
    assert AP[BY_KEY["sov-t34"]][0] == 7


def test_who_gets_out_of_a_wreck_is_the_packs_crew(packed):
    text = '[[counters]]\nkey = "ger-crew"\nstatus = "estimate"\ndefense = 6\n'
    battle = packed(text).scenarios["borisov"]
    state = OST.setup(battle)
    tank = next(c for c, kind in enumerate(state.kind) if kind == BY_KEY["ger-pz3f"])
    crew = BY_KEY["ger-crew"]
    OST.evolve(state, Wrecked(unit=tank, points=1, why="destroyed", becomes=crew))
    assert DEFENSE[state.kind[tank]] == 6
    assert OST.result(state).elements[tank].became == "ger-crew"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"ger-hmg-34"', '"ger-hgm-34"', 'no counter "ger-hgm-34" in the catalogue. Did you mean'),
        ("fp     = 9", "fp = 9\nrnge = 3", 'no key "rnge" is known here. Did you mean "range"?'),
        ("fp     = 9", 'fp = "nine"', 'fp: expected a whole number, got "nine".'),
        ("fp     = 9", "fp = -1", "fp: -1; a figure of a counter is 0 to 40"),
        ("fp     = 9", "front = 3", "front: a crewed weapon has no front. It has: fp, range"),
        ("fp     = 9", "", "it names no figure, so it changes nothing. Name one, or leave it out."),
        ("fp     = 9", 'traits = ["brave"]', 'traits: no trait "brave". There are:'),
        ("fp     = 9", 'traits = ["gun"]', 'a crewed weapon cannot become "gun"'),
        ('"printed"', '"sure"', 'status: expected one of "printed", "repaired", "estimate"'),
        ("fp     = 9", "fp = 9\n" + GUN, "it is recast twice. Write its figures in one entry."),
        ("[[counters]]", "[[counter]]", 'no key "counter" is known here. Counters are written'),
    ],
)
def test_an_odd_recast_is_refused_with_its_file_its_place_and_the_mend(packed, old, new, told):
    assert old in GUN
    with pytest.raises(BadPack) as bad:
        packed(GUN.replace(old, new, 1))
    lines = str(bad.value).splitlines()
    assert len(lines) == 1, "each fault once, however many scenarios"
    assert lines[0].startswith("counters.toml: ")
    assert told in lines[0]


def test_the_ap_of_a_counter_with_ap_by_range_is_written_by_range(packed):
    with pytest.raises(BadPack, match=r"counters\[0\] \(\"ger-pak36\"\)\.ap: .* Write ap_at"):
        packed('[[counters]]\nkey = "ger-pak36"\nstatus = "printed"\nap = 5\n')


def test_a_scenario_of_a_pack_leaves_its_counters_to_the_pack(tmp_path):
    folder = tmp_path / EASTERN.name
    shutil.copytree(EASTERN, folder)
    file = folder / "scenarios" / "senno.toml"
    file.write_text(file.read_text("utf-8") + GUN, "utf-8")
    with pytest.raises(BadPack, match=r'senno\.toml: the key "counters" is said by the pack'):
        load_pack(folder)

"""Reading packs: a sound one whole, a faulty one not at all, every fault named with its place."""

from __future__ import annotations

import re
import shutil
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import get_args

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesengine.documents import canonical
from rulesengine.loader import BadPack, load_pack, load_scenario
from rulesengine.loader.schemas import file_schema
from rulesengine.names import RESERVED, alike, name_fault
from rulesengine.pack import Symbol
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.catalogue import unit_type
from rulesengine.rulesets.ost.ground import Ground

FIXTURES = Path(__file__).parents[2] / "fixtures"
PACK = FIXTURES / "packs" / "road-to-bastogne"
FILES = sorted(path.relative_to(PACK).as_posix() for path in PACK.rglob("*.toml"))


@pytest.fixture
def pack(tmp_path):
    """A copy of a shipped pack; `pack(file, old, new)` mars it, `pack.faults()` reads it."""
    folder = tmp_path / PACK.name
    shutil.copytree(PACK, folder)

    class Marred:
        path = folder

        def __call__(self, file: str, old: str, new: str) -> None:
            path = folder / file
            text = path.read_text("utf-8")
            assert old in text, f"{old!r} is not in {file}"
            path.write_text(text.replace(old, new, 1), "utf-8")

        def faults(self) -> list[str]:
            with pytest.raises(BadPack) as bad:
                load_pack(folder)
            return str(bad.value).splitlines()

    return Marred()


def test_the_shipped_pack_is_sound_and_every_scenario_is_a_document():
    pack = load_pack(PACK)
    assert list(pack.scenarios) == ["foy-road", "noville", "noville-20th", "noville-afternoon"]
    for scenario in pack.scenarios.values():
        assert canonical(scenario)
        assert scenario.ruleset == "ost"
        assert [side.key for side in scenario.sides] == ["allies", "axis"]
        for force in scenario.forces:
            elements = [e for unit in force.units for e in unit.elements]
            leaders = [e for e in elements if unit_type(e.type).category == "leader"]
            assert 14 <= len(elements) <= 30
            assert 2 <= len(leaders) <= 5


def test_elements_are_named_by_unit_type_and_number():
    force = load_pack(PACK).scenarios["noville"].forces[0]
    platoon = next(unit for unit in force.units if unit.id == "b20-1")
    assert platoon.formation == "Company B, 20th Armored Infantry Battalion"
    assert [element.id for element in platoon.elements] == [
        "b20-1/us-armored-rifle/1",
        "b20-1/us-armored-rifle/2",
        "b20-1/us-armored-rifle/3",
        "b20-1/us-lmg/1",
        "b20-1/us-bazooka/1",
        "b20-1/us-sergeant/1",
    ]


def test_a_pick_may_bring_part_of_a_unit():
    force = load_pack(PACK).scenarios["noville"].forces[0]
    engineers = next(unit for unit in force.units if unit.id == "c55-3")
    assert [element.id for element in engineers.elements] == ["c55-3/us-engineer/1"]


def test_a_name_that_no_ledger_could_hold_is_refused_with_its_place(pack):
    pack("oob/axis.toml", 'name    = "2.', f'name    = "{"x" * 200}2.')
    (fault,) = [f for f in pack.faults() if "text of at most 120 characters" in f]
    assert fault.startswith("oob/axis.toml: ")


def test_a_scenario_of_a_pack_can_be_read_by_its_file():
    assert load_scenario(PACK / "scenarios" / "noville.toml").title == "Noville at dawn"


def test_a_scenario_document_in_json_reads_back_as_itself(tmp_path):
    scenario = load_scenario(PACK / "scenarios" / "noville.toml")
    path = tmp_path / "noville.json"
    path.write_bytes(canonical(scenario))
    assert load_scenario(path) == scenario


def test_the_reference_battle_has_twenty_units_a_side():
    scenario = load_scenario(FIXTURES / "bench" / "reference.toml")
    for force in scenario.forces:
        kinds = [unit_type(e.type).category for unit in force.units for e in unit.elements]
        assert sum(kind in ("squad", "crewed weapon") for kind in kinds) == 20
    assert (len(scenario.ground.grid[0]), len(scenario.ground.grid)) == (30, 20)
    assert scenario.turns == 10


@pytest.mark.parametrize("name", ["mirror", "hills"])
def test_the_mirror_battle_is_mirrored_and_equal(name):
    scenario = load_scenario(FIXTURES / "bench" / f"{name}.toml")
    assert all(row == row[::-1] for row in (*scenario.ground.grid, *scenario.ground.levels))
    assert len(scenario.ground.grid[0]) % 2 == 1, "so that both halves shift alike"
    figures = [
        [
            (t.category, t.fp, t.range, t.defense, t.mp, t.reduced_fp, t.command, t.quality)
            for unit in force.units
            for t in (unit_type(e.type) for e in unit.elements)
        ]
        for force in scenario.forces
    ]
    assert figures[0] == figures[1]
    assert scenario.terms[0].impulses == scenario.terms[1].impulses
    assert scenario.terms[0].gut_check == scenario.terms[1].gut_check


def test_a_pack_with_a_dozen_faults_is_refused_whole_and_each_is_named(pack):
    pack("oob/axis.toml", "{ ger-rifle = 3", "{ ger-rifel = 3")
    pack("oob/allies.toml", 'formation = "b-20"', 'formation = "b-21"')
    pack("pack.toml", 'colour      = "olive"', 'colour      = "oliv"')
    pack("pack.toml", 'draw = "afternoon"', 'draw = "afternon"')
    pack("pack.toml", 'scenario = "foy-road"', 'scenario = "foy-raod"')
    pack("scenarios/noville.toml", "dice = 3", "dice = 0")
    pack("scenarios/noville.toml", 'owner    = "allies"', 'owner    = "alies"')
    pack("scenarios/noville.toml", 'zone      = "P1:DD3, Z4:DD7"', 'zone      = "J9:DD12"')
    pack("scenarios/noville-20th.toml", "turns       = 10", 'turns       = "ten"')
    pack("scenarios/foy-road.toml", 'unit = "506-h1"', 'unit = "506-h2"')
    pack("scenarios/noville-afternoon.toml", 'posture   = "meeting"', 'posture   = "meting"')
    pack("battlefields/noville-dawn.toml", '"www..fff', '"www?.fff')
    pack("battlefields/noville-dawn.toml", '"c" = "cemetery"', '"c" = "cemetry"')
    pack("battlefields/noville-village.toml", "O20 O19 O18", "O20 O18")
    pack("battlefields/noville-village.toml", "K6/N+NW", "K6/X+NW")
    pack("battlefields/noville-ridge.toml", "[[names]]\nhex", "[[names]]\nhexx")
    faults = pack.faults()
    for told in (
        'pack.toml: sides[0].colour: no colour "oliv". Did you mean "olive"?',
        'pack.toml: ladder[0] ("dawn"): draw leads to no rung "afternon".'
        ' Did you mean "afternoon"?',
        'pack.toml: ladder[3] ("foy"): no scenario "foy-raod". Did you mean "foy-road"?',
        'oob/axis.toml: units[0] ("1./304, I. Zug"): no unit type "ger-rifel".'
        ' Did you mean "ger-rifle"?',
        'oob/allies.toml: units[0] ("B/20 company headquarters and weapons"):'
        ' no formation "b-21". Did you mean "b-20"?',
        'scenarios/noville-20th.toml: turns: expected a whole number, got "ten".',
        'scenarios/foy-road.toml: picks.allies[3] ("506-h2"): this side has no unit "506-h2".'
        ' Did you mean "506-h1"?',
        'scenarios/noville-afternoon.toml: terms[0] ("allies").posture: expected one of "attack",'
        ' "defend", "meeting", got "meting". Did you mean "meeting"?',
        'scenarios/noville.toml: terms[0] ("allies"): 0 impulse dice; a side rolls 1 to 9 [4.0.3]',
        'battlefields/noville-dawn.toml: legend."c": no terrain "cemetry".'
        ' Did you mean "cemetery"?',
        'battlefields/noville-dawn.toml: grid[0] (row 1): "?" in hex D1 is not in the legend:'
        " . H b c f l o w",
    ):
        assert told in faults
    assert any('noville-ridge.toml: names[0] ("Church"): no key "hexx"' in f for f in faults)
    assert len(faults) >= 12


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "scenarios/noville.toml",
            'zone      = "P1:DD3, Z4:DD7"',
            'zone      = "P1:DD3, S13:T13"',
            "scenarios/noville.toml: terms: the set-up zones overlap in S13",
        ),
        (
            "scenarios/noville.toml",
            'zone      = "P1:DD3, Z4:DD7"',
            'zone      = "P1:Q2"',
            'scenarios/noville.toml: terms[1].zone ("axis"): 16 units do not fit in 4 hexes,'
            " 2 a hex [20.0.1]",
        ),
        (
            "scenarios/noville.toml",
            'zone      = "P1:DD3, Z4:DD7"',
            'zone      = "P1:EE3"',
            'scenarios/noville.toml: terms[1].zone ("axis"): "EE3" is off the map, which runs'
            " from A1 to DD20",
        ),
        (
            "scenarios/noville.toml",
            'owner    = "allies"',
            'owner    = "alies"',
            'scenarios/noville.toml: control[0] ("Crossroads"): no side "alies".'
            ' Did you mean "allies"?',
        ),
        (
            "scenarios/noville.toml",
            "{ us-armored-rifle = 2, us-lmg = 1 }",
            "{ us-armored-rifle = 4, us-lmg = 1 }",
            'scenarios/noville.toml: picks.allies[2] ("b20-2"): 4 of "us-armored-rifle" are'
            " picked, the unit has 3",
        ),
        (
            "scenarios/noville.toml",
            'unit = "304-1-2"',
            'unit = "304-1-1"',
            'scenarios/noville.toml: picks.axis[3] ("304-1-1"): it is picked twice',
        ),
        (
            "scenarios/noville.toml",
            'battlefield = "noville-dawn"',
            'battlefield = "novile-dawn"',
            'scenarios/noville.toml: battlefield: no battlefield "novile-dawn". Did you mean'
            ' "noville-dawn"?',
        ),
        (
            "scenarios/noville.toml",
            "turns       = 9",
            'turns       = 9\nruleset = "ost"',
            'scenarios/noville.toml: the key "ruleset" is said by the pack, not by a scenario'
            " in it. Leave it out.",
        ),
        (
            "battlefields/noville-dawn.toml",
            "wwww..wwwwww",
            "wwww..wwwww",
            "battlefields/noville-dawn.toml: grid[0] (row 1): 29 hexes, but the map is 30 wide",
        ),
        (
            "battlefields/noville-dawn.toml",
            '"O20 O19 O18',
            '"O20 O18',
            'battlefields/noville-dawn.toml: roads[0] ("N15"): O18 is not next to O20',
        ),
        (
            "battlefields/noville-dawn.toml",
            '"F3/S+SE"',
            '"F3/S+SW+EAST"',
            'battlefields/noville-dawn.toml: hexsides[0] ("hedge"): "F3/S+SW+EAST": no'
            ' direction "EAST". There are: N, NE, NW, S, SE, SW.',
        ),
        (
            "battlefields/noville-dawn.toml",
            '[[names]]\nhex  = "N12"',
            '[[footprints]]\nhex = "A1"\npolygon = [[0,0],[5,5],[0,5]]\n[[names]]\nhex  = "N12"',
            'battlefields/noville-dawn.toml: footprints[0] ("A1"): nothing stands there: the'
            " hex is woods",
        ),
        (
            "battlefields/noville-dawn.toml",
            'hex  = "N12"',
            'hex  = "N21"',
            'battlefields/noville-dawn.toml: names[0] ("Church"): "N21" is off the map, which'
            " runs from A1 to DD20",
        ),
        (
            "oob/axis.toml",
            'parent  = "2-pz"',
            'parent  = "1-304"',
            'oob/axis.toml: formations[1] ("Panzergrenadier-Regiment 304"): it is under itself',
        ),
        ("oob/axis.toml", 'symbol  = "armour"', 'symbol  = "armour', "oob/axis.toml: is not TOML"),
        (
            "pack.toml",
            'afternoon", draw = "afternoon", axis',
            'twentieth", draw = "twentieth", axis',
            'pack.toml: ladder[1] ("afternoon"): no outcome leads here, so it is never fought',
        ),
        (
            "pack.toml",
            'ruleset = "ost"',
            'ruleset = "osst"',
            'pack.toml: ruleset: no ruleset "osst". Did you mean "ost"?',
        ),
        (
            "pack.toml",
            'name        = "Germans"',
            'name        = "allies "',
            'pack.toml: sides[1].name: both sides are called "Allies". Give one of them another'
            " name.",
        ),
        (
            "pack.toml",
            'starts  = "1944-12-19T06:00"',
            'starts  = "winter"',
            'pack.toml: starts: "winter" is not a date. Write it as "1944-12-19T06:00".',
        ),
        (
            "pack.toml",
            'element  = "ger-rifle"',
            'element  = "ger-rifles"',
            'pack.toml: replacements[0] ("304-1-1"): no unit type "ger-rifles". Did you mean'
            ' "ger-rifle"?',
        ),
        (
            "pack.toml",
            'element  = "ger-rifle"',
            'element  = "ger-panther"',
            'pack.toml: replacements[0] ("304-1-1"): its establishment has no "ger-panther": none'
            " would ever come",
        ),
        (
            "pack.toml",
            'nation      = "german"',
            'nation      = "germany"',
            'pack.toml: sides[1] ("Germans").nation: no nation "germany". Did you mean "german"?',
        ),
        (
            "pack.toml",
            'nation      = "us"',
            'nation      = "martian"',
            'pack.toml: sides[0] ("Allies").nation: no nation "martian". There are: british,'
            " french, german, italian, polish, soviet, us.",
        ),
        (
            "oob/axis.toml",
            'symbol  = "armour"',
            'symbol  = "armor"',
            'oob/axis.toml: formations[0] ("2. Panzer-Division").symbol: expected one of',
        ),
        (
            "scenarios/noville.toml",
            "order     = 1\n",
            'order     = 1\nartillery = [{ kind = "artillery", missions = 0 }]\n',
            'scenarios/noville.toml: terms[0].artillery[0] ("artillery").missions: a battery fires'
            " 1 to 20 missions, not 0. Leave out a battery that fires none.",
        ),
        (
            "scenarios/noville.toml",
            "order     = 1\n",
            'order     = 1\nartillery = [{ kind = "rockets", missions = 21 }]\n',
            'scenarios/noville.toml: terms[0].artillery[0] ("rockets").missions: a battery fires'
            " 1 to 20 missions, not 21.",
        ),
    ],
)
def test_a_fault_is_told_with_its_file_its_place_and_the_mend(pack, file, old, new, told):
    pack(file, old, new)
    faults = pack.faults()
    assert any(fault.startswith(told) for fault in faults), "\n".join(faults)


@pytest.mark.parametrize("folder", sorted((FIXTURES / "packs").iterdir()), ids=lambda f: f.name)
def test_every_shipped_pack_is_sound(folder):
    assert load_pack(folder).scenarios


@pytest.mark.parametrize("section", ["formations", "units"])
def test_a_symbol_that_cannot_be_drawn_says_which_can_and_which_is_near(section, pack):
    text = (pack.path / "oob/axis.toml").read_text("utf-8")
    head, mark, rest = text.partition(f"[[{section}]]")
    marred = re.sub(r'(symbol *= )"[a-z-]+"', r'\1"infantery"', rest, count=1)
    (pack.path / "oob/axis.toml").write_text(head + mark + marred, "utf-8")
    (told,) = pack.faults()
    assert re.match(rf"oob/axis.toml: {section}\[\d+\] \(.*\)\.symbol: expected one of", told)
    for word in get_args(Symbol):
        assert f'"{word}"' in told
    assert told.endswith('got "infantery". Did you mean "infantry"?')


@pytest.mark.parametrize("missions", [1, 20])
def test_a_battery_may_fire_one_mission_or_twenty(missions, pack):
    battery = f'artillery = [{{ kind = "artillery", missions = {missions} }}]\n'
    pack("scenarios/noville.toml", "order     = 1\n", f"order     = 1\n{battery}")
    terms = load_pack(pack.path).scenarios["noville"].terms
    assert terms[0].artillery[0].missions == missions


@pytest.mark.parametrize("word", [*RESERVED, "Referee"])
def test_a_side_whose_key_means_something_else_is_one_fault(word, pack):
    for path in pack.path.rglob("*.toml"):
        text = re.sub(r'"axis"', f'"{word}"', path.read_text("utf-8"))
        text = re.sub(r"\b(picks\.)?axis\b(\s*[=\]])", rf"\g<1>{word}\2", text)
        path.write_text(text.replace("draw = ", "" if word != "draw" else "draw = "), "utf-8")
    head = pack.path / "pack.toml"
    head.write_text(re.sub(r"(?m)^next .*\n", "", head.read_text("utf-8")), "utf-8")
    (pack.path / "oob" / "axis.toml").rename(pack.path / "oob" / f"{word}.toml")
    told = [fault for fault in pack.faults() if "no outcome leads here" not in fault]
    assert len(told) == 1
    assert told[0].startswith(f'pack.toml: sides[1].key: "{word}" cannot be the key of a side')


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("pack.toml", '"Germans"', '"Ger\\u200bmans"', "sides[1]"),
        ("pack.toml", '"Germans"', '"\\u3164 \\u2800"', "nothing of it can be seen"),
        ("pack.toml", '"Germans"', '""', "nothing of it can be seen"),
        ("pack.toml", '"Germans"', '"Ger\\u0000mans"', "control character (U+0000)"),
        ("pack.toml", '"Germans"', '"\\u202egermans"', "invisible character (U+202E)"),
        ("pack.toml", '"Germans"', '"Ａｌｌｉｅｓ"', "both sides are called"),
        ("pack.toml", '"Germans"', '"Al\\u200clies"', "both sides are called"),
        ("pack.toml", "for the way back", "for the\\u0007 way back", "summary: the text"),
        ("oob/axis.toml", 'name      = "', 'name      = "\\u2066', "oob/axis.toml: units[0]"),
        ("oob/axis.toml", 'key       = "2-5-1"', 'key       = "2/5/1"', "cannot be a key"),
        ("scenarios/noville.toml", "title ", 'title = "\\u200d"\n#', "title: the name"),
    ],
)
def test_a_name_that_is_not_what_is_seen_is_a_fault_in_its_place(file, old, new, told, pack):
    pack(file, old, new)
    faults = pack.faults()
    (fault,) = [fault for fault in faults if told in fault]
    assert fault.startswith(file)
    assert not any("\0" in fault for fault in faults)


def test_a_scenario_written_out_with_all_its_keys_is_read_back(tmp_path):
    """A road needs no name, and an empty one says as much as none."""
    scenario = load_scenario(PACK / "scenarios" / "noville.toml")
    road = msgspec.structs.replace(scenario.ground.roads[0], name="")
    ground = msgspec.structs.replace(scenario.ground, roads=(road,))
    scenario = msgspec.structs.replace(scenario, ground=ground)
    path = tmp_path / "written.json"
    path.write_bytes(msgspec.json.encode(scenario))
    assert b'"name":""' in path.read_bytes()
    assert load_scenario(path) == scenario
    path.write_text(path.read_text("utf-8").replace('"name":""', '"name":" "'), "utf-8")
    with pytest.raises(BadPack, match="nothing of it can be seen"):
        load_scenario(path)


def test_the_hexes_of_a_road_may_stand_apart_by_commas_as_in_every_other_list():
    scenario = load_scenario(PACK / "scenarios" / "noville.toml")
    roads = tuple(
        msgspec.structs.replace(road, hexes=", ".join(road.hexes.split()))
        for road in scenario.ground.roads
    )
    ground = msgspec.structs.replace(scenario.ground, roads=roads, key="by commas")
    assert ruleset("ost").check(msgspec.structs.replace(scenario, ground=ground)) == []
    assert Ground(ground).road == Ground(scenario.ground).road


def test_names_of_every_script_stand():
    for name in ("2. Kompanie", "Гвардия", "第一中隊", "نیروی\u200cهوایی", "क्\u200dष", "№ 5", "?"):
        assert name_fault(name) == ""
        assert alike(name, f" {name.upper()} ")
    assert not alike("1st", "2nd")


def test_one_fault_is_told_once_and_alone(pack):
    pack("oob/allies.toml", "us-airborne-lieutenant = 1", "us-airborne-leutenant = 1")
    assert pack.faults() == [
        'oob/allies.toml: units[6] ("A/506, 1st Platoon"): no unit type "us-airborne-leutenant".'
        ' Did you mean "us-airborne-lieutenant"?'
    ]


def test_a_folder_without_a_pack_says_so(tmp_path):
    with pytest.raises(BadPack, match=r"pack\.toml: there is no such file"):
        load_pack(tmp_path)


MARS = """[ ]] " = 0 -1 1e9 true 1979-05-27 {} [[1]] # allies A1:ZZ99 Ω nan ' [terms] F5/ key ,
[[control]] 999999999999999999999999999999 ."""
WORDS = st.sampled_from(MARS.split())


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    file=st.sampled_from(FILES),
    data=st.data(),
    cut=st.integers(0, 30),
    word=st.one_of(WORDS, st.text(max_size=5)),
)
def test_no_marred_pack_raises_anything_but_bad_pack(tmp_path_factory, file, data, cut, word):
    folder = tmp_path_factory.mktemp("marred") / PACK.name
    shutil.copytree(PACK, folder)
    text = (folder / file).read_text("utf-8")
    at = data.draw(st.integers(0, len(text)))
    (folder / file).write_text(text[:at] + word + text[at + cut :], "utf-8")
    with suppress(BadPack):
        load_pack(folder)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('units = ["pz3-5"]', 'units = ["pz3-6"]', 'no unit "pz3-6". Did you mean'),
        ('units = ["pz3-5"]', 'units = ["2-6-1"]', '"2-6-1" arrives, but no side picks it here'),
        ('units = ["pz3-5"]', 'units = ["pz3-5", "b20-1"]', "units of both sides arrive together"),
        ('at    = "DD5:DD9"', 'at    = "DD5:DD9, C3"', "C3: not at the edge of the map"),
    ],
)
def test_a_faulty_arrival_of_a_pack_is_named(pack, old, new, told):
    pack("scenarios/noville.toml", old, new)
    assert any(told in fault for fault in pack.faults()), pack.faults()


# --- one fault, one message, and its mend --------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'battlefield = "noville-dawn"',
            'battlefield = "novile-dawn"',
            'no battlefield "novile-dawn". Did you mean "noville-dawn"?',
        ),
        (
            'battlefield = "noville-dawn"\n',
            "",
            "it does not name its battlefield. There are: foy-road, noville-dawn, noville-ridge,"
            " noville-village.",
        ),
    ],
)
def test_a_battlefield_that_is_not_there_is_one_fault(old, new, said, pack):
    pack("scenarios/noville.toml", old, new)
    assert pack.faults() == [f"scenarios/noville.toml: battlefield: {said}"]


def test_a_folder_that_is_named_otherwise_says_what_to_rename(pack):
    pack("pack.toml", 'key     = "road-to-bastogne"', 'key     = "bastogne"')
    assert pack.faults() == [
        'pack.toml: key: the key is "bastogne", but the folder is named "road-to-bastogne". Rename'
        ' the folder to "bastogne", or write key = "road-to-bastogne" in pack.toml.'
    ]


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("pack", "pack.toml"),
        ("oob", "oob/*.toml"),
        ("battlefield", "battlefields/*.toml"),
        ("pack-scenario", "scenarios/*.toml"),
    ],
)
def test_the_schema_of_each_file_of_a_pack_holds_for_those_that_are_shipped(file, pattern):
    schema = file_schema("ost", file)
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    found = sorted(PACK.parent.glob(f"*/{pattern}"))
    assert found
    for path in found:
        plain = tomllib.loads(path.read_text("utf-8"))
        assert not list(judge.iter_errors(plain)), path.name
        assert list(judge.iter_errors({**plain, "nonsense": 1})), "unknown keys are found"
        first = next(key for key in schema["required"])
        assert list(judge.iter_errors({k: v for k, v in plain.items() if k != first}))


def test_a_pack_that_is_not_there_is_said_to_be_no_folder(tmp_path):
    with pytest.raises(BadPack, match="nope: there is no such folder"):
        load_pack(tmp_path / "nope")

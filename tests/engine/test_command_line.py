"""The command line: the engine without Django, in a process of its own."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from rulesengine.__main__ import main
from rulesengine.dice import key_of_seed
from rulesengine.loader import load_scenario
from rulesengine.loader.schemas import FILES
from rulesengine.play import play
from rulesengine.rulesets.ost.telling import MEANS

ROOT = Path(__file__).parents[2]
PACK = ROOT / "fixtures" / "packs" / "road-to-bastogne"
NOVILLE = PACK / "scenarios" / "noville.toml"
QUESTIONS = sorted((ROOT / "docs" / "questions").glob("*.json"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulesengine", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle written by another process, with the result document it printed beside it."""
    place = tmp_path_factory.mktemp("battle") / "battle.json"
    done = run("play", str(NOVILLE), "--seed", "7", "--log", str(place), "--json")
    assert done.returncode == 0, done.stderr
    place.with_name("result.json").write_text(done.stdout)
    return place


def test_the_same_seed_gives_the_same_hash_in_another_process(fought):
    printed = json.loads(fought.with_name("result.json").read_text())
    assert printed["schema"] == "battle-result/1"
    assert printed["hash"] == play(load_scenario(NOVILLE), key_of_seed("7")).hash


def test_play_prints_the_report_with_rolls_modifiers_and_rules(capsys):
    assert main(["play", str(NOVILLE), "--seed", "7"]) == 0
    text = capsys.readouterr().out
    assert "FP" in text
    assert "[27." in text
    assert text.rstrip().splitlines()[-1].startswith("hash ")


def bare(line):
    """A line of the report without the words for its letters."""
    for letters, means in MEANS.items():
        line = line.replace(f": {letters}, {means}.", f": {letters}.")
    return line


def test_what_mattered_has_words_for_letters_and_leaves_out_what_came_to_nothing(capsys):
    told = {}
    for level in ("all", "notable"):
        assert main(["play", str(NOVILLE), "--seed", "7", "--show", level]) == 0
        told[level] = capsys.readouterr().out
    letters = re.compile(r": [A-Z](-[A-Z])?\.")
    assert ": S, a gut check against being shaken. (" in told["notable"]
    assert ": C-S, a casualty and a gut check against being shaken." in told["notable"]
    assert not letters.findall(told["notable"])
    assert letters.findall(told["all"])
    for noise in (
        "gets through",
        "one more turn. [1.4",
        "no luck card",
        "let a point go",
        " pass.",
    ):
        assert noise not in told["notable"]
    assert "gets through" in told["all"]
    assert told["notable"].count("one more turn") == 1


def test_play_tells_what_mattered_alone_if_asked(capsys):
    told = {}
    for level in ("all", "notable", "turning"):
        assert main(["play", str(NOVILLE), "--seed", "7", "--show", level]) == 0
        told[level] = capsys.readouterr().out.splitlines()
    assert 10 < len(told["turning"]) < len(told["notable"]) < len(told["all"])
    for level in ("notable", "turning"):
        assert {bare(line) for line in told[level]} <= set(told["all"])
    assert len({lines[-1] for lines in told.values()}) == 1


@pytest.mark.parametrize("verb", ["replay", "audit", "rerun"])
def test_each_proof_of_a_stored_log_holds(verb, fought, capsys):
    assert main([verb, str(fought)]) == 0
    assert f"{verb} holds" in capsys.readouterr().out


def tampered(fought: Path, change) -> Path:
    battle = json.loads(fought.read_text())
    change(battle)
    other = fought.with_name("tampered.json")
    other.write_text(json.dumps(battle))
    return other


def turn_a_die(battle):
    event = next(e for e in battle["log"]["events"] if e["kind"] == "ost.shot")
    at, sides, faces = event["roll"]
    event["roll"] = [at, sides, [faces[0] % 6 + 1, faces[1]]]


def drop_an_event(battle):
    index = next(i for i, e in enumerate(battle["log"]["events"]) if e["kind"] == "ost.shot")
    del battle["log"]["events"][index]


def another_key(battle):
    battle["key"] = "00" * 32


def another_winner(battle):
    battle["result"]["ending"]["winner"] = "nobody"


@pytest.mark.parametrize(
    ("verb", "change", "said"),
    [
        ("audit", turn_a_die, "the tape"),
        ("audit", drop_an_event, "reads the tape"),
        ("audit", another_key, "not the one the battle was committed to"),
        ("rerun", another_key, "hash"),
        ("replay", another_winner, "another result"),
    ],
)
def test_a_log_that_was_tampered_with_is_found_out(verb, change, said, fought, capsys):
    assert main([verb, str(tampered(fought, change))]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda path: path.stem)
def test_every_documented_question_is_answered_with_exact_chances(question, capsys):
    assert main(["ask", str(question), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["rules"]
    chances = answer["chances"]
    exact = [Fraction(chance["exact"]) for chance in chances]
    assert sum(exact) == (1 if chances else 0)
    for chance, share in zip(chances, exact, strict=True):
        assert chance["exact"] == str(share)
        assert chance["decimal"] == pytest.approx(float(share), rel=1e-5)
        assert len(repr(chance["decimal"]).replace("e-", "")) <= len("0.0000") + 6


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda path: path.stem)
def test_a_chance_fits_on_a_line_and_no_possible_one_is_told_as_nothing(question, capsys):
    assert main(["ask", str(question)]) == 0
    for line in capsys.readouterr().out.splitlines():
        told = re.match(r"  (?:(\d+/\d+) = )?([\d.e-]+)% ", line)
        if told:
            assert float(told[2]) > 0
            assert len(told[0]) <= 34


def test_a_fraction_is_told_in_its_lowest_terms_while_it_can_be_read(capsys):
    assert main(["ask", str(ROOT / "docs" / "questions" / "drive.json")]) == 0
    assert "  5/6 = 83.3% gets to C2" in capsys.readouterr().out
    assert main(["ask", str(ROOT / "docs" / "questions" / "gut-check.json")]) == 0
    assert "  7/12 = 58.3% shaken" in capsys.readouterr().out
    assert main(["ask", str(ROOT / "docs" / "questions" / "ten-attacks.json")]) == 0
    assert "\n  0.013% no effect" in capsys.readouterr().out


def test_a_list_of_questions_is_answered_in_order(tmp_path, capsys):
    asked = tmp_path / "questions.json"
    documents = [json.loads(path.read_text()) for path in QUESTIONS]
    asked.write_text(json.dumps(documents))
    assert main(["ask", str(asked), "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert [a["question"] for a in answers] == [d["kind"] for d in documents]


def test_a_misspelt_question_names_its_place(tmp_path, capsys):
    asked = tmp_path / "question.json"
    asked.write_text('{"kind": "rally", "morale": "shakken"}')
    assert main(["ask", str(asked)]) == 1
    assert "$.morale" in capsys.readouterr().err


def test_the_shipped_pack_is_valid(capsys):
    assert main(["validate", str(PACK)]) == 0
    assert "4 scenarios" in capsys.readouterr().out


def test_one_scenario_can_be_validated_too(capsys, tmp_path):
    assert main(["validate", str(NOVILLE)]) == 0
    assert capsys.readouterr().out == "noville: Noville at dawn: all right\n"
    document = tmp_path / "noville.json"
    text = msgspec.json.encode(load_scenario(NOVILLE)).replace(b'"turns":9', b'"turns":0')
    document.write_bytes(text)
    assert main(["validate", str(document)]) == 1
    assert "noville.json: turns" in capsys.readouterr().err


def test_coverage_adds_up(capsys):
    assert main(["coverage", "ost", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    lists = ("proven", "not_applicable", "untested", "missing")
    assert sum(len(report[name]) for name in lists) == report["total"] == 1114


@pytest.mark.parametrize("document", ["scenario", "result", "log", "question", *FILES])
def test_documents_have_a_schema(document, capsys):
    assert main(["schema", "ost", document]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert "$defs" in schema


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "nowhere.toml"],
        ["replay", "nowhere.json"],
        ["validate", "nowhere"],
        ["coverage", "chess"],
        ["schema", "chess", "result"],
    ],
)
def test_what_is_not_there_is_said_in_a_line(arguments, capsys):
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert said
    assert "Traceback" not in said


def test_a_scenario_document_in_json_is_fought_like_its_file(tmp_path):
    scenario = load_scenario(NOVILLE)
    document = tmp_path / "noville.json"
    document.write_bytes(msgspec.json.encode(scenario))
    assert (
        play(load_scenario(document), key_of_seed("3")).hash
        == play(scenario, key_of_seed("3")).hash
    )


def test_odds_say_how_far_they_are_where_there_is_no_screen(monkeypatch, capsys):
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr("rulesengine.odds.time.monotonic", lambda: float(next(clock)))
    small = str(PACK / "scenarios" / "noville.toml")
    assert main(["odds", small, "--most", "60", "--points", "50"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "30 battles of about 60, 6 s, some 6 s more",
        "60 battles of about 60, 12 s, some 0 s more",
    ]
    assert "60 battles" in said.out


def test_odds_take_no_more_processes_than_there_are_processors(monkeypatch, capsys):
    monkeypatch.setattr("rulesengine.odds.multiprocessing.cpu_count", lambda: 1)
    asked = ["odds", str(NOVILLE), "--most", "10", "--points", "50"]
    assert main([*asked, "--processes", "300"]) == 0
    many = capsys.readouterr()
    assert "--processes 300: at most one a processor, which is 1 here." in many.err
    assert main(asked) == 0
    assert capsys.readouterr().out == many.out


@pytest.mark.parametrize(
    ("closed", "told", "said"),
    [
        (">&-", 1, "rulesengine: the output is closed"),
        (">/dev/full", 1, "rulesengine: [Errno 28] No space left on device\n"),
        ("2>&-", 0, ""),
    ],
)
@pytest.mark.parametrize(
    "command",
    [["ask", str(QUESTIONS[0])], ["play", str(NOVILLE)], ["odds", str(NOVILLE), "--most", "10"]],
)
def test_what_nobody_can_read_is_an_error(command, closed, told, said):
    words = " ".join([sys.executable, "-m", "rulesengine", *command])
    done = subprocess.run(
        f"{words} {closed}", shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == told
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_question_named_by_half_is_offered_every_kind_it_may_mean(tmp_path, capsys):
    asked = tmp_path / "question.json"
    asked.write_text('{"kind": "attack"}')
    assert main(["ask", str(asked)]) == 1
    assert 'Did you mean "infantry attack" or "vehicle attack"?' in capsys.readouterr().err


# --- what is refused says what there is ----------------------------------------------------------


@pytest.fixture
def piped(monkeypatch):
    """What stands on the standard input of a command."""

    def given(text: str) -> None:
        held = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr("sys.stdin", held)

    return given


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            '{"kind": "rally", "morale": "good"}',
            'question: $.morale: invalid enum value \'good\'; it is one of "broken", "shaken"\n',
        ),
        (
            '[{"kind": "rally", "morale": "broken"}, {"kind": "rally", "morale": ""}]',
            '$[1].morale: invalid enum value \'\'; it is one of "broken", "shaken"',
        ),
        (
            '{"kind": "melee", "one": {"first": {"counter": "ger-rifle", "out": "gun"}}}',
            '$.one.first.out: invalid enum value \'gun\'; it is one of "", "engine", "hull gun",',
        ),
        ("{kind", "question: JSON is malformed: "),
        ('{"kind": "rally"', "question: $: input data was truncated"),
    ],
)
def test_a_question_that_cannot_be_read_says_what_there_is(asked, said, piped, capsys):
    piped(asked)
    assert main(["ask", "-"]) == 1
    assert said in capsys.readouterr().err


def test_a_question_may_stand_on_the_standard_input(piped, capsys):
    piped('{"kind": "rally", "morale": "shaken"}')
    assert main(["ask", "-"]) == 0
    assert capsys.readouterr().out.startswith("rally: ")


def sight(where: str) -> str:
    return json.dumps({"kind": "line of sight", "start": "A1", "end": "A2", "map": where})


def test_a_question_may_name_the_scenario_whose_map_it_is_of(piped, capsys, monkeypatch):
    monkeypatch.chdir(PACK)
    for path in ("scenarios/noville.toml", str(NOVILLE)):
        piped(sight(path))
        assert main(["ask", "-"]) == 0
        assert "A1 to A2: clear, 1 hex [" in capsys.readouterr().out
    piped(f"[{sight('scenarios/noville.toml')}]")
    assert main(["ask", "-", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/etc/passwd", "is no scenario: that is a file that ends in .toml or .json"),
        ("scenarios", "is no scenario: that is a file that ends in .toml or .json"),
        ("nope.toml", 'question: $.map: there is no file "nope.toml"'),
        ("battlefields/noville-dawn.toml", "is no sound scenario, as those in a pack's scenarios"),
        ("pack.toml", "is no sound scenario, as those in a pack's scenarios folder are: pack.toml"),
        ("\0.toml", "there is no file"),
    ],
)
def test_a_map_that_is_of_no_scenario_is_refused(path, said, piped, capsys, monkeypatch):
    monkeypatch.chdir(PACK)
    piped(sight(path))
    assert main(["ask", "-"]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert "root:" not in told


@pytest.mark.parametrize("book", ["os", "chess"])
def test_a_rulebook_that_is_not_there_is_answered_with_those_that_are(book, capsys):
    assert main(["coverage", book]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f'rulesengine: no ruleset "{book}". ')
    assert "ost" in said
    assert "/" not in said


def test_an_option_that_a_command_has_not_is_refused_in_its_own_words(capsys):
    with pytest.raises(SystemExit) as left:
        main(["odds", str(NOVILLE), "--battels", "60"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert "usage: python -m rulesengine odds" in said
    assert 'this command has no --battels 60. Did you mean "--battles"?' in said


def test_odds_may_be_bounded_by_either_name_and_one_battle_is_one(capsys):
    told = []
    for name in ("--most", "--battles"):
        assert main(["odds", str(NOVILLE), name, "1"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert ": 1 battle\n" in told[0]
    assert "  1 battle was too few for +- 3 points." in told[0]


def test_a_scenario_with_a_misspelt_ending_is_not_played(capsys):
    assert main(["play", str(NOVILLE.with_suffix(".tml"))]) == 1
    assert 'noville.tml: there is no such file. Did you mean "noville.toml"?' in (
        capsys.readouterr().err
    )

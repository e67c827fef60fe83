"""The account of which rules are played, and the plugin that keeps it honest."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from rulesengine import coverage
from rulesengine.contract import Answer, Event, Illegal, Modifier, Refusal
from tests.rule_marks import Cited, write_proofs

pytest_plugins = ("pytester",)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A ruleset "tiny" with a book of five rules."""
    monkeypatch.setattr(coverage, "RULESETS", tmp_path)
    rules = tmp_path / "tiny" / "rules"
    rules.mkdir(parents=True)
    (rules / "index.csv").write_text(
        "id,chapter,title\n1.0.1,1.0 Fire,Fire\n1.0.2,1.0 Fire,Smoke\n1.0.p1,1.0 Fire,About\n"
        "2.0.1,2.0 Move,Move\n2.0.2,2.0 Move,Halt\n"
    )
    (rules / "not_applicable.toml").write_text(
        '[[because]]\nreason = "introduces"\nrules = ["1.0.p1"]\n'
    )
    (rules / "proven.csv").write_text("id,test\n1.0.1,test_fire\n")
    (tmp_path / "tiny" / "fire.py").write_text('"""Fire and move. OST 1.0.1, 2.0.1."""\n')
    (tmp_path / "tiny" / "smoke.toml").write_text('rules = { cost = "1.0.2" }\n')
    return rules


def test_every_rule_is_in_exactly_one_state(book):
    found = coverage.report("tiny")
    assert (found.proven, found.not_applicable, found.untested, found.missing) == (1, 1, 2, 1)
    assert found.total == 5
    fire, move = found.chapters
    assert (fire.proven, fire.not_applicable, fire.untested) == (
        ("1.0.1",),
        ("1.0.p1",),
        ("1.0.2",),
    )
    assert (move.untested, move.missing) == (("2.0.1",), ("2.0.2",))


def test_the_report_lists_what_is_missing_by_number_and_title(book):
    assert coverage.text(coverage.report("tiny")).splitlines() == [
        "tiny: 5 rules: 1 proven, 1 not applicable, 2 cited but untested, 1 missing",
        "",
        "1.0 Fire: 1 of 2 proven",
        "    untested 1.0.2     Smoke",
        "2.0 Move: 0 of 2 proven",
        "    untested 2.0.1     Move",
        "    missing  2.0.2     Halt",
    ]


def test_a_proof_of_a_rule_that_is_not_in_the_book_is_refused(book):
    (book / "proven.csv").write_text("id,test\n9.9.9,test_fire\n")
    with pytest.raises(coverage.BadIndex, match=r"proven\.csv: no rule 9\.9\.9"):
        coverage.report("tiny")


def test_proofs_are_written_in_the_order_of_the_book_and_only_when_they_change(book):
    path = book / "proven.csv"
    write_proofs(path, "tiny", {("2.0.1", "b"), ("1.0.1", "z"), ("1.0.1", "a")})
    assert path.read_text() == "id,test\n1.0.1,a\n1.0.1,z\n2.0.1,b\n"
    before = path.stat().st_mtime_ns
    write_proofs(path, "tiny", {("2.0.1", "b"), ("1.0.1", "z"), ("1.0.1", "a")})
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize(("key", "total"), [("ost", 1114), ("cd2", 545), ("sotr", 599)])
def test_the_index_of_each_book_is_whole_and_adds_up(key, total):
    found = coverage.report(key)
    ids = [rule.id for rule in coverage.index(key)]
    assert len(set(ids)) == len(ids) == found.total == total
    assert found.proven + found.not_applicable + found.untested + found.missing == found.total


def test_each_rule_of_the_hex_game_has_a_short_title():
    for rule in coverage.index("ost"):
        assert 3 <= len(rule.title.split()) <= 9, rule


class Shot(Event, frozen=True, tag="tiny.shot"):
    rules = ("27.4.1",)

    def cites(self) -> tuple[str, ...]:
        return (*self.rules, "27.5.1")


def test_what_the_engine_says_cites_its_rules():
    cited = Cited()
    cited.take(Shot(), Illegal(Refusal("No.", rule="8.0.10")))
    cited.take(
        [Answer("?", "4", rules=("28.0.1",), modifiers=(Modifier(1, "adjacent", "27.1.3"),))]
    )
    assert cited == {"27.4.1", "27.5.1", "8.0.10", "28.0.1", "27.1.3"}
    with pytest.raises(TypeError):
        cited.take(msgspec.Raw(b""))


MARKED = """
import pytest
from rulesengine.contract import Refusal

@pytest.mark.rule("ost", "27.6.3")
def test_proves(cited):
    cited.take(Refusal("No.", rule="27.6.3"))

@pytest.mark.rule("ost", "27.6.4")
def test_claims(cited):
    cited.take(Refusal("No.", rule="27.6.3"))
"""


@pytest.fixture
def suite(pytester):
    pytester.makeini(
        f"[pytest]\npythonpath = {ROOT}\n"
        "addopts = -p no:cacheprovider -p no:django\nmarkers = rule\n"
    )
    pytester.makeconftest('pytest_plugins = ("tests.rule_marks",)')
    return pytester


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_marked_test_that_does_not_cite_its_rule_fails(suite, workers):
    suite.makepyfile(MARKED)
    result = suite.runpytest_subprocess(*workers)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*marked as proving 27.6.4, but no event*cited were: 27.6.3*"])


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        ('"27.6.3", "27.6.4", "27.6.5", "27.6.6"', "*marked with 4 rules; one test proves 3*"),
        ('"99.9.9"', "*no rule 99.9.9 in the index of ost*"),
    ],
)
def test_a_bad_mark_stops_the_run(suite, ids, told):
    suite.makepyfile(
        f"import pytest\n\n@pytest.mark.rule('ost', {ids})\ndef test_it():\n    pass\n"
    )
    result = suite.runpytest_subprocess()
    assert result.ret != 0
    result.stderr.fnmatch_lines([told])


def test_the_hex_game_cites_no_rule_that_is_not_in_its_book():
    known = {rule.id for rule in coverage.index("ost")}
    assert not coverage.cited_rules(coverage.RULESETS / "ost") - known

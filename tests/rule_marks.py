"""The pytest plugin behind `@pytest.mark.rule("ost", "27.6.3")`.

A marked test must see each of its rules cited by what the engine said in it: events, answers
and refusals are handed to the `cited` fixture (helpers do it: `request.node.cited.take(...)`).
A rule that was not cited fails the test. A full green run rewrites `rules/proven.csv` of each
ruleset; under xdist the proofs travel to the controller in the reports.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rulesengine import coverage
from rulesengine.contract import Answer, Event, Illegal, Line, Refusal

MOST = 3
"""Rules one test may prove."""

PROPERTY = "proves"
ROOT = Path(__file__).parents[1]


class Cited(set[str]):
    """The rules cited so far in a test."""

    def take(self, *things: Any) -> None:
        """Note what events, answers, refusals, lines or lists of them cite."""
        for thing in things:
            self.update(rules_of(thing))


def rules_of(thing: Any) -> Iterable[str]:
    """The rules that something the engine said cites, those of its modifiers included."""
    if isinstance(thing, Event):
        return thing.cites()
    if isinstance(thing, Illegal):
        return (thing.refusal.rule,)
    if isinstance(thing, Refusal):
        return (thing.rule,)
    if isinstance(thing, (Answer, Line)):
        return (*thing.rules, *(modifier.rule for modifier in thing.modifiers))
    if isinstance(thing, (list, tuple)):
        return [rule for inner in thing for rule in rules_of(inner)]
    raise TypeError(f"{type(thing).__name__} cites no rules")


def marked_rules(item: pytest.Item) -> list[tuple[str, str]]:
    """(ruleset, id) of every rule a test is marked with. Raises UsageError on a bad mark."""
    marked: list[tuple[str, str]] = []
    for mark in item.iter_markers("rule"):
        key, *ids = mark.args
        known = _known(key)
        for rule in ids:
            if rule not in known:
                raise pytest.UsageError(f"{item.nodeid}: no rule {rule} in the index of {key}")
            marked.append((key, rule))
    if len(marked) > MOST:
        raise pytest.UsageError(
            f"{item.nodeid}: marked with {len(marked)} rules; one test proves {MOST} at most"
        )
    return marked


_index: dict[str, set[str]] = {}


def _known(key: str) -> set[str]:
    if key not in _index:
        _index[key] = {rule.id for rule in coverage.index(key)}
    return _index[key]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marked_rules(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.cited = Cited()  # type: ignore[attr-defined]


@pytest.fixture
def cited(request: pytest.FixtureRequest) -> Cited:
    """The rules cited in this test; hand it what the engine said: `cited.take(event)`."""
    found: Cited = request.node.cited
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report: pytest.TestReport = yield
    if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        marked = marked_rules(item)
        seen: set[str] = item.cited  # type: ignore[attr-defined]
        unseen = [rule for _, rule in marked if rule not in seen]
        if unseen:
            report.outcome = "failed"
            report.longrepr = (
                f"marked as proving {', '.join(unseen)}, but no event, answer or refusal in it"
                f" cited that; cited were: {', '.join(sorted(seen)) or 'none'}"
            )
        else:
            report.user_properties += [(PROPERTY, f"{key} {rule}") for key, rule in marked]
    return report


class _Controller:
    """Gathers proofs where the reports arrive, and writes them down after a full green run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.proofs: dict[str, set[tuple[str, str]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY and report.passed:
                key, _, rule = str(value).partition(" ")
                self.proofs.setdefault(key, set()).add((rule, report.nodeid.partition("[")[0]))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK and is_full(self.config):
            for key, proofs in self.proofs.items():
                write_proofs(coverage.RULESETS / key / "rules" / "proven.csv", key, proofs)


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Controller(config), "rule-proofs")


def is_full(config: pytest.Config) -> bool:
    """Whether the run takes in every test that may prove a rule."""
    option = config.option
    narrowed = option.keyword or option.markexpr not in ("", "not long", "not browser")
    narrowed = narrowed or option.collectonly or getattr(option, "deselect", None)
    paths = {(config.invocation_params.dir / arg).resolve() for arg in config.args}
    whole = {ROOT, ROOT / "tests", ROOT / "tests" / "engine"}
    return not narrowed and bool(paths & whole)


def write_proofs(path: Path, key: str, proofs: set[tuple[str, str]]) -> None:
    """Write (id, test) pairs in the order of the index; leaves an unchanged file alone."""
    order = {rule.id: place for place, rule in enumerate(coverage.index(key))}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("id", "test"))
    writer.writerows(sorted(proofs, key=lambda proof: (order[proof[0]], proof[1])))
    if not path.exists() or path.read_text("utf-8") != out.getvalue():
        path.write_text(out.getvalue(), "utf-8")

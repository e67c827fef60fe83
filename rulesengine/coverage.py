"""How much of a printed rulebook is played, rule by rule, and what proves it.

Every paragraph of a book has an id in its ruleset's `rules/index.csv`. It is *proven* when a
passing test marked with it saw an event, answer or refusal cite it (`rules/proven.csv`, written
by the test suite), *not applicable* with a reason (`rules/not_applicable.toml`), *untested* when
the ruleset's code or data cites it without such a test, and otherwise *missing*.
"""

from __future__ import annotations

import ast
import csv
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from rulesengine.loader.reading import did_you_mean

RULESETS = Path(__file__).with_name("rulesets")

_CITATION = re.compile(r"\bOST ((?:[\w./-]+)(?:(?:, | and )\d[\w.]*)*)")
_ID = re.compile(r"\d+\.\d+\.p?\d+")


class Rule(msgspec.Struct, frozen=True):
    """One paragraph of the book."""

    id: str
    chapter: str
    title: str = ""


class Chapter(msgspec.Struct, frozen=True):
    """The rules of one heading, each id in exactly one of the four lists."""

    name: str
    proven: tuple[str, ...]
    not_applicable: tuple[str, ...]
    untested: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def total(self) -> int:
        lists = (self.proven, self.not_applicable, self.untested, self.missing)
        return sum(map(len, lists))


class Coverage(msgspec.Struct, frozen=True):
    """The state of one ruleset: five numbers that add up, and the chapters behind them."""

    ruleset: str
    total: int
    proven: int
    not_applicable: int
    untested: int
    missing: int
    chapters: tuple[Chapter, ...]


class BadIndex(Exception):
    """A file of rules does not fit the index; the message says which id, where."""


class NoIndex(Exception):
    """No book of that key; the message says which there are."""


def report(key: str) -> Coverage:
    """The coverage of a ruleset. Raises BadIndex, NoIndex for a ruleset without one."""
    folder = RULESETS / key
    rules = index(key)
    known = {rule.id for rule in rules}
    proven = set(proofs(key))
    reasons = not_applicable(key)
    for name, ids in (("proven.csv", proven), ("not_applicable.toml", set(reasons))):
        if ids - known:
            raise BadIndex(f"{key}/rules/{name}: no rule {min(ids - known)} in the index")
    cited = cited_rules(folder) & known
    chapters: dict[str, list[list[str]]] = {}
    for rule in rules:
        lists = chapters.setdefault(rule.chapter, [[], [], [], []])
        state = _state(rule.id, proven, reasons, cited)
        lists[state].append(rule.id)
    made = tuple(Chapter(name, *map(tuple, lists)) for name, lists in chapters.items())
    counts = [sum(len(getattr(c, field)) for c in made) for field in _STATES]
    proven_count, not_applicable_count, untested_count, missing_count = counts
    return Coverage(
        ruleset=key,
        total=len(rules),
        proven=proven_count,
        not_applicable=not_applicable_count,
        untested=untested_count,
        missing=missing_count,
        chapters=made,
    )


_STATES = ("proven", "not_applicable", "untested", "missing")


def _state(rule: str, proven: set[str], reasons: dict[str, str], cited: set[str]) -> int:
    return 0 if rule in proven else 1 if rule in reasons else 2 if rule in cited else 3


def index(key: str) -> tuple[Rule, ...]:
    """Every rule of a book, in its order."""
    known = [path.parts[-3] for path in RULESETS.glob("*/rules/index.csv")]
    if key not in known:
        raise NoIndex(f'no ruleset "{key}". {did_you_mean(key, known)}')
    with (RULESETS / key / "rules" / "index.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(
            Rule(row["id"], row["chapter"], row.get("title") or "") for row in csv.DictReader(lines)
        )


def proofs(key: str) -> dict[str, tuple[str, ...]]:
    """Rule id -> the tests that prove it, as the suite last wrote them."""
    path = RULESETS / key / "rules" / "proven.csv"
    found: dict[str, tuple[str, ...]] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                found[row["id"]] = (*found.get(row["id"], ()), row["test"])
    return found


def not_applicable(key: str) -> dict[str, str]:
    """Rule id -> why no program can prove it."""
    path = RULESETS / key / "rules" / "not_applicable.toml"
    if not path.exists():
        return {}
    reasons: dict[str, str] = {}
    for group in tomllib.loads(path.read_text("utf-8"))["because"]:
        for rule in group["rules"]:
            if rule in reasons:
                raise BadIndex(f"{key}/rules/not_applicable.toml: {rule} is given two reasons")
            reasons[rule] = group["reason"]
    return reasons


def cited_rules(folder: Path) -> set[str]:
    """Every rule id that a ruleset's code or data names."""
    found: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= _ids_in(node.value)
    for path in sorted(folder.rglob("*.toml")):
        if path.parent.name != "rules":
            for text in _strings(tomllib.loads(path.read_text("utf-8"))):
                found |= _ids_in(text)
    return found


def _ids_in(text: str) -> set[str]:
    """An id that is the whole text, or ids that follow the book's name in a sentence."""
    if _ID.fullmatch(text):
        return {text}
    return {rule for match in _CITATION.findall(text) for rule in _ID.findall(match)}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def summary(coverage: Coverage) -> str:
    """One line."""
    return (
        f"{coverage.ruleset}: {coverage.total} rules: {coverage.proven} proven,"
        f" {coverage.not_applicable} not applicable, {coverage.untested} cited but untested,"
        f" {coverage.missing} missing"
    )


def text(coverage: Coverage) -> str:
    """Chapter by chapter: the counts, then what is missing or untested by id and title."""
    titles = {rule.id: rule.title for rule in index(coverage.ruleset)}
    lines = [summary(coverage), ""]
    for chapter in coverage.chapters:
        lines.append(
            f"{chapter.name}: {len(chapter.proven)} of"
            f" {chapter.total - len(chapter.not_applicable)} proven"
        )
        lines += _listed("untested", chapter.untested, titles)
        lines += _listed("missing", chapter.missing, titles)
    return "\n".join(lines)


def _listed(word: str, rules: Iterable[str], titles: dict[str, str]) -> list[str]:
    return [f"    {word:<9}{rule:<10}{titles[rule]}".rstrip() for rule in rules]

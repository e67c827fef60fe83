"""The house rules that a machine can hold: rooms, names, addresses, what the README says."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {"utils", "helpers", "common", "misc", "base", "manager"}
ROOM = 600
FUNCTION = 60
CONTRACT = 150
SURE = {"raises", "warns", "expect", "fail", "suppress", "refused"}
"""Calls that fail a test by themselves; `refused` is the table's."""


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows, or all that match where there is no git."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\n")
        return [ROOT / name for name in listed if name and (ROOT / name).exists()]
    except (OSError, subprocess.CalledProcessError):
        return [p for pattern in patterns for p in ROOT.rglob(pattern) if ".venv" not in p.parts]


def python_files() -> list[Path]:
    return [p for p in tracked("*.py") if "migrations" not in p.parts]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_there_are_files_to_look_at():
    assert len(python_files()) > 100


def test_no_file_has_grown_past_two_rooms():
    long = {name_of(p): n for p in python_files() if (n := len(p.read_text().splitlines())) > ROOM}
    assert not long


def test_the_contract_stays_short_enough_to_be_read_first():
    assert len((ROOT / "rulesengine" / "contract.py").read_text().splitlines()) <= CONTRACT


def test_no_function_is_longer_than_a_page():
    long = []
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION:
                    long.append(f"{name_of(path)}:{node.lineno} {node.name} ({lines} lines)")
    assert not long


def test_modules_are_named_for_what_they_mean():
    bad = [name_of(p) for p in python_files() if p.stem in FORBIDDEN]
    assert not bad


def test_only_the_registry_asks_which_ruleset_it_is():
    asks = re.compile(r"(ruleset|rules\.key|key)\s*==\s*['\"](ost|cd2|sotr)['\"]")
    bad = [
        name_of(p) for p in python_files() if "tests" not in p.parts and asks.search(p.read_text())
    ]
    assert not bad


@pytest.mark.parametrize("lock", ["base", "dev"])
def test_locks_hold_hashes_and_no_address(lock):
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    assert "://" not in text
    pins = [line for line in text.splitlines() if re.match(r"^[a-z0-9][\w.\[\],-]*==", line)]
    assert len(pins) > 20
    assert text.count("--hash=sha256:") >= len(pins)


def test_no_tracked_file_names_a_path_of_a_machine():
    places = re.compile(r"(?<![\w.])/(?:root|home/\w+|work/\w+|Users/\w+)/")
    bad = []
    for path in tracked():
        if path.suffix in {".png", ".svg", ".css", ".js", ".map"} or "vendor" in path.parts:
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if places.search(text):
            bad.append(name_of(path))
    assert not bad


def asserting(tree: ast.Module) -> set[str]:
    """Names of the functions of a module that assert, by themselves or through one another."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    found: set[str] = set()
    while True:
        more = {f.name for f in functions if _asserts(f, found)} - found
        if not more:
            return found
        found |= more


def _asserts(function: ast.FunctionDef, known: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call | ast.Attribute | ast.Name):
            target = node.func if isinstance(node, ast.Call) else node
            name = getattr(target, "attr", getattr(target, "id", ""))
            if name in known or name.startswith("assert") or name in SURE:
                return True
    return False


def test_tests_assert_something():
    idle = []
    for path in tracked("tests/*.py", "tests/**/*.py"):
        tree = ast.parse(path.read_text())
        sure = asserting(tree)
        for node in ast.walk(tree):
            is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            if is_test and node.name not in sure:
                idle.append(f"{name_of(path)}:{node.lineno} {node.name}")
    assert not idle


def test_the_files_and_commands_that_the_readme_names_exist():
    text = (ROOT / "README.md").read_text()
    for name in re.findall(r"`((?:bin|rulesengine|campaigns|fixtures|tests|docs)/[\w./-]*)`", text):
        assert (ROOT / name).exists(), name
    for command in re.findall(r"\./(bin/\w+)", text):
        assert (ROOT / command).exists(), command
    for link in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (ROOT / link).exists(), link


def test_the_tests_of_faults_that_operators_are_told_of_exist():
    named = re.findall(r"`(test_\w+)`", (ROOT / "docs" / "operations.md").read_text())
    there = "\n".join(path.read_text() for path in tracked("tests/*.py", "tests/**/*.py"))
    assert len(named) > 25
    assert [name for name in named if f"def {name}(" not in there] == []

"""A battle of an older version of the rules replays and is audited for ever, and is never fought
again.

`logs/ost-5.json` was fought by version 5. Whenever the version goes up, put a log of the last one
beside it.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from rulesengine import proof
from rulesengine.__main__ import main
from rulesengine.documents import Proven, digest, read
from rulesengine.registry import ruleset

LOGS = sorted((Path(__file__).parent / "logs").glob("*.json"))


def old(path):
    proven = read(path.read_bytes(), Proven)
    assert proven.log.version != ruleset(proven.log.ruleset).version
    return proven


def test_there_are_logs_of_older_versions():
    assert [path.stem for path in LOGS] == ["ost-4", "ost-5"]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_it_replays_and_is_audited_and_is_not_fought_again(path, capsys):
    proven = old(path)
    assert main(["replay", str(path)]) == 0
    assert f"hash {proven.hash}" in capsys.readouterr().out
    assert main(["audit", str(path)]) == 0
    assert main(["rerun", str(path)]) == 1
    assert "replay and audit still hold" in capsys.readouterr().err


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_only_the_words_for_why_may_be_better_now(path, tmp_path, capsys):
    proven = old(path)
    lost = next(f for f in proven.result.elements if f.after == "eliminated" and f.cause)

    def with_fate(**other):
        fates = tuple(
            msgspec.structs.replace(fate, **other) if fate == lost else fate
            for fate in proven.result.elements
        )
        result = msgspec.structs.replace(proven.result, elements=fates)
        return msgspec.structs.replace(proven, result=result, hash=result.hash)

    proof.replayed(with_fate(cause="as it was called then"))
    for forged in (with_fate(after="fit"), with_fate(became="us-rifle")):
        proof.sealed(forged)
        with pytest.raises(proof.Disproved, match="another result"):
            proof.replayed(forged)


def test_of_this_version_the_words_are_the_same(tmp_path, capsys):
    told = tmp_path / "battle.json"
    fight = "fixtures/packs/eastern-front-1941/scenarios/bug-bridge.toml"
    root = Path(__file__).parents[2]
    assert main(["play", str(root / fight), "--seed", "3", "--log", str(told)]) == 0
    battle = json.loads(told.read_text())
    lost = next(f for f in battle["result"]["elements"] if f.get("cause"))
    lost["cause"] = "another"
    forged = read(json.dumps(battle), Proven)
    assert digest(forged.log) == forged.result.log
    with pytest.raises(proof.Disproved, match="another result"):
        proof.replayed(forged)

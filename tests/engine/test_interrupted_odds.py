"""`odds` stopped with Ctrl-C: what was fought so far is told, and said to be no more than that."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulesengine.__main__ import main

ROOT = Path(__file__).parents[2]
NOVILLE = ROOT / "fixtures" / "packs" / "road-to-bastogne" / "scenarios" / "noville.toml"
LONG = ("odds", str(NOVILLE), "--points", "0.1")
"""An hour and more, if nobody stops it."""
PATIENCE = 60


@pytest.fixture
def interrupted():
    """The command in a group of its own, and a Ctrl-C for all of the group, as at a terminal, or
    for it alone, once it has said how far it is."""
    started = []

    def run(*arguments: str, group: bool = True) -> tuple[int, str, str]:
        # A process that is started with the signal ignored would never hear of it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "rulesengine", *arguments],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        finally:
            signal.signal(signal.SIGINT, before)
        started.append(process)
        assert "battles of about" in process.stderr.readline()
        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    yield run
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.parametrize(("processes", "group"), [("1", True), ("2", True), ("2", False)])
def test_what_was_fought_before_ctrl_c_is_told_and_marked(processes, group, interrupted, capsys):
    code, out, err = interrupted(*LONG, "--processes", processes, group=group)
    assert code == 130
    assert "Traceback" not in err
    first, *lines = out.splitlines()
    fought = int(
        re.fullmatch(r"Noville at dawn: interrupted after (\d+) battles, so far", first)[1]
    )
    assert fought >= 10
    shares = [line for line in lines if "95 % between" in line]
    assert sum(int(line.split(" %")[0].split()[-2]) for line in shares) == fought
    assert f"Interrupted: not the whole answer, but that of --most {fought}." in out
    assert "too few" not in out
    # The same as asking for so many and no more.
    assert main([*LONG, "--most", str(fought), "--processes", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == lines[-1]


def test_json_says_that_it_was_interrupted(interrupted, capsys):
    code, out, err = interrupted(*LONG, "--json")
    assert code == 130
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["interrupted"] is True
    assert document["enough"] is False
    assert sum(share["count"] for share in document["outcomes"]) == document["runs"] >= 10
    for share in document["outcomes"]:
        assert share["low"] <= share["share"] <= share["high"]
    assert main([*LONG, "--json", "--most", str(document["runs"])]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole == {**document, "interrupted": False}


def test_before_a_battle_is_counted_there_is_nothing_to_tell(monkeypatch, capsys):
    monkeypatch.setattr("rulesengine.odds._Way.__init__", pressed)
    monkeypatch.setattr("rulesengine.odds._Way.ended", lambda _: None)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(list(LONG)) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().out == ""


def pressed(_):
    """Ctrl-C while nothing is fought yet."""
    signal.raise_signal(signal.SIGINT)


def test_pressed_in_the_first_battle_it_says_that_none_is_counted(monkeypatch, capsys):
    monkeypatch.setattr("rulesengine.odds._Asked.to_stop", stops)
    assert main(list(LONG)) == 130
    assert capsys.readouterr().out == ("Noville at dawn: interrupted before a battle was counted\n")
    assert main([*LONG, "--json"]) == 130
    document = json.loads(capsys.readouterr().out)
    assert (document["interrupted"], document["runs"], document["amounts"]) == (True, 0, [])


def stops(asked):
    asked.obeyed = True
    return True


def test_ctrl_c_means_the_same_after_the_odds_as_before(capsys):
    before = signal.getsignal(signal.SIGINT)
    assert main(["odds", str(NOVILLE), "--most", "2"]) == 0
    assert signal.getsignal(signal.SIGINT) is before
    assert "2 battles were too few" in capsys.readouterr().out


def test_who_ignores_ctrl_c_for_the_command_is_obeyed():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert main(["odds", str(NOVILLE), "--most", "2"]) == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)

"""Logs, keys and packs by somebody who means no good: each is refused in a sentence."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from rulesengine.__main__ import main
from tests.engine.test_command_line import PACK, fought, tampered

__all__ = ["fought"]


def _rolled(battle):
    return next(event for event in battle["log"]["events"] if "roll" in event)


def lose_every_event(battle):
    battle["log"]["events"] = []


def drop_the_first_event(battle):
    del battle["log"]["events"][0]


def reverse_the_events(battle):
    battle["log"]["events"].reverse()


def another_ending(battle):
    battle["result"]["ending"]["how"] = "as we would have liked it"


def one_element_fewer(battle):
    battle["result"]["elements"].pop()


def another_commitment(battle):
    battle["log"]["commitment"] = "0" * 64


def another_title(battle):
    battle["log"]["scenario"]["title"] = "Another fight"


def another_hash(battle):
    battle["hash"] = "0" * 64


def no_forces(battle):
    battle["log"]["scenario"]["forces"] = []


def half_a_turn(battle):
    battle["log"]["scenario"]["turns"] = 1.5


def a_die_without_sides(battle):
    _rolled(battle)["roll"][1] = 0


def a_die_of_many_sides(battle):
    _rolled(battle)["roll"][1] = 300


def a_die_in_words(battle):
    _rolled(battle)["roll"] = "a six"


def a_side_that_is_not_there(battle):
    next(e for e in battle["log"]["events"] if e["kind"] == "ost.impulses_rolled")["side"] = 10**18


CHANGES = (
    lose_every_event,
    drop_the_first_event,
    reverse_the_events,
    another_ending,
    one_element_fewer,
    another_commitment,
    another_title,
    another_hash,
    no_forces,
    half_a_turn,
    a_die_without_sides,
    a_die_of_many_sides,
    a_die_in_words,
    a_side_that_is_not_there,
)


@pytest.mark.parametrize("verb", ["replay", "audit", "rerun"])
@pytest.mark.parametrize("change", CHANGES)
def test_no_proof_holds_of_a_battle_that_somebody_changed(change, verb, fought, capsys):
    assert main([verb, str(tampered(fought, change))]) == 1
    assert capsys.readouterr().err.strip()


@pytest.mark.parametrize("verb", ["audit", "rerun"])
def test_a_key_of_the_wrong_length_is_refused(verb, fought, capsys):
    assert main([verb, str(fought), "--key", "ab"]) == 1
    assert "32 bytes" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b'{"kind":"\xff"}', b"\0"])
@pytest.mark.parametrize("verb", ["replay", "audit", "rerun", "ask"])
def test_what_is_no_document_is_refused(verb, text, tmp_path, capsys):
    place = tmp_path / "document.json"
    place.write_bytes(text)
    assert main([verb, str(place)]) == 1
    assert str(place) in capsys.readouterr().err


def test_an_event_that_is_not_text_is_refused(fought, tmp_path, capsys):
    place = tmp_path / "battle.json"
    place.write_bytes(fought.read_bytes().replace(b"ost.shot", b"ost.sh\xff", 1))
    for verb in ("replay", "audit", "rerun"):
        assert main([verb, str(place)]) == 1
        assert capsys.readouterr().err.strip()


def _device(place: Path) -> None:
    place.symlink_to("/dev/zero")


@pytest.mark.parametrize("put", [_device, os.mkfifo, Path.mkdir])
def test_a_pack_of_anything_but_plain_files_is_refused_and_not_read(put, tmp_path, capsys):
    folder = tmp_path / PACK.name
    shutil.copytree(PACK, folder)
    (folder / "pack.toml").unlink()
    put(folder / "pack.toml")
    assert main(["validate", str(folder)]) == 1
    assert "plain file" in capsys.readouterr().err


def test_the_dice_may_be_seeded_with_any_bytes(tmp_path):
    from rulesengine.dice import key_of_seed

    assert key_of_seed(os.fsdecode(b"\xff")) != key_of_seed("")


def test_a_tampered_battle_is_one_that_differs(fought):
    for change in CHANGES:
        assert json.loads(tampered(fought, change).read_text()) != json.loads(fought.read_text())

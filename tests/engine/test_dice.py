"""The dice tape is fixed by specification (docs/adr/0002-dice-tape.md)."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from rulesengine.dice import (
    BLOCK,
    LoadedTape,
    Tape,
    TapeEnded,
    commitment,
    key_of_run,
    key_of_seed,
)

SEED_7 = "0f1c63b88102f461803c0118ee3e89f1b31b928cd4bc21f5f6297cbb1544b76c"


def test_the_key_of_a_seed_is_its_hash():
    assert key_of_seed("7").hex() == SEED_7


def test_the_tape_shows_the_published_vectors():
    tape = Tape(bytes.fromhex(SEED_7))
    assert tape.roll(6, 10).faces == (6, 5, 3, 4, 6, 3, 2, 2, 1, 5)
    assert tape.roll(10, 5).faces == (1, 3, 9, 6, 1)
    assert tape.at == 15


def test_a_roll_may_cross_the_end_of_a_block():
    assert Tape(bytes.fromhex(SEED_7), 508).roll(6, 6).faces == (1, 3, 5, 1, 3, 2)


def test_any_roll_can_be_read_again_from_its_position():
    tape = Tape(key_of_seed("again"))
    rolls = [tape.roll(sides, count) for sides, count in ((6, 2), (10, 1), (6, 3)) * 200]
    for roll in rolls:
        assert Tape(key_of_seed("again"), roll.at).roll(roll.sides, len(roll.faces)) == roll


def test_every_roll_is_what_the_bytes_of_the_tape_say():
    key = key_of_seed("bytes")
    blocks = [hashlib.shake_128(key + b.to_bytes(8, "big")).digest(BLOCK) for b in range(12)]
    tape, at, passed = b"".join(blocks), 0, 0
    dice = Tape(key)
    for sides, count in ((6, 2), (6, 1), (6, 5), (10, 1), (6, 0), (256, 2)) * 500:
        faces = []
        while len(faces) < count:
            if tape[at] < 256 // sides * sides:
                faces.append(tape[at] % sides + 1)
            else:
                passed += 1
            at += 1
        assert dice.roll(sides, count).faces == tuple(faces)
        assert dice.at == at
    assert passed > 50


@pytest.mark.parametrize("sides", [6, 10])
def test_every_face_is_about_as_likely_as_the_next(sides):
    counts = Counter(Tape(key_of_seed("fair")).roll(sides, 60_000).faces)
    expected = 60_000 / sides
    chi_squared = sum((counts[f] - expected) ** 2 / expected for f in range(1, sides + 1))
    assert sorted(counts) == list(range(1, sides + 1))
    assert chi_squared < 29.6, counts


def test_runs_of_a_forecast_have_keys_of_their_own():
    key = key_of_seed("7")
    assert len({key_of_run(key, run) for run in range(1000)}) == 1000
    assert key_of_run(key, 3) == key_of_run(key, 3)


def test_a_commitment_binds_key_snapshot_version_and_attempt():
    key = key_of_seed("7")
    snapshot = "ab" * 32
    published = commitment(key, snapshot, "1", 1)
    assert published == "9f58fe28b6005ccebe67b08c4be9892fce3d2fc9a4759eab6325a3fc9c26b8dc"
    others = [
        commitment(key_of_seed("8"), snapshot, "1", 1),
        commitment(key, "cd" * 32, "1", 1),
        commitment(key, snapshot, "2", 1),
        commitment(key, snapshot, "1", 2),
    ]
    assert published not in others


def test_loaded_dice_show_what_they_are_told_and_say_when_they_run_out():
    tape = LoadedTape([3, 4, 6])
    assert tape.roll(6, 2).faces == (3, 4)
    with pytest.raises(TapeEnded, match="die 4 was rolled; only 3 were loaded"):
        tape.roll(6, 2)
    with pytest.raises(ValueError, match="a d6 cannot show 7"):
        LoadedTape([7]).roll(6, 1)


def test_a_key_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        Tape(b"short")

"""Dice are a tape.

A battle's key is 32 bytes. Block *b* of its tape is the first 512 bytes of
SHAKE-128(key || b as 8 bytes, big-endian); blocks follow each other and the tape
never wraps. A die of *n* sides takes the next byte below the largest multiple of
*n* that fits in 256 and shows `byte % n + 1`; bytes above are passed over. So every
language rolls the same, and any die can be audited from the key alone.
The byte layout and its test vectors stand in `docs/adr/0002-dice-tape.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

BLOCK = 512
KEY_BYTES = 32
MOST_SIDES = 256
"""A die takes one byte."""


class Roll(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Dice that were rolled together: where on the tape, how many sides, what they show."""

    at: int
    sides: int
    faces: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.faces)


_AS_SIXES = bytes(byte % 6 + 1 if byte < 252 else 0 for byte in range(256))
"""What a die of six sides shows of each byte; 0: the byte is passed over."""


class TapeEnded(Exception):
    """A loaded tape had no more dice."""


class Dice(Protocol):
    """What a ruleset rolls with. `at` is the position the next roll starts from."""

    at: int

    def roll(self, sides: int, count: int) -> Roll:
        """Roll `count` dice of `sides` sides."""


class Tape:
    """The endless dice of one key."""

    __slots__ = ("_block", "_first", "_index", "_key", "_sixes", "at")

    def __init__(self, key: bytes, at: int = 0) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a dice key has {KEY_BYTES} bytes, this one has {len(key)}")
        self._key = key
        self._index = -1
        self._block = self._sixes = b""
        self._first = 0
        self.at = at

    def roll(self, sides: int, count: int) -> Roll:
        start = at = self.at
        if sides == 6:  # most dice: where all count and lie in the block at hand, they stand there
            offset = start - self._first
            shown = self._sixes[offset : offset + count]
            if offset >= 0 and len(shown) == count and 0 not in shown:
                self.at = start + count
                return Roll(start, 6, tuple(shown))
        if not 1 <= sides <= MOST_SIDES:
            raise ValueError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        limit = 256 - 256 % sides
        faces = []
        for _ in range(count):
            while True:
                index, offset = divmod(at, BLOCK)
                if index != self._index:
                    self._turn_to(index)
                byte = self._block[offset]
                at += 1
                if byte < limit:
                    faces.append(byte % sides + 1)
                    break
        self.at = at
        return Roll(start, sides, tuple(faces))

    def _turn_to(self, index: int) -> None:
        self._block = hashlib.shake_128(self._key + index.to_bytes(8, "big")).digest(BLOCK)
        self._sixes = self._block.translate(_AS_SIXES)
        self._index, self._first = index, index * BLOCK


class LoadedTape:
    """Dice that show what they are told: a referee's own dice, or those of a test.

    `at` counts dice, not bytes.
    """

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces: Sequence[int] = tuple(faces)
        self.at = 0

    def roll(self, sides: int, count: int) -> Roll:
        faces = tuple(self._faces[self.at : self.at + count])
        if len(faces) < count:
            raise TapeEnded(
                f"die {self.at + len(faces) + 1} was rolled; only {len(self._faces)} were loaded"
            )
        for face in faces:
            if not 1 <= face <= sides:
                raise ValueError(f"die {self.at + 1}: a d{sides} cannot show {face}")
        roll = Roll(self.at, sides, faces)
        self.at += count
        return roll


def key_of_seed(seed: str) -> bytes:
    """The key of a seed given in words or figures: SHA-256("seed:<seed>")."""
    return hashlib.sha256(f"seed:{seed}".encode(errors="surrogateescape")).digest()


def key_of_run(key: bytes, run: int) -> bytes:
    """The key of run number `run` of a forecast: SHA-256(key || "/" || run in decimal)."""
    return hashlib.sha256(key + f"/{run}".encode()).digest()


def commitment(key: bytes, snapshot: str, version: str, attempt: int) -> str:
    """What is published before the battle: SHA-256(key || "|snapshot|version|attempt"), in hex."""
    return hashlib.sha256(key + f"|{snapshot}|{version}|{attempt}".encode()).hexdigest()

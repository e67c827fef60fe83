"""How many of a thing, in words: one of it is one."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """ "1 hex" or "3 hexes"; `more` where the plural is not an added s."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def hex_count(count: int) -> str:
    """ "1 hex" or "3 hexes"."""
    return many(count, "hex", "hexes")

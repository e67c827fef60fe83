"""What dims a line of sight beside terrain (OST 12.4, 13): wrecks, roadblocks, smoke."""

from __future__ import annotations

from collections.abc import Mapping

from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.sight import along, crossed

LOW, TALL = 1, 2
"""A veil that is looked over from above, and smoke, which is not. OST 12.4.7, 12.4.10."""


def meets_any(ground: Ground, veils: Mapping[int, int], a: int, b: int) -> bool:
    """Whether a line could meet a veil at all: what it meets lies on a shortest way."""
    distance = ground.grid.distance
    most = distance(a, b) + 1
    return any(distance(a, h) + distance(h, b) <= most for h in veils)


def veiled(
    ground: Ground,
    veils: Mapping[int, int],
    line: tuple[int, int],
    eyes: tuple[int, int],
    others: frozenset[int],
) -> frozenset[int]:
    """The hexes with veils that dim a line, its ends apart. OST 13.7.7, 13.9.5, 13.10.1; of two
    hexes along whose side it runs one counts (14.0.8), unless one is among the `others` already."""
    found = {h for h in crossed(ground, *line) if hides(ground, veils, h, line, eyes)}
    sides = along(ground, *line)
    pairs = tuple(zip(sides[::2], sides[1::2], strict=True))
    return frozenset(found) | one_of(ground, veils, pairs, line, eyes, others)


def one_of(
    ground: Ground,
    veils: Mapping[int, int],
    pairs: tuple[tuple[int, int], ...],
    line: tuple[int, int],
    eyes: tuple[int, int],
    others: frozenset[int],
) -> frozenset[int]:
    """Of two hexes along whose side the line runs, the one with a veil."""
    found: set[int] = set()
    for pair in pairs:
        if others.isdisjoint(pair):
            found.update([h for h in pair if hides(ground, veils, h, line, eyes)][:1])
    return frozenset(found)


def hides(
    ground: Ground, veils: Mapping[int, int], h: int, line: tuple[int, int], eyes: tuple[int, int]
) -> bool:
    """Whether a hex holds something that is not seen over: from higher ground a wreck hides the
    hex behind it only, smoke as much as ever. OST 12.4.7, 12.4.10."""
    veil = veils.get(h, 0)
    if not veil or h in line:
        return False
    if veil == TALL or not ground.relief or ground.base[h] >= max(eyes):
        return True
    low = line[0] if eyes[0] < eyes[1] else line[1]
    return ground.base[h] >= min(eyes) and ground.grid.distance(h, low) == 1

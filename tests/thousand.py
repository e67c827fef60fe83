"""A thousand rule questions of all kinds with varied facts, the same for the same seed.

The facts are drawn from what the ruleset says of its fields; a question that the rules refuse is
drawn anew, so that every one has an answer. Maps are drawn too: each is another map.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from rulesengine import asking
from rulesengine.documents import BadDocument
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.registry import ruleset

LEGEND = {
    ".": "open",
    "b": "brush",
    "w": "woods",
    "s": "stream",
    "m": "marsh",
    "l": "light structure",
    "h": "heavy structure",
}
WIDE, HIGH = 9, 8
MAPS = 12
"""So many maps; about twenty questions share one, as at a battle."""
AGAIN = 200
"""Draws of one question before it is thought impossible."""


def questions(count: int = 1000, seed: str = "a thousand") -> list[dict[str, Any]]:
    """Documents of questions, every kind as often as any other."""
    dice = random.Random(seed)
    kinds = asking.questions("ost")
    maps = [_map(dice, number) for number in range(MAPS)]
    return [_answerable(dice, kinds[number % len(kinds)], maps) for number in range(count)]


def _answerable(
    dice: random.Random, asked: asking.Asked, maps: list[dict[str, Any]]
) -> dict[str, Any]:
    rules = ruleset("ost")
    for _ in range(AGAIN):
        document = _drawn(dice, asked, maps)
        try:
            rules.adjudicate(msgspec.convert(document, rules.question_type))
        except BadDocument:
            continue
        return document
    raise AssertionError(f"no answer to {AGAIN} questions of the kind {asked.kind}")


def _drawn(dice: random.Random, asked: asking.Asked, maps: list[dict[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": asked.kind}
    way = _way(dice)
    facings = tuple(dice.choice(DIRECTION_NAMES) for _ in way[1:])
    words = {"path": way, "facings": facings, "start": way[0], "end": way[-1]}
    for field in asked.fields:
        if not field.required and dice.random() < 0.5:
            continue
        value = words[field.name] if field.name in words else _value(dice, field, maps)
        *above, name = field.name.split(".")
        place = document
        for part in above:
            place = place.setdefault(part, {})
        place[name] = value
    return document


def _value(dice: random.Random, field: asking.Field, maps: list[dict[str, Any]]) -> Any:
    low, high = field.least or 0, field.most if field.most is not None else 12
    if field.kind == "map":
        return dice.choice(maps)
    if field.kind == "yes":
        return dice.random() < 0.5
    if field.kind == "number":
        return dice.randint(low, min(high, low + 12))
    if field.kind == "numbers":
        return [dice.randint(1, 8) for _ in range(dice.randint(1, 3))]
    if field.kind == "choice":
        return dice.choice(field.choices)
    if field.kind == "choices":
        return dice.sample(field.choices, dice.randint(0, min(2, len(field.choices))))
    hexes = [_hex(dice.randrange(WIDE), dice.randrange(HIGH)) for _ in range(2)]
    return hexes[0] if field.kind == "text" else hexes[: dice.randint(0, 2)]


def _way(dice: random.Random) -> tuple[str, ...]:
    """Up or down a column, a hex at a time."""
    column, length = dice.randrange(WIDE), dice.randint(2, 5)
    start = dice.randint(0, HIGH - length)
    rows = range(start, start + length)
    return tuple(_hex(column, row) for row in (rows if dice.random() < 0.5 else reversed(rows)))


def _hex(column: int, row: int) -> str:
    return f"{'ABCDEFGHIJKLMNOP'[column]}{row + 1}"


def _map(dice: random.Random, number: int) -> dict[str, Any]:
    signs = "......" + "".join(LEGEND)
    rows = ["".join(dice.choice(signs) for _ in range(WIDE)) for _ in range(HIGH)]
    return {"key": f"drawn-{number}", "title": "Drawn", "grid": rows, "legend": LEGEND}

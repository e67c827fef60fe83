"""How the engine explains itself: modifiers, exact chances, answers to questions, report lines,
what stands on the table, and whose dice were rolled for what."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from rulesengine.dice import Roll


class Modifier(msgspec.Struct, frozen=True):
    """One change to a number: how much, what for, by which rule."""

    amount: int
    name: str
    rule: str


class Chance(msgspec.Struct, frozen=True):
    """One possible outcome with its exact probability, `over` / `of`."""

    outcome: str
    over: int
    of: int

    @property
    def share(self) -> Fraction:
        """The probability in its lowest terms."""
        return Fraction(self.over, self.of)


class Answer(msgspec.Struct, frozen=True):
    """The answer to one rule question."""

    question: str
    text: str
    rules: tuple[str, ...]
    steps: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    chances: tuple[Chance, ...] = ()
    value: int | None = None
    places: tuple[str, ...] = ()
    """Hexes ("F5") and hexsides ("F5/NE") that decide it, where it is asked of a map."""


IDLE = -1
"""The weight of a line that tells that nothing was done: a chance let go, a pass."""


class Line(msgspec.Struct, frozen=True):
    """One line of a report, made from an event: words, and the facts under them."""

    text: str
    rules: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    units: tuple[str, ...] = ()
    """Ids of the order-of-battle units it tells of."""
    weight: int = 0
    """IDLE (-1) nobody did anything, 0 routine, 1 notable, 2 a turning point."""
    fire: tuple[tuple[str, str], ...] = ()
    """Lines of fire it tells of: from which hex to which."""
    means: str = ""
    """What the letters that the text ends in mean, for who does not know the tables of the game:
    "a casualty". Empty where it ends in plain words."""


def in_full(text: str, means: str) -> str:
    """The text of a line with what its letters mean: "roll 9: C, a casualty."."""
    return f"{text.removesuffix('.')}, {means}." if means else text


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """One term of a scenario in words, for the players' sheet."""

    head: str
    """What it belongs to: "victory"; empty = the side whose own it is."""
    label: str
    text: str
    path: str
    """Where it stands in the document: "victory.goals[0]"."""
    side: str = ""
    """Key of the side that alone may read it; empty = everybody may."""
    detail: bool = False
    """For a sheet on paper, too much for a page."""
    printed: bool = False
    """A rule of the book, whoever set the figures of the scenario."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """One counter or marker on the table, as one listener sees it."""

    id: str
    """The element's id; a marker has one of its own, with a space in it."""
    name: str
    kind: str
    """Key of its element type; "" for a marker."""
    side: int
    """-1: nobody's."""
    hex: str
    facing: str = ""
    """The hexside it faces ("NE"), where that matters."""
    steps: int = 0
    morale: str = ""
    """"" in good order."""
    marks: tuple[str, ...] = ()
    """What its markers say: "reduced", "moved", "fired", "melee"."""


class Throw(msgspec.Struct, frozen=True, gc=False):
    """A roll as its side's: what it was for, and which way it is good for them."""

    side: int
    what: str
    """In a word or two: "attack", "gut check"."""
    roll: Roll
    high: bool = True
    """Whether a high total is what they hope for."""

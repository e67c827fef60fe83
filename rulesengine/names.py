"""What may be a key or a name, and when two names read as one.

Keys are written into addresses, fields of forms and ids (`<unit>/<type>/<n>`), so they are of
letters, digits, "-" and "_". Names are for people: something of them must be seen, and nothing in
them may be there without being seen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

RESERVED = (
    "all",
    "as",
    "draw",
    "failed",
    "loss",
    "myself",
    "nobody",
    "none",
    "organiser",
    "public",
    "referee",
    "spectator",
    "staff",
    "unknown",
    "win",
)
"""Words that stand where the key of a side may stand too: who reads a report, who won a battle,
who holds a place, through whose eyes a page is looked at. No side can have one for its key."""

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_JOINERS = "\u200c\u200d"
"""Format characters that Persian, Hindi and other scripts are spelt with."""
_BLANK_LETTERS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and a symbol that show nothing."""
_UNSEEN = re.compile("[\u034f\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks that change at most how the character before them is drawn."""
_FORBIDDEN = {"Cc": "a control character", "Cf": "an invisible character", "Cs": "half a character"}
_FORBIDDEN |= {"Zl": "a line separator", "Zp": "a paragraph separator"}


def key_fault(key: str) -> str:
    """What is wrong with a key, as the rest of a sentence; empty where nothing is."""
    if not key:
        return "it is empty"
    if not _KEY.fullmatch(key):
        return 'a key is of the letters a to z, digits, "-" and "_"'
    return ""


def side_key_fault(key: str) -> str:
    """As `key_fault`; nor may a side's key be a word that has a meaning of its own."""
    if key.casefold() in RESERVED:
        return "the word has a meaning of its own where sides are named"
    return key_fault(key)


def name_fault(name: str) -> str:
    """What is wrong with a name, as the rest of a sentence; empty where nothing is."""
    hidden = next(_hidden(name), "")
    if hidden:
        return f"it has {hidden} in it"
    seen = (c for c in name if unicodedata.category(c)[0] in "LNPS" and c not in _BLANK_LETTERS)
    return "" if any(seen) else "nothing of it can be seen"


def text_fault(text: str) -> str:
    """As `name_fault` for a text of several lines, which may be empty too."""
    hidden = next(_hidden(text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")), "")
    return f"it has {hidden} in it" if hidden else ""


def _hidden(text: str) -> Iterator[str]:
    for character in text:
        what = _FORBIDDEN.get(unicodedata.category(character))
        if what and character not in _JOINERS:
            yield f"{what} (U+{ord(character):04X})"


def alike(first: str, second: str) -> bool:
    """Whether a reader would take two names for one: blanks, capitals, ways to write the same
    letter and what is not seen at all tell nothing apart."""
    return _read(first) == _read(second)


def _read(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(
        c
        for c in folded
        if not (
            c.isspace()
            or unicodedata.category(c) in _FORBIDDEN
            or c in _BLANK_LETTERS
            or _UNSEEN.match(c)
        )
    )

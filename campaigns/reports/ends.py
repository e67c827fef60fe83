"""What an element's end is called, and what a fate tells in words.

An end is what one counter of the result form counts: a condition, `eliminated`, `captured`,
`merged`, `unknown`, or what an element became, written `became:<type>:<condition>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns import engine
from campaigns.engine import ELIMINATED, UNKNOWN

CAPTURED = "captured"
MERGED = "merged"
BECAME = "became:"
GONE = (ELIMINATED, CAPTURED)
"""The ends that are losses."""

_WORDS = {
    ELIMINATED: "destroyed",
    CAPTURED: "captured",
    UNKNOWN: "not known",
    MERGED: "merged into another",
}


def end_of(fate: Mapping[str, Any]) -> str:
    """The end that a fate is counted under."""
    after = str(fate["after"])
    became = fate.get("became", "")
    if after == ELIMINATED:
        if fate.get("merged_into"):
            return MERGED
        return CAPTURED if CAPTURED in fate.get("cause", "").lower() else ELIMINATED
    return f"{BECAME}{became}:{after}" if became and became != fate["type"] else after


def words_of(ruleset: str, end: str) -> str:
    """An end in words."""
    if end.startswith(BECAME):
        kind, condition = end.removeprefix(BECAME).split(":")
        return f"now {engine.title_of(ruleset, kind)}, {condition}"
    return _WORDS.get(end, end)


def fate_in_words(ruleset: str, fate: Mapping[str, Any], taker: str = "") -> str:
    """All that a fate tells: its end, what it was by then, its morale and its cause.

    `taker` names the unit whose element took it in.
    """
    end = end_of(fate)
    became = fate.get("became", "")
    told = f"merged into one of {taker}" if end == MERGED and taker else words_of(ruleset, end)
    if fate["after"] == ELIMINATED and became and became != fate["type"]:
        told = f"became {engine.title_of(ruleset, became)}, then {told}"
    if fate.get("morale"):
        told += f", {fate['morale']}"
    cause = fate.get("cause", "")
    return f"{told} ({cause})" if cause and cause not in (told, MERGED, CAPTURED) else told

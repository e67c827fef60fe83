"""A line of sight asked on a battlefield: from one hex to another, in words and drawn.

A fact of the ground, and after a line of the report of what lies on it (smoke, wrecks ...) as far
as the reader may know it then: who stands or hides on the table is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from campaigns import engine
from campaigns.engine import Answer
from campaigns.refusals import Refused
from campaigns.templatetags import sight_lines

VERDICTS = ("clear", "degraded", "degraded", "blocked")
"""By the value of the answer: how many times the line is degraded, or that it is blocked."""

NAME = 8
"""Letters and figures that the name of a hex has at most."""


@dataclass(frozen=True)
class Sight:
    """What was asked, and the answer or why there is none."""

    start: str
    end: str
    answer: Answer | None = None
    refusal: Refused | None = None
    verdict: str = ""
    drawing: sight_lines.SightLine | None = None
    line: str = ""
    """The line of the report after which it is asked; "" of the ground alone."""


FIELDS = {"start": "From", "end": "To", "start, end": "From and To"}
"""The fields of the question, and what the form calls them."""


def _as_the_form_says(why: str) -> str:
    field, colon, what = why.partition(": ")
    return f"{FIELDS[field]}{colon}{what}" if field in FIELDS else why


Laid = Callable[[int], Mapping[str, Iterable[str]]]
"""What lies on the table after a line of the report, for this reader."""


def asked(
    request: HttpRequest, ruleset: str, ground: Mapping[str, Any], laid: Laid, lines: int
) -> Sight | None:
    """The answer to the hexes in the query (`from`, `to`), after a `line` of so many if one is
    named; None where nothing is asked."""
    names = ("from", "to", "line")
    start, end, line = (request.GET.get(name, "").strip().upper() for name in names)
    if not start and not end:
        return None
    try:
        for field, text in (("From", start), ("To", end)):
            if not text:
                raise Refused(f"{field}: no hex is named. Write a column and a row, as in F5.")
            if len(text) > NAME:
                raise Refused(f"{field}: that is not a hex. Write a column and a row, as in F5.")
        lying = laid(_line(line, lines)) if line else None
        answer = engine.sight(ruleset, ground, start, end, lying)
    except Refused as refusal:
        why = Refused(_as_the_form_says(refusal.why))
        return Sight(start[:NAME], end[:NAME], refusal=why, line=line[:NAME])
    verdict = VERDICTS[answer.value or 0]
    words = f"degraded {answer.value}" if verdict == "degraded" else verdict
    drawing = sight_lines.sight_line(start, end, verdict, words, answer.places)
    return Sight(start, end, answer, None, verdict, drawing, line)


def _line(text: str, lines: int) -> int:
    """The number of a line; 0 is before the battle."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= NAME else -1
    if not 0 <= number <= lines:
        raise Refused(f"After line: a number from 0 to {lines}, or nothing for the ground alone.")
    return number

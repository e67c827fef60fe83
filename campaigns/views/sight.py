"""A line of sight asked on a battlefield: from one hex to another, in words and drawn.

A fact of the ground, which everybody knows who may see the battle: what stands or hides on the
table is never asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from campaigns import engine
from campaigns.engine import Answer
from campaigns.refusals import Refused
from campaigns.templatetags import battlefield

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
    drawing: battlefield.SightLine | None = None


FIELDS = {"start": "From", "end": "To", "start, end": "From and To"}
"""The fields of the question, and what the form calls them."""


def _as_the_form_says(why: str) -> str:
    field, colon, what = why.partition(": ")
    return f"{FIELDS[field]}{colon}{what}" if field in FIELDS else why


def asked(request: HttpRequest, ruleset: str, ground: Mapping[str, Any]) -> Sight | None:
    """The answer to the hexes in the query (`from`, `to`); None where nothing is asked."""
    start, end = (request.GET.get(name, "").strip().upper() for name in ("from", "to"))
    if not start and not end:
        return None
    try:
        for field, text in (("From", start), ("To", end)):
            if not text:
                raise Refused(f"{field}: no hex is named. Write a column and a row, as in F5.")
            if len(text) > NAME:
                raise Refused(f"{field}: that is not a hex. Write a column and a row, as in F5.")
        answer = engine.sight(ruleset, ground, start, end)
    except Refused as refusal:
        return Sight(start[:NAME], end[:NAME], refusal=Refused(_as_the_form_says(refusal.why)))
    verdict = VERDICTS[answer.value or 0]
    words = f"degraded {answer.value}" if verdict == "degraded" else verdict
    drawing = battlefield.sight_line(start, end, verdict, words, answer.places)
    return Sight(start, end, answer, None, verdict, drawing)

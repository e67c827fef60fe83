"""Rule questions asked at a battle: exact chances of one shot, check or duel, and of many in a row;
lines of sight and ways on its own map.

The answers are of the rules and the ground, which everybody knows who may see the battle. What
stands or hides on the table is never asked; the counters shown beside are the viewer's own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from campaigns import access, engine
from campaigns.engine import Answer, Asked
from campaigns.forms.question import QuestionForm
from campaigns.models import Battle
from campaigns.projection import Viewer
from campaigns.refusals import NotFound, Refused
from campaigns.reports.forces import counters, own_terms
from campaigns.views import ground
from campaigns.views.frame import Desk, seated, show, wants_part

LONGEST_FRACTION = 10**18
"""A fraction of longer numbers than this is no reading."""
SURE = 50
"""Hundredths of a percent: what is likelier is listed, what is less so is summed up."""
LISTED = 12
"""Outcomes that are listed in any case."""


@dataclass(frozen=True)
class Chances:
    """One outcome: how likely, in words of percent, and as a fraction if that can be read."""

    outcome: str
    share: str
    fraction: str


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of an answer: those to list, and those too unlikely to."""

    listed: list[Chances]
    rare: list[Chances]
    rare_share: str


def kinds(battle: Battle) -> list[tuple[str, Asked]]:
    """The kinds of question that can be asked at a battle, by their slugs."""
    terms = engine.parsed(battle.terms.document)
    mapped = bool(terms.get("ground", {}).get("grid"))
    asked = engine.questions(battle.campaign.ruleset)
    return [(engine.slug_of(one.kind), one) for one in asked if mapped or not one.of_map]


def first_form(viewer: Viewer, battle: Battle) -> dict[str, Any] | None:
    """The first kind with its empty form, for the battle page."""
    found = kinds(battle)
    if not found:
        return None
    kind, asked = found[0]
    form = QuestionForm(battle.campaign.ruleset, asked, sides=own_terms(viewer, battle.terms))
    return {"kind": kind, "asked": asked, "form": form}


@seated()
def page(desk: Desk, battle_id: str, kind: str = "") -> HttpResponse:
    """One kind of question, its form, and the answer to what the query asks."""
    row = access.battle_for(desk.taken, battle_id)
    found = kinds(row)
    if not found:
        raise NotFound
    kind = kind or found[0][0]
    asked = dict(found).get(kind)
    if asked is None:
        raise NotFound
    own = counters(desk.viewer, row)
    context: dict[str, Any] = {
        "battle": row,
        "kinds": found,
        "kind": kind,
        "asked": asked,
        "counters": own,
        **_answered(desk, row, asked, {counter.key for counter in own}),
    }
    if wants_part(desk.request):
        response = render(desk.request, "parts/answer.html", context)
        response["X-Robots-Tag"] = "noindex"
        response["Vary"] = "Cookie, HX-Request"
        response["Cache-Control"] = "private, no-cache"
        return response
    return show(desk, "pages/rules.html", context, here="campaign")


def _answered(desk: Desk, row: Battle, asked: Asked, near: Collection[str]) -> dict[str, Any]:
    """The form as it was sent, and its answer or why there is none."""
    names = {field.name for field in asked.fields}
    ruleset = row.campaign.ruleset
    sides = own_terms(desk.viewer, row.terms)
    if not names & set(desk.request.GET):
        return {"form": QuestionForm(ruleset, asked, near=near, sides=sides)}
    form = QuestionForm(ruleset, asked, desk.request.GET, near=near, sides=sides)
    if not form.is_valid():
        return {"form": form}
    field = ground.battlefield(desk.viewer, row.terms)
    try:
        answer = engine.ask(ruleset, form.question(field.ground))
    except Refused as refused:
        return {"form": form, "why_not": form.named(refused.why)}
    return {"form": form, "answer": answer, "chances": outcomes(answer)}


def outcomes(answer: Answer) -> Outcomes:
    """The chances of an answer, the likeliest first."""
    exact = [(chance.outcome, Fraction(chance.over, chance.of)) for chance in answer.chances]
    rare = [p for p in exact[LISTED:] if p[1] < Fraction(SURE, 10_000)]
    listed = exact[: len(exact) - len(rare)]
    return Outcomes(
        [_row(*pair) for pair in listed],
        [_row(*pair) for pair in rare],
        share(sum((part for _, part in rare), Fraction())),
    )


def _row(outcome: str, part: Fraction) -> Chances:
    if part.denominator < LONGEST_FRACTION:
        return Chances(outcome, share(part), f"{part.numerator} of {part.denominator}")
    rare = part < Fraction(1, 100)
    return Chances(outcome, share(part), f"about 1 of {round(1 / part):,}" if rare else "")


def share(part: Fraction) -> str:
    """A chance in percent that never says "0" or "100" of what may or may not happen."""
    if 0 < part < Fraction(1, 1000):
        return "< 0.1\u202f%"
    if Fraction(999, 1000) < part < 1:
        return "> 99.9\u202f%"
    return f"{float(part * 100):.1f}\u202f%"

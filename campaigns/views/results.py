"""Results by hand: entering one, overruling one, correcting a posted one; drafts save themselves.

The referee enters the whole battle, a player his own side; both the card form and the keyboard
grid (`?layout=grid`) send the same fields.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect

from campaigns import access, engine, scored
from campaigns.access import Action
from campaigns.forms.result import ResultForm, places, prefilled
from campaigns.models import Battle, Posting, Side
from campaigns.operations import battle_postings, battles, corrections, table_reports
from campaigns.refusals import NotFound, Refused
from campaigns.views.battles import address
from campaigns.views.frame import Desk, seated, show
from campaigns.views.postings import laid_out

SKIPPED = ("csrfmiddlewaretoken", "once", "step", "plan")


def form_for(
    desk: Desk, battle: Battle, data: dict[str, str], standing: dict[str, Any] | None = None
) -> ResultForm:
    """The form of a battle, for the sides this person reports; `standing` is replaced by it."""
    snapshot = battles.current_snapshot(battle)
    scenario = engine.read_scenario(battle.campaign.ruleset, snapshot.document)
    side = "" if desk.viewer.sees_all else desk.viewer.side_key
    return ResultForm(scenario, data, side=side, standing=standing or {})


def sent(desk: Desk) -> dict[str, str]:
    """What the form sent."""
    return {k: str(v) for k, v in desk.request.POST.items() if k not in SKIPPED}


def page(
    desk: Desk,
    battle: Battle,
    form: ResultForm,
    *,
    purpose: str,
    refusal: Refused | None = None,
) -> HttpResponse:
    """The form as cards or as a grid. `purpose` is enter, overrule or correct."""
    sides = list(desk.campaign.sides.all())
    colours = {side.key: side.colour for side in sides}
    groups: list[dict[str, Any]] = [
        {"side": side, "cards": [card for card in form.cards() if card.side == side.key]}
        for side in sides
        if form.side in ("", side.key)
    ]
    context: dict[str, Any] = {
        "battle": battle,
        "purpose": purpose,
        "groups": groups,
        "sides": sides,
        "colours": colours,
        "columns": _columns(groups),
        "grid": desk.request.GET.get("layout") == "grid",
        "morale": engine.catalogue(desk.campaign.ruleset).morale,
        "places": [
            {"name": name, "field": f"hold:{hex_}", "value": form.data.get(f"hold:{hex_}", "")}
            for hex_, name in places(form.scenario)
        ],
        "points": [_points(form, side, sides) for side in sides],
        "data": form.data,
        "whole": not form.side,
        "refusal": refusal,
        "impact": impact_of(desk, battle) if purpose == "correct" else None,
        "may_reverse": desk.may(Action.REVERSE),
    }
    return show(desk, "pages/result.html", context, here="campaign", status=409 if refusal else 200)


def _points(form: ResultForm, side: Side, sides: list[Side]) -> dict[str, Any]:
    """What the form says of one side's points: as entered, and what they follow from."""
    other = next((s for s in sides if s.pk != side.pk), side)
    return {
        "side": side,
        "other": other,
        "victory": form.data.get(f"points:victory:{side.key}", ""),
        "casualty": form.data.get(f"points:casualty:{side.key}", ""),
        "base": form.base(other.key),
        "rate": scored.rate(form.scenario),
        "start": scored.start_of(form.scenario, side.key),
        "alone": scored.losses_alone(form.scenario, side.key),
    }


LAST = ("merged into another", "destroyed", "captured", "not known")


def _columns(groups: list[dict[str, Any]]) -> list[str]:
    """The words over the columns of the grid: conditions first, then what ends an element."""
    words = dict.fromkeys(
        cell.words
        for group in groups
        for card in group["cards"]
        for row in card.rows
        for cell in row.cells
    )
    return [*(w for w in words if w not in LAST), *(w for w in LAST if w in words)]


def impact_of(desk: Desk, battle: Battle) -> battle_postings.Impact | None:
    """What was done since with what the posting of this battle moved."""
    posting = Posting.standing_for(battle)
    if posting is None or not desk.may(Action.REVERSE):
        return None
    return battle_postings.impact(seat=desk.taken, posting_id=posting.uid)


OVER = {
    Battle.State.REPORTED: "A result is reported",
    Battle.State.POSTED: "The battle is posted",
    Battle.State.REVERSED: "The battle is reversed",
    Battle.State.CANCELLED: "The battle is cancelled",
}
"""States in which no result can be entered any more, in words."""


def over(desk: Desk, battle: Battle) -> HttpResponse:
    """In the place of a form that nothing could come of: how things stand, and where to go on."""
    context = {
        "battle": battle,
        "head": OVER[Battle.State(battle.state)],
        "may_overrule": desk.may(Action.OVERRULE),
        "may_post": desk.may(Action.POST),
        "may_reverse": desk.may(Action.REVERSE),
    }
    return show(desk, "pages/result_over.html", context, here="campaign")


@seated("POST")
def enter(desk: Desk, battle_id: str) -> HttpResponse:
    """Enter the result of a battle that was played."""
    battle = access.battle_for(desk.taken, battle_id, Action.ENTER_RESULT)
    if desk.request.method != "POST":
        if battle.state in OVER:
            return over(desk, battle)
        draft = battles.draft_of(seat=desk.taken, battle_id=battle_id)
        return page(
            desk, battle, form_for(desk, battle, _fields(desk, battle, draft)), purpose="enter"
        )
    form = form_for(desk, battle, sent(desk))
    try:
        document = form.document()
        if form.side:
            whole = table_reports.report_side(
                seat=desk.taken, battle_id=battle_id, document=document
            )
            done = (
                "Both sides have reported. The referee posts the result."
                if whole
                else "Your side is reported. The result stands once the other side reports too."
            )
        else:
            note = form.data.get("note", "")
            battles.enter_result(seat=desk.taken, battle_id=battle_id, document=document, note=note)
            done = "The result is reported. Look at what posting it would write."
    except Refused as refusal:
        return page(desk, battle, form, purpose="enter", refusal=refusal)
    messages.success(desk.request, done)
    if form.side:
        return redirect(address(battle))
    return redirect("battle_preview", desk.campaign.slug, battle.uid)


def _fields(desk: Desk, battle: Battle, draft: dict[str, Any]) -> dict[str, str]:
    """A draft is the form's own fields, or a document once it was sent."""
    if "fields" in draft:
        return dict(draft["fields"])
    if draft:
        return prefilled(form_for(desk, battle, {}).scenario, draft)
    return {}


@seated("POST")
def draft(desk: Desk, battle_id: str) -> HttpResponse:
    """Save what was entered so far."""
    if desk.request.method != "POST":
        raise NotFound
    battles.save_draft(seat=desk.taken, battle_id=battle_id, document={"fields": sent(desk)})
    return JsonResponse({"saved": True})


@seated("POST")
def overrule(desk: Desk, battle_id: str) -> HttpResponse:
    """Another result in the place of a reported one, before it is posted."""
    battle = access.battle_for(desk.taken, battle_id, Action.OVERRULE)
    return _replace(desk, battle, "overrule")


@seated("POST")
def correct(desk: Desk, battle_id: str) -> HttpResponse:
    """Another result in the place of a posted one: reversal and replacement in one act."""
    battle = access.battle_for(desk.taken, battle_id, Action.OVERRULE)
    return _replace(desk, battle, "correct")


def _replace(desk: Desk, battle: Battle, purpose: str) -> HttpResponse:
    standing = battles.result_of(seat=desk.taken, battle_id=battle.uid)
    if desk.request.method != "POST":
        scenario = form_for(desk, battle, {}).scenario
        form = form_for(desk, battle, prefilled(scenario, standing), standing)
        return page(desk, battle, form, purpose=purpose)
    form = form_for(desk, battle, sent(desk), standing)
    step = desk.request.POST.get("step", "")
    if step == "change":
        return page(desk, battle, form, purpose=purpose)
    reason = form.data.get("reason", "")
    try:
        document = json.dumps(form.document())
        if purpose == "overrule":
            battles.overrule(
                seat=desk.taken, battle_id=battle.uid, document=document, reason=reason
            )
        elif step == "post" and desk.request.POST.get("plan"):
            corrections.correct_battle(
                seat=desk.taken,
                battle_id=battle.uid,
                document=document,
                reason=reason,
                plan_hash=desk.request.POST.get("plan", ""),
            )
        else:
            return _trial(desk, battle, form, document)
    except Refused as refusal:
        return page(desk, battle, form, purpose=purpose, refusal=refusal)
    if purpose == "overrule":
        messages.success(desk.request, "Overruled. Look at what posting it would write.")
        return redirect("battle_preview", desk.campaign.slug, battle.uid)
    messages.success(desk.request, "Corrected: the old posting is reversed, the new one stands.")
    return redirect("battle_report", desk.campaign.slug, battle.uid)


def _trial(desk: Desk, battle: Battle, form: ResultForm, document: str) -> HttpResponse:
    """What the correction would change, and the form's own fields to send once more."""
    report = corrections.try_correction(
        seat=desk.taken,
        battle_id=battle.uid,
        document=document,
        reason=form.data.get("reason", ""),
    )
    context = {
        "battle": battle,
        "report": report,
        "correction": True,
        "fields": form.data,
        "impact": impact_of(desk, battle),
        **laid_out(desk, report),
    }
    return show(desk, "pages/preview.html", context, here="campaign")

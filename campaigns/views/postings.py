"""From a reported result to the journal and back: preview, post, reverse."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaigns import access
from campaigns.access import Action
from campaigns.entries import Plan
from campaigns.models import Battle, Posting
from campaigns.operations import battle_postings, battles
from campaigns.refusals import NotFound, Refused
from campaigns.views.battles import address
from campaigns.views.frame import Desk, seated, show


@seated("POST")
def preview(desk: Desk, battle_id: str) -> HttpResponse:
    """What posting would write; posting it is one button, sent with the plan's hash."""
    battle = access.battle_for(desk.taken, battle_id)
    if not access.may(desk.taken, Action.POST) or not desk.viewer.sees_all:
        raise NotFound
    refusal = None
    if desk.request.method == "POST":
        try:
            battle_postings.post_result(
                seat=desk.taken, battle_id=battle_id, plan_hash=desk.request.POST.get("plan", "")
            )
            messages.success(desk.request, f"{battle.title} is posted.")
            return redirect("battle_report", desk.campaign.slug, battle.uid)
        except Refused as refused:
            refusal = refused
    plan = battles.preview(seat=desk.taken, battle_id=battle_id)
    context = {
        "battle": battle,
        "plan": plan,
        "result": battles.current_result(battle),
        "refusal": refusal,
        **laid_out(battle, plan),
    }
    return show(
        desk, "pages/preview.html", context, here="campaign", status=409 if refusal else 200
    )


def laid_out(battle: Battle, plan: Plan) -> dict[str, Any]:
    """A plan's entries with the names a person knows, units first, the rest below."""
    units = {unit.key: unit for unit in battle.campaign.units.select_related("side")}
    sides = {side.key: side for side in battle.campaign.sides.all()}
    rows, points = [], []
    for entry in plan.entries:
        key, holder = entry.account.key, entry.account.holder
        if entry.item.measure == "point":
            if key:
                points.append({"side": sides.get(key), "entry": entry})
            continue
        unit = units.get(key) if holder == "unit" else None
        rows.append({"unit": unit, "side": unit.side if unit else sides.get(key), "entry": entry})
    tallies = [{"side": sides.get(tally.side), "tally": tally} for tally in plan.tallies]
    return {
        "unit_rows": [row for row in rows if row["unit"]],
        "other_rows": [row for row in rows if not row["unit"]],
        "points": points,
        "tallies": tallies,
    }


@seated("POST")
def reverse_battle(desk: Desk, battle_id: str) -> HttpResponse:
    """Undo a posted battle, after showing what depends on it."""
    battle = access.battle_for(desk.taken, battle_id)
    if not access.may(desk.taken, Action.REVERSE) or not desk.viewer.sees_all:
        raise NotFound
    refusal = None
    if desk.request.method == "POST":
        try:
            battle_postings.reverse_battle(
                seat=desk.taken,
                battle_id=battle_id,
                reason=desk.request.POST.get("reason", ""),
            )
            messages.success(desk.request, f"{battle.title} is reversed. It stays on record.")
            return redirect(address(battle))
        except Refused as refused:
            refusal = refused
    posting = Posting.standing_for(battle)
    context = {
        "battle": battle,
        "posting": posting,
        "impact": battle_postings.impact(seat=desk.taken, posting_id=posting.uid)
        if posting
        else None,
        "refusal": refusal,
    }
    return show(
        desk, "pages/reverse.html", context, here="campaign", status=409 if refusal else 200
    )

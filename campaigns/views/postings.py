"""From a reported result to the journal and back: preview, post, reverse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaigns import access
from campaigns.access import Action
from campaigns.models import Posting, Side
from campaigns.operations import battle_postings
from campaigns.refusals import NotFound, Refused
from campaigns.reports import battle
from campaigns.views.battles import address
from campaigns.views.frame import Desk, seated, show


def refuse_all_but(desk: Desk, action: Action) -> None:
    """The pages of this file are not there for whoever may not act on them."""
    if desk.viewer.preview or not access.may(desk.taken, action):
        raise NotFound


@seated("POST")
def preview(desk: Desk, battle_id: str) -> HttpResponse:
    """What posting would write; posting it is one button, sent with the plan's hash."""
    row = access.battle_for(desk.taken, battle_id)
    refuse_all_but(desk, Action.POST)
    refusal = None
    if desk.request.method == "POST":
        try:
            battle_postings.post_result(
                seat=desk.taken, battle_id=battle_id, plan_hash=desk.request.POST.get("plan", "")
            )
            messages.success(desk.request, f"{row.title} is posted.")
            return redirect("battle_report", desk.campaign.slug, battle_id)
        except Refused as refused:
            refusal = refused
    report = battle.preview(desk.taken, battle_id)
    context = {
        "battle": row,
        "report": report,
        "may_overrule": desk.may(Action.OVERRULE),
        "refusal": refusal,
        **laid_out(desk, report),
    }
    return show(
        desk, "pages/preview.html", context, here="campaign", status=409 if refusal else 200
    )


@dataclass(frozen=True)
class Row:
    """A line that posting would write, with the name of who holds what it moves."""

    holder: str
    side: Side | None
    item: str
    condition: str
    quantity: int
    cause: str


def laid_out(desk: Desk, report: battle.PreviewReport) -> dict[str, Any]:
    """The entries of a preview under the names a person knows: units, points, the rest."""
    units = {unit.key: unit for unit in desk.viewer.units().select_related("side")}
    sides = {side.key: side for side in desk.campaign.sides.all()}
    found: dict[str, list[Row]] = {"unit": [], "victory": [], "": []}
    for account, item, condition, quantity, cause in report.entries:
        holder, _, rest = account.partition(":")
        key = rest.partition("/")[0]
        unit = units.get(key) if holder == "unit" else None
        side = unit.side if unit else sides.get(key)
        name = unit.name if unit else account
        row = Row(name, side, item, condition, quantity, cause)
        found[holder if holder in found else ""].append(row)
    return {
        "unit_rows": found["unit"],
        "points": found["victory"],
        "other_rows": found[""],
        "changes": [(sides.get(row.side), row) for row in report.changes],
        "tallies": [
            (sides.get(side), name, before, after, lost, -converted)
            # As a reader adds: what turned into something else is taken away.
            for side, name, before, after, lost, converted in report.tallies
        ],
    }


@seated("POST")
def reverse_battle(desk: Desk, battle_id: str) -> HttpResponse:
    """Undo a posted battle, after showing what depends on it."""
    row = access.battle_for(desk.taken, battle_id)
    refuse_all_but(desk, Action.REVERSE)
    refusal = None
    if desk.request.method == "POST":
        try:
            reason = desk.request.POST.get("reason", "")
            battle_postings.reverse_battle(seat=desk.taken, battle_id=battle_id, reason=reason)
            messages.success(desk.request, f"{row.title} is reversed. It stays on record.")
            return redirect(address(row))
        except Refused as refused:
            refusal = refused
    posting = Posting.standing_for(row)
    impact = battle_postings.impact(seat=desk.taken, posting_id=posting.uid) if posting else None
    context = {
        "battle": row,
        "posting": posting,
        "impact": impact,
        "may_correct": desk.may(Action.OVERRULE),
        "refusal": refusal,
    }
    return show(
        desk, "pages/reverse.html", context, here="campaign", status=409 if refusal else 200
    )

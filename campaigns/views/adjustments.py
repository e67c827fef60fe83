"""The referee's hand: attach a unit, set a level, give or take elements, note something."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaigns import access
from campaigns.access import Action
from campaigns.operations import adjustments, oob
from campaigns.refusals import NotFound, Refused
from campaigns.views import once
from campaigns.views.frame import Desk, seated
from campaigns.views.history import journal_page
from campaigns.views.oob import unit_page

DONE = {
    "attach": "Attached. The order of battle of past turns stands as it was.",
    "level": "Set.",
    "elements": "Adjusted: it is a posting of its own, with your reason.",
}


@seated("POST")
def unit(desk: Desk, unit_id: str, act: str) -> HttpResponse:
    """One adjustment of a unit."""
    if desk.request.method != "POST" or act not in DONE:
        raise NotFound
    access.unit_for(desk.taken, unit_id)
    try:
        _adjust(desk, unit_id, act)
    except Refused as refusal:
        return unit_page(desk, unit_id, refusal)
    messages.success(desk.request, DONE[act])
    return redirect("unit", desk.campaign.slug, unit_id)


def _adjust(desk: Desk, unit_id: str, act: str) -> None:
    sent, seat = desk.request.POST, desk.taken
    reason = sent.get("reason", "")
    if act == "attach":
        formation = sent.get("formation", "")
        oob.attach(seat=seat, unit_id=unit_id, formation_id=formation, reason=reason)
    elif act == "level":
        kind, _, value = sent.get("level", "").partition(":")
        oob.set_level(seat=seat, unit_id=unit_id, kind=kind, value=value, reason=reason)
    else:
        access.require(seat, Action.ADJUST)
        element, _, condition = sent.get("element", "").rpartition("/")
        try:
            quantity = int(sent.get("quantity", ""))
        except ValueError:
            raise Refused("Say how many as a whole number: 1, or -1 to take one away.") from None
        adjustments.adjust(
            seat=seat,
            unit_id=unit_id,
            element=element,
            condition=condition,
            quantity=quantity,
            reason=reason,
            key=f"adjust:{desk.campaign.uid}:{seat.uid}:{sent.get(once.FIELD, '')}",
        )


@seated("POST")
def note(desk: Desk) -> HttpResponse:
    """A note in the journal, for everybody in the campaign."""
    if desk.request.method != "POST":
        raise NotFound
    try:
        oob.note(seat=desk.taken, text=desk.request.POST.get("text", ""))
    except Refused as refusal:
        return journal_page(desk, refusal)
    messages.success(desk.request, "Noted.")
    return redirect("journal", desk.campaign.slug)

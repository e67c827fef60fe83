"""A fight of the ladder before there is a battle of it: to be read, nothing in it may be done."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns import access
from campaigns.reports import rung as rungs
from campaigns.views import ground
from campaigns.views.frame import Desk, seated, show


@seated()
def page(desk: Desk, rung: str) -> HttpResponse:
    """What the pack says of a fight; once a battle is planned of it, that battle's page."""
    report = rungs.rung(desk.taken, rung, desk.preview)
    if report.battle:
        return redirect(reverse("battle", args=[desk.campaign.slug, report.battle]) + desk.keep)
    context = {
        "report": report,
        "field": ground.battlefield(desk.viewer, access.terms_for(desk.taken, rung)),
        "facts": ground.grouped(report.facts),
    }
    return show(desk, "pages/rung.html", context, here="campaign")

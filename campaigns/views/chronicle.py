"""The public chronicle of a campaign, and the list of those that may be read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.reports import chronicle
from campaigns.views.frame import Desk, seated, show


@seated(public=True)
def page(desk: Desk) -> HttpResponse:
    """The story so far, the same for whoever reads it."""
    return told(desk)


def told(desk: Desk) -> HttpResponse:
    report = chronicle.chronicle(desk.campaign)
    sides = {side.key: side for side in desk.campaign.sides.all()}
    context = {"report": report, "sides": sides, "fought": [s.name for s in sides.values()]}
    return show(desk, "pages/chronicle.html", context, here="chronicle")


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    """The campaigns anyone may read about."""
    context = {"campaigns": chronicle.open_campaigns(), "here": "chronicles"}
    answer = render(request, "pages/chronicles.html", context)
    answer["X-Robots-Tag"] = "noindex"
    return answer

"""Odds of a battle: asked for, watched, looked into; and how the odds of a campaign held."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from campaigns import access
from campaigns.access import Action
from campaigns.operations import forecasts
from campaigns.refusals import NotFound, Refused
from campaigns.reports import aar, odds
from campaigns.views import battles
from campaigns.views.frame import Desk, seated, show


@seated("POST")
def ask(desk: Desk, battle_id: str) -> HttpResponse:
    """Have the odds worked out."""
    if desk.request.method != "POST":
        raise NotFound
    try:
        forecasts.ask(seat=desk.taken, battle_id=battle_id)
    except Refused as refusal:
        return battles.page(desk, battle_id, refusal)
    return redirect("battle", desk.campaign.slug, battle_id)


@seated("POST")
def cancel(desk: Desk, forecast_id: str) -> HttpResponse:
    """Stop working them out."""
    if desk.request.method != "POST":
        raise NotFound
    row = access.forecast_for(desk.taken, forecast_id)
    try:
        forecasts.cancel(seat=desk.taken, forecast_id=forecast_id)
    except Refused as refusal:
        return battles.page(desk, row.battle.uid, refusal)
    messages.success(desk.request, "The odds are no longer being worked out.")
    return redirect(battles.address(row.battle))


@seated()
def progress(desk: Desk, forecast_id: str) -> HttpResponse:
    """How far they are, for polling; when they are done the page is loaded anew."""
    report = odds.odds(desk.taken, forecast_id)
    row = access.forecast_for(desk.taken, forecast_id)
    context = {"odds": report, "campaign": desk.campaign, "battle": row.battle}
    response = render(desk.request, "parts/forecast_progress.html", context)
    if not report.unfinished:
        response["HX-Refresh"] = "true"
    response["X-Robots-Tag"] = "noindex"
    response["Vary"] = "Cookie, HX-Request"
    response["Cache-Control"] = "no-store"
    return response


@seated()
def typical(desk: Desk, forecast_id: str, outcome: str) -> HttpResponse:
    """A typical battle of one outcome, roll by roll."""
    row = access.forecast_for(desk.taken, forecast_id)
    if desk.viewer.preview:
        raise NotFound
    report = odds.typical(desk.taken, forecast_id, outcome)
    wanted = desk.request.GET.get("show", "notable")
    context = {
        "battle": row.battle,
        "report": report,
        "lines": aar.shown(report.lines, wanted),
        "wanted": wanted,
    }
    return show(desk, "pages/typical.html", context, here="campaign")


@seated()
def calibration(desk: Desk) -> HttpResponse:
    """The odds given before battles against how they ended."""
    if not desk.may(Action.PREVIEW_AS):
        raise NotFound
    context = {"report": odds.calibration(desk.taken)}
    return show(desk, "pages/calibration.html", context, here="history")

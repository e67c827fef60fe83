"""A campaign: the list of mine, making one, its front page, its settings, its end."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns import access
from campaigns.access import Action
from campaigns.forms.campaign import CampaignForm
from campaigns.models import InstalledPack
from campaigns.operations import campaigns, turns
from campaigns.refusals import NotFound, Refused
from campaigns.reports import overview
from campaigns.views import chronicle, once
from campaigns.views.frame import Desk, seated, show


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """My campaigns and what needs me; for a stranger, what this is."""
    if not request.user.is_authenticated:
        return render(request, "pages/welcome.html", {"open_to_all": True})
    report = overview.home(request.user)
    return render(request, "pages/home.html", {"report": report, "here": "home"})


@require_safe
@login_required
def packs(request: HttpRequest) -> HttpResponse:
    """Step one of a new campaign: which pack."""
    return render(request, "pages/packs.html", {"packs": overview.packs(), "here": "home"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, pack: str) -> HttpResponse:
    """The other steps, all filled in already: names, options, house rules, members."""
    installed = InstalledPack.objects.filter(key=pack).first()
    if installed is None:
        raise NotFound
    head: dict[str, Any] = json.loads(installed.document)["head"]
    form = CampaignForm(head, request.POST or None)
    refusal = None
    if request.method == "POST" and form.is_valid():
        try:
            with once.alone(request) as before:
                if before:
                    return redirect(before)
                seat = campaigns.create_from_pack(
                    user=request.user,  # type: ignore[arg-type]
                    pack_key=pack,
                    **form.arguments(),
                )
                address = reverse("members", args=[seat.campaign.slug])
                once.remember(request, address)
        except Refused as refused:
            refusal = refused
        else:
            messages.success(request, f"{seat.campaign.title} is made. Now invite its members.")
            return redirect(address)
    context = {
        "form": form,
        "head": head,
        "once": request.POST.get(once.FIELD) or once.token(),
        "refusal": refusal,
        "here": "home",
    }
    return render(request, "pages/new_campaign.html", context, status=409 if refusal else 200)


@seated(public=True)
def page(desk: Desk) -> HttpResponse:
    """The campaign at a glance; without a seat, its chronicle."""
    if desk.seat is None:
        return chronicle.told(desk)
    report = overview.campaign(desk.seat, desk.preview)
    context = {
        "report": report,
        "steps": ladder(desk, report),
        "house_rules": house_rules(desk),
    }
    return show(desk, "pages/campaign.html", context, here="campaign")


def ladder(desk: Desk, report: overview.CampaignReport) -> list[dict[str, Any]]:
    """The rungs for the stepper, each with its battle, or with what the pack says of it."""
    battles = {card.rung: card for card in report.battles if card.state != "cancelled"}
    steps = []
    for rung in report.ladder:
        card = battles.get(rung.key)
        state = overview.stands(rung, report.ladder)
        page = ("battle", card.uid) if card else ("rung", rung.key)
        steps.append(
            {
                "name": rung.title,
                "state": f"{state}, {card.state_name}" if card else state,
                "done": bool(rung.turn) and not rung.current,
                "current": rung.current,
                "url": reverse(page[0], args=[desk.campaign.slug, page[1]]) + desk.keep,
            }
        )
    return steps


@seated("POST")
def next_turn(desk: Desk) -> HttpResponse:
    """Close the turn, open the next rung."""
    if desk.request.method != "POST":
        raise NotFound
    opened = turns.open_next(seat=desk.taken)
    words = f"Turn {opened.number}: {opened.title}." if opened else "The ladder has ended."
    messages.success(desk.request, words)
    return redirect("campaign", desk.campaign.slug)


@seated("POST")
def settings(desk: Desk) -> HttpResponse:
    """Names, options, archive, purge: the organiser's."""
    if not access.may(desk.taken, Action.MANAGE):
        raise NotFound
    refusal = None
    if desk.request.method == "POST":
        try:
            return _change(desk)
        except Refused as refused:
            refusal = refused
    context = {
        "sides": desk.campaign.sides.all(),
        "house_rules": house_rules(desk),
        "refusal": refusal,
    }
    return show(
        desk, "pages/settings.html", context, here="settings", status=409 if refusal else 200
    )


def house_rules(desk: Desk) -> list[tuple[str, str]]:
    """The ladder's house rules in words."""
    from campaigns.forms.campaign import CARRY

    words = []
    for key, (label, choices) in CARRY.items():
        value = desk.campaign.carry.get(key)
        value = {True: "yes", False: "no"}.get(value, value)
        words.append((label, dict(choices).get(value, str(value))))
    return words


def _change(desk: Desk) -> HttpResponse:
    sent, seat = desk.request.POST, desk.taken
    act = sent.get("act", "")
    if act == "rename":
        names = {k.removeprefix("side_"): str(v) for k, v in sent.items() if k.startswith("side_")}
        campaigns.rename(seat=seat, title=sent.get("title", ""), side_names=names)
        done = "Renamed."
    elif act == "options":
        chosen = {key: key in sent for key in ("public", "opponent_comments")}
        campaigns.set_options(seat=seat, options=chosen)
        done = "Options saved."
    elif act == "archive":
        campaigns.archive(seat=seat)
        done = "The campaign is archived. It can be read; nothing in it can be done."
    elif act == "unarchive":
        campaigns.unarchive(seat=seat)
        done = "The campaign is out of the archive."
    elif act == "purge":
        title = desk.campaign.title
        campaigns.purge(seat=seat, typed_title=sent.get("typed_title", ""))
        messages.success(desk.request, f"{title} is gone.")
        return redirect("home")
    else:
        raise NotFound
    messages.success(desk.request, done)
    return redirect("settings", desk.campaign.slug)

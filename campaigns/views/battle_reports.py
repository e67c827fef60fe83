"""The after-action report of a battle, its dice, and what people say of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns import access, battle_log, engine
from campaigns.access import Action
from campaigns.models import Battle
from campaigns.operations import battles
from campaigns.refusals import NotFound, Refused
from campaigns.reports import aar, battle
from campaigns.views.frame import Desk, seated, show, wants_part

IN_PLACE = "in-place"
"""The tag of a message that the page shows where it was asked for, not as a toast."""


def battle_of(desk: Desk, battle_id: str) -> Battle:
    """A battle for a member, or, where the campaign is public, for anyone."""
    if desk.seat is not None:
        return access.battle_for(desk.seat, battle_id)
    battle = Battle.objects.filter(campaign=desk.campaign, uid=battle_id).first()
    if battle is None:
        raise NotFound
    return battle


@seated(public=True)
def page(desk: Desk, battle_id: str) -> HttpResponse:
    """What happened and why, as this reader may know it."""
    return render_page(desk, battle_of(desk, battle_id))


def render_page(desk: Desk, battle: Battle, refusal: Refused | None = None) -> HttpResponse:
    report = aar.aar(desk.viewer, battle)
    if report is None:
        raise NotFound
    unit = desk.request.GET.get("unit", "")
    wanted = desk.request.GET.get("show", "all" if unit else "notable")
    wanted = wanted if wanted in aar.LEVELS else "notable"
    lines = report.of_unit(unit) if unit else report.lines
    lines = aar.shown(lines, wanted)
    sides = {side.key: side for side in desk.campaign.sides.all()}
    context = {
        "battle": battle,
        "report": report,
        "lines": lines,
        "wanted": wanted,
        "unit": unit,
        "winner": sides.get(report.winner),
        "points": [{"side": sides.get(row.side), "row": row} for row in report.points],
        "losses": losses(report.losses, sides),
        "results": [f"parts/results/{desk.campaign.ruleset}.html", "parts/results/none.html"],
        "comments": battle.comments.select_related("side") if desk.seat else [],
        "may_check": desk.seat is not None
        and bool(report.lines)
        and report.proof is not None
        and report.proof.revealed,
        "may_comment": desk.may(Action.COMMENT),
        "may_correct": desk.may(Action.OVERRULE) and battle.state == Battle.State.POSTED,
        "may_reverse": desk.may(Action.REVERSE) and battle.state == Battle.State.POSTED,
        "refusal": refusal,
    }
    return show(desk, "pages/report.html", context, here="campaign", status=409 if refusal else 200)


def losses(rows: Iterable[aar.LossRow], sides: dict[str, Any]) -> list[dict[str, Any]]:
    """Losses by side, each with its sum."""
    grouped: dict[str, list[aar.LossRow]] = {}
    for row in rows:
        grouped.setdefault(row.side, []).append(row)
    return [
        {
            "side": sides.get(key),
            "rows": [row for row in group if row.lost or row.reduced or row.became or row.merged],
            "before": sum(row.before for row in group),
            "lost": sum(row.lost for row in group),
            "reduced": sum(row.reduced for row in group),
        }
        for key, group in grouped.items()
    ]


@seated("POST")
def comment(desk: Desk, battle_id: str) -> HttpResponse:
    """Say something of a battle."""
    if desk.request.method != "POST":
        raise NotFound
    battle = access.battle_for(desk.taken, battle_id)
    sent = desk.request.POST
    kind = sent.get("kind", "comment")
    if kind not in ("comment", "confirms", "disputes"):
        raise NotFound
    try:
        battles.comment(seat=desk.taken, battle_id=battle_id, text=sent.get("text", ""), kind=kind)
    except Refused as refusal:
        return render_page(desk, battle, refusal)
    messages.success(desk.request, "Your words stand under the report.")
    return redirect("battle_report", desk.campaign.slug, battle.uid)


@seated("POST")
def reveal(desk: Desk, battle_id: str) -> HttpResponse:
    """Open the key of the dice, after saying that it is for good."""
    row = access.battle_for(desk.taken, battle_id)
    if desk.viewer.preview or not access.may(desk.taken, Action.REVEAL):
        raise NotFound
    refusal = None
    if desk.request.method == "POST":
        try:
            battles.reveal_key(seat=desk.taken, battle_id=battle_id)
            messages.success(desk.request, "The dice are revealed.")
            return redirect("battle", desk.campaign.slug, battle_id)
        except Refused as refused:
            refusal = refused
    snapshot = row.latest_snapshot()
    context = {
        "battle": row,
        "opened": snapshot is not None and snapshot.revealed_at is not None,
        "may_reveal": "reveal" in battle.buttons(desk.taken, row),
        "refusal": refusal,
    }
    return show(desk, "pages/reveal.html", context, here="campaign", status=409 if refusal else 200)


@seated("POST")
def check(desk: Desk, battle_id: str) -> HttpResponse:
    """Check every die of a battle against its revealed key, and fight it again. The answer is
    put beside the key: alone where htmx asks, else on the page, at that place."""
    if desk.request.method != "POST":
        raise NotFound
    row = access.battle_for(desk.taken, battle_id)
    try:
        words = checked(desk, row)
    except Refused as refusal:
        if wants_part(desk.request):
            return show(desk, "parts/checked.html", {"refusal": refusal})
        return render_page(desk, row, refusal)
    if wants_part(desk.request):
        return show(desk, "parts/checked.html", {"words": words})
    messages.success(desk.request, words, extra_tags=IN_PLACE)
    report = reverse("battle_report", args=[desk.campaign.slug, row.uid])
    return redirect(f"{report}{desk.keep}#dice")


def checked(desk: Desk, row: Battle) -> str:
    """What came of the check, in words. Refuses where something does not hold."""
    snapshot = row.latest_snapshot()
    log = battle_log.of_snapshot(snapshot) if snapshot else None
    if aar.aar(desk.viewer, row) is None or snapshot is None or log is None:
        raise NotFound
    if snapshot.revealed_at is None:
        raise Refused("The key is still sealed. The referee reveals it; then anyone may check.")
    key = bytes(snapshot.sealed_key.key)
    dice = engine.audit(log, key)
    fought = snapshot.results.filter(source="engine").order_by("pk").first()
    if fought is None:
        raise NotFound
    result = engine.rerun(log, engine.read_result(fought.document), key)
    # How many dice fell in secret is nobody's to count who was not told of them.
    count = f"All {dice}" if desk.viewer.sees_all else "All"
    return (
        f"{count} dice are those of the sealed key, and fought again the battle ends"
        f" with the same hash ({result[:12]}…)."
    )

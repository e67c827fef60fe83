"""History: points and casualties by turn, and the journal of who did what, when and why."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from campaigns import access
from campaigns.access import Action
from campaigns.models import Posting
from campaigns.refusals import NotFound, Refused
from campaigns.reports import history, overview
from campaigns.reports import luck as lucks
from campaigns.views.frame import Desk, seated, show, whole_number

A_PAGE = 50


@seated(public=True)
def page(desk: Desk) -> HttpResponse:
    """Points and casualties; every figure in the tables below the lines."""
    report = history.history(desk.viewer, desk.campaign)
    sides = {side.key: side for side in desk.campaign.sides.all()}
    context = {
        "report": report,
        "lines": [
            {"standing": standing, "values": [0, *(row.total[place] for row in report.points)]}
            for place, standing in enumerate(report.standings)
        ],
        "head_starts": [standing for standing in report.standings if standing.head_start],
        "casualties": [{"row": row, "side": sides.get(row.side)} for row in report.casualties],
        "units": [{"row": row, "side": sides.get(row.side)} for row in report.by_unit],
        "may_journal": desk.seat is not None,
        "may_calibrate": desk.may(Action.PREVIEW_AS),
    }
    return show(desk, "pages/history.html", context, here="history")


@seated(public=True)
def luck(desk: Desk) -> HttpResponse:
    """How each side's dice came out, and how the figures are made."""
    report = lucks.luck(desk.viewer, desk.campaign)
    players: dict[str, tuple[str, ...]] = {}
    if desk.seat is not None:
        players = {side.key: side.players for side in overview.sides(desk.campaign)}
    context = {"report": report, "players": players}
    return show(desk, "pages/luck.html", context, here="history")


@seated()
def journal(desk: Desk) -> HttpResponse:
    """The journal, filtered by kind and turn."""
    return journal_page(desk)


def journal_page(desk: Desk, refusal: Refused | None = None) -> HttpResponse:
    """The journal, with what was refused if something was."""
    sent = desk.request.GET
    kind = sent.get("kind", "")
    if kind not in ("", *Posting.Kind.values):
        raise NotFound
    turn = whole_number(desk.request, "turn")
    start = whole_number(desk.request, "from") or 0
    rows = history.journal(
        desk.viewer,
        kind=kind,
        turn=turn,
        limit=A_PAGE + 1,
        before=start,
    )
    context: dict[str, Any] = {
        "rows": rows[:A_PAGE],
        "kinds": Posting.Kind.choices,
        "turns": desk.campaign.turns.all(),
        "kind": kind,
        "turn": "" if turn is None else str(turn),
        "older": start + A_PAGE if len(rows) > A_PAGE else 0,
        "newer": max(0, start - A_PAGE) if start else None,
        "notes": desk.may(Action.ADJUST),
        "refusal": refusal,
    }
    return show(desk, "pages/journal.html", context, here="history", status=409 if refusal else 200)


@seated()
def posting(desk: Desk, posting_id: str) -> HttpResponse:
    """One act with its lines."""
    row = access.posting_for(desk.taken, posting_id)
    if not desk.viewer.may_know(row):
        raise NotFound
    report = history.posting(desk.viewer, row)
    return show(desk, "pages/posting.html", {"report": report}, here="history")

"""The battle page, and the buttons on it that move a battle along."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from campaigns import access, engine, muster, projection
from campaigns.access import Action
from campaigns.models import Battle, Job, Side
from campaigns.operations import battles, jobs
from campaigns.refusals import NotFound, Refused
from campaigns.reports import battle, odds, replay
from campaigns.reports.forces import arrivals
from campaigns.reports.shortfalls import missing, shortfall
from campaigns.views import ground, rules
from campaigns.views.frame import Desk, seated, show

State = Battle.State

WAY = ("Forces chosen", "Locked", "Fought", "Reported", "Posted")
PLACE = {
    State.PLANNED: 0,
    State.LOCKED: 1,
    State.RESOLVING: 2,
    State.AT_TABLE: 2,
    State.REPORTED: 3,
    State.POSTED: 4,
    State.REVERSED: 4,
}


def address(row: Battle) -> str:
    """The page of a battle."""
    return reverse("battle", args=[row.campaign.slug, row.uid])


@seated()
def battle_page(desk: Desk, battle_id: str) -> HttpResponse:
    """One battle: what it is, who comes, what there is to do."""
    return page(desk, battle_id)


def page(desk: Desk, battle_id: str, refusal: Refused | None = None) -> HttpResponse:
    """The battle page, with what was refused if something was."""
    report = battle.battle(desk.taken, battle_id, desk.preview)
    row = access.battle_for(desk.taken, battle_id)
    field = ground.battlefield(desk.viewer, row.terms)
    context = {
        "report": report,
        "battle": row,
        "way": way(report),
        "field": field,
        "facts": ground.grouped(report.facts),
        "buttons": offered(report.may),
        "unchosen": unchosen(report),
        "may_cancel": "cancel_job" in report.may,
        "odds": None if desk.viewer.preview else odds.latest(desk.taken, row),
        "may_forecast": row.state in (State.PLANNED, State.LOCKED) and desk.may(Action.FORECAST),
        "has_replay": replay.exists(desk.viewer, row),
        "rule": rules.first_form(desk.viewer, row),
        "refusal": refusal,
    }
    return show(desk, "pages/battle.html", context, here="campaign", status=409 if refusal else 200)


def way(report: battle.BattleReport) -> list[dict[str, Any]]:
    """The steps of a battle, for the stepper."""
    at = PLACE.get(State(report.state), -1)
    over = report.state in (State.POSTED, State.REVERSED)
    steps: list[dict[str, Any]] = [
        {"name": name, "done": n < at or over, "current": n == at and not over, "state": ""}
        for n, name in enumerate(WAY)
    ]
    if at >= 0:
        steps[at]["state"] = report.state_name
    return steps


# --- buttons ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Button:
    """A button of the battle page: it does something, or leads to a page of its own."""

    words: str
    note: str = ""
    act: str = ""
    page: str = ""
    danger: bool = False


BUTTONS = {
    "lock": Button("Lock the forces", "Freezes who comes and seals the dice.", act="lock"),
    "resolve": Button(
        "Resolve by the rules", "The engine fights it out in the background.", act="resolve"
    ),
    "play_at_table": Button(
        "Play at the table", "Print the battle sheet; the result is entered by hand.", act="table"
    ),
    "report_side": Button("Report my side", page="battle_result"),
    "enter_result": Button("Enter the result", page="battle_result"),
    "preview": Button("Preview and post", page="battle_preview"),
    "overrule": Button("Overrule", page="battle_overrule"),
    "correct": Button("Correct a figure", page="battle_correct"),
    "reverse": Button("Reverse the battle", page="battle_reverse", danger=True),
    "reveal": Button("Reveal the dice", page="battle_reveal"),
    "unlock": Button("Unlock", "Choose the forces anew.", act="unlock"),
    "leave_table": Button("Not played after all", act="leave"),
    "cancel": Button("Cancel the battle", act="cancel", danger=True),
}
"""By the names that the battle report gives them; the first that is offered is the main one."""


def offered(may: Collection[str]) -> list[Button]:
    """The buttons of what may be done. To reverse is the other door of the page that corrects:
    side by side on one row they would be two answers to one question."""
    one_door = {"reverse"} if "correct" in may else set()
    return [BUTTONS[name] for name in BUTTONS if name in may and name not in one_door]


def unchosen(report: battle.BattleReport) -> list[str]:
    """The sides nobody chose forces for, for who is about to lock them."""
    if "lock" not in report.may:
        return []
    return [force.name for force in report.forces if force.visible and not force.chosen]


ACTS: dict[str, tuple[Callable[..., Any], str]] = {
    "lock": (battles.lock_forces, "Forces locked, dice sealed."),
    "unlock": (battles.unlock_forces, "Forces unlocked. Choose them anew."),
    "resolve": (battles.request_resolve, "The battle is being fought."),
    "table": (battles.play_at_table, "The battle is at the table. Print the battle sheet."),
    "leave": (battles.leave_table, "Taken off the table; the forces stay locked."),
    "cancel": (battles.cancel_battle, "The battle is cancelled."),
}


@seated("POST")
def battle_act(desk: Desk, battle_id: str, act: str) -> HttpResponse:
    """One button of the battle page."""
    if desk.request.method != "POST" or act not in ACTS:
        raise NotFound
    operation, done = ACTS[act]
    try:
        operation(seat=desk.taken, battle_id=battle_id)
    except Refused as refusal:
        return page(desk, battle_id, refusal)
    messages.success(desk.request, done)
    return redirect("battle", desk.campaign.slug, battle_id)


@seated("POST")
def plan(desk: Desk) -> HttpResponse:
    """Plan the battle of the open rung."""
    if desk.request.method != "POST":
        raise NotFound
    made = battles.plan_battle(seat=desk.taken)
    messages.success(desk.request, f"{made.title} is planned. Each side may choose its forces.")
    return redirect(address(made))


@seated()
def progress(desk: Desk, battle_id: str) -> HttpResponse:
    """The job's state, for polling; when it is over the page is loaded anew."""
    row = access.battle_for(desk.taken, battle_id)
    latest = row.jobs.order_by("-pk").first()
    if latest is None:
        raise NotFound
    job = battle.job(desk.taken, latest.uid)
    context = {
        "battle": row,
        "job": job,
        "campaign": desk.campaign,
        "may_cancel": desk.may(Action.RESOLVE),
    }
    response = render(desk.request, "parts/progress.html", context)
    if not job.unfinished:
        response["HX-Refresh"] = "true"
    response["X-Robots-Tag"] = "noindex"
    response["Vary"] = "Cookie, HX-Request"
    response["Cache-Control"] = "no-store"
    return response


@seated("POST")
def job_cancel(desk: Desk, job_id: str) -> HttpResponse:
    """Stop a job."""
    if desk.request.method != "POST":
        raise NotFound
    job: Job = jobs.cancel(seat=desk.taken, job_id=job_id)
    messages.success(desk.request, "Cancelled. The forces are locked as before.")
    if job.battle is None:
        return redirect("campaign", desk.campaign.slug)
    return redirect("battle", desk.campaign.slug, job.battle.uid)


@seated("POST")
def forces(desk: Desk, battle_id: str, side: str) -> HttpResponse:
    """Choose who comes, of one side."""
    row = access.battle_for(desk.taken, battle_id)
    chosen = access.side_for(desk.taken, side)
    if not desk.viewer.owns(chosen.pk):
        raise NotFound
    refusal = None
    if desk.request.method == "POST":
        try:
            battles.choose_detachment(
                seat=desk.taken,
                battle_id=battle_id,
                side_key=side,
                picks=_picks(desk, chosen),
            )
            messages.success(desk.request, f"The force of {chosen.name} is chosen.")
            return redirect(address(row))
        except Refused as refused:
            refusal = refused
    context = {
        "battle": row,
        "side": chosen,
        "force": shortfall(row, chosen, muster.who_comes(row, chosen)),
        "rows": _choices(desk, row, chosen),
        "limit": row.limits.get(chosen.key, 0),
        "may_choose": row.state == State.PLANNED and desk.may(Action.CHOOSE_FORCES),
        "refusal": refusal,
    }
    return show(desk, "pages/forces.html", context, here="campaign", status=409 if refusal else 200)


def _picks(desk: Desk, side: Side) -> list[tuple[str, dict[str, int]]]:
    """What the form sent: per unit, per element type, how many."""
    sent = desk.request.POST
    if "default" in sent:
        return []
    picks: dict[str, dict[str, int]] = {}
    for name, text in sent.items():
        if not name.startswith("n:"):
            continue
        unit, _, kind = name.removeprefix("n:").partition(":")
        try:
            number = int(str(text) or 0)
        except ValueError:
            raise Refused(f'"{text}" is not a whole number.') from None
        if number:
            picks.setdefault(unit, {})[kind] = number
    if not picks:
        raise Refused(f"{side.name} would bring nobody. Choose at least one element.")
    return list(picks.items())


def _choices(desk: Desk, row: Battle, side: Side) -> list[dict[str, Any]]:
    """Every unit of a side with what it has and what of it comes."""
    force = battles.forces(seat=desk.taken, battle_id=row.uid, side_key=side.key)
    coming = {c.unit.pk: c.strength for c in force.coming}
    units = list(projection.of_side(side).units().select_related("formation"))
    held = muster.on_hand(units)
    gone = missing(units, held)
    later = arrivals(engine.parsed(row.terms.document))
    sent = desk.request.POST
    rows = []
    for unit in units:
        kinds = []
        for kind, conditions in sorted(held.get(unit.pk, {}).items()):
            has = sum(conditions.values())
            comes = sum(coming.get(unit.pk, {}).get(kind, {}).values())
            name = f"n:{unit.uid}:{kind}"
            kinds.append(
                {
                    "name": name,
                    "title": engine.title_of(row.campaign.ruleset, kind),
                    "has": has,
                    "comes": sent.get(name, comes),
                    "reduced": ", ".join(f"{n} {c}" for c, n in conditions.items()),
                }
            )
        rows.append(
            {
                "unit": unit,
                "kinds": kinds,
                "arrives": later.get(unit.key, ""),
                "missing": gone.get(unit.pk, ""),
            }
        )
    return rows

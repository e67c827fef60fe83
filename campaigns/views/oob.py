"""The order of battle: as of any turn, the difference between two, and the printed roster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from campaigns import access, engine
from campaigns.access import Action
from campaigns.models import Battle
from campaigns.refusals import NotFound, Refused
from campaigns.reports import oob, roster, units
from campaigns.reports.oob import FormationNode, SideOob
from campaigns.views import ground, once
from campaigns.views.frame import Desk, seated, show, whole_number


def sees_forces(desk: Desk) -> None:
    """The public has no order of battle."""
    if not (desk.viewer.sees_all or desk.viewer.kind == "side"):
        raise NotFound


def flat(side: SideOob) -> Iterator[dict[str, Any]]:
    """The tree as rows with their depth, in reading order."""
    for formation in side.formations:
        yield from _rows(formation)


def _rows(node: FormationNode) -> Iterator[dict[str, Any]]:
    yield {"formation": node, "depth": min(node.depth, 4)}
    for unit in node.units:
        yield {"unit": unit, "depth": min(node.depth + 1, 4)}
    for child in node.children:
        yield from _rows(child)


@seated()
def page(desk: Desk) -> HttpResponse:
    """The tree with strengths, now or at the end of a turn."""
    sees_forces(desk)
    report = oob.oob(desk.viewer, desk.campaign, whole_number(desk.request, "turn"))
    context = {"report": report, "sides": [_group(side) for side in report.sides]}
    return show(desk, "pages/oob.html", context, here="oob")


def _group(side: SideOob) -> dict[str, Any]:
    """A side's rows, and which columns have anything in them."""
    rows = list(flat(side))
    units = [row["unit"] for row in rows if "unit" in row]
    return {
        "side": side,
        "rows": rows,
        "quality": any(unit.quality for unit in units),
        "morale": any(unit.morale for unit in units),
    }


@seated()
def changes(desk: Desk) -> HttpResponse:
    """What changed between the ends of two turns, and which postings changed it."""
    sees_forces(desk)
    turns = [turn.number for turn in desk.campaign.turns.all()]
    last = whole_number(desk.request, "to")
    first = whole_number(desk.request, "from")
    last = turns[-1] if last is None else last
    first = max(turns[0], last - 1) if first is None else first
    report = oob.difference(desk.viewer, desk.campaign, first, last)
    return show(desk, "pages/changes.html", {"report": report, "turns": turns}, here="oob")


@seated()
def unit(desk: Desk, unit_id: str) -> HttpResponse:
    """One unit's life."""
    return unit_page(desk, unit_id)


def unit_page(desk: Desk, unit_id: str, refusal: Refused | None = None) -> HttpResponse:
    """The unit page, with what was refused if something was."""
    sees_forces(desk)
    report = units.unit(desk.taken, unit_id, desk.preview)
    side = desk.campaign.sides.get(key=report.row.side)
    context = {
        "report": report,
        "unit": report.row,
        "side": side,
        "line": [point.on_hand for point in report.strength],
        "told": told(report.told),
        "refusal": refusal,
    }
    if desk.may(Action.ADJUST):
        context |= {
            "adjusts": True,
            "once": once.token(),
            "formations": desk.viewer.formations().filter(side=side),
            "morale": engine.catalogue(desk.campaign.ruleset).morale,
            "elements": _elements(desk, report.row),
        }
    return show(desk, "pages/unit.html", context, here="oob", status=409 if refusal else 200)


TOLD_AT_ONCE = 12


def told(lines: tuple[units.ToldLine, ...]) -> list[dict[str, Any]]:
    """What the reports say of a unit: what mattered most, and the rest put away."""
    parts = [
        {"lines": lines[:TOLD_AT_ONCE], "more": False},
        {"lines": lines[TOLD_AT_ONCE:], "more": True},
    ]
    return [part for part in parts if part["lines"]]


def _elements(desk: Desk, row: oob.UnitRow) -> list[tuple[str, str]]:
    """What a unit can be given or lose: element types it has or should have, by condition."""
    choices = []
    for element in row.elements:
        kind = engine.element_type(desk.campaign.ruleset, element.type)
        for condition in kind.conditions if kind else ():
            choices.append((f"{element.type}/{condition}", f"{element.title}, {condition}"))
    return choices


@seated()
def roster_page(desk: Desk, side: str) -> HttpResponse:
    """A side's roster, made for paper."""
    turn = whole_number(desk.request, "turn")
    report = roster.roster(desk.viewer, desk.campaign, side, turn)
    # Not the whole query: who scans the code looks through his own eyes, and a code holds little.
    address = reverse("roster", args=[desk.campaign.slug, side])
    context = {
        "report": report,
        "side": desk.campaign.sides.get(key=side),
        "address": desk.request.build_absolute_uri(
            address if turn is None else f"{address}?turn={turn}"
        ),
    }
    return show(desk, "pages/roster.html", context, here="oob")


TO_REPORT = (Battle.State.LOCKED, Battle.State.AT_TABLE)
"""States in which a result may be entered, or soon."""


@seated()
def sheet(desk: Desk, battle_id: str) -> HttpResponse:
    """The battle sheet for the table: forces with boxes to tick, the scenario, the map."""
    sees_forces(desk)
    report = roster.battle_sheet(desk.taken, battle_id, desk.preview)
    row = access.battle_for(desk.taken, battle_id)
    address = reverse("battle_result", args=[desk.campaign.slug, battle_id])
    context = {
        "report": report,
        "battle": row,
        "field": ground.battlefield(desk.viewer, row.terms),
        "facts": ground.grouped(report.facts),
        "address": desk.request.build_absolute_uri(address) if row.state in TO_REPORT else "",
    }
    return show(desk, "pages/sheet.html", context, here="campaign")

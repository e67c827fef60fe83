"""Whole tables for a spreadsheet: the order of battle and the ledger, cut to what a viewer sees."""

from __future__ import annotations

from collections.abc import Iterator

from campaigns.models import Campaign
from campaigns.projection import Viewer
from campaigns.reports import ledger as ledger_report
from campaigns.reports import oob
from campaigns.reports.oob import FormationNode

Row = tuple[str | int, ...]

OOB_HEAD: Row = (
    "side",
    "formation",
    "unit",
    "element",
    "authorised",
    "on hand",
    "condition",
    "in this condition",
)
LEDGER_HEAD: Row = (
    "turn",
    "posted",
    "kind",
    "reason",
    "by",
    "account",
    "holder",
    "item",
    "condition",
    "quantity",
    "cause",
    "undone",
)


def order_of_battle(viewer: Viewer, campaign: Campaign, turn: int | None) -> Iterator[Row]:
    """A row for every unit, element type and condition, now or at the end of a turn."""
    yield OOB_HEAD
    for side in oob.oob(viewer, campaign, turn).sides:
        for formation in side.formations:
            yield from _of_formation(side.name, formation)


def _of_formation(side: str, node: FormationNode) -> Iterator[Row]:
    for unit in node.units:
        for element in unit.elements:
            head = (side, node.name, unit.name, element.title, element.authorised, element.on_hand)
            for condition, count in element.conditions or (("", 0),):
                yield (*head, condition, count)
    for child in node.children:
        yield from _of_formation(side, child)


def ledger(viewer: Viewer) -> Iterator[Row]:
    """Every line of the ledger, oldest first; what was undone says so."""
    yield LEDGER_HEAD
    for line in ledger_report.lines(viewer).order_by("pk").iterator(chunk_size=500):
        posting = line.posting
        yield (
            posting.turn.number,
            posting.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            posting.get_kind_display(),
            posting.reason,
            posting.actor_name,
            line.account.code,
            line.holder_name,
            line.item_name,
            line.account.condition,
            line.quantity,
            line.cause,
            "yes" if getattr(posting, "reversed_by", None) else "",
        )

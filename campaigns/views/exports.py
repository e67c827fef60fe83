"""Tables as CSV, for a spreadsheet, as this reader may see them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from django.http import HttpResponse

from campaigns.refusals import NotFound
from campaigns.reports import tables
from campaigns.reports.tables import Row
from campaigns.views.frame import Desk, seated, whole_number
from campaigns.views.oob import sees_forces

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def plain(cell: str | int) -> str | int:
    """A cell that no spreadsheet takes for a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell


def _answer(rows: Iterable[Row], name: str) -> HttpResponse:
    text = io.StringIO()
    text.write("\ufeff")  # so that a spreadsheet reads it as UTF-8
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow([plain(cell) for cell in row])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    answer["Cache-Control"] = "no-store"
    answer["X-Robots-Tag"] = "noindex"
    return answer


@seated()
def order_of_battle(desk: Desk) -> HttpResponse:
    """The order of battle, now or at the end of a turn."""
    sees_forces(desk)
    turn = whole_number(desk.request, "turn")
    rows = tables.order_of_battle(desk.viewer, desk.campaign, turn)
    moment = "now" if turn is None else f"turn-{turn}"
    return _answer(rows, f"{desk.campaign.slug}-order-of-battle-{moment}")


@seated()
def ledger(desk: Desk) -> HttpResponse:
    """Every line of the ledger this reader may see."""
    if desk.seat is None:
        raise NotFound
    return _answer(tables.ledger(desk.viewer), f"{desk.campaign.slug}-ledger")

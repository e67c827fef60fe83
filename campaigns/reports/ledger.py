"""The ledger line by line, cut to what a viewer may know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from campaigns.models import Line
from campaigns.projection import Viewer


@dataclass(frozen=True)
class PostedLine:
    """One line as its posting wrote it."""

    account: str
    holder: str
    condition: str
    item: str
    name: str
    quantity: int
    """Into the account; out of it if negative. Of every item they sum to zero for a referee."""
    cause: str


@dataclass(frozen=True)
class LedgerLine(PostedLine):
    """The same with the posting it belongs to."""

    posting: str
    turn: int
    at: datetime
    kind: str
    reason: str
    by: str
    measure: str
    undone: bool
    """Its posting was reversed."""


def lines(viewer: Viewer) -> QuerySet[Line]:
    """Every line the viewer may see, with what a row tells of it."""
    return viewer.lines().select_related("posting__turn", "posting__reversed_by", "account")


def posted(line: Line) -> PostedLine:
    """What one line moved; its account is read with it."""
    return PostedLine(
        account=line.account.code,
        holder=line.holder_name,
        condition=line.account.condition,
        item=line.item,
        name=line.item_name,
        quantity=line.quantity,
        cause=line.cause,
    )


def row(line: Line) -> LedgerLine:
    """One line, read by `lines`."""
    posting = line.posting
    return LedgerLine(
        **vars(posted(line)),
        posting=posting.uid,
        turn=posting.turn.number,
        at=posting.created_at,
        kind=posting.kind,
        reason=posting.reason,
        by=posting.actor_name,
        measure=line.measure,
        undone=hasattr(posting, "reversed_by"),
    )

"""What a viewer may see: the one path for pages, API, exports and mail.

A viewer is the referee, a side, or the public. Querysets are cut to what it may know before
anything is counted or summed, so totals, ids and order tell nothing either. Scores are open to
all; strengths, losses, morale and stocks are a side's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from django.db.models import Q, QuerySet

from campaigns.access import PUBLIC, REFEREE, Action, audience_of, may, side_audience
from campaigns.models import (
    Account,
    Campaign,
    Formation,
    Holder,
    Line,
    Posting,
    Seat,
    Side,
    Status,
    Unit,
)
from campaigns.refusals import NotFound

__all__ = [
    "PUBLIC",
    "REFEREE",
    "Viewer",
    "audiences",
    "of_side",
    "public_viewer",
    "viewer_for",
]

T = TypeVar("T", Formation, Unit)


@dataclass(frozen=True)
class Viewer:
    """Through whose eyes."""

    kind: Literal["referee", "side", "public"]
    campaign_id: int
    side_id: int | None = None
    side_key: str = ""
    side_name: str = ""
    position: int = -1
    preview: bool = False
    """A referee looking through a side's eyes: nothing may be done."""

    @property
    def sees_all(self) -> bool:
        return self.kind == "referee"

    @property
    def audience(self) -> str:
        """ "referee", "public" or the key of the side."""
        return side_audience(self.side_key) if self.kind == "side" else self.kind

    @property
    def narrated_to(self) -> int | None:
        """The engine's word for this audience."""
        return None if self.sees_all else self.position

    @property
    def label(self) -> str:
        """For the viewer bar."""
        return self.side_name if self.kind == "side" else self.kind

    def owns(self, side_id: int | None) -> bool:
        """Whether what belongs to a side is open to this viewer."""
        return self.sees_all or (side_id is not None and side_id == self.side_id)

    def may_know(self, posting: Posting) -> bool:
        return self.sees_all or posting.audience in ("all", self.audience)

    # --- querysets, cut to what may be known ---

    def formations(self) -> QuerySet[Formation]:
        return self._own(Formation.objects.filter(campaign_id=self.campaign_id))

    def units(self) -> QuerySet[Unit]:
        return self._own(Unit.objects.filter(campaign_id=self.campaign_id))

    def postings(self) -> QuerySet[Posting]:
        rows = Posting.objects.filter(campaign_id=self.campaign_id)
        return rows if self.sees_all else rows.filter(audience__in=["all", self.audience])

    def accounts(self) -> QuerySet[Account]:
        rows = Account.objects.filter(campaign_id=self.campaign_id)
        return rows if self.sees_all else rows.filter(self._open("") | Q(holder=Holder.SCORE))

    def lines(self) -> QuerySet[Line]:
        rows = Line.objects.filter(posting__campaign_id=self.campaign_id)
        if self.sees_all:
            return rows
        return rows.filter(
            self._open("account__") | Q(account__holder=Holder.SCORE),
            posting__audience__in=["all", self.audience],
        )

    def statuses(self) -> QuerySet[Status]:
        rows = Status.objects.filter(posting__campaign_id=self.campaign_id)
        if self.sees_all:
            return rows
        holding = Q(kind=Status.Kind.HOLDING)
        own = Q(unit__side_id=self.side_id) if self.kind == "side" else Q(pk__in=[])
        return rows.filter(holding | own, posting__audience__in=["all", self.audience])

    def _own(self, rows: QuerySet[T]) -> QuerySet[T]:
        if self.sees_all:
            return rows
        return rows.filter(side__pk=self.side_id) if self.side_id else rows.none()

    def _open(self, prefix: str) -> Q:
        if self.kind != "side":
            return Q(pk__in=[])
        return Q(**{f"{prefix}side_id": self.side_id})


def viewer_for(seat: Seat, preview: str = "") -> Viewer:
    """Through whose eyes a seat looks. `preview` is a side's key: the referee's may."""
    if preview:
        if not may(seat, Action.PREVIEW_AS):
            raise NotFound
        if preview == PUBLIC:
            return Viewer("public", seat.campaign_id, preview=True)
        side = Side.objects.filter(campaign_id=seat.campaign_id, key=preview).first()
        if side is None:
            raise NotFound
        return of_side(side, preview=True)
    audience = audience_of(seat)
    if seat.side is not None and audience == seat.side.key:
        return of_side(seat.side)
    return Viewer("referee" if audience == REFEREE else "public", seat.campaign_id)


def of_side(side: Side, *, preview: bool = False) -> Viewer:
    """A side's own view."""
    return Viewer(
        "side", side.campaign_id, side.pk, side.key, side.name, side.position, preview=preview
    )


def public_viewer(campaign: Campaign) -> Viewer:
    """What anyone may read."""
    return Viewer("public", campaign.pk)


def audiences(campaign: Campaign) -> list[Viewer]:
    """Everybody a report is written for."""
    return [
        Viewer("referee", campaign.pk),
        *(of_side(side) for side in campaign.sides.all()),
        Viewer("public", campaign.pk),
    ]

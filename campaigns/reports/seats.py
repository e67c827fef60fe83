"""Who sits where, and the invitations that are out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.utils import timezone

from campaigns import access
from campaigns.access import Action
from campaigns.models import Campaign, Invitation, Role, Seat


@dataclass(frozen=True)
class SeatRow:
    uid: str
    user: str
    role: str
    role_name: str
    side: str
    joined_at: datetime
    me: bool
    tokens: int | None
    """How many programs hold a token of this seat, for the organiser; null for everybody else."""


@dataclass(frozen=True)
class InvitationRow:
    uid: str
    role_name: str
    side: str
    note: str
    made_by: str
    made_at: datetime
    expires_at: datetime
    state: str
    """open, accepted, revoked or expired."""
    accepted_by: str


@dataclass(frozen=True)
class MembersReport:
    seats: tuple[SeatRow, ...]
    invitations: tuple[InvitationRow, ...]
    """For the organiser; empty for everybody else."""
    manages: bool


def members(seat: Seat) -> MembersReport:
    """Who sits where, and the invitations that are out."""
    manages = access.may(seat, Action.MANAGE)
    order = list(Role)
    seats = sorted(
        seat.campaign.seats.select_related("user", "side").annotate(held=Count("tokens")),
        key=lambda s: (order.index(Role(s.role)), s.pk),
    )
    return MembersReport(
        seats=tuple(
            SeatRow(
                s.uid,
                s.user.get_username(),
                s.role,
                s.get_role_display(),
                s.side.name if s.side else "",
                s.joined_at,
                s.pk == seat.pk,
                s.held if manages else None,
            )
            for s in seats
        ),
        invitations=_invitations(seat.campaign) if manages else (),
        manages=manages,
    )


def _invitations(row: Campaign) -> tuple[InvitationRow, ...]:
    return tuple(
        InvitationRow(
            uid=i.uid,
            role_name=i.get_role_display(),
            side=i.side.name if i.side else "",
            note=i.note,
            made_by=i.made_by.get_username(),
            made_at=i.made_at,
            expires_at=i.expires_at,
            state=_state(i),
            accepted_by=i.accepted_by.get_username() if i.accepted_by else "",
        )
        for i in row.invitations.select_related("side", "made_by", "accepted_by")
    )


def _state(invitation: Invitation) -> str:
    if invitation.accepted_at:
        return "accepted"
    if invitation.revoked_at:
        return "revoked"
    return "open" if invitation.expires_at > timezone.now() else "expired"

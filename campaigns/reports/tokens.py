"""The tokens of a seat, as its owner's page lists them and as the organiser's does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from campaigns import access
from campaigns.access import Action
from campaigns.models import Scope, Seat


@dataclass(frozen=True)
class TokenRow:
    uid: str
    name: str
    """Its owner's words for it, for nobody else: they may tell what a side is about."""
    scopes: tuple[str, ...]
    scope_names: tuple[str, ...]
    made_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    expired: bool


def tokens_of_member(seat: Seat, member: Seat) -> tuple[TokenRow, ...]:
    """What the organiser is shown of a member's tokens: no names. Nothing for anybody else."""
    if member.campaign_id != seat.campaign_id or not access.may(seat, Action.MANAGE):
        return ()
    return tuple(replace(row, name="") for row in tokens(member))


def tokens(seat: Seat) -> tuple[TokenRow, ...]:
    """Every token of a seat, the oldest first."""
    now = timezone.now()
    return tuple(
        TokenRow(
            uid=token.uid,
            name=token.name,
            scopes=tuple(token.scopes),
            scope_names=tuple(Scope(scope).label for scope in token.scopes),
            made_at=token.created,
            last_used_at=token.last_used_at,
            expires_at=token.expiry,
            expired=token.expiry is not None and token.expiry <= now,
        )
        for token in seat.tokens.all()
    )

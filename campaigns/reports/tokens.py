"""The tokens of one's own seat, as the page lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaigns.models import Scope, Seat


@dataclass(frozen=True)
class TokenRow:
    uid: str
    name: str
    scopes: tuple[str, ...]
    scope_names: tuple[str, ...]
    made_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    expired: bool


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

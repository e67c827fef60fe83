"""Tokens of programs: made by a member for the seat he has, shown once, taken back at will.

A token belongs to a seat: it opens that campaign and no other, does no more than the seat may do
when it is used, and goes with the seat. So the organiser may take back every token of his campaign,
and none of another.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from campaigns import access
from campaigns.access import Action
from campaigns.models import TOKEN_NAME, ApiToken, Role, Scope, Seat
from campaigns.refusals import NotFound, Refused

LONGEST_DAYS = 366
MOST = 20
"""Tokens of one seat."""
BETWEEN_NOTES = timedelta(minutes=1)
"""How exactly it is known when a token was last used; a note is a write."""

NEEDS: dict[Scope, tuple[Action, ...]] = {
    Scope.READ: (Action.SEE,),
    Scope.RESULTS: (Action.ENTER_RESULT, Action.COMMENT),
    Scope.FORCES: (Action.CHOOSE_FORCES, Action.FORECAST),
    Scope.REFEREE: (Action.LOCK, Action.RESOLVE, Action.POST),
}
"""A scope is offered to who may do something with it."""


@dataclass(frozen=True)
class Made:
    """A token with its secret, which is shown this once."""

    token: ApiToken
    secret: str


def offered(seat: Seat) -> list[Scope]:
    """The scopes a token of this seat can have."""
    return [scope for scope in Scope if any(access.may(seat, act) for act in NEEDS[scope])]


@transaction.atomic
def make(*, seat: Seat, name: str, scopes: Collection[str], days: int) -> Made:
    """Make a token for the seat one has. Every token may read; `days` from now it expires."""
    access.require(seat, Action.SEE)
    name = name.strip()
    if not name:
        raise Refused("Give the token a name: what it is for.", path="name")
    if len(name) > TOKEN_NAME:
        raise Refused(f"The name of a token has at most {TOKEN_NAME} characters.", path="name")
    allowed = offered(seat)
    for scope in scopes:
        if scope not in Scope.values:
            raise Refused(f'There is no scope "{scope}".', path="scopes")
        if scope not in allowed:
            raise Refused(f'As a {Role(seat.role).label} you cannot use "{scope}".', path="scopes")
    if not 1 <= days <= LONGEST_DAYS:
        raise Refused(f"A token lives from 1 to {LONGEST_DAYS} days.", path="days")
    standing = ApiToken.objects.filter(seat=seat)
    standing.filter(expiry__lt=timezone.now()).delete()
    if standing.count() >= MOST:
        raise Refused(f"You have {MOST} tokens here. Revoke one that is not used any more.")
    try:
        with transaction.atomic():
            token, secret = ApiToken.objects.create(  # type: ignore[no-untyped-call]
                seat.user,
                timedelta(days=days),
                seat=seat,
                name=name,
                scopes=[scope.value for scope in Scope if scope in {*scopes, Scope.READ}],
            )
    except IntegrityError as taken:
        why = f'You have a token called "{name}" here. Name them apart.'
        raise Refused(why, path="name") from taken
    return Made(token, secret)


@transaction.atomic
def revoke(*, seat: Seat, token_id: str) -> ApiToken:
    """Take a token of one's own back: from now on it opens nothing."""
    token: ApiToken | None = ApiToken.objects.filter(seat=seat, uid=token_id).first()
    if token is None:
        raise NotFound
    token.delete()
    return token


@transaction.atomic
def revoke_of_member(*, seat: Seat, seat_id: str, token_id: str = "") -> int:
    """The organiser takes a member's tokens back: one, or without an id all; how many.

    Raises NotFound for everybody else, for a seat of another campaign and a token of another seat.
    """
    if not access.may(seat, Action.MANAGE):
        raise NotFound
    member = Seat.objects.filter(campaign=seat.campaign_id, uid=seat_id).first()
    if member is None:
        raise NotFound
    found = ApiToken.objects.filter(seat=member)
    if token_id:
        found = found.filter(uid=token_id)
        if not found.exists():
            raise NotFound
    return found.delete()[0]


def note_use(token: ApiToken) -> None:
    """Note that a token was used, once a minute at most."""
    now = timezone.now()
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - BETWEEN_NOTES)
    if token.last_used_at is not None and token.last_used_at >= now - BETWEEN_NOTES:
        return
    # A note that cannot be written, on a full disk for instance, keeps nobody from reading.
    with suppress(DatabaseError), transaction.atomic():
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)

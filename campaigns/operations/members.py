"""Who sits where: invitations by link, seats, and a way back for a forgotten password.

An invitation's token is random and kept only as a hash; the link seats whoever opens it first,
until it expires or is taken back. A reset link is made by an organiser for a member who sits
only at his tables, since it opens that member's whole account.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from campaigns import access
from campaigns.access import Action
from campaigns.models import SIDED, Invitation, Role, Seat, Side
from campaigns.operations import ledger
from campaigns.refusals import NotFound, Refused


@dataclass(frozen=True)
class Invited:
    """An invitation with its token, which is shown this once."""

    invitation: Invitation
    token: str


@transaction.atomic
def invite(
    *, seat: Seat, role: str, side_key: str = "", note: str = "", days: int | None = None
) -> Invited:
    """Make a link that seats one person in a role and, for players, on a side."""
    access.require(seat, Action.MANAGE)
    side = _side_for_role(seat, role, side_key)
    token = secrets.token_urlsafe(24)
    lasts = settings.INVITATION_DAYS if days is None else days
    invitation = Invitation.objects.create(
        campaign=seat.campaign,
        role=role,
        side=side,
        note=note.strip()[:120],
        token_hash=_hash(token),
        made_by=seat.user,
        expires_at=timezone.now() + timedelta(days=lasts),
    )
    return Invited(invitation, token)


def _side_for_role(seat: Seat, role: str, side_key: str) -> Side | None:
    if role not in Role.values or role == Role.ORGANISER:
        raise Refused("Invite a referee, a commander, a player or a spectator.", path="role")
    if role not in SIDED:
        if side_key:
            raise Refused(f"A {role} has no side.", path="side")
        return None
    side = Side.objects.filter(campaign=seat.campaign, key=side_key).first()
    if side is None:
        raise Refused(f"Say which side the {role} is on.", path="side")
    return side


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def look_at(*, token: str) -> Invitation:
    """What a link offers. NotFound for one that is spent, expired, revoked or never was."""
    invitation = (
        Invitation.objects.select_related("campaign", "side", "made_by")
        .filter(
            token_hash=_hash(token),
            accepted_at__isnull=True,
            revoked_at__isnull=True,
            expires_at__gt=timezone.now(),
        )
        .first()
    )
    if invitation is None:
        raise NotFound
    return invitation


@transaction.atomic
def accept(*, user: User, token: str) -> Seat:
    """Take the seat a link offers. Who has a seat already keeps it, and the link stays good."""
    invitation = look_at(token=token)
    seated = Seat.objects.filter(campaign=invitation.campaign, user=user).first()
    if seated is not None:
        raise Refused(f"You already have a seat in {invitation.campaign}: {seated}.")
    taken = Invitation.objects.filter(pk=invitation.pk, accepted_at__isnull=True).update(
        accepted_at=timezone.now(), accepted_by=user
    )
    if not taken:
        raise NotFound
    try:
        with transaction.atomic():
            return Seat.objects.create(
                campaign=invitation.campaign, user=user, role=invitation.role, side=invitation.side
            )
    except IntegrityError as seated_meanwhile:
        raise Refused(f"You already have a seat in {invitation.campaign}.") from seated_meanwhile


@transaction.atomic
def revoke(*, seat: Seat, invitation_id: str) -> Invitation:
    """Take an open invitation back."""
    access.require(seat, Action.MANAGE)
    invitation = Invitation.objects.filter(campaign=seat.campaign, uid=invitation_id).first()
    if invitation is None:
        raise NotFound
    if invitation.accepted_at:
        raise Refused("This invitation was accepted; change the seat instead.")
    invitation.revoked_at = timezone.now()
    invitation.save(update_fields=["revoked_at"])
    return invitation


@transaction.atomic
def change_seat(*, seat: Seat, seat_id: str, role: str, side_key: str = "") -> Seat:
    """Give a member another role or side. The last organiser stays one."""
    access.require(seat, Action.MANAGE)
    member = _member(seat, seat_id)
    if member.role == Role.ORGANISER:
        raise Refused("The organiser's seat is handed over, not changed.")
    side = _side_for_role(seat, role, side_key)
    member.role, member.side = role, side
    member.save(update_fields=["role", "side"])
    return member


@transaction.atomic
def hand_over(*, seat: Seat, seat_id: str) -> Seat:
    """Make another member the organiser; the old one becomes a referee or, sided, a commander."""
    ledger.lock_campaign(seat.campaign, archived=True)
    seat.refresh_from_db(fields=["role", "side"])
    access.require(seat, Action.MANAGE)
    member = _member(seat, seat_id)
    if member.pk == seat.pk:
        raise Refused("You are the organiser.")
    member.role = Role.ORGANISER
    member.save(update_fields=["role"])
    seat.role = Role.COMMANDER if seat.side_id else Role.REFEREE
    seat.save(update_fields=["role"])
    return member


@transaction.atomic
def remove(*, seat: Seat, seat_id: str) -> None:
    """Take a member's seat away. What he did stays in the journal under his name."""
    access.require(seat, Action.MANAGE)
    member = _member(seat, seat_id)
    if member.role == Role.ORGANISER:
        raise Refused("The organiser cannot be removed; hand the campaign over first.")
    member.delete()


def _member(seat: Seat, seat_id: str) -> Seat:
    member = (
        Seat.objects.select_for_update(of=("self",))
        .filter(campaign=seat.campaign, uid=seat_id)
        .first()
    )
    if member is None:
        raise NotFound
    return member


@dataclass(frozen=True)
class ResetLink:
    """The two parts of Django's password reset address."""

    uidb64: str
    token: str


def password_reset_link(*, seat: Seat, seat_id: str) -> ResetLink:
    """A link with which a member chooses a new password; it works once and expires."""
    access.require(seat, Action.MANAGE)
    member = Seat.objects.select_related("user").filter(campaign=seat.campaign, uid=seat_id).first()
    if member is None:
        raise NotFound
    mine = Seat.objects.filter(user=seat.user, role=Role.ORGANISER).values("campaign")
    elsewhere = Seat.objects.filter(user=member.user).exclude(campaign__in=mine).exists()
    if member.user.is_staff or member.user.is_superuser or elsewhere:
        raise Refused(
            f"{member.user.get_username()} also has a place outside your campaigns. The operator"
            " of this site can reset the password."
        )
    return ResetLink(
        urlsafe_base64_encode(force_bytes(member.user.pk)),
        default_token_generator.make_token(member.user),
    )

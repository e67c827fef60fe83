"""Members of a campaign: seats, invitations by link and QR, joining, reset links."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns import access
from campaigns.access import Action
from campaigns.forms.people import InviteForm, JoinForm
from campaigns.models import Seat
from campaigns.operations import members, tokens
from campaigns.refusals import NotFound, Refused
from campaigns.reports import seats
from campaigns.reports.tokens import tokens_of_member
from campaigns.views.frame import Desk, seated, show

LINK = "fresh-link"


@seated("POST")
def page(desk: Desk) -> HttpResponse:
    """Who sits where; for the organiser also invitations and changes."""
    refusal = None
    form = InviteForm(desk.campaign)
    if desk.request.method == "POST":
        form = InviteForm(desk.campaign, desk.request.POST)
        try:
            return _change(desk, form)
        except Refused as refused:
            refusal = refused
    report = seats.members(desk.taken)
    context: dict[str, Any] = {
        "report": report,
        "form": form if report.manages else None,
        "link": desk.request.session.pop(LINK, None) if report.manages else None,
        "refusal": refusal,
    }
    return show(desk, "pages/members.html", context, here="members", status=409 if refusal else 200)


def near(request: HttpRequest) -> str:
    """A warning under a link that only this computer can open."""
    if request.get_host().split(":")[0] not in ("127.0.0.1", "localhost"):
        return ""
    return " It opens on this computer only: for phones, start Sitrep with --lan."


def _change(desk: Desk, form: InviteForm) -> HttpResponse:
    """One act of the organiser; links that are shown once wait in his session."""
    sent, seat, request = desk.request.POST, desk.taken, desk.request
    act, who = sent.get("act", ""), sent.get("seat", "")
    role, side_key = sent.get("role", ""), sent.get("side_key", "")
    if act == "invite":
        note = sent.get("note", "")
        made = members.invite(seat=seat, role=role, side_key=side_key, note=note)
        address = request.build_absolute_uri(reverse("join", args=[made.token]))
        request.session[LINK] = {
            "address": address,
            "words": f"Send this to whoever is to be {made.invitation.get_role_display()}"
            + (f" of the {made.invitation.side}" if made.invitation.side else "")
            + (f" ({note})" if note else "")
            + ". It is shown this once and seats the first who opens it."
            + near(request),
        }
    elif act == "revoke":
        members.revoke(seat=seat, invitation_id=sent.get("invitation", ""))
        messages.success(request, "The invitation is taken back.")
    elif act == "seat":
        members.change_seat(seat=seat, seat_id=who, role=role, side_key=side_key)
        messages.success(request, "The seat is changed.")
    elif act == "remove":
        members.remove(seat=seat, seat_id=who)
        messages.success(request, "The seat is taken away. What was done stays on record.")
    elif act == "hand_over":
        members.hand_over(seat=seat, seat_id=who)
        messages.success(request, "The campaign has a new organiser.")
    elif act == "revoke_tokens":
        gone = tokens.revoke_of_member(seat=seat, seat_id=who, token_id=sent.get("token", ""))
        messages.success(request, f"Revoked: {gone} token{'s' * (gone != 1)}.")
        return redirect("seat", desk.campaign.slug, who)
    elif act == "reset":
        link = members.password_reset_link(seat=seat, seat_id=who)
        address = request.build_absolute_uri(reverse("reset", args=[link.uidb64, link.token]))
        request.session[LINK] = {
            "address": address,
            "words": "Send this to the member. It works once and lets them choose a new password."
            + near(request),
        }
    else:
        raise NotFound
    return redirect("members", desk.campaign.slug)


@seated()
def seat_page(desk: Desk, seat_id: str) -> HttpResponse:
    """One member's seat, for the organiser to change."""
    member = desk.campaign.seats.select_related("user", "side").filter(uid=seat_id).first()
    if member is None or not access.may(desk.taken, Action.MANAGE):
        raise NotFound
    form = InviteForm(
        desk.campaign,
        initial={"role": member.role, "side_key": member.side.key if member.side else ""},
    )
    del form.fields["note"]
    held = tokens_of_member(desk.taken, member)
    context = {"member": member, "form": form, "tokens": held}
    return show(desk, "pages/seat.html", context, here="members")


@transaction.atomic
def _seat(user: Any, form: JoinForm, token: str) -> Seat:
    """The account and its seat: both, or neither."""
    return members.accept(user=user or form.save(), token=token)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Take the seat a link offers, with the account one has or a new one."""
    try:
        invitation = members.look_at(token=token)
    except NotFound:
        return render(request, "pages/join_over.html", status=404)
    form, refusal = JoinForm(), None
    if request.method == "POST":
        user = request.user if request.user.is_authenticated else None
        form = JoinForm() if user else JoinForm(request.POST)
        try:
            if user or form.is_valid():
                seat = _seat(user, form, token)
                if user is None:
                    login(request, seat.user, "django.contrib.auth.backends.ModelBackend")
                messages.success(request, f"Welcome to {seat.campaign.title}.")
                return redirect("campaign", seat.campaign.slug)
        except NotFound:
            return render(request, "pages/join_over.html", status=404)
        except IntegrityError:
            form.add_error("username", "Somebody of that name was just before you.")
        except Refused as refused:
            refusal = refused
    context = {"invitation": invitation, "form": form, "refusal": refusal}
    response = render(request, "pages/join.html", context, status=409 if refusal else 200)
    response["X-Robots-Tag"] = "noindex"
    return response

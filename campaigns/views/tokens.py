"""One's own tokens for programs: made here, shown once, revoked here."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns.forms.people import TokenForm
from campaigns.operations import tokens
from campaigns.operations.tokens import Made
from campaigns.refusals import NotFound, Refused
from campaigns.reports import tokens as report
from campaigns.views.frame import Desk, seated, show


@seated("POST")
def page(desk: Desk) -> HttpResponse:
    """The tokens of this seat; nobody else is shown them.

    A new token stands in the answer to the form and nowhere else, so that it is kept in no
    session; who loads that answer again is told that there is one of that name.
    """
    seat, sent = desk.taken, desk.request.POST
    offered = tokens.offered(seat)
    form, made, refusal = TokenForm(offered), None, None
    try:
        if sent.get("act") == "revoke":
            gone = tokens.revoke(seat=seat, token_id=sent.get("token", ""))
            messages.success(desk.request, f"The token {gone} opens nothing any more.")
            return redirect("tokens", desk.campaign.slug)
        if sent.get("act") == "make":
            form = TokenForm(offered, sent)
            made = _make(desk, form)
            form = TokenForm(offered) if made else form
        elif desk.request.method == "POST":
            raise NotFound
    except Refused as refused:
        refusal = refused
    context: dict[str, Any] = {
        "rows": report.tokens(seat),
        "form": form,
        "made": made,
        "api": desk.request.build_absolute_uri(reverse("api:campaign", args=[desk.campaign.slug])),
        "refusal": refusal,
    }
    answer = show(
        desk, "pages/tokens.html", context, here="members", status=409 if refusal else 200
    )
    if made:
        answer["Cache-Control"] = "no-store"
    return answer


def _make(desk: Desk, form: TokenForm) -> Made | None:
    if not form.is_valid():
        return None
    told = form.cleaned_data
    return tokens.make(
        seat=desk.taken, name=told["name"], scopes=told.get("scopes", []), days=told["days"]
    )

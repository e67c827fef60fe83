"""Forms that make something carry a token, so that a form sent twice makes one thing."""

from __future__ import annotations

import secrets

from django.http import HttpRequest

FIELD = "once"
KEPT = 20


def token() -> str:
    """A new token for a form."""
    return secrets.token_hex(8)


def made_before(request: HttpRequest) -> str:
    """The address of what this very form made before, or ""."""
    made: dict[str, str] = request.session.get(FIELD, {})
    return made.get(request.POST.get(FIELD, ""), "")


def remember(request: HttpRequest, address: str) -> None:
    """Note what this form made."""
    made: dict[str, str] = request.session.get(FIELD, {})
    sent = request.POST.get(FIELD, "")
    if sent:
        made[sent] = address
        request.session[FIELD] = dict(list(made.items())[-KEPT:])

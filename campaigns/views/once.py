"""Forms that make something carry a token, so that a form sent twice makes one thing."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest

FIELD = "once"
KEPT = 20


def token() -> str:
    """A new token for a form."""
    return secrets.token_hex(8)


@contextmanager
def alone(request: HttpRequest) -> Iterator[str]:
    """Hold the visitor's session while a form makes something.

    Gives the address of what this very form made before, or "": of a form sent twice at once the
    second waits, and finds what the first has made.
    """
    with transaction.atomic():
        rows = Session.objects.select_for_update().filter(session_key=request.session.session_key)
        held = rows.first()
        made: dict[str, str] = held.get_decoded().get(FIELD, {}) if held else {}
        yield made.get(request.POST.get(FIELD, ""), "")


def remember(request: HttpRequest, address: str) -> None:
    """Note what this form made, for whoever waits for the session."""
    made: dict[str, str] = request.session.get(FIELD, {})
    sent = request.POST.get(FIELD, "")
    if sent:
        made[sent] = address
        request.session[FIELD] = dict(list(made.items())[-KEPT:])
        request.session.save()

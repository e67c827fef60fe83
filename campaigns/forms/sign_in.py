"""The form that signs in. Whoever guesses has to wait: so many wrong tries at a name from one
place, and for a quarter of an hour none is looked at."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.cache import cache
from django.core.exceptions import ValidationError

TRIES = 10
WAIT = 15 * 60
WORDS = "Too many wrong tries. Wait a quarter of an hour, or ask the organiser for a new password."

if TYPE_CHECKING:
    Base = AuthenticationForm
else:
    Base = object


class Patient(Base):
    """Counts the wrong tries of a sign-in form."""

    def clean(self) -> dict[str, Any]:
        place = self._place()
        if cache.get(place, 0) >= TRIES:
            raise ValidationError(WORDS, code="wait")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            cache.add(place, 0, WAIT)
            with suppress(ValueError):  # it expired between the two
                cache.incr(place)
            raise
        cache.delete(place)
        return cleaned

    def _place(self) -> str:
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        name = str(self.cleaned_data.get("username", "")).casefold()
        return "sign-in:" + hashlib.sha256(f"{address}|{name}".encode()).hexdigest()


class SignInForm(Patient, AuthenticationForm):
    """For the club."""


class OperatorSignInForm(Patient, AdminAuthenticationForm):
    """For the operators' desk."""

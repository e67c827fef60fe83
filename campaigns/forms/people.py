"""Forms about people: invitations, seats, and the account an invitation makes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User

from campaigns.models import Campaign, Role


class InviteForm(forms.Form):
    """Role, side and a note of whom it is for."""

    role = forms.ChoiceField(label="Role")
    side_key = forms.ChoiceField(
        label="Side", required=False, help_text="Commanders and players need one."
    )
    note = forms.CharField(
        label="For whom",
        required=False,
        max_length=120,
        help_text="Only you see this.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles = [Role.COMMANDER, Role.PLAYER, Role.REFEREE, Role.SPECTATOR]
        self.fields["role"].choices = [(r.value, r.label) for r in roles]  # type: ignore[attr-defined]
        sides = [(side.key, side.name) for side in campaign.sides.all()]
        self.fields["side_key"].choices = [*sides, ("", "none: a referee or spectator")]  # type: ignore[attr-defined]


PASSWORD = "At least 8 characters. Not your name, not a common password, not digits alone."


def plain_passwords(form: Any, first: str, second: str) -> Any:
    """The two fields of a new password, in few words."""
    form.fields[first].help_text = PASSWORD
    form.fields[second].label = "The same again"
    form.fields[second].help_text = ""
    return form


class JoinForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account, made by whoever opens an invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        plain_passwords(self, "password1", "password2")

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "Name"}
        help_texts = {"username": "What the others call you. Letters, digits and @ . + - _"}

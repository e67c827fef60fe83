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
        label="Side", required=False, help_text="For commanders and players; others have none."
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
        self.fields["side_key"].choices = [("", "no side"), *sides]  # type: ignore[attr-defined]


class JoinForm(UserCreationForm):  # type: ignore[type-arg]
    """A new account, made by whoever opens an invitation."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "Name"}
        help_texts = {"username": "What the others call you. Letters, digits and @ . + - _"}

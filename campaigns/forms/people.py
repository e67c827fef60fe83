"""Forms about people: invitations, seats, and the account an invitation makes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User

from campaigns.models import TOKEN_NAME, Campaign, Role, Scope


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
        led = campaign.seats.filter(role=Role.COMMANDER).values_list("side__key", flat=True)
        free = [key for key, _ in sides if key not in led]
        self.fields["side_key"].initial = (free or [key for key, _ in sides])[0]
        self.fields["side_key"].choices = [*sides, ("", "none: a referee or spectator")]  # type: ignore[attr-defined]


LIFETIMES = ((7, "a week"), (30, "a month"), (90, "three months"), (365, "a year"))


class TokenForm(forms.Form):
    """A token's name, what it may do besides reading, and how long."""

    name = forms.CharField(
        label="What it is for",
        max_length=TOKEN_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="Besides reading what you may read, it may",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Never more than you may do yourself when it is used.",
    )
    days = forms.TypedChoiceField(label="Good for", coerce=int, choices=LIFETIMES, initial=30)

    def __init__(self, offered: list[Scope], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        more = [(scope.value, scope.label) for scope in offered if scope != Scope.READ]
        self.fields["scopes"].choices = more  # type: ignore[attr-defined]
        if not more:
            del self.fields["scopes"]


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

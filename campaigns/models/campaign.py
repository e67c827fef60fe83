"""A campaign, its sides, and who sits where.

A campaign copies everything it needs out of its pack when it is made (ladder, terms, house
rules), so that a later version of the pack changes nothing in it. A seat is a user's place:
a role and, for those who play, a side. An organiser without a side also referees.
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.public_ids import Public
from rulesengine.names import RESERVED

SIDE_NAME = 60
"""How long the name of a side may be: as long as in a scenario, which it is written into."""


class Campaign(Public):
    """One club's campaign."""

    class State(models.TextChoices):
        ACTIVE = "active", "under way"
        ARCHIVED = "archived", "archived"

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=120)
    summary = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    ruleset = models.CharField(max_length=20)
    ruleset_version = models.CharField(max_length=20)
    pack = models.CharField(max_length=60)
    kind = models.CharField(max_length=10)
    starts = models.DateField()
    ladder = models.JSONField(default=list, blank=True)
    """The rungs as the pack had them: key, scenario, next by outcome."""
    carry = models.JSONField(default=dict, blank=True)
    replacements = models.JSONField(default=list, blank=True)
    sources = models.JSONField(default=list, blank=True)
    options = models.JSONField(default=dict, blank=True)
    """House rules: `public` (a page anyone may read), `opponent_comments`."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_public(self) -> bool:
        return bool(self.options.get("public"))

    @property
    def is_active(self) -> bool:
        return self.state == self.State.ACTIVE


class Side(models.Model):
    """A belligerent. `position` is its place in the scenario document, 0 or 1."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="sides")
    key = models.SlugField(max_length=40)
    name = models.CharField(max_length=80)
    nation = models.CharField(max_length=40, blank=True)
    colour = models.CharField(max_length=20)
    affiliation = models.CharField(max_length=10)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="one_side_per_key"),
            models.UniqueConstraint(fields=["campaign", "position"], name="one_side_per_position"),
            models.CheckConstraint(
                condition=~Q(key__in=RESERVED), name="a_side_is_named_by_no_audience"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    ORGANISER = "organiser", "organiser"
    REFEREE = "referee", "referee"
    COMMANDER = "commander", "commander"
    PLAYER = "player", "player"
    SPECTATOR = "spectator", "spectator"


SIDED = (Role.COMMANDER, Role.PLAYER)


class Seat(Public):
    """A user's place in a campaign: a role and, for those who play, a side."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="seats")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    role = models.CharField(max_length=10, choices=Role)
    side = models.ForeignKey(Side, on_delete=models.PROTECT, null=True, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_seat_per_user"),
            models.CheckConstraint(
                condition=(Q(role__in=SIDED) & Q(side__isnull=False))
                | (Q(role__in=["referee", "spectator"]) & Q(side__isnull=True))
                | Q(role="organiser"),
                name="a_player_has_a_side",
            ),
        ]

    def __str__(self) -> str:
        side = f", {self.side}" if self.side else ""
        return f"{self.user} ({self.get_role_display()}{side})"


class Turn(models.Model):
    """A step of the campaign's clock. On a ladder a turn is a rung."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="turns")
    number = models.PositiveIntegerField()
    date: models.DateField[date, date] = models.DateField()
    rung = models.CharField(max_length=60, blank=True)
    title = models.CharField(max_length=120, blank=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_turn_per_number"),
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(closed_at__isnull=True), name="one_open_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"Turn {self.number}"


class Invitation(Public):
    """A link that seats whoever opens it first. Only the hash of its token is kept."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    side = models.ForeignKey(Side, on_delete=models.PROTECT, null=True, blank=True)
    note = models.CharField(max_length=120, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"Invitation as {self.get_role_display()}"

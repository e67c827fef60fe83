"""Odds of a battle as they were asked for, and the runs they were counted from.

A forecast belongs to who asked: the referee's is of the forces as they are, a side's of what it
knows. Its scenario and key are kept, so that any of its runs can be fought again.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaigns.models.battle import Battle, ForceSnapshot, Job
from campaigns.models.campaign import Campaign, Side
from campaigns.models.public_ids import Public

User = settings.AUTH_USER_MODEL


class Forecast(Public):
    """One question for odds. `result` is empty until enough runs are fought."""

    class State(models.TextChoices):
        RUNNING = "running", "being worked out"
        DONE = "done", "done"
        CANCELLED = "cancelled", "cancelled"
        FAILED = "failed", "failed"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="forecasts")
    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="forecasts")
    side = models.ForeignKey(
        Side, on_delete=models.PROTECT, null=True, blank=True, related_name="forecasts"
    )
    """Whose knowledge it is made from; null = the referee's."""
    snapshot = models.ForeignKey(
        ForceSnapshot, on_delete=models.PROTECT, null=True, blank=True, related_name="forecasts"
    )
    """The locked forces it is of, where it is of them."""
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    document = models.TextField()
    """The scenario fought, canonical JSON."""
    hash = models.CharField(max_length=64)
    """Of the scenario."""
    key = models.BinaryField(max_length=32)
    most = models.PositiveIntegerField()
    half_width = models.PositiveIntegerField()
    """Hundredths of a percent."""
    result = models.TextField(blank=True)
    error = models.TextField(blank=True)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["battle", "side"],
                condition=models.Q(state="running", side__isnull=False),
                name="one_forecast_at_a_time_of_a_side",
            ),
            models.UniqueConstraint(
                fields=["battle"],
                condition=models.Q(state="running", side__isnull=True),
                name="one_forecast_at_a_time_of_the_referee",
            ),
        ]

    def __str__(self) -> str:
        return f"odds of {self.battle} ({self.get_state_display()})"


class ForecastLane(models.Model):
    """A job that fights chunks of a forecast; two lanes keep two workers busy."""

    forecast = models.ForeignKey(Forecast, on_delete=models.PROTECT, related_name="lanes")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="lane")


class ForecastChunk(models.Model):
    """Some runs in order; `body` is empty while a lane fights them."""

    forecast = models.ForeignKey(Forecast, on_delete=models.PROTECT, related_name="chunks")
    first = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="+")
    attempt = models.PositiveIntegerField()
    """Of the job that holds it: a lane that was given up for lost holds nothing."""
    body = models.TextField(blank=True)

    class Meta:
        ordering = ["first"]
        constraints = [
            models.UniqueConstraint(fields=["forecast", "first"], name="one_chunk_per_start")
        ]

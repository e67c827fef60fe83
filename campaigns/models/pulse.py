"""When a worker was last heard of. It says nothing of any campaign, and no backup keeps it."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """A worker by its name, and a queue it serves."""

    worker = models.CharField(max_length=200)
    queue = models.CharField(max_length=20)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "queue"], name="one_pulse_per_queue")
        ]

    def __str__(self) -> str:
        return self.worker

"""What the API keeps of requests that create or trigger something, so that none is done twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """The answer to a request that carried an `Idempotency-Key`. While the request is being
    carried out `status` is 0; a key is kept for a day."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    request = models.CharField(max_length=64)
    """SHA-256 of method, address and body."""
    address = models.CharField(max_length=300, default="")
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    location = models.CharField(max_length=300, blank=True)
    started_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key")]

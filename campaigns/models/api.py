"""What the API keeps: the answers to requests that create or trigger something, so that none is
done twice, and the tokens of programs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from knox.models import AbstractAuthToken

from campaigns.models.campaign import Seat
from campaigns.models.public_ids import Public


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


class Scope(models.TextChoices):
    """What a token is for; never more than the seat of its owner may do."""

    READ = "read", "read what you may read"
    RESULTS = "results:write", "enter results of battles and comment on them"
    FORCES = "forces:write", "choose forces and ask for odds"
    REFEREE = "referee", "referee: plan, lock, resolve, post and correct battles, open turns"


TOKEN_NAME = 60


class ApiToken(Public, AbstractAuthToken):
    """A program's way in, as the seat it belongs to and gone with it. Only a hash is kept."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=TOKEN_NAME)
    scopes = models.JSONField(default=list)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created", "uid"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "name"], name="one_token_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

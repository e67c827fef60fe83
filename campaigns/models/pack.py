"""A pack that was checked and loaded: what a campaign may be made from."""

from __future__ import annotations

from django.db import models


class InstalledPack(models.Model):
    """One pack, whole. A newer version replaces it; campaigns made from it keep their copy."""

    key = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=160)
    ruleset = models.CharField(max_length=20)
    kind = models.CharField(max_length=10)
    summary = models.TextField(blank=True)
    document = models.TextField()
    hash = models.CharField(max_length=64)
    loaded_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

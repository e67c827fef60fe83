"""The order of battle: formations are inner nodes, units are leaves that fight.

What a unit *should* have is its establishment; what it *has* is in the ledger and nowhere
else. `Unit.formation` is where it belongs; an attachment elsewhere is a dated status.
"""

from __future__ import annotations

from django.db import models

from campaigns.models.campaign import Campaign, Side
from campaigns.models.public_ids import Public


class Formation(Public):
    """An inner node: company, battalion, division."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="formations")
    side = models.ForeignKey(Side, on_delete=models.PROTECT, related_name="formations")
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="children"
    )
    key = models.CharField(max_length=60)
    name = models.CharField(max_length=120)
    echelon = models.CharField(max_length=20, blank=True)
    symbol = models.CharField(max_length=60, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "side", "key"], name="one_formation_per_key"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Unit(Public):
    """A leaf that fights. Its strength is a sum of ledger lines."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="units")
    side = models.ForeignKey(Side, on_delete=models.PROTECT, related_name="units")
    formation = models.ForeignKey(Formation, on_delete=models.PROTECT, related_name="units")
    key = models.CharField(max_length=60)
    name = models.CharField(max_length=120)
    quality = models.CharField(max_length=30, blank=True)
    echelon = models.CharField(max_length=20, blank=True)
    symbol = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_unit_per_key")]

    def __str__(self) -> str:
        return self.name


class Establishment(models.Model):
    """How many elements of a type a unit is authorised."""

    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="establishment")
    element = models.CharField(max_length=80)
    title = models.CharField(max_length=120)
    category = models.CharField(max_length=60, blank=True)
    quantity = models.PositiveIntegerField()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["unit", "element"], name="one_figure_per_element")
        ]

    def __str__(self) -> str:
        return f"{self.quantity} {self.title}"

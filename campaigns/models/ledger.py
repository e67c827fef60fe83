"""The journal: one append-only, double-entry ledger of everything counted and conserved.

A posting is one act; its lines sum to zero per item. An account is a holder and a condition.
Levels that are not conserved (morale, fatigue, control, attachment) are dated status rows on
the same posting. A balance is a read model, recomputed from the lines it sums.
Triggers refuse to change a journal row on both databases (`append_only.py`).
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaigns.models.battle import Battle
from campaigns.models.campaign import Campaign, Side, Turn
from campaigns.models.oob import Unit
from campaigns.models.public_ids import Public

VICTORY_POINTS = "points.victory"
CASUALTY_POINTS = "points.casualty"


class Holder(models.TextChoices):
    """Who or what holds. The last eight are where things come from and go to."""

    UNIT = "unit", "unit"
    POOL = "pool", "replacement pool"
    SCORE = "victory", "score"
    ESTABLISHMENT = "establishment", "establishment"
    ARSENAL = "arsenal", "arsenal"
    AWARD = "award", "awarded"
    DESTROYED = "destroyed", "destroyed"
    CAPTURED = "captured", "captured"
    EXPENDED = "expended", "expended"
    LOST = "lost", "lost"
    CONVERTED = "converted", "converted"


NEVER_NEGATIVE = (Holder.UNIT, Holder.POOL)
LOSSES = (Holder.DESTROYED, Holder.CAPTURED, Holder.LOST)
"""Where a unit's losses go; such an account is the unit's that lost them."""


class Account(models.Model):
    """A holder and a condition. `code` names it within its campaign: "unit:1-platoon/fit"."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="accounts")
    code = models.CharField(max_length=140)
    holder = models.CharField(max_length=14, choices=Holder)
    unit = models.ForeignKey(
        Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="accounts"
    )
    side = models.ForeignKey(Side, on_delete=models.PROTECT, null=True, blank=True)
    condition = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "code"], name="one_account_per_code")
        ]

    def __str__(self) -> str:
        return self.code


class Posting(Public):
    """One act and its reason. Never changed; undone by a posting that reverses it."""

    class Kind(models.TextChoices):
        ESTABLISHMENT = "establishment", "establishment"
        BATTLE = "battle", "battle"
        REPLACEMENT = "replacement", "replacements"
        RECOVERY = "recovery", "recovery"
        AWARD = "award", "award"
        ADJUSTMENT = "adjustment", "referee's adjustment"
        CORRECTION = "correction", "correction"
        REVERSAL = "reversal", "reversal"
        NOTE = "note", "note"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="postings")
    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="postings")
    kind = models.CharField(max_length=14, choices=Kind)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    actor_name = models.CharField(max_length=150)
    actor_role = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)
    audience = models.CharField(max_length=50, default="all")
    """"all", "referee" or the key of a side. Lines are projected besides."""
    battle = models.ForeignKey(
        Battle, on_delete=models.PROTECT, null=True, blank=True, related_name="postings"
    )
    key = models.CharField(max_length=200, unique=True)
    """The idempotency key: the same act posts once."""
    plan_hash = models.CharField(max_length=64, blank=True)
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversed_by"
    )
    replaces = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["campaign", "turn", "kind"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.reason or self.uid}"

    @classmethod
    def standing_for(cls, battle: Battle) -> Posting | None:
        """The posting of a battle that is not reversed, or None."""
        return (
            cls.objects.filter(
                battle=battle,
                kind__in=[cls.Kind.BATTLE, cls.Kind.CORRECTION],
                reversed_by__isnull=True,
            )
            .order_by("-pk")
            .first()
        )


class Line(models.Model):
    """So many of an item into (or, negative, out of) an account."""

    posting = models.ForeignKey(Posting, on_delete=models.PROTECT, related_name="lines")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="lines")
    item = models.CharField(max_length=80)
    item_name = models.CharField(max_length=120)
    measure = models.CharField(max_length=20)
    """The item's one unit of measure, as it was: "element", "point", "round"."""
    price = models.IntegerField(default=0)
    holder_name = models.CharField(max_length=120)
    quantity = models.IntegerField()
    cause = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["account", "item"])]
        constraints = [
            models.CheckConstraint(condition=~models.Q(quantity=0), name="a_line_moves_something")
        ]

    def __str__(self) -> str:
        return f"{self.quantity:+d} {self.item_name}: {self.account}"


class Status(models.Model):
    """A level from now on: who or what, which kind, what value."""

    class Kind(models.TextChoices):
        MORALE = "morale", "morale"
        FATIGUE = "fatigue", "fatigue"
        ATTACHMENT = "attachment", "attached to"
        HOLDING = "holding", "held by"

    posting = models.ForeignKey(Posting, on_delete=models.PROTECT, related_name="statuses")
    kind = models.CharField(max_length=12, choices=Kind)
    unit = models.ForeignKey(
        Unit, on_delete=models.PROTECT, null=True, blank=True, related_name="statuses"
    )
    subject = models.CharField(max_length=120)
    """The unit's key, or the place."""
    subject_name = models.CharField(max_length=120)
    value = models.CharField(max_length=120, blank=True)
    before = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["kind", "subject"])]

    def __str__(self) -> str:
        return f"{self.subject_name}: {self.get_kind_display()} {self.value}"


class Balance(models.Model):
    """What an account holds now: the sum of its lines, kept beside them and proved by
    `manage.py reconcile`."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="balances")
    item = models.CharField(max_length=80)
    item_name = models.CharField(max_length=120)
    quantity = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "item"], name="one_balance_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.quantity} {self.item_name}: {self.account}"


class PurgePermit(models.Model):
    """While a row stands here, the journal of that campaign may be deleted.

    It is written and removed within the transaction that purges, so no other ever sees it.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE)

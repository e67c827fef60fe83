"""A battle from plan to posting, and what is kept of it.

Forces freeze into a snapshot when they lock; a key is drawn and its commitment published. A
job fights it; log and result are stored facts and never recomputed. An overruled result is a
further result that names the one it overrules. The key stands in a table of its own, so that
nothing that reads a battle reads it by chance.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaigns.models.campaign import Campaign, Side, Turn
from campaigns.models.oob import Unit
from campaigns.models.public_ids import Public

User = settings.AUTH_USER_MODEL


class BattleTerms(models.Model):
    """A scenario as the pack had it: ground, terms and default forces."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="terms")
    key = models.CharField(max_length=60)
    title = models.CharField(max_length=160)
    document = models.TextField()
    """The scenario, canonical JSON, with its default force."""
    picks = models.JSONField()
    """Side key -> [{unit, elements}]."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="one_scenario_per_key")
        ]

    def __str__(self) -> str:
        return self.title


class Battle(Public):
    """One battle. Its state changes only in `operations/battle_states.py`."""

    class State(models.TextChoices):
        PLANNED = "planned", "planned"
        LOCKED = "locked", "forces locked"
        RESOLVING = "resolving", "being fought"
        AT_TABLE = "at_table", "at the table"
        REPORTED = "reported", "result reported"
        POSTED = "posted", "posted"
        REVERSED = "reversed", "reversed"
        CANCELLED = "cancelled", "cancelled"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="battles")
    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="battles")
    terms = models.ForeignKey(BattleTerms, on_delete=models.PROTECT, related_name="battles")
    number = models.PositiveIntegerField()
    rung = models.CharField(max_length=60, blank=True)
    title = models.CharField(max_length=160)
    place = models.CharField(max_length=120, blank=True)
    date = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    attempt = models.PositiveIntegerField(default=0)
    """How often its forces have been locked."""
    limits = models.JSONField(default=dict)
    """Side key -> most elements it may bring."""
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_battle_per_number")
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def stands(self) -> str:
        """The state as a sentence has it after the battle's name: "has its forces locked"."""
        whole = {
            Battle.State.LOCKED: "has its forces locked",
            Battle.State.REPORTED: "has its result reported",
        }
        return whole.get(Battle.State(self.state), f"is {self.get_state_display()}")

    def latest_snapshot(self) -> ForceSnapshot | None:
        """The forces as they last locked."""
        return self.snapshots.order_by("-attempt").first()

    def latest_result(self) -> Result | None:
        """The result that counts: the newest of the last attempt."""
        return self.results.filter(snapshot=self.latest_snapshot()).order_by("-pk").first()


LIVE_STATES = (
    Battle.State.LOCKED,
    Battle.State.RESOLVING,
    Battle.State.AT_TABLE,
    Battle.State.REPORTED,
)
"""The forces of a battle in one of these are spoken for."""
OPEN_STATES = (Battle.State.PLANNED, *LIVE_STATES)


class Detachment(models.Model):
    """A unit chosen for a battle, or a part of it. A side without any brings its default."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="detachments")
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="detachments")
    elements = models.JSONField(default=dict)
    """Element type -> how many come; empty = all the unit has."""

    class Meta:
        ordering = ["unit__position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "unit"], name="one_detachment_per_unit")
        ]


class ForceSnapshot(Public):
    """The forces as they locked: the whole scenario, in canonical form, with its hash."""

    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="snapshots")
    attempt = models.PositiveIntegerField()
    document = models.TextField()
    hash = models.CharField(max_length=64)
    ruleset_version = models.CharField(max_length=20)
    commitment = models.CharField(max_length=64)
    locked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    locked_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["attempt"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "attempt"], name="one_snapshot_per_attempt")
        ]


class SealedKey(models.Model):
    """The key of an attempt's dice, secret until it is revealed."""

    snapshot = models.OneToOneField(
        ForceSnapshot, on_delete=models.PROTECT, related_name="sealed_key"
    )
    key = models.BinaryField(max_length=32)


class Job(Public):
    """A long act, done by a worker. The row is the truth; the message only wakes somebody."""

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "under way"
        SUCCEEDED = "succeeded", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"
        SUPERSEDED = "superseded", "superseded"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="jobs")
    battle = models.ForeignKey(
        Battle, on_delete=models.PROTECT, null=True, blank=True, related_name="jobs"
    )
    snapshot = models.ForeignKey(
        ForceSnapshot, on_delete=models.PROTECT, null=True, blank=True, related_name="jobs"
    )
    task = models.CharField(max_length=60)
    queue = models.CharField(max_length=20, default="battles")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    """Raised by every claim; a write with an older number is refused."""
    progress = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=120, blank=True)
    error = models.TextField(blank=True)
    asked_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    dispatched_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "heartbeat_at"])]

    def __str__(self) -> str:
        return f"{self.task} ({self.get_state_display()})"


class Log(models.Model):
    """An engine's battle log, compressed canonical JSON, with its hash."""

    snapshot = models.OneToOneField(ForceSnapshot, on_delete=models.PROTECT, related_name="log")
    hash = models.CharField(max_length=64)
    events = models.PositiveIntegerField()
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)


class Result(Public):
    """What came of a battle, by whoever reports it. The newest of a snapshot counts."""

    snapshot = models.ForeignKey(ForceSnapshot, on_delete=models.PROTECT, related_name="results")
    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="results")
    source = models.CharField(max_length=10)
    document = models.TextField()
    hash = models.CharField(max_length=64)
    overrules = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="overruled_by"
    )
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]


class Comment(Public):
    """What a person says of a battle, before or after it is posted."""

    class Kind(models.TextChoices):
        COMMENT = "comment", "comment"
        CONFIRMS = "confirms", "confirms"
        DISPUTES = "disputes", "disputes"

    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    author_name = models.CharField(max_length=150)
    side = models.ForeignKey(Side, on_delete=models.PROTECT, null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.COMMENT)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

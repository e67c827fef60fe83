"""What is not said yet: drafts save themselves and are nobody's business but their author's.

The report shown at posting is kept here too, one a reader, so that it is never lost.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaigns.models.battle import Battle, Result
from campaigns.models.campaign import Side
from campaigns.models.ledger import Posting
from campaigns.models.public_ids import Public


class ResultDraft(Public):
    """A result somebody is still entering."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="drafts")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="result_drafts"
    )
    document = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(auto_now=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    """When its author reported his own side of the battle with it."""
    side = models.ForeignKey(Side, on_delete=models.CASCADE, null=True, blank=True)
    """The side it was reported for; its author may sit elsewhere since."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["battle", "author"], name="one_draft_per_author")
        ]


class StoredReport(models.Model):
    """The after-action report as one audience was shown it when the battle was posted.

    `audience` is "referee", "public" or the key of a side.
    """

    posting = models.ForeignKey(Posting, on_delete=models.PROTECT, related_name="reports")
    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="reports")
    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="reports")
    audience = models.CharField(max_length=50)
    document = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["posting", "audience"], name="one_report_per_audience")
        ]

"""manage.py reconcile: recompute everything from the journal and say what disagrees."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Line, Posting
from campaigns.reconcile import reconcile


class Command(BaseCommand):
    help = "Recompute totals from the ledger and say what disagrees. Changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        found = reconcile()
        for disagreement in found:
            self.stderr.write(disagreement)
        if found:
            raise CommandError(f"{len(found)} disagreements.")
        self.stdout.write(
            f"{Posting.objects.count()} postings with {Line.objects.count()} lines: all agree."
        )

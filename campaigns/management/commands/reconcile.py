"""manage.py reconcile: recompute everything from the journal and say what disagrees."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns import engine
from campaigns.models import Line, Posting
from campaigns.reconcile import reconcile


class Command(BaseCommand):
    help = "Recompute totals from the ledger and say what disagrees. Changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        found = reconcile()
        for disagreement in found:
            self.stderr.write(disagreement)
        if found:
            raise CommandError(f"{engine.many(len(found), 'disagreement')}.")
        self.stdout.write(
            f"{engine.many(Posting.objects.count(), 'posting')} with"
            f" {engine.many(Line.objects.count(), 'line')}: all agree."
        )

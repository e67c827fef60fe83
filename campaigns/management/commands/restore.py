"""manage.py restore <file>: a backup into an empty instance, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns import reconcile
from campaigns.operations import backups
from campaigns.refusals import Refused


class Command(BaseCommand):
    help = "Put a backup into an empty, migrated instance. Refused where anything is already."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rows = backups.restore(options["file"])
        except Refused as refusal:
            raise CommandError(refusal.why) from refusal
        self.stdout.write(f"{rows} rows are back. Everybody signs in again.")
        found = reconcile.reconcile()
        for disagreement in found:
            self.stderr.write(disagreement)
        self.stdout.write(
            f"{len(found)} disagreements, as they were when it was made."
            if found
            else "The journal, every result and every log agree."
        )

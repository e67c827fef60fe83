"""manage.py backup <file>: everything of this instance in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.operations import backups
from campaigns.refusals import Refused


class Command(BaseCommand):
    help = "Write accounts, campaigns, journal, logs and sealed dice into one new file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            rows = backups.backup(path)
        except Refused as refusal:
            raise CommandError(refusal.why) from refusal
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{rows} rows are in {path} ({path.stat().st_size} bytes).")
        self.stderr.write("Keep it secret: it holds everything, accounts and sealed dice included.")

"""manage.py loadpack <key or folder>: check a whole pack, then install it, or say every fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns import engine
from campaigns.operations import packs


class Command(BaseCommand):
    help = "Check a pack and install it. Nothing is loaded unless all of it is right."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pack", help="a key under fixtures/packs, or a folder")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.PACKS_DIR) / options["pack"]
        if not folder.is_dir():
            folder = Path(options["pack"])
        if not folder.is_dir():
            known = sorted(p.name for p in Path(settings.PACKS_DIR).glob("*") if p.is_dir())
            raise CommandError(
                f"No pack {options['pack']!r}. There are: {', '.join(known) or 'none'}."
            )
        try:
            installed = packs.load(folder=folder)
        except engine.PackFaults as faulty:
            for fault in faulty.faults:
                self.stderr.write(fault)
            faults = engine.many(len(faulty.faults), "fault")
            them = "it" if len(faulty.faults) == 1 else "them"
            raise CommandError(
                f"{faults}; nothing was loaded. Mend {them} and load the pack again."
            ) from faulty
        self.stdout.write(f"Loaded {installed.title} ({installed.key}, {installed.ruleset}).")
        for at, doubt in enumerate(engine.worth_a_look(folder)):
            self.stdout.write(f"  {doubt}" if at else f"Worth a look:\n  {doubt}")

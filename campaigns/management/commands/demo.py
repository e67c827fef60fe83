"""manage.py demo: make the demo campaign and its people, once, and print the logins."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns import engine
from campaigns.operations import demo
from campaigns.refusals import Refused


class Command(BaseCommand):
    help = "Make the demo campaign, its people and its first battle. Made once, found again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pack", default=demo.PACK)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            campaign = demo.make(pack_key=options["pack"])
        except engine.PackFaults as faulty:
            raise CommandError(f"The demo's pack is faulty:\n{faulty}") from faulty
        except Refused as refusal:
            raise CommandError(refusal.why) from refusal
        self.stdout.write(f"The demo campaign is {campaign.title} (/c/{campaign.slug}/).")
        for login in demo.logins():
            self.stdout.write(f"  {login.name:<12} {login.password:<14} {login.what}")

"""manage.py resolve <battle>: fight a locked battle here and now, without a worker."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Battle, Job, Role, Seat
from campaigns.operations import battles, resolution
from campaigns.refusals import Refused


class Command(BaseCommand):
    help = "Fight a locked battle in this process, as its organiser asks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("battle", help="the battle's id, as its address has it")

    def handle(self, *args: Any, **options: Any) -> None:
        battle = Battle.objects.filter(uid=options["battle"]).first()
        if battle is None:
            raise CommandError(f"No battle {options['battle']!r}.")
        seat = Seat.objects.filter(campaign=battle.campaign, role=Role.ORGANISER).first()
        if seat is None:
            raise CommandError("Its campaign has no organiser.")
        try:
            job = battles.request_resolve(seat=seat, battle_id=battle.uid)
        except Refused as refusal:
            raise CommandError(refusal.why) from refusal
        resolution.resolve(job_id=job.pk)
        job.refresh_from_db()
        if job.state != Job.State.SUCCEEDED:
            raise CommandError(f"{job.get_state_display()}: {job.error or 'another worker has it'}")
        self.stdout.write(f"{battle.title}: {battles.outcome_of(battle)}")

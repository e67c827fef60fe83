"""Workers say that they live; those not heard of for a day are forgotten."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from campaigns.models import Pulse

FORGOTTEN_AFTER = timedelta(days=1)


def beat(*, worker: str, queue: str) -> None:
    """This worker lives and takes messages of this queue."""
    now = timezone.now()
    Pulse.objects.update_or_create(worker=worker[:200], queue=queue, defaults={"seen_at": now})
    Pulse.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()

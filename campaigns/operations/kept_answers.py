"""A request sent twice with one key is carried out once; the second gets the same answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.models import Campaign, KeptAnswer

KEPT_FOR = timedelta(days=1)
GIVEN_UP_AFTER = timedelta(minutes=2)
"""A request that was begun and never answered, because its process died, may be sent again."""


def begin(*, user: Any, key: str, request: str, address: str) -> KeptAnswer | None:
    """Begin a request under its key; None, with nothing begun, if the key is known already."""
    now = timezone.now()
    KeptAnswer.objects.filter(user=user, key=key, started_at__lt=now - KEPT_FOR).delete()
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(
                user=user, key=key, request=request, address=address[:300], started_at=now
            )
    except IntegrityError:
        stale = KeptAnswer.objects.filter(
            user=user, key=key, request=request, status=0, started_at__lt=now - GIVEN_UP_AFTER
        )
        if stale.update(started_at=now):
            return KeptAnswer.objects.get(user=user, key=key)
        return None


def known(*, user: Any, key: str) -> KeptAnswer | None:
    """What is known of a key."""
    return KeptAnswer.objects.filter(user=user, key=key).first()


def finish(begun: KeptAnswer, *, status: int, body: str, location: str) -> None:
    """Keep the answer of a request that did something; forget one that was refused, which did
    nothing and may be tried again."""
    if 200 <= status < 300:
        KeptAnswer.objects.filter(pk=begun.pk).update(status=status, body=body, location=location)
    else:
        KeptAnswer.objects.filter(pk=begun.pk).delete()


def forget_campaign(campaign: Campaign) -> None:
    """Drop every answer about a campaign that is purged."""
    KeptAnswer.objects.filter(address__contains=f"/campaigns/{campaign.slug}/").delete()


def forget() -> int:
    """Drop the keys of more than a day ago; how many."""
    dropped, _ = KeptAnswer.objects.filter(started_at__lt=timezone.now() - KEPT_FOR).delete()
    return dropped

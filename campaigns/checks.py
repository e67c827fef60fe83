"""System checks: settings that would lose work are refused before anything is served."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks

HOST_BOUND = ("filesystem://", "memory://")


@checks.register(checks.Tags.compatibility)
def a_server_needs_a_real_broker(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """A broker bound to one host cannot serve a database that many hosts share."""
    engine = settings.DATABASES["default"]["ENGINE"]
    if (
        "postgresql" in engine
        and not settings.DEBUG
        and settings.CELERY_BROKER_URL.startswith(HOST_BOUND)
        and not settings.ALLOW_EMBEDDED_BROKER
    ):
        return [
            checks.Error(
                f"PostgreSQL is configured, but the broker is {settings.CELERY_BROKER_URL}, which"
                " only works on one host.",
                hint="Set CELERY_BROKER_URL=redis://..., or ALLOW_EMBEDDED_BROKER=1 if every"
                " process runs on this host.",
                id="campaigns.E001",
            )
        ]
    return []

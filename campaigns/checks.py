"""System checks: settings that would lose work are refused before anything is served."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core import checks

HOST_BOUND = ("filesystem://", "memory://")


@checks.register(checks.Tags.compatibility)
def files_have_a_place(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """Logs, the lock of `up` and the embedded database and broker are files under `var/`."""
    if os.access(settings.VAR_DIR, os.W_OK | os.X_OK):
        return []
    return [
        checks.Error(
            f"Nothing can be written into {settings.VAR_DIR}.",
            hint="Give the folder to the user Sitrep runs as, or set SITREP_VAR.",
            id="campaigns.E003",
        )
    ]


@checks.register(checks.Tags.compatibility)
def a_server_is_set_up_as_one(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """What many processes must share, and what strangers must not see."""
    if "postgresql" not in settings.DATABASES["default"]["ENGINE"]:
        return []
    if settings.DEBUG:
        return [
            checks.Warning(
                "DEBUG is on with PostgreSQL: errors show settings and data to whoever meets them.",
                hint="Unset DEBUG where others come in.",
                id="campaigns.W001",
            )
        ]
    found: list[checks.CheckMessage] = []
    if not settings.SECRET_KEY_GIVEN:
        found.append(
            checks.Warning(
                "The secret key is a file of this machine: on a second one nobody would be signed"
                " in.",
                hint="Set SECRET_KEY, the same for every process.",
                id="campaigns.W002",
            )
        )
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts or hosts <= {"localhost", "127.0.0.1", "[::1]"}:
        found.append(
            checks.Warning(
                "ALLOWED_HOSTS names " + ("every host." if "*" in hosts else "this machine only."),
                hint="Set ALLOWED_HOSTS to the name people type, and localhost for health checks.",
                id="campaigns.W003",
            )
        )
    return found


@checks.register(checks.Tags.compatibility, deploy=True)
def a_broker_keeps_its_messages(app_configs: Any, **kwargs: Any) -> list[checks.CheckMessage]:
    """A Redis that forgets loses no battle, for the tick sends again; it delays them."""
    if not settings.CELERY_BROKER_URL.startswith("redis"):
        return []
    import redis

    asked = redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_connect_timeout=2)
    try:
        kept = asked.config_get("appendonly", "save")
    except redis.RedisError as error:
        return [
            checks.Warning(
                f"Redis does not say whether it keeps its messages ({type(error).__name__}).",
                id="campaigns.W004",
            )
        ]
    finally:
        asked.close()
    if kept.get("appendonly") == "yes" or kept.get("save"):
        return []
    return [
        checks.Warning(
            "Redis keeps nothing over a restart: jobs then wait until the tick sends them again.",
            hint="Start it with --appendonly yes.",
            id="campaigns.W004",
        )
    ]


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

"""The system checks: what a server must not be started with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campaigns import checks
from tests.campaign import services


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Settings of a server that are in order."""
    engine = "django.db.backends.postgresql"
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", engine)
    settings.CELERY_BROKER_URL = "redis://broker/0"
    settings.ALLOW_EMBEDDED_BROKER = False
    settings.DEBUG = False
    settings.SECRET_KEY_GIVEN = True
    settings.ALLOWED_HOSTS = ["club.example", "localhost"]
    return settings


def told() -> list[str]:
    looks = (
        checks.a_server_needs_a_real_broker,
        checks.a_server_is_set_up_as_one,
        checks.files_have_a_place,
    )
    return [message.id or "" for look in looks for message in look(None)]


def test_a_server_in_order_is_told_nothing(server: Any) -> None:
    assert told() == []


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("CELERY_BROKER_URL", "filesystem://localhost/", "campaigns.E001"),
        ("CELERY_BROKER_URL", "memory://", "campaigns.E001"),
        ("SECRET_KEY_GIVEN", False, "campaigns.W002"),
        ("ALLOWED_HOSTS", ["localhost"], "campaigns.W003"),
        ("ALLOWED_HOSTS", ["*"], "campaigns.W003"),
        ("DEBUG", True, "campaigns.W001"),
        ("VAR_DIR", Path("nowhere at all"), "campaigns.E003"),
    ],
)
def test_a_server_out_of_order_is_told_so(name: str, value: Any, check: str, server: Any) -> None:
    setattr(server, name, value)
    assert told() == [check]


def test_a_club_on_sqlite_needs_none_of_it(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = "django.db.backends.sqlite3"
    monkeypatch.setitem(server.DATABASES["default"], "ENGINE", engine)
    server.CELERY_BROKER_URL = "filesystem://localhost/"
    server.SECRET_KEY_GIVEN = False
    server.ALLOWED_HOSTS = ["localhost"]
    assert told() == []


def test_a_redis_that_forgets_is_named(server: Any) -> None:
    with services.redis() as address:
        server.CELERY_BROKER_URL = address
        (message,) = checks.a_broker_keeps_its_messages(None)
        assert "keeps nothing" in message.msg
    (message,) = checks.a_broker_keeps_its_messages(None)
    assert "does not say" in message.msg

"""The cast of the campaign tests, speaking JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.campaign.conftest import Cast, _journal_guarded, balanced, cast, known_dice, sent

__all__ = ["_journal_guarded", "balanced", "cast", "known_dice", "sent"]

V1 = "/api/v1"


class Caller:
    """Somebody calling the API."""

    def __init__(self, client: Client, slug: str) -> None:
        self.client = client
        self.slug = slug
        self.home = f"{V1}/campaigns/{slug}"

    def get(self, address: str) -> Any:
        return self.client.get(self._at(address))

    def post(self, address: str, body: Any = None) -> Any:
        return self.client.post(self._at(address), body or {}, content_type="application/json")

    def put(self, address: str, body: Any) -> Any:
        """Put by who has just read it."""
        read = self.get(address)
        headers = {"If-Match": read["ETag"]} if read.status_code == 200 else {}
        return self.client.put(
            self._at(address), body, content_type="application/json", headers=headers
        )

    def delete(self, address: str) -> Any:
        return self.client.delete(self._at(address))

    def _at(self, address: str) -> str:
        whole = address.startswith(("/", "http://"))
        return address if whole else f"{self.home}/{address}"


@pytest.fixture
def calls(cast: Cast) -> Callable[[str], Caller]:
    """A caller signed in as somebody of the cast."""

    def caller(who: str) -> Caller:
        client = Client()
        if who == "stranger":
            client.force_login(cast.stranger)
        elif who != "anonymous":
            client.force_login(cast.seats[who].user)
        return Caller(client, cast.campaign.slug)

    return caller

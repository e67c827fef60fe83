"""The cast of the campaign tests, looking at pages through Django's test client."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.campaign.conftest import Cast, _journal_guarded, balanced, cast, known_dice, sent

__all__ = ["_journal_guarded", "balanced", "cast", "known_dice", "sent"]

EVERYBODY = (
    "organiser",
    "referee",
    "red",
    "blue",
    "red_player",
    "spectator",
    "stranger",
    "anonymous",
)


@pytest.fixture
def as_(cast: Cast) -> Callable[[str], Client]:
    """A browser in which somebody of the cast is signed in."""

    def client(who: str) -> Client:
        made = Client()
        if who == "stranger":
            made.force_login(cast.stranger)
        elif who != "anonymous":
            made.force_login(cast.seats[who].user)
        return made

    return client

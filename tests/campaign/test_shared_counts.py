"""Wrong passwords and bad tokens are counted for all processes together, where there is a Redis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from django.urls import reverse
from redis import Redis

from campaigns.conf.shared_counts import SharedCounts
from campaigns.forms import sign_in
from tests.campaign import services
from tests.campaign.conftest import Cast

RIGHT = "Zq9-kkwobble"


@contextmanager
def counting(settings: Any, port: int) -> Iterator[None]:
    """The cache that the settings make of a Redis on a port, and one of this process."""
    settings.CACHES = {
        "default": {
            "BACKEND": "campaigns.conf.shared_counts.SharedCounts",
            "LOCATION": f"redis://127.0.0.1:{port}/0",
            "KEY_PREFIX": "sitrep",
        },
        "alone": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "tries"},
    }
    caches["alone"].clear()
    yield


def tries(name: str, password: str, count: int = 1) -> list[int]:
    """Sign-ins, each in a browser of its own; 302 is in."""
    sent = {"username": name, "password": password}
    return [Client().post(reverse("login"), sent).status_code for _ in range(count)]


@pytest.fixture
def name(cast: Cast) -> str:
    user = cast.red.user
    user.set_password(RIGHT)
    user.save()
    return user.get_username()


def test_what_one_process_counted_another_knows(name: str, settings: Any) -> None:
    port = services.free_port()
    with services.redis(port), counting(settings, port):
        tries(name, "guess", sign_in.TRIES)
        held = Redis(port=port)
        (place,) = held.keys("sitrep:*")
        assert int(held.get(place)) == sign_in.TRIES
        assert 0 < held.ttl(place) <= sign_in.WAIT
        caches["alone"].clear()
        assert tries(name, RIGHT) == [200]
        held.delete(place)
        assert tries(name, RIGHT) == [302]


def test_without_redis_each_process_counts_for_itself_and_people_come_in(
    name: str, settings: Any
) -> None:
    with counting(settings, services.free_port()):
        assert tries(name, "guess", 2) == [200, 200]
        assert tries(name, RIGHT) == [302]
        tries(name, "guess", sign_in.TRIES)
        assert tries(name, RIGHT) == [200]


def test_redis_that_comes_back_in_the_middle_breaks_no_sign_in(name: str, settings: Any) -> None:
    port = services.free_port()
    with ExitStack() as stack, counting(settings, port):
        add = SharedCounts.add

        def and_back(self: SharedCounts, *told: Any, **more: Any) -> Any:
            added = add(self, *told, **more)
            stack.enter_context(services.redis(port))
            return added

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(SharedCounts, "add", and_back)
            assert tries(name, "guess") == [200]
        assert tries(name, RIGHT) == [302]


def test_clearing_it_leaves_the_messages_of_the_workers(settings: Any) -> None:
    port = services.free_port()
    with services.redis(port), counting(settings, port):
        broker = Redis(port=port)
        broker.lpush("battles", "a battle to fight")
        caches["default"].set("sign-in", 3)
        assert caches["default"].get("sign-in") == 3
        caches["default"].clear()
        assert caches["default"].get("sign-in") is None
        assert broker.llen("battles") == 1
        assert isinstance(caches["default"], RedisCache)

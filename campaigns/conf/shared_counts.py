"""Django's cache in Redis, beside the messages of the workers.

While Redis is away nobody is kept out for it: each process then counts for itself, as it does
where there is no Redis.
"""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class SharedCounts(RedisCache):
    """Falls back to the cache called "alone"."""

    def _ask(self, act: str, *told: Any, **more: Any) -> Any:
        try:
            return getattr(super(), act)(*told, **more)
        except RedisError as error:
            logger.warning("Redis did not answer, this process counts alone: %s", error)
            return getattr(caches["alone"], act)(*told, **more)

    def get(self, *told: Any, **more: Any) -> Any:
        return self._ask("get", *told, **more)

    def set(self, *told: Any, **more: Any) -> Any:
        return self._ask("set", *told, **more)

    def add(self, *told: Any, **more: Any) -> Any:
        return self._ask("add", *told, **more)

    def incr(self, *told: Any, **more: Any) -> Any:
        return self._ask("incr", *told, **more)

    def delete(self, *told: Any, **more: Any) -> Any:
        return self._ask("delete", *told, **more)

    def clear(self) -> None:
        """Forget what is of this cache. Django's own would empty the database, messages and all."""
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*"):
            client.delete(key)

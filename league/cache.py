"""The cache: counts of throttles and nothing that the site could not do without."""

from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


class ForgivingRedisCache(RedisCache):
    """A Redis cache that is as good as empty while its server is down, so that results are still taken in.

    The price: nothing is throttled meanwhile. Sign-in lock-outs are counted in the database and stay.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value kept under a key; the default while the server is down."""
        try:
            return super().get(key, default, version)
        except RedisError:
            log.warning("cache_down")
            return default

    def set(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        """Keep a value; do nothing while the server is down."""
        try:
            super().set(key, value, *args, **kwargs)
        except RedisError:
            log.warning("cache_down")

    def add(self, key: str, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Keep a value unless there is one; say whether it was kept. A server that is down has none."""
        try:
            return bool(super().add(key, value, *args, **kwargs))
        except RedisError:
            log.warning("cache_down")
            return True

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a count. Raises ValueError where there is none; a server that is down has none."""
        try:
            return int(super().incr(key, delta, version))
        except RedisError:
            log.warning("cache_down")
            raise ValueError(key) from None

"""The cache counts throttles; the site must go on without it: nothing is lost when Redis is down."""

import uuid

import pytest

from league.cache import ForgivingRedisCache
from tests.servers import REDIS_URL

NOBODY = "redis://127.0.0.1:1/0"


@pytest.mark.redis
def test_what_is_set_is_found_again() -> None:
    cache = ForgivingRedisCache(REDIS_URL, {"KEY_PREFIX": uuid.uuid4().hex})
    cache.set("count", [1, 2], timeout=5)
    assert cache.get("count") == [1, 2]
    assert cache.get("other", "nothing") == "nothing"
    cache.delete("count")


@pytest.mark.redis
def test_what_is_counted_begins_once_and_goes_up() -> None:
    cache = ForgivingRedisCache(REDIS_URL, {"KEY_PREFIX": uuid.uuid4().hex})
    assert cache.add("count", 1, timeout=5)
    assert not cache.add("count", 1, timeout=5)
    assert (cache.incr("count"), cache.incr("count")) == (2, 3)
    cache.delete("count")
    with pytest.raises(ValueError, match="count"):
        cache.incr("count")


def test_a_server_that_is_down_is_an_empty_cache() -> None:
    cache = ForgivingRedisCache(NOBODY, {"OPTIONS": {"socket_connect_timeout": 1}})
    cache.set("count", [1, 2])
    assert cache.get("count") is None
    assert cache.get("count", []) == []
    assert cache.add("count", 1)
    assert cache.add("count", 1), "as if nothing had been kept"
    with pytest.raises(ValueError, match="count"):
        cache.incr("count")

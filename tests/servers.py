"""The servers that some tests need, and the one place that decides what happens where they are missing.

A test says what it needs by its marker: `postgres`, `redis`, `pdf`, `browser`, `contract`, `storm`. On a machine that
has none the test is skipped and named; with BORNAGE_REQUIRE_ALL=1 or CI=true it fails instead, so that nothing is left
out unseen.
"""

import functools
import os
import shutil
from importlib.util import find_spec

import redis
from django.conf import settings

REDIS_URL = os.environ.get("BORNAGE_TEST_REDIS", "redis://127.0.0.1:6379/13")
REQUIRE_ALL = any(os.environ.get(name, "") not in ("", "0", "false") for name in ("BORNAGE_REQUIRE_ALL", "CI"))


def chromium() -> str | None:
    """Return the path of this machine's Chromium (CHROMIUM names another), or None."""
    return next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), "chromium", "google-chrome"))), None)


def _postgres() -> bool:
    return settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"


def _redis() -> bool:
    try:
        with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _pdf() -> bool:
    from league.web.printed.pdf import has_pdf  # needs Django's settings

    return has_pdf()


def _storm() -> bool:
    return _postgres() and shutil.which("redis-server") is not None


_CHECKS = {
    "postgres": (_postgres, "DATABASE_URL names no PostgreSQL"),
    "redis": (_redis, "no Redis answers at BORNAGE_TEST_REDIS"),
    "pdf": (_pdf, "no weasyprint, or not the libraries that draw its text"),
    "browser": (lambda: chromium() is not None, "no Chromium on this machine"),
    "contract": (lambda: find_spec("schemathesis") is not None, "schemathesis is not installed"),
    "storm": (_storm, "DATABASE_URL names no PostgreSQL, or there is no redis-server to start"),
}
MARKERS = tuple(_CHECKS)


@functools.cache
def missing(marker: str) -> str | None:
    """Return why tests with this marker cannot run here; None: they can."""
    answers, reason = _CHECKS[marker]
    return None if answers() else reason

"""A log handed in over HTTP, beside the least that a DRF view can do with it: one gunicorn, PostgreSQL, Redis."""

from bench.found import Found, Held
from bench.servers import REDIS_URL, inside, own_postgres, own_redis

NAME = "hand_in_http"
WHAT = "hand in a log over HTTP on PostgreSQL, against a bare DRF view with the same token check and one insert"

LIMIT, AIM = 4.0, 2.0
QUERIES = 15


def run() -> Found:
    """Measure on a database of its own; bench.hand_in_inside does the work."""
    with own_postgres() as database, own_redis() as prefix:
        said = inside(
            "bench.hand_in_inside",
            DATABASE_URL=database,
            BROKER_URL=REDIS_URL,
            BROKER_PREFIX=prefix,
            CACHE_URL=REDIS_URL,
            BORNAGE_PRODUCTION="1",
            BORNAGE_SECRET_KEY="of a site that lives for a minute: 0123456789 abcdefghijklmnop",
            BORNAGE_ALLOWED_HOSTS="127.0.0.1",
            BORNAGE_PROXIES="1",
        )
    plain, with_key, with_message = said["ratios"]
    return Found(
        medians=said["medians"],
        held={
            "hand in / bare view": Held(plain, LIMIT, AIM),
            "hand in with a key / bare view": Held(with_key, LIMIT, AIM),
            "hand in and wake a worker / bare view": Held(with_message, LIMIT, AIM),
            "queries": Held(said["queries"], QUERIES, 12),
            "queries with a key": Held(said["queries_with_key"], QUERIES, 12),
        },
    )

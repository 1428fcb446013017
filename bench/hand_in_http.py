"""A log handed in over HTTP, beside the least that a DRF view can do with it: one gunicorn, PostgreSQL, Redis."""

from bench.found import Found, Held
from bench.servers import as_in_production, inside

NAME = "hand_in_http"
WHAT = "hand in a log over HTTP on PostgreSQL, against a bare DRF view with the same token check and one insert"

LIMIT, AIM = 4.0, 2.0
QUERIES = 15


def run() -> Found:
    """Measure on a database of its own; bench.hand_in_inside does the work."""
    with as_in_production() as settings:
        said = inside("bench.hand_in_inside", **settings)
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

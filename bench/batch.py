"""A batch of 10,000 logs sent to a running site, worked off by one process and by two."""

import os

from bench.found import Found, Held
from bench.servers import as_in_production, inside

NAME = "batch"
ITEMS = int(os.environ.get("BENCH_ITEMS", "10000"))
WHAT = (
    f"a batch of {ITEMS:,} logs over HTTP, worked off by Celery on PostgreSQL, against a bare insert a line by the same"
)

LIMIT, AIM = 20.0, 12.0
"""An item is 17 round trips to the database and a game to judge, a row of the yardstick is three round trips."""
SINGLE_LIMIT, SINGLE_AIM = 1.0, 0.8
"""Who sends many in one request must not wait longer than who sends them one by one."""
GAIN_LIMIT, GAIN_AIM = 1.0, 0.8
"""Two workers at one championship take turns at its lock: reading a line and judging it is all that they do side by
side. What they gain where they need not wait for each other is shown by the batches of two championships."""


def run() -> Found:
    """Measure on a database of its own; bench.batch_inside does the work."""
    with as_in_production() as settings:
        said = inside("bench.batch_inside", ITEMS=str(ITEMS), **settings)
    one, two = said["1"], said["2"]
    names = {"1": "one worker", "2": "two workers"}
    return Found(
        medians={
            f"{who}: {what}": said[key][figure]
            for key, who in names.items()
            for what, figure in (
                ("an item of the batch", "item"),
                ("a row of the yardstick", "row"),
                ("a single hand-in", "single"),
                ("an item of batches of two championships", "item of two"),
            )
        },
        figures={f"items a second, {who}": 1 / said[key]["item"] for key, who in names.items()}
        | {"items a second, two workers at two championships": 1 / two["item of two"]},
        held={
            "one worker: item / row": Held(one["item"] / one["row"], LIMIT, AIM),
            "two workers: item / row": Held(two["item"] / two["row"], LIMIT, AIM),
            "one worker: item / single hand-in": Held(one["item"] / one["single"], SINGLE_LIMIT, SINGLE_AIM),
            "two workers / one, one championship": Held(two["item"] / one["item"], GAIN_LIMIT, GAIN_AIM),
        },
    )

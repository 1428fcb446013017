"""A page of a ranking of 2,000 entries and 50,000 results, beside one of 20 entries; and what renewing it costs."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from bench.found import Found, Held, Missing
from bench.servers import inside, own_postgres, own_sqlite

NAME = "ranking_pages"
WHAT = "a page of 20 rows of a ranking, of 2,000 entries and 50,000 results against 20 entries; renewing it"

LIMIT = 1.3
QUERIES = 20

POSTGRESQL = "PostgreSQL"
_DATABASES: dict[str, Callable[[], AbstractContextManager[str]]] = {POSTGRESQL: own_postgres, "SQLite": own_sqlite}


def run() -> Found:
    """Measure on each database; without PostgreSQL on SQLite alone. bench.ranking_inside does the work."""
    medians: dict[str, float] = {}
    held: dict[str, Held] = {}
    figures: dict[str, float] = {}
    for name, own_database in _DATABASES.items():
        try:
            with own_database() as url:
                said = inside("bench.ranking_inside", DATABASE_URL=url)
        except Missing as missing:
            print(f"  SKIPPED on {name}: {missing}")
            continue
        medians |= {f"{name}: {what}": seconds for what, seconds in said["medians"].items()}
        for what, ratio in said["ratios"].items():
            held[f"{name}: {what}, 2,000 / 20 entries"] = Held(ratio, LIMIT)
        if name == POSTGRESQL:
            held[f"{name}: queries of a renewal"] = Held(said["queries"], QUERIES - 1)
        else:  # SQLite takes fewer rows at once
            figures[f"{name}: queries of a renewal"] = said["queries"]
    return Found(medians, held, figures)

"""Run by bench.ranking_pages in a process of its own, on an empty database; prints what it found as JSON."""

import json
import time
from functools import partial
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 — Django is set up above
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from bench.found import interleaved  # noqa: E402
from league.models import Championship  # noqa: E402
from league.policy import Actor  # noqa: E402
from league.services.publishing import publish  # noqa: E402
from league.services.renewal import renew_live_ranking  # noqa: E402
from tests.crowd import crowd  # noqa: E402

ENTRIES, RESULTS = 2000, 50_000
SMALL_RESULTS = 500
ROUNDS = 9
SLICES, REQUESTS = 3, 5


def pages(championship: Championship) -> dict[str, str]:
    """The pages to be measured, by what they are."""
    slug = championship.slug
    found = {
        "API, live ranking": f"{reverse('api-ranking', args=(slug,))}?limit=20",
        "API, published ranking": f"{reverse('api-published-ranking', args=(slug, 1))}?limit=20",
        "API, entries": f"{reverse('api-entries', args=(slug,))}?limit=20",
        "API, parties": f"{reverse('api-parties', args=(slug,))}?limit=20",
        "API, journal": f"{reverse('api-journal', args=(slug,))}?limit=20",
    }
    return found | {"page of the live ranking": reverse("championship", args=(slug,))}


def get(client: Client, place: str) -> None:
    """Ask for a page, REQUESTS times."""
    for _ in range(REQUESTS):
        answer = client.get(place)
        if answer.status_code != 200:
            raise RuntimeError(f"{place}: {answer.status_code}")


def renewed(championship: Championship) -> tuple[int, float]:
    """Renew its live ranking: how many queries, and how many seconds."""
    with CaptureQueriesContext(connection) as queries:
        started = time.perf_counter()
        renew_live_ranking(championship_id=championship.pk)
        taken = time.perf_counter() - started
    return len(queries), taken


def main() -> None:
    """Measure and print."""
    call_command("migrate", verbosity=0)
    small, large = crowd(20, SMALL_RESULTS), crowd(ENTRIES, RESULTS)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database does by itself while results come in one by one
    renewed(small)
    queries, seconds = renewed(large)
    for championship in (small, large):
        publish(actor=Actor(user=championship.created_by), championship_id=championship.pk, label="Now")
    medians: dict[str, float] = {"renewing, 2,000 entries": seconds}
    ratios: dict[str, float] = {}
    client = Client(HTTP_HOST="127.0.0.1")
    of_small, of_large = pages(small), pages(large)
    for what in of_small:
        runs: dict[str, Any] = {
            "small": [partial(get, client, of_small[what])] * SLICES,
            "large": [partial(get, client, of_large[what])] * SLICES,
        }
        taken = interleaved(ROUNDS, **runs)
        medians[f"{what}, 20 entries"] = taken["small"] / (SLICES * REQUESTS)
        medians[f"{what}, 2,000 entries"] = taken["large"] / (SLICES * REQUESTS)
        ratios[what] = taken["large"] / taken["small"]
    print(json.dumps({"medians": medians, "ratios": ratios, "queries": queries}))


if __name__ == "__main__":
    main()

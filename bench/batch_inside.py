"""Run by bench.batch in a process of its own, on an empty database; prints what it found as JSON.

The site as users have it: gunicorn, a Celery worker of one process, then one of two, PostgreSQL and Redis. The same
worker does the yardstick's rows and single hand-ins go to the same gunicorn, both before and after each batch.
"""

import json
import os
import statistics
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 — Django is set up above
from django.db import connection  # noqa: E402
from django.urls import reverse  # noqa: E402

from bench.asking import Ask, Server  # noqa: E402
from bench.batch_of_logs import Waiting, made  # noqa: E402
from bench.jobs import insert_rows  # noqa: E402
from bench.servers import gunicorn, worker  # noqa: E402
from league.api.batch_lines import NDJSON  # noqa: E402
from league.models import Document  # noqa: E402

ITEMS = int(os.environ["ITEMS"])
ROWS = max(100, ITEMS // 10)
"""Of the yardstick; they are the lines of a batch with which the workers warm up."""
SINGLE = min(100, ITEMS // 5)
PATIENCE = 600  # seconds


def keep(server: Server, waiting: Waiting) -> tuple[int, float]:
    """Send a batch: its id, and the moment when sending began."""
    started = time.time()
    headers = {"Content-Type": NDJSON, "Authorization": f"Bearer {waiting.token}", "Prefer": "respond-async"}
    place = reverse("api-batches", args=(waiting.championship.slug,))
    answer = server.ask(Ask(place, headers, "POST", waiting.body, status=202))
    return json.loads(answer.body)["id"], started


def finished(server: Server, waiting: Waiting, batch_id: int) -> float:
    """The moment when a batch was done. Raises RuntimeError where an item was not saved."""
    what = Ask(reverse("api-batch", args=(batch_id,)), {"Authorization": f"Bearer {waiting.token}"})
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        said: dict[str, Any] = json.loads(server.ask(what).body)
        if said["state"] == "done":
            if said["counts"].get("saved") != said["items"]:
                raise RuntimeError(f"not all were saved: {said['counts']}")
            return datetime.fromisoformat(said["finished_at"]).timestamp()
        time.sleep(0.5)
    raise RuntimeError("the batch does not come to its end")


def sent_and_done(server: Server, *worlds: Waiting) -> float:
    """Seconds from sending the first of these batches until the last is done."""
    kept = [(waiting, *keep(server, waiting)) for waiting in worlds]
    return max(finished(server, waiting, batch_id) for waiting, batch_id, _at in kept) - kept[0][2]


def rows_inserted(batch_id: int, run: str) -> float:
    """Seconds a row that the worker takes for the yardstick, a job for each lane."""
    last = Document.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    started = time.perf_counter()
    for lane in range(4):
        insert_rows.delay(batch_id, lane, ROWS, run)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if Document.objects.filter(pk__gt=last).count() >= ROWS:
            return (time.perf_counter() - started) / ROWS
        time.sleep(0.01)
    raise RuntimeError("the worker does not do the yardstick")


def handed_in(server: Server, waiting: Waiting, lines: Iterator[bytes]) -> list[float]:
    """The seconds of single hand-ins, one after another."""
    taken = []
    for _ in range(SINGLE):
        said = json.loads(next(lines))["result"]
        place = reverse("api-results", args=(waiting.championship.slug, said["partie"], said["manche"]))
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {waiting.token}"}
        taken.append(server.ask(Ask(place, headers, "POST", json.dumps(said["log"]).encode(), 201)).seconds)
    return taken


def with_workers(server: Server, processes: int) -> dict[str, float]:
    """Seconds an item of a batch, a row of the yardstick, a single hand-in (median), and an item of two batches."""
    worlds = [made(ROWS), made(ITEMS), made(2 * SINGLE), made(ITEMS // 5), made(ITEMS // 5)]
    warm, large, single, *two = worlds
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database does by itself while results come in one by one
    lines = iter(single.body.splitlines())
    with worker(processes):
        batch_id, _at = keep(server, warm)
        finished(server, warm, batch_id)
        rows = [rows_inserted(batch_id, f"{processes} before")]
        singles = handed_in(server, single, lines)
        item = sent_and_done(server, large) / ITEMS
        rows.append(rows_inserted(batch_id, f"{processes} after"))
        singles += handed_in(server, single, lines)
        in_two = sent_and_done(server, *two) / (2 * (ITEMS // 5))
    return {"item": item, "row": statistics.mean(rows), "single": statistics.median(singles), "item of two": in_two}


def main() -> None:
    """Measure and print."""
    call_command("migrate", verbosity=0)
    with gunicorn() as port:
        server = Server(port)
        found = {str(processes): with_workers(server, processes) for processes in (1, 2)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()

"""Run by bench.hand_in_http in a process of its own, on an empty database; prints what it found as JSON.

Requests are interleaved one by one over a kept-alive connection. No worker runs beside them, so of several results in a
row one sends the message that wakes a worker (DESIGN 2.5); the last kind of request finds the ranking's mark taken away
each time, as if a worker had been quick, and sends its message too.
"""

import http.client
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 — Django is set up above
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from bench.servers import gunicorn  # noqa: E402
from engine.notation import to_document  # noqa: E402
from engine.simulate import simulate  # noqa: E402
from league.models import Championship, Scope  # noqa: E402
from league.policy import Actor  # noqa: E402
from league.services.tokens import create_token  # noqa: E402
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, as_bytes  # noqa: E402

RUNS = 7
EACH = 20
MANCHES = 5
HEADERS = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}


@dataclass
class Post:
    """A request to be timed."""

    place: str
    body: bytes
    headers: dict[str, str]


def world() -> tuple[str, Iterator[tuple[str, bytes]]]:
    """A token, and addresses of manches with a fitting log for each, in an order in which they can be handed in."""
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=MANCHES)
    owner = championship.created_by
    scopes = [Scope.HAND_IN]
    _row, text = create_token(actor=Actor(user=owner), user=owner, name="bench", scopes=scopes)
    return text, _manches(championship)


def _manches(championship: Championship) -> Iterator[tuple[str, bytes]]:
    seed = 0
    while True:
        partie = PartieFactory(
            championship=championship, entries=EntryFactory.create_batch(2, championship=championship)
        )
        for number in range(1, MANCHES + 1):
            seed += 1
            log = simulate("classique", 2, 1, seed, first=(number - 1) % 2)
            place = reverse("api-results", args=(championship.slug, partie.number, number))
            yield place, as_bytes(to_document(log))


def timed(server: http.client.HTTPConnection, post: Post) -> float:
    """The seconds from sending a request to having read the whole answer."""
    started = time.perf_counter()
    server.request("POST", post.place, post.body, post.headers)
    answer = server.getresponse()
    said = answer.read()
    taken = time.perf_counter() - started
    if answer.status != 201:
        raise RuntimeError(f"{answer.status}: {said.decode()}")
    return taken


def one_run(
    server: http.client.HTTPConnection, headers: dict[str, str], manches: Iterator[Any], run: int
) -> list[float]:
    """The medians of a run: the bare view, handing in, with a key, with a message; all in turn, EACH times."""
    taken: list[list[float]] = [[], [], [], []]
    ready = [[next(manches) for _ in range(3)] for _ in range(EACH)]
    server.close()  # it was kept waiting too long
    server.request("GET", "/health/live", headers=headers)
    server.getresponse().read()
    for turn, (first, second, third) in enumerate(ready):
        posts = [
            Post("/bare", first[1], headers),
            Post(*first, headers),
            Post(*second, headers | {"Idempotency-Key": f"{run}-{turn}"}),
            Post(*third, headers),
        ]
        for at, post in enumerate(posts):
            if at == len(posts) - 1:
                Championship.objects.update(ranking_due_since=None)
            taken[at].append(timed(server, post))
    return [statistics.median(times) for times in taken]


def queries(headers: dict[str, str], manches: Iterator[tuple[str, bytes]]) -> int:
    """How many queries a hand-in costs in all, its transaction's own two among them."""
    place, body = next(manches)
    extra = {
        f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items() if name != "Content-Type"
    }
    with CaptureQueriesContext(connection) as counted:
        answer = Client().post(place, body, content_type="application/json", HTTP_HOST="127.0.0.1", **extra)
    if answer.status_code != 201:
        raise RuntimeError(answer.content.decode())
    return len(counted)


def main() -> None:
    """Measure and print."""
    call_command("migrate", verbosity=0)
    token, manches = world()
    headers = {**HEADERS, "Authorization": f"Bearer {token}"}
    with gunicorn() as port:
        server = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        one_run(server, headers, manches, 0)  # warms up, and is not counted
        runs = [one_run(server, headers, manches, run) for run in range(1, RUNS + 1)]
    bare, handed_in, with_key, with_message = (statistics.median(column) for column in zip(*runs, strict=True))
    found = {
        "medians": {
            "bare view": bare,
            "hand in": handed_in,
            "hand in with a key": with_key,
            "hand in and wake a worker": with_message,
        },
        "ratios": [statistics.median(run[kind] / run[0] for run in runs) for kind in (1, 2, 3)],
        "queries": queries(headers, manches),
        "queries_with_key": queries({**headers, "Idempotency-Key": "last"}, manches),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()

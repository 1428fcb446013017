"""Requests over a kept-alive connection, timed one by one and interleaved."""

import gc
import http.client
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

HEADERS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
"""As the proxy before a site in production says them."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, and the status that it must be answered with."""

    place: str
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: bytes | None = None
    status: int = 200


@dataclass(frozen=True, slots=True)
class Answered:
    """What came, and the seconds from sending the request to having read the whole answer."""

    seconds: float
    body: bytes
    headers: Mapping[str, str]


class Server:
    """The site at a port of this machine, over one connection, which is opened anew after a pause."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        self._used_at = 0.0

    def ask(self, what: Ask) -> Answered:
        """Ask, and read the answer. Raises RuntimeError for another status."""
        if time.monotonic() - self._used_at > 1:  # gunicorn waits two seconds for another request
            self._connection.close()
        started = time.perf_counter()
        self._connection.request(what.method, what.place, what.body, {**HEADERS, **what.headers})
        answer = self._connection.getresponse()
        said = answer.read()
        taken = time.perf_counter() - started
        self._used_at = time.monotonic()
        if answer.status != what.status:
            raise RuntimeError(f"{what.method} {what.place}: {answer.status} {said[:500].decode(errors='replace')}")
        return Answered(taken, said, dict(answer.getheaders()))


def medians_of_runs(server: Server, asks: Mapping[str, Ask], *, runs: int, each: int) -> list[dict[str, float]]:
    """For each run the median seconds of every request; all are asked in turn, `each` times. The first is left out."""
    found = []
    for _run in range(runs + 1):
        taken: dict[str, list[float]] = {name: [] for name in asks}
        gc.collect()
        for _turn in range(each):
            for name, what in asks.items():
                taken[name].append(server.ask(what).seconds)
        found.append({name: statistics.median(times) for name, times in taken.items()})
    return found[1:]


def ratio(runs: list[dict[str, float]], name: str, yardstick: str) -> float:
    """The median of the runs' ratios."""
    return statistics.median(run[name] / run[yardstick] for run in runs)


def median(runs: list[dict[str, float]], name: str) -> float:
    """The median of the runs' medians, in seconds."""
    return statistics.median(run[name] for run in runs)

"""A bad network between a client and the site; and a memory of what was answered to each key."""

import json
import random
import re
import threading
from typing import Any

import httpx

Answer = tuple[int, Any]

_VOLATILE = frozenset({"request_id"})
_BATCH = re.compile(r"/batches$")


class Answers:
    """What was answered to each Idempotency-Key: the same every time, however often it was asked. For many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first: dict[str, Answer] = {}
        self.repeats = 0
        self.others: list[tuple[str, Answer, Answer]] = []

    def note(self, key: str, path: str, status: int, said: Any) -> None:
        """Hold an answer against the first one of its key. One that says to come again is none."""
        if status >= 500 or status == 429 or (status == 409 and said.get("code") == "in-progress"):
            return
        answer = (status, _lasting(path, said))
        with self._lock:
            first = self._first.setdefault(key, answer)
            self.repeats += first is not answer
            if first != answer:
                self.others.append((key, first, answer))

    def of_status(self, status: int) -> int:
        """How many keys were answered so."""
        return sum(first[0] == status for first in self._first.values())


def _lasting(path: str, said: Any) -> Any:
    """What may not be otherwise the second time: of a batch, which goes on, that it is the same one."""
    if _BATCH.search(path):
        return said.get("id")
    return {name: value for name, value in said.items() if name not in _VOLATILE}


class BadNetwork(httpx.BaseTransport):
    """Loses requests, loses answers after the work was done, gives up in the middle, sends requests twice."""

    def __init__(self, rng: random.Random, answers: Answers, badness: float = 1.0) -> None:
        self._inner = httpx.HTTPTransport()
        self._rng, self._answers, self._badness = rng, answers, badness

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, more or less."""
        request.read()
        roll = self._rng.random() / self._badness
        if roll < 0.03:
            raise httpx.ConnectTimeout("lost on its way there", request=request)
        if roll < 0.07:  # the site is in the middle of it, or at its end
            impatient = dict(request.extensions)
            impatient["timeout"] = {**request.extensions["timeout"], "read": self._rng.choice((0.001, 0.01, 0.05))}
            return self._sent(
                httpx.Request(
                    request.method, request.url, headers=request.headers, content=request.content, extensions=impatient
                )
            )
        response = self._sent(request)
        if roll < 0.11:
            raise httpx.ReadTimeout("lost on its way back", request=request)
        if roll < 0.15:
            return self._sent(request)
        return response

    def _sent(self, request: httpx.Request) -> httpx.Response:
        answered = self._inner.handle_request(request)
        try:
            body = b"".join(answered.stream)  # type: ignore[arg-type]  # a stream of bytes, not of futures
        finally:
            answered.close()
        response = httpx.Response(answered.status_code, headers=answered.headers, content=body, request=request)
        key = request.headers.get("Idempotency-Key")
        if key is not None and "json" in response.headers.get("Content-Type", ""):
            self._answers.note(key, request.url.path, response.status_code, json.loads(response.content or b"{}"))
        return response

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()

"""One request, sent until it is answered: every write with a key of its own, the same at each try.

So nothing is lost when a network breaks off and nothing is done twice: the site answers a key that it has seen as the
first time. Reads remember ETags, so that what has not changed is not sent again.
"""

import random
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from bornage_client.errors import UnreachableError, problem_of

_IN_PROGRESS: Final = "in-progress"
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a request is sent again. Seconds; each pause doubles up to `longest`, with jitter."""

    times: int = 8
    first: float = 0.2
    longest: float = 20.0

    def pause(self, turn: int) -> float:
        """Seconds to wait after try number `turn` (from 0)."""
        return float(min(self.longest, self.first * 2**turn) * random.uniform(0.5, 1.0))  # noqa: S311 — no secret


class Transport:
    """Sends requests to one site, with one token."""

    def __init__(
        self,
        site: str,
        *,
        token: str = "",
        language: str = "en",
        retries: Retries | None = None,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = http or httpx.Client(timeout=timeout)
        self._base = httpx.URL(site.rstrip("/") + "/api/v1/")
        self._headers = {"Accept-Language": language, **({"Authorization": f"Bearer {token}"} if token else {})}
        self._retries = retries or Retries()
        self._sleep = sleep
        self._known: OrderedDict[str, httpx.Response] = OrderedDict()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def url(self, path: str) -> httpx.URL:
        """The address of something: a path below /api/v1/, or what the site itself gave."""
        return self._base.join(path)

    def get(self, path: str, params: Mapping[str, Any] | None = None, **headers: str) -> httpx.Response:
        """Read. What has not changed since it was last read is answered from memory (304)."""
        url = self.url(path).copy_merge_params(_plain(params))
        name = f"{url} {headers.get('Accept', '')}"
        known = self._known.get(name)
        if known is not None:
            headers = {"If-None-Match": known.headers["ETag"], **headers}
        response = self._sent("GET", url, headers, b"")
        if response.status_code == httpx.codes.NOT_MODIFIED and known is not None:
            self._known.move_to_end(name)
            return known
        if "ETag" in response.headers:
            self._known[name] = response
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return response

    def write(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | None = None,
        params: Mapping[str, Any] | None = None,
        key: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Write, once, whatever the network does. `key`: to go on with what an earlier process has asked."""
        url = self.url(path).copy_merge_params(_plain(params))
        key = key or uuid.uuid4().hex
        sent = {"Idempotency-Key": key, **(headers or {})}
        body = b"" if content is None else content
        if json is not None:
            body = httpx.Request("POST", "http://x", json=json).content
            sent = {"Content-Type": "application/json", **sent}
        return self._sent(method, url, sent, body, key=key)

    def lines(self, path: str, params: Mapping[str, Any] | None = None, **headers: str) -> "httpx.Response":
        """An answer to be read line by line; not retried, to be closed by the caller."""
        url = self.url(path).copy_merge_params(_plain(params))
        request = self._http.build_request("GET", url, headers={**self._headers, **headers})
        response = self._http.send(request, stream=True)
        if response.status_code >= httpx.codes.BAD_REQUEST:
            response.read()
            response.close()
            raise problem_of(response)
        return response

    def _sent(
        self, method: str, url: httpx.URL, headers: Mapping[str, str], body: bytes, *, key: str = ""
    ) -> httpx.Response:
        why = ""
        for turn in range(self._retries.times + 1):
            wait = self._retries.pause(turn)
            try:
                response = self._http.request(method, url, headers={**self._headers, **headers}, content=body)
            except httpx.TransportError as error:
                why = f"{type(error).__name__}: {error}"
            else:
                if response.status_code < httpx.codes.BAD_REQUEST:
                    return response
                problem = problem_of(response)
                if response.status_code not in _AGAIN and problem.code != _IN_PROGRESS:
                    raise problem
                if turn == self._retries.times:
                    raise problem
                wait = max(wait, _asked_to_wait(response))
                why = str(problem)
            if turn < self._retries.times:
                self._sleep(wait)
        raise UnreachableError(f"{method} {url}: {why}", key)


def _asked_to_wait(response: httpx.Response) -> float:
    said = response.headers.get("Retry-After", "")
    return float(said) if said.isdecimal() else 0.0


def _plain(params: Mapping[str, Any] | None) -> dict[str, str]:
    """Query parameters as the site reads them; None is left out."""
    words = {True: "true", False: "false"}
    return {
        name: words[value] if isinstance(value, bool) else str(value)
        for name, value in (params or {}).items()
        if value is not None
    }

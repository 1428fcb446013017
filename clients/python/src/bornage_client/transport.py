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
_AGENT: Final = "bornage-client"
_SLACK: Final = 10.0  # seconds beyond those that a site was asked to wait


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a request is sent again. Seconds; each pause doubles up to `longest`, with jitter.

    `most_asked`: a site that asks for a longer pause (Retry-After) is not waited for: its refusal is raised.
    """

    times: int = 8
    first: float = 0.2
    longest: float = 20.0
    most_asked: float = 120.0

    def pause(self, turn: int) -> float:
        """Seconds to wait after try number `turn` (from 0)."""
        return float(min(self.longest, self.first * 2 ** min(turn, 30)) * random.uniform(0.5, 1.0))  # noqa: S311


class Transport:
    """Sends requests to one site, with one token. One for each thread."""

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
        self._http = http or httpx.Client()
        self._is_own = http is None
        self._base = httpx.URL(site.rstrip("/") + "/api/v1/")
        self._headers = {"Accept-Language": language, "User-Agent": _AGENT}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._retries = retries or Retries()
        self._timeout = timeout
        self.sleep = sleep
        self._known: OrderedDict[str, httpx.Response] = OrderedDict()

    def close(self) -> None:
        """Close the connections, unless they are somebody else's."""
        if self._is_own:
            self._http.close()

    def url(self, path: str, params: Mapping[str, Any] | None = None) -> httpx.URL:
        """The address of something: a path below /api/v1/, or an address that the site gave.

        Always at the site itself: a token goes nowhere else, whatever an answer names.
        """
        found = self._base.join(path)
        found = self._base.copy_with(raw_path=found.raw_path)
        plain = _plain(params)
        return found.copy_merge_params(plain) if plain else found

    def get(
        self,
        path: str,
        params: Mapping[str, Any] | None = None,
        *,
        accept: str = "application/json",
        remembers: bool = True,
        wait: float = 0.0,
    ) -> httpx.Response:
        """Read. What has not changed since it was last read is answered from memory (304).

        `remembers=False`: what nobody asks for twice. `wait`: seconds that the site was asked to wait.
        """
        url = self.url(path, params)
        headers = {"Accept": accept}
        name = f"{url} {accept}"
        known = self._known.get(name) if remembers else None
        if known is not None:
            headers["If-None-Match"] = known.headers["ETag"]
        response = self._sent("GET", url, headers, b"", wait=wait)
        if response.status_code == httpx.codes.NOT_MODIFIED and known is not None:
            self._known.move_to_end(name)
            return known
        if remembers and "ETag" in response.headers:
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
        key = key or uuid.uuid4().hex
        sent = {"Idempotency-Key": key, **(headers or {})}
        body = content or b""
        if json is not None:
            body = httpx.Request("POST", self._base, json=json).content
            sent = {"Content-Type": "application/json", **sent}
        return self._sent(method, self.url(path, params), sent, body, key=key)

    def _sent(
        self,
        method: str,
        url: httpx.URL,
        headers: Mapping[str, str],
        body: bytes,
        *,
        key: str = "",
        wait: float = 0.0,
    ) -> httpx.Response:
        timeout = max(self._timeout, wait + _SLACK) if wait else self._timeout
        why, cause = "", None
        for turn in range(self._retries.times + 1):
            pause = self._retries.pause(turn)
            try:
                response = self._http.request(
                    method,
                    url,
                    headers={**self._headers, **headers},
                    content=body or None,
                    timeout=timeout,
                    follow_redirects=False,
                )
            except (httpx.TransportError, httpx.DecodingError) as error:
                why, cause = f"{type(error).__name__}: {error}", error
            else:
                if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
                    return response
                problem = problem_of(response, key)
                asked = _asked_to_wait(response)
                is_passing = response.status_code in _AGAIN or problem.code == _IN_PROGRESS
                if not is_passing or turn == self._retries.times or asked > self._retries.most_asked:
                    raise problem
                pause = max(pause, asked)
            if turn < self._retries.times:
                self.sleep(pause)
        raise UnreachableError(f"{method} {url}: {why}", key) from cause


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

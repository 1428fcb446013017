"""A live site, a championship on it, and a network that loses what it is told to lose."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from django.conf import settings as django_settings
from django.core.cache import cache

from bornage_client import Bornage, Retries
from league.api.batch_work import work_off
from league.models import Championship as Row
from league.models import Partie, Scope
from league.services.tokens import create_token
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, owner_of

Fate = Callable[[httpx.Request, Callable[[], httpx.Response]], httpx.Response]


@dataclass
class Network(httpx.BaseTransport):
    """Passes on what is sent, and keeps it; `fates` befall the next requests, one each."""

    fates: list[Fate] = field(default_factory=list)
    sent: list[httpx.Request] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on, as its fate wants it."""
        self.sent.append(request)
        fate = self.fates.pop(0) if self.fates else _passed_on
        response = fate(request, lambda: self.inner.handle_request(request))
        self.statuses.append(response.status_code)
        return response

    def close(self) -> None:
        """Close the connections."""
        self.inner.close()

    @property
    def keys(self) -> list[str]:
        """The keys of the writes that were sent."""
        return [request.headers["Idempotency-Key"] for request in self.sent if request.method != "GET"]


def _passed_on(_request: httpx.Request, send: Callable[[], httpx.Response]) -> httpx.Response:
    return send()


def answer_lost(request: httpx.Request, send: Callable[[], httpx.Response]) -> httpx.Response:
    """The site does what it is asked, and nobody hears of it."""
    answered = send()
    b"".join(answered.stream)  # type: ignore[arg-type]
    answered.close()
    raise httpx.ReadTimeout("the answer is lost", request=request)


def request_lost(request: httpx.Request, _send: Callable[[], httpx.Response]) -> httpx.Response:
    """The site never hears of it."""
    raise httpx.ConnectTimeout("the request is lost", request=request)


def answered(status: int, **headers: str) -> Fate:
    """Something between answers instead of the site."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request, _send: httpx.Response(status, headers=named, text="no", request=request)


@dataclass
class There:
    """A site with a championship, as a program sees it. `slept`: the pauses that the client made."""

    url: str
    network: Network
    slept: list[float]
    row: Row
    partie: Partie
    site: Bornage
    site_of_everybody: Bornage
    """The same site without a token."""


@pytest.fixture
def there(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[There]:
    """The owner's program at a championship with an open partie of thirty manches."""
    cache.clear()
    monkeypatch.setattr(django_settings, "API_RATES", dict.fromkeys(django_settings.API_RATES, 10**6))
    # A thread that works beside the server would meet it at the locks of a database in memory.
    monkeypatch.setattr("league.api.batches.wake_batch", lambda batch_id: work_off(batch_id, seconds=60))
    monkeypatch.setattr("league.api.batches.wake_stale", list)
    row = ChampionshipFactory(partie_end="manches", partie_end_value=30, owner=UserFactory(may_organise=True))
    partie = PartieFactory(championship=row)
    token = create_token(actor=owner_of(row), user=row.created_by, name="A program", scopes=Scope.values)[1]
    network, slept = Network(), []
    with httpx.Client(transport=network) as http:
        site = Bornage(live_server.url, token=token, retries=Retries(times=4), http=http)
        site.transport.sleep = slept.append
        everybody = Bornage(live_server.url, http=http)
        yield There(live_server.url, network, slept, row, partie, site, everybody)

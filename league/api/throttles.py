"""How many requests a minute: counted for a token, without one for an address.

Minutes begin on the clock. What is left stands in `RateLimit` and `RateLimit-Policy` of every answer
(draft-ietf-httpapi-ratelimit-headers). Several web processes share their counts through CACHE_URL; while the cache is
down nothing is throttled.
"""

import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.problems import RequestFault
from league.visitor import address_of

WINDOW = 60  # seconds


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a sender has left of `limit` requests: how many, and seconds until it has all of them again."""

    name: str
    limit: int
    left: int
    resets_in: int

    def write(self, response: HttpResponse) -> None:
        """Say so in the headers of an answer."""
        response["RateLimit-Policy"] = f'"{self.name}";q={self.limit};w={WINDOW}'
        response["RateLimit"] = f'"{self.name}";r={max(0, self.left)};t={self.resets_in}'

    def require(self) -> None:
        """Raise the 429 of a sender who has nothing left."""
        if self.left < 0:
            message = _("That is more than %(limit)s requests a minute: wait %(seconds)s seconds.") % {
                "limit": self.limit,
                "seconds": self.resets_in,
            }
            headers = {"Retry-After": str(self.resets_in)}
            raise RequestFault("too-many-requests", message, status=429, headers=headers)


def count(request: Request, name: str) -> Allowance:
    """Count a request against the allowance of this name (a key of API_RATES)."""
    limit: int = settings.API_RATES[name]
    now = time.time()
    minute, into = divmod(int(now), WINDOW)
    key = f"api:{name}:{sender_of(request)}:{minute}"
    try:
        used = cache.incr(key)
    except ValueError:  # the first of this minute; of two firsts one goes uncounted
        used = 1
        cache.add(key, used, WINDOW * 2)
    return Allowance(name, limit, limit - used, WINDOW - into)


def sender_of(request: Request) -> str:
    """Who is counted: the token, or the address of who shows none."""
    return f"token-{request.auth.pk}" if request.auth is not None else f"at-{address_of(request)}"

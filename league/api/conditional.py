"""Conditional reads (RFC 9110, 13): what is known already is answered 304, before it is read where that can be.

What stands below a championship is as it was while nothing was written into the feed of changes: its position there
makes the ETag of lists, weak, with all that the answer depends on: the address, the language, the Accept header (of a
document it chooses the writing, which the media type of a renderer does not tell) and the program itself, so that a
release with other shapes answers anew. Everything else has an ETag of its content, also what is shown to who sees more
than everybody; that of a thing that can be changed is what If-Match asks for (league.api.writing).

Last-Modified is weaker, and the time at which a change was written is of no use for it: two changes may fall into one
second, and a transaction that took long brings changes that look older than what was answered before. So it says since
when this process has seen this state, the next full second of it, and says that once it is a minute ago: whatever comes
later is seen later, and told from it, in every process (RFC 9110, 8.8.2). After a restart it begins anew, since the
release before may have answered otherwise.
"""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import http_date, parse_etags, parse_http_date_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.problems import RequestFault
from league.models import Championship
from league.release import program
from league.selectors.feed import stamp

VARY: Final = ("Accept", "Accept-Language", "Authorization", "Cookie")
"""What an answer of the API depends on beside its address."""

_SETTLED: Final = 60  # seconds
_MOST_STATES: Final = 10_000
_COMPRESSED: Final = '-gzip"'


@dataclass(frozen=True, slots=True)
class Validators:
    """What tells one state of an answer from another: an ETag, and since when it is seen where that is known."""

    etag: str
    last_modified: int | None = None

    def write(self, response: HttpResponseBase) -> None:
        """Put them into the headers of an answer."""
        response["ETag"] = self.etag
        if self.last_modified is not None:
            response["Last-Modified"] = http_date(self.last_modified)


class Sightings:
    """Since when the states of things are seen by this process, the last state of each. Some are forgotten at times."""

    def __init__(self) -> None:
        self._seen: dict[int | None, tuple[Any, float]] = {}

    def since(self, thing: int | None, state: Any) -> float:
        """When this state of a thing was seen first, in seconds of the epoch; now if it was not."""
        now = time.time()
        seen = self._seen.get(thing)
        if seen is None or seen[0] != state or seen[1] > now:  # the clock was put back
            if len(self._seen) >= _MOST_STATES:
                self._seen.clear()
            seen = self._seen[thing] = (state, now)
        return seen[1]


SIGHTINGS: Final = Sightings()


def etag_of(data: Any) -> str:
    """The strong ETag of a thing as its GET shows it, before `fields=` and compression."""
    return etag_of_bytes(msgspec.json.encode(data, enc_hook=str))


def etag_of_bytes(body: bytes) -> str:
    """The strong ETag of an answer that is bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def by_stamp(request: Request, championship: Championship | None, arguments: Mapping[str, Any]) -> Validators:
    """The validators of what changes only with the feed below a championship, or with the whole of it. Few queries.

    `arguments`: of the view; a thing that a program named is one of them by its number.
    """
    last = stamp(championship.pk if championship else None)
    of_row = [championship.version, championship.journal_position] if championship else []
    due = championship.ranking_due_since if championship else None
    seen = SIGHTINGS.since(championship.pk if championship else None, (last, *of_row, due))
    parts = [
        program(),
        request.get_full_path(),
        sorted(arguments.items()),
        get_language(),
        request.META.get("HTTP_ACCEPT", ""),
        last,
        *of_row,
        due,
    ]
    etag = f"W/{etag_of(parts)}"
    return Validators(etag, _settled(seen))


def _settled(seen: float) -> int | None:
    """The full second after a state was first seen, once it is a minute ago."""
    second = int(seen) + 1
    return second if second + _SETTLED < time.time() else None


def known_before(request: Request, validators: Validators, *, whole_list: bool) -> bool:
    """Whether a request knows what it asks for, judged before that is read.

    An ETag belongs to an address that was answered. A date does not, so by date only what is there with certainty is
    judged: a `whole_list`, without any parameter.
    """
    said = request.META.get("HTTP_IF_NONE_MATCH")
    if said is None:
        return whole_list and not request.query_params and _is_unmodified(request, validators)
    return said.strip() != "*" and _names(said, validators.etag)


def is_known(request: Request, validators: Validators) -> bool:
    """Whether a request knows what is answered (RFC 9110, 13.2.2): by its ETags, else by its date."""
    said = request.META.get("HTTP_IF_NONE_MATCH")
    if said is None:
        return _is_unmodified(request, validators)
    return said.strip() == "*" or _names(said, validators.etag)


def _names(said: str, etag: str) -> bool:
    """Whether an ETag is among those said, compared weakly; one that compression marked is the same."""
    return _bare(etag) in {_bare(one) for one in parse_etags(said)}


def _bare(etag: str) -> str:
    return uncompressed(etag).removeprefix("W/")


def uncompressed(said: str) -> str:
    """ETags as they were before `league.api.compression` marked them."""
    return said.replace(_COMPRESSED, '"')


def compressed(etag: str) -> str:
    """The ETag of an answer that is compressed: another one where it is strong."""
    return etag if etag.startswith("W/") else f"{etag[:-1]}{_COMPRESSED}"


def _is_unmodified(request: Request, validators: Validators) -> bool:
    since = parse_http_date_safe(request.META.get("HTTP_IF_MODIFIED_SINCE", ""))
    return since is not None and validators.last_modified is not None and validators.last_modified <= since


def require_state(request: Request, validators: Validators) -> None:
    """Ask that a read finds the state that its If-Match or If-Unmodified-Since names. Raises RequestFault 412."""
    said = request.META.get("HTTP_IF_MATCH")
    if said is not None:
        holds = said.strip() == "*" or (
            not validators.etag.startswith("W/") and validators.etag in parse_etags(uncompressed(said))
        )
        field = "If-Match"
    else:
        before = parse_http_date_safe(request.META.get("HTTP_IF_UNMODIFIED_SINCE", ""))
        holds = before is None or validators.last_modified is None or validators.last_modified <= before
        field = "If-Unmodified-Since"
    if not holds:
        message = _("This is not in the state that was asked for.")
        raise RequestFault("stale", message, status=412, field=field, headers={"ETag": validators.etag})


def not_modified(request: Request, validators: Validators) -> HttpResponse:
    """The 304 of what is known, with the ETag as the sender knows it."""
    response = HttpResponse(status=304)
    del response["Content-Type"]
    validators.write(response)
    marked = compressed(validators.etag)
    if marked in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", "")):
        response["ETag"] = marked
    return response


def finish(request: Request, response: HttpResponseBase) -> None:
    """Say who may keep an answer and what it depends on. What is not to be kept says so itself."""
    if "no-store" in response.get("Cache-Control", ""):
        return
    is_personal = request.auth is not None or bool(request.user and request.user.is_authenticated)
    if not response.has_header("Cache-Control"):
        response["Cache-Control"] = "private, no-cache" if is_personal else "no-cache"
    patch_vary_headers(response, VARY)

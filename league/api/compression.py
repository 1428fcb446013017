"""Answers of the API compressed (gzip), for who accepts it.

Only what may be kept is: an answer to a write, or one with a secret in it (`no-store`), never, since its length would
tell who chose a part of it something of the rest (BREACH). A strong ETag gets a mark, as the bytes are others; the
mark is taken off where ETags come back (league.api.conditional).
"""

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from league.api.conditional import compressed, uncompressed
from league.api.problems import PREFIX
from league.api.reading import READ_METHODS

LEAST: Final = 500  # bytes: below, what is saved is less than the headers
MEDIA_TYPES: Final = ("application/json", "application/vnd.bornes", "application/x-ndjson", "text/csv", "text/plain")

_ACCEPTED: Final = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?\s*(?:,|$)")


class Compression:
    """Compress the reads of the API, and know ETags of what was compressed again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self.get_response(request)
        said = request.META.get("HTTP_IF_MATCH")
        if said is not None:
            request.META["HTTP_IF_MATCH"] = uncompressed(said)
        response = self.get_response(request)
        if request.method in READ_METHODS and _may_be(response):
            patch_vary_headers(response, ["Accept-Encoding"])
            if _ACCEPTED.search(request.headers.get("Accept-Encoding", "")):
                _compress(response)
        return response


def _may_be(response: HttpResponse) -> bool:
    return (
        response.status_code == 200
        and not response.streaming
        and not response.has_header("Content-Encoding")
        and "no-store" not in response.get("Cache-Control", "")
        and response.get("Content-Type", "").partition(";")[0] in MEDIA_TYPES
        and len(response.content) >= LEAST
    )


def _compress(response: HttpResponse) -> None:
    smaller = compress_string(response.content)
    if len(smaller) >= len(response.content):
        return
    response.content = smaller
    response["Content-Length"] = str(len(smaller))
    response["Content-Encoding"] = "gzip"
    if response.has_header("ETag"):
        response["ETag"] = compressed(response["ETag"])

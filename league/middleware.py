"""What every request passes through: an identity and one line in the log; a language and the time of its pages; a limit
to what it may bring.
"""

import time
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.translation.trans_real import parse_accept_lang_header

from league.api.problems import PREFIX, problem
from league.errors import TooLarge

log = structlog.get_logger("league.requests")

BATCHES: Final = ("api-batches", "api-batches-of-account")
"""The names of the addresses that batches are sent to."""

GetResponse = Callable[[HttpRequest], HttpResponse]


class RequestLog:
    """Give the request an id (`X-Request-ID` of the answer, `request_id` of every log line) and log how it ended.

    The id is always our own: one taken from the sender would let a stranger write into the log. Neither the query
    string, which may hold what people search for, nor the sender's address is logged.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        started = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
            if request.resolver_match:  # not for static files, nor where Django has warned of "Not Found" itself
                log.info(
                    "request",
                    method=request.method,
                    # The pattern, not the address: addresses carry invitation and reset tokens.
                    route=request.resolver_match.route,
                    status=response.status_code,
                    ms=round((time.perf_counter() - started) * 1000, 1),
                )
        response["X-Request-ID"] = request_id
        return response


class Language(LocaleMiddleware):
    """Answer pages as Django does, in French first; the API in English, unless Accept-Language asks for another one.

    A program that says nothing is written by somebody who reads English; the cookie in which a reader of the pages has
    chosen a language is none of its business.
    """

    API_LANGUAGE = "en"

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the answer."""
        if not request.path.startswith(PREFIX):
            super().process_request(request)
            return
        translation.activate(_accepted(request.headers.get("Accept-Language", "")) or self.API_LANGUAGE)
        request.LANGUAGE_CODE = translation.get_language()


def _accepted(header: str) -> str | None:
    """The first language of an Accept-Language header that the site has; None where it asks for nothing there is."""
    for language, _quality in parse_accept_lang_header(header):
        if language == "*":
            return None
        try:
            return translation.get_supported_language_variant(language)
        except LookupError:
            continue
    return None


class PagesTime:
    """Show times on pages as clocks at the site show them; pages of a championship change to its own time zone.

    The API says every time in UTC.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(PREFIX):
            return self.get_response(request)
        with timezone.override(settings.PAGES_TIME_ZONE):
            return self.get_response(request)


def _is_batch(request: HttpRequest) -> bool:
    """Whether a batch is sent: it has a limit of its own, which is asked where it is read, as a stream."""
    if request.method != "POST":
        return False
    try:
        return resolve(request.path_info).url_name in BATCHES
    except Resolver404:
        return False


class BodyLimit:
    """Refuse, unread, a body of more than BODY_LIMIT bytes with 413, at both doors, but a batch.

    Django itself does not count uploaded files. A form may be larger by what wraps a file in it. A body that does not
    say its length is no way around: Django reads none of it, and league.api.bodies counts what it reads.
    """

    WRAPPING = 64 * 1024  # bytes

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0  # as Django takes it
        wrapping = self.WRAPPING if (request.content_type or "").startswith("multipart/") else 0
        if length <= settings.BODY_LIMIT + wrapping or _is_batch(request):
            return self.get_response(request)
        if not request.path.startswith(PREFIX):
            return render(request, "413.html", status=413)
        return problem(request, TooLarge(settings.BODY_LIMIT))

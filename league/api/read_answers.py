"""How a read is answered: its query checked, 304 to who knows the answer, only the `fields` that were asked for."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import conditional, tables
from league.api.conditional import Validators
from league.api.reading import Reading, reading_of
from league.api.selecting import Chosen, chosen_fields, pruned

if TYPE_CHECKING:
    from league.api.views import ApiView


def answer_read(view: "ApiView", method: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """What a view's GET answers. Raises what the method raises, RequestFault 400 and 412."""
    request = view.request
    reading = reading_of(view)
    reading.check_query(request)
    chosen = chosen_fields(request, reading.item) if reading.item else {}
    validators = view.stamp()
    if validators is not None:
        whole_list = reading.is_list and view.kwargs.keys() <= {"slug"}
        if conditional.known_before(request, validators, whole_list=whole_list):
            return conditional.not_modified(request, validators)
    response = method()
    if response.status_code != 200 or "no-store" in response.get("Cache-Control", ""):
        return response
    validators = validators or _of_content(request, response, reading)
    if validators is None:
        return response
    conditional.require_state(request, validators)
    if conditional.is_known(request, validators):
        return conditional.not_modified(request, validators)
    validators.write(response)
    _shape(response, reading, chosen)
    return response


def _of_content(request: Request, response: HttpResponseBase, reading: Reading) -> Validators | None:
    """The validators of what was read; None for what flows on for ever."""
    if response.has_header("ETag"):
        return Validators(response["ETag"])
    if isinstance(response, Response):
        if reading.is_list:
            return Validators(f"W/{conditional.etag_of([request.accepted_media_type, response.data])}")
        return Validators(conditional.etag_of(response.data))
    return Validators(conditional.etag_of_bytes(response.content)) if isinstance(response, HttpResponse) else None


def _shape(response: HttpResponseBase, reading: Reading, chosen: Chosen) -> None:
    """Leave what was not chosen, and tell a list's renderer what its columns are."""
    if not isinstance(response, Response) or reading.item is None:
        return
    if reading.is_list:
        response.data["items"] = pruned(response.data["items"], chosen)
        tables.describe(response, reading.item, chosen)
    else:
        response.data = pruned(response.data, chosen)

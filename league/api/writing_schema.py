"""How a method that writes stands in the document of the API: its body, its headers, its answers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from league.api.openapi import problems
from league.api.shapes import reference
from league.api.writing import Body

F = TypeVar("F", bound=Callable[..., Any])

_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 100 visible characters of ASCII, quoted or bare; of the token's user, kept for two days.",
)
_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The ETag of the state that you have read, or `*`."
)
_REPLAYED = OpenApiParameter("Idempotency-Replayed", bool, OpenApiParameter.HEADER, response=[200, 201, 204, 409, 422])
_ETAG = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 201])
_LOCATION = OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201])


def describe_write(
    *,
    operation_id: str,
    tags: Sequence[str],
    body: type[Body] | None = None,
    answers: Any = None,
    makes: bool = False,
    gone: bool = False,
    match: bool = False,
    may_match: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
    also: Sequence[int] = (),
    **said: str,
) -> Callable[[F], F]:
    """The decorator of a method that writes.

    `answers`: the serializer of what it answers with, None for 204. `makes`: something new (201, 200 when it was
    there). `gone`: 204 too, where nothing is left of the thing. `match`: it needs If-Match, `may_match`: it takes it.
    `also`: other statuses of problems; `said`: words on one of them (`s409="…"`).
    """
    headers = [_KEY, _REPLAYED, *([_MATCH] if match or may_match else []), *parameters]
    responses: dict[Any, Any] = {}
    if answers is None:
        responses[204] = OpenApiResponse(description="Done.")
    elif makes:
        responses[201] = answers
        responses[200] = OpenApiResponse(answers, description="The same request made it before.")
        headers += [_ETAG, _LOCATION]
    else:
        responses[200] = answers
        headers.append(_ETAG)
    if gone:
        responses[204] = OpenApiResponse(description="Nothing of it is left.")
    statuses = {400, 401, 403, 404, 409, 411, 413, 415, 422, *also}
    statuses |= {412, 428} if match else {412} if may_match else set()
    request = None if body is None else {"application/json": reference(body.__name__)}
    described: Callable[[F], F] = extend_schema(
        operation_id=operation_id,
        tags=list(tags),
        parameters=headers,
        request=request,
        responses={**responses, **problems(*sorted(statuses), **said)},
    )
    return described


def body_schemas() -> dict[str, Any]:
    """The schemas of all bodies, by name, as components of the document."""
    _roots, found = msgspec.json.schema_components(list(_below(Body)), ref_template="#/components/schemas/{name}")
    return found


def _below(kind: type[Body]) -> Iterator[type[Body]]:
    for below in kind.__subclasses__():
        if below.__struct_fields__:
            yield below
        yield from _below(below)

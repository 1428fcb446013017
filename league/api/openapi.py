"""The document of the API (OpenAPI 3.1), made from its views, and the page that shows it.

Every answer is in it, errors too: views name their own with `problems`, those that any view may give are added here.
"""

import re
import threading
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from league.api import tables
from league.api.examples import PROBLEM
from league.api.links import add_links
from league.api.problem_types import PROBLEM_TYPES
from league.api.problems import method_not_allowed, problem
from league.api.reading import parameters_of
from league.api.shapes import SCHEMAS

if TYPE_CHECKING:
    from league.api.views import ApiView

DESCRIPTION: Final = """\
Championships of the card game 1000 Bornes: read by anybody, results handed in by programs.

**To begin**: [five minutes with the API]({docs-start}), then [everything that it does]({docs-api}),
[what each code means]({api-problems}) and [webhooks]({docs-webhooks}).

**Reading** needs nothing; with a token, the championships of its user can be read before they are public. Lists come
in pages of `limit` items: follow `next` and `previous`, which stand in the body and in the Link header; as `text/csv`
they come whole. Every read takes `If-None-Match`, and answers 304 to who knows; `fields` leaves what is not asked for;
a parameter that there is not is refused. Refused attempts, e-mail addresses and licence numbers are not to be had here.

**Handing in** needs a token of an organiser with the scope `hand_in`: `Authorization: Bearer bornage_…`. Send an
`Idempotency-Key` of your own with each document, and send the same request again when no answer came: it is done once.

**Errors** are `application/problem+json` (RFC 9457). `code` is stable: decide by it, show `detail`, and tell us
`request_id`.

**Texts** to be shown (`detail`, `title`, `text` in a verdict, names of lines and keys) are in English, unless the
Accept-Language header asks for another language of the site: `fr`.

**Limits**: a body has at most 1 MiB; what is left of a minute's requests stands in `RateLimit`.
"""


class ProblemSerializer(serializers.Serializer[Any]):
    """An error (RFC 9457). More members may stand beside these, as an answer's description says."""

    type = serializers.CharField(help_text="The address of the page that explains `code`.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable.")
    detail = serializers.CharField()
    request_id = serializers.CharField()
    field = serializers.CharField(required=False, help_text="The parameter, header or member at fault.")
    kind = serializers.CharField(
        required=False, help_text="404: what is not there, as `partie`; `key`: under which name."
    )
    key = serializers.CharField(required=False)
    errors = serializers.ListField(  # type: ignore[assignment]  # DRF takes it off the class
        child=serializers.DictField(), required=False, help_text="All faults, each with code, field and detail."
    )


_SAFE: Final = ("GET", "HEAD")
_EVERYWHERE: Final = (401, 406, 429)
_READS: Final = (400, 412)


def problems(*statuses: int, **more: str) -> dict[Any, OpenApiResponse]:
    """The problem answers of these statuses; `more` says something of one: `s409="…"`."""
    return {(status, PROBLEM): _problem(status, more.get(f"s{status}", "")) for status in statuses}


def _problem(status: int, said: str = "") -> OpenApiResponse:
    codes = ", ".join(f"`{code}`" for code, kind in PROBLEM_TYPES.items() if kind.status == status)
    return OpenApiResponse(ProblemSerializer, description=f"{said} {codes}".strip())


class Schema(AutoSchema):
    """How a view is described: the first sentence of a method's docstring is its summary."""

    def get_summary(self) -> str:
        """The first sentence."""
        return re.split(r"[.:](?: |\n|$)", self.get_description(), maxsplit=1)[0]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A token where the method writes; nothing where anybody may ask."""
        writes = cast("ApiView", self.view).writes
        schemes = super().get_auth()  # also puts them into the document
        return [scheme for scheme in schemes if "token" in scheme] if self.method in writes else []

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """The operation, saying so where it needs no token."""
        operation = super().get_operation(*args, **kwargs)
        return operation and {**operation, "security": operation.get("security", [])}

    def get_override_parameters(self) -> list[Any]:
        """What every read takes."""
        if self.method != "GET":
            return []
        has_date = cast("ApiView", self.view).stamped
        return list(parameters_of(self.get_response_serializers(), has_date=has_date))

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        everywhere: tuple[int, ...] = _EVERYWHERE
        if self.method == "GET":
            everywhere += _READS
            bodies["304"] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                OpenApiResponse(description="What was answered is known, by its ETag or its date."), "304"
            )
            table = bodies["200"].get("content", {}).get(tables.MEDIA)
            if table is not None:
                table["schema"] = {"type": "string"}
        for status in everywhere:
            if str(status) not in bodies:
                bodies[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    _problem(status), str(status), [PROBLEM]
                )
        return dict(sorted(bodies.items()))


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a token is shown."""

    target_class = "league.api.identity.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """A bearer token (RFC 6750)."""
        return {"type": "http", "scheme": "bearer", "description": "A token, made on the account's page."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A browser that is signed in may read."""

    target_class = "league.api.identity.SessionForReading"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """The cookie of the pages."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "For reading only."}


def describe(result: dict[str, Any], **_rest: Any) -> dict[str, Any]:
    """Put what the rules define and the words about the whole into the document (a hook of the generator)."""
    result["info"]["description"] = re.sub(r"{([a-z-]+)}", lambda name: reverse(name[1]), DESCRIPTION)
    result["externalDocs"] = {"url": reverse("docs"), "description": "The documentation of this site"}
    schemas = result["components"]["schemas"]
    assert not schemas.keys() & SCHEMAS.keys(), "a serializer has the name of something of the rules"
    from league.api.writing_schema import body_schemas  # which stands on this module

    bodies = body_schemas()
    assert not schemas.keys() & bodies.keys(), "a serializer has the name of a body"
    schemas |= SCHEMAS | bodies
    _forget_enum_ids(result)
    add_links(result)
    return result


def _forget_enum_ids(part: Any) -> None:
    """Take off what the generator writes for a hook of its own, which would give choices names that change."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
        for member in part.values():
            _forget_enum_ids(member)
    elif isinstance(part, list):
        for member in part:
            _forget_enum_ids(member)


def document() -> Mapping[str, Any]:
    """The document, made once a process, in English."""
    with _one_at_a_time:
        return _made()


_one_at_a_time: Final = threading.Lock()
"""The generator loads its extensions on first use, and is not made for two threads."""


@cache
def _made() -> Mapping[str, Any]:
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        made: Mapping[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


@csrf_exempt  # nothing is done here: a POST is answered as at every other address of the API
def page(request: HttpRequest) -> HttpResponse:
    """The document to read and to try, without a foreign script."""
    if request.method not in _SAFE:
        fault = method_not_allowed(request.method, _SAFE)
        return problem(request, fault, fault.headers)
    return render(request, "api/docs.html")

"""What a GET takes and gives, read off its own description (`extend_schema`), so that document and behaviour agree.

Every read refuses a query parameter that it does not know, or one given twice: a filter that is misspelt and left aside
would answer another question. Every read whose answer a serializer shapes takes `fields`; every list can be had as CSV.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request

from league.api import parameters
from league.api.problems import RequestFault

READ_METHODS: Final = ("GET", "HEAD")

FIELDS: Final = OpenApiParameter(
    "fields",
    str,
    description="Only these members of the answer, of a list those of its items: `number,team,players.name`.",
)
BOM: Final = OpenApiParameter(
    "bom",
    bool,
    description=(
        "Of CSV: `true` writes it for a spreadsheet: a byte order mark first, by which Excel knows UTF-8; exact "
        "fractions as decimals; `'` before a text that would be taken for a date."
    ),
)
CONDITIONAL: Final = (
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="The ETags of what is known: 304."),
    OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 304]),
)
DATED: Final = (
    OpenApiParameter(
        "If-Modified-Since",
        str,
        OpenApiParameter.HEADER,
        description="A Last-Modified of before; left aside beside If-None-Match.",
    ),
    OpenApiParameter("Last-Modified", str, OpenApiParameter.HEADER, response=[200, 304]),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A GET as it is described.

    `parameters`: the names that its query may have. `item`: the serializer of its answer, of a list that of its items;
    None where no serializer shapes it.
    """

    parameters: frozenset[str]
    item: type[serializers.Serializer[Any]] | None
    is_list: bool

    def check_query(self, request: Request) -> None:
        """Refuse what the query must not have. Raises RequestFault `bad-parameter`."""
        for name, values in request.query_params.lists():
            if name not in self.parameters:
                known = ", ".join(sorted(self.parameters)) or _("none")
                message = _("There is no such parameter here. Known: %(known)s.") % {"known": known}
                raise RequestFault("bad-parameter", message, field=name, extra={"known": sorted(self.parameters)})
            if len(values) > 1:
                raise RequestFault("bad-parameter", _("This parameter is given twice."), field=name)
        parameters.truth(request, BOM.name)  # which only CSV asks for


_UNDESCRIBED: Final = Reading(frozenset(), None, is_list=False)
_known: Final[dict[type, Reading]] = {}


def reading_of(view: Any) -> Reading:
    """What the GET of a view takes and gives."""
    found = _known.get(type(view))
    if found is None:
        found = _known[type(view)] = _read_off(view)
    return found


def _read_off(view: Any) -> Reading:
    described = getattr(getattr(view, "get", None), "kwargs", {}).get("schema")
    if described is None:
        return _UNDESCRIBED
    schema = described()
    schema.view, schema.method = view, "GET"
    names = {
        one.name
        for one in schema.get_override_parameters()
        if one.location == OpenApiParameter.QUERY and not one.response
    }
    answer = answer_of(schema.get_response_serializers())
    return Reading(frozenset(names), getattr(answer, "item_of_page", answer), hasattr(answer, "item_of_page"))


def answer_of(responses: Any) -> type[serializers.Serializer[Any]] | None:
    """The serializer of a description's 200; None where another thing describes it."""
    if isinstance(responses, Mapping):
        responses = responses.get(200)
    if isinstance(responses, OpenApiResponse):
        responses = responses.response
    is_one = isinstance(responses, type) and issubclass(responses, serializers.Serializer)
    return responses if is_one else None


def parameters_of(responses: Any, *, has_date: bool) -> Iterator[OpenApiParameter]:
    """The parameters that every read with these answers takes; `has_date`: it says when it was last changed."""
    yield from CONDITIONAL
    if has_date:
        yield from DATED
    answer = answer_of(responses)
    if answer is not None:
        yield FIELDS
        if hasattr(answer, "item_of_page"):
            yield BOM

"""The yardsticks of the API, at addresses beside its own: the least that a DRF view can do after the same token check.

`bare` inserts a document. `bare/known` answers 304 to a fixed ETag. `bare/KIND` lists the rows of a kind as a
ModelSerializer shows them: their own columns, one query, a page by DRF's own cursor, nothing beside them looked up.
`bare/KIND/csv` writes the same columns as CSV.
"""

import csv
import hashlib
import io
from typing import Any, Final

from django.db.models import Model
from django.http import HttpResponse
from django.urls import path
from rest_framework.exceptions import NotAuthenticated
from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ModelSerializer
from rest_framework.views import APIView

from league import urls
from league.models import Change, Document, Entry, Manche, Partie, Player

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500

ETAG: Final = '"bare"'

LISTED: Final[dict[str, type[Model]]] = {
    "entries": Entry,
    "parties": Partie,
    "manches": Manche,
    "players": Player,
    "changes": Change,
}


class _AfterTokenCheck(APIView):
    def check_permissions(self, request: Request) -> None:
        if request.auth is None:
            raise NotAuthenticated


class Bare(_AfterTokenCheck):
    """Keeps the body of a request that shows a token."""

    def post(self, request: Request) -> Response:
        """Insert it."""
        body = request.stream.read() if request.stream else b""
        document = Document.objects.create(sha256=hashlib.sha256(body).hexdigest(), body=body, media="json")
        return Response({"id": document.pk}, status=201)


class BareKnown(_AfterTokenCheck):
    """Knows without looking that nothing has changed."""

    def get(self, request: Request) -> HttpResponse:
        """304 to who names the ETag."""
        if request.META.get("HTTP_IF_NONE_MATCH") != ETAG:
            raise ValueError("the yardstick is asked with its ETag")
        return HttpResponse(status=304, headers={"ETag": ETAG})


class _ById(CursorPagination):
    ordering = "id"
    page_size_query_param = "limit"


class BareList(_AfterTokenCheck, ListAPIView[Any]):
    """The rows of a model, page by page."""

    model: type[Model] = Entry
    pagination_class = _ById

    def get_queryset(self) -> Any:
        return self.model._default_manager.all()  # noqa: SLF001 — as DRF's own documentation has it

    def get_serializer_class(self) -> Any:
        return _serializers[self.model]


class BareTable(_AfterTokenCheck):
    """The rows of a model as CSV."""

    model: type[Model] = Entry

    def get(self, request: Request) -> HttpResponse:
        """As many as are asked for."""
        rows = self.model._default_manager.order_by("pk").values_list()  # noqa: SLF001
        text = io.StringIO()
        csv.writer(text).writerows(rows[: int(request.query_params["limit"])])
        return HttpResponse(text.getvalue(), content_type="text/csv")


def _shown(model: type[Model]) -> type[ModelSerializer[Any]]:
    meta = type("Meta", (), {"model": model, "fields": "__all__"})
    return type(f"Bare{model.__name__}Serializer", (ModelSerializer,), {"Meta": meta})


_serializers = {model: _shown(model) for model in LISTED.values()}

urlpatterns = [
    path("bare", Bare.as_view()),
    path("bare/known", BareKnown.as_view()),
    *(path(f"bare/{kind}", BareList.as_view(model=model)) for kind, model in LISTED.items()),
    *(path(f"bare/{kind}/csv", BareTable.as_view(model=model)) for kind, model in LISTED.items()),
    *urls.urlpatterns,
]

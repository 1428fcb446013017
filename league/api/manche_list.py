"""The manches of a championship in one list: what a mirror or a spreadsheet reads instead of walking the parties."""

from functools import partial
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.named import NUMBER_OR_OWN_ID, number_asked
from league.api.openapi import problems
from league.api.views import ApiView
from league.models import ExternalKind, Kind, MancheStatus, Media
from league.selectors.manche_list import manches


class MancheItemSerializer(serializers.Serializer[Any]):
    """A manche with the result that stands. By label: who sat there, and what it came to; empty without a result."""

    partie = serializers.IntegerField()
    number = serializers.IntegerField()
    round = serializers.IntegerField()
    table_number = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(MancheStatus.values)
    void_reason = serializers.CharField()
    entries = serializers.DictField(child=serializers.IntegerField(), help_text="Numbers of entries.")
    version = serializers.IntegerField(help_text="Of the current result; 0: none.")
    kind = serializers.ChoiceField(["", *Kind.values])
    writing = serializers.ChoiceField(["", *Media.values])
    sha256 = serializers.CharField(help_text="Of the document as it came; empty without a result.")
    end = serializers.CharField()
    claim_ok = serializers.BooleanField(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    points = serializers.DictField(child=serializers.IntegerField(allow_null=True), help_text="After penalties.")
    km = serializers.DictField(child=serializers.IntegerField())
    coups_fourres = serializers.DictField(child=serializers.IntegerField())
    at = serializers.DateTimeField(allow_null=True, help_text="When the result was handed in.")
    confirmed_at = serializers.DateTimeField(allow_null=True)


class ManchesView(ApiView):
    """Manches."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    @extend_schema(
        operation_id="list_manches",
        tags=["manches"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("round", NUMBER_OR_OWN_ID),
            OpenApiParameter("partie", NUMBER_OR_OWN_ID),
            OpenApiParameter("status", str, enum=MancheStatus.values),
            OpenApiParameter("entry", NUMBER_OR_OWN_ID, description="The number of an entry that sits there."),
        ],
        responses={200: pages.page_of(MancheItemSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The manches of a championship by partie and number, each with the result that stands."""
        find = partial(
            manches,
            championship=self.championship,
            round_number=number_asked(self, "round", ExternalKind.ROUND),
            partie_number=number_asked(self, "partie", ExternalKind.PARTIE),
            status=parameters.choice(request, "status", MancheStatus.values),
            entry_number=number_asked(self, "entry", ExternalKind.ENTRY),
        )
        return pages.listing(request, MancheItemSerializer, pages.found_by(find, request))

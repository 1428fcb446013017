"""Entries: who takes part in a championship."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.openapi import problems
from league.api.players import PlayerSerializer
from league.api.views import ApiView, answer
from league.selectors import lists
from league.selectors.addresses import championship_at


class EntrySerializer(serializers.Serializer[Any]):
    """An entry of a championship, under the number that lots are drawn with."""

    number = serializers.IntegerField()
    team = serializers.CharField()
    players = PlayerSerializer(many=True)
    withdrawn = serializers.BooleanField()
    penalty = serializers.IntegerField(help_text="Taken off the primary key (STANDINGS 2).")
    penalty_reason = serializers.CharField()


class EntriesView(ApiView):
    """Entries."""

    @extend_schema(
        operation_id="list_entries",
        tags=["people"],
        parameters=[*pages.PARAMETERS, OpenApiParameter("withdrawn", bool)],
        responses={200: pages.page_of(EntrySerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The entries of a championship by number."""
        found = lists.entries(
            championship=championship_at(self.actor, slug),
            asked=pages.asked(request),
            withdrawn=parameters.truth(request, "withdrawn"),
        )
        return pages.listing(request, EntrySerializer, found)


class EntryView(ApiView):
    """An entry."""

    @extend_schema(operation_id="get_entry", tags=["people"], responses={200: EntrySerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """An entry by its number."""
        championship = championship_at(self.actor, slug)
        return answer(EntrySerializer, lists.entry(championship=championship, number=number))

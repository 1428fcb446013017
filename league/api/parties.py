"""Parties: who sits where, and what it came to."""

from functools import partial
from typing import Any, ClassVar, Final

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.named import NUMBER_OR_OWN_ID, number_asked
from league.api.openapi import problems
from league.api.shapes import ExactField
from league.api.views import ApiView
from league.models import ClosedHow, ExternalKind, Kind, MancheStatus, Partie, PartieStatus
from league.policy import Actor
from league.selectors import lists
from league.selectors.addresses import partie_at
from league.selectors.own_ids import parties_with_ids, window_with_ids
from league.selectors.parties import partie_view

OWN_ID: Final = "What programs call it; null to who may not look inside."


class SeatSerializer(serializers.Serializer[Any]):
    """An entry at a partie. `place` and `match_points` are null until they are known (STANDINGS 1)."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class
    entry = serializers.IntegerField(source="number")
    partner = serializers.IntegerField(
        allow_null=True, help_text="Where players are ranked: the second entry of the team made for it."
    )
    team = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField(allow_null=True, help_text="After penalties; null without points.")
    km = serializers.IntegerField()
    manches_won = serializers.IntegerField()
    coups_fourres = serializers.IntegerField()
    penalty = serializers.IntegerField()
    forfeited = serializers.BooleanField()
    forfeit_reason = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    match_points = ExactField(allow_null=True)


class PartieMancheSerializer(serializers.Serializer[Any]):
    """A manche of a partie. `points` (after penalties) and `km` by label, empty while it has no result."""

    number = serializers.IntegerField()
    status = serializers.ChoiceField(MancheStatus.values)
    end = serializers.CharField()
    kind = serializers.ChoiceField(["", *Kind.values])
    version = serializers.IntegerField(help_text="Of the current result; 0: none.")
    winner = serializers.CharField(allow_null=True)
    points = serializers.DictField(child=serializers.IntegerField(allow_null=True))
    km = serializers.DictField(child=serializers.IntegerField())
    external_id = serializers.CharField(allow_null=True, help_text=OWN_ID)


class PartieSerializer(serializers.Serializer[Any]):
    """A partie with its seats and manches. `awaited` is the number of the manche to be played next."""

    number = serializers.IntegerField()
    round = serializers.IntegerField()
    table_number = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(PartieStatus.values)
    closed_how = serializers.ChoiceField(["", *ClosedHow.values])
    reason = serializers.CharField()
    version = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    seats = SeatSerializer(many=True)
    manches = PartieMancheSerializer(many=True)
    awaited = serializers.IntegerField(allow_null=True)
    postponed = serializers.BooleanField(source="is_postponed", help_text="It is open, and not played now.")
    external_id = serializers.CharField(allow_null=True, help_text=OWN_ID)


class PartiesView(ApiView):
    """Parties."""

    stamped: ClassVar = True

    @extend_schema(
        operation_id="list_parties",
        tags=["parties"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("round", NUMBER_OR_OWN_ID),
            OpenApiParameter("status", str, enum=PartieStatus.values),
            OpenApiParameter("entry", NUMBER_OR_OWN_ID, description="The number of an entry that sits there."),
            OpenApiParameter("player", NUMBER_OR_OWN_ID, description="The id of a player whose team sits there."),
            OpenApiParameter("table", int, description="The number of the table."),
        ],
        responses={200: pages.page_of(PartieSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The parties of a championship by number."""
        find = partial(
            lists.parties,
            championship=self.championship,
            round_number=number_asked(self, "round", ExternalKind.ROUND),
            status=parameters.choice(request, "status", PartieStatus.values),
            entry_number=number_asked(self, "entry", ExternalKind.ENTRY),
            table_number=parameters.integer(request, "table"),
            player_id=number_asked(self, "player", ExternalKind.PLAYER),
        )
        found = pages.found_by(find, request)
        return pages.listing(request, PartieSerializer, window_with_ids(self.actor, self.championship, found))


class PartieView(ApiView):
    """A partie."""

    @extend_schema(operation_id="get_partie", tags=["parties"], responses={200: PartieSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A partie with its seats and manches."""
        return Response(partie_shown(self.actor, partie_at(self.actor, slug, number)))


def partie_shown(actor: Actor, row: Partie) -> dict[str, Any]:
    """A partie as its GET shows it, and as a write answers with it; `row` with its championship. Raises NotFound."""
    found = parties_with_ids(actor, row.championship, [partie_view(partie=row)])[0]
    return PartieSerializer(found).data

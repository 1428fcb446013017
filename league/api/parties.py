"""Rounds and parties: who sits where, and what it came to."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.models import ClosedHow, Kind, MancheStatus, PartieStatus
from league.selectors import lists
from league.selectors.addresses import championship_at, partie_at
from league.selectors.parties import Round, partie_view, rounds
from league.selectors.windows import window_of


class ByeSerializer(serializers.Serializer[Any]):
    """An entry that was left over in a round (STANDINGS 2)."""

    entry = serializers.IntegerField()
    team = serializers.CharField()

    def to_representation(self, instance: tuple[int, str]) -> dict[str, Any]:
        """From the pair that the selector gives."""
        return dict(zip(self.fields, instance, strict=True))


class RoundSerializer(serializers.Serializer[Any]):
    """A round."""

    number = serializers.IntegerField()
    parties = serializers.IntegerField(help_text="Without those that are void.")
    open = serializers.IntegerField()
    byes = ByeSerializer(many=True)


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
    match_points = serializers.CharField(allow_null=True)


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


class RoundsView(ApiView):
    """Rounds."""

    @extend_schema(
        operation_id="list_rounds",
        tags=["parties"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(RoundSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The rounds of a championship, first to last."""
        found = rounds(championship=championship_at(self.actor, slug))
        return pages.listing(request, RoundSerializer, window_of(found, pages.asked(request), _number))


def _number(found: Round) -> tuple[int]:
    return (found.number,)


class PartiesView(ApiView):
    """Parties."""

    @extend_schema(
        operation_id="list_parties",
        tags=["parties"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("round", int),
            OpenApiParameter("status", str, enum=PartieStatus.values),
            OpenApiParameter("entry", int, description="The number of an entry that sits there."),
        ],
        responses={200: pages.page_of(PartieSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The parties of a championship by number."""
        found = lists.parties(
            championship=championship_at(self.actor, slug),
            asked=pages.asked(request),
            round_number=parameters.integer(request, "round"),
            status=parameters.choice(request, "status", PartieStatus.values),
            entry_number=parameters.integer(request, "entry"),
        )
        return pages.listing(request, PartieSerializer, found)


class PartieView(ApiView):
    """A partie."""

    @extend_schema(operation_id="get_partie", tags=["parties"], responses={200: PartieSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A partie with its seats and manches."""
        return answer(PartieSerializer, partie_view(partie=partie_at(self.actor, slug, number)))

"""Championships: the public ones in a list, any that is no draft by its address."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.rulebooks import RULEBOOKS
from league.api import pages, parameters
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.models import ChampionshipStatus, Confirmation, DecidedBy, PartieEnd, Visibility
from league.selectors import lists
from league.selectors.addresses import championship_at
from league.selectors.championships import championship_view


class ChampionshipSerializer(serializers.Serializer[Any]):
    """A championship in a list. `club` is a name, empty without one."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = serializers.CharField()
    rulebook = serializers.ChoiceField(list(RULEBOOKS))
    visibility = serializers.ChoiceField(Visibility.values)
    status = serializers.ChoiceField(ChampionshipStatus.values)
    entries = serializers.IntegerField(help_text="Without those withdrawn.")
    parties = serializers.IntegerField(help_text="Without those that are void.")


class ChampionshipListItemSerializer(ChampionshipSerializer):
    """A championship in a list."""

    created_at = serializers.DateTimeField()


class StageSaidSerializer(serializers.Serializer[Any]):
    """A stage of a ranking: its number in it, its name, which may be empty, and how many pools it has."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(["ranking", "knockout"])
    pools = serializers.IntegerField()


class KeysSerializer(serializers.Serializer[Any]):
    """How entries are ranked (STANDINGS 3)."""

    primary = serializers.CharField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    scale = serializers.JSONField(required=False, help_text="Match points by place; left out: 2 / 1 / 0.")
    best_n = serializers.IntegerField(required=False)
    minimum = serializers.IntegerField(required=False, help_text="Manches.")
    stages = StageSaidSerializer(many=True, required=False, help_text="Of a ranking over stages (STANDINGS 5).")


class ChampionshipDetailSerializer(ChampionshipSerializer):
    """A championship: how its parties are played, and how its entries are ranked."""

    house = serializers.DictField(help_text="House rules (RULES 12).")
    table_entries = serializers.IntegerField()
    players_per_team = serializers.IntegerField()
    target = serializers.IntegerField(allow_null=True, help_text="In km; null: the first target of the table.")
    allow_short_tables = serializers.BooleanField()
    decided_by = serializers.ChoiceField(DecidedBy.values)
    partie_end = serializers.ChoiceField(PartieEnd.values)
    partie_end_value = serializers.IntegerField(allow_null=True)
    confirmation = serializers.ChoiceField(Confirmation.values)
    keys = KeysSerializer()
    secret_sha256 = serializers.CharField(help_text="Digest of the secret that lots are drawn with (STANDINGS 3).")
    secret = serializers.CharField(allow_null=True, help_text="Null until the championship is finished.")
    time_zone = serializers.CharField()
    version = serializers.IntegerField()
    open_parties = serializers.IntegerField()
    rounds = serializers.IntegerField()


class ChampionshipsView(ApiView):
    """The public championships."""

    @extend_schema(
        operation_id="list_championships",
        tags=["championships"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("q", str, description="Looked for in the names."),
            OpenApiParameter("club", str, description="The slug of a club."),
            OpenApiParameter("rulebook", str, enum=list(RULEBOOKS)),
            OpenApiParameter("status", str, enum=ChampionshipStatus.values),
        ],
        responses={200: pages.page_of(ChampionshipListItemSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """The public championships, newest first."""
        found = lists.championships(
            asked=pages.asked(request),
            text=parameters.text(request, "q") or "",
            club=parameters.text(request, "club"),
            rulebook=parameters.choice(request, "rulebook", RULEBOOKS),
            status=parameters.choice(request, "status", ChampionshipStatus.values),
        )
        return pages.listing(request, ChampionshipListItemSerializer, found)


class ChampionshipView(ApiView):
    """A championship."""

    @extend_schema(
        operation_id="get_championship",
        tags=["championships"],
        responses={200: ChampionshipDetailSerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A championship: how it is played and ranked."""
        return answer(ChampionshipDetailSerializer, championship_view(championship_at(self.actor, slug)))

"""Players: what everybody may know of them, never an e-mail address or a licence number."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.selectors import lists


class PlayerSerializer(serializers.Serializer[Any]):
    """A player. `club` is a name, empty without one."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()


class PlayersView(ApiView):
    """Players."""

    @extend_schema(
        operation_id="list_players",
        tags=["people"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("q", str, description="Looked for in the names, accents and case aside."),
            OpenApiParameter("club", str, description="The slug of a club."),
        ],
        responses={200: pages.page_of(PlayerSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """The players of public championships, by name."""
        found = lists.players(
            asked=pages.asked(request),
            text=parameters.text(request, "q") or "",
            club=parameters.text(request, "club"),
        )
        return pages.listing(request, PlayerSerializer, found)


class PlayerView(ApiView):
    """A player."""

    @extend_schema(operation_id="get_player", tags=["people"], responses={200: PlayerSerializer, **problems(404)})
    def get(self, request: Request, player: int) -> Response:
        """A player."""
        return answer(PlayerSerializer, lists.player(player_id=player))

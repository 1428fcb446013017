"""Teams of a championship, entered or not."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.openapi import problems
from league.api.players import PlayerSerializer
from league.api.views import ApiView, answer
from league.selectors import lists
from league.selectors.addresses import championship_at


class TeamSerializer(serializers.Serializer[Any]):
    """A team; `entry` is the number under which it is entered, null if it is not."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    players = PlayerSerializer(many=True)
    entry = serializers.IntegerField(allow_null=True)


class TeamsView(ApiView):
    """Teams."""

    @extend_schema(
        operation_id="list_teams",
        tags=["people"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(TeamSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The teams of a championship by name."""
        championship = championship_at(self.actor, slug)
        return pages.listing(
            request, TeamSerializer, lists.teams(championship=championship, asked=pages.asked(request))
        )


class TeamView(ApiView):
    """A team."""

    @extend_schema(operation_id="get_team", tags=["people"], responses={200: TeamSerializer, **problems(404)})
    def get(self, request: Request, slug: str, team: int) -> Response:
        """A team."""
        return answer(TeamSerializer, lists.team(championship=championship_at(self.actor, slug), team_id=team))

"""Clubs, players, entries and teams: what everybody may know of them, never an e-mail address or a licence number."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.api.writing import Body, Data, Written, body_as, made_once, write
from league.api.writing_schema import describe_write
from league.models import ExternalKind, Scope
from league.policy import Action, require
from league.selectors import lists
from league.selectors.addresses import championship_at
from league.services.people import add_club


class ClubSerializer(serializers.Serializer[Any]):
    """A club. `players` counts those of public championships."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    players = serializers.IntegerField()


class PlayerSerializer(serializers.Serializer[Any]):
    """A player. `club` is a name, empty without one."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()


class EntrySerializer(serializers.Serializer[Any]):
    """An entry of a championship, under the number that lots are drawn with."""

    number = serializers.IntegerField()
    team = serializers.CharField()
    players = PlayerSerializer(many=True)
    withdrawn = serializers.BooleanField()
    penalty = serializers.IntegerField(help_text="Taken off the primary key (STANDINGS 2).")
    penalty_reason = serializers.CharField()


class TeamSerializer(serializers.Serializer[Any]):
    """A team; `entry` is the number under which it is entered, null if it is not."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    players = PlayerSerializer(many=True)
    entry = serializers.IntegerField(allow_null=True)


class NewClub(Body):
    """A club to be made."""

    name: str
    external_id: str | None = None


class ClubsView(ApiView):
    """Clubs."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_clubs",
        tags=["people"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(ClubSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Clubs by name."""
        return pages.listing(request, ClubSerializer, lists.clubs(asked=pages.asked(request)))

    @describe_write(operation_id="add_club", tags=["people"], body=NewClub, answers=ClubSerializer, makes=True)
    def post(self, request: Request) -> HttpResponse:
        """Make a club. A name that another one has, accents and case aside, is refused: `club-exists`."""
        asked = body_as(request, NewClub)

        def make() -> int:
            require(self.actor, Action.CREATE)
            return add_club(actor=self.actor, name=asked.name).pk

        def do() -> Written:
            kind, external_id = ExternalKind.CLUB, asked.external_id
            return made_once(self, request, kind=kind, external_id=external_id, make=make, show=_shown_club)

        return write(self, request, do)


def _shown_club(club_id: int) -> tuple[Data, str]:
    found = lists.club(club_id=club_id)
    return ClubSerializer(found).data, reverse("api-clubs")


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

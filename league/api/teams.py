"""Teams of a championship, entered or not: made, called otherwise, their substitutes named."""

from functools import partial
from typing import Any, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.clubs import EXTERNAL_ID_PARAMETER
from league.api.named import NUMBER_OR_OWN_ID, OwnId, Ref, number_asked
from league.api.openapi import problems
from league.api.players import NewPlayer, PlayerSerializer, PlayersSaid, player_made, players_said
from league.api.running import running
from league.api.views import ApiView, answer
from league.api.writing import Body, Changes, Data, Written, body_as, made_once, require_match, write
from league.api.writing_schema import describe_write
from league.models import Championship, ExternalKind, Scope
from league.policy import Action, may, require
from league.selectors import lists
from league.selectors.substitutes import substitute_item, substitute_items, substitute_of
from league.services.entries import add_team, rename_team
from league.services.substitutes import name_substitute, remove_substitute

EXTERNAL_ID = serializers.CharField(
    allow_null=True, help_text="What a program calls it; null without one, and for who may not look inside."
)


class TeamSerializer(serializers.Serializer[Any]):
    """A team; `entry` is the number under which it is entered, null if it is not."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    players = PlayerSerializer(many=True)
    entry = serializers.IntegerField(allow_null=True)
    external_id = EXTERNAL_ID


class SubstituteSerializer(serializers.Serializer[Any]):
    """A player named as a substitute of a team."""

    id = serializers.IntegerField()
    player = PlayerSerializer()


class NewTeam(Body):
    """A team to be made, of its players in the order of their seats; without a name it is called like them."""

    players: PlayersSaid
    name: str = ""
    external_id: OwnId | None = None


class TeamChanges(Changes):
    """A team's name; an empty one: it is called like its players again, as everybody may read them."""

    name: str | msgspec.UnsetType = msgspec.UNSET


class NewSubstitute(Body):
    """Who may sit in for a player of a team."""

    player: Ref | NewPlayer


class TeamsView(ApiView):
    """Teams."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_teams",
        tags=["people"],
        parameters=[
            *pages.PARAMETERS,
            pages.ORDER,
            OpenApiParameter("player", NUMBER_OR_OWN_ID, description="The id of a player in it."),
            EXTERNAL_ID_PARAMETER,
        ],
        responses={200: pages.page_of(TeamSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The teams of a championship by name."""
        find = partial(
            lists.teams,
            championship=self.championship,
            player=number_asked(self, "player", ExternalKind.PLAYER),
            inside=may(self.actor, Action.LOOK_INSIDE, self.championship),
            external_id=parameters.text(request, "external_id"),
            by_id=pages.is_by_id(request),
        )
        return pages.listing(request, TeamSerializer, pages.found_by(find, request))

    @describe_write(
        operation_id="add_team",
        tags=["people"],
        body=NewTeam,
        answers=TeamSerializer,
        makes=True,
        s409="`similar-players` lists those of nearly a new name; `player-in-team`: one is in another team.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Make a team that is not entered yet; players that are new are made with it."""
        asked, actor = body_as(request, NewTeam), self.actor

        def do() -> Written:
            championship = running(self, slug)

            def make() -> int:
                ids = players_said(self, asked.players, championship)
                team = add_team(actor=actor, championship_id=championship.pk, player_ids=ids, name=asked.name)
                return team.pk

            def show(team_id: int) -> tuple[Data, str]:
                return shown_team(self, championship, team_id), reverse("api-team", args=(slug, team_id))

            return made_once(
                self,
                request,
                kind=ExternalKind.TEAM,
                external_id=asked.external_id,
                make=make,
                show=show,
                championship_id=championship.pk,
            )

        return write(request, do)


class TeamView(ApiView):
    """A team."""

    writes: ClassVar = {"PATCH": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes"}

    @extend_schema(operation_id="get_team", tags=["people"], responses={200: TeamSerializer, **problems(404)})
    def get(self, request: Request, slug: str, team: int) -> Response:
        """A team."""
        championship = self.championship
        inside = may(self.actor, Action.LOOK_INSIDE, championship)
        return answer(TeamSerializer, lists.team(championship=championship, team_id=team, inside=inside))

    @describe_write(operation_id="change_team", tags=["people"], body=TeamChanges, answers=TeamSerializer, match=True)
    def patch(self, request: Request, slug: str, team: int) -> HttpResponse:
        """Give a team another name. Rankings that were published keep the old one."""
        asked, actor = body_as(request, TeamChanges), self.actor

        def do() -> Written:
            championship = running(self, slug)
            require_match(request, shown_team(self, championship, team))
            if asked.name is not msgspec.UNSET:
                rename_team(actor=actor, team_id=team, version=None, name=asked.name)
            return Written(shown_team(self, championship, team))

        return write(request, do)


def shown_team(view: ApiView, championship: Championship, team_id: int) -> Data:
    """A team as its GET shows it to who asks."""
    inside = may(view.actor, Action.LOOK_INSIDE, championship)
    data: Data = TeamSerializer(lists.team(championship=championship, team_id=team_id, inside=inside)).data
    return data


class SubstitutesView(ApiView):
    """The substitutes of a team."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_substitutes",
        tags=["people"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(SubstituteSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str, team: int) -> Response:
        """Who may sit in for a player of a team, for who may look inside of the championship."""
        championship = self.championship
        require(self.actor, Action.LOOK_INSIDE, championship)
        found = substitute_items(championship=championship, team_id=team, asked=pages.asked(request))
        return pages.listing(request, SubstituteSerializer, found)

    @describe_write(
        operation_id="add_substitute",
        tags=["people"],
        body=NewSubstitute,
        answers=SubstituteSerializer,
        makes=True,
        s409="`no-substitutes` where the championship has none.",
    )
    def post(self, request: Request, slug: str, team: int) -> HttpResponse:
        """Name a player as a substitute of a team; named already, it stays."""
        asked, actor = body_as(request, NewSubstitute), self.actor

        def do() -> Written:
            championship = running(self, slug)
            lists.team(championship=championship, team_id=team)
            player = player_made(self, asked.player, at="player")
            before = substitute_of(team_id=team, player_id=player)
            made = before or name_substitute(actor=actor, team_id=team, player_id=player).pk
            data = _shown_substitute(championship, team, made)
            place = reverse("api-substitute", args=(slug, team, made))
            return Written(data, 201 if before is None else 200, place)

        return write(request, do)


class SubstituteView(ApiView):
    """A substitute of a team."""

    writes: ClassVar = {"DELETE": Scope.MANAGE}
    rates: ClassVar = {"DELETE": "writes"}

    @extend_schema(
        operation_id="get_substitute",
        tags=["people"],
        responses={200: SubstituteSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, slug: str, team: int, substitute: int) -> Response:
        """A substitute of a team, for who may look inside of the championship."""
        championship = self.championship
        require(self.actor, Action.LOOK_INSIDE, championship)
        found = substitute_item(championship=championship, team_id=team, substitute_id=substitute)
        return answer(SubstituteSerializer, found)

    @describe_write(operation_id="remove_substitute", tags=["people"], match=True)
    def delete(self, request: Request, slug: str, team: int, substitute: int) -> HttpResponse:
        """Take a substitute off a team; parties that they played stay."""
        actor = self.actor

        def do() -> Written:
            championship = running(self, slug)
            require_match(request, _shown_substitute(championship, team, substitute))
            remove_substitute(actor=actor, team_id=team, substitute_id=substitute)
            return Written(None)

        return write(request, do)


def _shown_substitute(championship: Championship, team: int, substitute: int) -> Data:
    found = substitute_item(championship=championship, team_id=team, substitute_id=substitute)
    data: Data = SubstituteSerializer(found).data
    return data

"""Entries: who takes part in a championship; made of a team, or of its players."""

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.clubs import EXTERNAL_ID_PARAMETER
from league.api.named import NUMBER_OR_OWN_ID, OwnId, Ref, number_asked, number_named
from league.api.openapi import problems
from league.api.players import PlayerSerializer, PlayersSaid, players_said
from league.api.running import running
from league.api.teams import EXTERNAL_ID
from league.api.views import ApiView, answer
from league.api.writing import Body, Data, Written, body_as, made_once, write
from league.api.writing_schema import describe_write
from league.errors import NotFound, UserFault
from league.models import Championship, ExternalKind, Scope
from league.policy import Action, may
from league.selectors import lists
from league.services.entries import enter, enter_players


class EntrySerializer(serializers.Serializer[Any]):
    """An entry of a championship, under the number that lots are drawn with."""

    number = serializers.IntegerField()
    team = serializers.CharField()
    team_id = serializers.IntegerField()
    players = PlayerSerializer(many=True)
    withdrawn = serializers.BooleanField()
    penalty = serializers.IntegerField(help_text="Taken off the primary key (STANDINGS 2).")
    penalty_reason = serializers.CharField()
    checked_in = serializers.BooleanField(
        allow_null=True, help_text="Whether they are there on the day; null for who may not look inside."
    )
    external_id = EXTERNAL_ID


class NewEntry(Body):
    """An entry to be made: of a team that is there, or of players, in the order of their seats."""

    team: Ref | None = None
    players: PlayersSaid | None = None
    name: str = ""
    external_id: OwnId | None = None


class EntriesView(ApiView):
    """Entries."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_entries",
        tags=["people"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("withdrawn", bool),
            OpenApiParameter("player", NUMBER_OR_OWN_ID, description="The id of a player in the team."),
            OpenApiParameter("club", str, description="The slug of a club whose players show that they are its."),
            EXTERNAL_ID_PARAMETER,
        ],
        responses={200: pages.page_of(EntrySerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The entries of a championship by number."""
        find = partial(
            lists.entries,
            championship=self.championship,
            withdrawn=parameters.truth(request, "withdrawn"),
            player=number_asked(self, "player", ExternalKind.PLAYER),
            club=parameters.text(request, "club"),
            inside=may(self.actor, Action.LOOK_INSIDE, self.championship),
            external_id=parameters.text(request, "external_id"),
        )
        return pages.listing(request, EntrySerializer, pages.found_by(find, request))

    @describe_write(
        operation_id="add_entry",
        tags=["people"],
        body=NewEntry,
        answers=EntrySerializer,
        makes=True,
        s409="`similar-players` lists those of nearly a new name; `player-in-team`: one is in another team.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Enter a team under the next number; or make one of players, new ones among them, and enter it.

        A team that is entered already is answered with its entry.
        """
        asked = body_as(request, NewEntry)

        def do() -> Written:
            championship = running(self, slug)
            was_there: list[bool] = []

            def make() -> int:
                entry_id, is_new = self._entered(asked, championship)
                was_there.append(not is_new)
                return entry_id

            def show(entry_id: int) -> tuple[Data, str]:
                data = shown_entry(self, championship, pk=entry_id)
                return data, reverse("api-entry", args=(slug, data["number"]))

            written = made_once(
                self,
                request,
                kind=ExternalKind.ENTRY,
                external_id=asked.external_id,
                make=make,
                show=show,
                championship_id=championship.pk,
            )
            return replace(written, status=200) if any(was_there) else written

        return write(request, do)

    def _entered(self, asked: NewEntry, championship: Championship) -> tuple[int, bool]:
        """The id of the entry that was asked for, and whether it was made now."""
        if (asked.team is None) == (asked.players is None):
            message = _("Say either which `team` enters, or which `players`.")
            raise UserFault("team-or-players", message, field="team")
        if asked.players is not None:
            ids = players_said(self, asked.players, championship)
            made = enter_players(actor=self.actor, championship_id=championship.pk, player_ids=ids, name=asked.name)
            return made.pk, True
        if asked.name:
            raise UserFault("team-or-players", _("A team that is there has its name."), field="name")
        assert asked.team is not None
        team_id = number_named(self, kind=ExternalKind.TEAM, said=asked.team, field="team")
        try:
            team = lists.team(championship=championship, team_id=team_id)
        except NotFound:
            raise UserFault("unknown-team", _("This championship has no such team."), field="team") from None
        return enter(actor=self.actor, team_id=team_id).pk, team.entry is None


class EntryView(ApiView):
    """An entry."""

    @extend_schema(operation_id="get_entry", tags=["people"], responses={200: EntrySerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """An entry by its number."""
        championship = self.championship
        inside = may(self.actor, Action.LOOK_INSIDE, championship)
        return answer(EntrySerializer, lists.entry(championship=championship, number=number, inside=inside))


def shown_entry(view: ApiView, championship: Championship, **where: int) -> Data:
    """An entry, by `number` or `pk`, as its GET shows it to who asks."""
    inside = may(view.actor, Action.LOOK_INSIDE, championship)
    data: Data = EntrySerializer(lists.entry(championship=championship, inside=inside, **where)).data
    return data

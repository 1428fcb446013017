"""Players: what everybody may know of them, and what is private for who may look inside; made and changed."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.clubs import EXTERNAL_ID_PARAMETER, OWN_EXTERNAL_ID, ClubId, ClubRef, with_club
from league.api.named import OwnId, Ref, number_named, together
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.api.writing import Body, Changes, Data, Written, body_as, made_once, require_match, write
from league.api.writing_schema import describe_write
from league.errors import Conflict, UserFault
from league.models import Championship, ExternalKind, Scope, ShownAs
from league.policy import Action, Actor, require
from league.selectors import lists
from league.selectors.external_ids import object_named
from league.selectors.imports import size_of_entries
from league.selectors.people import kept_player_id
from league.selectors.player_shown import player_shown, require_player
from league.services.entries import bad_team_size
from league.services.external_ids import check_external_id, name_thing
from league.services.locks import lock_players
from league.services.people import add_player, change_player

Shown = Literal["name", "initials", "hidden"]


class PlayerSerializer(serializers.Serializer[Any]):
    """A player. `club` is a name, empty without one."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()


class PlayerListItemSerializer(PlayerSerializer):
    """A player in a list."""

    external_id = OWN_EXTERNAL_ID


class PlayerNumberSerializer(serializers.Serializer[Any]):
    """A number that another system gave."""

    id = serializers.IntegerField()
    system = serializers.CharField()
    number = serializers.CharField()


class PlayerMergeSerializer(serializers.Serializer[Any]):
    """Another profile that was made one with this one, and can be made two again."""

    id = serializers.IntegerField()
    merged = serializers.CharField(help_text="The name that it had.")
    at = serializers.DateTimeField()
    reason = serializers.CharField()


class PlayerPrivateSerializer(serializers.Serializer[Any]):
    """What is private about a player."""

    name = serializers.CharField(help_text="The whole name, whatever is shown.")
    club = serializers.CharField(allow_null=True, help_text="The slug of the club, whether it is shown or not.")
    licence = serializers.CharField()
    email = serializers.CharField()
    is_minor = serializers.BooleanField()
    shown_as = serializers.ChoiceField(ShownAs.values, help_text="What everybody may read of the name.")
    shows_club = serializers.BooleanField()
    is_claimed = serializers.BooleanField(help_text="The player has taken the profile over with an account.")
    is_anonymous = serializers.BooleanField()
    merged_into = serializers.IntegerField(allow_null=True, help_text="The player that this profile is now.")
    numbers = PlayerNumberSerializer(many=True)
    merges = PlayerMergeSerializer(many=True)


class PlayerDetailSerializer(PlayerListItemSerializer):
    """A player; `private` is null for who may not look inside of a championship of theirs."""

    private = PlayerPrivateSerializer(allow_null=True)


class NewPlayer(Body):
    """A player to be made. `club_name`: made if there is none of this name.

    `homonym`: nobody whose name is nearly this one is meant. Without `shown_as` a minor is hidden, others show it.
    """

    name: str
    club: ClubRef | msgspec.UnsetType | None = msgspec.UNSET
    club_name: str | msgspec.UnsetType = msgspec.UNSET
    licence: str = ""
    email: str = ""
    is_minor: bool = False
    shown_as: Shown | None = None
    shows_club: bool | None = None
    homonym: bool = False
    external_id: OwnId | None = None


class PlayerChanges(Changes):
    """What changes about a player. `club`: null takes it off; `club_name`: made if there is none of this name."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    club: ClubRef | msgspec.UnsetType | None = msgspec.UNSET
    club_name: str | msgspec.UnsetType = msgspec.UNSET
    licence: str | msgspec.UnsetType = msgspec.UNSET
    email: str | msgspec.UnsetType = msgspec.UNSET
    is_minor: bool | msgspec.UnsetType = msgspec.UNSET
    shown_as: Shown | msgspec.UnsetType = msgspec.UNSET
    shows_club: bool | msgspec.UnsetType = msgspec.UNSET


PlayersSaid = Annotated[list[Ref | NewPlayer], msgspec.Meta(extra_json_schema={"minItems": 1, "maxItems": 2})]
"""The players of a team, in the order of their seats: ids, external ids, or people to be made."""


class PlayersView(ApiView):
    """Players."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_players",
        tags=["people"],
        parameters=[
            *pages.PARAMETERS,
            pages.ORDER,
            OpenApiParameter("q", str, description="Looked for in the names, accents and case aside."),
            OpenApiParameter("club", str, description="The slug of a club."),
            EXTERNAL_ID_PARAMETER,
        ],
        responses={200: pages.page_of(PlayerListItemSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """The players of public championships, by name."""
        find = partial(
            lists.players,
            text=parameters.text(request, "q") or "",
            club=parameters.text(request, "club"),
            actor=self.actor,
            external_id=parameters.text(request, "external_id"),
            by_id=pages.is_by_id(request),
        )
        return pages.listing(request, PlayerListItemSerializer, pages.found_by(find, request))

    @describe_write(
        operation_id="add_player",
        tags=["people"],
        body=NewPlayer,
        answers=PlayerDetailSerializer,
        makes=True,
        s409="`similar-players` lists those of nearly this name: name one of them, or go on with `homonym`.",
    )
    def post(self, request: Request) -> HttpResponse:
        """Make a player, who is in no championship yet.

        An organiser who may make no players by themselves makes them with their entry.
        """
        asked, actor = body_as(request, NewPlayer), self.actor

        def make() -> int:
            return _add(self, asked)

        def show(player_id: int) -> tuple[Data, str]:
            return shown_player(actor, player_id), reverse("api-player", args=(player_id,))

        def do() -> Written:
            require(actor, Action.CREATE)
            kind, external_id = ExternalKind.PLAYER, asked.external_id
            return made_once(self, request, kind=kind, external_id=external_id, make=make, show=show)

        return write(request, do)


class PlayerView(ApiView):
    """A player."""

    writes: ClassVar = {"PATCH": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes"}

    @extend_schema(operation_id="get_player", tags=["people"], responses={200: PlayerDetailSerializer, **problems(404)})
    def get(self, request: Request, player: int) -> Response:
        """A player, with what is private for who may look inside of a championship of theirs."""
        return answer(PlayerDetailSerializer, player_shown(actor=self.actor, player_id=player))

    @describe_write(
        operation_id="change_player", tags=["people"], body=PlayerChanges, answers=PlayerDetailSerializer, match=True
    )
    def patch(self, request: Request, player: int) -> HttpResponse:
        """Change what is known of a player. Who becomes a minor is hidden, unless the same change says otherwise."""
        asked, actor = body_as(request, PlayerChanges), self.actor

        def do() -> Written:
            lock_players([player])
            require_player(actor=actor, player_id=player)
            require_match(request, shown_player(actor, player))
            changes = {name: value for name, value in asked.said().items() if name not in ("club", "club_name")}

            def change(club: ClubId) -> None:
                said = changes if club is msgspec.UNSET else {**changes, "club_id": club}
                change_player(actor=actor, player_id=player, version=None, changes=said)

            with_club(self, asked.club, asked.club_name, change)
            return Written(shown_player(actor, player))

        return write(request, do)


def shown_player(actor: Actor, player_id: int) -> Data:
    """A player as its GET shows it to the actor."""
    data: Data = PlayerDetailSerializer(player_shown(actor=actor, player_id=player_id)).data
    return data


def _add(view: ApiView, said: NewPlayer) -> int:
    return with_club(view, said.club, said.club_name, partial(_add_to, view.actor, said))


def _add_to(actor: Actor, said: NewPlayer, club: ClubId) -> int:
    try:
        player = add_player(
            actor=actor,
            name=said.name,
            club_id=None if club is msgspec.UNSET else club,
            licence=said.licence,
            email=said.email,
            is_minor=said.is_minor,
            shown_as=said.shown_as,
            shows_club=said.shows_club,
            homonym=said.homonym,
        )
    except Conflict as fault:
        if fault.code == "similar-players":  # pages have a button for it
            message = _(
                "Somebody has nearly this name: name one of `players`, or say that nobody of them is meant: %(way)s."
            )
            fault.message = message % {"way": '"homonym": true'}
        raise
    return player.pk


def players_said(view: ApiView, players: "list[Ref | NewPlayer]", championship: Championship) -> list[int]:
    """The ids of the players that a body names (`players`), those made that are new. Policy was asked whether they may.

    All that is wrong with them is said at once; conflicts only where nothing else is wrong. Raises `bad-team-size`, and
    what `player_made` raises.
    """
    size = size_of_entries(championship)

    def counted() -> int:
        if len(players) == size:
            return size
        raise bad_team_size(size)

    asks: list[Callable[[], int]] = [counted]
    asks += [partial(player_made, view, said, at=f"players[{place}]") for place, said in enumerate(players[:size])]
    return together(asks)[1:]


def player_made(view: ApiView, said: "Ref | NewPlayer", *, at: str) -> int:
    """The id of a player that a body names at a place, or of the new one whom it describes there.

    Raises what `add_player` raises, UserFault `unknown-reference`, Conflict `external-id-taken`.
    """
    if not isinstance(said, NewPlayer):
        return player_said(view, said, field=at)
    try:
        return _new(view, said)
    except UserFault as fault:
        for each in fault.faults:
            each.field = at if each.field is None else f"{at}.{each.field}"
        raise


def player_said(view: ApiView, said: Ref, *, field: str) -> int:
    """The id of the player that a body names; a profile that was merged since it got its external id is the kept one.

    Raises UserFault `unknown-reference`.
    """
    found = number_named(view, kind=ExternalKind.PLAYER, said=said, field=field)
    return found if isinstance(said, int) else kept_player_id(player_id=found) or found


def _new(view: ApiView, said: NewPlayer) -> int:
    """A player made inside of another write, with its external id."""
    if said.external_id is None:
        return _add(view, said)
    check_external_id(said.external_id)
    kind = ExternalKind.PLAYER
    known = object_named(actor=view.actor, kind=kind, external_id=said.external_id)
    if known is not None:
        message = _("This external id stands for a player already: name it by ~%(id)s.") % {"id": said.external_id}
        extra = {"player": known.object_id}
        raise Conflict("external-id-taken", message, field="external_id", extra=extra)
    player_id = _add(view, said)
    name_thing(actor=view.actor, kind=kind, object_id=player_id, external_id=said.external_id)
    return player_id

"""Clubs: listed, made, called otherwise; and how a body names one."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.forms import CLUB
from league.api.named import OwnId, number_named, together
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.api.writing import Body, Changes, Data, Written, body_as, made_once, require_match, write
from league.api.writing_schema import describe_write
from league.errors import UserFault
from league.models import ExternalKind, Scope
from league.policy import Action, Actor, require
from league.selectors import lists
from league.selectors.organising import club_id_at
from league.selectors.player_rights import require_may_rename_club
from league.services.locks import lock_club
from league.services.people import add_club, club_called, rename_club

ClubRef = Annotated[str, msgspec.Meta(pattern=CLUB)]
"""A club in a body: its slug, or `~` and its external id."""

ClubId = int | msgspec.UnsetType | None
"""The id of a club, as a body said it."""

T = TypeVar("T")

OWN_EXTERNAL_ID = serializers.CharField(
    allow_null=True, help_text="Given by a program of your account; null without one, and for everybody else."
)
EXTERNAL_ID_PARAMETER = OpenApiParameter(
    "external_id", str, description="Only what your programs call so; nothing for who may not see external ids."
)


class ClubSerializer(serializers.Serializer[Any]):
    """A club. `players` counts those of public championships."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    players = serializers.IntegerField()
    external_id = OWN_EXTERNAL_ID


class NewClub(Body):
    """A club to be made."""

    name: str
    external_id: OwnId | None = None


class ClubChanges(Changes):
    """A club's new name; its address stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET


class ClubsView(ApiView):
    """Clubs."""

    stamped: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_clubs",
        tags=["people"],
        parameters=[
            *pages.PARAMETERS,
            pages.ORDER,
            OpenApiParameter("q", str, description="Looked for in the names, accents and case aside."),
            EXTERNAL_ID_PARAMETER,
        ],
        responses={200: pages.page_of(ClubSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Clubs by name."""
        find = partial(
            lists.clubs,
            text=parameters.text(request, "q") or "",
            actor=self.actor,
            external_id=parameters.text(request, "external_id"),
            by_id=pages.is_by_id(request),
        )
        return pages.listing(request, ClubSerializer, pages.found_by(find, request))

    @describe_write(operation_id="add_club", tags=["people"], body=NewClub, answers=ClubSerializer, makes=True)
    def post(self, request: Request) -> HttpResponse:
        """Make a club. A name that another one has, accents and case aside, is refused: `club-exists`."""
        asked, actor = body_as(request, NewClub), self.actor

        def make() -> int:
            return add_club(actor=actor, name=asked.name).pk

        def show(club_id: int) -> tuple[Data, str]:
            return _shown_club(actor, club_id)

        def do() -> Written:
            require(actor, Action.CREATE)
            kind, external_id = ExternalKind.CLUB, asked.external_id
            return made_once(self, request, kind=kind, external_id=external_id, make=make, show=show)

        return write(request, do)


def _shown_club(actor: Actor, club_id: int) -> tuple[Data, str]:
    found = lists.club(actor=actor, pk=club_id)
    return ClubSerializer(found).data, reverse("api-club", args=(found.slug,))


class ClubView(ApiView):
    """A club."""

    writes: ClassVar = {"PATCH": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes"}

    @extend_schema(operation_id="get_club", tags=["people"], responses={200: ClubSerializer, **problems(404)})
    def get(self, request: Request, club: int | str) -> Response:
        """A club."""
        return answer(ClubSerializer, lists.club(actor=self.actor, **_where(club)))

    @describe_write(operation_id="change_club", tags=["people"], body=ClubChanges, answers=ClubSerializer, match=True)
    def patch(self, request: Request, club: int | str) -> HttpResponse:
        """Give a club another name: whoever made it may, and the staff. Its address stays."""
        asked, actor = body_as(request, ClubChanges), self.actor

        def do() -> Written:
            found = lists.club(actor=actor, pk=lock_club(**_where(club)).pk)
            require_may_rename_club(actor=actor, club_id=found.id)
            require_match(request, ClubSerializer(found).data)
            if asked.name is not msgspec.UNSET:
                rename_club(actor=actor, club_id=found.id, name=asked.name)
            return Written(_shown_club(actor, found.id)[0])

        return write(request, do)


def _where(club: int | str) -> dict[str, int | str]:
    return {"pk": club} if isinstance(club, int) else {"slug": club}


def club_said(
    view: ApiView, club: "ClubRef | msgspec.UnsetType | None", name: "str | msgspec.UnsetType"
) -> "int | msgspec.UnsetType | None":
    """The id of the club that a body names, or calls by a name: then it is made if there is none; UNSET for neither.

    Raises UserFault `unknown-club`, `unknown-reference`, `club-twice`; what `add_club` raises.
    """
    if name is not msgspec.UNSET:
        if club is not msgspec.UNSET:
            raise UserFault("club-twice", _("Say either `club` or `club_name`."), field="club_name")
        try:
            return club_called(actor=view.actor, name=name).pk
        except UserFault as fault:
            fault.field = "club_name"
            raise
    if club is msgspec.UNSET or club is None:
        return club
    if club.startswith("~"):
        return number_named(view, kind=ExternalKind.CLUB, said=club, field="club")
    found = club_id_at(slug=club)
    if found is None:
        raise UserFault("unknown-club", _("There is no such club."), field="club")
    return found


def with_club(
    view: ApiView,
    club: "ClubRef | msgspec.UnsetType | None",
    name: "str | msgspec.UnsetType",
    write: Callable[[ClubId], T],
) -> T:
    """What `write` does with the club that a body names. Inside of the transaction of a write.

    Where something is wrong with the club it is tried without one, so that all is told at once: what it wrote goes with
    the fault. Raises what `club_said` and `write` raise.
    """
    try:
        known = club_said(view, club, name)
    except UserFault as fault:
        wrong = fault

        def refuse() -> T:
            raise wrong

        asks: list[Callable[[], T]] = [refuse, partial(write, msgspec.UNSET)]
        together(asks)
        raise
    return write(known)

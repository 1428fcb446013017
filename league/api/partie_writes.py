"""Parties opened by hand at free tables; who plays at one; the secret link of its table."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import parties
from league.api.manche_seen import is_matched
from league.api.named import Number, OwnId, Ref, number_named, together
from league.api.openapi import problems
from league.api.parties import PartieSerializer, partie_shown
from league.api.problems import RequestFault
from league.api.remembered import Secret
from league.api.running import check_state, entry_named, running
from league.api.views import ApiView, answer
from league.api.writing import Body, Data, Written, body_as, made_once, write
from league.api.writing_schema import describe_write
from league.errors import NotFound
from league.models import Championship, ExternalKind, Partie, Scope, TableLink
from league.policy import Action, require
from league.selectors.addresses import partie_at
from league.selectors.substitutes import places
from league.services.locks import lock_championship
from league.services.parties import open_partie
from league.services.substitutes import end_stand_in, stand_in
from league.services.table_links import renew_link, table_address


class NewPartie(Body):
    """A partie to be opened: `entries` in the order of their seats (labels A to D)."""

    round: Ref
    entries: list[Ref]
    table_number: Number | None = None
    external_id: OwnId | None = None


class PartiesView(parties.PartiesView):
    """Parties, and one that is opened."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="open_partie", tags=["parties"], body=NewPartie, answers=PartieSerializer, makes=True)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Seat entries at a partie, and let its first manche be awaited. Teams of a mêlée are made by the draw."""
        asked = body_as(request, NewPartie)

        def do() -> Written:
            championship = running(self, slug)

            def make() -> int:
                asks: list[Callable[[], int]] = [
                    partial(number_named, self, kind=ExternalKind.ROUND, said=asked.round, field="round")
                ]
                asks += [
                    partial(_entry_id, self, championship, entry, f"entries[{place}]")
                    for place, entry in enumerate(asked.entries)
                ]
                round_number, *entry_ids = together(asks)
                return open_partie(
                    actor=self.actor,
                    championship_id=championship.pk,
                    entry_ids=entry_ids,
                    round=round_number,
                    table_number=asked.table_number,
                ).pk

            def show(partie_id: int) -> tuple[Data, str]:
                row = Partie.objects.get(pk=partie_id)
                row.championship = championship
                return partie_shown(self.actor, row), reverse("api-partie", args=(slug, row.number))

            return made_once(
                self,
                request,
                kind=ExternalKind.PARTIE,
                external_id=asked.external_id,
                make=make,
                show=show,
                championship_id=championship.pk,
            )

        return write(request, do)


def _entry_id(view: ApiView, championship: Championship, said: Ref, field: str) -> int:
    return entry_named(view, championship, said, field)[1]


class PlaceSerializer(serializers.Serializer[Any]):
    """A place at a partie: whose it is, and who sits there instead; null and empty where nobody does."""

    place = serializers.CharField(help_text="`a1`: the first player of side A.")
    team = serializers.CharField()
    player = serializers.CharField()
    stand_in = serializers.IntegerField(source="stand_in_id", allow_null=True, help_text="The id of a player.")
    stand_in_name = serializers.CharField(source="stand_in")
    reason = serializers.CharField()


class WhoPlaysSerializer(serializers.Serializer[Any]):
    """Every place at a partie of teams, in the order of the seats."""

    partie = serializers.IntegerField()
    places = PlaceSerializer(many=True)


class WhoSits(Body):
    """Who plays at a place; null: the team's own player. A reason is due once a result is in."""

    place: str
    player: Ref | None
    reason: str = ""


class WhoPlaysView(ApiView):
    """Who plays at a partie."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="get_who_plays", tags=["parties"], responses={200: WhoPlaysSerializer, **problems(403, 404)}
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Who plays at a partie, for those who may look inside: the teams' own players, or others in their place."""
        row = partie_at(self.actor, slug, number)
        require(self.actor, Action.LOOK_INSIDE, row.championship)
        return Response(_who_plays(row))

    @describe_write(operation_id="stand_in", tags=["parties"], body=WhoSits, answers=WhoPlaysSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Note who sits in for a player of a team, or that nobody does."""
        said = body_as(request, WhoSits)

        def do() -> Written:
            running(self, slug)
            row = partie_at(self.actor, slug, number)
            check_state(request, lambda: _who_plays(row))
            place = next((one for one in places(partie=row) if one.place == said.place), None)
            if place is None:
                raise NotFound("not-found", _("There is no such place at this partie."))
            where: dict[str, Any] = {"partie_id": row.pk, "label": place.label, "position": place.position}
            where |= {"actor": self.actor, "reason": said.reason}
            if said.player is None:
                end_stand_in(**where)
            else:
                player_id = number_named(self, kind=ExternalKind.PLAYER, said=said.player, field="player")
                stand_in(**where, player_id=player_id)
            return Written(_who_plays(row))

        return write(request, do)


def _who_plays(row: Partie) -> Data:
    return WhoPlaysSerializer({"partie": row.number, "places": places(partie=row)}).data


class LinkSerializer(serializers.Serializer[Any]):
    """The secret link of a table: whoever has it speaks for a side there. `version`: 0 until it is renewed."""

    partie = serializers.IntegerField()
    version = serializers.IntegerField()
    url = serializers.URLField()


class LinkRenewal(Body):
    """The version of the link that was seen. It may be left out with If-Match."""

    version: int | None = None


class LinkView(ApiView):
    """The link of a table."""

    @extend_schema(
        operation_id="get_table_link", tags=["parties"], responses={200: LinkSerializer, **problems(403, 404)}
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The secret link of a table, as it stands on its slip: for those who may settle there."""
        row = partie_at(self.actor, slug, number)
        require(self.actor, Action.SETTLE, row.championship, row)
        return answer(LinkSerializer, _link(request, row))


class RenewLinkView(ApiView):
    """The link of a table, renewed."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="renew_table_link",
        tags=["parties"],
        body=LinkRenewal,
        answers=LinkSerializer,
        may_match=True,
        also=[428],
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Give a table another link: the old one is void. Of a version that is not the present one nothing is done."""
        said = body_as(request, LinkRenewal)

        def do() -> Written:
            row = partie_at(self.actor, slug, number)
            require(self.actor, Action.SETTLE, row.championship, row)
            lock_championship(pk=row.championship_id)
            check_state(request, lambda: _link(request, row))
            version = said.version
            if version is None:
                if not is_matched(request):
                    message = _("Say what you have seen: `version` of the link, or If-Match with its ETag.")
                    raise RequestFault("precondition-required", message, status=428, field="version")
                version = _version(row)
            renew_link(actor=self.actor, partie_id=row.pk, version=version)
            return Written(_link(request, partie_at(self.actor, slug, number)))

        def now(_said: Data) -> str:
            row = partie_at(self.actor, slug, number)
            require(self.actor, Action.SETTLE, row.championship, row)
            return str(_link(request, row)["url"])

        return write(request, do, secret=Secret("url", now))


def _version(row: Partie) -> int:
    link: TableLink | None = getattr(row, "link", None)
    return link.version if link is not None else 0


def _link(request: Request, row: Partie) -> Data:
    url = request.build_absolute_uri(table_address(row))
    return LinkSerializer({"partie": row.number, "version": _version(row), "url": url}).data

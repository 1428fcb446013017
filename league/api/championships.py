"""Championships: the public ones in a list, any that is no draft by its address; made, changed, finished."""

from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.rulebooks import RULEBOOKS
from league.api import pages, parameters
from league.api.championship_bodies import (
    ChampionshipChanges,
    NewChampionship,
    Resuming,
    changed_settings,
    new_settings,
)
from league.api.clubs import ClubId, with_club
from league.api.openapi import problems
from league.api.running import check_state, running
from league.api.views import ApiView, answer
from league.api.writing import Data, Nothing, Written, body_as, require_match, write
from league.api.writing_schema import describe_write
from league.models import (
    Championship,
    ChampionshipStatus,
    ClockEnd,
    Confirmation,
    DecidedBy,
    PartieEnd,
    Ranks,
    Scope,
    Substitution,
    Visibility,
)
from league.policy import Action, require
from league.selectors import lists
from league.selectors.championships import championship_view
from league.services.championships import (
    change_championship,
    change_keys,
    check_settings,
    create_championship,
    finish_championship,
    resume_championship,
)
from league.services.locks import lock_championship
from league.services.registrations import change_registration


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
    club_slug = serializers.CharField(allow_null=True)
    ranks = serializers.ChoiceField(Ranks.values, help_text="Who is ranked in teams of two.")
    confirm_minutes = serializers.IntegerField(
        allow_null=True, help_text="After them a result counts unless it is contested; null: it waits."
    )
    substitution = serializers.ChoiceField(Substitution.values, help_text="Who may stand in for a player.")
    substitution_limit = serializers.IntegerField(allow_null=True, help_text="Parties that a stand-in may play.")
    registration_opens_at = serializers.DateTimeField(allow_null=True, help_text="Null: nobody can register.")
    registration_closes_at = serializers.DateTimeField(allow_null=True)
    max_entries = serializers.IntegerField(allow_null=True)
    waiting_list = serializers.BooleanField(help_text="Whether people can wait when all places are taken.")
    clock_minutes = serializers.IntegerField(allow_null=True, help_text="Minutes of a round.")
    clock_at_end = serializers.ChoiceField(ClockEnd.values)


class ChampionshipsView(ApiView):
    """The public championships, and new ones."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True
    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

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
        find = partial(
            lists.championships,
            text=parameters.text(request, "q") or "",
            club=parameters.text(request, "club"),
            rulebook=parameters.choice(request, "rulebook", RULEBOOKS),
            status=parameters.choice(request, "status", ChampionshipStatus.values),
        )
        return pages.listing(request, ChampionshipListItemSerializer, pages.found_by(find, request))

    @describe_write(
        operation_id="add_championship",
        tags=["championships"],
        body=NewChampionship,
        answers=ChampionshipDetailSerializer,
        makes=True,
        s409="`slug-taken`: a championship has this address already.",
    )
    def post(self, request: Request) -> HttpResponse:
        """Make a championship that belongs to the token's user, a draft unless `visibility` says otherwise.

        What is left out is as usual in its rulebook: the first table, a partie to 5000 points, or of three manches.
        """
        asked, actor = body_as(request, NewChampionship), self.actor

        def do() -> Written:
            require(actor, Action.CREATE)

            def make(club: ClubId) -> Championship:
                settings = new_settings(asked, club)
                return create_championship(actor=actor, name=asked.name, slug=asked.slug, settings=settings)

            made = with_club(self, asked.club, asked.club_name, make)
            return Written(shown_championship(made.pk), 201, reverse("api-championship", args=(made.slug,)))

        return write(request, do)


class ChampionshipView(ApiView):
    """A championship."""

    writes: ClassVar = {"PATCH": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes"}

    @extend_schema(
        operation_id="get_championship",
        tags=["championships"],
        responses={200: ChampionshipDetailSerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A championship: how it is played and ranked."""
        return answer(ChampionshipDetailSerializer, championship_view(self.championship))

    @describe_write(
        operation_id="change_championship",
        tags=["championships"],
        body=ChampionshipChanges,
        answers=ChampionshipDetailSerializer,
        match=True,
        s409="What stands already: `results-in`, `entries-in`, `parties-in`, `stages-in`.",
    )
    def patch(self, request: Request, slug: str) -> HttpResponse:
        """Change settings of a championship; what is left out stays, but `house` is replaced as a whole.

        Other `keys` need a `reason`; the journal keeps it. Where `decided_by` changes, keys begin anew. How it is
        played is changed first, then when people may register, then the keys.
        """
        asked, actor = body_as(request, ChampionshipChanges), self.actor

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            require_match(request, shown_championship(championship.pk))
            on: dict[str, Any] = {"actor": actor, "championship_id": championship.pk, "version": None}

            def change(club: ClubId) -> None:
                settings, registration, keys = changed_settings(asked, club)
                check_settings(championship, {**settings, **registration, **keys}, reason=asked.reason)
                if settings:
                    change_championship(**on, settings=settings, reason=asked.reason)
                if registration:
                    change_registration(**on, settings=registration)
                if keys:
                    change_keys(**on, settings=keys, reason=asked.reason)

            with_club(self, asked.club, asked.club_name, change)
            return Written(shown_championship(championship.pk))

        return write(request, do)


class FinishView(ApiView):
    """A championship's end."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="finish_championship",
        tags=["championships"],
        answers=ChampionshipDetailSerializer,
        may_match=True,
        s409="`parties-open`: `parties` are; `unsettled`: a result waits for a decision.",
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """End a championship: nothing more is handed in, and its secret is shown. Finished already, it stays so."""
        body_as(request, Nothing)
        actor = self.actor

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            check_state(request, lambda: shown_championship(championship.pk))
            finish_championship(actor=actor, championship_id=championship.pk, version=None)
            return Written(shown_championship(championship.pk))

        return write(request, do)


class ResumeView(ApiView):
    """A finished championship that goes on."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="resume_championship",
        tags=["championships"],
        body=Resuming,
        answers=ChampionshipDetailSerializer,
        may_match=True,
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Take a finished championship up again, for a correction. Its secret has been seen."""
        asked, actor = body_as(request, Resuming), self.actor

        def do() -> Written:
            championship = running(self, slug, Action.CHANGE)
            check_state(request, lambda: shown_championship(championship.pk))
            resume_championship(actor=actor, championship_id=championship.pk, version=None, reason=asked.reason)
            return Written(shown_championship(championship.pk))

        return write(request, do)


def shown_championship(championship_id: int) -> Data:
    """A locked championship as its GET shows it."""
    view = championship_view(lock_championship(pk=championship_id))
    data: Data = ChampionshipDetailSerializer(view).data
    return data

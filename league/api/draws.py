"""Before a draw: where the championship stands, what must be decided first; tables of a knock-out that ended level."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.openapi import problems
from league.api.round_shapes import EntryOfRoundSerializer, RoundDetailSerializer
from league.api.rounds import RoundActionView
from league.api.running import for_who_draws
from league.api.views import ApiView, answer
from league.api.writing import Nothing, body_as
from league.api.writing_schema import describe_write
from league.models import Championship, RoundStatus
from league.selectors.bracket import level_tables
from league.selectors.players_of_round import Present, presence
from league.selectors.stages import now, still_open
from league.services.knockouts import can_play_extra, go_on_as_seeded, open_extra_manche


class PlayingSerializer(serializers.Serializer[Any]):
    """A partie of an earlier round that is open."""

    partie = serializers.IntegerField()
    table_number = serializers.IntegerField(allow_null=True)
    postponed = serializers.BooleanField(help_text="It holds up a knock-out only.")


class LevelTableSerializer(serializers.Serializer[Any]):
    """A table of a knock-out that ended level at the limit: of `entries` as many as `places` go on."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    entries = EntryOfRoundSerializer(many=True)
    places = serializers.IntegerField()
    partie = serializers.IntegerField(allow_null=True, help_text="Of one more manche, once it was opened.")
    is_final = serializers.BooleanField(help_text="They share the places unless they play on.")
    can_play_on = serializers.BooleanField(help_text="Whether so many can sit at one more manche.")


class BeforeDrawSerializer(serializers.Serializer[Any]):
    """Where a championship stands. `stage`, `following`: numbers of the stage that is played, and of the next one."""

    stage = serializers.IntegerField(allow_null=True)
    following = serializers.IntegerField(allow_null=True)
    next_round = serializers.IntegerField()
    drawn = serializers.IntegerField(help_text="Rounds of the stage so far, a draft too.")
    planned = serializers.IntegerField(allow_null=True, help_text="Rounds of the stage; null: nobody said.")
    is_over = serializers.BooleanField(help_text="All rounds of the stage are drawn.")
    draft = serializers.IntegerField(allow_null=True, help_text="The round that is a draft.")
    playing = PlayingSerializer(many=True)
    absent = EntryOfRoundSerializer(many=True, help_text="Announced not to play the next round.")
    awaited = EntryOfRoundSerializer(many=True, help_text="Neither checked in nor played yet, where others checked in.")
    level = LevelTableSerializer(many=True)


class BeforeDrawView(ApiView):
    """What stands before a draw."""

    @extend_schema(
        operation_id="get_draw", tags=["rounds"], responses={200: BeforeDrawSerializer, **problems(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Where a championship stands before its next draw, for who runs it."""
        return answer(BeforeDrawSerializer, _before_draw(for_who_draws(self, slug)))


def _before_draw(championship: Championship) -> Mapping[str, Any]:
    where = now(championship=championship)
    entries = presence(championship=championship, round_number=where.next_round, stage=where.stage)
    has_check_in = any(one.here for one in entries)
    is_draft = where.last is not None and where.last.status == RoundStatus.DRAFT
    playing = still_open(championship=championship, before=where.next_round)
    return {
        "stage": where.stage.number if where.stage else None,
        "following": where.following.number if where.following else None,
        "next_round": where.next_round,
        "drawn": where.drawn,
        "planned": where.planned,
        "is_over": where.is_over,
        "draft": where.last.number if where.last and is_draft else None,
        "playing": [{"partie": n, "table_number": table, "postponed": late} for n, table, late in playing],
        "absent": _named(one for one in entries if one.absent),
        "awaited": _named(one for one in entries if has_check_in and one.is_awaited and not one.absent),
        "level": [
            {
                "round": where.last.number if where.last else None,
                "table": table.number,
                "entries": table.entries,
                "places": table.places,
                "partie": table.opened,
                "is_final": table.is_final,
                "can_play_on": can_play_extra(championship, len(table.entries)),
            }
            for table in level_tables(championship=championship, where=where)
        ],
    }


def _named(entries: Iterable[Present]) -> list[tuple[int, str]]:
    return [(one.number, one.team) for one in entries]


class ExtraMancheView(RoundActionView):
    """One more manche."""

    @describe_write(operation_id="open_extra_manche", tags=["rounds"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int, table: int) -> HttpResponse:
        """Open one more manche for those level at the limit of a table of a knock-out; its first manche decides."""
        body_as(request, Nothing)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: open_extra_manche(actor=self.actor, round_id=round_.pk, table=table),
        )


class AsSeededView(RoundActionView):
    """Going on as seeded."""

    @describe_write(operation_id="go_on_as_seeded", tags=["rounds"], answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int, table: int) -> HttpResponse:
        """Let those level at the limit of a table go on by the better place with which they came into the stage."""
        body_as(request, Nothing)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: go_on_as_seeded(actor=self.actor, round_id=round_.pk, table=table),
        )

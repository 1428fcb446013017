"""What is read of a stage: who is in it, who comes into it, its tables, its bracket (STANDINGS 5)."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.championships import KeysSerializer
from league.api.openapi import problems
from league.api.shapes import shape
from league.api.views import ApiView, answer
from league.errors import NotFound
from league.models import Format, PartieStatus, RoundStatus, Standing
from league.policy import Action, may_see_drafts, require
from league.selectors.addresses import championship_at
from league.selectors.bracket import Bracket, bracket
from league.selectors.qualified import Coming, coming
from league.selectors.rounds import stage_at, stage_members
from league.selectors.stage_tables import StageTables, live_stage, published_stage
from league.selectors.windows import window_of


class StageEntrySerializer(serializers.Serializer[Any]):
    """An entry that is in a stage."""

    seed = serializers.IntegerField(help_text="Its place among those who came in, from 1.")
    entry = serializers.IntegerField()
    team = serializers.CharField()
    pool = serializers.IntegerField(allow_null=True)


class StageEntriesView(ApiView):
    """Who is in a stage."""

    @extend_schema(
        operation_id="list_stage_entries",
        tags=["stages"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(StageEntrySerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Who is in a stage, by seed. Nobody before its start."""
        stage = stage_at(championship=championship_at(self.actor, slug), number=number)
        return pages.listing(request, StageEntrySerializer, stage_members(stage=stage, asked=pages.asked(request)))


class ComingEntrySerializer(serializers.Serializer[Any]):
    """An entry that comes into a stage. `rank`: in its pool, or in the stage before; null where there is none."""

    entry = serializers.IntegerField()
    team = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)


class LevelSerializer(serializers.Serializer[Any]):
    """Entries level at the limit, of whom only `places` go on."""

    pool = serializers.IntegerField(allow_null=True)
    places = serializers.IntegerField()
    entries = ComingEntrySerializer(many=True)


class ComingSerializer(serializers.Serializer[Any]):
    """Who comes into a stage that was not started: `certain`, best first, and who is level at the limit."""

    certain = ComingEntrySerializer(many=True)
    level = LevelSerializer(many=True)


class ComingView(ApiView):
    """Who comes into a stage."""

    @extend_schema(operation_id="get_coming", tags=["stages"], responses={200: ComingSerializer, **problems(403, 404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Who comes into a stage that was not started, for who may look inside; 404 once it was."""
        championship = championship_at(self.actor, slug)
        require(self.actor, Action.LOOK_INSIDE, championship)
        stage = stage_at(championship=championship, number=number)
        if stage.started_at is not None:
            raise NotFound
        return answer(ComingSerializer, _coming(coming(championship=championship, stage=stage)))


def _coming(found: Coming) -> Mapping[str, Any]:
    def one(number: int) -> Mapping[str, Any]:
        return {"entry": number, "team": found.names[number], "rank": found.ranks.get(number)}

    level = [
        {"pool": each.pool, "places": each.places, "entries": [one(number) for number in each.numbers]}
        for each in found.level
    ]
    return {"certain": [one(number) for number in found.certain], "level": level}


class StageRowSerializer(serializers.Serializer[Any]):
    """A row of the table of a pool, or of a stage without pools; `rank` and `position` are those in that table."""

    pool = serializers.IntegerField(allow_null=True)
    position = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField()
    team = serializers.CharField()
    values = shape("Values")
    above_next_by = serializers.CharField(allow_null=True)
    why = shape("Why", allow_null=True)
    standing = serializers.ChoiceField(Standing.values)


def _rows(request: Request, found: StageTables) -> Response:
    """A page of the rows of a stage, pool by pool."""
    rows = [(table.pool, row) for table in found.tables for row in table.rows]
    items = [
        {"place": place, "pool": pool, "entry": row.number}
        | {
            name: getattr(row, name)
            for name in ("position", "rank", "team", "values", "above_next_by", "why", "standing")
        }
        for place, (pool, row) in enumerate(rows, 1)
    ]
    window = window_of(items, pages.asked(request), lambda item: (item["place"],))
    response = pages.listing(request, StageRowSerializer, window)
    response.data |= {
        "is_due": found.is_due,
        "computed_at": found.computed_at,
        "keys": found.keys,
        "names": found.names,
    }
    return response


def _table_page(name: str) -> Any:
    return pages.page_of(
        StageRowSerializer,
        name=name,
        is_due=serializers.BooleanField(help_text="Results came in that it does not count yet."),
        computed_at=serializers.DateTimeField(allow_null=True),
        keys=KeysSerializer(),
        names=serializers.DictField(child=serializers.CharField(), help_text="Of all entries spoken of here."),
    )


class StageRankingView(ApiView):
    """The table of a stage."""

    @extend_schema(
        operation_id="get_stage_ranking",
        tags=["stages"],
        parameters=pages.PARAMETERS,
        responses={200: _table_page("StageRow"), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The tables of a stage that has begun, pool by pool, in the live ranking."""
        return _rows(request, live_stage(championship=championship_at(self.actor, slug), stage=number))


class PublishedStageRankingView(ApiView):
    """The table of a stage in a published version."""

    @extend_schema(
        operation_id="get_published_stage_ranking",
        tags=["stages"],
        parameters=pages.PARAMETERS,
        responses={200: _table_page("PublishedStageRow"), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str, version: int, stage: int) -> Response:
        """The tables of a stage in a published version, frozen as they were."""
        championship = championship_at(self.actor, slug)
        return _rows(request, published_stage(championship=championship, version=version, stage=stage))


class BracketTableSerializer(serializers.Serializer[Any]):
    """A table of a knock-out. `went_on`, `out`: entries, best first; `level`: of whom `places` go on, if undecided."""

    number = serializers.IntegerField()
    partie = serializers.IntegerField(allow_null=True)
    sides = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    place = serializers.IntegerField(
        allow_null=True, help_text="The best place that is played for: 1 in the final; null: the first go on."
    )
    status = serializers.ChoiceField([*PartieStatus.values, RoundStatus.DRAFT.value])
    went_on = serializers.ListField(child=serializers.IntegerField())
    out = serializers.ListField(child=serializers.IntegerField())
    level = serializers.ListField(child=serializers.IntegerField())
    places = serializers.IntegerField()


class BracketRoundSerializer(serializers.Serializer[Any]):
    """A round of a knock-out; `byes` go on without playing."""

    number = serializers.IntegerField()
    status = serializers.ChoiceField(RoundStatus.values)
    tables = BracketTableSerializer(many=True)
    byes = serializers.ListField(child=serializers.IntegerField())


class SeedSerializer(serializers.Serializer[Any]):
    """An entry of a knock-out."""

    seed = serializers.IntegerField()
    entry = serializers.IntegerField()
    team = serializers.CharField()


class BracketSerializer(serializers.Serializer[Any]):
    """A knock-out as it stands: the first `through` of each table go on."""

    through = serializers.IntegerField()
    seeds = SeedSerializer(many=True)
    rounds = BracketRoundSerializer(many=True)


class BracketView(ApiView):
    """The bracket of a knock-out."""

    @extend_schema(operation_id="get_bracket", tags=["stages"], responses={200: BracketSerializer, **problems(404)})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The bracket of a stage that is a knock-out, round by round; its draft for who may see it."""
        championship = championship_at(self.actor, slug)
        stage = stage_at(championship=championship, number=number)
        if stage.format != Format.KNOCKOUT:
            raise NotFound
        with_draft = may_see_drafts(self.actor, championship)
        return answer(
            BracketSerializer, _bracket(bracket(championship=championship, stage=stage, with_draft=with_draft))
        )


def _bracket(found: Bracket) -> Mapping[str, Any]:
    seeds = [
        {"seed": seed, "entry": number, "team": found.names[number]}
        for number, seed in sorted(found.seeds.items(), key=lambda one: one[1])
    ]
    return {"through": found.through, "seeds": seeds, "rounds": found.rounds}

"""Rankings: the live one, the published versions, the journal that they count, and the document to recompute them."""

from functools import partial
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.championships import KeysSerializer
from league.api.openapi import problems
from league.api.problems import RequestFault
from league.api.shapes import shape
from league.api.views import ApiView
from league.models import Championship, Standing, What
from league.selectors import lists
from league.selectors.etapes import public_document
from league.selectors.ranking import RankingPage, live_ranking, version_page, versions
from league.selectors.ranking_at_round import last_round, ranking_at_round
from league.selectors.windows import window_of


class RankingRowSerializer(serializers.Serializer[Any]):
    """An entry's row (STANDINGS 7). `rank` is null for those under the minimum and the withdrawn."""

    position = serializers.IntegerField(help_text="In the list, from 1.")
    rank = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(source="number")
    team = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    values = shape("Values")
    above_next_by = serializers.CharField(allow_null=True)
    why = shape("Why", allow_null=True)
    standing = serializers.ChoiceField(Standing.values)
    played = serializers.IntegerField(help_text="Parties.")
    manches = serializers.IntegerField()
    stage = serializers.IntegerField(
        allow_null=True, help_text="Number of the stage that placed it (STANDINGS 5); null without stages."
    )
    pool = serializers.IntegerField(allow_null=True, help_text="Its pool in that stage; null without pools.")
    pool_rank = serializers.IntegerField(allow_null=True, help_text="Its rank in that pool.")


class MovedSerializer(serializers.Serializer[Any]):
    """An entry whose rank is not that of the version before; null: without a rank, or not there."""

    entry = serializers.IntegerField()
    to = serializers.IntegerField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With `from`, which no attribute may be called."""
        return {**super().get_fields(), "from": serializers.IntegerField(allow_null=True)}


class CauseSerializer(serializers.Serializer[Any]):
    """A ruling since the version before."""

    position = serializers.IntegerField()
    what = serializers.ChoiceField(What.values)
    partie = serializers.IntegerField(allow_null=True)
    manche = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()


class PublishedRankingSerializer(serializers.Serializer[Any]):
    """A published version: frozen, with what moved since the one before and why (STANDINGS 4)."""

    number = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF takes it off the class
    round = serializers.IntegerField(allow_null=True, help_text="As of this round; null: all.")
    rules_version = serializers.CharField()
    keys = KeysSerializer()
    journal_position = serializers.IntegerField(help_text="It counts the journal up to here.")
    note = serializers.CharField()
    moved = MovedSerializer(many=True)
    causes = CauseSerializer(many=True)
    at = serializers.DateTimeField()
    rows = serializers.IntegerField()


class JournalLineSerializer(serializers.Serializer[Any]):
    """A line of the journal of results; numbers are null where it does not speak of one."""

    position = serializers.IntegerField()
    what = serializers.ChoiceField(What.values)
    partie = serializers.IntegerField(allow_null=True)
    manche = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    at = serializers.DateTimeField()


def what_counts(found: RankingPage) -> dict[str, Any]:
    """What a ranking says of itself beside its rows: which results and which keys it counts."""
    return {
        "provisional": True,
        "is_due": found.is_due,
        "computed_at": found.computed_at,
        "journal_position": found.journal_position,
        "keys": found.keys,
        "names": found.names,
    }


def _part(request: Request) -> dict[str, int]:
    """Which part of a ranking is asked for."""
    asked = pages.asked(request)
    return {"number": pages.page_number(asked), "size": asked.size, "most": pages.most(request)}


def _round_asked(request: Request, championship: Championship) -> int | None:
    """The round as of which a ranking is asked for. Raises RequestFault `bad-parameter`, also for one yet to come."""
    asked = parameters.integer(request, "round")
    if asked is None:
        return None
    last = last_round(championship)
    if asked > last:
        message = _("There is no such round yet: the last one is %(last)s.") % {"last": last}
        raise RequestFault("bad-parameter", message, field="round")
    return asked


class RankingView(ApiView):
    """The live ranking."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    def rate(self, request: Request) -> str:
        """A ranking that is computed for the request is costly."""
        return "costly" if "round" in request.query_params else super().rate(request)

    @extend_schema(
        operation_id="get_ranking",
        tags=["rankings"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("round", int, description="As of this round, instead of the live ranking; costly."),
        ],
        responses={
            200: pages.page_of(
                RankingRowSerializer,
                round=serializers.IntegerField(allow_null=True, help_text="As of this round; null: the live ranking."),
                provisional=serializers.BooleanField(help_text="Always true: see the published versions."),
                is_due=serializers.BooleanField(help_text="Results came in that it does not count yet."),
                computed_at=serializers.DateTimeField(allow_null=True),
                journal_position=serializers.IntegerField(help_text="It counts the journal up to here."),
                keys=KeysSerializer(),
                names=serializers.DictField(child=serializers.CharField(), help_text="Of all entries spoken of here."),
            ),
            **problems(400, 404),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """The live ranking with why each stands above the next. Pages belong together while the ETag is the same.

        With `round` the ranking as of that round: the present results of the rounds up to it, computed for you.
        """
        part, at_round = _part(request), _round_asked(request, self.championship)
        if at_round is None:
            found = live_ranking(championship=self.championship, **part)
        else:
            found = ranking_at_round(championship=self.championship, up_to_round=at_round, **part)
        response = pages.listing(request, RankingRowSerializer, pages.window_of_page(found.page))
        response.data |= {"round": at_round, **what_counts(found)}
        return response


class PublishedRankingsView(ApiView):
    """Published versions."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    @extend_schema(
        operation_id="list_published_rankings",
        tags=["rankings"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(PublishedRankingSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The published versions, first to last."""
        found = list(reversed(versions(championship=self.championship)))
        window = window_of(found, pages.asked(request), lambda version: (version.number,))
        return pages.listing(request, PublishedRankingSerializer, window)


class PublishedRankingView(ApiView):
    """A published version."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    @extend_schema(
        operation_id="get_published_ranking",
        tags=["rankings"],
        parameters=pages.PARAMETERS,
        responses={
            200: pages.page_of(
                RankingRowSerializer,
                name="PublishedRankingRow",
                version=PublishedRankingSerializer(),
                names=serializers.DictField(child=serializers.CharField(), help_text="Of all entries spoken of here."),
            ),
            **problems(400, 404),
        },
    )
    def get(self, request: Request, slug: str, version: int) -> Response:
        """A published version with its rows, frozen as they were."""
        found = version_page(championship=self.championship, version=version, **_part(request))
        response = pages.listing(request, RankingRowSerializer, pages.window_of_page(found.page))
        response.data |= {"version": PublishedRankingSerializer(found.version).data, "names": found.names}
        return response


class JournalView(ApiView):
    """The journal of results."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True

    @extend_schema(
        operation_id="list_journal",
        tags=["rankings"],
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("after", int, description="Only lines after this position."),
            OpenApiParameter("what", str, enum=What.values),
        ],
        responses={200: pages.page_of(JournalLineSerializer), **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The journal of a championship in its order: all that changed what a ranking counts, under its positions."""
        find = partial(
            lists.journal,
            championship=self.championship,
            after_position=parameters.integer(request, "after", least=0),
            what=parameters.choice(request, "what", What.values),
        )
        return pages.listing(request, JournalLineSerializer, pages.found_by(find, request))


class ClassementView(ApiView):
    """The document that rankings are computed from."""

    stamped: ClassVar = True
    same_for_all: ClassVar = True
    rates: ClassVar = {"GET": "costly"}

    @extend_schema(
        operation_id="get_classement",
        tags=["rankings"],
        parameters=[OpenApiParameter("round", int, description="Only parties and byes of rounds up to this one.")],
        responses={200: {"type": "object"}, **problems(400, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A document `classement/1` (STANDINGS 7) of the results as they are, for anyone to recompute the ranking.

        Where the championship has stages, `etapes/1` (STANDINGS 5): a document `classement/1` for each pool.
        """
        return Response(public_document(self.championship, _round_asked(request, self.championship)))

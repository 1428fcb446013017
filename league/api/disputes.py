"""What waits for a decision: results that do not count yet, accepted together; disputes, their threads, their end."""

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.manche_seen import is_matched
from league.api.named import NUMBER_OR_OWN_ID, Number, Ref, number_asked, number_named, together
from league.api.openapi import problems
from league.api.problems import RequestFault
from league.api.shapes import shape
from league.api.views import ApiView
from league.api.writing import Body, Data, Written, body_as, check_match, stale, write
from league.api.writing_schema import describe_write
from league.models import Championship, ExternalKind, Scope, SettledHow
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.disputes import dispute_at
from league.selectors.waiting import WAITING, disputes, manches_at, waiting
from league.services.confirmation import accept_all
from league.services.disputes import decide, say
from league.services.locks import lock_championship
from league.wording import verdict_in_words

TAGS = ["rulings"]
MOST_ACCEPTED = 100
"""Results of one request: the championship is locked until all are done."""


class WaitingSerializer(serializers.Serializer[Any]):
    """A result that does not count yet. `by_side` is empty where somebody with an account handed it in."""

    partie = serializers.IntegerField()
    table_number = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField()
    manche = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField([str(state) for state in WAITING])
    settled_how = serializers.ChoiceField(["", *SettledHow.values])
    by_side = serializers.CharField()
    claim_ok = serializers.BooleanField(allow_null=True)
    claim_differences = serializers.ListField(child=shape("Difference", worded=True))
    at = serializers.DateTimeField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """With the `text` of each difference."""
        return verdict_in_words(super().to_representation(instance))


class WaitingView(ApiView):
    """Results that wait."""

    @extend_schema(
        operation_id="list_waiting_results",
        tags=TAGS,
        parameters=[
            *pages.PARAMETERS,
            OpenApiParameter("state", str, enum=[str(state) for state in WAITING]),
            OpenApiParameter("round", NUMBER_OR_OWN_ID),
        ],
        responses={200: pages.page_of(WaitingSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The results that wait to be confirmed, settled or decided, for those who may look inside; oldest first."""
        championship = _inside(self, slug)
        found = waiting(
            championship=championship,
            asked=pages.asked(request),
            state=parameters.choice(request, "state", [str(state) for state in WAITING]),
            round_number=number_asked(self, "round", ExternalKind.ROUND),
        )
        return pages.listing(request, WaitingSerializer, found)


class ListedResult(Body):
    """A result that was seen listed."""

    partie: Ref
    manche: Number
    version: Number


class ResultAcceptance(Body):
    """The results that are to count, as they were seen."""

    results: Annotated[list[ListedResult], msgspec.Meta(min_length=1, max_length=MOST_ACCEPTED)]


class AcceptedSerializer(serializers.Serializer[Any]):
    """What became of one. `why` it does not count, in the language of the answer; empty where it does."""

    partie = serializers.IntegerField()
    manche = serializers.IntegerField()
    counts = serializers.BooleanField()
    why = serializers.CharField()


class AcceptancesSerializer(serializers.Serializer[Any]):
    """What became of each, in the order in which they were sent."""

    results = AcceptedSerializer(many=True)


class AcceptView(ApiView):
    """Results accepted together."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="accept_results", tags=TAGS, body=ResultAcceptance, answers=AcceptancesSerializer)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Let results count that wait, each on its own: what was corrected or contested meanwhile stays as it is."""
        said = body_as(request, ResultAcceptance)

        def do() -> Written:
            championship = championship_at(self.actor, slug)
            require(self.actor, Action.SETTLE, championship)
            lock_championship(pk=championship.pk)
            return Written(_accepted(self, championship, said.results), etag=False)

        return write(request, do)


def _accepted(view: ApiView, championship: Championship, seen: list[ListedResult]) -> Data:
    kind = ExternalKind.PARTIE
    parties = together(
        partial(number_named, view, kind=kind, said=one.partie, field=f"results[{at}].partie")
        for at, one in enumerate(seen)
    )
    places = [(partie, one.manche) for partie, one in zip(parties, seen, strict=True)]
    manches = manches_at(championship=championship, places=places)
    listed = [(manches[place], one.version) for place, one in zip(places, seen, strict=True) if place in manches]
    accepted = {
        one.manche_id: one.fault for one in accept_all(actor=view.actor, championship_id=championship.pk, seen=listed)
    }
    missing = _("There is no such manche.")
    faults = [accepted[manches[place]] if place in manches else missing for place in places]
    lines = [
        {"partie": partie, "manche": manche, "counts": not why, "why": why}
        for (partie, manche), why in zip(places, faults, strict=True)
    ]
    return AcceptancesSerializer({"results": lines}).data


class DisputeLineSerializer(serializers.Serializer[Any]):
    """A dispute in a list. `teams` by seat label; `side` or `by` opened it; `messages`: how many."""

    id = serializers.IntegerField()
    partie = serializers.IntegerField()
    table_number = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField()
    manche = serializers.IntegerField()
    teams = serializers.DictField(child=serializers.CharField())
    side = serializers.CharField()
    by = serializers.CharField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    decision = serializers.CharField()
    messages = serializers.IntegerField()


class MessageSerializer(serializers.Serializer[Any]):
    """What somebody said: a side of the table by its label, or `by` somebody who runs the championship."""

    side = serializers.CharField()
    by = serializers.CharField()
    text = serializers.CharField()
    at = serializers.DateTimeField()


class SecondEntrySerializer(serializers.Serializer[Any]):
    """What a second person entered for the manche."""

    side = serializers.CharField()
    by = serializers.CharField()
    verdict = shape("Verdict")
    at = serializers.DateTimeField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """With the sentences in the language of the answer."""
        shown = super().to_representation(instance)
        return shown | {"verdict": verdict_in_words(shown["verdict"])}


class DisputeSerializer(serializers.Serializer[Any]):
    """A dispute with its thread, first message first. `result_version`: the version that is contested."""

    id = serializers.IntegerField()
    version = serializers.IntegerField()
    partie = serializers.IntegerField()
    manche = serializers.IntegerField()
    result_version = serializers.IntegerField()
    side = serializers.CharField()
    by = serializers.CharField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    closed_by = serializers.CharField()
    decision = serializers.CharField()
    messages = MessageSerializer(many=True)
    second_entries = SecondEntrySerializer(many=True, source="seconds")


class DisputesView(ApiView):
    """Disputes."""

    @extend_schema(
        operation_id="list_disputes",
        tags=TAGS,
        parameters=[*pages.PARAMETERS, OpenApiParameter("open", bool)],
        responses={200: pages.page_of(DisputeLineSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The disputes of a championship, for those who may look inside; oldest first."""
        championship = _inside(self, slug)
        is_open = parameters.truth(request, "open")
        found = disputes(championship=championship, asked=pages.asked(request), is_open=is_open)
        return pages.listing(request, DisputeLineSerializer, found)


class DisputeView(ApiView):
    """A dispute."""

    @extend_schema(operation_id="get_dispute", tags=TAGS, responses={200: DisputeSerializer, **problems(403, 404)})
    def get(self, request: Request, slug: str, dispute: int) -> Response:
        """A dispute with its thread, for those who may look inside."""
        return Response(_shown(_inside(self, slug), dispute))


class DisputeMessage(Body):
    """What is said to both sides."""

    text: str


class SayView(ApiView):
    """Something said in a dispute."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="say_in_dispute", tags=TAGS, body=DisputeMessage, answers=DisputeSerializer)
    def post(self, request: Request, slug: str, dispute: int) -> HttpResponse:
        """Say something to both sides in an open dispute. The same words again straight after are one message."""
        said = body_as(request, DisputeMessage)

        def do() -> Written:
            championship = _settling(self, slug, dispute)
            say(actor=self.actor, dispute_id=dispute, text=said.text)
            return Written(_shown(championship, dispute))

        return write(request, do)


class DisputeDecision(Body):
    """What becomes of a contested result. `version` of the dispute may be left out with If-Match."""

    how: Literal["stands", "second", "another_sheet"]
    reason: str
    version: Number | None = None


class DecideView(ApiView):
    """A dispute decided."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="decide_dispute",
        tags=TAGS,
        body=DisputeDecision,
        answers=DisputeSerializer,
        may_match=True,
        also=[428],
    )
    def post(self, request: Request, slug: str, dispute: int) -> HttpResponse:
        """Decide a dispute, which closes it; everybody may read the reason.

        `stands`: the result counts as it is; `second`: the second entry instead; `another_sheet`: the table hands in
        another one.
        """
        said = body_as(request, DisputeDecision)

        def do() -> Written:
            championship = _settling(self, slug, dispute)
            present = _shown(championship, dispute)
            check_match(request, present)
            version = said.version
            if version is None:
                if not is_matched(request):
                    message = _("Say what you have seen: `version` of the dispute, or If-Match with its ETag.")
                    raise RequestFault("precondition-required", message, status=428, field="version")
                version = present["version"]
            if version != present["version"]:
                raise stale(present, field="version")
            decide(actor=self.actor, dispute_id=dispute, version=version, how=said.how, reason=said.reason)
            return Written(_shown(championship, dispute))

        return write(request, do)


def _inside(view: ApiView, slug: str) -> Championship:
    championship = championship_at(view.actor, slug)
    require(view.actor, Action.LOOK_INSIDE, championship)
    return championship


def _settling(view: ApiView, slug: str, dispute: int) -> Championship:
    """The championship, locked, in which the actor may settle this dispute of it. Raises NotFound, NotPermitted."""
    championship = championship_at(view.actor, slug)
    require(view.actor, Action.SETTLE, championship)
    dispute_at(championship=championship, dispute_id=dispute)
    return lock_championship(pk=championship.pk)


def _shown(championship: Championship, dispute: int) -> Data:
    row, view = dispute_at(championship=championship, dispute_id=dispute)
    shown = {name: getattr(view, name) for name in view.__slots__}
    return DisputeSerializer(shown | {"partie": row.partie.number, "manche": row.number}).data

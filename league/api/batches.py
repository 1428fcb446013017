"""Batches: up to 10,000 items in one request, each saved or refused on its own line."""

import hashlib
from collections.abc import Iterator
from typing import Any, ClassVar, Final, cast

import msgspec
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages, parameters
from league.api.batch_lines import NDJSON, Body, received
from league.api.batch_work import work_off
from league.api.manches import as_is
from league.api.openapi import problems
from league.api.views import ApiView, answer
from league.api.writing import Written, idempotency_key, write
from league.api.writing_schema import describe_write
from league.errors import NotPermitted
from league.models import Batch, BatchState, Championship, ItemState, Scope, User
from league.policy import Action, may, require
from league.selectors import batches as found
from league.selectors.addresses import championship_at
from league.services.batch_waking import wake_batch, wake_stale
from league.services.batches import cancel_batch, send_batch
from league.services.once import answered_before, claim, in_progress, keep_answer

AT_ONCE: Final = 100
"""A batch of so many items at most is done in its request."""

SECONDS: Final = 10.0
"""How long a request works at its batch; what is left then is done as that of a long one."""

_NDJSON: Final = {"type": "string", "description": "Lines of JSON; each is a `BatchLine`."}
_ANSWERS: Final = {"type": "string", "description": "Lines of JSON; each is a `BatchItem`."}


class BatchSerializer(serializers.Serializer[Any]):
    """A batch: how far it has come.

    `counts` says how many items are in which state; `rest` how many seconds the rest may take, null while nothing is
    known of it. `answers_url`: what was answered up to now, as NDJSON.
    """

    id = serializers.IntegerField()
    championship = serializers.SlugField(allow_null=True)
    state = serializers.ChoiceField(BatchState.values)
    items = serializers.IntegerField()
    done = serializers.IntegerField(help_text="Items that have their answer.")
    counts = serializers.DictField(child=serializers.IntegerField())
    rest = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()
    items_url = serializers.SerializerMethodField()
    answers_url = serializers.SerializerMethodField()
    cancel_url = serializers.SerializerMethodField()

    def get_url(self, batch: found.FoundBatch) -> str:
        """Where it is looked at again."""
        return reverse("api-batch", args=(batch.id,))

    def get_items_url(self, batch: found.FoundBatch) -> str:
        """Its lines, in pages."""
        return reverse("api-batch-items", args=(batch.id,))

    def get_answers_url(self, batch: found.FoundBatch) -> str:
        """Its answers, as NDJSON."""
        return reverse("api-batch-answers", args=(batch.id,))

    def get_cancel_url(self, batch: found.FoundBatch) -> str | None:
        """Where it is stopped; null when it is over."""
        return None if batch.is_over else reverse("api-batch-cancel", args=(batch.id,))


@extend_schema_field({"type": ["object", "null"], "additionalProperties": True})
class _AnythingField(serializers.JSONField):
    """What the single write answered, as it was."""


class BatchItemSerializer(serializers.Serializer[Any]):
    """What became of a line. `status`, `location`, `data` or `problem` are those of the single write.

    `data` of a result is without its verdict, which stands at `location`. `failed`: a fault of this site.
    """

    line = serializers.IntegerField()
    state = serializers.ChoiceField(ItemState.values)
    status = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(allow_null=True, help_text="Of the problem; null without one.")
    location = serializers.CharField(allow_null=True)
    data = _AnythingField()  # type: ignore[assignment]  # DRF takes it off the class
    problem = _AnythingField()


_SEND: Final[dict[str, Any]] = {
    "tags": ["batches"],
    "parameters": [
        OpenApiParameter(
            "Idempotency-Key",
            str,
            OpenApiParameter.HEADER,
            description="1 to 100 visible characters of ASCII; the same batch sent again is not done again.",
        ),
        OpenApiParameter(
            "Prefer", str, OpenApiParameter.HEADER, description="`respond-async`: 202 for a short batch too."
        ),
        OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[202]),
        OpenApiParameter("Content-Location", str, OpenApiParameter.HEADER, response=[200]),
        OpenApiParameter("Idempotency-Replayed", bool, OpenApiParameter.HEADER, response=[200, 202]),
    ],
    "request": {NDJSON: _NDJSON},
    "responses": {
        (200, NDJSON): OpenApiResponse(_ANSWERS, description=f"All is done: at most {AT_ONCE} items."),
        (202, "application/json"): OpenApiResponse(BatchSerializer, description="It is being done."),
        **problems(400, 401, 403, 404, 409, 411, 413, 415, 422),
    },
}
_PAGE: Final = pages.page_of(BatchSerializer)
_LIST: Final[dict[str, Any]] = {
    "tags": ["batches"],
    "parameters": [*pages.PARAMETERS, OpenApiParameter("state", str, enum=BatchState.values)],
}


class _OwnView(ApiView):
    """Batches are their senders' own: nobody else sees that there are any."""

    def check_permissions(self, request: Request) -> None:
        if not request.user or not request.user.is_authenticated:
            raise NotAuthenticated
        super().check_permissions(request)

    def listed(self, request: Request, championship: Championship | None = None) -> Response:
        """The sender's batches, newest first."""
        window = pages.found_by(
            lambda asked: found.batches(
                actor=self.actor,
                asked=asked,
                championship_id=championship.pk if championship else None,
                state=parameters.choice(request, "state", BatchState.values),
            ),
            request,
        )
        return pages.listing(request, BatchSerializer, window)

    def get_renderers(self) -> list[BaseRenderer]:
        """What can be asked for: NDJSON where a batch is sent."""
        sends = self.request is not None and self.request.method == "POST"
        return [*super().get_renderers(), *([as_is(NDJSON)()] if sends else [])]

    def send(self, request: Request, championship: Championship | None = None) -> HttpResponse:
        """Keep a batch once, then do it, or have it done."""
        key, user = idempotency_key(request), cast(User, request.user)
        with received(request) as body:
            digest = hashlib.sha256(f"POST {request.path} {body.sha256}".encode()).hexdigest()
            with transaction.atomic():
                before = None
                if key:
                    claim(user=user, name=key)
                    before = answered_before(user=user, name=key, digest=digest)
                batch_id = before["batch"] if before else self._keep(request, body, championship)
                if key and before is None:
                    keep_answer(user=user, name=key, digest=digest, answer={"batch": batch_id})
        response = self._answer(request, batch_id, is_new=before is None)
        if before is not None:
            response["Idempotency-Replayed"] = "true"
        return response

    def _keep(self, request: Request, body: Body, championship: Championship | None) -> int:
        return send_batch(
            actor=self.actor,
            championship=championship,
            lines=body.lines(request),
            lanes=body.lanes,
            language=get_language() or settings.LANGUAGE_CODE,
        ).pk

    def _answer(self, request: Request, batch_id: int, *, is_new: bool) -> HttpResponse:
        batch = found.batch_at(self.actor, batch_id)
        wants_to_go = _prefers_async(request)
        if batch.item_count <= AT_ONCE and not wants_to_go:
            if work_off(batch_id, seconds=SECONDS):
                return _done(batch)
            if not is_new:
                raise in_progress()
        wake_batch(batch_id)
        response = HttpResponse(
            msgspec.json.encode(BatchSerializer(found.batch_view(batch)).data, enc_hook=str),
            status=202,
            content_type="application/json",
            headers={"Location": reverse("api-batch", args=(batch_id,)), "Cache-Control": "no-store"},
        )
        if wants_to_go:
            response["Preference-Applied"] = "respond-async"
        return response


class BatchesView(_OwnView):
    """Batches of a championship."""

    writes: ClassVar = {"POST": Scope.HAND_IN}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_batches_of_championship",
        responses={200: _PAGE, **problems(400, 401, 404)},
        **_LIST,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Your batches in a championship, newest first."""
        return self.listed(request, championship_at(self.actor, slug))

    @extend_schema(operation_id="send_batch", **_SEND)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Send a batch into a championship: results, players, clubs, teams, entries, parties, one a line.

        A token may send what it may write alone: results need `hand_in`, the rest `manage`. Each item is saved or
        refused on its own; those of a partie keep their order.
        """
        championship, actor = championship_at(self.actor, slug), self.actor
        if not may(actor, Action.HAND_IN, championship) and not may(actor, Action.RUN, championship):
            raise NotPermitted
        return self.send(request, championship)

    def check_permissions(self, request: Request) -> None:
        """Either scope of writing is good; each item asks for its own."""
        if request.method != "POST" or request.auth is None or Scope.MANAGE not in cast(Any, request.auth).scopes:
            super().check_permissions(request)


class AccountBatchesView(_OwnView):
    """Batches of the account."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(operation_id="list_batches", responses={200: _PAGE, **problems(400, 401)}, **_LIST)
    def get(self, request: Request) -> Response:
        """Your batches, newest first."""
        return self.listed(request)

    @extend_schema(operation_id="send_batch_of_account", **_SEND)
    def post(self, request: Request) -> HttpResponse:
        """Send a batch of players and clubs, one a line."""
        require(self.actor, Action.CREATE)
        return self.send(request)


class BatchView(_OwnView):
    """A batch."""

    @extend_schema(operation_id="get_batch", tags=["batches"], responses={200: BatchSerializer, **problems(401, 404)})
    def get(self, request: Request, batch: int) -> Response:
        """A batch of yours: how far it has come."""
        row = found.batch_at(self.actor, batch)
        if settings.CELERY_TASK_ALWAYS_EAGER:
            wake_stale()  # no beat does: it was left by a process that ended
        return answer(BatchSerializer, found.batch_view(row))


class BatchItemsView(_OwnView):
    """The lines of a batch."""

    @extend_schema(
        operation_id="list_batch_items",
        tags=["batches"],
        parameters=[*pages.PARAMETERS, OpenApiParameter("state", str, enum=ItemState.values)],
        responses={200: pages.page_of(BatchItemSerializer), **problems(400, 401, 404)},
    )
    def get(self, request: Request, batch: int) -> Response:
        """The lines of a batch with their answers, in their order.

        `failed` is a fault of this site: code `internal`, or `item-gave-up` where whoever worked at it broke off, again
        and again.
        """
        row = found.batch_at(self.actor, batch)
        state = parameters.choice(request, "state", ItemState.values)
        window = pages.found_by(lambda asked: found.items(batch=row, asked=asked, state=state), request)
        return pages.listing(request, BatchItemSerializer, window)


class BatchAnswersView(_OwnView):
    """The answers of a batch."""

    rates: ClassVar = {"GET": "costly", "HEAD": "costly"}

    renderer_classes = (as_is(NDJSON),)

    @extend_schema(
        operation_id="get_batch_answers",
        tags=["batches"],
        responses={(200, NDJSON): OpenApiResponse(_ANSWERS), **problems(401, 404)},
    )
    def get(self, request: Request, batch: int) -> HttpResponseBase:
        """The answers of a batch in the order of its lines, as NDJSON: while it is being done, those there are."""
        row = found.batch_at(self.actor, batch)
        return StreamingHttpResponse(_lines(row), content_type=NDJSON, headers={"Cache-Control": "no-store"})


class BatchCancelView(_OwnView):
    """Stopping a batch."""

    writes: ClassVar = {"POST": Scope.HAND_IN}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="cancel_batch",
        tags=["batches"],
        answers=BatchSerializer,
        s409="Every item has its answer:",
    )
    def post(self, request: Request, batch: int) -> HttpResponse:
        """Stop a batch of yours: what was done stays, what was not done is never done."""

        def do() -> Written:
            row = found.batch_at(self.actor, batch)
            stopped = cancel_batch(actor=self.actor, batch_id=row.pk)
            return Written(BatchSerializer(found.batch_view(stopped)).data)

        return write(request, do)

    def check_permissions(self, request: Request) -> None:
        """A token of either scope stops what it could send."""
        if request.auth is None or Scope.MANAGE not in cast(Any, request.auth).scopes:
            super().check_permissions(request)


def _prefers_async(request: Request) -> bool:
    said = request.META.get("HTTP_PREFER", "")
    return any(part.partition(";")[0].strip().lower() == "respond-async" for part in said.split(","))


def _done(batch: Batch) -> HttpResponse:
    headers = {"Content-Location": reverse("api-batch-answers", args=(batch.pk,)), "Cache-Control": "no-store"}
    return HttpResponse(b"".join(_lines(batch)), content_type=NDJSON, headers=headers)


def _lines(batch: Batch) -> Iterator[bytes]:
    for said in found.answers(batch=batch):
        yield msgspec.json.encode(said) + b"\n"

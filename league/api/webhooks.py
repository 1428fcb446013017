"""Webhooks of a championship, for whoever may change it: made, changed, stopped; what was sent and answered."""

import json
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import pages
from league.api.openapi import problems
from league.api.remembered import Secret
from league.api.views import ApiView, answer
from league.api.writing import Body, Changes, Data, Written, body_as, check_match, require_match, write
from league.api.writing_schema import describe_write
from league.delivery_words import WHY
from league.models import Championship, Delivery, DeliveryState, Scope, Webhook, WebhookState
from league.policy import Action, require
from league.selectors.webhooks import (
    KINDS,
    deliveries_window,
    delivery_at,
    webhook_at,
    webhooks_window,
)
from league.services import webhooks as service
from league.services.outward import LONGEST

_TAGS = ["webhooks"]

Url = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
Kind = Literal["championship", "entry", "team", "stage", "round", "partie", "ranking", "published-ranking"]


class WebhookSerializer(serializers.Serializer[Any]):
    """A webhook. `kinds`: which changes it is told of, none for all. By `secret` messages are signed."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(KINDS))
    state = serializers.ChoiceField(WebhookState.values, help_text="`failing`: a message did not arrive for days.")
    secret = serializers.CharField()
    created_at = serializers.DateTimeField()
    version = serializers.IntegerField()


class AttemptSerializer(serializers.Serializer[Any]):
    """An attempt to deliver. `error` is empty where it arrived; `answer` the beginning of what was answered."""

    at = serializers.DateTimeField()
    seconds = serializers.FloatField(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    error = serializers.ChoiceField(["", *WHY])
    answer = serializers.CharField(allow_blank=True)


class DeliverySerializer(serializers.Serializer[Any]):
    """A message to a webhook. `status` and `error`: what the last attempt came to. `next_at`: when it is tried."""

    message_id = serializers.CharField()
    position = serializers.IntegerField(help_text="Of the last change that it tells of; 0 for a test.")
    state = serializers.ChoiceField(DeliveryState.values)
    tries = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True)
    error = serializers.ChoiceField(["", *WHY])
    created_at = serializers.DateTimeField()
    next_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)


class DeliveryDetailSerializer(DeliverySerializer):
    """A message to a webhook with what it says, and the last attempts to deliver it, oldest first."""

    message = serializers.SerializerMethodField(help_text="The body, as JSON.")
    attempts = AttemptSerializer(many=True)

    def get_message(self, row: Delivery) -> dict[str, Any]:
        """What is sent."""
        said: dict[str, Any] = json.loads(row.body)
        return said


class NewWebhook(Body):
    """A webhook to be made: where to, and which changes (all)."""

    url: Url
    kinds: list[Kind] = msgspec.field(default_factory=list)


class WebhookChanges(Changes):
    """What a webhook is from now on."""

    url: Url | msgspec.UnsetType = msgspec.UNSET
    kinds: list[Kind] | msgspec.UnsetType = msgspec.UNSET


class Resumption(Body):
    """`skip`: leave out the message that was given up."""

    skip: bool = False


class _WebhookView(ApiView):
    """A view below a championship that its actor may change."""

    def found(self) -> Championship:
        """The championship. Raises NotFound, NotPermitted."""
        require(self.actor, Action.CHANGE, self.championship)
        return self.championship

    def act(
        self, request: Request, webhook: int, do: Callable[[Webhook], Webhook | None], *, match: bool
    ) -> HttpResponse:
        """Do something to a webhook under its lock, and answer with it, or 204."""

        def done() -> Written:
            row = service.lock_webhook(championship_id=self.found().pk, webhook_id=webhook)
            (require_match if match else check_match)(request, _shown(row))
            changed = do(row)
            return Written(None if changed is None else _shown(changed))

        return write(request, done, secret=self.secret())

    def secret(self) -> Secret:
        """The secret of a webhook that was answered, as it stands."""
        return Secret("secret", lambda said: webhook_at(self.found(), said["id"]).secret)


def _shown(row: Webhook) -> Data:
    data: Data = WebhookSerializer(row).data
    return data


class WebhooksView(_WebhookView):
    """The webhooks of a championship."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @extend_schema(
        operation_id="list_webhooks",
        tags=_TAGS,
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(WebhookSerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The webhooks of a championship, for a token that may manage it."""
        return pages.listing(request, WebhookSerializer, webhooks_window(self.found(), asked=pages.asked(request)))

    @describe_write(operation_id="make_webhook", tags=_TAGS, body=NewWebhook, answers=WebhookSerializer, makes=True)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Make a webhook: changes from now on are sent to it."""
        asked = body_as(request, NewWebhook)

        def do() -> Written:
            championship = self.found()
            made = service.make_webhook(
                actor=self.actor, championship_id=championship.pk, url=asked.url, kinds=asked.kinds
            )
            return Written(_shown(made), 201, reverse("api-webhook", args=(championship.slug, made.pk)))

        return write(request, do, secret=self.secret())


class WebhookView(_WebhookView):
    """A webhook."""

    writes: ClassVar = {"PATCH": Scope.MANAGE, "DELETE": Scope.MANAGE}
    rates: ClassVar = {"PATCH": "writes", "DELETE": "writes"}

    @extend_schema(operation_id="get_webhook", tags=_TAGS, responses={200: WebhookSerializer, **problems(403, 404)})
    def get(self, request: Request, slug: str, webhook: int) -> Response:
        """A webhook, for a token that may manage its championship."""
        return answer(WebhookSerializer, webhook_at(self.found(), webhook))

    @describe_write(
        operation_id="change_webhook", tags=_TAGS, body=WebhookChanges, answers=WebhookSerializer, match=True
    )
    def patch(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Give a webhook another address or other kinds. What waits goes to the new address."""
        said = body_as(request, WebhookChanges).said()

        def do(row: Webhook) -> Webhook:
            now = {"url": row.url, "kinds": row.kinds} | said
            return service.change_webhook(actor=self.actor, webhook_id=row.pk, version=None, **now)

        return self.act(request, webhook, do, match=True)

    @describe_write(operation_id="remove_webhook", tags=_TAGS, match=True)
    def delete(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Remove a webhook: what waits is never sent."""

        def do(row: Webhook) -> None:
            service.remove_webhook(actor=self.actor, webhook_id=row.pk, version=None)

        return self.act(request, webhook, do, match=True)


class PauseWebhookView(_WebhookView):
    """A webhook paused."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="pause_webhook", tags=_TAGS, answers=WebhookSerializer, may_match=True)
    def post(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Send nothing until it is resumed: what changes meanwhile waits."""

        def do(row: Webhook) -> Webhook:
            return service.pause_webhook(actor=self.actor, webhook_id=row.pk, version=None)

        return self.act(request, webhook, do, match=False)


class ResumeWebhookView(_WebhookView):
    """A webhook resumed."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="resume_webhook", tags=_TAGS, body=Resumption, answers=WebhookSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Send again, at once: first what was given up, unless it is skipped."""
        asked = body_as(request, Resumption)

        def do(row: Webhook) -> Webhook:
            return service.resume_webhook(actor=self.actor, webhook_id=row.pk, version=None, skip=asked.skip)

        return self.act(request, webhook, do, match=False)


class WebhookSecretView(_WebhookView):
    """A webhook's secret renewed."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="renew_webhook_secret", tags=_TAGS, answers=WebhookSerializer, match=True)
    def post(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Sign by another secret: for a day the one before signs besides."""

        def do(row: Webhook) -> Webhook:
            return service.renew_webhook_secret(actor=self.actor, webhook_id=row.pk, version=None)

        return self.act(request, webhook, do, match=True)


class _DeliveryView(_WebhookView):
    """A view that answers with a delivery that it has sent on its way."""

    def sent(self, request: Request, webhook: int, do: Callable[[Webhook], Delivery], *, status: int) -> HttpResponse:
        """Send something to a webhook, and answer with the delivery."""

        def done() -> Written:
            championship = self.found()
            row = do(webhook_at(championship, webhook))
            at = reverse("api-webhook-delivery", args=(championship.slug, webhook, row.message_id))
            return Written(DeliveryDetailSerializer(row).data, status, at if status == 201 else "")

        return write(request, done)


class WebhookTestView(_DeliveryView):
    """A test of a webhook."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="test_webhook", tags=_TAGS, answers=DeliveryDetailSerializer, makes=True)
    def post(self, request: Request, slug: str, webhook: int) -> HttpResponse:
        """Send a message that tells of no change, once, also to a webhook that is stopped."""

        def do(row: Webhook) -> Delivery:
            return service.send_test_message(actor=self.actor, webhook_id=row.pk)

        return self.sent(request, webhook, do, status=201)


class DeliveriesView(_WebhookView):
    """What was sent to a webhook."""

    @extend_schema(
        operation_id="list_deliveries",
        tags=_TAGS,
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(DeliverySerializer), **problems(400, 403, 404)},
    )
    def get(self, request: Request, slug: str, webhook: int) -> Response:
        """What was sent to a webhook, newest first; kept for 30 days."""
        window = deliveries_window(webhook_at(self.found(), webhook), asked=pages.asked(request))
        return pages.listing(request, DeliverySerializer, window)


class DeliveryView(_WebhookView):
    """A message to a webhook."""

    @extend_schema(
        operation_id="get_delivery",
        tags=_TAGS,
        responses={200: DeliveryDetailSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, slug: str, webhook: int, message: str) -> Response:
        """A message with what it says, and each attempt to deliver it."""
        return answer(DeliveryDetailSerializer, delivery_at(webhook_at(self.found(), webhook), message))


class ResendView(_DeliveryView):
    """A message sent again."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="resend_delivery", tags=_TAGS, answers=DeliveryDetailSerializer)
    def post(self, request: Request, slug: str, webhook: int, message: str) -> HttpResponse:
        """Send a message at once: one that waits does so no longer, any other goes once more."""

        def do(row: Webhook) -> Delivery:
            return service.send_again(actor=self.actor, webhook_id=row.pk, message_id=message)

        return self.sent(request, webhook, do, status=200)

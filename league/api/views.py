"""The base of every view of the API."""

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, ClassVar, cast

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api import conditional, tables, throttles
from league.api.identity import REALM, actor_of
from league.api.problems import RequestFault
from league.api.read_answers import answer_read
from league.api.reading import READ_METHODS, reading_of
from league.api.references import resolved
from league.models import ApiToken, Championship, Scope
from league.policy import Action, Actor, may
from league.selectors.addresses import championship_at


class ApiView(APIView):
    """Knows who asks, counts requests, and lets a method that writes be used with a token of its scope only.

    `writes`: the scope that each writing method needs. `rates`: the allowance that each method is counted against, if
    not `reads`. `stamped`: all that its GET answers stands in the feed of changes, below the championship of its
    address or, without one, anywhere: what is known is then answered 304 unread (league.api.conditional); of who may
    look inside, and sees what is not in the feed, only where the answer is the `same_for_all`.
    """

    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    writes: ClassVar[Mapping[str, Scope]] = {}
    rates: ClassVar[Mapping[str, str]] = {}
    stamped: ClassVar[bool] = False
    same_for_all: ClassVar[bool] = False

    allowance: throttles.Allowance | None = None

    @cached_property
    def actor(self) -> Actor:
        """Who asks: one value for the whole request, so that their role is asked for once."""
        return actor_of(self.request)

    @cached_property
    def championship(self) -> Championship:
        """The championship of the address, read once. Raises NotFound, also where the actor may not see it."""
        return championship_at(self.actor, self.kwargs["slug"])

    def stamp(self) -> conditional.Validators | None:
        """What tells this state of a stamped answer from the next, in few queries. Raises NotFound."""
        if not self.stamped:
            return None
        championship = self.championship if "slug" in self.kwargs else None
        actor = self.actor
        is_known = not self.same_for_all and actor.user is not None
        if is_known and (championship is None or may(actor, Action.LOOK_INSIDE, championship)):
            return None
        return conditional.by_stamp(self.request, championship, self.kwargs)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """As DRF's own, but that ids which programs gave are looked up between `initial` and the method."""
        self.args, self.kwargs = args, kwargs
        self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        try:
            self.initial(self.request, *args, **kwargs)
            method = (self.request.method or "").lower()
            handler = getattr(self, method, None) if method in self.http_method_names else None
            self.kwargs = resolved(self.actor, kwargs)
            run = partial(handler or self.http_method_not_allowed, self.request, *args, **self.kwargs)
            response = answer_read(self, run) if handler and self.request.method in READ_METHODS else run()
        except Exception as exc:  # noqa: BLE001 — handle_exception raises again what is no fault of a user
            response = self.handle_exception(exc)
        self.response = self.finalize_response(self.request, response, *args, **kwargs)
        return self.response

    def check_permissions(self, request: Request) -> None:
        """Ask for a token of the method's scope. What it may do, and where, is asked of policy by the method."""
        scope = self.writes.get(request.method or "")
        if scope is None:
            return
        if request.auth is None:
            raise NotAuthenticated
        if scope not in cast("ApiToken", request.auth).scopes:
            headers = {"WWW-Authenticate": f'{REALM}, error="insufficient_scope", scope="{scope}"'}
            message = _("This token was not made for that: it lacks the scope “%(scope)s”.") % {"scope": scope}
            raise RequestFault("insufficient-scope", message, status=403, extra={"scope": scope}, headers=headers)

    def check_throttles(self, request: Request) -> None:
        """Count the request. Raises the 429 of who has asked too much."""
        self.allowance = throttles.count(request, self.rate(request))
        self.allowance.require()

    def rate(self, request: Request) -> str:
        """The allowance that a request is counted against: a whole list as CSV is costly."""
        if request.method in READ_METHODS and request.accepted_media_type == tables.MEDIA:
            return "costly"
        return self.rates.get(request.method or "", "reads")

    def get_renderers(self) -> list[BaseRenderer]:
        """What can be asked for: every list as CSV too."""
        found = super().get_renderers()
        is_read = self.request is not None and self.request.method in READ_METHODS
        return [*found, tables.CsvRenderer()] if is_read and reading_of(self).is_list else found

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say what is left of the allowance, and who may keep the answer."""
        if self.allowance is not None:
            self.allowance.write(response)
        finished = super().finalize_response(request, response, *args, **kwargs)
        conditional.finish(request, finished)
        return finished


def answer(serializer: type[Any], value: Any) -> Response:
    """200 with a value as its serializer shapes it."""
    return Response(serializer(value).data)

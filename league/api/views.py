"""The base of every view of the API."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api import throttles
from league.api.identity import REALM, actor_of
from league.api.problems import RequestFault
from league.api.references import resolved
from league.models import ApiToken, Scope
from league.policy import Actor


class ApiView(APIView):
    """Knows who asks, counts requests, and lets a method that writes be used with a token of its scope only.

    `writes`: the scope that each writing method needs. `rates`: the allowance that each method is counted against, if
    not `reads`.
    """

    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    writes: ClassVar[Mapping[str, Scope]] = {}
    rates: ClassVar[Mapping[str, str]] = {}

    allowance: throttles.Allowance | None = None

    @property
    def actor(self) -> Actor:
        """Who asks."""
        return actor_of(self.request)

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
            response = (handler or self.http_method_not_allowed)(self.request, *args, **self.kwargs)
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
        self.allowance = throttles.count(request, self.rates.get(request.method or "", "reads"))
        self.allowance.require()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say what is left of the allowance."""
        if self.allowance is not None:
            self.allowance.write(response)
        return super().finalize_response(request, response, *args, **kwargs)


def unchanged(request: Request, etag: str) -> HttpResponseBase | None:
    """The 304 or 412 of a request that knows this state already, or asks for another one; else None."""
    answered: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)  # noqa: SLF001
    if answered is not None:
        answered["ETag"] = etag
    return answered


def answer(serializer: type[Any], value: Any, *, etag: str | None = None) -> Response:
    """200 with a value as its serializer shapes it."""
    headers = {} if etag is None else {"ETag": etag, "Cache-Control": "no-cache"}
    return Response(serializer(value).data, headers=headers)

"""Every error of the API as problem+json (RFC 9457), made here and nowhere else.

`answer_fault` is DRF's exception handler: what views raise. The functions at the end are Django's handlers: what
happens before a view is found, and our bugs; outside /api/ they answer with a page for people.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework import exceptions

from league.api.missing import what_is_missing
from league.api.problem_types import title_of
from league.errors import NotFound, NotPermitted, UserFault
from league.policy import ANYBODY
from league.selectors.windows import BadKeyError

MEDIA = "application/problem+json"
PREFIX = "/api/"


class RequestFault(UserFault):
    """A fault of the request itself, found at the door. `headers` go into the answer."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 400,
        field: str | None = None,
        extra: dict[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, message, field=field, extra=extra)
        self.status = status  # type: ignore[misc]  # the class's is that of services' faults
        self.headers = headers or {}


def answer_fault(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The answer to what a view raised; None for a bug, which Django logs and hands to `server_error`."""
    fault = exc if isinstance(exc, UserFault) else _as_fault(exc, context)
    if fault is None:
        return None
    if isinstance(fault, NotFound) and not fault.says_what:
        fault = what_is_missing(getattr(context["view"], "actor", ANYBODY), context["request"].resolver_match)
    return problem(context["request"], fault, getattr(fault, "headers", {}))


def problem(
    request: Any, fault: UserFault, headers: Mapping[str, str] | None = None, *, status: int | None = None
) -> HttpResponse:
    """A fault as problem+json. `status`: where it is not that of the fault's class."""
    status = status or fault.status
    body: dict[str, Any] = {
        "type": f"{reverse('api-problems')}#{fault.code}",
        "title": title_of(fault.code, status),
        "status": status,
        "code": fault.code,
        "detail": str(fault.message),
        "request_id": getattr(request, "request_id", ""),
    }
    if fault.field is not None:
        body["field"] = fault.field
    if tuple(fault.faults) != (fault,):
        body["errors"] = _each(fault.faults)
    body |= fault.extra
    response = HttpResponse(msgspec.json.encode(body), status=status, content_type=MEDIA, headers=headers)
    response["Cache-Control"] = "no-store"
    return response


def _each(faults: Sequence[UserFault]) -> list[dict[str, Any]]:
    return [{"code": one.code, "field": one.field, "detail": str(one.message)} for one in faults]


def _as_fault(exc: Exception, context: Mapping[str, Any]) -> UserFault | None:
    """What DRF and Django raise, as one of our faults; None for anything else."""
    request, view = context["request"], context["view"]
    headers = {"WWW-Authenticate": getattr(exc, "auth_header", "")} if getattr(exc, "auth_header", None) else {}
    match exc:
        case exceptions.AuthenticationFailed():
            message = _("This token is unknown, revoked or expired. Ask for another one.")
            headers = {"WWW-Authenticate": f'{headers.get("WWW-Authenticate", "Bearer")}, error="invalid_token"'}
            return RequestFault("invalid-token", message, status=401, headers=headers)
        case exceptions.NotAuthenticated():
            message = _("Show a token: Authorization: Bearer bornage_…")
            return RequestFault("not-authenticated", message, status=401, headers=headers)
        case exceptions.PermissionDenied() | PermissionDenied():
            return NotPermitted()
        case exceptions.NotFound() | Http404():
            return NotFound()
        case exceptions.MethodNotAllowed():
            return method_not_allowed(request.method, view.allowed_methods)
        case exceptions.NotAcceptable():
            return not_acceptable(renderer.media_type for renderer in view.get_renderers())
        case BadKeyError():
            return bad_cursor()
    return None


def method_not_allowed(method: str | None, allowed: Sequence[str]) -> RequestFault:
    """The fault of a method that an address does not take."""
    message = _("%(method)s cannot be used here.") % {"method": method}
    return RequestFault("method-not-allowed", message, status=405, headers={"Allow": ", ".join(allowed)})


def bad_cursor() -> RequestFault:
    """The fault of a cursor that is not one of its list's."""
    message = _("Begin anew without a cursor, then follow `next`.")
    return RequestFault("bad-cursor", message, field="cursor")


def not_acceptable(offered: Any) -> RequestFault:
    """The fault of an Accept header that asks for nothing that is `offered` here (media types)."""
    offered = list(offered)
    message = _("This can be had as %(types)s.") % {"types": ", ".join(offered)}
    return RequestFault("not-acceptable", message, status=406, extra={"offered": offered})


# ---- Django's handlers -----------------------------------------------------------------------------------------------


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 where no address fits."""
    if request.path.startswith(PREFIX):
        return problem(request, NotFound(message=_("There is no such address.")))
    return defaults.page_not_found(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 before a view was reached."""
    if request.path.startswith(PREFIX):
        return problem(request, NotPermitted())
    return defaults.permission_denied(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: a request that Django itself finds suspicious."""
    if request.path.startswith(PREFIX):
        return problem(request, RequestFault("bad-request", _("The request cannot be understood.")))
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: a bug of ours, which stands in the log under the request's id."""
    if request.path.startswith(PREFIX):
        message = _("Something went wrong here, and nothing was changed. Tell us the request_id.")
        return problem(request, RequestFault("internal", message, status=500))
    return defaults.server_error(request)

"""A write of the API done inside of another one: the view of its address, asked without a web server.

So an item of a batch is read, judged and answered by what reads, judges and answers the single write, with the rights
of its token. What a web server and the middlewares add is left out; requests are counted where the batch came in.
"""

from functools import cache
from io import BytesIO
from typing import Any, ClassVar, cast

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.urls import resolve
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.bodies import JSON
from league.api.views import ApiView
from league.models import ApiToken, User
from league.policy import Actor


class _ActsAs(BaseAuthentication):
    """Whoever the batch belongs to, proved when it came in and looked at again by who works at it."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def authenticate(self, request: Request) -> tuple[User, ApiToken | None]:
        return cast(User, self.actor.user), self.actor.token


class _Inside(ApiView):
    acts_as: ClassVar[Actor] = Actor()

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [_ActsAs(self.acts_as)]

    def check_throttles(self, request: Request) -> None:
        return


def post(actor: Actor, address: str, body: bytes) -> HttpResponse:
    """The answer to a POST of this JSON by this actor, in the language that is active; a fault is its problem.

    What the view writes stands in the caller's transaction. Raises what is no fault of a user.
    """
    match = resolve(address)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": address,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": actor.ip or "",
        "CONTENT_TYPE": JSON,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    request = WSGIRequest(environ)
    request.resolver_match = match
    request.request_id = actor.request_id  # type: ignore[attr-defined]
    view = _inside(cast(Any, match.func).cls).as_view(acts_as=actor)
    response = view(request, *match.args, **match.kwargs)
    return cast(HttpResponse, response.render() if isinstance(response, Response) else response)


@cache
def _inside(view: type[ApiView]) -> type[ApiView]:
    return type(f"Inside{view.__name__}", (_Inside, view), {})

"""Who a program is: a token, or for reading the session of a browser."""

from typing import Any, cast

from django.contrib.auth import get_user
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from league.models import ApiToken, User
from league.policy import Actor
from league.services.tokens import is_still_good, token_user
from league.visitor import address_of

REALM = 'Bearer realm="bornage"'


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer bornage_…` (RFC 6750). A token that is not good is refused, also where none is needed."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user and the token; None without one."""
        scheme, _sep, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = token_user(text.strip())
        if token is None:
            raise AuthenticationFailed
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 says is wanted."""
        return REALM


class SessionForReading(BaseAuthentication):
    """Who is signed in in a browser may read what they may see; writing takes a token."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """The session's user, for a read; None otherwise."""
        if request.method not in ("GET", "HEAD"):
            return None
        user = cast(Any, request)._request.user  # noqa: SLF001 — DRF's own SessionAuthentication reads it so
        return (user, None) if user.is_authenticated else None


def require_still_known(request: Request) -> None:
    """Ask again who it is that a long request is answered to: one small query, of a session two.

    Raises AuthenticationFailed when the token was revoked, has expired, or its account was closed; NotAuthenticated
    when the session has ended.
    """
    if request.auth is not None:
        if not is_still_good(cast("ApiToken", request.auth)):
            raise AuthenticationFailed
    elif request.user is not None and request.user.is_authenticated:
        asked = cast(Any, request)._request  # noqa: SLF001 — as above
        if not asked.session.exists(asked.session.session_key) or not get_user(asked).is_authenticated:
            raise NotAuthenticated


def actor_of(request: Request) -> Actor:
    """Who asks, for policy, services and the audit."""
    user = cast("User | Any", request.user)
    return Actor(
        user=user if user is not None and user.is_authenticated else None,
        token=cast("ApiToken | None", request.auth),
        ip=address_of(request),
        request_id=getattr(request, "request_id", ""),
    )

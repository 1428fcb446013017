"""How a view writes: body in, one transaction, answer out; the same request again is answered as the first time.

A method that writes calls `write(request, do)`. `do` asks policy, calls services and returns what to answer; it
runs in one transaction with the memory of its answer, so that a request whose answer got lost can be sent again:

    Idempotency-Key     of the token's user, on every writing method: the same key and request get the same answer,
                        refusals (409, 422) too; 409 `in-progress` while the first is under way, 422 `key-reused` with
                        another request; secrets are not kept (league.api.remembered)
    If-Match            `require_match` where something is changed or taken away: 428 without it, 412 with `present`
    external ids        `made_once` where something is made: the same request again finds it

What is answered is JSON; a resource comes with the ETag that If-Match asks for.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import msgspec
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.bodies import read_json
from league.api.body_faults import ambiguity, body_fault
from league.api.conditional import etag_of
from league.api.problems import MEDIA, RequestFault, problem
from league.api.remembered import GONE, Secret, whole, without
from league.api.views import ApiView
from league.errors import Conflict, UserFault
from league.models import ApiToken, User
from league.selectors.external_ids import object_named
from league.services.external_ids import check_external_id, name_thing
from league.services.once import answered_before, claim, keep_answer

T = TypeVar("T")

Data = Mapping[str, Any]
"""A thing as its GET shows it, in JSON's types."""

_KEY = re.compile(r"[\x21-\x7e]{1,100}")
_DEADLOCK = "40P01"
_TURNS = 2
_REMEMBERED_FAULTS = frozenset({409, 422})
_OF_THE_KEY = frozenset({"in-progress", "key-reused", GONE})


class Body(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The base of what bodies are read into: a member that is not known is refused."""


class Changes(Body):
    """The base of a PATCH: what is left out stays. Give each member `= msgspec.UNSET`."""

    def said(self) -> dict[str, Any]:
        """The members that were sent."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not msgspec.UNSET}


class Nothing(Body):
    """No member: nothing needs to be said."""


class Reason(Body):
    """Why it is done: everybody may read it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Written:
    """What to answer: `data` is the thing as its GET shows it; None: 204. `etag`: whether data is such a thing."""

    data: Data | None
    status: int = 200
    location: str = ""
    etag: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)


def body_as(request: Request, kind: type[T]) -> T:
    """The body, read strictly into a struct; an empty body is `{}`.

    Raises RequestFault 415, 400 `malformed-body`; BadBody with all members at fault; TooLarge.
    """
    return decoded(read_json(request) or b"{}", kind)


def raw_members(said: Any) -> list[bytes]:
    """What a struct keeps byte for byte of the body that it was read from."""
    members = (getattr(said, name) for name in getattr(said, "__struct_fields__", ()))
    return [bytes(member) for member in members if isinstance(member, msgspec.Raw)]


def decoded(text: bytes, kind: type[T], *, kept: Callable[[T], list[bytes]] = raw_members) -> T:
    """JSON read strictly into a struct. Raises as `body_as` does of what it says.

    `kept`: what of the text is kept as it is, and judged where it is used.
    """
    try:
        said = msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise body_fault(text, kind, error) from None
    unclear = ambiguity(_without(text, kept(said)))
    if unclear is not None:
        raise unclear
    return said


def _without(text: bytes, kept: list[bytes]) -> bytes:
    """A body with zeros for these objects in it: all other places stay as they are."""
    for one in kept:
        if one.startswith((b"{", b"[")):
            text = text.replace(one, b"0".ljust(len(one.decode())))
    return text


def require_match(request: Request, data: Data) -> None:
    """Ask that the sender has read what it changes. Call it with what is there, below the lock of the change.

    Raises RequestFault 428 `precondition-required` without If-Match; 412 `stale` with `present` and its `etag`.
    """
    said = request.META.get("HTTP_IF_MATCH")
    if said is None:
        message = _("Say which state you change: If-Match with the ETag of your last GET, or * for any.")
        raise RequestFault("precondition-required", message, status=428, field="If-Match")
    check_match(request, data)


def check_match(request: Request, data: Data) -> None:
    """As `require_match`, for what may be done without If-Match too."""
    said = request.META.get("HTTP_IF_MATCH")
    if said is None or said.strip() == "*":
        return
    if etag_of(data) not in parse_etags(said):
        raise stale(data)


def stale(present: Data, *, field: str = "If-Match") -> RequestFault:
    """The 412 of who has seen another state than what is there now."""
    etag = etag_of(present)
    message = _("Somebody has changed this in the meantime: `present` is what is there now.")
    extra = {"present": present, "etag": etag}
    return RequestFault("stale", message, status=412, field=field, extra=extra, headers={"ETag": etag})


def made_once(
    view: ApiView,
    request: Request,
    *,
    kind: str,
    external_id: str | None,
    make: Callable[[], int],
    show: Callable[[int], tuple[Data, str]],
    championship_id: int | None = None,
) -> Written:
    """Make a thing and give it its external id, or find what the same request made before.

    `make` returns the thing's id, `show` from an id its data and address. Answers 201; 200 when it was there. Raises
    Conflict `external-id-taken` with `present` when the id stands for what another request made.
    """
    if external_id is None:
        data, location = show(make())
        return Written(data, 201, location)
    check_external_id(external_id)
    digest = _digest(request)
    before = _made_before(view, kind, external_id, digest, show)
    if before is not None:
        return before
    try:
        with transaction.atomic():
            object_id = make()
            name_thing(
                actor=view.actor,
                kind=kind,
                object_id=object_id,
                external_id=external_id,
                championship_id=championship_id,
                request_sha256=digest,
            )
    except Conflict:  # perhaps with what the same request has made at this very moment
        before = _made_before(view, kind, external_id, digest, show)
        if before is None:
            raise
        return before
    data, location = show(object_id)
    return Written(data, 201, location)


def _made_before(
    view: ApiView, kind: str, external_id: str, digest: str, show: Callable[[int], tuple[Data, str]]
) -> Written | None:
    """What stands under an external id, if the same request made it; None if nothing does."""
    slug = view.kwargs.get("slug")
    found = object_named(actor=view.actor, slug=slug, kind=kind, external_id=external_id)
    if found is None:
        return None
    data, location = show(found.object_id)
    if found.request_sha256 != digest:
        message = _("This external id stands for another thing, which `present` shows.")
        extra = {"present": data, "etag": etag_of(data), "location": location}
        raise Conflict("external-id-taken", message, field="external_id", extra=extra)
    return Written(data, 200, location)


def write(request: Request, do: Callable[[], Written], *, secret: Secret | None = None) -> HttpResponse:
    """Do what a request asks for, once, in one transaction, and answer. `secret`: what of the answer is one.

    Two that wait for each other (new external ids in opposite order): the database ends one, which is done again.
    """
    for _turn in range(_TURNS):
        try:
            return _write(request, do, secret)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != _DEADLOCK or connection.in_atomic_block:
                raise
    return _write(request, do, secret)


def answered_already(request: Request) -> HttpResponse | None:
    """The answer to a request whose key is known, for a view that would else do much before it writes; None if not.

    Raises KeyReused. What is under way at this very moment is not known yet: `write` asks again. Not for answers with
    secrets.
    """
    key = idempotency_key(request)
    if not key:
        return None
    before = answered_before(user=cast(User, request.user), name=key, digest=_digest(request, _reach(request)))
    return None if before is None else _response(before, replayed=True)


def _write(request: Request, do: Callable[[], Written], secret: Secret | None) -> HttpResponse:
    key = idempotency_key(request)
    if not key:
        with transaction.atomic():
            return _response(_plain(do()))
    user = cast(User, request.user)
    digest = _digest(request, _reach(request))
    try:
        with transaction.atomic():
            claim(user=user, name=key)
            before = answered_before(user=user, name=key, digest=digest)
            if before is not None:
                return _response(whole(before, secret), replayed=True)
            answer = _plain(do())
            keep_answer(user=user, name=key, digest=digest, answer=without(answer, secret))
            return _response(answer)
    except UserFault as fault:
        if fault.status not in _REMEMBERED_FAULTS or fault.code in _OF_THE_KEY:
            raise
        refused = problem(request, fault)
        answer = {"status": refused.status_code, "media": MEDIA, "headers": {}, "body": refused.content.decode()}
        with transaction.atomic():
            keep_answer(user=user, name=key, digest=digest, answer=answer)
        return _response(answer)


def idempotency_key(request: Request) -> str:
    """The key as a quoted text (the header's draft) or bare, as many clients send it; empty without one."""
    said = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if said is None:
        return ""
    key: str = said[1:-1] if len(said) > 1 and said[0] == said[-1] == '"' else said
    if _KEY.fullmatch(key) is None:
        message = _("A key is 1 to 100 visible characters of ASCII.")
        raise RequestFault("bad-idempotency-key", message, field="Idempotency-Key")
    return key


def _reach(request: Request) -> int | None:
    """The championship to which a token is bound: what is remembered of one is answered to no token of another."""
    return None if request.auth is None else cast(ApiToken, request.auth).championship_id


def _digest(request: Request, *besides: int | None) -> str:
    """What makes two requests the same: method, address, If-Match and body."""
    head = [request.method, request.get_full_path(), request.META.get("HTTP_IF_MATCH", ""), *besides]
    return hashlib.sha256(msgspec.json.encode(head) + b"\n" + read_json(request)).hexdigest()


def _plain(written: Written) -> dict[str, Any]:
    headers = dict(written.headers)
    if written.location:
        headers["Location"] = written.location
    if written.data is None:
        return {"status": 204, "media": "", "headers": headers, "body": ""}
    if written.etag:
        headers["ETag"] = etag_of(written.data)
    body = msgspec.json.encode(written.data).decode()
    return {"status": written.status, "media": "application/json", "headers": headers, "body": body}


def _response(answer: Mapping[str, Any], *, replayed: bool = False) -> HttpResponse:
    response = HttpResponse(answer["body"].encode(), status=answer["status"], headers=answer["headers"])
    if answer["media"]:
        response["Content-Type"] = answer["media"]
    else:
        del response["Content-Type"]
    response["Cache-Control"] = "no-store"
    if replayed:
        response["Idempotency-Replayed"] = "true"
    return response

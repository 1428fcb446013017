"""The items of a batch: one line of JSON each, told by its one member, done and answered as the single write is.

result                        a log or a sheet for a manche        of a championship
player, club                  the body of POST /players, /clubs    anywhere
team, entry, partie           the body of POST …/teams …           of a championship
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.api import inside
from league.api.hand_in import recorded, refused
from league.api.writing import Body, decoded, raw_members
from league.errors import UserFault
from league.models import ItemState
from league.policy import Actor
from league.services.pushed import Pushed, push

Raw = msgspec.Raw | msgspec.UnsetType

Deed = Callable[[Actor], HttpResponse]
"""Does an item with the rights of this actor. Raises UserFault."""

_OF_ACCOUNT: Final[Mapping[str, str]] = {"player": "api-players", "club": "api-clubs"}
_OF_CHAMPIONSHIP: Final[Mapping[str, str]] = {"team": "api-teams", "entry": "api-entries", "partie": "api-parties"}


class PushedResult(Body):
    """A log or a sheet with what it is for: the members of POST …/results, as JSON.

    `log`: a log in JSON, kept byte for byte, or in the text writing as a string. `sheet`: a score sheet.
    """

    partie: int | str | None = None
    manche: int | str | None = None
    external_id: str = ""
    log: Raw = msgspec.UNSET
    sheet: Raw = msgspec.UNSET
    reason: str = ""
    replaces: int | None = None


class _Documents(msgspec.Struct):
    log: Raw = msgspec.UNSET
    sheet: Raw = msgspec.UNSET


class BatchLine(Body):
    """A line of a batch: one of these members. What each of them takes is said where it is written alone."""

    result: Raw = msgspec.UNSET
    player: Raw = msgspec.UNSET
    club: Raw = msgspec.UNSET
    team: Raw = msgspec.UNSET
    entry: Raw = msgspec.UNSET
    partie: Raw = msgspec.UNSET


def read_item(text: bytes, slug: str | None) -> Deed:
    """What a line asks for, in the championship at `slug` or, without one, in the account. Raises UserFault."""
    line = decoded(text, BatchLine, kept=_documents)
    said = {name: value for name in line.__struct_fields__ if (value := getattr(line, name)) is not msgspec.UNSET}
    if len(said) != 1:
        message = _("An item has one member, which says what it is: %(kinds)s.")
        raise UserFault("bad-field", message % {"kinds": ", ".join(line.__struct_fields__)})
    ((kind, raw),) = said.items()
    body = bytes(raw)
    if kind in _OF_ACCOUNT:
        return lambda actor: inside.post(actor, reverse(_OF_ACCOUNT[kind]), body)
    if slug is None:
        message = _("This belongs to a championship: send it to the championship's own batches.")
        raise UserFault("bad-field", message, field=kind)
    if kind in _OF_CHAMPIONSHIP:
        return lambda actor: inside.post(actor, reverse(_OF_CHAMPIONSHIP[kind], args=(slug,)), body)
    return _result(body, slug)


def _documents(line: BatchLine) -> list[bytes]:
    """The log or sheet in a line, which is kept byte for byte."""
    if line.result is msgspec.UNSET:
        return []
    try:
        return raw_members(msgspec.json.decode(line.result, type=_Documents))
    except msgspec.MsgspecError:
        return []


def _result(body: bytes, slug: str) -> Deed:
    said = decoded(body, PushedResult)
    pushed = Pushed(
        body=_document(said),
        partie=said.partie,
        manche=said.manche,
        external_id=said.external_id,
        reason=said.reason,
        replaces=said.replaces,
    )

    def do(actor: Actor) -> HttpResponse:
        answered = push(actor=actor, slug=slug, item=pushed)
        return refused(actor, answered) if answered.refused else recorded(slug, answered)

    return do


def _document(said: PushedResult) -> bytes:
    given = [(name, value) for name in ("log", "sheet") if (value := getattr(said, name)) is not msgspec.UNSET]
    if len(given) != 1:
        raise UserFault("bad-field", _("Send a log or a sheet."), field="log")
    ((name, raw),) = given
    body = bytes(raw)
    if body.startswith(b"{"):
        return body
    if name == "log" and body.startswith(b'"'):
        return decoded(body, str).encode()
    raise UserFault("bad-field", _("A log is an object or a text, a sheet an object."), field=name)


def answer_of(response: HttpResponse) -> tuple[ItemState, dict[str, Any]]:
    """What a response says of an item, as it is kept. A saved result is told without its verdict, as at its address."""
    said: Any = msgspec.json.decode(response.content) if response.content else None
    if response.status_code >= 400:
        return ItemState.REFUSED, {"status": response.status_code, "code": said["code"], "problem": said}
    repeated = response.status_code == 200
    if isinstance(said, dict):
        said.pop("verdict", None)
    answer = {"status": response.status_code, "location": response.get("Location"), "data": said}
    return ItemState.REPEATED if repeated else ItemState.SAVED, answer

"""What became of a document that was handed in, and the memory of it for a repeated request."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from engine.messages import worded
from league.errors import KeyReused, Refused, UserFault
from league.models import IdempotencyRecord, PartieStatus, Result
from league.policy import Actor
from league.services.documents import Reading, refusal_code
from league.services.progress import Table


class KeyKnown(Exception):  # noqa: N818 — no fault of anybody's
    """Another request with this key was answered before, or at this very moment."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What became of a document, in plain JSON values.

    `outcome`: `recorded` (a new result), `second` (the second entry of one: `state` says whether both agree),
    `repeated` (the current result, or this person's second entry, has these very bytes) or `refused` (kept as an
    attempt). `partie` and `manche` are numbers; `result` and `attempt` ids. `state`, `version` and `result` are those
    of the result, None when refused. `verdict` as in RULES 10 and 11. `next_manche`: the number of the manche that is
    now awaited, None when the partie is over or waits for a ruling.
    """

    outcome: str
    partie: int
    manche: int
    verdict: dict[str, Any]
    sha256: str
    partie_status: str
    next_manche: int | None
    result: int | None = None
    version: int | None = None
    state: str | None = None
    attempt: int | None = None
    replayed: bool = field(default=False, compare=False)
    """Whether this is the remembered answer to an earlier request with the same key."""

    @property
    def refused(self) -> bool:
        """Whether the document was refused."""
        return self.outcome == "refused"

    def fault(self) -> Refused | None:
        """The refusal as a fault with its sentence in the reader's language, for doors that answer with one."""
        if not self.refused:
            return None
        code = refusal_code(self.verdict) or ""
        return Refused(code, refusal_in_words(self.verdict), verdict=self.verdict, attempt=self.attempt)


_FIELDS = frozenset(one.name for one in fields(HandIn))
"""An answer that was remembered before a release may have others: a field that is new needs a default."""


def refusal_in_words(verdict: dict[str, Any]) -> str:
    """A refusal in the reader's language: its sentence, or how many faults a sheet has."""
    why = verdict.get("why") or []
    whys = why if isinstance(why, list) else [why]
    if len(whys) > 1:
        return ngettext("The sheet has %(n)s fault.", "The sheet has %(n)s faults.", len(whys)) % {"n": len(whys)}
    return worded(whys[0]["sentence"], whys[0]["params"], gettext) if whys else _("This document was refused.")


def answer(
    outcome: str,
    table: Table,
    number: int,
    reading: Reading,
    *,
    result: Result | None = None,
    verdict: dict[str, Any] | None = None,
    attempt: int | None = None,
) -> HandIn:
    """The answer to a hand-in for manche `number`, with where the partie now stands."""
    goes_on = table.partie.status == PartieStatus.OPEN and not table.unsettled
    return HandIn(
        outcome=outcome,
        partie=table.partie.number,
        manche=number,
        verdict=verdict or reading.verdict,
        sha256=reading.sha256,
        partie_status=str(table.partie.status),
        next_manche=table.awaited if goes_on else None,
        result=result.pk if result else None,
        version=result.version if result else None,
        state=str(result.state) if result else None,
        attempt=attempt,
    )


def check_key(key: str) -> None:
    """Raise UserFault `bad-idempotency-key` for a key that cannot be kept."""
    if len(key) > 100 or not key.isprintable():
        message = _("A key is 1 to 100 visible characters of ASCII.")
        raise UserFault("bad-idempotency-key", message, field="idempotency_key")


def request_digest(
    partie_id: int,
    number: int | None,
    body: bytes,
    reason: str,
    replaces: int | None,
    external_id: str = "",
    acknowledged: Sequence[str] = (),
) -> str:
    """What makes two requests the same."""
    said: list[Any] = [partie_id, number, reason, replaces]
    if external_id or acknowledged:
        said += [external_id, sorted(acknowledged)]
    head = json.dumps(said).encode()
    return hashlib.sha256(head + b"\n" + body).hexdigest()


def remembered(actor: Actor, key: str, digest: str) -> HandIn | None:
    """What was answered to the request that named this key. Raises KeyReused if it was another request."""
    record = IdempotencyRecord.objects.filter(user=actor.user, key=key).first()
    if record is None:
        return None
    if record.request_sha256 != digest:
        raise KeyReused
    known = {name: value for name, value in record.answer.items() if name in _FIELDS}
    return HandIn(**(known | {"replayed": True}))


def remember(actor: Actor, key: str, digest: str, answered: HandIn) -> None:
    """Keep an answer, in the transaction that it speaks of, which must be undone on KeyKnown."""
    if actor.user is None:
        raise ValueError("an idempotency key belongs to a user")
    try:
        IdempotencyRecord.objects.create(user=actor.user, key=key, request_sha256=digest, answer=asdict(answered))
    except IntegrityError as error:
        raise KeyKnown from error

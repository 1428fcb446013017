"""What is sent, done once: a double click, a reload or a retry is answered as the first time (Idempotency-Key).

A form carries a key of its own. The key and what was filled in name the request, so that a form sent again after a
change is another request.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import BigIntegerField, BooleanField, Func, Q, Value
from django.utils.translation import gettext as _

from league.errors import Conflict, KeyReused
from league.models import IdempotencyRecord, User

Answer = dict[str, Any]
"""What is remembered, in JSON's types."""


def request_name(key: str, said: Sequence[tuple[str, Any]]) -> str:
    """The idempotency key of a page's request: the form's key with a digest of all that was filled in.

    >>> request_name("k", [("name", "Ana")]) == request_name("k", [("name", "Ana")])
    True
    >>> request_name("k", [("name", "Ana")]) == request_name("k", [("name", "Zoé")])
    False
    """
    return f"page:{hashlib.sha256(json.dumps([key, said], default=str).encode()).hexdigest()}"


def answered(*, user: User, name: str) -> Answer | None:
    """What was answered to the request of this name, None if it was not done yet."""
    found = IdempotencyRecord.objects.filter(user=user, key=name).values_list("answer", flat=True).first()
    return None if found is None else dict(found)


def once(
    *, user: User, name: str, do: Callable[[], Answer], again: Callable[[Answer], Answer] | None = None
) -> tuple[Answer, bool]:
    """Do something unless the request of this name was done before; return its answer, and whether it is a repeat.

    `do` runs in the transaction that remembers its answer: where it raises, nothing is written and nothing remembered.
    Two at the same moment: the second waits for the first. `again`: what a repeat makes of the answer that is
    remembered, for what cannot be answered alike twice; its own is remembered from then on.
    """
    with transaction.atomic():
        record, is_new = IdempotencyRecord.objects.select_for_update(no_key=True).get_or_create(
            user=user, key=name, defaults={"request_sha256": hashlib.sha256(name.encode()).hexdigest(), "answer": {}}
        )
        if is_new:
            record.answer = do()
        elif again is not None:
            record.answer = again(record.answer)
        else:
            return dict(record.answer), True
        record.save(update_fields=["answer"])
        return dict(record.answer), not is_new


def claim(*, user: User, name: str) -> None:
    """Let one request of this name go on at a time, until its transaction ends, however it ends.

    Raises Conflict `in-progress` when another one is under way. On SQLite the second waits for its turn to write.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_number(user, name)])
            if not cursor.fetchone()[0]:
                raise in_progress()


def claimed(*, user: User, name: str) -> Q:
    """As `claim`, as a condition of the query that begins a transaction, which finds nothing when it cannot be had."""
    if connection.vendor != "postgresql":
        return Q()
    # asked of the row that is found, before its lock is waited for; asked again it holds for whoever has it
    return Q(_TryLock(Value(_number(user, name), output_field=BigIntegerField())))


class _TryLock(Func):
    function = "pg_try_advisory_xact_lock"
    output_field = BooleanField()


def _number(user: User, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{user.pk}:{name}".encode()).digest()[:8], signed=True)


def in_progress() -> Conflict:
    """The fault of a request that comes again while the first of its key is under way."""
    return Conflict("in-progress", _("The first request with this key is under way: ask again in a moment."))


def answered_before(*, user: User, name: str, digest: str) -> Answer | None:
    """What was answered to the request of this name; None if there was none. Raises KeyReused for another request."""
    found = IdempotencyRecord.objects.filter(user=user, key=name).values_list("request_sha256", "answer").first()
    if found is None:
        return None
    if found[0] != digest:
        raise KeyReused
    return dict(found[1])


def keep_answer(*, user: User, name: str, digest: str, answer: Answer) -> None:
    """Remember an answer, in the transaction of what it speaks of. Raises Conflict `in-progress` if another did."""
    try:
        with transaction.atomic():
            IdempotencyRecord.objects.create(user=user, key=name, request_sha256=digest, answer=answer)
    except IntegrityError:
        raise in_progress() from None

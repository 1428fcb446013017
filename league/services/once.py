"""What a page sends, done once: a double click or a reload is answered as the first time (DESIGN 2, Idempotency-Key).

A form carries a key of its own. The key and what was filled in name the request, so that a form sent again after a
change is another request.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction

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

"""Secrets in answers that are remembered: an answer is kept without them, and a repeat gets the one that stands.

Answers are kept for two days for who sends a request again (Idempotency-Key). A secret in one would lie in the
database, and in its backups, where it may have no other place: what stands in its place is its digest. A repeat is
answered byte for byte as the first time as long as the secret is still the one that was answered.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound

Answer = Mapping[str, Any]
"""An answer as `league.api.writing` keeps it: `status`, `media`, `headers`, `body` (a text of JSON)."""

GONE = "answer-gone"


@dataclass(frozen=True, slots=True)
class Secret:
    """A member of what a view answers that is a secret, of 100 bits at least, so that its digest tells nothing.

    `now`: from what was answered to the secret as it stands. It asks policy again, and may raise what the view raises.
    """

    member: str
    now: Callable[[Mapping[str, Any]], str]


def without(answer: Answer, secret: Secret | None) -> dict[str, Any]:
    """An answer as it is remembered, with the digest of its secret instead of it."""
    if secret is None or not answer["body"]:
        return dict(answer)
    data = msgspec.json.decode(answer["body"])
    data[secret.member] = _digest(data[secret.member])
    return {**answer, "body": msgspec.json.encode(data).decode(), "secret": secret.member}


def whole(answer: Answer, secret: Secret | None) -> dict[str, Any]:
    """The answer that was remembered, with its secret. Raises Conflict `answer-gone` if that is another one by now."""
    if secret is None or "secret" not in answer:
        return dict(answer)
    data = msgspec.json.decode(answer["body"])
    try:
        present = secret.now(data)
    except NotFound:
        present = ""
    if data[secret.member] != _digest(present):
        message = _("This was done, but the secret that was answered has been renewed since, and is kept nowhere.")
        raise Conflict(GONE, message)
    data[secret.member] = present
    return {**answer, "body": msgspec.json.encode(data).decode()}


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

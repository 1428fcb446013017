"""What is sent to webhooks, and how it is signed (the convention Standard Webhooks)."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

_MARK = "whsec_"


def new_secret() -> str:
    """A secret to sign with: 32 random bytes."""
    return _MARK + base64.b64encode(secrets.token_bytes(32)).decode()


def new_message_id() -> str:
    """The name of a message, the same at every attempt."""
    return f"msg_{secrets.token_hex(16)}"


def body_of(kind: str, at: datetime, data: dict[str, Any]) -> str:
    """The text of a message: what it is, when it was made, and its data."""
    return msgspec.json.encode({"type": kind, "timestamp": at, "data": data}).decode()


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """`v1,` and the HMAC-SHA256 of id, time stamp (seconds) and body, by a secret as `new_secret` makes them.

    >>> signature("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", "msg_1", 1700000000, "{}")
    'v1,3uojc/2kvL+KpJkw4ZNrA/5YjEs9cdfKdc3lXIvRjkk='
    """
    key = base64.b64decode(secret.removeprefix(_MARK))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def headers_of(signing: Iterable[str], message_id: str, at: datetime, body: str) -> dict[str, str]:
    """The headers of an attempt at this moment; one signature for each secret, parted by blanks."""
    timestamp = int(at.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Bornage-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, message_id, timestamp, body) for secret in signing),
    }

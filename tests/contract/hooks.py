"""What schemathesis cannot know of itself: how to write and read the media types of this API (loaded by its CLI)."""

import json
from typing import Any

import schemathesis

schemathesis.serializer.alias("application/vnd.bornes", "text/plain")


@schemathesis.serializer("application/x-ndjson")
def write_lines(ctx: Any, value: Any) -> bytes:
    """A batch: one item a line; what is no list goes as it is."""
    if isinstance(value, list):
        return b"".join(json.dumps(item).encode() + b"\n" for item in value)
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def read_lines(ctx: Any, response: Any) -> Any:
    """The answers of a batch: each is a line, each a JSON object; the document says that they are one text."""
    for line in response.content.splitlines():
        if not isinstance(json.loads(line), dict):
            raise ValueError("a line that is no object")
    return response.content.decode()

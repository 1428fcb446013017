"""Where a member stands in a JSON text: line and column, for an error that concerns the member (RULES 9)."""

import json
import re

_SPACE = re.compile(r"[ \t\n\r]*")


def locate(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Line and column, from 1, of the value at `path` in the valid JSON `text`; of the last step found if it misses."""
    at = _skip(text, 0)
    for step in path:
        found = _member(text, at, step)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _member(text: str, at: int, step: str | int) -> int | None:
    """The place of the member `step` of the object or list that begins at `at`, or None."""
    decoder = json.JSONDecoder()
    closing, at, index = {"{": "}", "[": "]"}.get(text[at]), _skip(text, at + 1), 0
    if closing is None:
        return None
    while text[at] != closing:
        key: str | int = index
        if closing == "}":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        if key == step:
            return at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at, index = _skip(text, at + 1), index + 1
    return None

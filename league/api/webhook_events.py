"""What a message to a webhook tells of: changes as `/changes` of the championship answers them."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.utils.translation import override

from league.api.change_shapes import cursor_of, folded, shown
from league.models import Championship
from league.selectors.feed import Line

LARGEST: Final = 256 * 1024
"""Bytes of items; where there would be more, `data` is left out of all of them."""


def told(championship: Championship, lines: Sequence[Line], end: int) -> dict[str, Any]:
    """The data of a message; `end`: the position up to which it tells of everything. Texts are in English."""
    lines = folded(lines)
    with override("en"):
        items = shown(lines, championship=championship, with_data=True)
        if len(msgspec.json.encode(items)) > LARGEST:
            items = shown(lines, championship=championship, with_data=False)
    return {"championship": championship.slug, "items": items, "next": cursor_of(end)}

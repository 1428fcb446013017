"""What the tests of both writings of `bornes/1` start from."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.notation import FormatError

PLAIN: dict[str, Any] = {
    "format": "bornes/1",
    "rulebook": "classique",
    "teams": {"A": ["a1"], "B": ["b1"]},
    "seats": ["a1", "b1"],
    "moves": ["a1:FV"],
}
TEXT = '[Format "bornes/1"]\n[Rulebook "classique"]\n[Teams "A: a1 | B: b1"]\n[Seats "a1 b1"]\n'


def fault(read: Callable[..., object], source: object) -> FormatError:
    """The error with which `source` is refused."""
    with pytest.raises(FormatError) as caught:
        read(source)
    return caught.value

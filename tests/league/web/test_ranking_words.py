"""Why a row stands above the next, in words."""

from typing import Any

import pytest
from django.utils.translation import override

from league.web.ranking_words import why_in_words

NAMES = {1: "Ana", 2: "Eloi", 3: "Zoé"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "direct encounter not used: Ana and Zoé never met"),
        ({"among": 3}, "direct encounter not used: of the 3 entries level here, Ana and Zoé never met"),
    ],
)
def test_two_that_never_met_are_said_to_be_of_those_that_are_level(more: dict[str, Any], said: str) -> None:
    passed = {"code": "never-met", "key": "direct_encounter", "pair": [1, 3], **more}
    why = {"code": "separated", "key": "km", "upper": "3000", "lower": "2500", "passed": [passed]}
    with override("en"):
        assert why_in_words(why, "Eloi", NAMES).passed == [said]

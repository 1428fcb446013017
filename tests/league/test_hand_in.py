"""Handing in: what becomes of a document (DESIGN 2, RULES 13)."""

import pytest

from league.models import Partie, Result
from tests.factories import PartieFactory, as_bytes, play, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def partie() -> Partie:
    return PartieFactory()


def test_a_valid_sheet_is_a_confirmed_result_and_the_next_manche_is_made(partie: Partie) -> None:
    answer = play(partie)

    assert (answer.outcome, answer.state, answer.version) == ("recorded", "confirmed", 1)
    assert answer.verdict["score"]["A"]["total"] == 1400
    assert answer.next_manche == 2
    result = Result.objects.get()
    assert bytes(result.document.body) == as_bytes(sheet())
    assert [(s.seat.label, s.points, s.km, s.won) for s in result.scores.all()] == [
        ("A", 1400, 1000, True),
        ("B", 475, 475, False),
    ]

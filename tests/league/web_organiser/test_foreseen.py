"""Before something that counts is changed, what would move is shown; only sending that page changes it."""

from typing import Any

import pytest

from league.models import Manche, Result, ResultEvent
from tests.factories import play, sheet
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

PAGE = HOME + "parties/1/manches/1/"
VOID = {"do": "void", "key": "k", "version": 2, "reason": "A card too many"}


def post(hall: Hall, **what: Any) -> Any:
    return hall.client(hall.owner).post(PAGE, what)


def test_nothing_is_saved_before_it_was_seen(hall: Hall) -> None:
    events = ResultEvent.objects.count()
    answer = post(hall, **VOID)
    assert answer.status_code == 200
    assert "Nothing is saved yet" in said(answer)
    assert Manche.objects.get(partie=hall.first, number=1).voided_at is None
    assert ResultEvent.objects.count() == events
    assert post(hall, **VOID, foreseen="yes").status_code == 302
    assert Manche.objects.get(partie=hall.first, number=1).voided_at is not None


def test_the_page_holds_all_that_was_sent(hall: Hall) -> None:
    page = post(hall, **VOID).content.decode()
    for name, value in VOID.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert page.count('name="csrfmiddlewaretoken"') >= 1


def test_it_says_which_ranks_and_scores_move(hall: Hall) -> None:
    for number in (1, 2, 3):
        play(hall.second, number, sheet({"A": 1000, "B": 25}))
    closed = HOME + "parties/2/manches/3/"
    turn = {"do": "turn", "key": "k", "version": 1, "side-A": "B", "side-B": "A", "reason": "Columns"}
    page = hall.client(hall.owner).post(closed, turn)
    text = said(page)
    assert "points 4200 → 2825" in text.replace(" ", " ")
    assert "What would move" in text
    assert Result.objects.filter(manche__partie=hall.second, version=2).count() == 0
    hall.client(hall.owner).post(closed, turn | {"foreseen": "yes"})
    assert Result.objects.get(manche__partie=hall.second, manche__number=3, version=2).state == "confirmed"


def test_a_partie_that_would_be_open_again_is_named(hall: Hall) -> None:
    for number in (1, 2, 3):
        play(hall.second, number)
    void = VOID | {"version": 1}
    page = said(hall.client(hall.owner).post(HOME + "parties/2/manches/3/", void))
    assert "The partie would be open again" in page


@pytest.mark.parametrize("goal", [(1, 1), (9, 1), (2, 4)])
def test_what_cannot_be_is_said_in_the_form_not_foreseen(hall: Hall, goal: tuple[int, int]) -> None:
    answer = post(
        hall, do="move", key="k", version=2, partie_number=goal[0], manche_number=goal[1], reason="Wrong table"
    )
    assert answer.status_code == 422
    assert "Nothing is saved yet" not in said(answer)


def test_a_result_is_moved_through_the_page(hall: Hall) -> None:
    move = {"do": "move", "key": "k", "version": 2, "partie_number": 2, "manche_number": 1, "reason": "Wrong table"}
    page = said(post(hall, **move))
    assert "Partie 1" in page
    assert "Partie 2" in page
    assert post(hall, **move, foreseen="yes").status_code == 302
    assert Result.objects.get(manche__partie=hall.second).state == "confirmed"
    # sent twice it is done once
    assert post(hall, **move, foreseen="yes").status_code == 302
    assert Result.objects.filter(manche__partie=hall.second).count() == 1

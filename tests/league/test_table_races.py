"""Two sides at once, on PostgreSQL, with real threads and real transactions (DESIGN 4)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.errors import Conflict, UserFault
from league.models import Dispute, ResultEvent, SecondEntry
from league.services.confirmation import confirm_as_side, contest
from league.services.disputes import decide
from league.services.overdue import confirm_all_overdue
from league.services.rulings import confirm
from tests.factories import owner_of, play, sheet
from tests.league.table_cases import enter, seen, side, state_of, table
from tests.league.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_one_side_confirms_while_another_contests_and_one_of_them_is_told() -> None:
    partie = table(table_entries=3)
    play(partie, document=sheet({"A": 1000, "B": 475, "C": 300}), actor=side(partie, "A"))
    about = seen(partie)

    answers = at_once(
        partie.championship,
        lambda: confirm_as_side(actor=side(partie, "B"), **about),
        lambda: contest(actor=side(partie, "C"), text="No", **about),
    )

    (lost,) = [answer for answer in answers if isinstance(answer, Conflict)]
    state = state_of(partie)
    assert (state, lost.code) in {("confirmed", "nothing-to-contest"), ("contested", "contested")}
    assert Dispute.objects.count() == (state == "contested")
    assert ResultEvent.objects.filter(what="confirmed").count() == (state == "confirmed")


def test_a_confirmation_sent_by_two_sides_at_once_counts_once() -> None:
    partie = table()
    enter(partie, "A")
    about = seen(partie)
    runners = [lambda: confirm_as_side(actor=side(partie, "B"), **about)] * 2

    answers = at_once(partie.championship, *runners, lambda: confirm(actor=owner_of(partie.championship), **about))

    assert not [answer for answer in answers if isinstance(answer, UserFault)]
    assert ResultEvent.objects.filter(what="confirmed").count() == 1


@pytest.mark.parametrize(("km", "state"), [(475, "confirmed"), (500, "contested")])
def test_of_two_second_entries_at_once_one_counts(km: int, state: str) -> None:
    partie = table("second_entry")
    enter(partie, "A")

    answers = at_once(partie.championship, *[lambda: enter(partie, "B", km)] * 2)

    assert sorted(answer.outcome for answer in answers) == ["repeated", "second"]
    assert SecondEntry.objects.count() == 1
    assert state_of(partie) == state
    assert Dispute.objects.count() == (state == "contested")


def test_two_first_entries_at_once_are_a_first_and_a_second() -> None:
    partie = table("second_entry")
    answers = at_once(partie.championship, lambda: enter(partie, "A"), lambda: enter(partie, "B"))
    assert sorted(answer.outcome for answer in answers) == ["recorded", "second"]
    assert state_of(partie) == "confirmed"


def test_two_referees_at_once_make_one_decision() -> None:
    partie = table()
    enter(partie, "A")
    dispute = contest(actor=side(partie, "B"), text="No", **seen(partie))
    owner = owner_of(partie.championship)

    def decided(how: str) -> Dispute:
        return decide(actor=owner, dispute_id=dispute.pk, version=1, how=how, reason=how)

    answers = at_once(partie.championship, lambda: decided("stands"), lambda: decided("another_sheet"))

    (lost,) = [answer for answer in answers if isinstance(answer, UserFault)]
    assert lost.code == "stale"
    assert Dispute.objects.get().decision in {"stands", "another_sheet"}


def test_a_time_that_is_over_while_somebody_contests_leaves_one_truth() -> None:
    partie = table(confirm_minutes=15)
    enter(partie, "A")
    about = seen(partie)
    later = timezone.now() + timedelta(minutes=20)

    answers = at_once(
        partie.championship,
        lambda: confirm_all_overdue(now=later),
        lambda: contest(actor=side(partie, "B"), text="No", **about),
    )

    state = state_of(partie)
    assert (len(answers[0]) == 1) is (state == "confirmed")
    assert isinstance(answers[1], Conflict) is (state == "confirmed")

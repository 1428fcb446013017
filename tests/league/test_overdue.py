"""Results that nobody contests in time count (`Championship.confirm_minutes`)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.errors import UserFault
from league.models import AuditEntry, Partie, Result, ResultEvent
from league.services.championships import change_championship
from league.services.confirmation import contest
from league.services.overdue import confirm_all_overdue
from league.tasks import sweep
from tests.factories import EntryFactory, PartieFactory, owner_of
from tests.league.table_cases import enter, seen, side, state_of, table

pytestmark = pytest.mark.django_db


def waits(confirmation: str = "opponent", minutes: int | None = 15) -> Partie:
    """A partie with a result that A has handed in."""
    partie = table(confirmation, confirm_minutes=minutes)
    enter(partie, "A")
    return partie


def after(minutes: int) -> list[int]:
    return confirm_all_overdue(now=timezone.now() + timedelta(minutes=minutes))


def test_what_is_not_contested_in_time_counts_and_the_audit_says_why() -> None:
    partie = waits()
    assert after(14) == []
    assert state_of(partie) == "pending"

    assert after(15) == [Result.objects.get().pk]

    assert state_of(partie) == "confirmed"
    entry = AuditEntry.objects.get(action="confirm_overdue")
    assert (entry.user, entry.request_id, entry.championship) == (None, "time-out", partie.championship)
    assert ResultEvent.objects.filter(what="confirmed").count() == 1
    assert after(20) == []


def test_what_is_contested_in_time_does_not() -> None:
    partie = waits()
    contest(actor=side(partie, "B"), text="No", **seen(partie))
    assert after(60) == []
    assert state_of(partie) == "contested"


@pytest.mark.parametrize(("confirmation", "minutes"), [("opponent", None), ("second_entry", 15), ("organiser", 15)])
def test_without_a_time_or_where_no_side_is_asked_it_waits(confirmation: str, minutes: int | None) -> None:
    partie = waits(confirmation, minutes)
    assert after(10_000) == []
    assert state_of(partie) == "pending"


def test_a_correction_begins_the_time_anew() -> None:
    partie = waits()
    Result.objects.update(at=timezone.now() - timedelta(minutes=14))
    enter(partie, "A", 500, reason="Misread", replaces=1)
    assert after(14) == []


def test_the_sweep_takes_it_up() -> None:
    partie = waits()
    Result.objects.update(at=timezone.now() - timedelta(minutes=16))
    sweep()
    assert state_of(partie) == "confirmed"


def test_without_a_broker_the_next_hand_in_takes_it_up(django_capture_on_commit_callbacks: Any) -> None:
    partie = waits()
    Result.objects.update(at=timezone.now() - timedelta(minutes=16))
    other = PartieFactory(
        championship=partie.championship, entries=EntryFactory.create_batch(2, championship=partie.championship)
    )
    with django_capture_on_commit_callbacks(execute=True):
        enter(other, "A")
    assert (state_of(partie), state_of(other)) == ("confirmed", "pending")


@pytest.mark.parametrize("minutes", [0, -1, 10_081, "15"])
def test_the_time_is_a_number_of_minutes_up_to_a_week(minutes: Any) -> None:
    partie = table()
    with pytest.raises(UserFault) as refused:
        change_championship(
            actor=owner_of(partie.championship),
            championship_id=partie.championship_id,
            version=None,
            settings={"confirm_minutes": minutes},
        )
    assert refused.value.code == "bad-confirm-minutes"

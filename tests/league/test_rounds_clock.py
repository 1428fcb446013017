"""The clock of a round, absences announced before a draw, and tables that play later."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from league.errors import Conflict, Stale, UserFault
from league.models import Absence, Championship, Entry, Partie, Round
from league.selectors.clock import clock_of, round_clock
from league.selectors.organising import seatable
from league.services.absences import announce_absence, take_absence_back
from league.services.clock import add_minutes, pause_clock, set_clock, start_clock, stop_clock
from league.services.parties import open_partie
from league.services.postponing import postpone_partie, resume_partie
from league.services.rounds import reopen_round
from tests.factories import EntryFactory, owner_of, play, sheet
from tests.league.test_rounds import a_swiss, drawn, published, tables

pytestmark = pytest.mark.django_db


def a_round(minutes: int | None = 50) -> tuple[Championship, Round]:
    """A published round of a championship with so many minutes a round."""
    championship = a_swiss(4)
    Championship.objects.filter(pk=championship.pk).update(clock_minutes=minutes)
    championship.refresh_from_db()
    return championship, published(championship)


class TestTheClock:
    def test_counts_down_from_the_minutes_of_the_championship(self) -> None:
        championship, round_ = a_round()
        assert clock_of(round_).state == "ready"
        assert clock_of(round_).shown == "50:00"
        started = start_clock(actor=owner_of(championship), round_id=round_.pk)
        now = (started.clock_started_at or timezone.now()) + timedelta(minutes=10, seconds=1)
        assert clock_of(started, now).seconds_left == 2399
        assert clock_of(started, now).ends_at == now + timedelta(seconds=2399)
        assert clock_of(started, now + timedelta(hours=2)).state == "over"

    def test_holds_and_goes_on_where_it_was(self) -> None:
        championship, round_ = a_round()
        actor = owner_of(championship)
        start = timezone.now()
        with patch("league.services.clock.timezone.now", return_value=start):
            start_clock(actor=actor, round_id=round_.pk)
        with patch("league.services.clock.timezone.now", return_value=start + timedelta(minutes=20)):
            held = pause_clock(actor=actor, round_id=round_.pk)
        assert (held.clock_left, held.clock_started_at) == (1800, None)
        with patch("league.services.clock.timezone.now", return_value=start + timedelta(minutes=30)):
            goes_on = start_clock(actor=actor, round_id=round_.pk)
        assert clock_of(goes_on, start + timedelta(minutes=31)).seconds_left == 1740

    def test_is_given_more_time_while_it_runs_and_when_it_is_over(self) -> None:
        championship, round_ = a_round()
        actor = owner_of(championship)
        start_clock(actor=actor, round_id=round_.pk)
        more = add_minutes(actor=actor, round_id=round_.pk, version=None, minutes=5)
        assert 3290 <= (clock_of(more).seconds_left or 0) <= 3300
        assert clock_of(more).state == "running"
        assert clock_of(stop_clock(actor=actor, round_id=round_.pk)).state == "over"
        again = add_minutes(actor=actor, round_id=round_.pk, version=None, minutes=2)
        assert (clock_of(again).state, clock_of(again).seconds_left) == ("paused", 120)

    def test_without_minutes_it_is_off_until_they_are_chosen(self) -> None:
        championship, round_ = a_round(None)
        actor = owner_of(championship)
        assert clock_of(round_).state == "off"
        with pytest.raises(UserFault, match="bad-minutes"):
            start_clock(actor=actor, round_id=round_.pk)
        set_clock(actor=actor, round_id=round_.pk, version=round_.version, minutes=45, at_end="stop")
        view = round_clock(championship=championship)
        assert view is not None
        assert (view.state, view.seconds_left, view.at_end) == ("ready", 2700, "stop")

    def test_two_hands_on_it_the_second_is_told(self) -> None:
        championship, round_ = a_round()
        start_clock(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
        with pytest.raises(Stale):
            stop_clock(actor=owner_of(championship), round_id=round_.pk, version=round_.version)

    def test_of_a_draft_there_is_none(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        with pytest.raises(Conflict, match="not-published"):
            start_clock(actor=owner_of(championship), round_id=round_.pk)
        assert round_clock(championship=championship) is None


class TestAnAbsence:
    def test_is_noted_once_for_each_round(self) -> None:
        championship = a_swiss(4)
        entry = Entry.objects.get(number=2)
        for _ in range(2):
            announce_absence(actor=owner_of(championship), entry_id=entry.pk, first=1, last=3)
        assert list(Absence.objects.values_list("round", flat=True)) == [1, 2, 3]

    def test_leaves_the_entry_out_until_it_is_taken_back(self) -> None:
        championship = a_swiss(4)
        entry = Entry.objects.get(number=2)
        announce_absence(actor=owner_of(championship), entry_id=entry.pk, first=1)
        assert 2 not in [number for table in tables(drawn(championship)) for number in table]
        take_absence_back(actor=owner_of(championship), entry_id=entry.pk, round_number=1)
        assert not Absence.objects.exists()

    def test_of_a_round_that_has_begun_is_too_late(self) -> None:
        championship = a_swiss(4)
        published(championship)
        with pytest.raises(Conflict, match="round-published"):
            announce_absence(actor=owner_of(championship), entry_id=Entry.objects.get(number=2).pk, first=1)

    @pytest.mark.parametrize(("first", "last"), [(3, 2), (1, 40), (0, 1)])
    def test_of_rounds_that_make_no_sense_is_refused(self, first: int, last: int) -> None:
        championship = a_swiss(4)
        with pytest.raises(UserFault, match="bad-round"):
            announce_absence(
                actor=owner_of(championship), entry_id=Entry.objects.get(number=2).pk, first=first, last=last
            )


class TestAPostponedTable:
    def test_holds_its_entries_back_from_no_other_table(self) -> None:
        championship = a_swiss(4)
        published(championship)
        late = Partie.objects.get(number=1)
        postpone_partie(actor=owner_of(championship), partie_id=late.pk, version=late.version, reason="Train")
        free = [one for one in seatable(championship=championship, round_number=2) if not one.met]
        assert len(free) == 2
        extra = EntryFactory(championship=championship)
        sitting = [late.seats.get(label="A").entry_id, extra.pk]
        other = open_partie(actor=owner_of(championship), championship_id=championship.pk, entry_ids=sitting, round=2)
        with pytest.raises(Conflict, match="at-another-table"):
            resume_partie(actor=owner_of(championship), partie_id=late.pk, version=None)
        play(other, 1, sheet())
        resumed = resume_partie(actor=owner_of(championship), partie_id=late.pk, version=None)
        assert resumed.postponed_at is None

    def test_takes_its_result_all_the_same(self) -> None:
        championship = a_swiss(4)
        published(championship)
        late = Partie.objects.get(number=1)
        postpone_partie(actor=owner_of(championship), partie_id=late.pk, version=None, reason="Train")
        play(late, 1, sheet())
        late.refresh_from_db()
        assert late.status == "closed"
        with pytest.raises(Conflict, match="not-open"):
            postpone_partie(actor=owner_of(championship), partie_id=late.pk, version=None, reason="Again")

    def test_stays_when_its_round_is_reopened(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        late = Partie.objects.get(number=1)
        postpone_partie(actor=owner_of(championship), partie_id=late.pk, version=None, reason="Train")
        round_ = reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Late arrival")
        assert [table["kept"] for table in round_.pairing["tables"]] == [True, False]

    def test_needs_a_reason(self) -> None:
        championship = a_swiss(4)
        published(championship)
        late = Partie.objects.get(number=1)
        with pytest.raises(UserFault, match="reason-required"):
            postpone_partie(actor=owner_of(championship), partie_id=late.pk, version=None, reason="")

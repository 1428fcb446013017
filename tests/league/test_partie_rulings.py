"""What a referee rules of a partie: closed, annulled, reopened, forfeited (STANDINGS 1 and 2)."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, Stale, UserFault
from league.models import Result, ResultEvent, Seat
from league.services.parties import (
    close_partie,
    reopen_partie,
    rule_forfeit,
    void_partie,
)
from tests.factories import EntryFactory, PartieFactory, owner_of, play
from tests.league.partie_cases import a_wins, now, to

pytestmark = pytest.mark.django_db


class TestRulings:
    """The referee closes, annuls, reopens."""

    def test_stopped_by_the_referee_the_finished_manches_count(self) -> None:
        partie = to(5000)
        play(partie, 1, a_wins())

        close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Time")

        assert now(partie) == ("closed", "referee")
        assert partie.reason == "Time"

    def test_stopped_without_a_manche_it_is_void(self) -> None:
        partie = to(5000)

        close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Time")

        assert now(partie)[0] == "void"

    def test_it_is_not_stopped_while_a_result_waits_for_a_decision(self) -> None:
        partie = to(5000)
        play(partie, 1, a_wins() | {"claim": {"A": 1, "B": 1}})

        with pytest.raises(Conflict) as conflict:
            close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Time")

        assert (conflict.value.code, conflict.value.extra) == ("unsettled", {"manches": [1]})

    def test_a_closed_partie_is_not_closed_again(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())
        with pytest.raises(Conflict, match="not-open"):
            close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Time")

    def test_an_annulled_partie_is_as_if_never_drawn_and_takes_no_result(self) -> None:
        partie = to(5000, partie_end="points")
        play(partie, 1, a_wins())
        void_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Wrong draw")

        assert now(partie)[0] == "void"
        assert play(partie, 2, a_wins(0)).refused
        # its entries are free for another one
        PartieFactory(championship=partie.championship, entries=[seat.entry for seat in partie.seats.all()])

    def test_rulings_need_a_reason(self) -> None:
        partie = to(5000)
        for ruling in (close_partie, void_partie, reopen_partie):
            with pytest.raises(UserFault, match="reason-required"):
                ruling(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason=" ")

    def test_a_ruling_on_an_old_version_is_stale(self) -> None:
        partie = to(5000)
        actor = owner_of(partie.championship)
        void_partie(actor=actor, partie_id=partie.pk, version=1, reason="Wrong draw")

        with pytest.raises(Stale) as stale:
            reopen_partie(actor=actor, partie_id=partie.pk, version=1, reason="Right draw")

        assert (stale.value.status, stale.value.extra) == (412, {"version": 2})

    @pytest.mark.parametrize("ruling", [close_partie, void_partie])
    def test_a_ruling_can_be_taken_back_and_the_awaited_manche_waits_again(self, ruling: Any) -> None:
        partie = to(5000)
        actor = owner_of(partie.championship)
        play(partie, 1, a_wins())
        ruling(actor=actor, partie_id=partie.pk, version=None, reason="Time")

        reopen_partie(actor=actor, partie_id=partie.pk, version=None, reason="There is time")

        assert now(partie) == ("open", "")
        assert play(partie, 2, a_wins(0)).outcome == "recorded"

    def test_a_partie_that_reached_its_end_is_not_reopened_by_ruling(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())
        with pytest.raises(Conflict, match="ended"):
            reopen_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="More")

    def test_a_partie_that_was_annulled_at_its_end_closes_again_when_that_is_taken_back(self) -> None:
        partie = to(1400)
        actor = owner_of(partie.championship)
        play(partie, 1, a_wins())
        void_partie(actor=actor, partie_id=partie.pk, version=None, reason="Wrong draw")

        reopen_partie(actor=actor, partie_id=partie.pk, version=None, reason="Right draw")

        assert now(partie) == ("closed", "end")

    def test_an_annulled_one_is_not_reopened_at_a_table_that_was_given_away(self) -> None:
        partie = PartieFactory(table_number=7)
        actor = owner_of(partie.championship)
        void_partie(actor=actor, partie_id=partie.pk, version=1, reason="Drawn wrongly")
        PartieFactory(championship=partie.championship, table_number=7)
        with pytest.raises(Conflict, match="table-taken"):
            reopen_partie(actor=actor, partie_id=partie.pk, version=2, reason="Drawn rightly")

    def test_it_is_not_reopened_while_its_entries_sit_elsewhere(self) -> None:
        partie = to(5000)
        actor = owner_of(partie.championship)
        void_partie(actor=actor, partie_id=partie.pk, version=None, reason="Wrong draw")
        PartieFactory(championship=partie.championship, entries=[seat.entry for seat in partie.seats.all()])

        with pytest.raises(Conflict, match="at-another-table"):
            reopen_partie(actor=actor, partie_id=partie.pk, version=None, reason="Right draw")


class TestForfeits:
    """An entry is absent or leaves."""

    def test_a_forfeit_closes_the_partie_and_the_finished_manches_stay(self) -> None:
        partie = to(5000)
        play(partie, 1, a_wins())
        leaver = partie.seats.get(label="A")

        rule_forfeit(
            actor=owner_of(partie.championship),
            partie_id=partie.pk,
            entry_id=leaver.entry_id,
            version=None,
            reason="Left",
        )

        assert now(partie) == ("closed", "forfeit")
        leaver.refresh_from_db()
        assert leaver.forfeited_at is not None
        assert leaver.forfeit_reason == "Left"
        assert Result.objects.get().state == "confirmed"
        assert play(partie, 2, a_wins(0)).refused

    def test_two_may_leave_one_after_the_other(self) -> None:
        partie = to(5000, table_entries=3)
        for label in "AB":
            rule_forfeit(
                actor=owner_of(partie.championship),
                partie_id=partie.pk,
                entry_id=partie.seats.get(label=label).entry_id,
                version=None,
                reason="Absent",
            )
        assert Seat.objects.filter(partie=partie, forfeited_at__isnull=False).count() == 2

    def test_ruled_twice_it_is_ruled_once(self) -> None:
        partie = to(5000)
        leaver = partie.seats.get(label="A").entry_id
        for _ in range(2):
            rule_forfeit(
                actor=owner_of(partie.championship),
                partie_id=partie.pk,
                entry_id=leaver,
                version=None,
                reason="Absent",
            )
        assert ResultEvent.objects.filter(what="forfeit").count() == 1

    def test_only_who_sits_there_can_forfeit(self) -> None:
        partie = to(5000)
        stranger = EntryFactory(championship=partie.championship)
        with pytest.raises(NotFound):
            rule_forfeit(
                actor=owner_of(partie.championship),
                partie_id=partie.pk,
                entry_id=stranger.pk,
                version=None,
                reason="Absent",
            )

    def test_a_forfeit_can_be_taken_back(self) -> None:
        partie = to(5000)
        actor = owner_of(partie.championship)
        rule_forfeit(
            actor=actor,
            partie_id=partie.pk,
            entry_id=partie.seats.get(label="A").entry_id,
            version=None,
            reason="Absent",
        )

        reopen_partie(actor=actor, partie_id=partie.pk, version=None, reason="Only late")

        assert now(partie) == ("open", "")
        assert not Seat.objects.filter(forfeited_at__isnull=False).exists()

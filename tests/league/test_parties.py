"""Parties: when they end, what closes, annuls and reopens them, forfeits and byes (STANDINGS 1 and 2, RULES 8)."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, Stale, UserFault
from league.models import Bye, Championship, Entry, Manche, Partie, Result, ResultEvent, Seat
from league.services.entries import withdraw
from league.services.parties import (
    add_bye,
    close_partie,
    open_partie,
    remove_bye,
    reopen_partie,
    rule_forfeit,
    void_partie,
)
from league.services.rulings import penalise, reinstate_manche, void_manche
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


def to(points: int, **settings: Any) -> Partie:
    """A partie to a number of points."""
    return PartieFactory(championship=ChampionshipFactory(partie_end_value=points, **settings))


def ending(end: str, value: int | None, **settings: Any) -> Partie:
    return PartieFactory(championship=ChampionshipFactory(partie_end=end, partie_end_value=value, **settings))


def a_wins(b: int = 475) -> dict[str, Any]:
    """A has 1400, B its km."""
    return sheet({"A": 1000, "B": b})


def b_wins(a: int = 475) -> dict[str, Any]:
    return sheet({"A": a, "B": 1000})


def now(partie: Partie) -> tuple[str, str]:
    partie.refresh_from_db()
    return partie.status, partie.closed_how


def manche(partie: Partie, number: int) -> int:
    return Manche.objects.get(partie=partie, number=number).pk


class TestOpening:
    """Entries are seated in the order given; the first manche waits."""

    def test_seats_are_labelled_in_the_order_given(self) -> None:
        championship = ChampionshipFactory(table_entries=3)
        entries = EntryFactory.create_batch(3, championship=championship)

        partie = PartieFactory(championship=championship, entries=entries[::-1])

        assert list(partie.seats.values_list("label", "entry__number")) == [("A", 3), ("B", 2), ("C", 1)]
        assert list(partie.manches.values_list("number", flat=True)) == [1]

    def test_parties_are_numbered_through_the_championship(self) -> None:
        championship = ChampionshipFactory()

        numbers = [PartieFactory(championship=championship, round=n).number for n in (1, 1, 2)]

        assert numbers == [1, 2, 3]
        assert PartieFactory().number == 1

    @pytest.mark.parametrize("count", [1, 3, 4])
    def test_a_table_seats_as_many_as_the_championship_says(self, count: int) -> None:
        championship = ChampionshipFactory()
        with pytest.raises(UserFault, match="bad-table"):
            PartieFactory(
                championship=championship, entries=EntryFactory.create_batch(count, championship=championship)
            )

    def test_a_table_of_one_less_must_be_allowed(self) -> None:
        strict = ChampionshipFactory(table_entries=3)
        with pytest.raises(UserFault, match="bad-table"):
            PartieFactory(championship=strict, entries=EntryFactory.create_batch(2, championship=strict))

        lenient = ChampionshipFactory(table_entries=3, allow_short_tables=True)
        PartieFactory(championship=lenient, entries=EntryFactory.create_batch(2, championship=lenient))
        with pytest.raises(UserFault, match="bad-table"):
            PartieFactory(championship=lenient, entries=EntryFactory.create_batch(1, championship=lenient))

    def test_an_entry_of_another_championship_is_unknown(self) -> None:
        championship = ChampionshipFactory()
        with pytest.raises(UserFault, match="unknown-entry"):
            PartieFactory(championship=championship, entries=[EntryFactory(championship=championship), EntryFactory()])

    def test_nobody_sits_twice(self) -> None:
        entry = EntryFactory()
        with pytest.raises(UserFault, match="entry-twice"):
            PartieFactory(championship=entry.championship, entries=[entry, entry])

    def test_nobody_sits_at_two_tables_at_once(self) -> None:
        first = PartieFactory()
        entries = [first.seats.get(label="A").entry, EntryFactory(championship=first.championship)]

        with pytest.raises(Conflict, match="at-another-table"):
            PartieFactory(championship=first.championship, entries=entries, round=2)

        close_partie(actor=owner_of(first.championship), partie_id=first.pk, version=None, reason="Time")
        PartieFactory(championship=first.championship, entries=entries, round=2)

    def test_who_has_a_bye_does_not_play_in_that_round(self) -> None:
        entry = EntryFactory()
        add_bye(actor=owner_of(entry.championship), entry_id=entry.pk, round=2)
        entries = [entry, EntryFactory(championship=entry.championship)]

        with pytest.raises(Conflict, match="has-bye"):
            PartieFactory(championship=entry.championship, entries=entries, round=2)
        PartieFactory(championship=entry.championship, entries=entries, round=3)

    def test_who_has_withdrawn_does_not_play(self) -> None:
        entry = EntryFactory()
        withdraw(actor=owner_of(entry.championship), entry_id=entry.pk, reason="Ill")

        with pytest.raises(UserFault, match="withdrawn"):
            PartieFactory(
                championship=entry.championship, entries=[entry, EntryFactory(championship=entry.championship)]
            )

    def test_a_table_number_is_taken_once_a_round(self) -> None:
        championship = ChampionshipFactory()
        PartieFactory(championship=championship, table_number=1)

        with pytest.raises(Conflict, match="table-taken"):
            PartieFactory(championship=championship, table_number=1)
        PartieFactory(championship=championship, table_number=1, round=2)

    @pytest.mark.parametrize("table", [0, -1, 10_000, 9_999_999_999])
    def test_a_table_number_is_counted_from_one(self, table: int) -> None:
        with pytest.raises(UserFault, match="bad-table-number"):
            PartieFactory(table_number=table)

    @pytest.mark.parametrize("round_number", [0, -1, 1000])
    def test_rounds_are_counted_from_one(self, round_number: int) -> None:
        with pytest.raises(UserFault, match="bad-round"):
            PartieFactory(round=round_number)


class TestEnd:
    """A partie closes by itself at its end."""

    def test_at_the_target_of_points_the_highest_total_wins(self) -> None:
        partie = to(2000)
        play(partie, 1, a_wins())
        assert now(partie) == ("open", "")

        answer = play(partie, 2, a_wins(500))

        assert now(partie) == ("closed", "end")
        assert (answer.partie_status, answer.next_manche) == ("closed", None)
        assert Manche.objects.filter(partie=partie).count() == 2

    def test_level_at_the_top_they_play_on(self) -> None:
        partie = to(1800)
        play(partie, 1, a_wins(475))
        answer = play(partie, 2, b_wins(475))

        assert now(partie) == ("open", "")
        assert answer.next_manche == 3
        play(partie, 3, a_wins(0))
        assert now(partie) == ("closed", "end")

    def test_level_below_the_top_is_no_reason_to_play_on(self) -> None:
        partie = to(1400, table_entries=3)

        play(partie, 1, sheet({"A": 1000, "B": 400, "C": 400}))

        assert now(partie) == ("closed", "end")

    def test_after_a_number_of_manches_it_is_over_even_when_level(self) -> None:
        partie = ending("manches", 2)
        play(partie, 1, a_wins())
        assert now(partie) == ("open", "")
        play(partie, 2, b_wins())
        assert now(partie) == ("closed", "end")

    def test_at_a_number_of_manches_won(self) -> None:
        partie = ending("wins", 2)
        play(partie, 1, a_wins())
        play(partie, 2, b_wins())
        assert now(partie) == ("open", "")
        play(partie, 3, b_wins(0))
        assert now(partie) == ("closed", "end")

    def test_where_the_referee_closes_nothing_ends_it(self) -> None:
        partie = ending("referee", None)
        for number in range(1, 5):
            play(partie, number, a_wins(25 * number))
        assert now(partie) == ("open", "")

    def test_penalties_do_not_take_the_end_away(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())
        penalise(
            actor=owner_of(partie.championship),
            manche_id=manche(partie, 1),
            version=1,
            label="A",
            points=500,
            reason="Late",
        )
        assert now(partie) == ("closed", "end")


class TestCorrections:
    """A correction is judged again: the partie may open, or close, or the correction must wait."""

    def test_a_correction_that_takes_the_end_away_opens_the_partie(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())

        answer = play(partie, 1, sheet({"A": 975, "B": 400}, end="interrupted"), reason="Not there", replaces=1)

        assert now(partie) == ("open", "")
        assert answer.next_manche == 2
        assert list(ResultEvent.objects.order_by("position").values_list("what", flat=True))[-2:] == [
            "corrected",
            "partie-reopened",
        ]

    def test_a_correction_that_takes_the_end_away_waits_while_its_entries_sit_elsewhere(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())
        entries = [seat.entry for seat in partie.seats.order_by("label")]
        other = PartieFactory(championship=partie.championship, entries=entries, round=2)

        with pytest.raises(Conflict, match="at-another-table") as conflict:
            play(partie, 1, sheet({"A": 600, "B": 475}, end="interrupted"), reason="Stopped", replaces=1)

        assert conflict.value.extra == {"partie": other.number}
        assert now(partie) == ("closed", "end")
        play(other, 1, b_wins())
        play(partie, 1, sheet({"A": 600, "B": 475}, end="interrupted"), reason="Stopped", replaces=1)
        assert now(partie) == ("open", "")

    def test_and_the_correction_of_the_correction_closes_it_again(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())
        play(partie, 1, sheet({"A": 975, "B": 400}, end="interrupted"), reason="Not there", replaces=1)

        play(partie, 1, a_wins(), reason="There after all", replaces=2)

        assert now(partie) == ("closed", "end")

    def test_a_correction_that_would_have_ended_it_before_later_manches_waits_until_they_are_annulled(self) -> None:
        partie = ending("wins", 2)
        play(partie, 1, b_wins())
        play(partie, 2, a_wins())
        play(partie, 3, a_wins(0))
        assert now(partie) == ("closed", "end")

        with pytest.raises(Conflict) as conflict:
            play(partie, 1, a_wins(50), reason="A won it", replaces=1)

        assert conflict.value.code == "later-manches"
        assert conflict.value.extra == {"reached": 2, "later": [3]}
        assert Result.objects.filter(state="superseded").count() == 0

        void_manche(actor=owner_of(partie.championship), manche_id=manche(partie, 3), version=1, reason="Not due")
        assert now(partie) == ("open", "")
        play(partie, 1, a_wins(50), reason="A won it", replaces=1)
        assert now(partie) == ("closed", "end")

    def test_a_correction_whose_claim_differs_holds_the_partie_open_until_it_is_settled(self) -> None:
        partie = to(1400)
        play(partie, 1, a_wins())

        answer = play(partie, 1, a_wins(500) | {"claim": {"A": 1, "B": 1}}, reason="Their sheet", replaces=1)

        assert (answer.state, answer.next_manche) == ("differs", None)
        assert now(partie) == ("open", "")
        assert Manche.objects.filter(partie=partie).count() == 1

    def test_a_correction_in_a_partie_that_the_referee_closed_leaves_it_closed(self) -> None:
        partie = to(5000)
        play(partie, 1, a_wins())
        close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Time")

        assert play(partie, 1, a_wins(500), reason="500", replaces=1).outcome == "recorded"

        assert now(partie) == ("closed", "referee")

    def test_annulling_a_manche_makes_another_one_with_the_next_number(self) -> None:
        partie = ending("manches", 1)
        play(partie, 1, a_wins())
        void_manche(actor=owner_of(partie.championship), manche_id=manche(partie, 1), version=1, reason="Wrong deck")

        assert now(partie) == ("open", "")
        assert list(Manche.objects.filter(partie=partie).values_list("number", flat=True)) == [1, 2]
        play(partie, 2, a_wins())
        assert now(partie) == ("closed", "end")

    def test_taking_an_annulment_back_needs_room(self) -> None:
        partie = ending("manches", 1)
        actor = owner_of(partie.championship)
        play(partie, 1, a_wins())
        void_manche(actor=actor, manche_id=manche(partie, 1), version=1, reason="Wrong deck")
        play(partie, 2, a_wins(0))

        with pytest.raises(Conflict, match="later-manches"):
            reinstate_manche(actor=actor, manche_id=manche(partie, 1), version=1, reason="Right deck")

        void_manche(actor=actor, manche_id=manche(partie, 2), version=1, reason="Not due")
        reinstate_manche(actor=actor, manche_id=manche(partie, 1), version=1, reason="Right deck")
        assert now(partie) == ("closed", "end")


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


class TestByes:
    """An entry left over in a round."""

    def test_a_bye_given_twice_is_one(self) -> None:
        entry = EntryFactory()
        byes = [add_bye(actor=owner_of(entry.championship), entry_id=entry.pk, round=1) for _ in range(2)]
        assert byes[0] == byes[1]
        assert ResultEvent.objects.filter(what="bye").count() == 1

    def test_who_plays_has_no_bye(self) -> None:
        partie = to(5000)
        entry = partie.seats.get(label="A").entry
        with pytest.raises(Conflict, match="plays-this-round"):
            add_bye(actor=owner_of(partie.championship), entry_id=entry.pk, round=1)
        add_bye(actor=owner_of(partie.championship), entry_id=entry.pk, round=2)

    def test_who_played_a_partie_that_was_annulled_may_have_one(self) -> None:
        partie = to(5000)
        void_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Wrong draw")
        add_bye(actor=owner_of(partie.championship), entry_id=partie.seats.get(label="A").entry_id, round=1)
        assert Bye.objects.count() == 1

    def test_a_bye_can_be_taken_away_with_a_reason(self) -> None:
        entry = EntryFactory()
        bye = add_bye(actor=owner_of(entry.championship), entry_id=entry.pk, round=1)

        remove_bye(actor=owner_of(entry.championship), bye_id=bye.pk, reason="Somebody came")

        assert not Bye.objects.exists()
        assert ResultEvent.objects.order_by("-position")[0].reason == "Somebody came"


def test_nothing_of_a_partie_that_could_not_be_opened_is_left() -> None:
    championship: Championship = ChampionshipFactory()
    entries: list[Entry] = EntryFactory.create_batch(2, championship=championship)
    PartieFactory(championship=championship, entries=entries, table_number=4)
    others = EntryFactory.create_batch(2, championship=championship)

    with pytest.raises(Conflict):
        open_partie(
            actor=owner_of(championship),
            championship_id=championship.pk,
            entry_ids=[entry.pk for entry in others],
            round=1,
            table_number=4,
        )

    assert (Partie.objects.count(), Seat.objects.count(), Manche.objects.count()) == (1, 2, 1)

"""Parties are opened, with seats in the order given, and byes given (STANDINGS 2, RULES 13)."""

import pytest

from league.errors import Conflict, UserFault
from league.models import Bye, Championship, Entry, Manche, Partie, ResultEvent, Seat
from league.services.entries import withdraw
from league.services.parties import (
    add_bye,
    close_partie,
    open_partie,
    remove_bye,
    void_partie,
)
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of
from tests.league.partie_cases import to

pytestmark = pytest.mark.django_db


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

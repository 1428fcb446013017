"""Rounds from the draw to the lock: drafts, changes by hand, publishing, reopening, the last step taken back."""

from typing import Any

import pytest

from league.errors import Conflict, Faults, Stale, UserFault
from league.models import Absence, AuditEntry, Bye, Championship, Entry, Manche, Partie, Round, Seat, Stage, StageEntry
from league.services.drafts import discard_draft, move, number_table, swap, turn
from league.services.draws import draw_round, redraw
from league.services.entries import withdraw
from league.services.parties import void_partie
from league.services.rounds import lock_round, publish_round, reopen_round, undo_step
from league.services.stages import add_stage
from tests.factories import ChampionshipFactory, EntryFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


def a_swiss(entries: int = 6, **settings: Any) -> Championship:
    """A championship of one manche a partie with a Swiss stage of five rounds."""
    championship = ChampionshipFactory(**{"partie_end": "manches", "partie_end_value": 1, **settings})
    EntryFactory.create_batch(entries, championship=championship)
    add_stage(
        actor=owner_of(championship),
        championship_id=championship.pk,
        settings={"format": "swiss", "rounds_planned": 5},
    )
    return championship


def drawn(championship: Championship, **how: Any) -> Round:
    """The next round as a draft."""
    return draw_round(actor=owner_of(championship), championship_id=championship.pk, **how)


def published(championship: Championship, round_: Round | None = None, **how: Any) -> Round:
    """The next round, published."""
    round_ = round_ or drawn(championship)
    return publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version, **how)


def play_all(championship: Championship, round_: int) -> None:
    """Every open partie of a round is won by A."""
    for partie in Partie.objects.filter(championship=championship, round=round_, status="open").order_by("number"):
        play(partie, 1, sheet())


def tables(round_: Round) -> list[list[int]]:
    """Who sits where in a draft, first numbers."""
    return [[side[0] for side in table["sides"]] for table in round_.pairing["tables"]]


def seats(championship: Championship, round_: int) -> list[tuple[int | None, list[int]]]:
    """Table and entry numbers of every partie of a round."""
    parties = Partie.objects.filter(championship=championship, round=round_).order_by("number")
    return [
        (p.table_number, list(Seat.objects.filter(partie=p).order_by("label").values_list("entry__number", flat=True)))
        for p in parties
    ]


class TestADraft:
    def test_seats_everybody_once_and_makes_no_partie_yet(self) -> None:
        championship = a_swiss(7)
        round_ = drawn(championship)
        sitting = sorted(n for table in tables(round_) for n in table) + round_.pairing["byes"]
        assert sorted(sitting) == [1, 2, 3, 4, 5, 6, 7]
        assert len(round_.pairing["byes"]) == 1
        assert (round_.status, round_.number, len(round_.seed)) == ("draft", 1, 64)
        assert not Partie.objects.exists()

    def test_starts_the_first_stage_with_everybody(self) -> None:
        championship = a_swiss(4)
        drawn(championship)
        assert Stage.objects.get().started_at is not None
        assert sorted(StageEntry.objects.values_list("seed", flat=True)) == [1, 2, 3, 4]
        assert "stage-started" in championship.journal.values_list("what", flat=True)

    def test_is_drawn_once(self) -> None:
        championship = a_swiss(4)
        drawn(championship)
        with pytest.raises(Conflict, match="draft-exists"):
            drawn(championship)

    def test_leaves_out_who_withdrew_and_who_announced_to_be_absent(self) -> None:
        championship = a_swiss(6)
        first, second = Entry.objects.order_by("number")[:2]
        withdraw(actor=owner_of(championship), entry_id=first.pk, reason="Ill")
        Absence.objects.create(championship=championship, round=1, entry=second)
        round_ = drawn(championship)
        assert sorted(n for table in tables(round_) for n in table) == [3, 4, 5, 6]
        assert round_.pairing["absent"] == [2]

    def test_without_stages_everybody_is_drawn_by_lot(self) -> None:
        championship = ChampionshipFactory()
        EntryFactory.create_batch(4, championship=championship)
        assert len(tables(drawn(championship))) == 2

    def test_of_nobody_is_refused(self) -> None:
        with pytest.raises(UserFault, match="nobody"):
            drawn(a_swiss(1))


class TestCheckIn:
    def test_those_not_there_are_absent_if_the_organiser_says_so(self) -> None:
        championship = a_swiss(6)
        Entry.objects.filter(number__lte=4).update(checked_in_at="2026-11-30T08:00:00Z")
        assert sorted(n for table in tables(drawn(championship, unchecked="absent")) for n in table) == [1, 2, 3, 4]

    def test_or_play_all_the_same(self) -> None:
        championship = a_swiss(6)
        Entry.objects.filter(number__lte=4).update(checked_in_at="2026-11-30T08:00:00Z")
        assert len(tables(drawn(championship, unchecked="play"))) == 3

    def test_nobody_is_absent_where_nobody_was_checked_in(self) -> None:
        assert len(tables(drawn(a_swiss(6), unchecked="absent"))) == 3


class TestDrawingAgain:
    def test_gives_the_same_tables_and_takes_changes_back(self) -> None:
        championship = a_swiss(8)
        round_ = drawn(championship)
        before, seed = tables(round_), round_.seed
        (one, _), (other, _), *_rest = before
        changed = swap(actor=owner_of(championship), round_id=round_.pk, version=round_.version, one=one, other=other)
        assert tables(changed) != before
        again = redraw(actor=owner_of(championship), round_id=round_.pk, version=changed.version)
        assert (tables(again), again.seed) == (before, seed)

    def test_takes_in_who_came_late(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        EntryFactory.create_batch(2, championship=championship)
        again = redraw(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
        assert sorted(n for table in tables(again) for n in table) == [1, 2, 3, 4, 5, 6]
        assert StageEntry.objects.count() == 6

    def test_a_discarded_draft_leaves_nothing(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        discard_draft(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
        assert not Round.objects.exists()
        assert drawn(championship).number == 1


class TestByHand:
    def test_two_entries_change_places_also_with_a_bye(self) -> None:
        championship = a_swiss(5)
        round_ = drawn(championship)
        bye, sitting = round_.pairing["byes"][0], tables(round_)[0][0]
        changed = swap(actor=owner_of(championship), round_id=round_.pk, version=round_.version, one=bye, other=sitting)
        assert tables(changed)[0][0] == bye
        assert changed.pairing["byes"] == [sitting]
        assert AuditEntry.objects.filter(action="swap_in_draft").count() == 1

    def test_an_entry_is_moved_to_another_table_and_to_the_byes(self) -> None:
        championship = a_swiss(6, table_entries=3)
        round_ = drawn(championship)
        owner, moved = owner_of(championship), tables(round_)[0][0]
        changed = move(actor=owner, round_id=round_.pk, version=round_.version, entry=moved, to=2)
        assert [len(table) for table in tables(changed)] == [2, 4]
        changed = move(actor=owner, round_id=round_.pk, version=changed.version, entry=moved, to="byes")
        assert changed.pairing["byes"] == [moved]

    def test_a_table_that_nobody_is_left_at_goes(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        version = round_.version
        for number in tables(round_)[1]:
            round_ = move(actor=owner_of(championship), round_id=round_.pk, version=version, entry=number, to="absent")
            version = round_.version
        assert len(tables(round_)) == 1

    def test_seats_are_turned_and_tables_numbered(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        owner, before = owner_of(championship), tables(round_)
        turned = turn(actor=owner, round_id=round_.pk, version=round_.version, table=1)
        assert tables(turned)[0] == before[0][::-1]
        numbered = number_table(actor=owner, round_id=round_.pk, version=turned.version, table=1, to=2)
        assert tables(numbered) == [before[1], before[0][::-1]]

    def test_two_people_at_once_the_second_is_told(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        turn(actor=owner_of(championship), round_id=round_.pk, version=round_.version, table=1)
        with pytest.raises(Stale):
            turn(actor=owner_of(championship), round_id=round_.pk, version=round_.version, table=2)

    def test_who_is_not_in_it_cannot_be_moved(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        with pytest.raises(UserFault, match="not-in-draft"):
            swap(actor=owner_of(championship), round_id=round_.pk, version=1, one=99, other=1)

    def test_a_table_that_no_rulebook_has_is_not_published(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        one = tables(round_)[0][0]
        round_ = move(actor=owner_of(championship), round_id=round_.pk, version=round_.version, entry=one, to=2)
        with pytest.raises(Faults) as raised:
            published(championship, round_)
        assert {fault.code for fault in raised.value.faults} == {"bad-table"}


class TestPublishing:
    def test_makes_parties_in_the_order_of_tables_with_seats_manches_and_byes(self) -> None:
        championship = a_swiss(5)
        round_ = drawn(championship)
        published(championship, round_)
        assert seats(championship, 1) == [(1, tables(round_)[0]), (2, tables(round_)[1])]
        assert Manche.objects.count() == 2
        assert list(Bye.objects.values_list("entry__number", flat=True)) == round_.pairing["byes"]
        championship.refresh_from_db()
        assert championship.ranking_due_since is not None

    def test_twice_makes_it_once(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        published(championship, round_)
        assert Partie.objects.count() == 2

    def test_locks_the_round_before(self) -> None:
        championship = a_swiss(4)
        published(championship)
        play_all(championship, 1)
        published(championship)
        assert list(Round.objects.values_list("status", flat=True)) == ["locked", "published"]

    def test_nobody_meets_the_same_opponent_while_it_can_be_avoided(self) -> None:
        championship = a_swiss(6)
        for number in range(1, 4):
            published(championship)
            play_all(championship, number)
        pairs = [frozenset(pair) for n in range(1, 4) for _table, pair in seats(championship, n)]
        assert len(set(pairs)) == len(pairs)

    def test_the_leader_meets_another_leader(self) -> None:
        championship = a_swiss(4)
        published(championship)
        winners = {pair[0] for _table, pair in seats(championship, 1)}
        play_all(championship, 1)
        assert winners in [set(table) for table in tables(drawn(championship))]

    def test_who_withdrew_since_the_draw_is_named(self) -> None:
        championship = a_swiss(4)
        round_ = drawn(championship)
        withdraw(actor=owner_of(championship), entry_id=Entry.objects.get(number=2).pk, reason="Ill")
        with pytest.raises(UserFault, match="withdrawn"):
            published(championship, round_)


class TestTablesThatStillPlay:
    def test_are_told_before_the_draw_and_do_not_stop_it(self) -> None:
        championship = a_swiss(4)
        published(championship)
        with pytest.raises(Conflict, match="parties-open"):
            drawn(championship)
        assert drawn(championship, anyway=True).number == 2

    def test_are_postponed_when_the_next_round_is_published(self) -> None:
        championship = a_swiss(4)
        published(championship)
        play(Partie.objects.get(number=1), 1, sheet())
        round_ = drawn(championship, anyway=True)
        with pytest.raises(Conflict, match="at-another-table"):
            published(championship, round_)
        published(championship, round_, postpone_open="The hall closes")
        late = Partie.objects.get(number=2)
        assert (late.status, late.postponed_reason) == ("open", "The hall closes")
        play(late, 1, sheet())
        late.refresh_from_db()
        assert late.status == "closed"


class TestReopening:
    def test_keeps_what_was_played_and_frees_the_rest(self) -> None:
        championship = a_swiss(6)
        round_ = published(championship)
        played, *rest = seats(championship, 1)
        play(Partie.objects.get(number=1), 1, sheet())
        late = EntryFactory(championship=championship)
        round_ = reopen_round(
            actor=owner_of(championship), round_id=round_.pk, version=round_.version, reason="Late arrival"
        )
        assert [table["kept"] for table in round_.pairing["tables"]] == [True, False, False]
        assert Partie.objects.count() == 1
        again = redraw(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
        assert tables(again)[0] == played[1]
        everybody = sorted([n for table in tables(again) for n in table] + again.pairing["byes"])
        assert everybody == [1, 2, 3, 4, 5, 6, late.number]
        published(championship, again)
        assert Partie.objects.filter(round=1).count() == 3
        assert Bye.objects.count() == 1
        assert len(rest) == 2

    def test_a_table_that_was_played_is_not_changed(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        play(Partie.objects.get(number=1), 1, sheet())
        round_ = reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Why not")
        one = tables(round_)[0][0]
        with pytest.raises(Conflict, match="kept-table"):
            move(actor=owner_of(championship), round_id=round_.pk, version=None, entry=one, to="byes")
        with pytest.raises(Conflict, match="kept-table"):
            discard_draft(actor=owner_of(championship), round_id=round_.pk, version=None)

    def test_takes_byes_back(self) -> None:
        championship = a_swiss(5)
        round_ = published(championship)
        reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Late arrival")
        assert not Bye.objects.exists()
        assert "bye-removed" in championship.journal.values_list("what", flat=True)

    def test_is_bounded(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        for _ in range(3):
            reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Again")
            publish_round(actor=owner_of(championship), round_id=round_.pk, version=None)
        with pytest.raises(Conflict, match="reopened-too-often"):
            reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Again")

    def test_a_locked_round_or_one_that_is_not_the_last_stays(self) -> None:
        championship = a_swiss(4)
        first = published(championship)
        lock_round(actor=owner_of(championship), round_id=first.pk, version=None)
        with pytest.raises(Conflict, match="round-locked"):
            reopen_round(actor=owner_of(championship), round_id=first.pk, version=None, reason="No")
        play_all(championship, 1)
        drawn(championship)
        with pytest.raises(Conflict, match="not-the-last"):
            undo_step(actor=owner_of(championship), round_id=first.pk, version=None)

    def test_needs_a_reason(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        with pytest.raises(UserFault, match="reason-required"):
            reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason=" ")

    def test_who_sat_at_an_annulled_table_can_be_drawn_again(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        void_partie(actor=owner_of(championship), partie_id=Partie.objects.get(number=1).pk, version=None, reason="x")
        round_ = reopen_round(actor=owner_of(championship), round_id=round_.pk, version=None, reason="Again")
        again = redraw(actor=owner_of(championship), round_id=round_.pk, version=None)
        assert sorted(n for table in tables(again) for n in table) == [1, 2, 3, 4]
        published(championship, again)
        assert Partie.objects.filter(status="open").count() == 2


class TestTheLastStep:
    def test_is_taken_back_one_by_one(self) -> None:
        championship = a_swiss(5)
        round_ = published(championship)
        lock_round(actor=owner_of(championship), round_id=round_.pk, version=None)
        states = []
        for _ in range(3):
            left = undo_step(actor=owner_of(championship), round_id=round_.pk, version=None)
            states.append(left.status if left else None)
        assert states == ["published", "draft", None]
        assert not Partie.objects.exists()
        assert not Bye.objects.exists()

    def test_is_not_taken_back_once_something_was_handed_in(self) -> None:
        championship = a_swiss(4)
        round_ = published(championship)
        play(Partie.objects.get(number=1), 1, sheet({"A": 990, "B": 0}))
        with pytest.raises(Conflict, match="results-in"):
            undo_step(actor=owner_of(championship), round_id=round_.pk, version=None)


def test_a_round_beyond_the_plan_is_drawn_only_when_asked_for() -> None:
    championship = a_swiss(4)
    Stage.objects.update(rounds_planned=1)
    published(championship)
    play_all(championship, 1)
    with pytest.raises(Conflict, match="stage-over"):
        drawn(championship)
    assert drawn(championship, one_more=True).number == 2


def test_the_seed_is_that_of_the_secret_and_the_results_before() -> None:
    from scoring.pairing import seed_of_round

    championship = a_swiss(5)
    first = published(championship)
    assert first.seed == seed_of_round(championship.secret, 1, {})
    play(Partie.objects.get(number=1), 1, sheet())
    results = dict.fromkeys(first.pairing["byes"], 2)
    (won, lost), level = tables(first)
    results |= {won: 2, lost: 0} | dict.fromkeys(level, 1)
    assert drawn(championship, anyway=True).seed == seed_of_round(championship.secret, 2, results)

"""Results on the wrong table or the wrong side, moved, exchanged or turned in one act; nothing half done."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, UserFault
from league.models import Championship, Manche, Partie, Result, ResultEvent
from league.selectors.classement import document
from league.services.moving import move_result, turn_result
from league.services.rulings import penalise, settle_claim, void_manche
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.table_cases import enter
from tests.league.test_rounds import a_swiss, published

pytestmark = pytest.mark.django_db

TURNED = {"A": "B", "B": "A"}
OTHER = {"A": 1000, "B": 300}


@pytest.fixture
def cup() -> Championship:
    return ChampionshipFactory(partie_end="manches", partie_end_value=3)


@pytest.fixture
def tables(cup: Championship) -> list[Partie]:
    return [PartieFactory(championship=cup) for _ in range(2)]


def turn(partie: Partie, number: int = 1, version: int = 1, **how: Any) -> Any:
    manche = Manche.objects.get(partie=partie, number=number)
    asked = {"sides": TURNED, "reason": "The columns were exchanged"} | how
    return turn_result(actor=owner_of(partie.championship), manche_id=manche.pk, version=version, **asked)


def move(partie: Partie, to: Partie, number: int = 1, to_number: int = 1, version: int = 1) -> Any:
    return move_result(
        actor=owner_of(partie.championship),
        manche_id=Manche.objects.get(partie=partie, number=number).pk,
        version=version,
        partie_number=to.number,
        manche_number=to_number,
        reason="It was typed into the wrong table",
    )


def points(partie: Partie) -> list[dict[str, int]]:
    """The points of the manches that count, by label."""
    numbers = {str(seat.entry.number): seat.label for seat in partie.seats.select_related("entry")}
    of_it = next(one for one in document(partie.championship)["parties"] if one["number"] == partie.number)
    return [{numbers[entry]: value for entry, value in manche["points"].items()} for manche in of_it["manches"]]


class TestTurning:
    def test_each_side_has_the_others_column(self, tables: list[Partie]) -> None:
        play(tables[0], 1, sheet(claim={"A": 1400, "B": 475}))
        answer = turn(tables[0])
        assert (answer.version, answer.state) == (2, "confirmed")
        assert points(tables[0]) == [{"A": 475, "B": 1400}]
        result = Result.objects.get(version=2)
        assert result.claim_ok is True, "what was announced is turned too"
        assert result.reason == "The columns were exchanged"
        assert result.supersedes is not None

    def test_turned_twice_it_is_as_before(self, tables: list[Partie]) -> None:
        play(tables[0])
        turn(tables[0])
        turn(tables[0], version=2)
        assert points(tables[0]) == [{"A": 1400, "B": 475}]

    def test_three_sides_are_turned_as_said(self) -> None:
        cup = ChampionshipFactory(rulebook="classique", table_entries=3, partie_end="manches", partie_end_value=2)
        partie = PartieFactory(championship=cup)
        kms = {"A": 700, "B": 400, "C": 300}
        assert play(partie, 1, sheet(kms)).outcome == "recorded"
        turn(partie, sides={"A": "C", "B": "A", "C": "B"})
        scores = Result.objects.get(version=2).scores.order_by("seat__label")
        assert [score.km for score in scores] == [300, 700, 400]

    @pytest.mark.parametrize("sides", [{"A": "A", "B": "B"}, {"A": "B", "B": "B"}, {"A": "B"}, {"A": "B", "C": "A"}])
    def test_what_turns_nothing_or_makes_no_sense_is_refused(self, tables: list[Partie], sides: dict[str, str]) -> None:
        play(tables[0])
        with pytest.raises(UserFault) as caught:
            turn(tables[0], sides=sides)
        assert caught.value.code == "bad-sides"

    def test_penalties_stay_with_the_entry_that_they_were_given_to(self, tables: list[Partie]) -> None:
        play(tables[0])
        manche = Manche.objects.get(partie=tables[0], number=1)
        owner = owner_of(tables[0].championship)
        penalise(actor=owner, manche_id=manche.pk, version=1, label="A", points=100, reason="Late")
        turn(tables[0])
        assert points(tables[0]) == [{"A": 375, "B": 1400}]

    def test_an_old_version_is_not_turned(self, tables: list[Partie]) -> None:
        play(tables[0])
        turn(tables[0])
        with pytest.raises(Conflict) as caught:
            turn(tables[0])
        assert caught.value.code == "result-changed"


class TestMoving:
    def test_a_result_comes_to_where_it_belongs_and_its_manche_is_awaited_again(self, tables: list[Partie]) -> None:
        play(tables[0])
        answer = move(tables[0], tables[1])
        assert (answer.partie, answer.manche, answer.version, answer.state) == (tables[1].number, 1, 1, "confirmed")
        assert points(tables[0]) == []
        assert points(tables[1]) == [{"A": 1400, "B": 475}]
        assert [m.number for m in Manche.objects.filter(partie=tables[0])] == [1], "manche 2 is not awaited any more"
        assert Result.objects.get(manche__partie=tables[1]).reason == "It was typed into the wrong table"
        whats = list(ResultEvent.objects.filter(result__isnull=False).values_list("what", flat=True))
        assert whats == ["confirmed", "result-taken-back", "confirmed"]

    def test_what_is_entered_afterwards_is_a_new_version_not_a_correction(self, tables: list[Partie]) -> None:
        play(tables[0])
        move(tables[0], tables[1])
        answer = play(tables[0], 1, sheet(OTHER))
        assert (answer.version, answer.state, answer.next_manche) == (2, "confirmed", 2)

    def test_two_results_are_exchanged(self, tables: list[Partie]) -> None:
        play(tables[0])
        play(tables[1], 1, sheet(OTHER))
        move(tables[0], tables[1])
        assert points(tables[0]) == [{"A": 1400, "B": 300}]
        assert points(tables[1]) == [{"A": 1400, "B": 475}]
        assert {(r.manche.partie_id, r.version) for r in Result.objects.filter(state="confirmed")} == {
            (tables[0].pk, 2),
            (tables[1].pk, 2),
        }

    def test_a_later_manche_keeps_its_result_and_the_next_one_is_made_once(self, tables: list[Partie]) -> None:
        play(tables[0])
        play(tables[0], 2, sheet(OTHER))
        move(tables[0], tables[1])
        assert points(tables[0]) == [{"A": 1400, "B": 300}]
        answer = play(tables[0], 1, sheet({"A": 1000, "B": 200}))
        assert answer.next_manche == 3
        assert [m.number for m in Manche.objects.filter(partie=tables[0]).order_by("number")] == [1, 2, 3]

    def test_the_partie_that_had_ended_is_open_again(self, tables: list[Partie]) -> None:
        for number in (1, 2, 3):
            play(tables[0], number)
        assert Partie.objects.get(pk=tables[0].pk).status == "closed"
        move(tables[0], tables[1], number=3)
        assert Partie.objects.get(pk=tables[0].pk).status == "open"
        play(tables[0], 3, sheet(OTHER))
        assert Partie.objects.get(pk=tables[0].pk).status == "closed"

    def test_what_does_not_fit_there_is_refused_and_nothing_has_moved(self, cup: Championship) -> None:
        first, second = PartieFactory(championship=cup), PartieFactory(championship=cup)
        play(first)
        play(first, 2, sheet(OTHER))
        before = document(cup)
        with pytest.raises(UserFault) as caught:
            move(first, second, number=2, to_number=2)
        assert caught.value.code == "unknown-manche"
        assert document(cup) == before

    def test_a_short_table_takes_no_sheet_of_a_full_one(self) -> None:
        cup = ChampionshipFactory(table_entries=3, allow_short_tables=True, partie_end="manches", partie_end_value=2)
        full = PartieFactory(championship=cup)
        short = PartieFactory(championship=cup, entries=EntryFactory.create_batch(2, championship=cup))
        play(full, 1, sheet({"A": 700, "B": 400, "C": 300}))
        before = document(cup)
        with pytest.raises(Conflict) as caught:
            move(full, short)
        assert caught.value.code == "does-not-fit"
        assert document(cup) == before
        assert ResultEvent.objects.filter(what="result-taken-back").count() == 0

    def test_nothing_leaves_the_championship_or_comes_to_a_void_manche(self, tables: list[Partie]) -> None:
        play(tables[0])
        elsewhere = PartieFactory()
        with pytest.raises(UserFault) as caught:
            move(tables[0], Partie(number=elsewhere.number + 50))
        assert caught.value.code == "unknown-manche"
        play(tables[1])
        goal = Manche.objects.get(partie=tables[1], number=1)
        void_manche(actor=owner_of(tables[0].championship), manche_id=goal.pk, version=1, reason="Cards were missing")
        with pytest.raises(Conflict) as conflict:
            move(tables[0], tables[1])
        assert conflict.value.code == "manche-void"

    def test_a_result_is_needed_and_another_place(self, tables: list[Partie]) -> None:
        with pytest.raises(NotFound):
            move(tables[0], tables[1])
        play(tables[0])
        with pytest.raises(UserFault) as caught:
            move(tables[0], tables[0])
        assert caught.value.code == "same-manche"

    def test_what_waited_waits_on(self) -> None:
        cup = ChampionshipFactory(confirmation="organiser", partie_end="manches", partie_end_value=3)
        first, second = PartieFactory(championship=cup), PartieFactory(championship=cup)
        enter(first, "A")
        assert move(first, second).state == "pending"
        assert turn(second).state == "pending"


class TestAfterTheNextRoundWasPublished:
    """Their entries sit at other tables by then: an act after which the parties are over again still does."""

    @pytest.fixture
    def rounds(self) -> list[Partie]:
        cup = a_swiss(4)
        published(cup)
        first, second = Partie.objects.filter(championship=cup).order_by("number")
        play(first)
        play(second, 1, sheet(OTHER))
        published(cup)
        return [first, second]

    def test_two_results_are_exchanged(self, rounds: list[Partie]) -> None:
        move(rounds[0], rounds[1])
        assert [points(partie) for partie in rounds] == [[{"A": 1400, "B": 300}], [{"A": 1400, "B": 475}]]
        assert [Partie.objects.get(pk=partie.pk).status for partie in rounds] == ["closed", "closed"]

    def test_one_that_would_leave_a_partie_open_is_refused(self, rounds: list[Partie]) -> None:
        cup = rounds[0].championship
        goal = PartieFactory(championship=cup, round=1)
        before = document(cup)
        with pytest.raises(Conflict) as caught:
            move(rounds[0], goal)
        assert caught.value.code == "at-another-table"
        assert document(cup) == before


class TestPenaltiesAndClaims:
    def test_a_penalty_stays_with_its_manche_when_results_are_exchanged(self, tables: list[Partie]) -> None:
        play(tables[0])
        play(tables[1], 1, sheet(OTHER))
        manche = Manche.objects.get(partie=tables[0], number=1)
        owner = owner_of(tables[0].championship)
        penalise(actor=owner, manche_id=manche.pk, version=1, label="A", points=100, reason="Late")
        move(tables[0], tables[1])
        assert points(tables[0]) == [{"A": 1300, "B": 300}]
        assert points(tables[1]) == [{"A": 1400, "B": 475}]

    def test_a_result_with_a_penalty_is_not_moved_away_from_it(self, tables: list[Partie]) -> None:
        play(tables[0])
        manche = Manche.objects.get(partie=tables[0], number=1)
        owner = owner_of(tables[0].championship)
        penalise(actor=owner, manche_id=manche.pk, version=1, label="A", points=100, reason="Late")
        with pytest.raises(Conflict) as caught:
            move(tables[0], tables[1])
        assert caught.value.code == "penalty-stands"

    def test_a_claim_that_was_settled_is_settled_where_it_comes_to(self, tables: list[Partie]) -> None:
        play(tables[0], 1, sheet(claim={"A": 1, "B": 2}))
        manche = Manche.objects.get(partie=tables[0], number=1)
        settle_claim(
            actor=owner_of(manche.partie.championship), manche_id=manche.pk, version=1, how="computed", reason="Summed"
        )
        move(tables[0], tables[1])
        assert points(tables[1]) == [{"A": 1400, "B": 475}]

    def test_two_manches_of_one_partie_are_exchanged(self, tables: list[Partie]) -> None:
        play(tables[0])
        play(tables[0], 2, sheet(OTHER))
        move(tables[0], tables[0], number=1, to_number=2)
        assert points(tables[0]) == [{"A": 1400, "B": 300}, {"A": 1400, "B": 475}]

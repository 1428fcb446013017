"""When a partie ends by itself, and what a correction does to that (STANDINGS 1, RULES 8)."""

import pytest

from league.errors import Conflict
from league.models import Manche, Result, ResultEvent
from league.services.parties import (
    close_partie,
)
from league.services.rulings import penalise, reinstate_manche, void_manche
from tests.factories import PartieFactory, owner_of, play, sheet
from tests.league.partie_cases import a_wins, b_wins, ending, manche, now, to

pytestmark = pytest.mark.django_db


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

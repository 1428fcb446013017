"""What an organiser decides about a manche: claims that differ, confirmation, penalties, annulment (RULES 10)."""

from collections.abc import Callable
from typing import Any

import pytest

from league.errors import Conflict, NotFound, UserFault
from league.models import AuditEntry, Manche, Partie, Result, ResultEvent, ResultScore
from league.selectors.classement import document
from league.services.rulings import confirm, penalise, reinstate_manche, settle_claim, void_manche
from tests.factories import ChampionshipFactory, PartieFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db

WRONG = {"A": 1500, "B": 475}
RIGHT = {"A": 1400, "B": 475}


@pytest.fixture
def partie() -> Partie:
    return PartieFactory()


@pytest.fixture
def pending() -> Partie:
    return PartieFactory(championship=ChampionshipFactory(confirmation="organiser"))


def rule(ruling: Callable[..., Any], partie: Partie, number: int = 1, version: int = 1, **how: Any) -> Any:
    manche = Manche.objects.get(partie=partie, number=number)
    return ruling(actor=owner_of(partie.championship), manche_id=manche.pk, version=version, **how)


def counted(partie: Partie) -> list[dict[str, Any]]:
    """What the ranking's document has of the partie."""
    manches: list[dict[str, Any]] = document(partie.championship)["parties"][0]["manches"]
    return manches


class TestClaims:
    """A claim that differs blocks the partie until it is settled."""

    def test_a_claim_that_agrees_is_no_matter(self, partie: Partie) -> None:
        answer = play(partie, 1, sheet(claim=RIGHT))
        assert (answer.state, answer.next_manche) == ("confirmed", 2)
        assert Result.objects.get().claim_ok is True

    def test_a_claim_that_differs_is_a_valid_result_that_does_not_count_yet(self, partie: Partie) -> None:
        answer = play(partie, 1, sheet(claim=WRONG))

        assert (answer.outcome, answer.state, answer.next_manche) == ("recorded", "differs", None)
        assert answer.verdict["claim_differences"][0]["team"] == "A"
        assert counted(partie) == []
        assert not ResultEvent.objects.filter(manche__isnull=False).exists()
        assert Manche.objects.count() == 1

    @pytest.mark.parametrize("how", ["computed", "referee"])
    def test_settled_the_computed_score_counts_and_the_partie_goes_on(self, partie: Partie, how: str) -> None:
        play(partie, 1, sheet(claim=WRONG))

        result = rule(settle_claim, partie, how=how, reason="Added up wrong")

        assert (result.state, result.settled_how, result.settled_reason) == ("confirmed", how, "Added up wrong")
        assert counted(partie)[0]["points"] == {"1": 1400, "2": 475}
        assert play(partie, 2, sheet({"A": 1000, "B": 25})).outcome == "recorded"

    def test_where_another_sheet_is_asked_for_the_next_one_needs_no_reason(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))

        rule(settle_claim, partie, how="another_sheet", reason="Unreadable")

        assert counted(partie) == []
        answer = play(partie, 1, sheet({"A": 1000, "B": 500}))
        assert (answer.outcome, answer.version, answer.state, answer.next_manche) == ("recorded", 2, "confirmed", 2)
        assert Result.objects.get(version=2).reason == "Unreadable"

    def test_what_never_counted_before_is_confirmed_and_not_corrected(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))
        rule(settle_claim, partie, how="another_sheet", reason="Unreadable")
        play(partie, 1, sheet({"A": 1000, "B": 500}))
        assert ResultEvent.objects.order_by("-position")[0].what == "confirmed"

        play(partie, 1, sheet({"A": 1000, "B": 525}, claim=WRONG), reason="Theirs", replaces=2)
        play(partie, 1, sheet({"A": 1000, "B": 550}), reason="Ours", replaces=3)
        assert [event.what for event in ResultEvent.objects.order_by("-position")[:2]] == ["corrected", "withheld"]

    def test_another_sheet_can_still_become_the_computed_score(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))
        rule(settle_claim, partie, how="another_sheet", reason="Unreadable")

        assert rule(settle_claim, partie, how="computed", reason="Found it").state == "confirmed"

    def test_where_organisers_confirm_settling_is_confirming(self, pending: Partie) -> None:
        play(pending, 1, sheet(claim=WRONG))
        assert rule(settle_claim, pending, how="computed", reason="Added up wrong").state == "confirmed"

    def test_what_does_not_differ_cannot_be_settled(self, partie: Partie) -> None:
        play(partie)
        with pytest.raises(Conflict, match="nothing-to-settle"):
            rule(settle_claim, partie, how="computed", reason="Just so")

    def test_a_settlement_says_how_and_why(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))
        with pytest.raises(UserFault, match="reason-required"):
            rule(settle_claim, partie, how="computed", reason="")
        with pytest.raises(UserFault, match="unknown-choice"):
            rule(settle_claim, partie, how="somehow", reason="Just so")

    def test_a_difference_is_not_simply_confirmed(self, pending: Partie) -> None:
        play(pending, 1, sheet(claim=WRONG))
        with pytest.raises(Conflict, match="unsettled-claim"):
            rule(confirm, pending)

    def test_the_decider_has_seen_the_version_that_is_settled(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))
        play(partie, 1, sheet({"A": 1000, "B": 500}, claim=WRONG), reason="Misread", replaces=1)

        with pytest.raises(Conflict) as conflict:
            rule(settle_claim, partie, version=1, how="computed", reason="Added up wrong")

        assert conflict.value.code == "result-changed"
        assert conflict.value.extra["present"]["version"] == 2

    def test_a_confirmed_result_corrected_to_one_that_differs_no_longer_counts(self, partie: Partie) -> None:
        play(partie)
        assert len(counted(partie)) == 1

        play(partie, 1, sheet(claim=WRONG), reason="Their own sheet", replaces=1)

        assert counted(partie) == []
        assert ResultEvent.objects.order_by("-position")[0].what == "withheld"
        rule(settle_claim, partie, version=2, how="computed", reason="Added up wrong")
        assert len(counted(partie)) == 1
        assert ResultEvent.objects.order_by("-position")[0].what == "corrected"


class TestConfirmation:
    """Where an organiser confirms."""

    def test_confirmed_it_counts_and_the_next_manche_is_made(self, pending: Partie) -> None:
        play(pending)

        result = rule(confirm, pending)

        assert (result.state, result.confirmed_by) == ("confirmed", pending.championship.created_by)
        assert len(counted(pending)) == 1
        assert Manche.objects.count() == 2

    def test_confirmed_again_nothing_happens(self, pending: Partie) -> None:
        play(pending)
        rule(confirm, pending)
        before = AuditEntry.objects.count()

        rule(confirm, pending)

        assert AuditEntry.objects.count() == before

    def test_a_manche_without_a_result_cannot_be_confirmed(self, pending: Partie) -> None:
        with pytest.raises(NotFound, match="no-result"):
            rule(confirm, pending)

    def test_the_confirmation_that_reaches_the_end_closes_the_partie(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(confirmation="organiser", partie_end_value=1400))
        play(partie)
        rule(confirm, partie)
        partie.refresh_from_db()
        assert partie.status == "closed"


class TestPenalties:
    """Points off one entry's total in a manche (STANDINGS 2)."""

    def test_a_penalty_counts_in_the_ranking_and_not_in_the_lines(self, partie: Partie) -> None:
        play(partie)

        score = rule(penalise, partie, label="A", points=100, reason="Late")

        assert (score.points, score.penalty, score.total) == (1400, 100, 1300)
        assert score.lines == {"km": 1000, "victoire": 400}
        assert counted(partie)[0]["points"] == {"1": 1300, "2": 475}

    def test_it_may_change_the_places(self, partie: Partie) -> None:
        play(partie)
        rule(penalise, partie, label="A", points=2000, reason="Left the table")
        assert counted(partie)[0]["points"] == {"1": -600, "2": 475}

    def test_a_correction_keeps_it(self, partie: Partie) -> None:
        play(partie)
        rule(penalise, partie, label="A", points=100, reason="Late")

        play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)

        kept = ResultScore.objects.get(result__version=2, seat__label="A")
        assert (kept.penalty, kept.penalty_reason) == (100, "Late")

    def test_it_can_be_lifted(self, partie: Partie) -> None:
        play(partie)
        rule(penalise, partie, label="A", points=100, reason="Late")

        score = rule(penalise, partie, label="A", points=0, reason="Was on time")

        assert (score.penalty, score.penalty_reason, score.total) == (0, "", 1400)
        assert ResultEvent.objects.filter(what="penalised").count() == 2

    @pytest.mark.parametrize("points", [-1, 100_001])
    def test_it_is_no_present(self, partie: Partie, points: int) -> None:
        play(partie)
        with pytest.raises(UserFault, match="bad-penalty"):
            rule(penalise, partie, label="A", points=points, reason="Late")

    def test_nobody_sits_there(self, partie: Partie) -> None:
        play(partie)
        with pytest.raises(NotFound):
            rule(penalise, partie, label="C", points=100, reason="Late")

    def test_a_rulebook_without_points_has_none_to_take_off(self) -> None:
        championship = ChampionshipFactory(
            rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=3
        )
        partie = PartieFactory(championship=championship)
        play(partie, 1, sheet(rulebook="moderne"))
        with pytest.raises(UserFault, match="no-points"):
            rule(penalise, partie, label="A", points=100, reason="Late")


class TestAnnulment:
    """An annulled manche counts for nothing."""

    def test_it_counts_for_nothing_and_its_result_stays_readable(self, partie: Partie) -> None:
        play(partie)

        rule(void_manche, partie, reason="Wrong deck")

        assert counted(partie) == []
        assert Result.objects.get().state == "confirmed"
        manche = Manche.objects.get(number=1)
        assert (manche.status, manche.void_reason) == ("void", "Wrong deck")

    def test_a_claim_that_differs_goes_with_its_manche(self, partie: Partie) -> None:
        play(partie, 1, sheet(claim=WRONG))
        rule(void_manche, partie, reason="Wrong deck")
        assert play(partie, 2, sheet({"A": 1000, "B": 25})).state == "confirmed"

    def test_reinstated_it_counts_again(self, partie: Partie) -> None:
        play(partie)
        rule(void_manche, partie, reason="Wrong deck")
        rule(reinstate_manche, partie, reason="Right deck")
        assert len(counted(partie)) == 1
        assert Manche.objects.get(number=1).status == "confirmed"

    def test_a_stopped_manche_is_not_reinstated_beside_another_one_that_the_referee_stopped(
        self, partie: Partie
    ) -> None:
        play(partie, 1, sheet({"A": 600, "B": 300}, end="interrupted"))
        rule(void_manche, partie, reason="Wrong deck")
        play(partie, 2, sheet({"A": 500, "B": 300}, end="interrupted"))

        with pytest.raises(Conflict, match="second-interrupted"):
            rule(reinstate_manche, partie, reason="Right deck")

        assert len(counted(partie)) == 1
        rule(void_manche, partie, 2, reason="Wrong deck as well")
        assert rule(reinstate_manche, partie, reason="Right deck").status == "confirmed"

    def test_what_waits_for_its_first_result_cannot_be_annulled(self, partie: Partie) -> None:
        with pytest.raises(NotFound, match="no-result"):
            rule(void_manche, partie, reason="Wrong deck")

    def test_an_annulled_manche_is_not_ruled_on(self, partie: Partie) -> None:
        play(partie)
        rule(void_manche, partie, reason="Wrong deck")
        with pytest.raises(Conflict, match="manche-void"):
            rule(penalise, partie, label="A", points=100, reason="Late")

    @pytest.mark.parametrize(("ruling", "times"), [(void_manche, 1), (reinstate_manche, 0)])
    def test_done_twice_it_is_done_once(self, partie: Partie, ruling: Callable[..., Any], times: int) -> None:
        play(partie)
        for _ in range(2):
            rule(ruling, partie, reason="Deck")
        assert ResultEvent.objects.filter(what__startswith="manche-").count() == times

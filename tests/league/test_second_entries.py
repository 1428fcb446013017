"""The blind second entry: two people, one outcome (DESIGN 2.4)."""

import pytest

from engine.notation import to_document
from engine.replay import judge
from engine.simulate import simulate
from league.errors import Conflict, NotPermitted
from league.models import Dispute, Membership, Partie, Result, ResultEvent, Role, SecondEntry
from league.policy import Actor
from league.services.hand_in_answers import HandIn
from league.services.results import hand_in
from league.services.rulings import confirm
from scoring.sheets import sheet_from_outcome
from tests.factories import UserFactory, as_bytes, owner_of, play, sheet
from tests.league.table_cases import enter, manche_of, seen, side, state_of, table

pytestmark = pytest.mark.django_db


def scorer(partie: Partie, role: str = Role.REFEREE) -> Actor:
    """Somebody else with an account who may enter results."""
    user = UserFactory()
    Membership.objects.create(user=user, championship=partie.championship, role=role)
    return Actor(user=user)


def test_two_sides_that_enter_the_same_agree_and_the_manche_counts() -> None:
    partie = table("second_entry")
    assert enter(partie, "A").state == "pending"

    answer = enter(partie, "B")

    assert (answer.outcome, answer.state, answer.version, answer.next_manche) == ("second", "confirmed", 1, 2)
    second = SecondEntry.objects.get()
    assert (second.agrees, second.by_side, second.result.confirmed_side) == (True, "B", "B")
    assert Result.objects.count() == 1
    assert ResultEvent.objects.filter(what="confirmed").count() == 1


def test_the_same_side_twice_is_no_second_entry() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    assert enter(partie, "A").outcome == "repeated"
    with pytest.raises(Conflict) as refused:
        enter(partie, "A", 500)
    assert refused.value.code == "result-exists"
    assert (state_of(partie), SecondEntry.objects.count()) == ("pending", 0)


def test_one_account_is_one_person_however_it_comes() -> None:
    partie = table("second_entry")
    owner = owner_of(partie.championship)
    play(partie, actor=owner)
    by_link = Actor(user=owner.user, at=side(partie, "A").at)
    assert play(partie, actor=by_link).outcome == "repeated"
    assert state_of(partie) == "pending"


def test_a_scorer_and_another_or_a_scorer_and_a_side_are_two_people() -> None:
    for second in (lambda partie: scorer(partie), lambda partie: side(partie, "A")):
        partie = table("second_entry")
        play(partie)
        assert play(partie, actor=second(partie)).state == "confirmed"


def test_two_entries_that_differ_are_contested_and_both_stay() -> None:
    partie = table("second_entry")
    enter(partie, "A", 475)

    answer = enter(partie, "B", 500)

    assert (answer.outcome, answer.state, answer.next_manche) == ("second", "contested", None)
    dispute = Dispute.objects.get()
    assert (dispute.side, dispute.messages.count(), dispute.closed_at) == ("B", 0, None)
    assert SecondEntry.objects.get().verdict["outcome"]["teams"]["B"]["km"] == 500
    assert not ResultEvent.objects.filter(manche__isnull=False).exists()


def test_a_second_entry_sent_again_is_answered_and_not_kept_again() -> None:
    for km, state in ((475, "confirmed"), (500, "contested")):
        partie = table("second_entry")
        enter(partie, "A")
        enter(partie, "B", km)
        answer = enter(partie, "B", km)
        assert (answer.outcome, answer.state) == ("repeated", state)
        assert SecondEntry.objects.filter(result__manche__partie=partie).count() == 1


def test_neither_side_takes_its_entry_back_once_both_are_shown() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    enter(partie, "B", 500)
    for label in "AB":
        with pytest.raises(NotPermitted):
            enter(partie, label, 525, reason="Now we know", replaces=1)


def test_the_first_may_correct_itself_before_the_second_comes() -> None:
    partie = table("second_entry")
    enter(partie, "A", 500)
    assert enter(partie, "A", 475, reason="Misread", replaces=1).state == "pending"
    assert enter(partie, "B", 475).state == "confirmed"


def test_a_second_entry_that_the_rules_refuse_is_kept_as_an_attempt_and_nothing_else_happens() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    answer = play(partie, document=sheet({"A": 990, "B": 0}), actor=side(partie, "B"))
    assert answer.outcome == "refused"
    assert (state_of(partie), SecondEntry.objects.count()) == ("pending", 0)


def test_whoever_may_correct_and_names_the_version_corrects() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    referee = scorer(partie)
    answer = play(partie, document=sheet({"A": 1000, "B": 500}), actor=referee, reason="Seen it", replaces=1)
    assert (answer.outcome, answer.version, answer.state) == ("recorded", 2, "pending")


def test_an_organiser_may_let_one_entry_count() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    assert confirm(actor=owner_of(partie.championship), **seen(partie)).state == "confirmed"


def test_a_correction_that_counts_before_needs_two_again() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    enter(partie, "B")
    play(partie, document=sheet({"A": 1000, "B": 500}), reason="Recount", replaces=1)
    assert state_of(partie) == "pending"
    assert enter(partie, "A", 500).state == "confirmed"
    assert [e.what for e in ResultEvent.objects.filter(manche__isnull=False)] == ["confirmed", "withheld", "corrected"]


def log_and_sheet() -> list[bytes]:
    """One simulated manche, as its log and as the sheet of its table."""
    log = simulate("classique", 2, 1, 3)
    outcome = judge(log).outcome
    assert outcome is not None
    written = sheet_from_outcome(outcome, log.rulebook, 1, house=log.house, target=log.target)
    return [as_bytes(to_document(log)), as_bytes(written)]


def by(partie: Partie, label: str, body: bytes) -> HandIn:
    return hand_in(actor=side(partie, label), partie_id=partie.pk, number=1, body=body)


@pytest.mark.parametrize("log_first", [True, False])
def test_a_log_and_a_sheet_of_one_manche_agree(log_first: bool) -> None:
    partie = table("second_entry")
    first, second = log_and_sheet()[:: 1 if log_first else -1]
    assert by(partie, "A", first).state == "pending"
    assert by(partie, "B", second).state == "confirmed"
    assert manche_of(partie).current.kind == ("log" if log_first else "sheet")  # type: ignore[union-attr]


def test_what_differs_is_any_line_of_the_score() -> None:
    one = sheet()
    teams = one["teams"]
    botte = {**teams, "A": {**teams["A"], "bottes": ["AS"]}}
    other_200s = {**teams, "B": {**teams["B"], "km": 475, "n200": 1}}
    for changed in ({"teams": botte}, {"sabot_empty": True}, {"teams": other_200s}):
        partie = table("second_entry")
        enter(partie, "A")
        state = play(partie, document=sheet(**changed), actor=side(partie, "B")).state
        # the 200s of a loser are worth nothing: the outcome is the same
        assert state == ("confirmed" if changed == {"teams": other_200s} else "contested"), changed


def test_elsewhere_the_very_same_bytes_are_what_stands_already() -> None:
    partie = table("organiser")
    enter(partie, "A")
    assert enter(partie, "B").outcome == "repeated"
    with pytest.raises(Conflict) as refused:
        enter(partie, "B", 500)
    assert refused.value.code == "result-exists"
    assert state_of(partie) == "pending"

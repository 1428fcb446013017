"""Disputes: their threads, and the decisions that close them."""

import pytest

from league.errors import Conflict, NotFound, Stale, UserFault
from league.models import AuditEntry, Dispute, Partie, PartieStatus, Result, ResultEvent
from league.selectors.disputes import disputes, open_count
from league.services.confirmation import confirm_as_side, contest
from league.services.disputes import decide, say
from league.services.moving import move_result
from league.services.parties import void_partie
from league.services.rulings import confirm
from tests.factories import PartieFactory, owner_of, play, sheet
from tests.league.table_cases import enter, manche_of, seen, side, state_of, table

pytestmark = pytest.mark.django_db


def contested(confirmation: str = "opponent", **settings: object) -> tuple[Partie, Dispute]:
    """A partie whose first manche is contested by B, or entered otherwise."""
    partie = table(confirmation, **settings)
    enter(partie, "A", 475)
    if confirmation == "second_entry":
        enter(partie, "B", 500)
    else:
        contest(actor=side(partie, "B"), text="We had 500 km", **seen(partie))
    return partie, Dispute.objects.get(manche__partie=partie)


def decided(partie: Partie, dispute: Dispute, how: str, reason: str = "The tally sheet shows it") -> Dispute:
    return decide(
        actor=owner_of(partie.championship), dispute_id=dispute.pk, version=dispute.version, how=how, reason=reason
    )


def km_of_b(partie: Partie) -> int:
    current = manche_of(partie).current
    assert current is not None
    return current.scores.get(seat__label="B").km


def test_the_referee_lets_it_stand_and_everybody_may_read_why() -> None:
    partie, dispute = contested()

    closed = decided(partie, dispute, "stands")

    result = Result.objects.get()
    assert (result.state, result.settled_how, result.settled_reason) == (
        "confirmed",
        "referee",
        "The tally sheet shows it",
    )
    assert (closed.decision, closed.closed_by) == ("The tally sheet shows it", partie.championship.created_by)
    assert [event.what for event in ResultEvent.objects.filter(manche__isnull=False)] == ["confirmed"]
    assert open_count(championship=partie.championship) == 0


def test_the_second_entry_counts_instead() -> None:
    partie, dispute = contested("second_entry")

    decided(partie, dispute, "second")

    assert (state_of(partie), km_of_b(partie)) == ("confirmed", 500)
    result = manche_of(partie).current
    assert result is not None
    assert (result.version, result.by_side, result.settled_how) == (2, "B", "referee")
    assert result.reason == "The tally sheet shows it"
    assert [event.what for event in ResultEvent.objects.filter(manche__isnull=False)] == ["confirmed"]
    assert partie.manches.filter(number=2).exists()


def test_a_second_entry_whose_claim_differs_may_be_the_right_one() -> None:
    partie = table("second_entry")
    enter(partie, "A", 475)
    play(partie, document=sheet({"A": 1000, "B": 500}, claim={"A": 1, "B": 2}), actor=side(partie, "B"))
    decided(partie, Dispute.objects.get(), "second")
    assert (state_of(partie), km_of_b(partie)) == ("confirmed", 500)


def test_there_is_no_second_entry_to_prefer_where_a_side_only_contested() -> None:
    partie, dispute = contested()
    with pytest.raises(Conflict) as refused:
        decided(partie, dispute, "second")
    assert refused.value.code == "no-second-entry"
    dispute.refresh_from_db()
    assert dispute.closed_at is None


def test_another_sheet_is_awaited_and_any_side_may_hand_it_in_without_a_reason() -> None:
    partie, dispute = contested()
    decided(partie, dispute, "another_sheet", "Count your cards together")
    assert state_of(partie) == "contested"

    answer = enter(partie, "B", 500)

    assert (answer.version, answer.state) == (2, "pending")
    assert Result.objects.get(version=2).reason == "Count your cards together"
    assert confirm_as_side(actor=side(partie, "A"), **seen(partie)).state == "confirmed"


def test_another_sheet_that_never_comes_leaves_the_first_to_be_confirmed() -> None:
    partie, dispute = contested()
    decided(partie, dispute, "another_sheet")
    result = confirm(actor=owner_of(partie.championship), **seen(partie))
    assert (result.state, result.settled_how) == ("confirmed", "")


def test_a_correction_by_the_referee_counts_at_once_and_closes_the_dispute() -> None:
    partie, dispute = contested()
    answer = play(partie, document=sheet({"A": 1000, "B": 525}), reason="I counted the cards", replaces=1)
    assert answer.state == "confirmed"
    dispute.refresh_from_db()
    assert dispute.decision == "I counted the cards"
    assert km_of_b(partie) == 525


def test_the_side_that_gives_in_corrects_itself_and_the_other_confirms() -> None:
    partie, dispute = contested()
    answer = enter(partie, "A", 500, reason="They are right", replaces=1)
    assert answer.state == "pending"
    dispute.refresh_from_db()
    assert (dispute.decision, dispute.closed_by) == ("They are right", None)
    assert confirm_as_side(actor=side(partie, "B"), **seen(partie)).state == "confirmed"


def test_a_dispute_is_decided_once() -> None:
    partie, dispute = contested()
    decided(partie, dispute, "stands")
    with pytest.raises(Stale):
        decided(partie, dispute, "stands")
    dispute.refresh_from_db()
    with pytest.raises(Conflict) as refused:
        decided(partie, dispute, "another_sheet")
    assert refused.value.code == "dispute-closed"
    with pytest.raises(Conflict):
        say(actor=side(partie, "A"), dispute_id=dispute.pk, text="But")


@pytest.mark.parametrize(
    ("how", "reason", "code"), [("stands", " ", "reason-required"), ("guess", "So", "unknown-choice")]
)
def test_a_decision_has_a_reason_and_is_one_of_three(how: str, reason: str, code: str) -> None:
    partie, dispute = contested()
    with pytest.raises(UserFault) as refused:
        decided(partie, dispute, how, reason)
    assert refused.value.code == code


def test_both_sides_and_the_referee_speak() -> None:
    partie, dispute = contested()
    owner = owner_of(partie.championship)
    for actor, text in ((side(partie, "A"), "No"), (owner, "Show me"), (owner, "Show me"), (side(partie, "B"), "Yes")):
        say(actor=actor, dispute_id=dispute.pk, text=text)
    said = [(one.side, one.by, one.text) for one in dispute.messages.all()]
    assert said == [
        ("B", None, "We had 500 km"),
        ("A", None, "No"),
        ("", owner.user, "Show me"),
        ("B", None, "Yes"),
    ]
    assert AuditEntry.objects.filter(action="say_in_dispute").count() == 3


def test_the_sides_do_not_write_for_ever_but_the_referee_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    partie, dispute = contested()
    monkeypatch.setattr("league.services.disputes.MOST_MESSAGES", 3)
    for n in range(2):
        say(actor=side(partie, "A"), dispute_id=dispute.pk, text=f"No {n}")
    with pytest.raises(Conflict) as refused:
        say(actor=side(partie, "B"), dispute_id=dispute.pk, text="Yes")
    assert refused.value.code == "enough-said"
    say(actor=owner_of(partie.championship), dispute_id=dispute.pk, text="I come")


def test_nobody_speaks_at_another_table() -> None:
    _partie, dispute = contested()
    with pytest.raises(NotFound):
        say(actor=side(table(), "A"), dispute_id=dispute.pk, text="Hello")


def test_open_disputes_stand_oldest_first_and_those_of_annulled_parties_not_at_all() -> None:
    partie, dispute = contested()
    line = disputes(championship=partie.championship).items[0]
    assert (line.id, line.manche, line.side, line.messages) == (dispute.pk, 1, "B", 1)
    partie.refresh_from_db()
    void_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=partie.version, reason="x")
    assert disputes(championship=partie.championship).items == []


def test_the_last_manche_decided_ends_the_partie() -> None:
    partie, dispute = contested(partie_end_value=1)
    decided(partie, dispute, "stands")
    partie.refresh_from_db()
    assert partie.status == PartieStatus.CLOSED


def test_a_result_that_was_another_tables_is_contested_no_more_and_the_one_that_came_can_be() -> None:
    partie = table()
    other = PartieFactory(championship=partie.championship)
    enter(partie, "A")
    enter(other, "A", 300)
    contest(actor=side(partie, "B"), text="That is not ours", **seen(partie))
    move_result(
        actor=owner_of(partie.championship),
        manche_id=manche_of(partie).pk,
        version=1,
        partie_number=other.number,
        manche_number=1,
        reason="The slips were exchanged",
    )
    assert Dispute.objects.get().decision == "The slips were exchanged"
    contest(actor=side(partie, "B"), text="Still wrong", **seen(partie))
    assert state_of(partie) == "contested"

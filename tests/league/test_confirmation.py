"""One side hands in, another side confirms or contests (DESIGN 2.4); all that agree, accepted together."""

import pytest

from league.errors import Conflict, NotFound, NotPermitted, UserFault
from league.models import AuditEntry, Dispute, Manche, Partie, PartieStatus, Result, ResultEvent
from league.policy import Actor, SideOfTable
from league.selectors.disputes import acceptable
from league.services.championships import change_championship
from league.services.confirmation import accept_all, confirm_as_side, contest
from league.services.parties import close_partie
from league.services.rulings import confirm, void_manche
from tests.factories import EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.table_cases import enter, manche_of, seen, side, state_of, table

pytestmark = pytest.mark.django_db


def test_what_one_side_hands_in_counts_once_another_has_confirmed_it() -> None:
    partie = table()

    answer = enter(partie, "A")
    assert (answer.outcome, answer.state, answer.next_manche) == ("recorded", "pending", None)
    assert not ResultEvent.objects.filter(manche__isnull=False).exists()

    result = confirm_as_side(actor=side(partie, "B"), **seen(partie))

    assert (result.state, result.by_side, result.confirmed_side) == ("confirmed", "A", "B")
    assert result.confirmed_by is None
    assert [event.what for event in ResultEvent.objects.filter(manche__isnull=False)] == ["confirmed"]
    assert Manche.objects.filter(partie=partie, number=2).exists()
    via = dict(AuditEntry.objects.filter(object_type="result").values_list("action", "via"))
    assert via == {"hand_in": "1/A", "confirm": "1/B"}


def test_no_side_confirms_itself() -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(Conflict) as refused:
        confirm_as_side(actor=side(partie, "A"), **seen(partie))
    assert refused.value.code == "own-result"
    assert state_of(partie) == "pending"


def test_confirming_twice_changes_nothing_more() -> None:
    partie = table()
    enter(partie, "A")
    for _ in range(2):
        confirm_as_side(actor=side(partie, "B"), **seen(partie))
    assert ResultEvent.objects.filter(manche__isnull=False).count() == 1
    assert AuditEntry.objects.filter(action="confirm").count() == 1


def test_confirming_the_last_manche_twice_is_no_fault_though_the_partie_is_over() -> None:
    partie = table(partie_end_value=1)
    enter(partie, "A")
    for _ in range(2):
        confirm_as_side(actor=side(partie, "B"), **seen(partie))
    assert Partie.objects.get(pk=partie.pk).status == PartieStatus.CLOSED


def test_a_side_confirms_the_version_that_it_has_seen() -> None:
    partie = table()
    enter(partie, "A")
    read = seen(partie)
    enter(partie, "A", 500, reason="Misread", replaces=1)
    with pytest.raises(Conflict) as refused:
        confirm_as_side(actor=side(partie, "B"), **read)
    assert refused.value.code == "result-changed"


def test_what_an_organiser_enters_any_side_confirms() -> None:
    partie = table()
    play(partie)
    assert confirm_as_side(actor=side(partie, "A"), **seen(partie)).state == "confirmed"


def test_an_organiser_may_always_confirm() -> None:
    partie = table()
    enter(partie, "A")
    assert confirm(actor=owner_of(partie.championship), **seen(partie)).confirmed_by == partie.championship.created_by


@pytest.mark.parametrize("confirmation", ["organiser", "second_entry"])
def test_sides_confirm_only_where_the_championship_asks_them(confirmation: str) -> None:
    partie = table(confirmation)
    enter(partie, "A")
    with pytest.raises(Conflict) as refused:
        confirm_as_side(actor=side(partie, "B"), **seen(partie))
    assert refused.value.code == "not-for-sides"


def test_where_results_count_at_once_the_link_is_for_reading() -> None:
    partie = table("at_once")
    with pytest.raises(Conflict) as refused:
        enter(partie, "A")
    assert refused.value.code == "at-the-desk"
    assert not Result.objects.exists()


def test_the_link_of_one_table_gives_nothing_at_another() -> None:
    first = table()
    second = PartieFactory(
        championship=first.championship, entries=EntryFactory.create_batch(2, championship=first.championship)
    )
    enter(second, "A")
    stranger = side(first, "B")
    for deed in (
        lambda: play(second, actor=stranger),
        lambda: confirm_as_side(actor=stranger, **seen(second)),
        lambda: contest(actor=stranger, text="No", **seen(second)),
    ):
        with pytest.raises(NotFound):
            deed()
    assert state_of(second) == "pending"


def test_whoever_has_not_said_for_whom_they_speak_does_nothing() -> None:
    partie = table()
    enter(partie, "A")
    for label in ("", "C"):
        with pytest.raises(UserFault) as refused:
            confirm_as_side(actor=side(partie, label), **seen(partie))
        assert refused.value.code == "side-required"
        with pytest.raises(UserFault):
            enter(partie, label)


def test_somebody_with_an_account_is_no_side() -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(NotPermitted):
        confirm_as_side(actor=owner_of(partie.championship), **seen(partie))


def test_once_the_partie_is_over_the_link_is_for_reading() -> None:
    partie = table()
    enter(partie, "A")
    confirm_as_side(actor=side(partie, "B"), **seen(partie))
    partie.refresh_from_db()
    close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=partie.version, reason="Late")
    with pytest.raises(Conflict) as refused:
        enter(partie, "A", 500, reason="Misread", replaces=1)
    assert refused.value.code == "partie-over"


# ---- corrections ----------------------------------------------------------------------------------------------------


def test_a_side_corrects_its_own_before_it_is_confirmed_and_not_after() -> None:
    partie = table()
    enter(partie, "A")
    assert enter(partie, "A", 500, reason="Misread", replaces=1).state == "pending"
    confirm_as_side(actor=side(partie, "B"), **seen(partie))
    with pytest.raises(NotPermitted):
        enter(partie, "A", 525, reason="Misread again", replaces=2)


def test_a_side_does_not_replace_what_another_has_handed_in() -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(NotPermitted):
        enter(partie, "B", 500, reason="Ours is right", replaces=1)


def test_a_side_that_comes_second_is_told_what_stands() -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(Conflict) as refused:
        enter(partie, "B", 500)
    assert refused.value.code == "result-exists"


def test_a_side_may_correct_what_it_announced_wrongly() -> None:
    partie = table()
    document = sheet(claim={"A": 1, "B": 2})
    assert play(partie, document=document, actor=side(partie, "A")).state == "differs"
    assert enter(partie, "A", reason="We reckoned wrongly", replaces=1).state == "pending"


def test_a_refused_document_of_a_side_is_kept_with_its_side() -> None:
    partie = table()
    answer = play(partie, document=sheet({"A": 990, "B": 0}), actor=side(partie, "B"))
    assert answer.outcome == "refused"
    assert partie.attempts.get().by_side == "B"


# ---- contesting -----------------------------------------------------------------------------------------------------


def test_a_contested_result_waits_for_a_referee() -> None:
    partie = table()
    enter(partie, "A")

    dispute = contest(actor=side(partie, "B"), text="  We had\n500 km ", **seen(partie))

    assert state_of(partie) == "contested"
    assert (dispute.side, dispute.opened_by, dispute.result.version) == ("B", None, 1)
    assert [(said.side, said.text) for said in dispute.messages.all()] == [("B", "We had\n500 km")]
    with pytest.raises(Conflict) as refused:
        confirm(actor=owner_of(partie.championship), **seen(partie))
    assert refused.value.code == "contested"
    with pytest.raises(Conflict) as refused:
        confirm_as_side(actor=side(partie, "B"), **seen(partie))
    assert refused.value.code == "contested"
    assert not ResultEvent.objects.filter(manche__isnull=False).exists()


def test_a_partie_does_not_go_on_nor_close_while_a_result_is_contested() -> None:
    partie = table(partie_end_value=1)
    enter(partie, "A")
    contest(actor=side(partie, "B"), text="No", **seen(partie))
    partie.refresh_from_db()
    assert partie.status == PartieStatus.OPEN
    with pytest.raises(Conflict) as refused:
        close_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=partie.version, reason="x")
    assert refused.value.code == "unsettled"


def test_contesting_twice_is_one_dispute() -> None:
    partie = table()
    enter(partie, "A")
    for text in ("No", "No", "Look at the sheet"):
        contest(actor=side(partie, "B"), text=text, **seen(partie))
    assert [said.text for said in Dispute.objects.get().messages.all()] == ["No", "Look at the sheet"]


def test_the_side_that_handed_in_does_not_contest_it() -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(Conflict) as refused:
        contest(actor=side(partie, "A"), text="Oh no", **seen(partie))
    assert refused.value.code == "own-result"


def test_what_counts_already_is_not_contested() -> None:
    partie = table()
    enter(partie, "A")
    confirm_as_side(actor=side(partie, "B"), **seen(partie))
    with pytest.raises(Conflict) as refused:
        contest(actor=side(partie, "B"), text="I was wrong", **seen(partie))
    assert refused.value.code == "nothing-to-contest"


@pytest.mark.parametrize(("text", "code"), [("  \n ", "required"), ("x" * 1001, "too-long")])
def test_a_contest_says_why_in_a_thousand_characters(text: str, code: str) -> None:
    partie = table()
    enter(partie, "A")
    with pytest.raises(UserFault) as refused:
        contest(actor=side(partie, "B"), text=text, **seen(partie))
    assert refused.value.code == code
    assert state_of(partie) == "pending"


def test_annulling_a_manche_closes_its_dispute() -> None:
    partie = table()
    enter(partie, "A")
    contest(actor=side(partie, "B"), text="No", **seen(partie))
    void_manche(actor=owner_of(partie.championship), reason="Nobody knows", **seen(partie))
    dispute = Dispute.objects.get()
    assert (dispute.decision, dispute.closed_by) == ("Nobody knows", partie.championship.created_by)


# ---- accept all that agree ------------------------------------------------------------------------------------------


def several(count: int) -> list[Partie]:
    """Parties of one championship, with a pending result each."""
    championship = table().championship
    parties = [
        PartieFactory(
            championship=championship, entries=EntryFactory.create_batch(2, championship=championship), round=1 + n % 2
        )
        for n in range(count)
    ]
    for partie in parties:
        enter(partie, "A")
    return parties


def test_all_that_agree_are_accepted_and_the_rest_is_left() -> None:
    first, contested, differs, last = several(4)
    contest(actor=side(contested, "B"), text="No", **seen(contested))
    play(differs, document=sheet(claim={"A": 1, "B": 2}), actor=side(differs, "A"), reason="x", replaces=1)
    championship = first.championship

    listed = acceptable(championship=championship)
    accepted = accept_all(actor=owner_of(championship), championship_id=championship.pk, seen=listed)

    assert [one.fault for one in accepted] == ["", ""]
    assert [state_of(one) for one in (first, contested, differs, last)] == [
        "confirmed",
        "contested",
        "differs",
        "confirmed",
    ]


def test_only_a_round_may_be_accepted() -> None:
    first, second = several(2)
    listed = acceptable(championship=first.championship, round_number=2)
    assert [manche_id for manche_id, _version in listed] == [manche_of(second).pk]


def test_what_changed_since_it_was_listed_is_said_and_left() -> None:
    first, second = several(2)
    listed = acceptable(championship=first.championship)
    contest(actor=side(first, "B"), text="No", **seen(first))
    enter(second, "A", 500, reason="Misread", replaces=1)

    accepted = accept_all(
        actor=owner_of(first.championship), championship_id=first.championship.pk, seen=[*listed, (10**9, 1)]
    )

    assert len(accepted) == 2
    assert all(one.fault for one in accepted)
    assert (state_of(first), state_of(second)) == ("contested", "pending")


def test_manches_of_another_championship_are_not_accepted() -> None:
    own, other = table(), table()
    enter(other, "A")
    listed = acceptable(championship=other.championship)
    assert accept_all(actor=owner_of(own.championship), championship_id=own.championship.pk, seen=listed) == []
    assert state_of(other) == "pending"


def test_where_a_second_entry_is_awaited_there_is_nothing_to_accept() -> None:
    partie = table("second_entry")
    enter(partie, "A")
    assert acceptable(championship=partie.championship) == []


def test_a_document_of_the_wrong_table_says_so_to_its_side_too() -> None:
    partie = table()
    answer = play(partie, document=sheet({"A": 1000, "B": 475, "C": 300}), actor=side(partie, "A"))
    assert answer.verdict["faults"][0][0] == "other-table"


def test_the_side_of_another_championship_is_nobody() -> None:
    partie = table()
    enter(partie, "A")
    other = table()
    actor = Actor(at=SideOfTable(other.championship_id, other.pk, other.number, "B"))
    with pytest.raises(NotFound):
        confirm_as_side(actor=actor, **seen(partie))


def test_no_more_is_taken_once_the_championship_confirms_otherwise() -> None:
    partie = table()
    enter(partie, "A")
    change_championship(
        actor=owner_of(partie.championship),
        championship_id=partie.championship_id,
        version=None,
        settings={"confirmation": "at_once"},
    )
    with pytest.raises(Conflict) as refused:
        confirm_as_side(actor=side(partie, "B"), **seen(partie))
    assert refused.value.code == "at-the-desk"


@pytest.mark.parametrize("confirmation", ["opponent", "organiser", "second_entry"])
def test_a_referee_corrects_a_partie_that_is_over_after_its_entries_sat_down_elsewhere(confirmation: str) -> None:
    partie = table(confirmation, partie_end_value=1)
    entries = [seat.entry for seat in partie.seats.select_related("entry").order_by("label")]
    play(partie)
    confirm(actor=owner_of(partie.championship), **seen(partie))
    PartieFactory(championship=partie.championship, entries=entries, round=2)
    answer = play(partie, 1, sheet({"A": 1000, "B": 300}), reason="Misread", replaces=1)
    assert (answer.state, answer.partie_status) == ("confirmed", "closed")
    assert ResultEvent.objects.order_by("-position")[0].what == "corrected"


def test_a_claim_that_differs_is_settled_also_in_a_partie_that_is_over() -> None:
    partie = table("organiser", partie_end_value=1)
    play(partie)
    confirm(actor=owner_of(partie.championship), **seen(partie))
    answer = play(partie, 1, sheet(claim={"A": 1, "B": 2}), reason="Their own sheet", replaces=1)
    assert answer.state == "differs"

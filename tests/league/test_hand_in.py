"""Handing in: what becomes of a document (DESIGN 2.2)."""

import hashlib
import json

import pytest

from league.errors import Conflict, NotFound, TooLarge, UserFault
from league.models import (
    Attempt,
    AuditEntry,
    Championship,
    Document,
    IdempotencyRecord,
    Manche,
    Membership,
    Partie,
    Result,
    ResultEvent,
)
from league.policy import Actor
from league.services.championships import finish_championship
from league.services.parties import close_partie
from league.services.results import hand_in
from league.services.rulings import void_manche
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, as_bytes, owner_of, play, sheet
from tests.league.table_cases import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def partie() -> Partie:
    return PartieFactory()


def other_sheet() -> dict[str, object]:
    return sheet({"A": 1000, "B": 600})


def test_a_valid_sheet_is_a_confirmed_result_and_the_next_manche_is_made(partie: Partie) -> None:
    answer = play(partie)

    assert (answer.outcome, answer.state, answer.version, answer.refused) == ("recorded", "confirmed", 1, False)
    assert answer.verdict["score"]["A"]["total"] == 1400
    assert (answer.partie_status, answer.next_manche) == ("open", 2)
    scores = [(s.seat.label, s.points, s.km, s.won, s.lines) for s in Result.objects.get().scores.all()]
    assert scores == [
        ("A", 1400, 1000, True, {"km": 1000, "victoire": 400}),
        ("B", 475, 475, False, {"km": 475}),
    ]


def test_the_bytes_are_kept_as_they_came_with_their_digest(partie: Partie) -> None:
    body = b"\xef\xbb\xbf  " + as_bytes(sheet()) + b"\r\n"

    answer = hand_in(actor=owner_of(partie.championship), partie_id=partie.pk, number=1, body=body)

    document = Result.objects.get().document
    assert bytes(document.body) == body
    assert document.sha256 == answer.sha256 == hashlib.sha256(body).hexdigest()


def test_the_same_bytes_again_are_answered_with_the_result_that_stands(partie: Partie) -> None:
    first = play(partie)
    before = AuditEntry.objects.count(), ResultEvent.objects.count()

    again = play(partie)

    assert (again.outcome, again.result, again.version) == ("repeated", first.result, 1)
    assert (Result.objects.count(), Document.objects.count()) == (1, 1)
    assert (AuditEntry.objects.count(), ResultEvent.objects.count()) == before


def test_anything_else_for_a_manche_with_a_result_is_a_conflict_that_shows_the_present_version(partie: Partie) -> None:
    play(partie)

    with pytest.raises(Conflict) as conflict:
        play(partie, document=other_sheet())

    assert conflict.value.code == "result-exists"
    assert conflict.value.extra["present"] == {"version": 1, "state": "confirmed", "result": Result.objects.get().pk}
    assert Document.objects.count() == 1


def test_a_correction_is_a_new_version_that_points_at_the_old_one_with_who_and_why(partie: Partie) -> None:
    first = play(partie)

    second = play(partie, document=other_sheet(), reason="B had 600", replaces=1)

    assert (second.outcome, second.version, second.state) == ("recorded", 2, "confirmed")
    old, new = Result.objects.order_by("version")
    assert (old.state, old.current_of, old.pk) == ("superseded", None, first.result)
    assert (new.supersedes, new.reason, new.by) == (old, "B had 600", partie.championship.created_by)
    assert [score.points for score in old.scores.all()] == [1400, 475]
    assert [score.points for score in new.scores.all()] == [1400, 600]


def test_a_correction_that_replaces_an_old_version_is_a_conflict(partie: Partie) -> None:
    play(partie)
    play(partie, document=other_sheet(), reason="B had 600", replaces=1)

    with pytest.raises(Conflict) as conflict:
        play(partie, document=sheet({"A": 1000, "B": 700}), reason="B had 700", replaces=1)

    assert conflict.value.code == "result-exists"
    assert conflict.value.extra["present"]["version"] == 2


def test_a_correction_without_a_reason_is_a_conflict(partie: Partie) -> None:
    play(partie)

    with pytest.raises(Conflict) as conflict:
        play(partie, document=other_sheet(), reason=" \t", replaces=1)

    assert (conflict.value.code, conflict.value.field) == ("reason-required", "reason")


def test_the_bytes_of_an_older_version_are_a_correction_like_any_other(partie: Partie) -> None:
    play(partie)
    play(partie, document=other_sheet(), reason="B had 600", replaces=1)

    back = play(partie, reason="B had 475 after all", replaces=2)

    assert (back.outcome, back.version) == ("recorded", 3)
    assert Result.objects.get(version=3).scores.get(seat__label="B").points == 475


def test_a_refused_sheet_is_kept_as_an_attempt_and_the_next_one_needs_no_reason(partie: Partie) -> None:
    bad = sheet({"A": 1000, "B": 480})

    refused = play(partie, document=bad)

    assert refused.refused
    assert (refused.result, refused.version, refused.state) == (None, None, None)
    assert refused.verdict["faults"] == [["km-not-multiple", "B"]]
    attempt = Attempt.objects.get(pk=refused.attempt)
    assert (attempt.partie, attempt.number, attempt.code) == (partie, 1, "km-not-multiple")
    assert bytes(attempt.document.body) == as_bytes(bad)
    assert not Result.objects.exists()
    assert play(partie).outcome == "recorded"


def test_a_refused_correction_leaves_the_result_as_it_was(partie: Partie) -> None:
    play(partie)

    refused = play(partie, document=sheet({"A": 1000, "B": 480}), reason="B had 480", replaces=1)

    assert refused.refused
    assert Result.objects.get().state == "confirmed"
    assert Attempt.objects.count() == 1


def test_a_refusal_is_a_fault_with_a_sentence_for_doors_that_answer_with_one(partie: Partie) -> None:
    refused = play(partie, document=sheet({"A": 1000, "B": 480}))

    fault = refused.fault()

    assert fault is not None
    assert (fault.code, fault.status) == ("km-not-multiple", 422)
    assert fault.extra == {"verdict": refused.verdict, "attempt": refused.attempt}
    assert "{" not in str(fault.message)
    assert play(partie).fault() is None


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"{", b"[]", b'{"format": "marque/1"}', b"no log at all"])
def test_whatever_the_bytes_are_they_are_an_attempt_with_a_verdict(partie: Partie, body: bytes) -> None:
    refused = hand_in(actor=owner_of(partie.championship), partie_id=partie.pk, number=1, body=body)

    assert refused.refused
    assert bytes(Attempt.objects.get().document.body) == body


def test_signs_that_a_database_cannot_store_do_not_stop_an_attempt(partie: Partie) -> None:
    refused = play(
        partie, document={"format": "bornes/1", "rulebook": "\x00", "teams": {"\x00": 1}, "seats": ["\ud800"]}
    )

    assert refused.refused
    assert Attempt.objects.get().code == refused.verdict["code"]


def test_a_verdict_is_kept_in_the_order_in_which_it_was_given(partie: Partie) -> None:
    given = play(partie, 1, sheet(claim={"A": 1400, "B": 475}))

    result = Result.objects.get()
    assert json.dumps(result.verdict) == json.dumps(given.verdict)
    assert list(result.scores.get(seat__label="A").lines) == ["km", "victoire"]


def test_a_body_over_the_limit_is_refused_unread(partie: Partie, settings) -> None:
    with pytest.raises(TooLarge) as fault:
        hand_in(
            actor=owner_of(partie.championship), partie_id=partie.pk, number=1, body=b" " * (settings.BODY_LIMIT + 1)
        )

    assert fault.value.status == 413
    assert not Document.objects.exists()


def test_a_partie_that_is_not_there_is_not_found(partie: Partie) -> None:
    with pytest.raises(NotFound):
        hand_in(actor=owner_of(partie.championship), partie_id=partie.pk + 1, number=1, body=as_bytes(sheet()))


@pytest.mark.parametrize("number", [0, 10_000, 9_999_999_999])
def test_a_manche_that_no_partie_can_have_is_not_found(partie: Partie, number: int) -> None:
    with pytest.raises(NotFound):
        play(partie, number)
    assert not Attempt.objects.exists()


def test_a_manche_that_was_annulled_takes_no_document(partie: Partie) -> None:
    play(partie)
    void_manche(
        actor=owner_of(partie.championship), manche_id=Manche.objects.get(number=1).pk, version=1, reason="Wrong deck"
    )

    with pytest.raises(Conflict) as conflict:
        play(partie, document=other_sheet(), reason="B had 600", replaces=1)

    assert conflict.value.code == "manche-void"


def test_a_finished_championship_takes_no_document(partie: Partie) -> None:
    championship = partie.championship
    play(partie)
    close_partie(actor=owner_of(championship), partie_id=partie.pk, version=None, reason="Time")
    finish_championship(actor=owner_of(championship), championship_id=championship.pk, version=None)

    with pytest.raises(Conflict) as conflict:
        play(partie, document=other_sheet(), reason="B had 600", replaces=1)

    assert conflict.value.code == "finished"


def test_a_repeat_after_the_finish_is_answered_with_the_result_that_stands(partie: Partie) -> None:
    first = play(partie)
    actor = owner_of(partie.championship)
    close_partie(actor=actor, partie_id=partie.pk, version=None, reason="Time")
    finish_championship(actor=actor, championship_id=partie.championship.pk, version=None)

    again = play(partie)

    assert (again.outcome, again.result, again.partie_status) == ("repeated", first.result, "closed")


def test_where_an_organiser_confirms_a_result_waits_and_no_manche_follows() -> None:
    partie = PartieFactory(championship=ChampionshipFactory(confirmation="organiser"))

    answer = enter(partie, "A")

    assert (answer.state, answer.next_manche) == ("pending", None)
    assert not ResultEvent.objects.filter(manche__isnull=False).exists()
    assert Manche.objects.count() == 1


@pytest.mark.parametrize("confirmation", ["organiser", "opponent"])
@pytest.mark.parametrize(
    ("role", "state"),
    [("owner", "confirmed"), ("organiser", "confirmed"), ("referee", "confirmed"), ("scorer", "pending")],
)
def test_who_may_confirm_is_not_asked_to_confirm_their_own(confirmation: str, role: str, state: str) -> None:
    partie = PartieFactory(championship=ChampionshipFactory(confirmation=confirmation))
    Partie.objects.filter(pk=partie.pk).update(table_number=1)

    answer = play(partie, actor=_somebody(partie, role))

    assert (answer.state, answer.next_manche) == (state, 2 if state == "confirmed" else None)


def test_a_claim_that_differs_is_settled_first_whoever_entered_it() -> None:
    partie = PartieFactory(championship=ChampionshipFactory(confirmation="opponent"))
    assert play(partie, document=sheet(claim={"A": 1500, "B": 475})).state == "differs"


def test_a_blind_first_entry_waits_whoever_made_it() -> None:
    partie = PartieFactory(championship=ChampionshipFactory(confirmation="second_entry"))
    assert play(partie).state == "pending"


def _somebody(partie: Partie, role: str) -> Actor:
    if role == "owner":
        return owner_of(partie.championship)
    user = UserFactory()
    tables = [1] if role == "scorer" else []
    Membership.objects.create(user=user, championship=partie.championship, role=role, tables=tables)
    return Actor(user=user)


def test_points_are_unknown_not_nought_where_the_rulebook_has_none() -> None:
    championship = ChampionshipFactory(rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=3)
    partie = PartieFactory(championship=championship)

    play(partie, document=sheet(rulebook="moderne"))

    assert [(s.points, s.total, s.km, s.won) for s in Result.objects.get().scores.all()] == [
        (None, None, 1000, True),
        (None, None, 475, False),
    ]


class TestIdempotencyKey:
    """The same request again is answered alike, whatever has happened in between (DESIGN 2.2)."""

    def test_the_stored_answer_goes_before_everything_else(self, partie: Partie) -> None:
        first = play(partie, idempotency_key="k1")
        play(partie, document=other_sheet(), reason="B had 600", replaces=1)

        again = play(partie, idempotency_key="k1")

        assert again == first
        assert json.dumps(again.verdict) == json.dumps(first.verdict)
        assert (first.replayed, again.replayed) == (False, True)
        assert Result.objects.count() == 2

    def test_a_refusal_is_remembered_too(self, partie: Partie) -> None:
        bad = sheet({"A": 1000, "B": 480})

        first = play(partie, document=bad, idempotency_key="k1")
        again = play(partie, document=bad, idempotency_key="k1")

        assert again == first
        assert Attempt.objects.count() == 1

    def test_a_key_used_for_another_request_is_a_conflict(self, partie: Partie) -> None:
        play(partie, idempotency_key="k1")

        with pytest.raises(Conflict) as conflict:
            play(partie, document=other_sheet(), idempotency_key="k1")

        assert conflict.value.code == "key-reused"

    def test_what_was_not_done_is_not_remembered(self, partie: Partie) -> None:
        play(partie)
        with pytest.raises(Conflict):
            play(partie, document=other_sheet(), idempotency_key="k1")

        assert not IdempotencyRecord.objects.exists()

    @pytest.mark.parametrize("key", ["k\0", "\n", "x" * 101])
    def test_a_key_that_cannot_be_kept_is_none(self, partie: Partie, key: str) -> None:
        with pytest.raises(UserFault, match="bad-idempotency-key"):
            play(partie, idempotency_key=key)
        assert not Result.objects.exists()

    def test_an_answer_of_an_earlier_release_is_still_good(self, partie: Partie) -> None:
        play(partie, idempotency_key="k")
        record = IdempotencyRecord.objects.get()
        del record.answer["attempt"]
        record.answer["of_an_earlier_release"] = 1
        record.save()
        assert play(partie, idempotency_key="k").replayed

    def test_keys_of_two_users_do_not_meet(self, partie: Partie) -> None:
        other = PartieFactory()

        first, second = play(partie, idempotency_key="k1"), play(other, idempotency_key="k1")

        assert not second.replayed
        assert first.result != second.result


def test_the_version_of_the_championship_is_not_touched_by_results(partie: Partie) -> None:
    play(partie)

    assert Championship.objects.get().version == 1

"""Writing over a network that loses requests and answers: everything once, and refusals as they are."""

from typing import Any

import httpx
import pytest

from bornage_client import (
    Bornage,
    ConflictError,
    NotPermittedError,
    ProblemError,
    RefusedError,
    StaleError,
    UnreachableError,
)
from league.models import Attempt, Entry, Partie, Player, Result
from league.services.batches import cancel_batch
from tests.client.conftest import There, answer_lost, answered, request_lost
from tests.factories import owner_of, play, sheet
from tests.league.api.conftest import log_as_json, log_as_text

pytestmark = pytest.mark.django_db(transaction=True)


def coupe(there: There) -> Any:
    return there.site.championship(there.row.slug)


def test_a_log_a_sheet_and_text_are_handed_in(there: There) -> None:
    number = there.partie.number
    assert coupe(there).hand_in(number, 1, log_as_text())["state"] == "confirmed"
    assert coupe(there).hand_in(number, 2, log_as_json(2, 1).decode())["next_manche"] == 3
    said = coupe(there).hand_in(number, 3, sheet())
    assert (said["outcome"], said["version"]) == ("recorded", 1)
    again = coupe(there).hand_in(number, 3, sheet())
    assert again["outcome"] == "repeated"


@pytest.mark.parametrize(
    "fates",
    [[answer_lost], [request_lost], [answer_lost] * 3, [answered(503)], [answered(429, Retry_After="2"), answer_lost]],
    ids=["answer", "request", "three answers", "503", "429, then an answer"],
)
def test_what_the_network_loses_is_sent_again_with_its_key_and_done_once(there: There, fates: list[Any]) -> None:
    there.network.fates = list(fates)
    said = coupe(there).hand_in(there.partie.number, 1, sheet())
    assert (said["outcome"], said["version"]) == ("recorded", 1)
    assert len(there.network.keys) == len(fates) + 1
    assert len(set(there.network.keys)) == 1
    assert len(there.slept) == len(fates)
    assert Result.objects.count() == 1
    there.network.fates = list(fates)
    made = there.site.add_player("Ane Etxeberria")
    assert Player.objects.filter(name="Ane Etxeberria").values_list("pk", flat=True).get() == made["id"]


def test_a_site_says_how_long_to_wait_and_is_not_waited_for_all_day(there: There) -> None:
    there.network.fates = [answered(429, Retry_After="61")]
    coupe(there).hand_in(there.partie.number, 1, sheet())
    assert there.slept == [61]
    there.network.fates = [answered(503, Retry_After="86400")]
    with pytest.raises(ProblemError) as refused:
        coupe(there).hand_in(there.partie.number, 2, sheet())
    assert refused.value.status == 503
    assert refused.value.key == there.network.keys[-1]
    assert there.slept == [61]


def test_a_key_that_was_kept_finds_what_was_done(there: There) -> None:
    there.network.fates = [answer_lost] * 5
    with pytest.raises(UnreachableError) as lost:
        coupe(there).hand_in(there.partie.number, 1, sheet())
    assert Result.objects.count() == 1
    said = coupe(there).hand_in(there.partie.number, 1, sheet(), key=lost.value.key)
    assert (said["outcome"], said["version"]) == ("recorded", 1)


def test_a_document_that_the_rules_refuse_comes_back_with_its_verdict(there: There) -> None:
    with pytest.raises(RefusedError) as refused:
        coupe(there).hand_in(there.partie.number, 2, sheet())
    assert refused.value.code == "manche-out-of-order"
    assert refused.value.verdict["valid"] is False
    assert refused.value.verdict["why"][0]["paragraph"] == "RULES 13"
    assert Attempt.objects.count() == 1
    assert there.slept == []


def test_a_manche_that_has_a_result_is_a_conflict_that_shows_it_and_can_be_corrected(there: There) -> None:
    play(there.partie)
    other = sheet({"A": 1000, "B": 500})
    with pytest.raises(ConflictError) as stands:
        coupe(there).hand_in(there.partie.number, 1, other)
    assert (stands.value.code, stands.value.present["version"]) == ("result-exists", 1)
    said = coupe(there).hand_in(
        there.partie.number, 1, other, replaces=stands.value.present["version"], reason="Misread"
    )
    assert said["version"] == 2


def test_own_ids_name_what_was_made_and_make_it_once(there: There) -> None:
    here = coupe(there)
    first = here.enter([{"name": "Ane Etxeberria"}], external_id="e-1")
    again = here.enter([{"name": "Ane Etxeberria"}], external_id="e-1")
    assert first == again
    other = here.enter([{"name": "Zoé Numéro"}], external_id="e-2")
    partie = here.open_partie(["~e-1", other["number"]], round=1, external_id="table-7")
    assert here.partie("~table-7")["number"] == partie["number"]
    assert here.hand_in("~table-7", None, sheet(), external_id="game-1")["manche"] == 1
    assert here.hand_in("~table-7", None, sheet(), external_id="game-1")["outcome"] == "repeated"
    assert here.hand_in("~table-7", None, sheet({"A": 25, "B": 1000}), external_id="game-2")["manche"] == 2
    with pytest.raises(ConflictError) as taken:
        here.enter([{"name": "Somebody Else"}], external_id="e-1")
    assert taken.value.code == "external-id-taken"
    assert taken.value.present["number"] == first["number"]
    assert (Entry.objects.count(), Partie.objects.count()) == (4, 2)


def test_a_change_goes_to_the_state_that_was_seen(there: There) -> None:
    path = f"championships/{there.row.slug}"
    seen, etag = there.site.seen(path)
    assert seen["name"] == there.row.name
    there.network.fates = [answer_lost]
    assert there.site.change(path, {"name": "Autre coupe"}, etag=etag)["name"] == "Autre coupe"
    with pytest.raises(StaleError) as stale:
        there.site.change(path, {"name": "Encore"}, etag=etag)
    assert stale.value.present["name"] == "Autre coupe"
    assert there.site.change(path, {"name": "Encore"}, etag=stale.value.etag)["name"] == "Encore"
    assert there.site.change(path, {"name": "Enfin"})["name"] == "Enfin"


def test_a_bad_token_is_no_reason_to_try_again(there: There) -> None:
    with httpx.Client(transport=there.network) as http, pytest.raises(NotPermittedError) as refused:
        Bornage(there.url, token="bornage_nobody", http=http).championship(there.row.slug).hand_in(1, 1, sheet())
    assert refused.value.status == 401
    assert len(there.network.sent) == 1


def test_a_championship_is_made_and_its_ranking_published(there: There) -> None:
    settings = {"rulebook": "classique", "partie_end": "manches", "partie_end_value": 1}
    made = there.site.add_championship(name="Nouvelle coupe", slug="nouvelle", **settings)
    assert made.read()["name"] == "Nouvelle coupe"
    play(there.partie)
    there.network.fates = [answer_lost]
    assert coupe(there).publish("After round 1")["number"] == 1
    assert list(there.site.championship(there.row.slug).rounds())


class TestBatches:
    def items(self, there: There) -> list[Any]:
        text = log_as_text().decode()
        return [
            {"result": {"partie": there.partie.number, "manche": 1, "log": text, "external_id": "game-1"}},
            {"result": {"partie": there.partie.number, "manche": 9, "sheet": sheet()}},
            {"result": {"partie": there.partie.number, "manche": 1, "log": text}},
            {"player": {"name": "Ane\u2028Etxeberria \u0085"}},
        ]

    def test_each_line_is_answered(self, there: There) -> None:
        """Separators of lines that are none in NDJSON may stand in a text."""
        there.network.fates = [answer_lost]
        run = coupe(there).send_batch(self.items(there))
        assert run.wait(seconds=60, every=0.1)["state"] == "done"
        answers = list(run.answers())
        assert [(answer.line, answer.state) for answer in answers[:3]] == [
            (1, "saved"),
            (2, "refused"),
            (3, "repeated"),
        ]
        assert [answer.is_there for answer in answers[:3]] == [True, False, True]
        assert answers[1].code == "manche-out-of-order"
        assert answers[0].location is not None
        assert len(answers) == 4

    def test_a_batch_is_found_by_its_key_and_by_its_id(self, there: There) -> None:
        run = coupe(there).send_batch(self.items(there), key="evening-3")
        again = coupe(there).send_batch(self.items(there), key="evening-3")
        assert run.batch["id"] == again.batch["id"] == there.site.batch(run.batch["id"]).batch["id"]
        with pytest.raises(RefusedError) as reused:
            coupe(there).send_batch(self.items(there)[:1], key="evening-3")
        assert reused.value.code == "key-reused"
        run.wait(seconds=60, every=0.1)

    def test_a_batch_is_stopped(self, there: There, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("league.api.batches.wake_batch", lambda _id: None)
        run = coupe(there).send_batch(self.items(there))
        there.network.fates = [answer_lost]
        assert run.cancel()["state"] == "cancelled"
        assert {answer.state for answer in run.answers()} == {"cancelled"}
        assert Result.objects.count() == 0
        assert run.cancel()["state"] == "cancelled"

    def test_one_that_is_over_when_it_is_stopped_stays_as_it_is(
        self, there: There, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.api.batches.wake_batch", lambda _id: None)
        run = coupe(there).send_batch(self.items(there))
        cancel_batch(actor=owner_of(there.row), batch_id=run.batch["id"])
        assert run.cancel()["state"] == "cancelled"

    def test_who_waits_waits_no_longer_than_said(self, there: There, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("league.api.batches.wake_batch", lambda _id: None)
        run = coupe(there).send_batch(self.items(there))
        with pytest.raises(TimeoutError, match="0 of 4"):
            run.wait(seconds=0.2, every=0.1)

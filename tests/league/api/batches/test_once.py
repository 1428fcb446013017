"""Batches that are sent again, and batches that are stopped: each item is done once or never."""

from typing import Any

import pytest

from league.api import batch_items
from league.api.batch_work import work_off
from league.models import Batch, IdempotencyRecord, Result
from league.services.batches import cancel_batch
from tests.league.api.batches.cases import Sender, kept, manches, read, result, states, work_some

pytestmark = pytest.mark.django_db


class TestOnce:
    def test_the_same_key_gets_the_same_answer(self, sender: Sender) -> None:
        first = sender.send(*manches(3), **{"Idempotency-Key": "k"})
        again = sender.send(*manches(3), **{"Idempotency-Key": '"k"'})
        assert (first.status_code, again.status_code) == (200, 200)
        assert (first.content, again["Idempotency-Replayed"]) == (again.content, "true")
        assert "Idempotency-Replayed" not in first
        assert (Batch.objects.count(), Result.objects.count()) == (1, 3)

    def test_a_long_one_too(self, sender: Sender) -> None:
        first = sender.send(*manches(101), **{"Idempotency-Key": "k"})
        again = sender.send(*manches(101), **{"Idempotency-Key": "k"})
        assert (first.status_code, again.status_code, again["Location"]) == (202, 202, first["Location"])
        assert Batch.objects.count() == 1

    def test_another_batch_is_refused(self, sender: Sender) -> None:
        sender.send(*manches(3), **{"Idempotency-Key": "k"})
        said = sender.send(*manches(4), **{"Idempotency-Key": "k"})
        assert (said.status_code, said.json()["code"], Batch.objects.count()) == (422, "key-reused", 1)

    def test_one_whose_answer_got_lost_in_the_middle_is_gone_on_with(
        self, sender: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sender.client.raise_request_exception = False
        with monkeypatch.context() as patched:
            patched.setattr("league.api.batches.work_off", lambda *_a, **_k: 1 / 0)
            assert sender.send(*manches(3), **{"Idempotency-Key": "k"}).status_code == 500
        assert IdempotencyRecord.objects.count() == 1
        answers = sender.answers(*manches(3), **{"Idempotency-Key": "k"})
        assert [one["state"] for one in answers] == ["saved"] * 3

    def test_the_same_results_in_another_batch_are_repeated(self, sender: Sender) -> None:
        said = [result(manche=n, external_id=f"game:{n}") for n in (1, 2)]
        said += [{"club": {"name": "Le Relais", "external_id": "c"}}]
        first, again = sender.answers(*said), sender.answers(*said)
        assert [one["state"] for one in first] == ["saved"] * 3
        assert [(one["state"], one["status"]) for one in again] == [("repeated", 200)] * 3
        assert [one["location"] for one in first] == [one["location"] for one in again]
        assert Result.objects.count() == 2


class TestStopped:
    def test_what_is_done_stays_and_the_rest_is_never_done(self, sender: Sender) -> None:
        batch = kept(sender, *manches(4))
        work_some(batch, 1)
        headers = {"Authorization": sender.authorization}
        said = sender.client.post(f"/api/v1/batches/{batch.pk}/cancel", headers=headers)
        assert (said.status_code, said.json()["state"], said.json()["cancel_url"]) == (200, "cancelled", None)
        assert said.json()["counts"] | {"saved": 1, "cancelled": 3, "waiting": 0} == said.json()["counts"]
        assert work_off(batch.pk)
        assert Result.objects.count() == 1
        assert {bytes(body) for body in batch.items.values_list("body", flat=True)} == {b""}  # it serves nobody now
        answers = read(b"".join(sender.get(f"/api/v1/batches/{batch.pk}/answers").streaming_content))
        assert answers[1:] == [{"line": n, "state": "cancelled"} for n in (2, 3, 4)]
        again = sender.client.post(f"/api/v1/batches/{batch.pk}/cancel", headers=headers)
        assert (again.status_code, again.json()) == (200, said.json())

    def test_one_that_is_done_cannot_be_stopped(self, sender: Sender) -> None:
        sender.answers(result())
        batch = Batch.objects.get()
        said = sender.client.post(f"/api/v1/batches/{batch.pk}/cancel", headers={"Authorization": sender.authorization})
        assert (said.status_code, said.json()["code"]) == (409, "batch-over")

    def test_a_worker_in_the_middle_stops(self, sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
        batch = kept(sender, *manches(5))
        true_push = batch_items.push

        def push(**how: Any) -> Any:
            answered = true_push(**how)
            if how["item"].manche == 2:
                cancel_batch(actor=how["actor"], batch_id=batch.pk)
            return answered

        monkeypatch.setattr(batch_items, "push", push)
        work_off(batch.pk)
        assert Result.objects.count() == 2
        assert states(batch)[2:] == ["cancelled"] * 3


def test_an_account_has_ten_open_batches_at_most(sender: Sender) -> None:
    for number in range(10):
        kept(sender, result(manche=number + 1))
    said = sender.send(result())
    assert (said.status_code, said.json()["code"]) == (409, "too-many-batches")
    work_off(Batch.objects.earliest("pk").pk)
    assert sender.send(result()).status_code == 200

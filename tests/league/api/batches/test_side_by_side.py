"""Several workers and senders at one batch at the same time."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from league.api import batch_items
from league.api.batch_work import work_off
from league.models import Batch, Championship, Result, Scope
from league.services import batch_waking
from league.services.batches import cancel_batch, claim_item
from tests.factories import owner_of
from tests.league.api.batches.cases import Sender, hall, kept, manches, result, sender_to, states
from tests.league.api.conftest import token

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class TestSideBySide:
    def in_threads(self, *work: Callable[[], Any]) -> None:
        def run(one: Callable[[], Any]) -> None:
            try:
                one()
            finally:
                connection.close()

        threads = [threading.Thread(target=run, args=(one,)) for one in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()

    def test_two_workers_at_the_same_lanes_do_each_item_once_and_in_order(self, client: Client) -> None:
        championship = hall(parties=4)
        said = [result(partie, number) for number in range(1, 16) for partie in range(1, 5)]
        batch = kept(sender_to(client, championship), *said)

        def until_done() -> None:
            while not work_off(batch.pk):
                pass

        self.in_threads(*[until_done] * 3)
        assert set(states(batch)) == {"saved"}
        assert Result.objects.count() == 60
        batch.refresh_from_db()
        assert batch.state == "done"

    def test_who_finds_an_item_in_other_hands_leaves_the_lane(self, sender: Sender) -> None:
        from django.db import transaction

        batch = kept(sender, *manches(3))
        held, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            with transaction.atomic():
                assert claim_item(batch.items.get(line=1).pk) is not None
                held.set()
                go_on.wait(20)

        def other() -> None:
            assert held.wait(20)
            assert not work_off(batch.pk)
            assert states(batch) == ["waiting"] * 3
            go_on.set()

        self.in_threads(hold, other)

    def test_stopping_waits_for_the_item_that_is_done_just_now(
        self, sender: Sender, championship: Championship, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = kept(sender, *manches(3))
        held, true_push = threading.Event(), batch_items.push

        def push(**how: Any) -> Any:
            answered = true_push(**how)
            held.set()
            threading.Event().wait(0.3)
            return answered

        def stop() -> None:
            assert held.wait(20)
            cancel_batch(actor=owner_of(championship), batch_id=batch.pk)

        monkeypatch.setattr(batch_items, "push", push)
        self.in_threads(lambda: work_off(batch.pk), stop)
        assert states(batch)[0] == "saved"
        assert states(batch)[-1] == "cancelled"
        assert Result.objects.count() == states(batch).count("saved")

    def test_a_key_that_comes_twice_at_once_makes_one_batch(self, championship: Championship) -> None:
        text = token(championship.created_by, Scope.HAND_IN)
        said = []

        def send() -> None:
            own = Sender(Client(), text, f"/api/v1/championships/{championship.slug}/batches")
            said.append(own.send(*manches(20), **{"Idempotency-Key": "k"}).status_code)

        self.in_threads(send, send, send)
        assert set(said) <= {200, 409}
        assert 200 in said
        assert (Batch.objects.count(), Result.objects.count()) == (1, 20)

    def test_without_a_broker_a_thread_of_the_process_does_it(self, sender: Sender) -> None:
        batch = kept(sender, *manches(5))
        batch_waking.wake_batch(batch.pk)
        thread = batch_waking.WORKER.thread
        assert thread is not None
        thread.join(30)
        assert states(batch) == ["saved"] * 5
        assert batch_waking.WORKER.thread is None
        cup = Championship.objects.get()
        assert (cup.ranking_due_since, cup.live_ranking.journal_position) == (None, cup.journal_position)

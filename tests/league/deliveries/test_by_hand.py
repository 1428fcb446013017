"""Messages sent by hand, webhooks that are changed while something waits, and the jobs that send."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from league import tasks
from league.models import Webhook
from league.services import deliveries, outward, waking
from league.services.deliveries import (
    due,
    forget_deliveries,
)
from league.services.webhooks import (
    change_webhook,
    pause_webhook,
    remove_webhook,
    resume_webhook,
    send_again,
    send_test_message,
)
from tests.league.deliveries.cases import NOON, only, send, told
from tests.league.webhook_cases import changed, claim_next, owner
from tests.league.webhook_receiver import Receiver, receiving


class TestByHand:
    def test_a_test_goes_out_whatever_the_state_and_once(self, webhook: Webhook, receiver: Receiver) -> None:
        pause_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        changed(webhook.championship)
        receiver.answers = [500]
        send_test_message(actor=owner(webhook), webhook_id=webhook.pk)
        assert due(datetime.now(UTC)) == [webhook.pk]
        send(webhook)
        (came,) = receiver.came
        assert (came.said["type"], came.said["data"]) == ("test", {"championship": webhook.championship.slug})
        assert (only(webhook).state, only(webhook).status) == ("given-up", 500)
        webhook.refresh_from_db()
        assert webhook.state == "paused"
        resume_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        send(webhook)
        assert [came.said["type"] for came in receiver.came] == ["test", "changes"]

    def test_a_test_does_not_wait_behind_what_does_not_arrive(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500]
        changed(webhook.championship)
        send(webhook)
        send_test_message(actor=owner(webhook), webhook_id=webhook.pk)
        send(webhook)
        assert [came.said["type"] for came in receiver.came] == ["changes", "test"]

    def test_a_message_that_arrived_is_sent_again_as_it_was(self, webhook: Webhook, receiver: Receiver) -> None:
        changed(webhook.championship)
        send(webhook)
        arrived = only(webhook).delivered_at
        receiver.answers = [500]
        send_again(actor=owner(webhook), webhook_id=webhook.pk, message_id=only(webhook).message_id)
        send(webhook)
        first, second = receiver.came
        assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)
        delivery = only(webhook)
        assert delivery.state == "delivered", "it has arrived, whatever the second answer"
        assert abs(delivery.delivered_at - arrived) < timedelta(seconds=2)
        webhook.refresh_from_db()
        assert webhook.state == "active"

    def test_one_that_waits_is_tried_at_once(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500]
        changed(webhook.championship)
        send(webhook)
        send(webhook)
        assert len(receiver.came) == 1
        send_again(actor=owner(webhook), webhook_id=webhook.pk, message_id=only(webhook).message_id)
        send(webhook)
        assert len(receiver.came) == 2
        assert only(webhook).state == "delivered"

    def test_one_that_is_under_way_is_left_to_who_sends_it(self, webhook: Webhook, receiver: Receiver) -> None:
        changed(webhook.championship)
        claim = claim_next(webhook.pk)
        assert claim is not None
        send_again(actor=owner(webhook), webhook_id=webhook.pk, message_id=claim.message_id)
        assert claim_next(webhook.pk) is None


class TestChanges:
    def test_what_waits_goes_to_the_new_address(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500]
        position = changed(webhook.championship)
        with time_machine.travel(NOON, tick=False):
            send(webhook)
        with receiving() as other:
            change_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=1, url=other.url)
            with time_machine.travel(NOON + timedelta(minutes=1), tick=False):
                send(webhook)
            assert told(other) == [[position]]

    def test_paused_nothing_is_sent_and_nothing_lost(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500]
        first = changed(webhook.championship)
        send(webhook)
        pause_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        second = changed(webhook.championship)
        with time_machine.travel(datetime.now(UTC) + timedelta(days=2), tick=False):
            send(webhook)
            assert len(receiver.came) == 1
        resume_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        send(webhook)
        assert told(receiver) == [[first], [first], [second]]

    def test_removed_nothing_is_sent_any_more(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500]
        changed(webhook.championship)
        send(webhook)
        remove_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        with time_machine.travel(datetime.now(UTC) + timedelta(days=2), tick=False):
            assert due(datetime.now(UTC)) == []
            send(webhook)
        assert len(receiver.came) == 1
        assert (only(webhook).state, only(webhook).error) == ("given-up", "removed")

    def test_old_deliveries_are_forgotten_but_what_somebody_may_still_resume(
        self, webhook: Webhook, receiver: Receiver
    ) -> None:
        receiver.answers = [200, 410]
        for _ in range(2):
            changed(webhook.championship)
            send(webhook)
        with time_machine.travel(datetime.now(UTC) + deliveries.KEPT + timedelta(days=1), tick=False):
            forget_deliveries()
        assert only(webhook).error == "gone"


class TestJobs:
    def test_the_sweep_takes_up_what_is_due_and_leaves_the_rest(
        self, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[int] = []
        monkeypatch.setattr(waking, "ask", lambda webhook_id, **_: asked.append(webhook_id))
        tasks.sweep_deliveries()
        assert asked == []
        changed(webhook.championship)
        tasks.sweep_deliveries()
        assert asked == [webhook.pk]
        tasks.send_deliveries(webhook.pk)
        assert len(receiver.came) == 1
        tasks.sweep_deliveries()
        assert asked == [webhook.pk]

    def test_who_has_much_to_send_lets_others_in_between(
        self, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[int] = []
        monkeypatch.setattr(waking, "ask", lambda webhook_id, **_: asked.append(webhook_id))
        monkeypatch.setattr(deliveries, "_SHIFT", -1.0)
        tasks.send_deliveries(webhook.pk)
        assert asked == [webhook.pk]

    def test_the_first_waits_are_shorter_than_the_sweeps(
        self,
        webhook: Webhook,
        receiver: Receiver,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        asked: list[float] = []
        monkeypatch.setattr(waking, "ask", lambda _webhook_id, *, after=0: asked.append(after))
        receiver.answers = [500]
        changed(webhook.championship)
        with django_capture_on_commit_callbacks(execute=True):
            send(webhook)
        (after,) = asked
        assert 8 <= after <= 12

    def test_nothing_is_locked_while_the_network_is_waited_for(
        self, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        depth = len(connection.savepoint_ids)
        inside: list[int] = []
        real = outward.post
        monkeypatch.setattr(outward, "post", lambda *how: (inside.append(len(connection.savepoint_ids)), real(*how))[1])
        changed(webhook.championship)
        send(webhook)
        assert inside == [depth]

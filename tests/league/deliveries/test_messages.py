"""Changes brought to webhooks: signed, in order, again until they arrive. The other side is a real server."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from league.api import webhook_events
from league.api.change_shapes import position_of
from league.models import AuditEntry, Change, Delivery, Membership, Webhook
from league.services import deliveries
from league.services.anonymising import anonymise
from league.services.deliveries import (
    BACK_OFF,
    JITTER,
    attempt,
    due,
    write_down,
)
from league.services.feed import number_changes
from league.services.people import change_player
from league.services.webhooks import (
    renew_webhook_secret,
    resume_webhook,
)
from tests.factories import ChampionshipFactory, EntryFactory, UserFactory
from tests.league.deliveries.cases import NOON, only, send, told
from tests.league.webhook_cases import changed, claim_next, owner, webhook_to
from tests.league.webhook_receiver import Receiver, receiving


class TestAMessage:
    def test_no_reader_of_the_feed_waits_while_it_is_made(self, webhook: Webhook, receiver: Receiver) -> None:
        number_changes()
        EntryFactory(championship=webhook.championship)
        assert claim_next(webhook.pk) is None
        assert Change.objects.filter(position=None).exists()  # nothing was numbered, so the head was not locked
        send(webhook)
        assert receiver.came

    def test_it_names_what_changed(self, webhook: Webhook, receiver: Receiver) -> None:
        position = changed(webhook.championship, "entry", "7")

        send(webhook)

        (came,) = receiver.came
        assert came.said["type"] == "changes"
        assert came.said["data"]["championship"] == webhook.championship.slug
        assert position_of(came.said["data"]["next"]) == position
        (item,) = came.said["data"]["items"]
        assert (item["kind"], item["key"], item["data"]) == ("entry", "7", None)
        assert item["address"] == f"/api/v1/championships/{webhook.championship.slug}/entries/7"
        assert came.headers["content-type"] == "application/json"

    def test_a_receiver_verifies_it(self, webhook: Webhook, receiver: Receiver) -> None:
        team = EntryFactory(championship=webhook.championship, name="Équipe d’été").team
        Change.objects.filter(position=None).delete()
        changed(webhook.championship, "team", str(team.pk), object_id=team.pk)
        with time_machine.travel(NOON, tick=False):
            send(webhook)
        (came,) = receiver.came
        assert came.said["data"]["items"][0]["data"]["name"] == "Équipe d’été"
        assert came.is_signed_by(webhook.secret)
        assert not came.is_signed_by("whsec_" + "A" * 43 + "=")
        assert came.headers["webhook-timestamp"] == str(int(NOON.timestamp()))
        assert re.fullmatch(r"msg_[0-9a-f]{32}", came.headers["webhook-id"])

    def test_too_much_is_named_without_its_data(
        self, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(webhook_events, "LARGEST", 10)
        position = changed(webhook.championship)
        send(webhook)
        assert told(receiver) == [[position]]
        assert "data" not in receiver.came[0].said["data"]["items"][0]

    def test_each_attempt_has_the_same_id_and_body_and_is_signed_anew(
        self, webhook: Webhook, receiver: Receiver
    ) -> None:
        receiver.answers = [500]
        changed(webhook.championship)
        for moment in (NOON, NOON + timedelta(minutes=1)):
            with time_machine.travel(moment, tick=False):
                send(webhook)
        first, second = receiver.came
        assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)
        assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
        assert first.is_signed_by(webhook.secret)
        assert second.is_signed_by(webhook.secret)

    def test_who_is_anonymised_between_two_attempts_is_not_named_by_the_second(
        self, webhook: Webhook, receiver: Receiver
    ) -> None:
        team = EntryFactory(championship=webhook.championship).team
        player = team.members.first().player
        changes = {"name": "Quetzalcoatl Iturbe"}
        change_player(actor=owner(webhook), player_id=player.pk, version=None, changes=changes)
        Change.objects.filter(position=None).delete()
        changed(webhook.championship, "team", str(team.pk), object_id=team.pk)
        receiver.answers = [500]
        with time_machine.travel(NOON, tick=False):
            send(webhook)
        anonymise(actor=owner(webhook), player_id=player.pk)
        with time_machine.travel(NOON + timedelta(minutes=1), tick=False):
            send(webhook)
        first, second = receiver.came[:2]
        assert b"Quetzalcoatl" in first.body
        assert b"Quetzalcoatl" not in second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert second.is_signed_by(webhook.secret)

    def test_beside_a_new_secret_the_one_before_signs_for_a_day(self, webhook: Webhook, receiver: Receiver) -> None:
        old = webhook.secret
        with time_machine.travel(NOON, tick=False):
            new = renew_webhook_secret(actor=owner(webhook), webhook_id=webhook.pk, version=1).secret
        assert old != new
        for hours, both in ((23, True), (25, False)):
            with time_machine.travel(NOON + timedelta(hours=hours), tick=False):
                changed(webhook.championship)
                send(webhook)
            assert receiver.came[-1].is_signed_by(new)
            assert receiver.came[-1].is_signed_by(old) is both


class TestOrder:
    def test_what_has_gathered_is_one_message_and_then_comes_the_next(
        self, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(deliveries, "EVENTS", 3)
        positions = [changed(webhook.championship) for _ in range(7)]
        send(webhook)
        assert told(receiver) == [positions[:3], positions[3:6], positions[6:]]
        send(webhook)
        assert len(receiver.came) == 3

    def test_the_next_waits_for_the_one_before(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [500, 503]
        first = changed(webhook.championship)
        for minute, count in ((0, 1), (1, 2), (3, 4)):
            with time_machine.travel(NOON + timedelta(minutes=minute), tick=False):
                later = changed(webhook.championship)
                send(webhook)
                assert len(receiver.came) == count
        ids = [came.headers["webhook-id"] for came in receiver.came]
        assert ids[0] == ids[1] == ids[2] != ids[3]
        assert [told(receiver)[0][0], told(receiver)[-1][-1]] == [first, later]
        flat = told(receiver)[0] + told(receiver)[3]
        assert flat == sorted(set(flat)) == list(range(first, later + 1))

    def test_other_championships_and_other_kinds_are_not_told_of(self, receiver: Receiver, db: None) -> None:
        webhook = webhook_to(receiver.url, kinds=["ranking", "round"])
        elsewhere = ChampionshipFactory()
        Change.objects.filter(position=None).delete()
        changed(elsewhere, "ranking")
        changed(webhook.championship, "entry")
        wanted = changed(webhook.championship, "round")
        changed(webhook.championship, "partie")
        send(webhook)
        assert told(receiver) == [[wanted]]
        changed(webhook.championship, "entry")
        assert due(datetime.now(UTC)) == [webhook.pk]
        send(webhook)
        assert due(datetime.now(UTC)) == [], "it has passed over what it does not tell of"
        assert len(receiver.came) == 1

    def test_what_changed_before_it_was_made_is_not_told_of(self, receiver: Receiver, db: None) -> None:
        cup = ChampionshipFactory()
        changed(cup)
        webhook = webhook_to(receiver.url, cup)
        for _ in range(2 * deliveries.EVENTS):  # numbered late, as nobody had asked
            changed(cup, at=webhook.created_at - timedelta(hours=1))
        send(webhook)
        assert receiver.came == []
        position = changed(cup)
        send(webhook)
        assert told(receiver) == [[position]]

    def test_two_webhooks_do_not_wait_for_each_other(self, webhook: Webhook, receiver: Receiver) -> None:
        with receiving() as other:
            second = webhook_to(other.url, webhook.championship)
            position = changed(webhook.championship)
            other.answers = [500]
            for one in (second, webhook):
                send(one)
            assert told(receiver) == told(other) == [[position]]


class TestRetries:
    def test_waits_grow_for_three_days_then_it_is_given_up(
        self, webhook: Webhook, receiver: Receiver, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
    ) -> None:
        Membership.objects.create(user=UserFactory(), championship=webhook.championship, role="organiser")
        receiver.answers = [500] * 50
        changed(webhook.championship)
        moment, waits = NOON, []
        with django_capture_on_commit_callbacks(execute=True):
            for count in range(1, len(BACK_OFF) + 1):
                with time_machine.travel(moment, tick=False):
                    send(webhook)
                    assert len(receiver.came) == count
                    next_at = only(webhook).next_at
                assert next_at is not None
                with time_machine.travel(next_at - timedelta(seconds=1), tick=False):
                    assert due(datetime.now(UTC)) == []
                    send(webhook)
                    assert len(receiver.came) == count
                waits.append(next_at - moment)
                moment = next_at
            with time_machine.travel(moment, tick=False):
                assert due(moment) == [webhook.pk]
                send(webhook)
        wanted = [10, 60, 300, 1800, 7200, 6 * 3600, *[12 * 3600] * 5]
        for wait, seconds in zip(waits, wanted, strict=True):
            assert (1 - JITTER) * seconds <= wait.total_seconds() <= (1 + JITTER) * seconds
        assert len(set(waits[-5:])) == 5, "without jitter"
        assert timedelta(days=2) < sum(waits, timedelta()) < timedelta(days=4)
        webhook.refresh_from_db()
        assert (webhook.state, only(webhook).state, only(webhook).status) == ("failing", "given-up", 500)
        (mail,) = mailoutbox
        assert mail.to == [webhook.championship.created_by.email]
        assert webhook.url in mail.body
        assert AuditEntry.objects.get(action="give_up_webhook").user is None
        with time_machine.travel(moment + timedelta(days=9), tick=False):
            changed(webhook.championship)
            send(webhook)
        assert len(receiver.came) == len(BACK_OFF) + 1
        assert due(datetime(2030, 1, 1, tzinfo=UTC)) == []

    def test_resumed_it_begins_with_what_was_given_up(self, webhook: Webhook, receiver: Receiver) -> None:
        lost = self._give_up(webhook, receiver)
        later = changed(webhook.championship)
        resume_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        send(webhook)
        assert told(receiver)[-2:] == [[lost], [later]]

    def test_resumed_without_it_it_goes_on_behind(self, webhook: Webhook, receiver: Receiver) -> None:
        self._give_up(webhook, receiver)
        later = changed(webhook.championship)
        resume_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None, skip=True)
        before = len(receiver.came)
        send(webhook)
        assert told(receiver)[before:] == [[later]]

    def _give_up(self, webhook: Webhook, receiver: Receiver) -> int:
        lost = changed(webhook.championship)
        receiver.answers = [500]
        claim = claim_next(webhook.pk)
        assert claim is not None
        Delivery.objects.update(tries=len(BACK_OFF) + 1)
        write_down(claim, attempt(claim))
        webhook.refresh_from_db()
        assert webhook.state == "failing"
        return lost

    def test_410_pauses_it_at_once_and_loses_nothing(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [410]
        position = changed(webhook.championship)
        send(webhook)
        webhook.refresh_from_db()
        assert (webhook.state, only(webhook).state, only(webhook).error) == ("paused", "given-up", "gone")
        send(webhook)
        assert len(receiver.came) == 1
        resume_webhook(actor=owner(webhook), webhook_id=webhook.pk, version=None)
        send(webhook)
        assert told(receiver) == [[position]] * 2

    def test_it_waits_as_long_as_the_other_side_asks(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [(429, {"Retry-After": "3600"}, b""), (500, {"Retry-After": "999999"}, b"")]
        changed(webhook.championship)
        with time_machine.travel(NOON, tick=False):
            send(webhook)
        assert only(webhook).next_at == NOON + timedelta(hours=1)
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            send(webhook)
        assert only(webhook).next_at < NOON + timedelta(hours=1, minutes=2)  # only 429 and 503 may ask

    @pytest.mark.parametrize("answer", [302, 304, 400, 404, 500])
    def test_only_2xx_is_an_arrival(self, webhook: Webhook, receiver: Receiver, answer: int) -> None:
        receiver.answers = [answer]
        changed(webhook.championship)
        send(webhook)
        assert (only(webhook).state, only(webhook).status, only(webhook).error) == ("waiting", answer, "status")

    def test_what_was_answered_is_kept_with_each_attempt(self, webhook: Webhook, receiver: Receiver) -> None:
        receiver.answers = [(500, {}, b"no \x00\xff<script>" + b"x" * 5000), (204, {}, b"")]
        changed(webhook.championship)
        for moment in (NOON, NOON + timedelta(minutes=1)):
            with time_machine.travel(moment, tick=False):
                send(webhook)
        first, second = only(webhook).attempts
        assert (first["at"], first["status"], first["error"]) == (NOON.isoformat(), 500, "status")
        assert first["answer"].startswith("no \ufffd\ufffd<script>x")
        assert len(first["answer"]) <= 1024
        assert (second["status"], second["error"]) == (204, "")
        assert only(webhook).state == "delivered"

    def test_nothing_answers_is_an_attempt_too(self, webhook: Webhook, settings: Any) -> None:
        changed(webhook.championship)
        settings.WEBHOOK_NETWORKS = []
        send(webhook)
        assert (only(webhook).status, only(webhook).error, only(webhook).state) == (None, "private-address", "waiting")


class TestClaims:
    def test_killed_after_the_claim_it_is_sent_again_by_another(self, webhook: Webhook, receiver: Receiver) -> None:
        position = changed(webhook.championship)
        with time_machine.travel(NOON, tick=False):
            assert claim_next(webhook.pk) is not None  # and then it dies
            send(webhook)
        assert receiver.came == []
        with time_machine.travel(NOON + deliveries.CLAIMED, tick=False):
            assert due(datetime.now(UTC)) == [webhook.pk]
            send(webhook)
        assert told(receiver) == [[position]]
        assert [each["error"] for each in only(webhook).attempts] == ["unfinished", ""]

    def test_killed_after_sending_it_is_sent_a_second_time_under_the_same_id(
        self, webhook: Webhook, receiver: Receiver
    ) -> None:
        changed(webhook.championship)
        with time_machine.travel(NOON, tick=False):
            claim = claim_next(webhook.pk)
            assert claim is not None
            attempt(claim)
        with time_machine.travel(NOON + deliveries.CLAIMED, tick=False):
            send(webhook)
        first, second = receiver.came
        assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)

    def test_who_comes_back_after_the_claim_has_lapsed_writes_nothing(
        self, webhook: Webhook, receiver: Receiver
    ) -> None:
        changed(webhook.championship)
        with time_machine.travel(NOON, tick=False):
            slow = claim_next(webhook.pk)
        with time_machine.travel(NOON + deliveries.CLAIMED, tick=False):
            quick = claim_next(webhook.pk)
            assert slow is not None
            assert quick is not None
            receiver.answers = [500]
            write_down(slow, attempt(slow))
            assert only(webhook).attempts[-1]["error"] == "unfinished"
            write_down(quick, attempt(quick))
        assert only(webhook).state == "delivered"

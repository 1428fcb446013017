"""Webhooks with several workers, real ones, killed ones and none, on PostgreSQL."""

import ipaddress
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from league.errors import Stale
from league.models import Championship, Change, Delivery, Webhook
from league.policy import Actor
from league.services import deliveries, messages, sending_here, waking
from league.services.entries import rename_team
from league.services.feed import number_changes
from league.services.webhooks import change_webhook, make_webhook
from tests.factories import ChampionshipFactory, EntryFactory, owner_of
from tests.league.webhook_cases import changed, claim_next, webhook_to, work_off
from tests.league.webhook_receiver import Receiver, receiving
from tests.worker import ROOT, database_url, running_worker, sends_to

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LOOPBACK = "127.0.0.0/8"


@pytest.fixture(autouse=True)
def _no_memory_of_a_broken_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_broker_failed_at", None)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network(LOOPBACK)]
    with receiving() as one:
        yield one


def until(condition: Callable[[], Any], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def in_threads(*runners: Callable[[], Any]) -> None:
    def run(runner: Callable[[], Any]) -> None:
        try:
            runner()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[runner]) for runner in runners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


@pytest.fixture
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking, "ask", lambda *_, **__: None)


@pytest.mark.usefixtures("nobody_is_woken")
class TestTwoWorkersAtOnce:
    def test_each_message_is_sent_once_and_in_order(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(deliveries, "EVENTS", 2)
        webhook = webhook_to(receiver.url)
        positions = [changed(webhook.championship) for _ in range(12)]
        receiver.before = lambda _came: time.sleep(0.05)

        def work() -> None:
            for _ in range(20):
                work_off(webhook.pk)
                time.sleep(0.02)

        in_threads(*[work] * 4)

        told = [came.positions for came in receiver.came]
        assert told == [positions[at : at + 2] for at in range(0, 12, 2)]

    def test_claims_meet_at_the_webhooks_lock(self, receiver: Receiver) -> None:
        webhook = webhook_to(receiver.url)
        changed(webhook.championship)
        claims: list[Any] = []
        with transaction.atomic():
            Webhook.objects.select_for_update().get(pk=webhook.pk)
            threads = [
                threading.Thread(target=lambda: (claims.append(claim_next(webhook.pk)), connection.close()))
                for _ in range(3)
            ]
            for thread in threads:
                thread.start()
            until(lambda: _waiting() == 3)
        for thread in threads:
            thread.join(10)
        assert sum(claim is not None for claim in claims) == 1

    def test_what_is_written_meanwhile_is_told_of_in_the_order_of_the_feed(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cup = ChampionshipFactory()
        entries = EntryFactory.create_batch(4, championship=cup)
        number_changes()
        webhook = make_webhook(actor=owner_of(cup), championship_id=cup.pk, url=receiver.url)
        ends = threading.Event()

        def rename(at: int) -> None:
            for number in range(8):
                rename_team(actor=owner_of(cup), team_id=entries[at].team_id, version=None, name=f"T {at} {number}")

        def write() -> None:
            in_threads(*[lambda at=at: rename(at) for at in range(4)])
            ends.set()

        def work() -> None:
            while not ends.is_set():
                work_off(webhook.pk)

        in_threads(write, work, work)
        work_off(webhook.pk)
        told = [position for came in receiver.came for position in came.positions]
        assert told == sorted(set(told))
        assert told[-1] == Change.objects.filter(championship_id=cup.pk).latest("position").position
        shown = {item["address"]: item["data"] for came in receiver.came for item in came.said["data"]["items"]}
        for at, entry in enumerate(entries):
            at_end = shown[f"/api/v1/championships/{cup.slug}/teams/{entry.team_id}"]
            assert at_end["name"] == f"T {at} 7", "what was told last is how it is now"


def _waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.usefixtures("nobody_is_woken")
def test_killed_while_it_waits_for_the_answer_it_is_sent_again(receiver: Receiver) -> None:
    webhook = webhook_to(receiver.url)
    position = changed(webhook.championship)
    came = threading.Event()
    goes_on = threading.Event()
    receiver.before = lambda _came: (came.set(), goes_on.wait(100))
    with _process(f"from league.tasks import send_deliveries; send_deliveries({webhook.pk})") as process:
        assert came.wait(90)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    goes_on.set()
    receiver.before = None
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts[-1]["error"]) == ("waiting", "unfinished")
    work_off(webhook.pk)
    assert len(receiver.came) == 1, "the claim of the killed one still stands"

    Delivery.objects.update(next_at=timezone.now())  # a minute later
    work_off(webhook.pk)

    first, second = receiver.came
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert second.positions == [position]
    assert Delivery.objects.get().state == "delivered"


@contextmanager
def _process(code: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of its own on the tests' database, without a broker."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": database_url(str(connection.settings_dict["NAME"])),
        "BORNAGE_WEBHOOK_NETWORKS": LOOPBACK,
    }
    with subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup(); {code}"], cwd=ROOT, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class TestARealWorker:
    @pytest.fixture
    def worker(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("BORNAGE_WEBHOOK_NETWORKS", LOOPBACK)
        with running_worker() as prefix, sends_to(prefix):
            yield

    @pytest.mark.redis
    def test_a_change_arrives_soon_after_its_commit_and_a_failed_one_again(
        self, worker: None, receiver: Receiver
    ) -> None:
        cup: Championship = ChampionshipFactory()
        entry = EntryFactory(championship=cup)
        number_changes()
        webhook = make_webhook(actor=owner_of(cup), championship_id=cup.pk, url=receiver.url)
        receiver.answers = [500]

        rename_team(actor=owner_of(cup), team_id=entry.team_id, version=None, name="Another")

        until(lambda: receiver.came, 90)  # it is still starting
        until(lambda: len(receiver.came) >= 2, 40)  # without any sweep
        first, second = receiver.came[:2]
        assert first.body == second.body
        assert second.is_signed_by(webhook.secret)
        assert {"team", "entry"} & {item["kind"] for item in second.said["data"]["items"]}


class TestWithoutABroker:
    def test_a_thread_sends_and_no_request_waits(self, receiver: Receiver) -> None:
        cup = ChampionshipFactory()
        entry = EntryFactory(championship=cup)
        number_changes()
        make_webhook(actor=owner_of(cup), championship_id=cup.pk, url=receiver.url)
        until(lambda: sending_here.SENDER.thread is None)
        before = len(receiver.came)
        receiver.before = lambda _came: time.sleep(1.5)

        started = time.monotonic()
        rename_team(actor=owner_of(cup), team_id=entry.team_id, version=None, name="Another")
        assert time.monotonic() - started < 1

        until(lambda: len(receiver.came) == before + 1)
        until(lambda: sending_here.SENDER.thread is None)
        assert not Delivery.objects.exclude(state="delivered").exists()

    @pytest.mark.usefixtures("nobody_is_woken")
    @pytest.mark.parametrize(
        "started",
        [
            "import league.wsgi, time; time.sleep(60)",
            "from django.core.management import call_command; call_command('send_deliveries')",
        ],
    )
    def test_what_an_earlier_process_had_still_to_send_is_sent_by_the_next(
        self, receiver: Receiver, started: str
    ) -> None:
        webhook = webhook_to(receiver.url)
        position = changed(webhook.championship)
        with _process(started):
            until(lambda: Delivery.objects.filter(state="delivered").exists(), 90)
        assert [came.positions for came in receiver.came] == [[position]]

    def test_with_the_broker_down_nothing_waits_and_nothing_is_lost(self, receiver: Receiver) -> None:
        cup = ChampionshipFactory()
        entry = EntryFactory(championship=cup)
        number_changes()
        with sends_to("nobody:", broker_url="redis://127.0.0.1:1/0"):
            webhook = make_webhook(actor=owner_of(cup), championship_id=cup.pk, url=receiver.url)
            started = time.monotonic()
            rename_team(actor=owner_of(cup), team_id=entry.team_id, version=None, name="Another")
            assert time.monotonic() - started < 1.5
        assert receiver.came == []
        number_changes()
        assert deliveries.due(timezone.now()) == [webhook.pk]


def test_two_owners_at_once_change_one_after_the_other(receiver: Receiver) -> None:
    webhook = webhook_to(receiver.url)
    actor: Actor = owner_of(webhook.championship)
    answers: list[Any] = []

    def change(kind: str) -> None:
        try:
            answers.append(
                change_webhook(actor=actor, webhook_id=webhook.pk, version=1, url=receiver.url, kinds=[kind])
            )
        except Stale as fault:
            answers.append(fault)

    in_threads(lambda: change("team"), lambda: change("round"))
    assert sum(isinstance(answer, Stale) for answer in answers) == 1

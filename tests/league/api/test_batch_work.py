"""Working at batches: whoever is killed, stopped or joined by another one, each item is done once and in its order."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.api import batch_items, batch_work
from league.api.batch_work import work_and_go_on, work_lane, work_off
from league.models import (
    ApiToken,
    Batch,
    BatchItem,
    Championship,
    IdempotencyRecord,
    Membership,
    Result,
    Role,
    Scope,
)
from league.services import batch_waking
from league.services.batches import KEPT, STALE, cancel_batch, claim_item, forget_batches, take_up_stale
from league.services.tokens import revoke_token
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, owner_of, sheet
from tests.league.api.conftest import token
from tests.league.api.test_batches import NDJSON, Sender, lines, read, result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What a worker would be woken for: nobody works beside these tests."""
    asked: list[int] = []
    monkeypatch.setattr("league.api.batches.wake_batch", asked.append)
    return asked


def hall(parties: int = 1) -> Championship:
    championship: Championship = ChampionshipFactory(
        partie_end="manches", partie_end_value=99, owner=UserFactory(may_organise=True)
    )
    PartieFactory.create_batch(parties, championship=championship)
    return championship


def sender_to(client: Client, championship: Championship) -> Sender:
    text = token(championship.created_by, Scope.READ, Scope.HAND_IN, Scope.MANAGE)
    return Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")


@pytest.fixture
def championship() -> Championship:
    return hall()


@pytest.fixture
def sender(client: Client, championship: Championship) -> Sender:
    return sender_to(client, championship)


def manches(last: int, partie: Any = 1, first: int = 1) -> list[dict[str, Any]]:
    return [result(partie, number, 25 * (number % 40)) for number in range(first, last + 1)]


def kept(sender: Sender, *items: Any) -> Batch:
    """A batch that was sent, and that nobody works at yet."""
    said = sender.send(*items, Prefer="respond-async")
    assert said.status_code == 202
    return Batch.objects.get(pk=said.json()["id"])


def states(batch: Batch) -> list[str]:
    return list(batch.items.order_by("line").values_list("state", flat=True))


class TestWhenItIsDone:
    def test_a_short_one_in_its_request(self, sender: Sender, woken: list[int]) -> None:
        said = sender.send(*manches(3))
        assert (said.status_code, said["Content-Type"]) == (200, NDJSON)
        assert [one["state"] for one in read(said.content)] == ["saved"] * 3
        batch = Batch.objects.get()
        assert said["Content-Location"] == f"/api/v1/batches/{batch.pk}/answers"
        assert (batch.state, batch.item_count, woken) == ("done", 3, [])

    def test_a_long_one_by_a_worker(self, sender: Sender, woken: list[int]) -> None:
        said = sender.send(*manches(101))
        batch = Batch.objects.get()
        assert (said.status_code, said["Location"], woken) == (202, f"/api/v1/batches/{batch.pk}", [batch.pk])
        assert not Result.objects.exists()
        assert said.json()["counts"]["waiting"] == 101

    def test_a_short_one_that_asks_for_it_too(self, sender: Sender, woken: list[int]) -> None:
        said = sender.send(*manches(2), Prefer="wait=3, Respond-Async")
        assert (said.status_code, said["Preference-Applied"], len(woken)) == (202, "respond-async", 1)

    def test_a_short_one_that_takes_too_long_is_gone_on_with(
        self, sender: Sender, woken: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "league.api.batches.work_off", lambda batch, seconds: work_lane(batch, 0, seconds=0) is None
        )
        said = sender.send(*manches(3))
        batch = Batch.objects.get()
        assert (said.status_code, states(batch), woken) == (202, ["saved", "waiting", "waiting"], [batch.pk])

    def test_a_job_lets_others_have_their_turn(self, sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
        batch, asked = kept(sender, *manches(3)), []
        monkeypatch.setattr(batch_work, "SLICE", 0.000001)
        monkeypatch.setattr(batch_work, "wake_lane", lambda *lane: asked.append(lane))
        work_and_go_on(batch.pk, 0)
        assert (states(batch), asked) == (["saved", "waiting", "waiting"], [(batch.pk, 0)])

    def test_its_answers_are_in_the_language_that_was_asked_for(self, sender: Sender) -> None:
        wrong = {"result": {"partie": 1, "manche": 1, "sheet": sheet(rulebook="moderne")}}
        said = sender.send(wrong, **{"Accept-Language": "fr", "Prefer": "respond-async"})
        batch = Batch.objects.get(pk=said.json()["id"])
        work_off(batch.pk)
        assert batch.language == "fr"
        assert batch.items.get().answer["problem"]["title"] != "The rules refuse this document"


class TestOrder:
    def test_a_correction_after_what_it_corrects(self, sender: Sender, championship: Championship) -> None:
        again = result(b=600, reason="Misread", replaces=1)
        third = result(b=625, reason="Misread again", replaces=2)
        answers = sender.answers(result(), again, third)
        assert [(one["state"], one["data"]["version"]) for one in answers] == [("saved", 1), ("saved", 2), ("saved", 3)]

    def test_results_of_many_parties_go_in_lanes_and_stay_in_order(self, client: Client) -> None:
        championship = hall(parties=5)
        said = [result(partie, number) for number in range(1, 6) for partie in range(1, 6)]
        batch = kept(sender_to(client, championship), *said)
        lane_of = {said[item.line - 1]["result"]["partie"]: set() for item in batch.items.all()}
        for item in batch.items.all():
            lane_of[said[item.line - 1]["result"]["partie"]].add(item.lane)
        assert batch.lanes == 4
        assert all(len(lanes) == 1 for lanes in lane_of.values())
        assert len(set.union(*lane_of.values())) > 1
        assert work_off(batch.pk)
        assert set(states(batch)) == {"saved"}

    @pytest.mark.parametrize(
        "other",
        [
            {"club": {"name": "Le Relais"}},  # what comes behind it may stand upon it
            {"result": {"partie": "~p", "manche": 1, "sheet": {}}},  # may be the same partie by its other name
            {"result": {"manche": "~m", "sheet": {}}},
            b"{",
        ],
    )
    def test_anything_else_goes_line_by_line(self, client: Client, other: Any) -> None:
        championship = hall(parties=3)
        batch = kept(sender_to(client, championship), result(1), result(2), result(3), other)
        assert (batch.lanes, set(batch.items.values_list("lane", flat=True))) == (1, {0})


class TestRights:
    def test_a_token_that_is_revoked_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(4))
        work_some(batch, 2)
        revoke_token(actor=owner_of(championship), token_id=ApiToken.objects.get().pk)
        assert work_off(batch.pk)
        assert states(batch) == ["saved", "saved", "refused", "refused"]
        assert batch.items.get(line=3).answer["code"] == "invalid-token"
        assert Result.objects.count() == 2

    def test_one_that_expires_in_the_middle(self, sender: Sender) -> None:
        batch = kept(sender, *manches(2))
        work_some(batch, 1)
        ApiToken.objects.update(expires_at=timezone.now())
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused"]

    def test_an_account_that_is_closed_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(2))
        work_some(batch, 1)
        championship.created_by.is_active = False
        championship.created_by.save()
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused"]

    def test_a_role_that_is_taken_away_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(3))
        work_some(batch, 1)
        Membership.objects.update(role=Role.AUDITOR)
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused", "refused"]
        assert batch.items.get(line=2).answer["code"] == "not-permitted"

    def test_a_scope_is_asked_of_each_item(self, client: Client, championship: Championship) -> None:
        text = token(championship.created_by, Scope.HAND_IN)
        own = Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")
        answers = own.answers(result(), {"club": {"name": "Le Relais"}})
        assert [(one["status"], one.get("code")) for one in answers] == [(201, None), (403, "insufficient-scope")]
        text = token(championship.created_by, Scope.MANAGE)
        own = Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")
        answers = own.answers(result(manche=2), {"club": {"name": "Le Relais"}})
        assert [(one["status"], one.get("code")) for one in answers] == [(403, "not-permitted"), (201, None)]

    def test_who_may_not_write_sends_nothing(self, client: Client, championship: Championship) -> None:
        address = f"/api/v1/championships/{championship.slug}/batches"
        assert client.post(address, lines(result()), content_type=NDJSON).status_code == 401
        for text, status in (
            (token(UserFactory(), Scope.HAND_IN), 403),
            (token(championship.created_by, Scope.READ), 403),
            (token(championship.created_by, Scope.HAND_IN, championship=hall()), 403),
        ):
            assert Sender(client, text, address).send(result()).status_code == status
        nobody = UserFactory(may_organise=False)
        assert Sender(client, token(nobody, Scope.MANAGE), "/api/v1/batches").send(result()).status_code == 403
        assert not Batch.objects.exists()

    def test_a_batch_is_its_senders_own(self, client: Client, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, result())
        address = f"/api/v1/batches/{batch.pk}"
        own, elsewhere = championship.created_by, hall()
        for text, status in (
            (sender.authorization, 200),
            (token(own, Scope.READ), 200),
            (token(own, Scope.HAND_IN), 404),
            (token(own, Scope.READ, Scope.HAND_IN, championship=elsewhere), 404),
            (token(UserFactory(is_staff=True), Scope.READ, Scope.HAND_IN), 404),
        ):
            for part in ("", "/items", "/answers"):
                assert client.get(address + part, headers={"Authorization": text}).status_code == status
            if status == 404:
                assert client.post(f"{address}/cancel", headers={"Authorization": text}).status_code == 404
            listed = client.get("/api/v1/batches", headers={"Authorization": text}).json()["items"]
            assert len(listed) == (status == 200)
        assert client.get(address).status_code == 401
        assert client.get("/api/v1/batches").status_code == 401
        client.force_login(own)
        assert client.get(address).status_code == 200
        assert client.post(f"{address}/cancel").status_code == 401


def work_some(batch: Batch, items: int) -> None:
    """Let a worker do so many items, and be gone."""
    for item in batch.items.filter(state="waiting").order_by("line")[:items]:
        slug = batch.championship.slug if batch.championship else None
        assert batch_work._do(batch, item.pk, bytes(item.body), slug)


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


class TestTakenUp:
    def test_a_batch_whose_worker_is_gone(self, sender: Sender) -> None:
        batch = kept(sender, *manches(3))
        work_some(batch, 1)
        now = timezone.now()
        assert take_up_stale(now=now) == []
        assert take_up_stale(now=now + STALE + timedelta(seconds=1)) == [batch.pk]
        assert take_up_stale(now=now + STALE + timedelta(seconds=2)) == []  # somebody was asked for it
        assert work_off(batch.pk)
        assert states(batch) == ["saved"] * 3

    def test_one_of_which_only_the_end_is_missing(self, sender: Sender) -> None:
        batch = kept(sender, *manches(2))
        work_some(batch, 2)
        assert take_up_stale(now=timezone.now() + 2 * STALE) == []
        batch.refresh_from_db()
        assert (batch.state, batch.finished_at is None) == ("done", False)

    def test_looking_at_it_takes_it_up_where_there_is_no_beat(
        self, sender: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch, asked = kept(sender, *manches(2)), []
        monkeypatch.setattr(batch_waking.WORKER, "ask", lambda: asked.append(1))
        sender.get(f"/api/v1/batches/{batch.pk}")
        assert asked == []
        Batch.objects.update(worked_at=timezone.now() - 2 * STALE)
        sender.get(f"/api/v1/batches/{batch.pk}")
        assert asked == [1]

    def test_when_the_database_goes_away_nothing_is_answered(
        self, sender: Sender, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = kept(sender, *manches(2))

        def gone(**_how: Any) -> Any:
            raise OperationalError("server closed the connection unexpectedly")

        with monkeypatch.context() as patched:
            patched.setattr(batch_items, "push", gone)
            with pytest.raises(OperationalError):
                work_off(batch.pk)
        assert states(batch) == ["waiting", "waiting"]
        assert work_off(batch.pk)
        assert states(batch) == ["saved", "saved"]

    def test_a_deadlock_is_tried_again(self, sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
        batch, failures, true_push = kept(sender, result()), [OperationalError("deadlock detected")], batch_items.push

        def push(**how: Any) -> Any:
            if failures:
                raise failures.pop()
            return true_push(**how)

        monkeypatch.setattr(batch_items, "push", push)
        assert work_off(batch.pk)
        assert states(batch) == ["saved"]


def test_old_batches_are_forgotten_and_what_they_did_is_not(sender: Sender) -> None:
    sender.answers(*manches(2))
    kept(sender, result(manche=3))
    now = timezone.now()
    assert forget_batches(now=now + KEPT - timedelta(minutes=1)) == 0
    assert forget_batches(now=now + KEPT + timedelta(minutes=1)) == 1
    assert (Batch.objects.get().state, BatchItem.objects.count(), Result.objects.count()) == ("waiting", 1, 2)


def test_an_account_has_ten_open_batches_at_most(sender: Sender) -> None:
    for number in range(10):
        kept(sender, result(manche=number + 1))
    said = sender.send(result())
    assert (said.status_code, said.json()["code"]) == (409, "too-many-batches")
    work_off(Batch.objects.earliest("pk").pk)
    assert sender.send(result()).status_code == 200


class TestLookedAt:
    def test_how_far_it_has_come(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(4), b"{")
        shown = sender.get(f"/api/v1/batches/{batch.pk}").json()
        assert (shown["state"], shown["done"], shown["rest"]) == ("waiting", 0, None)
        work_some(batch, 2)
        Batch.objects.update(created_at=timezone.now() - timedelta(seconds=10), worked_at=timezone.now())
        shown = sender.get(f"/api/v1/batches/{batch.pk}").json()
        assert (shown["items"], shown["done"], shown["rest"]) == (5, 2, 15)
        work_off(batch.pk)
        shown = sender.get(shown["url"]).json()
        assert (shown["state"], shown["championship"], shown["rest"]) == ("done", championship.slug, 0)
        assert shown["counts"] == {
            "waiting": 0,
            "saved": 4,
            "repeated": 0,
            "refused": 1,
            "failed": 0,
            "cancelled": 0,
        }

    def test_its_lines_in_pages_and_by_state(self, sender: Sender) -> None:
        batch = kept(sender, result(), b"{", result(manche=2), b"[]", result(manche=3))
        work_some(batch, 4)
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?limit=2").json()
        assert [one["line"] for one in page["items"]] == [1, 2]
        page = sender.get(page["next"]).json()
        assert [(one["line"], one["status"]) for one in page["items"]] == [(3, 201), (4, 422)]
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?state=refused").json()
        assert [(one["line"], one["code"]) for one in page["items"]] == [(2, "malformed-body"), (4, "bad-field")]
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?state=waiting").json()
        assert [(one["line"], one["problem"], one["data"]) for one in page["items"]] == [(5, None, None)]

    def test_its_answers_while_it_is_done(self, sender: Sender) -> None:
        batch = kept(sender, *manches(3))
        work_some(batch, 2)
        said = sender.get(f"/api/v1/batches/{batch.pk}/answers")
        assert (said.streaming, said["Content-Type"]) == (True, NDJSON)
        assert [one["line"] for one in read(b"".join(said.streaming_content))] == [1, 2]

    def test_ones_batches_newest_first(self, client: Client, sender: Sender) -> None:
        sender.answers(result())
        second = kept(sender, result(manche=2))
        other = hall()
        third = kept(Sender(client, sender.authorization, "/api/v1/batches"), {"club": {"name": "Le Relais"}})
        assert [one["id"] for one in sender.get("/api/v1/batches").json()["items"]][:2] == [third.pk, second.pk]
        assert [one["id"] for one in sender.get(f"{sender.address}?state=waiting").json()["items"]] == [second.pk]
        assert sender.get(f"/api/v1/championships/{other.slug}/batches").json()["items"] == []


class TestCost:
    @pytest.fixture(autouse=True)
    def _jobs_elsewhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("league.services.journal.wake", lambda championship_id: None)

    def test_an_item_costs_little_more_than_a_single_hand_in(self, sender: Sender) -> None:
        few, many = kept(sender, *manches(5)), kept(sender, *manches(45, first=6))
        with CaptureQueriesContext(connection) as of_few:
            work_off(few.pk)
        with CaptureQueriesContext(connection) as of_many:
            work_off(many.pk)
        assert (len(of_many) - len(of_few)) / 35 <= 20, "\n".join(query["sql"] for query in of_few)

    def test_looking_costs_the_same_however_many_there_are(self, sender: Sender) -> None:
        batch = kept(sender, *manches(60))
        work_off(batch.pk)
        for part, most in (("", 5), ("/items?limit=100", 5), ("/answers", 6)):
            with CaptureQueriesContext(connection) as asked:
                said = sender.get(f"/api/v1/batches/{batch.pk}{part}")
                assert b"".join(said.streaming_content) if said.streaming else said.content
            assert len(asked) <= most, "\n".join(query["sql"] for query in asked)

    def test_keeping_costs_a_query_for_a_hundred_lines(self, sender: Sender) -> None:
        with CaptureQueriesContext(connection) as asked:
            sender.send(*manches(290))
        assert len(asked) <= 25


@pytest.mark.django_db(transaction=True)
def test_the_ranking_is_renewed_once(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    from league import tasks

    renewed: list[int] = []
    monkeypatch.setattr(tasks.renew_ranking, "delay", renewed.append)
    batch = kept(sender, *manches(12))
    work_off(batch.pk)
    assert renewed == [batch.championship_id]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
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

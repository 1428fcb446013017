"""Working at batches: whoever is killed or goes on, each item is done in its order, and at little cost."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.api import batch_items, batch_work
from league.api.batch_work import work_and_go_on, work_lane, work_off
from league.models import Batch, BatchItem, Championship, Result
from league.services import batch_waking
from league.services.batches import KEPT, STALE, forget_batches, take_up_stale
from tests.factories import sheet
from tests.league.api.batches.cases import (
    NDJSON,
    Sender,
    hall,
    kept,
    manches,
    read,
    result,
    sender_to,
    states,
    work_some,
)

pytestmark = pytest.mark.django_db


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


def test_old_batches_are_forgotten_and_what_they_did_is_not(sender: Sender) -> None:
    sender.answers(*manches(2))
    kept(sender, result(manche=3))
    now = timezone.now()
    assert forget_batches(now=now + KEPT - timedelta(minutes=1)) == 0
    assert forget_batches(now=now + KEPT + timedelta(minutes=1)) == 1
    assert (Batch.objects.get().state, BatchItem.objects.count(), Result.objects.count()) == ("waiting", 1, 2)

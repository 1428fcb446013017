"""Items that end whoever works at them: each is given up after some tries, with an answer, and the rest is done."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.utils import timezone

from league.api import batch_work
from league.api.batch_work import work_and_go_on, work_lane, work_off
from league.models import Batch, BatchItem, Club
from league.services.batches import MOST_TRIES, STALE, claim_item, count_try, take_up_stale
from tests.league.api.batches.cases import Sender, kept, read, states

pytestmark = pytest.mark.django_db

Deadly = Callable[..., None]


class KilledError(BaseException):
    """What nobody catches: the process is gone."""


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> Deadly:
    """Lets some clubs kill their worker after they are written, before their transaction ends."""
    true_answer_of = batch_work.answer_of

    def let(*numbers: int) -> None:
        def answer_of(response: HttpResponse) -> Any:
            if json.loads(response.content).get("name") in names(*numbers):
                raise KilledError
            return true_answer_of(response)

        monkeypatch.setattr(batch_work, "answer_of", answer_of)

    return let


def names(*numbers: int) -> list[str]:
    return [f"Club {'abcdef'[number]}" for number in numbers]


def clubs(count: int) -> list[dict[str, Any]]:
    return [{"club": {"name": name}} for name in names(*range(1, count + 1))]


def jobs(batch: Batch) -> int:
    """Let jobs come one after another until the batch is over; return how many were killed."""
    killed = 0
    while killed < 20:
        try:
            work_and_go_on(batch.pk, 0)
        except KilledError:
            killed += 1
        else:
            batch.refresh_from_db()
            assert batch.state == "done"
            return killed
    raise AssertionError("it is retried for ever")


def test_an_item_that_kills_its_worker_is_given_up_and_the_rest_is_done(sender: Sender, deadly: Deadly) -> None:
    batch = kept(sender, *clubs(4))
    deadly(1)
    assert jobs(batch) == MOST_TRIES
    assert states(batch) == ["failed", "saved", "saved", "saved"]
    assert sorted(Club.objects.values_list("name", flat=True)) == names(2, 3, 4)
    answer = sender.get(f"/api/v1/batches/{batch.pk}/items?state=failed").json()["items"][0]
    assert (answer["line"], answer["status"], answer["code"]) == (1, 500, "item-gave-up")
    problem = answer["problem"]
    assert (problem["line"], problem["code"], problem["request_id"]) == (1, "item-gave-up", batch.request_id)
    assert problem["type"].endswith("/problems#item-gave-up")
    assert BatchItem.objects.filter(body=b"").count() == 4  # what came is kept no longer than it serves


def test_one_in_the_middle_of_a_job_is_tried_as_often_by_jobs_that_begin_with_it(
    sender: Sender, deadly: Deadly
) -> None:
    batch = kept(sender, *clubs(5))
    deadly(3)
    assert jobs(batch) == MOST_TRIES + 1
    assert states(batch) == ["saved", "saved", "failed", "saved", "saved"]


def test_several_are_given_up_one_by_one(sender: Sender, deadly: Deadly) -> None:
    batch = kept(sender, *clubs(4))
    deadly(1, 2, 4)
    jobs(batch)
    assert states(batch) == ["failed", "failed", "saved", "failed"]
    assert [one.answer["code"] for one in batch.items.filter(state="failed")] == ["item-gave-up"] * 3


def test_one_that_kills_while_it_is_read(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = kept(sender, *clubs(2))
    true_read = batch_work.read_item

    def read_item(text: bytes, slug: str | None) -> Any:
        if names(1)[0].encode() in text:
            raise KilledError
        return true_read(text, slug)

    monkeypatch.setattr("league.api.batch_work.read_item", read_item)
    assert jobs(batch) == MOST_TRIES
    assert states(batch) == ["failed", "saved"]


def test_the_sweep_comes_back_until_it_is_given_up(sender: Sender, deadly: Deadly) -> None:
    batch = kept(sender, *clubs(2))
    deadly(1)
    now = timezone.now()
    for turn in range(1, MOST_TRIES + 2):
        assert take_up_stale(now=now + turn * (STALE + timedelta(seconds=1))) == [batch.pk]
        try:
            work_and_go_on(batch.pk, 0)
        except KilledError:
            assert turn <= MOST_TRIES
    assert states(batch) == ["failed", "saved"]
    assert take_up_stale(now=now + timedelta(days=1)) == []


def test_a_short_one_in_its_request_is_answered_in_the_end(sender: Sender, deadly: Deadly) -> None:
    deadly(1)
    said = {"Idempotency-Key": "k"}
    for _ in range(MOST_TRIES):
        with pytest.raises(KilledError):
            sender.send(*clubs(2), **said)
    answers = read(sender.send(*clubs(2), **said).content)
    assert [(one["line"], one["state"]) for one in answers] == [(1, "failed"), (2, "saved")]


def test_an_item_that_another_worker_has_is_no_try(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = kept(sender, *clubs(1))
    with monkeypatch.context() as patched:
        patched.setattr("league.api.batch_work.count_try", lambda _item: None)
        assert not work_lane(batch.pk, 0)
    assert (states(batch), batch.items.get().tries) == (["waiting"], 0)


def test_what_is_done_at_the_first_try_is_never_counted_again(sender: Sender) -> None:
    batch = kept(sender, *clubs(3))
    for _ in range(MOST_TRIES):
        work_lane(batch.pk, 0, seconds=0)
    assert work_off(batch.pk)
    assert states(batch) == ["saved"] * 3
    assert list(batch.items.order_by("line").values_list("tries", flat=True)) == [1, 1, 1]
    assert count_try(batch.items.first().pk) == 1  # answered: nothing is written


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_item_that_is_being_done_just_now_is_not_counted(sender: Sender) -> None:
    item = kept(sender, *clubs(1)).items.get()
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            assert claim_item(item.pk) is not None
            held.set()
            go_on.wait(20)
        connection.close()

    worker = threading.Thread(target=hold)
    worker.start()
    try:
        assert held.wait(20)
        assert count_try(item.pk) is None
    finally:
        go_on.set()
        worker.join()
    assert count_try(item.pk) == 1

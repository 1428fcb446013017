"""Batches in the hands of real Celery workers, one of which is killed in the middle."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Batch, Manche, Result, Scope
from league.services.batch_waking import wake_batch, wake_stale
from league.services.batches import STALE
from tests.league.api.batches.cases import Sender, hall, result
from tests.league.api.conftest import token
from tests.worker import forget_keys, new_prefix, sends_to, start_worker

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.django_db(transaction=True)]

PARTIES, MANCHES = 4, 30


@pytest.fixture
def woken() -> None:
    """Workers are woken here."""


@contextmanager
def worker(prefix: str, log: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """A worker that is gone afterwards, however it ends."""
    with log.open("w") as out, start_worker(prefix, out) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def wait_until(holds: Callable[[], bool], seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def test_a_worker_that_is_killed_loses_nothing_and_nothing_is_done_twice(client: Client, tmp_path: Path) -> None:
    championship = hall(parties=PARTIES)
    text = token(championship.created_by, Scope.HAND_IN)
    sender = Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")
    said = [
        result(partie, manche, 25 * (manche % 40))
        for manche in range(1, MANCHES + 1)
        for partie in range(1, PARTIES + 1)
    ]
    prefix = new_prefix()
    try:
        with sends_to(prefix):
            batch_id = sender.send(*said).json()["id"]
            with worker(prefix, tmp_path / "first.log") as first:
                wait_until(lambda: Result.objects.count() >= 5)
                os.killpg(first.pid, signal.SIGKILL)
                first.wait(20)
            batch = Batch.objects.get(pk=batch_id)
            assert batch.items.filter(state="waiting").exists(), "it was too quick to be killed"
            wait_until(lambda: batch.items.filter(state="saved").count() == Result.objects.count(), 20)
            assert wake_stale() == []
            Batch.objects.update(worked_at=timezone.now() - 2 * STALE)
            with worker(prefix, tmp_path / "second.log"):
                assert wake_stale() == [batch_id]
                wake_batch(batch_id)  # a message that comes twice does no harm
                wait_until(lambda: Batch.objects.filter(pk=batch_id, state="done").exists())
    finally:
        forget_keys(prefix)
    assert set(batch.items.values_list("state", flat=True)) == {"saved"}
    assert Result.objects.count() == len(said)
    assert Manche.objects.filter(results__isnull=False).count() == len(said)

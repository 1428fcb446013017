"""The worker that tests send jobs to is a real one: another process, behind a real broker."""

import os
import time

import pytest

from league.celery import app

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def test_a_worker_in_another_process_answers_through_the_broker(worker: None) -> None:
    deadline = time.monotonic() + 20
    while not (answers := app.control.inspect(timeout=0.5).stats()) and time.monotonic() < deadline:
        pass
    assert len(answers) == 1
    (stats,) = answers.values()
    assert stats["pid"] != os.getpid()

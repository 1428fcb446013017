"""The worker that tests send jobs to is a real one: another process, behind a real broker."""

import os
import time

import pytest
from kombu.exceptions import OperationalError

from league.celery import app
from tests.worker import sends_to


@pytest.mark.postgres
@pytest.mark.redis
def test_a_worker_in_another_process_answers_through_the_broker(worker: None) -> None:
    deadline = time.monotonic() + 20
    while not (answers := app.control.inspect(timeout=0.5).stats()) and time.monotonic() < deadline:
        pass
    (stats,) = (answers or {}).values()
    assert stats["pid"] != os.getpid()


def test_a_request_does_not_wait_for_a_broker_that_is_down() -> None:
    with sends_to("nobody:", broker_url="redis://127.0.0.1:1/0"):
        started = time.monotonic()
        with pytest.raises(OperationalError):
            app.send_task("league.tasks.anything")
        assert time.monotonic() - started < 2


def test_without_a_broker_jobs_are_done_without_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """kombu warns of an address without a host, at every job that it is asked for."""
    with app.connection_for_write() as connection:
        connection.info()
    assert not caplog.records

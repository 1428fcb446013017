"""What the tests of the contract start from."""

import pytest


@pytest.fixture
def worker_prefix(transactional_db: None, _worker_process: str) -> str:
    """The prefix under which a Celery worker listens, which runs beside the tests."""
    return _worker_process

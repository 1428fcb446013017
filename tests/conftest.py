"""What every test may ask for. Tests of one room keep their own in that room's conftest.py."""

import gc
from collections.abc import Iterator

import hypothesis
import pytest
from django.utils import translation

from tests import servers
from tests.worker import running_worker, sends_to

# How long an example takes says nothing on a machine that is shared; what it found can be run again.
hypothesis.settings.register_profile("bornage", deadline=None, print_blob=True)
hypothesis.settings.load_profile("bornage")


def pytest_collection_finish() -> None:
    """Leave what is there from the beginning out of every later collection of garbage: a tenth of the time."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose server is missing, or fail it where everything is required."""
    for marker in servers.MARKERS:
        if item.get_closest_marker(marker) and (reason := servers.missing(marker)):
            if servers.REQUIRE_ALL:
                pytest.fail(f"{marker}: {reason}", pytrace=False)
            pytest.skip(f"{marker}: {reason}")


@pytest.fixture(autouse=True)
def _language_of_its_own() -> Iterator[None]:
    """Let no test begin in the language that another one's request was answered in."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _feed_of_its_own(request: pytest.FixtureRequest) -> None:
    """Let no test that commits begin with lines of the feed.

    On SQLite the end of another one takes its rows away one by one, and each is told; PostgreSQL empties whole tables.
    """
    marker = request.node.get_closest_marker("django_db")
    if not (marker and marker.kwargs.get("transaction")) and "transactional_db" not in request.fixturenames:
        return
    request.getfixturevalue("transactional_db")
    from league.models import Change  # once Django is set up

    Change.objects.all().delete()


@pytest.fixture(scope="session")
def _worker_process(django_db_setup: None) -> Iterator[str]:
    with running_worker() as prefix:
        yield prefix


@pytest.fixture
def worker(transactional_db: None, _worker_process: str) -> Iterator[None]:
    """Send jobs through Redis to a Celery worker that runs beside the tests, in a process of its own.

    For tests marked `postgres` and `redis`: a second process cannot see SQLite's in-memory database.
    """
    with sends_to(_worker_process):
        yield

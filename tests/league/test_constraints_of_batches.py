"""What the database holds of batches also when the services are passed by."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from league.models import Batch, BatchItem
from league.services.batches import Line, send_batch
from tests.factories import ChampionshipFactory, owner_of
from tests.league.test_constraints import again, refuses, update

pytestmark = pytest.mark.django_db

BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_batch_finished|league_batch_settings", update(Batch, state="asleep")),
    ("league_batch_settings", update(Batch, item_count=0)),
    ("league_batch_settings", update(Batch, lanes=0)),
    ("league_batch_finished", update(Batch, state="done")),
    ("league_batch_finished", update(Batch, finished_at=timezone.now())),
    ("league_batch_item_line_unique", again(BatchItem)),
    ("league_batch_item_settings", update(BatchItem, line=0)),
    ("league_batch_item_settings", update(BatchItem, state="lost", answer={})),
    ("league_batch_item_answered", update(BatchItem, state="saved")),
    ("league_batch_item_answered", update(BatchItem, answer={})),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[f"{at}-{name}" for at, (name, _) in enumerate(BROKEN)])
def test_a_constraint_holds_when_services_are_passed_by(name: str, broken: Callable[[], Any]) -> None:
    championship = ChampionshipFactory()
    actor = owner_of(championship)
    send_batch(actor=actor, championship=championship, lines=[Line(1, b"{}")], lanes=1, language="en")
    with refuses(name), transaction.atomic():
        broken()

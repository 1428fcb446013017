"""What the database holds of external ids also when the services are passed by."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from league.models import Championship, ExternalId, User
from tests.factories import ChampionshipFactory
from tests.league.test_constraints import refuses

pytestmark = pytest.mark.django_db


def another(**changes: Any) -> Callable[[], Any]:
    """One more id: an entry's within the championship, with these changes."""

    def make() -> None:
        plain = {"kind": "entry", "championship": Championship.objects.get(), "external_id": "e2", "object_id": 2}
        ExternalId.objects.create(**plain | changes)

    return make


def of_the_user(**changes: Any) -> Callable[[], Any]:
    """One more id: a player's within the account, with these changes."""

    def make() -> None:
        plain = {"kind": "player", "user": User.objects.get(), "external_id": "p2", "object_id": 2}
        ExternalId.objects.create(**plain | changes)

    return make


BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_external_id_unique", another(external_id="e1")),
    ("league_external_id_once", another(object_id=1)),
    ("league_external_id_of_user_unique", of_the_user(external_id="p1")),
    ("league_external_id_of_user_once", of_the_user(object_id=1)),
    ("league_external_id_space", another(championship=None)),
    ("league_external_id_space", another(kind="player")),
    ("league_external_id_space", of_the_user(kind="entry")),
    ("league_external_id_said", another(external_id="")),
    ("league_external_id_said|league_external_id_space", another(kind="rumour")),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[f"{at}-{name}" for at, (name, _) in enumerate(BROKEN)])
def test_a_constraint_holds_when_services_are_passed_by(name: str, broken: Callable[[], Any]) -> None:
    ChampionshipFactory()
    another(external_id="e1", object_id=1)()
    of_the_user(external_id="p1", object_id=1)()
    with refuses(name), transaction.atomic():
        broken()

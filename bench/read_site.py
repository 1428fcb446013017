"""A site that is read: a championship of some size, and tokens of who runs it and of who only reads."""

from dataclasses import dataclass

from django.core.management import call_command
from django.db import connection

from league.models import Championship, Scope, User
from league.policy import Actor
from league.services.feed import number_changes
from league.services.renewal import renew_live_ranking
from league.services.tokens import create_token
from tests.crowd import crowd
from tests.factories import UserFactory

ENTRIES, RESULTS = 400, 4000


@dataclass(frozen=True, slots=True)
class Read:
    """`reader` and `organiser`: the headers of who asks."""

    championship: Championship
    reader: dict[str, str]
    organiser: dict[str, str]


def made() -> Read:
    """Make it on an empty database, its changes numbered and its ranking renewed."""
    call_command("migrate", verbosity=0)
    championship = crowd(ENTRIES, RESULTS)
    renew_live_ranking(championship_id=championship.pk)
    number_changes()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database does by itself while results come in one by one
    return Read(championship, _headers(UserFactory()), _headers(championship.created_by))


def _headers(user: User) -> dict[str, str]:
    _row, text = create_token(actor=Actor(user=user), user=user, name="bench", scopes=[Scope.READ])
    return {"Authorization": f"Bearer {text}"}

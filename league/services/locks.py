"""The locks of the services, and the one order in which they are taken.

One row is the lock of everything in a championship: the championship's own. Whoever writes below it locks it first and
locks nothing else afterwards, so no two services can wait for each other; and what stands below it, read after the
lock, is what it is. Before it comes only what one request has to itself: the record of its idempotency key (`once`).
Rows that belong to no championship, a player or an account, are locked alone. The lock is held for a few milliseconds:
a document is judged before it is taken. SQLite has one writer at a time anyway (BEGIN IMMEDIATE).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from league.errors import NotFound, Stale
from league.models import Championship

_FIRST_ACCOUNT = 0x626F726E  # any number that nobody else asks for


def lock_championship(**where: Any) -> Championship:
    """Lock and return the one championship that fits, for the rest of the transaction.

    `where` may go down to what belongs to it (`parties=3`): such a link never changes. `no_key`: rows that only point
    at the championship, such as an audit entry of another service, do not wait.
    """
    try:
        return Championship.objects.select_for_update(of=("self",), no_key=True).get(**where)
    except Championship.DoesNotExist:
        raise NotFound from None


def check_version(row: Any, version: int | None) -> None:
    """Raise Stale unless `version` is the row's present one; None: the caller has read no version."""
    if version is not None and version != row.version:
        raise Stale(row.version)


def lock_first_account() -> None:
    """Let one transaction at a time make the first account, or close one: what they look for is no row to lock."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_FIRST_ACCOUNT])


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all that is read inside come from one moment, whoever writes meanwhile.

    Inside another transaction (tests) it is that transaction's moment.
    """
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield

"""The locks of the services, and the one order in which they are taken.

One row is the lock of everything in a championship: the championship's own. Whoever writes below it locks it first and
locks nothing else afterwards, so no two services can wait for each other; and what stands below it, read after the
lock, is what it is. Before it comes only what one request has to itself: the record of its idempotency key (`once`).
Rows that belong to no championship, a player or an account, are locked alone.

What everybody may read of a player stands in all their championships, so whoever changes that takes `lock_players`:
the championships concerned, by id; then the players, by id; an account last. A service that holds its championship's
lock and then puts a player into it locks the player too, before it reads the name (`lock_player_rows`): else a name
could be written down while its owner hides it. A player's lock is never taken first by who needs a championship's.

The lock is held for a few milliseconds: a document is judged before it is taken. SQLite has one writer at a time anyway
(BEGIN IMMEDIATE).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from league.errors import NotFound, Stale
from league.models import Championship, Club, Player, Webhook, WebhookState

_TURNS = 5
_FIRST_ACCOUNT = 0x626F726E  # any number that nobody else asks for


def lock_championship(*conditions: Any, **where: Any) -> Championship:
    """Lock and return the one championship that fits, for the rest of the transaction.

    `where` may go down to what belongs to it (`parties=3`): such a link never changes. `no_key`: rows that only point
    at the championship, such as an audit entry of another service, do not wait. Whether webhooks are told of it comes
    along (`waking`), so that most writes need not ask.
    """
    told = Exists(Webhook.objects.filter(championship=OuterRef("pk"), state=WebhookState.ACTIVE, removed_at=None))
    rows = Championship.objects.select_for_update(of=("self",), no_key=True).annotate(has_webhooks=told)
    try:
        return rows.get(*conditions, **where)
    except Championship.DoesNotExist:
        raise NotFound from None


@dataclass(frozen=True, slots=True)
class Locked:
    """Players that are locked, with every championship in which they are, each by id."""

    players: Mapping[int, Player]
    championships: Mapping[int, Championship]


def lock_players(player_ids: Iterable[int], *, championship_ids: Iterable[int] = ()) -> Locked:
    """Lock players with all championships in which they play or stand in, and those named besides.

    A player who is entered somewhere else at this moment is seen once their own row is locked: then all locks are let
    go and taken again in their order. Raises NotFound for a player whom there is not.
    """
    wanted, more = sorted(set(player_ids)), set(championship_ids)
    for _turn in range(_TURNS):
        concerned = more | _championships_of(wanted)
        point = transaction.savepoint()
        championships = {
            row.pk: row
            for row in Championship.objects.select_for_update(of=("self",), no_key=True)
            .filter(pk__in=concerned)
            .order_by("pk")
        }
        players = lock_player_rows(wanted)
        if _championships_of(wanted) <= concerned:
            transaction.savepoint_commit(point)
            return Locked(players, championships)
        transaction.savepoint_rollback(point)
    raise RuntimeError("these players are entered somewhere else all the time")


def lock_player_rows(player_ids: Iterable[int]) -> dict[int, Player]:
    """Lock players by id, below a championship's lock. Raises NotFound for one whom there is not."""
    wanted = sorted(set(player_ids))
    rows = Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=wanted).order_by("pk")
    players = {row.pk: row for row in rows}
    if len(players) != len(wanted):
        raise NotFound
    return players


def lock_club(**where: Any) -> Club:
    """Lock and return a club, which stands alone. Raises NotFound."""
    try:
        return Club.objects.select_for_update(no_key=True).get(**where)
    except Club.DoesNotExist:
        raise NotFound from None


def _championships_of(player_ids: Iterable[int]) -> set[int]:
    ids = list(player_ids)
    found = Championship.objects.filter(
        Q(teams__members__player__in=ids)
        | Q(teams__substitutes__player__in=ids)
        | Q(parties__seats__stand_ins__player__in=ids)
    )
    return set(found.values_list("pk", flat=True).order_by())


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

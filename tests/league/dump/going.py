"""A championship goes out as a dump and comes in again; what of it can be compared."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from league.errors import UserFault
from league.models import (
    Attempt,
    Championship,
    Club,
    Document,
    Entry,
    LiveRanking,
    LiveRow,
    Player,
    PublishedRow,
    Result,
    ResultScore,
    Team,
    User,
)
from league.policy import Actor
from league.selectors.dump import dump
from league.services.dump_import import Imported, import_championship
from league.services.renewal import renew_live_ranking
from tests.factories import UserFactory

Dump = dict[str, Any]


def written(championship: Championship, *, private: bool = False) -> bytes:
    return b"".join(dump(championship_id=championship.pk, private=private))


def decoded(championship: Championship, *, private: bool = False) -> Dump:
    found: Dump = json.loads(written(championship, private=private))
    return found


def taken_in(raw: bytes | Dump, slug: str = "copy", actor: Actor | None = None) -> Imported:
    body = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    chunks = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    imported = import_championship(actor=actor or Actor(user=UserFactory()), dump=chunks, slug=slug)
    renew_live_ranking(championship_id=imported.championship.pk)
    imported.championship.refresh_from_db()
    return imported


def live_rows(championship: Championship) -> list[dict[str, Any]]:
    rows = LiveRow.objects.filter(championship=championship).order_by("position")
    return list(rows.values("position", "rank", "values", "above_next_by", "why", "standing", "played", "manches",
                            "stage", "pool", "pool_rank", "entry__number", "entry__team__name"))  # fmt: skip


def published_rows(championship: Championship) -> list[dict[str, Any]]:
    rows = PublishedRow.objects.filter(ranking__championship=championship).order_by("ranking__number", "position")
    return list(rows.values("ranking__number", "position", "rank", "values", "above_next_by", "why", "standing",
                            "name", "players", "number"))  # fmt: skip


def scores(championship: Championship) -> list[tuple[Any, ...]]:
    rows = ResultScore.objects.filter(result__manche__partie__championship=championship)
    order = ("result__manche__partie__number", "result__manche__number", "result__version", "seat__label")
    return list(
        rows.order_by(*order).values_list(
            *order, "points", "km", "coups_fourres", "won", "lines", "penalty", "penalty_reason", "result__verdict"
        )
    )


def without_time_of_making(whole: Dump) -> Dump:
    """What two dumps of one championship have in common: neither when they were made, nor under which address."""
    kept = {name: value for name, value in whole.items() if name not in ("made", "audit")}
    kept["championship"] = {n: v for n, v in kept["championship"].items() if n not in ("slug", "secret_sha256")}
    kept["live"] = {n: v for n, v in kept["live"].items() if n != "computed_at"}
    return kept


def empty_of_players() -> None:
    """Nobody has the licence numbers and the numbers elsewhere, as in an empty database."""
    Player.objects.update(licence="")
    for player in Player.objects.prefetch_related("numbers"):
        player.numbers.all().delete()


def results_in(whole: Dump) -> Iterator[dict[str, Any]]:
    for partie in whole["parties"]:
        for manche in partie.get("manches", []):
            yield from manche.get("results", [])


def fault_of(whole: Dump | bytes, slug: str = "copy") -> tuple[str, str | None]:
    """The code and the place of what is wrong; nothing at all was written."""
    before = counts()
    with pytest.raises(UserFault) as raised:
        taken_in(whole, slug, actor=Actor(user=User.objects.first()))
    assert counts() == before
    return raised.value.code, raised.value.field


def counts() -> list[int]:
    models = (Championship, Player, Club, Team, Entry, Document, Result, ResultScore, Attempt, LiveRanking)
    return [model.objects.count() for model in models]

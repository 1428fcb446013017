"""A championship of any size, written as rows: what a federation has after a season, in seconds.

Services would take minutes. The rows are those that services write for so many sheets handed in and confirmed.
"""

import hashlib
import random

from django.utils import timezone

from league.models import (
    Championship,
    Document,
    Entry,
    Manche,
    Partie,
    Player,
    Result,
    ResultEvent,
    ResultScore,
    Seat,
    Team,
    TeamMember,
)
from league.names import fold
from tests.factories import ChampionshipFactory, as_bytes, sheet

_BATCH = 1000
_MANCHES = 2


def crowd(entries: int, results: int, seed: int = 1) -> Championship:
    """Make a championship of two-entry tables: `entries` entries, `results` confirmed results, two a closed partie."""
    rng = random.Random(seed)
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=_MANCHES)
    entered = enter(championship, entries)
    parties = [
        Partie(
            championship=championship,
            number=number + 1,
            round=1 + number // max(1, entries // 2),
            status="closed",
            closed_how="end",
            closed_at=timezone.now(),
        )
        for number in range(results // _MANCHES)
    ]
    Partie.objects.bulk_create(parties, _BATCH)
    tables = [rng.sample(entered, 2) for _ in parties]
    seats = [
        Seat(partie=partie, entry=entry, label=label)
        for partie, table in zip(parties, tables, strict=True)
        for label, entry in zip("AB", table, strict=True)
    ]
    Seat.objects.bulk_create(seats, _BATCH)
    manches = [Manche(partie=partie, number=number) for partie in parties for number in range(1, _MANCHES + 1)]
    Manche.objects.bulk_create(manches, _BATCH)
    _record(
        championship, manches, {seat.partie_id: seats[at : at + 2] for at, seat in enumerate(seats) if at % 2 == 0}, rng
    )
    championship.journal_position = len(manches)
    championship.ranking_due_since = timezone.now()
    championship.save()
    return championship


def enter(championship: Championship, count: int) -> list[Entry]:
    """So many entries of one new player each."""
    names = [f"Équipe {number}" for number in range(1, count + 1)]
    players = Player.objects.bulk_create([Player(name=name, name_folded=fold(name)) for name in names], _BATCH)
    teams = [Team(championship=championship, name=name, name_folded=fold(name)) for name in names]
    Team.objects.bulk_create(teams, _BATCH)
    TeamMember.objects.bulk_create(
        [TeamMember(team=team, player=player, position=1) for team, player in zip(teams, players, strict=True)], _BATCH
    )
    return Entry.objects.bulk_create(
        [Entry(championship=championship, number=number, team=team) for number, team in enumerate(teams, 1)], _BATCH
    )


def _record(
    championship: Championship, manches: list[Manche], seats: dict[int, list[Seat]], rng: random.Random
) -> None:
    now = timezone.now()
    documents, results, scores = [], [], []
    for manche in manches:
        km = {"A": 1000, "B": 25 * rng.randrange(0, 30)}
        if rng.random() < 0.5:
            km = {"A": km["B"], "B": 1000}
        body = as_bytes(sheet(km))
        documents.append(Document(sha256=hashlib.sha256(body).hexdigest(), body=body, media="json"))
        results.append(
            Result(
                manche=manche,
                current_of=manche,
                version=1,
                document=documents[-1],
                kind="sheet",
                verdict={"valid": True, "faults": []},
                end="target",
                state="confirmed",
                by=championship.created_by,
                confirmed_by=championship.created_by,
                confirmed_at=now,
            )
        )
        for seat in seats[manche.partie_id]:
            won = km[seat.label] == 1000
            lines = {"km": km[seat.label]} | ({"victoire": 400} if won else {})
            scores.append(
                ResultScore(
                    result=results[-1],
                    seat=seat,
                    points=sum(lines.values()),
                    km=km[seat.label],
                    coups_fourres=0,
                    won=won,
                    lines=lines,
                )
            )
    Document.objects.bulk_create(documents, _BATCH)
    Result.objects.bulk_create(results, _BATCH)
    ResultScore.objects.bulk_create(scores, _BATCH)
    ResultEvent.objects.bulk_create(
        [
            ResultEvent(
                championship=championship,
                position=position,
                what="confirmed",
                partie_id=result.manche.partie_id,
                manche=result.manche,
                result=result,
            )
            for position, result in enumerate(results, 1)
        ],
        _BATCH,
    )

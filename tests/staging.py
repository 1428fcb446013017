"""Stages, their rounds, and parties of teams made afresh, as rows for tests of what reads them."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from league.models import (
    Championship,
    Entry,
    Manche,
    Partie,
    Ranks,
    Round,
    RoundStatus,
    Seat,
    Stage,
    StageEntry,
    Team,
    TeamMember,
)
from league.names import fold
from tests.factories import ChampionshipFactory, PartieFactory, PlayerFactory, play, sheet


def stage_of(championship: Championship, number: int, entries: Sequence[Entry], **settings: Any) -> Stage:
    """A stage that has begun, with entries in the order of their seeds; `pools` as lists of entries instead."""
    pools = settings.pop("in_pools", None)
    stage = Stage.objects.create(
        championship=championship,
        number=number,
        format=settings.pop("format", "swiss"),
        pools=len(pools) if pools else 1,
        started_at=timezone.now(),
        **settings,
    )
    placed = [(entry, pool) for pool, members in enumerate(pools, 1) for entry in members] if pools else None
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, pool=pool, seed=seed)
        for seed, (entry, pool) in enumerate(placed or [(entry, None) for entry in entries], 1)
    )
    return stage


def round_of(stage: Stage, number: int) -> Round:
    """A published round of a stage."""
    return Round.objects.create(
        championship=stage.championship,
        stage=stage,
        number=number,
        status=RoundStatus.PUBLISHED,
        published_at=timezone.now(),
    )


def won(round_number: int, *entries: Entry, km: Sequence[int] = ()) -> Partie:
    """A partie of one manche, won by the first of its entries; kilometres of the others as given, or less and less."""
    championship = entries[0].championship
    partie = PartieFactory(championship=championship, entries=entries, round=round_number)
    others = km or [500 - 100 * place for place in range(1, len(entries))]
    play(partie, 1, sheet(dict(zip("ABCD", (1000, *others), strict=False))))
    partie.refresh_from_db()
    return partie


def melee(size: int, **settings: Any) -> tuple[Championship, list[Entry]]:
    """A mêlée of one-manche parties with so many players, each entered alone."""
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=1, players_per_team=2, **settings)
    Championship.objects.filter(pk=championship.pk).update(ranks=Ranks.PLAYERS)
    championship.refresh_from_db()
    return championship, [_alone(championship, number) for number in range(1, size + 1)]


def _alone(championship: Championship, number: int) -> Entry:
    player = PlayerFactory()
    team = Team.objects.create(championship=championship, name=player.name, name_folded=fold(player.name))
    TeamMember.objects.create(team=team, player=player, position=1)
    return Entry.objects.create(championship=championship, number=number, team=team)


def mixed(championship: Championship, round_number: int, *teams: tuple[Entry, Entry]) -> Partie:
    """An open partie of teams made for it."""
    last = Partie.objects.filter(championship=championship).count()
    partie = Partie.objects.create(championship=championship, number=last + 1, round=round_number)
    for label, (entry, partner) in zip("ABCD", teams, strict=False):
        Seat.objects.create(partie=partie, entry=entry, partner=partner, label=label)
    Manche.objects.create(partie=partie, number=1)
    return partie


def of_pairs(km: dict[str, int] | None = None) -> dict[str, Any]:
    """A sheet of two teams of two players."""
    return sheet(km, players_per_team=2)

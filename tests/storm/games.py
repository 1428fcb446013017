"""The results that everybody pushes: closed logs of a championship's parties, and the ranking that they come to."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from engine.notation import HandLog
from engine.replay import judge
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship, Entry, ExternalId, ExternalKind, Manche, Partie, Seat
from league.selectors.classement import frame
from scoring.kept_rows import Columns, computed
from scoring.points import score
from tests.factories import ChampionshipFactory, EntryFactory, UserFactory

MANCHES = 4
ENTRIES = 20


@dataclass(frozen=True)
class Game:
    """A manche that was played elsewhere. `table`: the external id of its partie; `name`: its own."""

    partie: int
    manche: int
    log: HandLog

    @property
    def table(self) -> str:
        return f"table-{self.partie}"

    @property
    def name(self) -> str:
        return f"game-{self.partie}-{self.manche}"

    @property
    def text(self) -> str:
        return to_text(self.log)


def hall(results: int) -> Championship:
    """A championship whose open parties wait for so many results, each partie under an external id."""
    owner = UserFactory(may_organise=True)
    championship: Championship = ChampionshipFactory(owner=owner, partie_end="manches", partie_end_value=MANCHES)
    entries = EntryFactory.create_batch(ENTRIES, championship=championship)
    parties = Partie.objects.bulk_create(
        Partie(championship=championship, number=number, round=1 + (number - 1) // (ENTRIES // 2))
        for number in range(1, results // MANCHES + 1)
    )
    Seat.objects.bulk_create(
        Seat(partie=partie, entry=entry, label=label)
        for partie in parties
        for label, entry in zip("AB", _pair(entries, partie.number), strict=True)
    )
    Manche.objects.bulk_create(Manche(partie=partie, number=1) for partie in parties)
    ExternalId.objects.bulk_create(
        ExternalId(
            championship=championship,
            kind=ExternalKind.PARTIE,
            external_id=f"table-{partie.number}",
            object_id=partie.pk,
        )
        for partie in parties
    )
    return championship


def _pair(entries: list[Entry], number: int) -> tuple[Entry, Entry]:
    """Who meets at a partie: everybody once a round, never the same in two rounds that follow each other (circle)."""
    round_, table = divmod(number - 1, ENTRIES // 2)
    turning = entries[1:]
    turn = round_ % len(turning)
    ring = [entries[0], *turning[turn:], *turning[:turn]]
    return ring[table], ring[-1 - table]


def games_of(championship: Championship, results: int) -> list[Game]:
    """What was played, the same for everybody."""
    return [
        Game(partie, manche, simulate("classique", 2, 1, f"{partie}-{manche}", first=(manche - 1) % 2))
        for partie in range(1, results // MANCHES + 1)
        for manche in range(1, MANCHES + 1)
    ]


def ranking_of(championship: Championship, games: list[Game]) -> dict[int, Columns]:
    """The ranking by entry number, from the logs alone: of the rows only who sits where is asked."""
    entries = championship.entries.order_by("number").select_related("team")
    sitting: dict[int, dict[str, int]] = defaultdict(dict)
    for partie, label, entry in Seat.objects.values_list("partie__number", "label", "entry__number"):
        sitting[partie][label] = entry
    played: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for game in games:
        played[game.partie].append(_figures(game.log, sitting[game.partie]))
    whole = frame(championship)
    whole["entries"] = [{"number": entry.number, "name": entry.team.name} for entry in entries]
    whole["parties"] = [
        {
            "number": number,
            "round": 1 + (number - 1) // (ENTRIES // 2),
            "entries": [sitting[number]["A"], sitting[number]["B"]],
            "manches": manches,
        }
        for number, manches in sorted(played.items())
    ]
    return computed(whole).rows


def _figures(log: HandLog, sitting: dict[str, int]) -> dict[str, Any]:
    verdict = judge(log)
    assert verdict.outcome is not None
    assert verdict.rulebook is not None
    points = score(verdict.outcome, verdict.rulebook)
    assert points is not None
    teams = verdict.outcome.teams
    return {
        "points": {str(sitting[label]): points[label]["total"] for label in teams},
        "km": {str(sitting[label]): team.km for label, team in teams.items()},
        "coups_fourres": {str(sitting[label]): len(team.coups_fourres) for label, team in teams.items()},
        "winner": None if verdict.outcome.winner is None else sitting[verdict.outcome.winner],
    }

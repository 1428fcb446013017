"""A knock-out as it stands: its tables round by round, who goes on from each, who is level at the limit (STANDINGS 5).

A table is an ordinary partie of a round; what it is played for stands in the round's pairing (`Round.pairing`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.models import Championship, Format, PartieStatus, Round, RoundStatus, Stage, StageEntry
from league.selectors.classement import document
from league.selectors.stages import Now
from scoring.knockout import Advance, advance
from scoring.parties import result
from scoring.ranking_document import Partie, RankingDocument
from scoring.ranking_reader import read
from scoring.stage_document import ExtraManche


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of a knock-out. `partie` None in a draft; `status` as of a partie, "draft" before.

    `place`: the best place that it is played for, None where the first so many go on. `went_on`, `out`: first numbers
    of sides, best first, empty while it is open; `level`: between whom nothing decides yet, of whom `places` go on.
    """

    number: int
    partie: int | None
    sides: Sequence[Sequence[int]]
    place: int | None
    status: str
    went_on: Sequence[int] = ()
    out: Sequence[int] = ()
    level: Sequence[int] = ()
    places: int = 0
    points: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_decided(self) -> bool:
        """Whether it is known who goes on from it."""
        return self.status != PartieStatus.OPEN and self.status != RoundStatus.DRAFT and not self.level


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out; `byes` go on without playing."""

    number: int
    status: str
    tables: Sequence[BracketTable]
    byes: Sequence[int]

    @property
    def deciding(self) -> list[BracketTable]:
        """The tables from which somebody goes on to the next round."""
        return [table for table in self.tables if table.place is None]


@dataclass(frozen=True, slots=True)
class Bracket:
    """A knock-out: its rounds, the names and the seeds of those in it, by entry number."""

    rounds: Sequence[BracketRound]
    names: Mapping[int, str]
    seeds: Mapping[int, int]
    through: int


def bracket(*, championship: Championship, stage: Stage, with_draft: bool = False) -> Bracket:
    """The knock-out of a stage. Seven queries."""
    rounds = Round.objects.filter(stage=stage).order_by("number")
    if not with_draft:
        rounds = rounds.exclude(status=RoundStatus.DRAFT)
    members = StageEntry.objects.filter(stage=stage).order_by("seed")
    known = list(members.values_list("entry__number", "entry__team__name", "seed"))
    seeds = {number: seed for number, _name, seed in known}
    told = read(document(championship))
    parties = {partie.number: partie for partie in told.parties}
    return Bracket(
        rounds=[
            BracketRound(
                round_.number,
                round_.status,
                _tables(told, parties, round_.pairing, stage.table_qualify, seeds),
                round_.pairing.get("byes", []),
            )
            for round_ in rounds
        ],
        names={number: name for number, name, _seed in known},
        seeds=seeds,
        through=stage.table_qualify,
    )


def _tables(
    told: RankingDocument,
    parties: Mapping[int, Partie],
    pairing: Mapping[str, Any],
    through: int,
    seeds: dict[int, int],
) -> list[BracketTable]:
    drawn = [table for table in pairing.get("tables", []) if not table.get("extra_of")]
    return [_table(told, parties, pairing, table, through, seeds) for table in drawn]


def _table(
    told: RankingDocument,
    parties: Mapping[int, Partie],
    pairing: Mapping[str, Any],
    table: Mapping[str, Any],
    through: int,
    seeds: dict[int, int],
) -> BracketTable:
    number, place = table["number"], table.get("place")
    partie = parties.get(table.get("partie") or 0)
    if partie is None:
        return BracketTable(number, None, table["sides"], place, RoundStatus.DRAFT)
    status: str = PartieStatus.VOID if partie.status == "closed" and not partie.counts else partie.status
    if status != PartieStatus.CLOSED:
        return BracketTable(number, partie.number, partie.sides, place, status)
    seats = result(partie, told.table, told.decided_by, told.scale)
    # a final, or a match for a place, has one who is first; who shares a place there may play it out, and need not
    said = _decided(told, parties, pairing, number, partie, through if place is None else 1, seeds)
    return BracketTable(
        number=number,
        partie=partie.number,
        sides=partie.sides,
        place=place,
        status=status,
        went_on=said.through,
        out=said.out,
        level=said.level if said.needs else (),
        places=said.places,
        points={seat.entry: seat.points for seat in seats.seats},
    )


def _decided(
    told: RankingDocument,
    parties: Mapping[int, Partie],
    pairing: Mapping[str, Any],
    number: int,
    partie: Partie,
    through: int,
    seeds: dict[int, int],
) -> Advance:
    """Who goes on: by places, by one more manche, or, where the organiser let it be, as they were seeded."""
    return advance(
        result(partie, told.table, told.decided_by, told.scale),
        through,
        decided_by=told.decided_by,
        extra=_extra_of(pairing, number, parties),
        earlier=seeds,
        more_manches=number not in pairing.get("by_seed", []),
    )


def _extra_of(pairing: Mapping[str, Any], number: int, parties: Mapping[int, Partie]) -> ExtraManche | None:
    """The one more manche that was played for a table: the first that counts of its own partie."""
    for table in pairing.get("tables", []):
        if table.get("extra_of") == number and (partie := parties.get(table.get("partie") or 0)) and partie.manches:
            return ExtraManche(partie.entries, partie.manches[0])
    return None


def bracket_of_round(*, championship: Championship, round_number: int) -> Bracket | None:
    """The knock-out that a published round belongs to, None for any other round. Eight queries at most."""
    rounds = Round.objects.filter(championship=championship, number=round_number, stage__format=Format.KNOCKOUT)
    found = rounds.exclude(status=RoundStatus.DRAFT).select_related("stage").defer("pairing").first()
    return bracket(championship=championship, stage=found.stage) if found is not None and found.stage else None


@dataclass(frozen=True, slots=True)
class LevelTable:
    """A table of a knock-out that ended level at the limit: of these entries `places` go on.

    `opened`: the number of the partie of one more manche, None before it is opened. `is_final`: it is played for
    places, which they share unless they play it out.
    """

    number: int
    entries: Sequence[tuple[int, str]]
    places: int
    opened: int | None
    is_final: bool


def level_tables(*, championship: Championship, where: Now) -> list[LevelTable]:
    """The tables of the last round of a knock-out that nothing decides yet. Seven queries, none for other stages."""
    stage, last = where.stage, where.last
    if stage is None or last is None or stage.format != Format.KNOCKOUT or last.stage_id != stage.pk:
        return []
    state = bracket(championship=championship, stage=stage)
    opened = {table["extra_of"]: table["partie"] for table in last.pairing.get("tables", []) if table.get("extra_of")}
    return [
        LevelTable(
            table.number,
            [(number, state.names[number]) for number in table.level],
            table.places,
            opened.get(table.number),
            table.place is not None,
        )
        for table in (state.rounds[-1].tables if state.rounds else [])
        if table.level
    ]

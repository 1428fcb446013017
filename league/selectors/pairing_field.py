"""Who can be paired in a round of a stage, and what each did before: what `scoring.pairing` draws from (STANDINGS 2).

Match points and places are those of the stage: of its parties in rounds before the one to be drawn, and of what is
carried over into it. Meetings, byes and seats are those of the whole championship, so that nobody is given a second bye
or an old opponent because a new stage has begun.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from django.db.models import FilteredRelation, Q

from league.models import Championship, Entry, PartieStatus, Stage
from league.selectors.etapes import both_documents
from scoring.pairing.field import Contender
from scoring.parties import awards
from scoring.ranking_document import RankingDocument
from scoring.ranking_reader import read
from scoring.stage_assembly import sides
from scoring.stage_document import KnockoutStage
from scoring.stage_reader import FORMAT as STAGES
from scoring.stage_reader import read_stages
from scoring.stages import stages_standings
from scoring.standings import Standings, standings

Times = Mapping[frozenset[int], int]
"""How many times, by the set of two entry numbers; a pair that is not in it: never."""


@dataclass(frozen=True, slots=True)
class PairingField:
    """Who can be paired, by entry number: the entries of the stage that are not withdrawn (absences are not looked at).

    `contenders`: match points without penalties, open parties counted as level; places from 1, shared where level, in
    the order of the ranking of the stage (of the pool), where open parties move those whom match points rank first.
    In a later stage where nothing was played yet: as they came in.
    `met`: how many times two sat at one table on different sides, open parties too, those annulled or won without play
    not. `partners`: how many times two were on one side (mêlée). `pools`: the pool of each, None without pools.
    `seeds`: the place among those who came into the stage, the entry number without a stage. `ids`: of the rows.
    """

    contenders: Mapping[int, Contender]
    met: Times
    partners: Times
    pools: Mapping[int, int | None]
    seeds: Mapping[int, int]
    names: Mapping[int, str]
    ids: Mapping[int, int]

    def of_pool(self, pool: int | None) -> list[Contender]:
        """The contenders of one pool, by number; None: all."""
        return [one for number, one in self.contenders.items() if pool is None or self.pools[number] == pool]


def standing_for_pairing(*, championship: Championship, stage: Stage | None, round: int) -> PairingField:  # noqa: A002 — what it is called everywhere
    """The field of a round that is to be drawn: what happened in the rounds before it. Eight queries.

    `stage` None: a championship without stages. Two queries more where penalties were given or rounds opened by hand.
    """
    whole, ranking = both_documents(championship, round - 1, with_stage=stage.number if stage else None)
    stood = _standing(ranking if stage else whole, stage, by_points=championship.primary == "match_points")
    known = _known(championship, stage)
    staying = {entry["number"]: entry["name"] for entry in whole["entries"] if not entry.get("withdrawn")}
    numbers = [number for number in staying if stage is None or known[number].seed is not None]
    seeds = {number: known[number].seed or number for number in numbers}
    told = _told(whole, championship.table_entries)
    as_they_came = stage is not None and stage.number > 1 and not stood.is_begun
    order = {number: seeds[number] if as_they_came else stood.order[number] for number in numbers}
    ordered: dict[int | None, list[Any]] = defaultdict(list)
    for number in sorted(numbers, key=order.__getitem__):
        ordered[known[number].pool].append(order[number])
    byes = Counter(bye["entry"] for bye in whole["byes"])
    return PairingField(
        contenders={
            number: Contender(
                number=number,
                match_points=stood.points[number],
                place=1 + bisect_left(ordered[known[number].pool], order[number]),
                club=known[number].club,
                byes=byes[number],
                seats=tuple(told.seats[number][label] for label in range(championship.table_entries)),
                short_tables=told.short[number],
            )
            for number in numbers
        },
        met=told.met,
        partners=told.partners,
        pools={number: known[number].pool for number in numbers},
        seeds=seeds,
        names=staying,
        ids={number: one.id for number, one in known.items()},
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """An entry: its row, the club of its players if they have one only, its pool and seed if it is in the stage."""

    id: int
    club: str | None
    pool: int | None
    seed: int | None


def _known(championship: Championship, stage: Stage | None) -> dict[int, _Known]:
    """Every entry by number. One query."""
    here = FilteredRelation("stages", condition=Q(stages__stage=stage.pk if stage else None))
    rows = Entry.objects.filter(championship=championship).annotate(here=here)
    clubs: dict[int, set[str]] = defaultdict(set)
    found: dict[int, tuple[int, int | None, int | None]] = {}
    for number, id_, pool, seed, club in rows.values_list(
        "number", "id", "here__pool", "here__seed", "team__members__player__club_id"
    ):
        found[number] = id_, pool, seed
        if club is not None:
            clubs[number].add(str(club))
    return {
        number: _Known(id_, next(iter(clubs[number])) if len(clubs[number]) == 1 else None, pool, seed)
        for number, (id_, pool, seed) in found.items()
    }


@dataclass(slots=True)
class _Stood:
    """How the entries of a stage stand: match points, what they are ordered by, and whether anything was played."""

    points: dict[int, Fraction] = field(default_factory=dict)
    order: dict[int, tuple[Fraction, int]] = field(default_factory=dict)
    is_begun: bool = False

    def add(self, table: Standings, *, by_points: bool) -> None:
        """Add a table: match points with open parties as level, then the ranking; penalties move places only."""
        points = {number: record.match_points for number, record in table.field.records.items()}
        for number, award in _level(table.field.document):
            points[number] += award
        for row in table.rows:
            number, rank = row.entry.number, row.rank or len(table.rows)
            self.order[number] = row.entry.penalty - points[number] if by_points else Fraction(0), rank
        self.points |= points
        self.is_begun |= bool(table.field.document.parties or table.field.document.byes)


def _standing(ranking: dict[str, Any], stage: Stage | None, *, by_points: bool) -> _Stood:
    """How everybody stands in the stage, or in all parties where there is none. A minimum of manches is left aside."""
    stood = _Stood()
    if stage is None or ranking["format"] != STAGES:
        stood.add(standings(read(ranking | ({"minimum": 0} if "minimum" in ranking else {}))), by_points=by_points)
        return stood
    for pool in (pool for one in ranking["stages"] for pool in one.get("pools", ())):
        pool.update({"minimum": 0} if "minimum" in pool else {})
    stages = stages_standings(read_stages(ranking)).stages
    if stage.number > len(stages):  # nobody is in it yet
        return stood
    played = stages[stage.number - 1]
    for table in played.pools:
        stood.add(table, by_points=by_points)
    if isinstance(played.stage, KnockoutStage):
        stood.is_begun = bool(played.stage.parties)
        for row in played.rows:
            stood.points[row.entry.number] = Fraction(0)
            stood.order[row.entry.number] = Fraction(0), row.rank or len(played.rows)
    return stood


def _level(ranking: RankingDocument) -> Iterator[tuple[int, Fraction]]:
    """What everybody has of the open parties if they end level (STANDINGS 1)."""
    for partie in ranking.parties:
        if partie.status == "open":
            sides_of = partie.sides
            level = awards(ranking.table, (1,) * len(sides_of), (False,) * len(sides_of), ranking.scale)
            for side, award in zip(sides_of, level, strict=True):
                for number in side:
                    yield number, award


@dataclass(slots=True)
class _Told:
    """What the parties say of who sat where and with whom."""

    met: Counter[frozenset[int]] = field(default_factory=Counter)
    partners: Counter[frozenset[int]] = field(default_factory=Counter)
    seats: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    short: Counter[int] = field(default_factory=Counter)


def _told(whole: dict[str, Any], table: int) -> _Told:
    told = _Told()
    for partie in whole["parties"]:
        status = partie.get("status", PartieStatus.CLOSED)
        if status == PartieStatus.VOID or (status == PartieStatus.CLOSED and not partie["manches"]):
            continue
        seated = sides(partie)
        for one, other in combinations(seated, 2):
            told.met.update(frozenset(pair) for pair in product(one, other))
        for label, side in enumerate(seated):
            told.partners.update(frozenset(pair) for pair in combinations(side, 2))
            for number in side:
                told.seats[number][label] += 1
                told.short[number] += len(seated) < table
    return told

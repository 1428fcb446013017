"""Who can be paired in a round of a stage, and what each did before: what `scoring.pairing` draws from (STANDINGS 2).

Match points and places are those of the stage: of its parties in rounds before the one to be drawn, and of what is
carried over into it. Meetings, byes and seats are those of the whole championship, so that nobody is given a second bye
or an old opponent because a new stage has begun.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from league.models import CarryOver, Championship, Entry, PartieStatus, Round, Stage, StageEntry
from league.selectors.classement import document, sides
from scoring.pairing.field import Contender
from scoring.parties import awards
from scoring.ranking_document import RankingDocument
from scoring.ranking_reader import read
from scoring.standings import standings

Times = Mapping[frozenset[int], int]
"""How many times, by the set of two entry numbers; a pair that is not in it: never."""


@dataclass(frozen=True, slots=True)
class PairingField:
    """Who can be paired, by entry number: the entries of the stage that are not withdrawn (absences are not looked at).

    `contenders`: match points without penalties, open parties counted as level; places from 1, shared where level.
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
    """The field of a round that is to be drawn: what happened in the rounds before it. Eight queries at most.

    `stage` None: a championship without stages.
    """
    whole = document(championship, up_to_round=round - 1)
    members = _members(championship, stage)
    clubs, ids = _clubs(championship)
    staying = [entry for entry in whole["entries"] if not entry.get("withdrawn")]
    numbers = [entry["number"] for entry in staying if stage is None or entry["number"] in members]
    counted = _counted(championship, stage, whole, set(members))
    pools = {number: members[number][0] if number in members else None for number in numbers}
    seeds = {number: members[number][1] if number in members else number for number in numbers}
    points, ranks = _standing(championship, whole, counted, numbers, pools)
    told = _told(whole, championship.table_entries)
    later = stage is not None and stage.number > 1
    by_points = championship.primary == "match_points"
    order = {n: (-points[n] if by_points else 0, ranks[n], seeds[n] if later else 0) for n in numbers}
    ordered: dict[int | None, list[tuple[Fraction | int, int, int]]] = defaultdict(list)
    for number in sorted(numbers, key=order.__getitem__):
        ordered[pools[number]].append(order[number])
    byes = Counter(bye["entry"] for bye in whole["byes"])
    return PairingField(
        contenders={
            number: Contender(
                number=number,
                match_points=points[number],
                place=1 + bisect_left(ordered[pools[number]], order[number]),
                club=clubs.get(number),
                byes=byes[number],
                seats=tuple(told.seats[number][label] for label in range(championship.table_entries)),
                short_tables=told.short[number],
            )
            for number in numbers
        },
        met=told.met,
        partners=told.partners,
        pools=pools,
        seeds=seeds,
        names={entry["number"]: entry["name"] for entry in staying},
        ids=ids,
    )


def _members(championship: Championship, stage: Stage | None) -> dict[int, tuple[int | None, int]]:
    """Pool and seed of everybody in the stage, by entry number. One query."""
    if stage is None:
        return {}
    rows = StageEntry.objects.filter(stage=stage).values_list("entry__number", "pool", "seed")
    return {number: (pool, seed) for number, pool, seed in rows}


def _clubs(championship: Championship) -> tuple[dict[int, str], dict[int, int]]:
    """The club of each entry whose players have one, and only one, and the ids of the entries. One query."""
    clubs: dict[int, set[str]] = defaultdict(set)
    ids = {}
    for number, entry_id, club in Entry.objects.filter(championship=championship).values_list(
        "number", "id", "team__members__player__club_id"
    ):
        ids[number] = entry_id
        if club is not None:
            clubs[number].add(str(club))
    return {number: next(iter(of_entry)) for number, of_entry in clubs.items() if len(of_entry) == 1}, ids


def _counted(
    championship: Championship, stage: Stage | None, whole: dict[str, Any], members: set[int]
) -> dict[str, list[dict[str, Any]]]:
    """Parties and byes that count in the stage. One query, none without a stage."""
    if stage is None:
        return {"parties": whole["parties"], "byes": whole["byes"]}
    rounds = dict(Round.objects.filter(championship=championship).values_list("number", "stage__number"))
    carried = stage.carry_over == CarryOver.QUALIFIED

    def counts(round_: int, sitting: Sequence[int]) -> bool:
        number = rounds.get(round_)
        if number == stage.number:
            return True
        return carried and number is not None and number < stage.number and members.issuperset(sitting)

    return {
        "parties": [one for one in whole["parties"] if counts(one["round"], [n for s in sides(one) for n in s])],
        "byes": [one for one in whole["byes"] if rounds.get(one["round"]) == stage.number],
    }


def _standing(
    championship: Championship,
    whole: dict[str, Any],
    counted: dict[str, list[dict[str, Any]]],
    numbers: Sequence[int],
    pools: Mapping[int, int | None],
) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Match points with open parties as level, and the place in the ranking of the stage, pool by pool."""
    sitting = {n for one in counted["parties"] for side in sides(one) for n in side} | {
        bye["entry"] for bye in counted["byes"]
    }
    present = sitting.union(numbers)
    ranking = read(whole | counted | {"entries": [e for e in whole["entries"] if e["number"] in present]})
    ranked = standings(ranking)
    points = {number: record.match_points for number, record in ranked.field.records.items()}
    for number, award in _level(ranking):
        points[number] += award
    ranks: dict[int, int] = {}
    seen: Counter[int | None] = Counter()
    last: dict[int | None, tuple[int | None, int]] = {}
    for row in ranked.rows:
        number = row.entry.number
        if number not in pools:
            continue
        pool = pools[number]
        seen[pool] += 1
        shared = row.rank is not None and last.get(pool, (None, 0))[0] == row.rank
        ranks[number] = last[pool][1] if shared else seen[pool]
        last[pool] = row.rank, ranks[number]
    return points, ranks


def _level(ranking: RankingDocument) -> Iterator[tuple[int, Fraction]]:
    """What everybody has of the open parties if they end level (STANDINGS 1)."""
    for partie in ranking.parties:
        if partie.status == PartieStatus.OPEN:
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

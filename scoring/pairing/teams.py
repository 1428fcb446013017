"""A mêlée: teams of two drawn afresh each round, at tables of T teams."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product, zip_longest
from math import lcm
from typing import Final

from scoring.pairing.field import Contender, Meetings, by_number
from scoring.pairing.lots import by_hash
from scoring.pairing.seats import best_seating
from scoring.pairing.sizes import sizes
from scoring.pairing.team_search import TeamSearch

Team = tuple[int, int]

STARTS: Final = 40
"""How many first draws are bettered, in fields up to `LARGE`; above, one."""

LARGE: Final = 60

CHANGES: Final = 10_000
"""How many changes each may take at most."""


@dataclass(frozen=True, slots=True, order=True)
class MeleeCost:
    """How good a mêlée is: less is better, the first criterion that differs decides.

    - `byes_again`: byes had before, summed over those who sit out.
    - `partners`: how often partners played together before, summed.
    - `opponents`: how often opponents played against each other before, summed.
    - `squares`: squared differences of the teams' match points (those of both partners), team by team at every table:
      the teams of a table are as strong as each other.
    """

    byes_again: int = 0
    partners: int = 0
    opponents: int = 0
    squares: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Melee:
    """A round: tables of teams in seat order, each team its two players; `byes`, the players left over."""

    tables: tuple[tuple[Team, ...], ...]
    byes: tuple[int, ...]
    cost: MeleeCost


def melee(
    players: Iterable[Contender],
    partners: Meetings,
    opponents: Meetings,
    *,
    table: int,
    short_tables: bool = False,
    seed: str,
) -> Melee:
    """Draw teams and tables: the best by `MeleeCost` that a bounded search finds; first seats balanced.

    `table` is T, in teams. An odd player is left over, and teams are left over or sit at tables of T−1 as in a Swiss
    round. Byes go to those who had fewest, then to the lowest placed, then by hash. The search begins with tables by
    hash, so that without results the draw is one by lot. The answer does not depend on the order of the players. Raises
    ValueError for a player given twice or T not 2, 3 or 4.
    """
    known = by_number(players)
    size = sizes(len(known) // 2, table=table, short_tables=short_tables)
    out = sorted(by_hash(seed, known), key=lambda number: (known[number].byes, -known[number].place))
    out = out[: 2 * size.byes + len(known) % 2]
    playing = [known[number] for number in by_hash(seed, known.keys() - set(out))]
    weights = _Weights(playing, partners, opponents, table)
    drawn = weights.best([table] * size.full + [table - 1] * size.short, seed)
    tables = [_seated([playing[place] for place in members], table) for members in drawn]
    return Melee(
        tables=tuple(sorted(tables, key=lambda teams: min(known[number].place for team in teams for number in team))),
        byes=tuple(sorted(out, key=lambda number: known[number].place)),
        cost=_cost(tables, [known[number] for number in out], known, partners, opponents),
    )


class _Weights:
    """The criteria as whole numbers, packed so that sums compare in order; players by their place in the order by hash.

    The squared differences of the sums of n teams are a sum over players and pairs of players: n − 1 times each one's
    square, n − 1 times twice the product of partners, less twice the product of opponents.
    """

    def __init__(self, playing: Sequence[Contender], partners: Meetings, opponents: Meetings, table: int) -> None:
        scale = lcm(*(player.match_points.denominator for player in playing))
        lowest = min((player.match_points for player in playing), default=Fraction(0))
        points = [int((player.match_points - lowest) * scale) for player in playing]
        most_squares = len(playing) * table * (2 * max(points, default=0)) ** 2
        most_opponents = len(playing) * 2 * table * max(opponents.values(), default=0)
        opponents_at = most_squares.bit_length()
        partners_at = opponents_at + most_opponents.bit_length()
        numbers = [player.number for player in playing]
        pairs = [[frozenset((x, y)) for y in numbers] for x in numbers]
        self._opponent = [
            [
                (opponents.get(pair, 0) << opponents_at) - 2 * a * b * (len(pair) - 1)
                for pair, b in zip(row, points, strict=True)
            ]
            for row, a in zip(pairs, points, strict=True)
        ]
        self._partner = {
            teams: [
                [
                    (partners.get(pair, 0) << partners_at) + (teams - 1) * 2 * a * b
                    for pair, b in zip(row, points, strict=True)
                ]
                for row, a in zip(pairs, points, strict=True)
            ]
            for teams in (table, table - 1)
        }
        self._single = {teams: [(teams - 1) * a**2 for a in points] for teams in (table, table - 1)}

    def best(self, teams: Sequence[int], seed: str) -> list[list[int]]:
        """Tables of so many teams, neighbours being partners: the best of all starts, the first of those as good."""
        players = 2 * sum(teams)
        found = []
        for start in range(STARTS if players <= LARGE else 1):
            order = iter(by_hash(f"{seed}:{start}", range(players)) if start else range(players))
            search = TeamSearch(
                [list(islice(order, 2 * count)) for count in teams],
                [self._partner[count] for count in teams],
                self._opponent,
                [self._single[count] for count in teams],
            )
            search.settle(CHANGES)
            found.append((search.total(), start, search.tables))
        return min(found)[2]


def _seated(members: Sequence[Contender], table: int) -> tuple[Team, ...]:
    """The teams of a table, neighbours being partners, in seat order."""
    pairs = [(members[place], members[place + 1]) for place in range(0, len(members), 2)]
    seats = [[a + b for a, b in zip_longest(one.seats, other.seats, fillvalue=0)] for one, other in pairs]
    return tuple((pairs[place][0].number, pairs[place][1].number) for place in best_seating(seats, table)[2])


def _cost(
    tables: Sequence[Sequence[Team]],
    out: Sequence[Contender],
    known: Mapping[int, Contender],
    partners: Meetings,
    opponents: Meetings,
) -> MeleeCost:
    against = [pair for teams in tables for pair in combinations(teams, 2)]
    everybody = [team for teams in tables for team in teams]
    strength = {(x, y): known[x].match_points + known[y].match_points for x, y in everybody}
    return MeleeCost(
        byes_again=sum(player.byes for player in out),
        partners=sum(partners.get(frozenset(team), 0) for team in strength),
        opponents=sum(opponents.get(frozenset(met), 0) for one, other in against for met in product(one, other)),
        squares=sum(((strength[one] - strength[other]) ** 2 for one, other in against), Fraction(0)),
    )

"""A mêlée: teams of two drawn afresh each round, at tables of T teams."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from scoring.pairing.field import Contender, Meetings
from scoring.pairing.lots import by_hash
from scoring.pairing.sizes import sizes

Team = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class MeleeCost:
    """How good a mêlée is: less is better, the first criterion that differs decides.

    `byes_again`: byes had before, summed over those who sit out. `partners`: how often partners played together before,
    summed; `opponents`: how often opponents at a table met before as opponents, summed. `squares`: squared differences
    of the teams' match points (of both partners together), team by team at every table: strong with weak.
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
    """Draw teams and tables: best by `MeleeCost`, then first seats balanced, as far as a bounded search finds.

    `table` is T, in teams. An odd player is left over; the teams are N mod T too many or sit at tables of T−1, as in a
    Swiss round. Byes go to those who had fewest, then to the lowest placed. The answer does not depend on the order of
    the players. Raises ValueError for a player given twice or T not 2, 3 or 4.
    """
    by_number = {player.number: player for player in players}
    order = by_hash(seed, by_number)
    size = sizes(len(order) // 2, table=table, short_tables=short_tables)
    out = sorted(order, key=lambda number: (by_number[number].byes, -by_number[number].place))
    left_over = out[: 2 * size.byes + len(order) % 2]
    playing = [number for number in order if number not in left_over]
    teams = [(playing[place], playing[place + 1]) for place in range(0, len(playing), 2)]
    cuts = [table] * size.full + [table - 1] * size.short
    tables = []
    for cut in cuts:
        tables.append(tuple(teams[:cut]))
        del teams[:cut]
    return Melee(tuple(tables), tuple(left_over), MeleeCost())

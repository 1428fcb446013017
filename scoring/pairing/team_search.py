"""Bettering a mêlée by changing two players at a time."""

from collections.abc import Sequence

Costs = Sequence[Sequence[int]]
"""What each two cost, by both their places."""


class TeamSearch:
    """Players at tables, each table a row of seats of which two neighbours are a team: 0 and 1, 2 and 3, and so on.

    `partner[t]` is what two cost as partners at table t, `opponent` as opponents at any; `single[t][x]` what x costs at
    table t whoever else sits there. Nothing else costs anything, so that a change is a few additions.
    """

    def __init__(
        self, tables: Sequence[Sequence[int]], partner: Sequence[Costs], opponent: Costs, single: Costs
    ) -> None:
        self.tables = [list(table) for table in tables]
        self._partner, self._opponent, self._single = partner, opponent, single
        self._against = [[0] * len(opponent) for _ in tables]
        """What each player would cost as the opponent of all who sit at a table."""
        for table in range(len(tables)):
            self._meet(table)

    def total(self) -> int:
        """What all of it costs."""
        twice = sum(
            self._at(table, place, x) + self._single[table][x]
            for table, members in enumerate(self.tables)
            for place, x in enumerate(members)
        )
        return twice // 2

    def settle(self, most_changes: int) -> None:
        """Make each table's best change in turn until none is better, or after so many changes."""
        waiting = dict.fromkeys(range(len(self.tables)))
        while waiting and most_changes > 0:
            table = next(iter(waiting))
            del waiting[table]
            best = self._best_change(table)
            if best is not None:
                place, other, other_place = best
                here, there = self.tables[table], self.tables[other]
                here[place], there[other_place] = there[other_place], here[place]
                most_changes -= 1
                for touched in (table, other):
                    self._meet(touched)
                    waiting[touched] = None

    def _best_change(self, table: int) -> tuple[int, int, int] | None:
        """Which place of this table with which of which other, or of its own."""
        best: tuple[int, int, int] | None = None
        least = 0
        for place, x in enumerate(self.tables[table]):
            own = self._at(table, place, x)
            for other, members in enumerate(self.tables):
                for other_place, y in enumerate(members):
                    if other == table:
                        change = self._inside(table, place, other_place) if other_place // 2 > place // 2 else 0
                    else:
                        change = self._at(table, place, y) - self._opponent[x][y] - own
                        change += self._at(other, other_place, x) - self._opponent[x][y]
                        change -= self._at(other, other_place, y)
                    if change < least:
                        least, best = change, (place, other, other_place)
        return best

    def _at(self, table: int, place: int, x: int) -> int:
        """What x costs at that place, as if whoever sits there were an opponent (nobody is one's own)."""
        with_whom = self.tables[table][place ^ 1]
        return (
            self._against[table][x]
            - self._opponent[x][with_whom]
            + self._partner[table][x][with_whom]
            + self._single[table][x]
        )

    def _inside(self, table: int, place: int, other: int) -> int:
        """What a change of two of one table, of two teams, adds: their partners become opponents, and turned."""
        members, partner = self.tables[table], self._partner[table]
        x, p, y, q = members[place], members[place ^ 1], members[other], members[other ^ 1]
        return (
            partner[y][p]
            + partner[x][q]
            - partner[x][p]
            - partner[y][q]
            + self._opponent[x][p]
            + self._opponent[y][q]
            - self._opponent[y][p]
            - self._opponent[x][q]
        )

    def _meet(self, table: int) -> None:
        rows = zip(*(self._opponent[x] for x in self.tables[table]), strict=True)
        self._against[table] = [sum(row) for row in rows]

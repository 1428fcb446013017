"""What a ranking is made from: the document `classement/1` once read, as frozen values (STANDINGS 7).

These classes hold what the document says and compute nothing; `scoring.ranking_reader` makes them and is the only
place that decides whether a document fits, so whoever builds them by hand answers for what the reader would check.
Figures of a manche stand in the order of its partie's entries, so nothing is looked up by number twice.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Status = Literal["closed", "void", "open"]
DecidedBy = Literal["points", "manches"]


class RankingError(Exception):
    """A document that does not fit `classement/1` (STANDINGS 7).

    `code` is API and always "bad-ranking"; `at` is the path of the member at fault, list places counted from 0
    (`parties[3].entries`), or None for the document as a whole; `why` goes on from there in English: "is missing".
    """

    code = "bad-ranking"

    def __init__(self, at: str | None, why: str) -> None:
        super().__init__(f"{at}: {why}" if at else why)
        self.at = at
        self.why = why

    def as_data(self) -> dict[str, str | None]:
        """The refusal as it is answered.

        >>> RankingError("parties[3].entries", "an entry stands twice").as_data()
        {'code': 'bad-ranking', 'at': 'parties[3].entries', 'why': 'an entry stands twice'}
        """
        return {"code": self.code, "at": self.at, "why": self.why}


@dataclass(frozen=True, slots=True)
class Entry:
    """Who is ranked: a team or a player, by its number at registration; `penalty` comes off the primary key."""

    number: int
    name: str
    penalty: Fraction
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Manche:
    """One finished manche; every tuple holds a figure an entry, in the order of the partie's entries.

    `points` is None where none were kept, which only a championship decided by manches may do; `winner` is an entry's
    number, or None for a manche that nobody won.
    """

    points: tuple[int, ...] | None
    km: tuple[int, ...]
    coups_fourres: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Partie:
    """Manches of the same sides, with those who were absent or left (`forfeits`).

    A side is an entry, or in a mêlée a team made of several (`teams`, in the same order). Figures, winners and forfeits
    name a side by its first number, which is the one that stands in `entries`.
    """

    number: int
    round: int
    entries: tuple[int, ...]
    manches: tuple[Manche, ...]
    forfeits: frozenset[int]
    status: Status
    teams: tuple[tuple[int, ...], ...] | None = None

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Who is ranked of each side: the entry alone, or all the partners of a team (STANDINGS 3)."""
        return self.teams or tuple([(entry,) for entry in self.entries])

    @property
    def everybody(self) -> tuple[int, ...]:
        """The numbers of all who sit in it, side by side."""
        return tuple([number for side in self.teams for number in side]) if self.teams else self.entries

    @property
    def counts(self) -> bool:
        """Whether it counts in a ranking: closed, and with a manche or a forfeit, else it is void (STANDINGS 1, 7)."""
        return self.status == "closed" and bool(self.manches or self.forfeits)


@dataclass(frozen=True, slots=True)
class Bye:
    """An entry left over in the draw of a round (STANDINGS 2).

    `share`: how much of a bye it is, from 0 to 1; less than 1 where late entries have a share of one for the rounds
    before them.
    """

    round: int
    entry: int
    share: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class RankingDocument:
    """A whole `classement/1`; `scale`, `best_n`, `minimum` and `secret` are None where they are not set."""

    table: int
    decided_by: DecidedBy
    primary: str
    tie_breaks: tuple[str, ...]
    entries: tuple[Entry, ...]
    parties: tuple[Partie, ...]
    byes: tuple[Bye, ...]
    scale: tuple[Fraction, ...] | None
    best_n: int | None
    minimum: int | None
    secret: str | None

"""What each entry did, gathered from the parties that count, for the keys of `scoring.tiebreaks` to sum up."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from scoring.parties import PartieResult, Seat, bye_award, results
from scoring.ranking_document import Entry, RankingDocument


class Sitting(NamedTuple):
    """A partie that counts, and the seat that the entry had in it."""

    partie: PartieResult
    seat: Seat


@dataclass(frozen=True)
class Record:
    """All that counts of one entry, in the document's order, and how many byes it had, shares of one too."""

    entry: Entry
    sittings: tuple[Sitting, ...]
    byes: Fraction
    bye_award: Fraction

    @cached_property
    def played(self) -> tuple[Sitting, ...]:
        """The parties with a manche, also one that the entry left (STANDINGS 2)."""
        return tuple([sitting for sitting in self.sittings if sitting.partie.manches])

    @property
    def closed(self) -> int:
        """How many closed parties the entry sat in, forfeited ones too."""
        return len(self.sittings)

    @cached_property
    def manches(self) -> int:
        """How many manches the entry played."""
        return sum(sitting.partie.manches for sitting in self.played)

    @cached_property
    def won_without_play(self) -> Fraction:
        """Byes, and parties where nothing was played since others forfeited (STANDINGS 2)."""
        return self.byes + sum(not s.partie.manches and not s.seat.forfeited for s in self.sittings)

    @cached_property
    def match_points_played_for(self) -> Fraction:
        """Match points of the closed parties, forfeited ones too, byes left aside."""
        return exact_sum([sitting.seat.match_points for sitting in self.sittings])

    @property
    def match_points(self) -> Fraction:
        """Match points of parties and byes, penalties left aside."""
        return self.match_points_played_for + self.byes * self.bye_award


@dataclass(frozen=True)
class Field:
    """The document and the record of each of its entries, by number."""

    document: RankingDocument
    records: dict[int, Record]

    @cached_property
    def match_point_unit(self) -> int:
        """Every entry's match points, and their mean over the partners of a team, are a whole number of 1 / this."""
        denominators = {record.match_points.denominator for record in self.records.values()}
        partners = {len(team) for partie in self.document.parties for team in partie.teams or ()}
        return lcm(*denominators) * lcm(*partners)

    @cached_property
    def match_points_in_units(self) -> dict[int, int]:
        """Match points without penalties as whole numbers of units: sums over opponents need no fraction."""
        unit = self.match_point_unit
        return {number: int(record.match_points * unit) for number, record in self.records.items()}

    @cached_property
    def sides_in_units(self) -> dict[tuple[int, ...], int]:
        """By side, in units: the match points of an entry alone, or the mean of a team's partners (STANDINGS 3)."""
        points = self.match_points_in_units
        teams = {team for partie in self.document.parties for team in partie.teams or ()}
        return {(number,): own for number, own in points.items()} | {
            team: sum([points[number] for number in team]) // len(team) for team in teams
        }


def field(document: RankingDocument) -> Field:
    """Gather the records of a document that the reader has accepted."""
    sittings: dict[int, list[Sitting]] = {entry.number: [] for entry in document.entries}
    for partie in results(document):
        for seat in partie.seats:
            sitting = Sitting(partie, seat)
            for number in seat.team:
                sittings[number].append(sitting)
    byes = dict.fromkeys(sittings, Fraction(0))
    for bye in document.byes:
        byes[bye.entry] += bye.share
    award = bye_award(document.table, document.scale)
    records = {
        entry.number: Record(entry, tuple(sittings[entry.number]), byes[entry.number], award)
        for entry in document.entries
    }
    return Field(document, records)


def exact_sum(values: list[Fraction]) -> Fraction:
    """The sum of many fractions with few denominators: whole numbers added up, and one addition a denominator.

    >>> exact_sum([Fraction(1, 2), Fraction(3), Fraction(1, 2)])
    Fraction(4, 1)
    """
    numerators: dict[int, int] = {}
    for value in values:
        denominator = value.denominator
        numerators[denominator] = numerators.get(denominator, 0) + value.numerator
    return sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0))

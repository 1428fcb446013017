"""A ranking, or the refusal of its document, as lines for people to read at a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from engine.messages import printable
from engine.notation import FormatError
from scoring.circuits import CircuitRow, CircuitStandings, places_written
from scoring.ordering import written
from scoring.ranking_document import RankingError
from scoring.rankings import Ranking
from scoring.stages import OverallRow, StagesStandings
from scoring.standings import Row
from scoring.why import FURTHER_KEY_NAMES, KEY_NAMES, Why, sentence


def refusal(fault: RankingError | FormatError) -> str:
    """A refusal in one line, also of what is no JSON.

    >>> refusal(RankingError("parties[3].entries", "has an entry twice"))
    'Refused: parties[3].entries has an entry twice.'
    >>> refusal(FormatError("this is not UTF-8", 1, 7))
    'Unreadable: line 1, column 7: this is not UTF-8.'
    """
    if isinstance(fault, FormatError):
        return f"Unreadable: {fault}."
    return f"Refused: {fault.at or 'the document'} {fault.why}."


@dataclass(frozen=True, slots=True)
class _Line:
    rank: int | None
    number: int
    name: str
    remark: str
    values: Mapping[str, str | None]
    why: Why | None


def explanation(ranking: Ranking) -> str:
    """Every row, its values, and why it stands above the next; namesakes are told apart by their numbers."""
    rows = list(_lines(ranking))
    names = {row.number: row.name for row in rows}
    bearers = Counter(names.values())

    def called(number: int) -> str:
        return names[number] if bearers[names[number]] == 1 else f"{names[number]} ({number})"

    lines = []
    for row, following in zip_longest(rows, rows[1:]):
        lines.append(_row(row))
        if row.why:
            relation = "above" if row.why.key else "level with"
            lines.append(f"      {relation} {called(following.number)}: {sentence(row.why, called)}")
    return "\n".join(lines) if lines else "No entries."


def _row(row: _Line) -> str:
    values = ", ".join(f"{_key(key)} {value or '-'}" for key, value in row.values.items())
    place = f"{row.rank}." if row.rank is not None else "-"
    return f"{place:>4}  {row.name} ({row.number}){row.remark}: {values}"


def _key(key: str) -> str:
    return KEY_NAMES.get(key) or FURTHER_KEY_NAMES[key]


def _lines(ranking: Ranking) -> Iterable[_Line]:
    if isinstance(ranking, StagesStandings):
        return map(_overall_line, ranking.rows)
    if isinstance(ranking, CircuitStandings):
        return map(_circuit_line, ranking.rows)
    return map(_table_line, ranking.rows)


def _table_line(row: Row) -> _Line:
    remarks = {
        "ranked": "",
        "under-minimum": f", under the minimum with {row.manches} manches",
        "withdrawn": ", withdrawn",
    }
    values = {key: written(value) for key, value in row.values.items()}
    name = printable(row.entry.name)
    return _Line(row.rank, row.entry.number, name, remarks[row.standing], values, row.why)


def _overall_line(row: OverallRow) -> _Line:
    remarks = {"ranked": "", "under-minimum": ", under the minimum", "withdrawn": ", withdrawn"}
    pool = f", pool {row.row.pool}" if row.row.pool is not None else ""
    remark = f", stage {row.stage}{pool}{remarks[row.row.standing]}"
    entry = row.row.entry
    return _Line(row.rank, entry.number, printable(entry.name), remark, row.row.written_values, row.why)


def _circuit_line(row: CircuitRow) -> _Line:
    values = {"circuit_points": written(row.points), "places": places_written(row.places)}
    return _Line(row.rank, row.entry.number, printable(row.entry.name), "", values, row.why)

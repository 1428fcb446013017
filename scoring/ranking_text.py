"""A ranking, or the refusal of its document, as lines for people to read at a terminal."""

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest

from engine.messages import printable
from engine.notation import FormatError
from scoring.ordering import written
from scoring.ranking_document import RankingError
from scoring.standings import Row, Standings
from scoring.why import KEY_NAMES, sentence


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


def explanation(ranking: Standings) -> str:
    """Every row, its values, and why it stands above the next; namesakes are told apart by their numbers."""
    names = {number: printable(record.entry.name) for number, record in ranking.field.records.items()}
    bearers = Counter(names.values())

    def called(number: int) -> str:
        return names[number] if bearers[names[number]] == 1 else f"{names[number]} ({number})"

    lines = []
    for row, following in zip_longest(ranking.rows, ranking.rows[1:]):
        lines.append(_row(row, names[row.entry.number]))
        if row.why:
            relation = "above" if row.why.key else "level with"
            lines.append(f"      {relation} {called(following.entry.number)}: {sentence(row.why, called)}")
    return "\n".join(lines) if lines else "No entries."


def _row(row: Row, name: str) -> str:
    values = ", ".join(f"{KEY_NAMES[key]} {written(value) or '-'}" for key, value in row.values.items())
    place = f"{row.rank}." if row.rank is not None else "-"
    return f"{place:>4}  {name} ({row.entry.number}){_REMARKS[row.standing](row)}: {values}"


_REMARKS: dict[str, Callable[[Row], str]] = {
    "ranked": lambda row: "",
    "under-minimum": lambda row: f", under the minimum with {row.manches} manches",
    "withdrawn": lambda row: ", withdrawn",
}

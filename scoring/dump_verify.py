"""Every score and every ranking of a dump computed again, and held against what is written in it.

Published rankings are computed again where nothing that they count has changed since, as the journal tells; the others
are named. Where the secret is not in the dump yet, lots are left aside.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.dump_format import COLUMNS
from scoring.dump_judging import Difference, Rules, bytes_of, differences, judge_result
from scoring.dump_reader import Gathered
from scoring.dump_stream import DumpError, Part
from scoring.kept_rows import Computed, computed
from scoring.ranking_document import RankingError
from scoring.ranking_shapes import At, path
from scoring.verdicts import Judged

_OPEN_TO_LOTS = frozenset({"position", "rank", "above_next_by", "why"})
"""Columns that lots decide too."""


@dataclass(slots=True)
class Verification:
    """What was looked at. `differences` are given as they are found; these are the counts at the end.

    `published`: the numbers of the versions that were computed again; `changed_since`: of those that cannot be, since
    the journal has gone on. `live` is None where the dump's live ranking does not count its whole journal.
    """

    results: int = 0
    attempts: int = 0
    differences: int = 0
    live: bool | None = None
    published: list[int] = field(default_factory=list)
    changed_since: list[int] = field(default_factory=list)
    lots: bool = True

    def as_data(self) -> dict[str, Any]:
        """As the command answers it."""
        return {
            "results": self.results,
            "attempts": self.attempts,
            "live": self.live,
            "published": self.published,
            "changed_since": self.changed_since,
            "lots": self.lots,
            "differences": self.differences,
        }


def verify(parts: Iterable[Part], found: Verification) -> Iterator[Difference]:
    """Give every difference, and count in `found`. Raises `DumpError` for a dump that cannot be read."""
    gathered = Gathered()
    kept: dict[int | None, Computed | str] = {}
    for part in parts:
        if part.name == "parties":
            given: Iterator[Difference] = _partie(part, gathered, found)
        elif part.name == "published":
            given = _published(part, gathered, found, kept)
        elif part.name == "live":
            given = _live(part, gathered, found, kept)
        else:
            gathered.take(part, judge_result)
            given = _championship(part) if part.name == "championship" else iter(())
        for difference in given:
            found.differences += 1
            yield difference
    found.lots = gathered.championship["secret"] is not None or "draw" not in gathered.championship["tie_breaks"]


def _championship(part: Part) -> Iterator[Difference]:
    secret = part.value["secret"]
    if secret is not None:
        digest = hashlib.sha256(secret.encode()).hexdigest()
        if digest != part.value["secret_sha256"]:
            yield Difference("sha256-differs", "championship.secret_sha256", part.value["secret_sha256"], digest)


def _partie(part: Part, gathered: Gathered, found: Verification) -> Iterator[Difference]:
    """Judges every version of every result once; what is refused does not count in the ranking."""
    given: list[Difference] = []
    judged: dict[At, Judged | None] = {}

    def judge(result: Mapping[str, Any], at: At, labels: Sequence[str], rules: Rules) -> Judged | None:
        if at not in judged:
            judged[at] = _judged(result, at, labels, rules, given)
        return judged[at]

    gathered.take(part, judge)
    labels = sorted(seat["label"] for seat in part.value["seats"])
    assert gathered.rules is not None
    for place, manche in enumerate(part.value["manches"]):
        for inner, result in enumerate(manche["results"]):
            at = (*part.at, "manches", place, "results", inner)
            again = judge(result, at, labels, gathered.rules)
            found.results += 1
            if again is not None:
                given += differences(result, at, again)
    for place, attempt in enumerate(part.value["attempts"]):
        found.attempts += 1
        try:
            bytes_of(attempt["document"], (*part.at, "attempts", place, "document"))
        except DumpError as fault:
            given.append(_fault(fault))
    yield from given


def _judged(
    result: Mapping[str, Any], at: At, labels: Sequence[str], rules: Rules, given: list[Difference]
) -> Judged | None:
    try:
        return judge_result(result, at, labels, rules)
    except DumpError as fault:
        given.append(_fault(fault))
        return None


def _fault(fault: RankingError) -> Difference:
    return Difference(fault.code, fault.at, None, None, fault.why)


Kept = dict[int | None, Computed | str]
"""By "as of round": the ranking that the dump comes to, or why it comes to none."""


def _ranking(gathered: Gathered, up_to_round: int | None, kept: Kept) -> Computed | str:
    if up_to_round not in kept:
        try:
            kept[up_to_round] = computed(gathered.ranking_document(up_to_round))
        except RankingError as fault:
            kept[up_to_round] = str(fault)
    return kept[up_to_round]


def _live(part: Part, gathered: Gathered, found: Verification, kept: Kept) -> Iterator[Difference]:
    said = part.value
    if said["journal_position"] != gathered.championship["journal_position"]:
        return
    found.live = True
    for difference in _compare(said, (part.name,), _ranking(gathered, None, kept), gathered):
        found.live = False
        yield difference


def _published(part: Part, gathered: Gathered, found: Verification, kept: Kept) -> Iterator[Difference]:
    said = part.value
    up_to_round, counted = said["round"], said["journal_position"]
    for position, round_ in gathered.journal:
        if position > counted and (round_ is None or up_to_round is None or round_ <= up_to_round):
            found.changed_since.append(said["number"])
            return
    found.published.append(said["number"])
    yield from _compare(said, part.at, _ranking(gathered, up_to_round, kept), gathered)


def _compare(said: Mapping[str, Any], at: At, ranking: Computed | str, gathered: Gathered) -> Iterator[Difference]:
    if isinstance(ranking, str):
        yield Difference("ranking-differs", path(at), None, None, f"cannot be computed: {ranking}")
        return
    rows = {row["entry"]: place for place, row in enumerate(said["rows"])}
    if sorted(rows) != sorted(ranking.rows) or len(rows) != len(said["rows"]):
        yield Difference("ranking-differs", path((*at, "rows")), sorted(rows), sorted(ranking.rows))
        return
    without_lots = gathered.championship["secret"] is None and "draw" in gathered.championship["tie_breaks"]
    again = _plain(ranking.rows)
    level = _level(again) if without_lots else {}
    for entry, place in rows.items():
        row, found = said["rows"][place], again[str(entry)]
        for column in COLUMNS:
            if without_lots and column in _OPEN_TO_LOTS:
                if column == "rank" and not _fits(row["rank"], found["rank"], level):
                    yield Difference("ranking-differs", path((*at, "rows", place, column)), row["rank"], found["rank"])
            elif row[column] != found[column]:
                where = path((*at, "rows", place, column))
                yield Difference("ranking-differs", where, row[column], found[column])
    tables = _plain(ranking.tables)
    if not without_lots and said["stage_tables"] != tables:
        yield Difference("ranking-differs", path((*at, "stage_tables")), said["stage_tables"], tables)


def _level(rows: Mapping[str, Mapping[str, Any]]) -> dict[int, int]:
    """How many share each rank."""
    shared: dict[int, int] = {}
    for row in rows.values():
        if row["rank"] is not None:
            shared[row["rank"]] = shared.get(row["rank"], 0) + 1
    return shared


def _fits(written: int | None, found: int | None, level: Mapping[int, int]) -> bool:
    """Whether a rank is one that lots may have given among those who are level without them."""
    if written is None or found is None:
        return written == found
    return found <= written < found + level[found]


def _plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value))

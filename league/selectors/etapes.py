"""What a championship is ranked from: `classement/1`, or `etapes/1` where it has stages (STANDINGS 5 and 7).

A partie belongs to the stage of its round. Rounds that were opened by hand have no draw that says so: theirs is the
stage that was played when their first partie was opened. A partie that does not fit its stage (somebody sits there who
is not in it, or in another pool) counts for nothing there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Max, Min

from league.models import (
    CarryOver,
    Championship,
    Format,
    Partie,
    ResultEvent,
    Round,
    RoundStatus,
    StageEntry,
    What,
)
from league.selectors.classement import document_and_stages, half_of_those_scheduled, sides, without_secret
from scoring.stage_reader import FORMAT, RULES


def ranking_document(championship: Championship, up_to_round: int | None = None) -> dict[str, Any]:
    """The document that the championship is ranked from, in five queries, with stages in seven to nine.

    `up_to_round`: only the results of rounds up to it, and only the stages that had begun by then. It holds the secret
    where lots are drawn: `public_document` is for everybody.
    """
    return both_documents(championship, up_to_round)[1]


def both_documents(
    championship: Championship, up_to_round: int | None = None, *, with_stage: int | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All results in one table, and the document that the championship is ranked from; without stages they are one.

    `with_stage`: the number of a stage that is looked at even if it has no round yet.
    """
    whole, has_stages = document_and_stages(championship, up_to_round)
    if not has_stages:
        return whole, whole
    stages = _stages(championship)
    drawn = _drawn(championship)
    of_round = _stage_of_rounds(championship, whole, stages, drawn)
    if up_to_round is not None:
        begun = {number for round_, number in of_round.items() if round_ <= up_to_round}
        last = max({*begun, stages[0].number, with_stage or 0})
        stages = [stage for stage in stages if stage.number <= last]
    _everybody_somewhere(stages, [entry["number"] for entry in whole["entries"]])
    _place_penalties(championship, whole, stages)
    said: list[dict[str, Any]] = []
    for stage in stages:
        if stage.is_knockout:
            said.append(_knockout(whole, stage, of_round, drawn))
        else:
            said.append(_ranking(championship, whole, stage, of_round))
            if stage.carry_over == CarryOver.QUALIFIED and len(said) > 1 and said[-2]["kind"] == "ranking":
                said[-1]["carry_over"] = "qualified"
    return whole, {"format": FORMAT, "stages": said}


def public_document(championship: Championship, up_to_round: int | None = None) -> dict[str, Any]:
    """The document as anybody may have it: until the championship is finished without its secret and the lots."""
    whole = ranking_document(championship, up_to_round)
    if whole["format"] != FORMAT:
        return without_secret(championship, whole)
    for stage in whole["stages"]:
        for pool in stage.get("pools", ()):
            without_secret(championship, pool)
    return whole


@dataclass(slots=True)
class _Stage:
    """A stage that has begun; `members`: the pool of each entry in it; `penalised`: who has its penalty here."""

    number: int
    name: str
    format: str
    pools: int
    advance: int
    carry_over: str
    started_at: datetime | None
    members: dict[int, int | None] = field(default_factory=dict)
    penalised: set[int] = field(default_factory=set)

    @property
    def is_knockout(self) -> bool:
        return self.format == Format.KNOCKOUT


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A round that was drawn: its stage, and what its tables are played for."""

    stage: int
    pairing: Mapping[str, Any]


def _stages(championship: Championship) -> list[_Stage]:
    """The stages that have begun, in order, with who is in them. One query."""
    columns = ("number", "name", "format", "pools", "table_qualify", "carry_over", "started_at")
    found: dict[int, _Stage] = {}
    rows = StageEntry.objects.filter(stage__championship=championship).order_by("stage__number", "seed")
    for entry, pool, number, *settings in rows.values_list(
        "entry__number", "pool", *(f"stage__{column}" for column in columns)
    ):
        stage = found.get(number)
        if stage is None:
            stage = found[number] = _Stage(number, *settings)
        stage.members[entry] = pool
    return list(found.values())


def _drawn(championship: Championship) -> dict[int, _Drawn]:
    """The rounds that were drawn, by number. One query."""
    rows = Round.objects.filter(championship=championship, stage__isnull=False).exclude(status=RoundStatus.DRAFT)
    return {
        number: _Drawn(stage, pairing)
        for number, stage, pairing in rows.order_by("number").values_list("number", "stage__number", "pairing")
    }


def _stage_of_rounds(
    championship: Championship, whole: Mapping[str, Any], stages: Sequence[_Stage], drawn: Mapping[int, _Drawn]
) -> dict[int, int]:
    """The stage of every round that has a partie or a bye. One query where rounds were opened by hand, else none."""
    numbers = sorted({one["round"] for one in (*whole["parties"], *whole["byes"])})
    by_hand = [number for number in numbers if number not in drawn]
    opened: dict[int, datetime] = {}
    if by_hand:
        rows = Partie.objects.filter(championship=championship, round__in=by_hand).order_by("round").values("round")
        opened = dict(rows.annotate(first=Min("opened_at")).values_list("round", "first"))
    found: dict[int, int] = {number: one.stage for number, one in drawn.items()}
    for number in by_hand:
        begun = [s.number for s in stages if number in opened and s.started_at and s.started_at <= opened[number]]
        before = [found[other] for other in found if other < number]
        found[number] = begun[-1] if begun else max(before, default=stages[0].number)
    return found


def _everybody_somewhere(stages: Sequence[_Stage], numbers: Iterable[int]) -> None:
    """Who came late and is in no stage stands in the first one, in its last pool where it has several."""
    known = {number for stage in stages for number in stage.members}
    first = stages[0]
    for number in numbers:
        if number not in known:
            first.members[number] = first.pools if first.pools > 1 else None


def _place_penalties(championship: Championship, whole: Mapping[str, Any], stages: Sequence[_Stage]) -> None:
    """A penalty on the championship counts once: in the stage with keys that its entry played when it was given.

    One query where there are penalties and several such stages, else none.
    """
    penalised = [entry["number"] for entry in whole["entries"] if entry.get("penalty")]
    ranking = [stage for stage in stages if not stage.is_knockout]
    given: dict[int, datetime] = {}
    if penalised and len(ranking) > 1:
        rows = ResultEvent.objects.filter(
            championship=championship, what=What.ENTRY_PENALISED, entry__number__in=penalised
        )
        given = dict(
            rows.order_by().values("entry__number").annotate(last=Max("at")).values_list("entry__number", "last")
        )
    for number in penalised:
        played = [stage for stage in ranking if number in stage.members]
        at = given.get(number)
        begun = [stage for stage in played if at and stage.started_at and stage.started_at <= at]
        for stage in begun[-1:] or played[:1]:
            stage.penalised.add(number)


def _ranking(
    championship: Championship, whole: Mapping[str, Any], stage: _Stage, of_round: Mapping[int, int]
) -> dict[str, Any]:
    pools = sorted({pool or 1 for pool in stage.members.values()} | set(range(1, stage.pools + 1)))
    of_stage = {
        "parties": _of_stage(whole["parties"], stage, of_round),
        "byes": _of_stage(whole["byes"], stage, of_round),
    }
    rules = {name: whole[name] for name in RULES if name in whole}
    if championship.primary == "mean_points" and championship.minimum is None:
        rules["minimum"] = half_of_those_scheduled(championship, of_stage["parties"])
    said: dict[str, Any] = {"kind": "ranking", "name": stage.name, "pools": []}
    for pool in pools:
        inside = {number for number, of_entry in stage.members.items() if (of_entry or 1) == pool}
        said["pools"].append(
            {
                "format": whole["format"],
                **rules,
                "entries": _entries(whole, inside, stage.penalised),
                "parties": [one for one in of_stage["parties"] if all(inside.issuperset(side) for side in sides(one))],
                "byes": [one for one in of_stage["byes"] if one["entry"] in inside],
            }
        )
    return said


def _knockout(
    whole: Mapping[str, Any], stage: _Stage, of_round: Mapping[int, int], drawn: Mapping[int, _Drawn]
) -> dict[str, Any]:
    """Rounds are counted within the stage; one more manche among those level stands with the table that it decides."""
    rounds = {
        number: place for place, number in enumerate(sorted(n for n, s in of_round.items() if s == stage.number), 1)
    }
    inside = set(stage.members)
    parties = {one["number"]: one for one in _of_stage(whole["parties"], stage, of_round)}
    extras, places = _played_for({number: drawn[number].pairing for number in rounds if number in drawn})
    tables = []
    for number, one in parties.items():
        if number in extras or not all(inside.issuperset(side) for side in sides(one)):
            continue
        table = one | {"round": rounds[one["round"]]}
        if number in places:
            table["place"] = places[number]
        more = next(
            (parties[extra] for extra, decides in extras.items() if decides == number and extra in parties), None
        )
        if more is not None and more["manches"] and more.get("status") != "void":
            table["extra"] = {"entries": [side[0] for side in sides(more)], **more["manches"][0]}
        tables.append(table)
    return {
        "kind": "knockout",
        "name": stage.name,
        "table": whole["table"],
        "decided_by": whole["decided_by"],
        "advance": stage.advance,
        "entries": _entries(whole, inside, set()),
        "parties": tables,
        "byes": [
            one | {"round": rounds[one["round"]]}
            for one in _of_stage(whole["byes"], stage, of_round)
            if one["entry"] in inside
        ],
    }


def _played_for(pairings: Mapping[int, Mapping[str, Any]]) -> tuple[dict[int, int], dict[int, int]]:
    """By the number of a partie: the partie that it decides by one more manche; the place that it is played for."""
    extras: dict[int, int] = {}
    places: dict[int, int] = {}
    for pairing in pairings.values():
        tables = pairing.get("tables", [])
        at_table = {table["number"]: table.get("partie") for table in tables if not table.get("extra_of")}
        for table in tables:
            partie = table.get("partie")
            if partie and table.get("extra_of"):
                extras[partie] = at_table.get(table["extra_of"]) or 0
            elif partie and table.get("place"):
                places[partie] = table["place"]
    return extras, places


def _of_stage(found: Iterable[dict[str, Any]], stage: _Stage, of_round: Mapping[int, int]) -> list[dict[str, Any]]:
    return [one for one in found if of_round.get(one["round"]) == stage.number]


def _entries(whole: Mapping[str, Any], inside: set[int], penalised: set[int]) -> list[dict[str, Any]]:
    found = []
    for entry in whole["entries"]:
        if entry["number"] in inside:
            here = entry["number"] in penalised
            found.append({name: value for name, value in entry.items() if here or name != "penalty"})
    return found

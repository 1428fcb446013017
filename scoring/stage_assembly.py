"""The document `etapes/1` of a championship, put together from its one table of results and what its stages are.

A partie belongs to the stage of its round. Rounds that were opened by hand have no draw that says so: theirs is the
stage that was played when their first partie was opened. A partie that does not fit its stage (somebody sits there who
is not in it, or in another pool) counts for nothing there. A penalty on the championship counts once: in the stage with
keys that its entry played when it was given.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scoring.stage_reader import FORMAT, RULES

Table = Mapping[str, Any]
"""A decoded `classement/1`."""


@dataclass(slots=True)
class BegunStage:
    """A stage that has begun. `members`: the pool of each entry in it, by number; `advance`: the first so many of a
    knock-out table go on; `penalised`: who has its penalty here.
    """

    number: int
    name: str
    is_knockout: bool
    pools: int
    advance: int
    carries_over: bool
    started_at: datetime | None
    members: dict[int, int | None] = field(default_factory=dict)
    penalised: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round that was drawn: the number of its stage, and what its tables are played for (`pairing`)."""

    stage: int
    pairing: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """What stands besides the table: the stages in order, the rounds that were drawn, and two questions about time.

    `opened(rounds)`: when the first partie of each was opened; `penalised(entries)`: when each was penalised last. They
    are asked only where the answer matters. `half`: half of the manches that were scheduled in parties, where that is
    the minimum of a table by mean points, else None.
    """

    stages: Sequence[BegunStage]
    drawn: Mapping[int, DrawnRound]
    opened: Callable[[Sequence[int]], Mapping[int, datetime]]
    penalised: Callable[[Sequence[int]], Mapping[int, datetime]]
    half: Callable[[Sequence[Table]], int] | None = None


def stages_document(
    whole: Table, facts: Facts, up_to_round: int | None = None, with_stage: int | None = None
) -> dict[str, Any]:
    """The document of a championship whose results are `whole`, all in one table.

    `up_to_round`: only the stages that had begun by then; `with_stage`: one that is looked at besides.
    """
    stages = list(facts.stages)
    of_round = _stage_of_rounds(whole, facts)
    if up_to_round is not None:
        begun = {number for round_, number in of_round.items() if round_ <= up_to_round}
        last = max({*begun, stages[0].number, with_stage or 0})
        stages = [stage for stage in stages if stage.number <= last]
    _everybody_somewhere(stages, [entry["number"] for entry in whole["entries"]])
    _place_penalties(whole, stages, facts)
    said: list[dict[str, Any]] = []
    for stage in stages:
        if stage.is_knockout:
            said.append(_knockout(whole, stage, of_round, facts.drawn))
        else:
            said.append(_ranking(whole, stage, of_round, facts.half))
            if stage.carries_over and len(said) > 1 and said[-2]["kind"] == "ranking":
                said[-1]["carry_over"] = "qualified"
    return {"format": FORMAT, "stages": said}


def sides(partie: Table) -> list[list[int]]:
    """The sides of a partie of the document in the order of their labels: entries alone, or partners (mêlée)."""
    teams: list[list[int]] | None = partie.get("teams")
    return teams if teams is not None else [[entry] for entry in partie["entries"]]


def half_of_scheduled(parties: Iterable[Table], manches_each: int) -> int:
    """Half of the manches of an entry that sat in every round, rounded up (STANDINGS 3)."""
    drawn: dict[int, int] = defaultdict(int)
    for partie in parties:
        if partie.get("status") != "void":
            for side in sides(partie):
                for entry in side:
                    drawn[entry] += 1
    return -(-max(drawn.values(), default=0) * manches_each // 2)


def _stage_of_rounds(whole: Table, facts: Facts) -> dict[int, int]:
    """The stage of every round that has a partie or a bye."""
    numbers = sorted({one["round"] for one in (*whole["parties"], *whole["byes"])})
    by_hand = [number for number in numbers if number not in facts.drawn]
    opened = facts.opened(by_hand) if by_hand else {}
    found: dict[int, int] = {number: one.stage for number, one in facts.drawn.items()}
    for number in by_hand:
        begun = [s.number for s in facts.stages if number in opened and s.started_at and s.started_at <= opened[number]]
        before = [found[other] for other in found if other < number]
        found[number] = begun[-1] if begun else max(before, default=facts.stages[0].number)
    return found


def _everybody_somewhere(stages: Sequence[BegunStage], numbers: Iterable[int]) -> None:
    """Who came late and is in no stage stands in the first one, in its last pool where it has several."""
    known = {number for stage in stages for number in stage.members}
    first = stages[0]
    for number in numbers:
        if number not in known:
            first.members[number] = first.pools if first.pools > 1 else None


def _place_penalties(whole: Table, stages: Sequence[BegunStage], facts: Facts) -> None:
    penalised = [entry["number"] for entry in whole["entries"] if entry.get("penalty")]
    ranking = [stage for stage in stages if not stage.is_knockout]
    given = facts.penalised(penalised) if penalised and len(ranking) > 1 else {}
    for number in penalised:
        played = [stage for stage in ranking if number in stage.members]
        at = given.get(number)
        begun = [stage for stage in played if at and stage.started_at and stage.started_at <= at]
        for stage in begun[-1:] or played[:1]:
            stage.penalised.add(number)


def _ranking(
    whole: Table, stage: BegunStage, of_round: Mapping[int, int], half: Callable[[Sequence[Table]], int] | None
) -> dict[str, Any]:
    pools = sorted({pool or 1 for pool in stage.members.values()} | set(range(1, stage.pools + 1)))
    parties = _of_stage(whole["parties"], stage, of_round)
    byes = _of_stage(whole["byes"], stage, of_round)
    rules = {name: whole[name] for name in RULES if name in whole}
    if half is not None:
        rules["minimum"] = half(parties)
    said: dict[str, Any] = {"kind": "ranking", "name": stage.name, "pools": []}
    for pool in pools:
        inside = {number for number, of_entry in stage.members.items() if (of_entry or 1) == pool}
        said["pools"].append(
            {
                "format": whole["format"],
                **rules,
                "entries": _entries(whole, inside, stage.penalised),
                "parties": [one for one in parties if all(inside.issuperset(side) for side in sides(one))],
                "byes": [one for one in byes if one["entry"] in inside],
            }
        )
    return said


def _knockout(
    whole: Table, stage: BegunStage, of_round: Mapping[int, int], drawn: Mapping[int, DrawnRound]
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


def _of_stage(found: Iterable[dict[str, Any]], stage: BegunStage, of_round: Mapping[int, int]) -> list[dict[str, Any]]:
    return [one for one in found if of_round.get(one["round"]) == stage.number]


def _entries(whole: Table, inside: set[int], penalised: set[int]) -> list[dict[str, Any]]:
    found = []
    for entry in whole["entries"]:
        if entry["number"] in inside:
            here = entry["number"] in penalised
            found.append({name: value for name, value in entry.items() if here or name != "penalty"})
    return found

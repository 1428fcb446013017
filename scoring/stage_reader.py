"""The strict reader of `etapes/1`: a decoded JSON object in, a `StagesDocument` out, or a refusal (STANDINGS 5).

Refusals are those of `classement/1`, `RankingError` with the path of the very member. Besides what that format asks:

- pools of a stage have the same table and keys: everything but their entries, parties and byes;
- an entry stands in one pool of a stage;
- `carry_over` "qualified" needs a ranking stage before it, with the same `table` and `decided_by`;
- the `entries` of an `extra` manche are sides of its partie, two or more.
"""

from typing import cast, get_args

from scoring.partie_reader import numbers, read_manche, read_partie
from scoring.ranking_document import DecidedBy, RankingDocument, RankingError
from scoring.ranking_reader import read, read_byes, read_entries
from scoring.ranking_shapes import At, fresh_number, items, members, one_of, path, refuse, text, whole
from scoring.stage_document import (
    CarryOver,
    ExtraManche,
    KnockoutPartie,
    KnockoutStage,
    RankingStage,
    Stage,
    StagesDocument,
)

FORMAT = "etapes/1"

KINDS = ("ranking", "knockout")
RULES = ("table", "decided_by", "primary", "tie_breaks", "scale", "best_n", "minimum", "secret")
"""What the pools of a stage have in common."""


def read_stages(document: object) -> StagesDocument:
    """Read a decoded document; `RankingError`, and nothing else, is raised for one that does not fit."""
    given = members(document, (), required=("format", "stages"))
    if text(given["format"], ("format",)) != FORMAT:
        refuse(("format",), f'is not "{FORMAT}"')
    stages: list[Stage] = []
    for place, item in enumerate(items(given["stages"], ("stages",))):
        stages.append(_stage(item, ("stages", place), stages[-1] if stages else None))
    if not stages:
        refuse(("stages",), "is empty")
    return StagesDocument(tuple(stages))


def _stage(item: object, at: At, before: Stage | None) -> Stage:
    kind = item.get("kind", "ranking") if type(item) is dict else "ranking"
    if one_of(kind, (*at, "kind"), KINDS) == "knockout":
        return _knockout(item, at)
    return _ranking(item, at, before)


def _ranking(item: object, at: At, before: Stage | None) -> RankingStage:
    given = members(item, at, required=("kind", "pools"), optional=("name", "carry_over"))
    pools: list[RankingDocument] = []
    for place, pool in enumerate(items(given["pools"], (*at, "pools"))):
        pools.append(_pool(pool, (*at, "pools", place), pools))
    if not pools:
        refuse((*at, "pools"), "is empty")
    carry_over = one_of(given.get("carry_over", "none"), (*at, "carry_over"), get_args(CarryOver))
    if carry_over == "qualified":
        _fits_to_carry(before, pools[0], (*at, "carry_over"))
    return RankingStage(
        name=text(given.get("name", ""), (*at, "name")),
        pools=tuple(pools),
        carry_over=cast("CarryOver", carry_over),
    )


def _pool(item: object, at: At, others: list[RankingDocument]) -> RankingDocument:
    try:
        pool = read(item)
    except RankingError as fault:
        where = ".".join(part for part in (path(at), fault.at) if part).replace(".[", "[")
        raise RankingError(where, fault.why) from None
    for name in RULES if others else ():
        if getattr(pool, name) != getattr(others[0], name):
            refuse((*at, name), "is not as in the first pool")
    for number, other in enumerate(others):
        known = {entry.number for entry in other.entries}
        for place, entry in enumerate(pool.entries):
            if entry.number in known:
                refuse((*at, "entries", place, "number"), f"is {entry.number}, which stands in pools[{number}] too")
    return pool


def _fits_to_carry(before: Stage | None, pool: RankingDocument, at: At) -> None:
    if not isinstance(before, RankingStage):
        refuse(at, 'is "qualified", and no ranking stage is before')
    for name in ("table", "decided_by"):
        if getattr(before.pools[0], name) != getattr(pool, name):
            refuse(at, f'is "qualified", and the stage before has another {name}')


def _knockout(item: object, at: At) -> KnockoutStage:
    given = members(
        item,
        at,
        required=("kind", "table", "decided_by", "entries", "parties"),
        optional=("name", "advance", "byes"),
    )
    table = whole(given["table"], (*at, "table"), 2, 4)
    decided_by = cast("DecidedBy", one_of(given["decided_by"], (*at, "decided_by"), get_args(DecidedBy)))
    entries = read_entries(given["entries"], (*at, "entries"))
    known = frozenset(entry.number for entry in entries)
    parties: dict[int, KnockoutPartie] = {}
    for place, one in enumerate(items(given["parties"], (*at, "parties"))):
        here = (*at, "parties", place)
        read_one = _table(one, here, known, table, decided_by)
        fresh_number(read_one.partie.number, (*here, "number"), parties)
        parties[read_one.partie.number] = read_one
    played = tuple(parties.values())
    return KnockoutStage(
        name=text(given.get("name", ""), (*at, "name")),
        table=table,
        decided_by=decided_by,
        advance=whole(given.get("advance", 1), (*at, "advance"), 1, table - 1),
        entries=entries,
        parties=played,
        byes=read_byes(given.get("byes", []), (*at, "byes"), entries, tuple([one.partie for one in played])),
    )


def _table(item: object, at: At, known: frozenset[int], table: int, decided_by: DecidedBy) -> KnockoutPartie:
    partie = read_partie(item, at, known, table, decided_by, more=("extra", "place"))
    given = cast("dict[str, object]", item)
    return KnockoutPartie(
        partie=partie,
        extra=_extra(given["extra"], (*at, "extra"), partie.entries, decided_by) if "extra" in given else None,
        place=whole(given["place"], (*at, "place"), 1) if "place" in given else None,
    )


def _extra(item: object, at: At, sides: tuple[int, ...], decided_by: DecidedBy) -> ExtraManche:
    if type(item) is not dict or "entries" not in item:
        members(item, at, required=("entries",))
    entries = numbers(cast("dict[str, object]", item)["entries"], (*at, "entries"), sides, "no entry of this partie")
    if len(entries) < 2:
        refuse((*at, "entries"), "has fewer than two entries")
    return ExtraManche(entries, read_manche(item, at, entries, decided_by, more=("entries",)))

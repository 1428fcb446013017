"""The strict reader of one partie of a ranking document, whatever document it stands in (STANDINGS 5 and 7)."""

from collections.abc import Container, Sequence
from typing import cast, get_args

from engine.notation import LARGEST
from scoring.ranking_document import DecidedBy, Manche, Partie, Status
from scoring.ranking_shapes import At, items, members, one_of, refuse, whole


def read_partie(
    item: object, at: At, known: frozenset[int], table: int, decided_by: DecidedBy, more: Sequence[str] = ()
) -> Partie:
    """A partie at a path of a document whose entries are `known`; members named in `more` may stand in it too."""
    sitting = "teams" if type(item) is dict and "teams" in item else "entries"
    given = members(item, at, ("number", "round", sitting, "manches"), ("forfeits", "status", *more))
    number = whole(given["number"], (*at, "number"), 1)
    teams = _teams(given["teams"], (*at, "teams"), known, table) if sitting == "teams" else None
    entries = (
        tuple([team[0] for team in teams]) if teams else _sitting(given["entries"], (*at, "entries"), known, table)
    )
    return Partie(
        number=number,
        round=whole(given["round"], (*at, "round"), 1),
        entries=entries,
        manches=_manches(given["manches"], (*at, "manches"), entries, decided_by),
        forfeits=_forfeits(given.get("forfeits", []), (*at, "forfeits"), entries),
        status=cast("Status", one_of(given.get("status", "closed"), (*at, "status"), get_args(Status))),
        teams=teams,
    )


def _teams(value: object, at: At, known: frozenset[int], table: int) -> tuple[tuple[int, ...], ...]:
    """Teams made for one partie: as many as a table has or one less, all of one size, nobody in two of them."""
    teams = [
        numbers(team, (*at, place), known, "the number of no entry") for place, team in enumerate(items(value, at))
    ]
    if not max(2, table - 1) <= len(teams) <= table:
        refuse(at, f"has {len(teams)} teams at tables of {table}")
    seen: set[int] = set()
    for place, team in enumerate(teams):
        if not team:
            refuse((*at, place), "is empty")
        if len(team) != len(teams[0]):
            refuse((*at, place), f"has {len(team)} partners and not {len(teams[0])} as the first")
        if not seen.isdisjoint(team):
            refuse(at, "has an entry twice")
        seen.update(team)
    return tuple(teams)


def _sitting(value: object, at: At, known: frozenset[int], table: int) -> tuple[int, ...]:
    entries = numbers(value, at, known, "the number of no entry")
    if not max(2, table - 1) <= len(entries) <= table:
        refuse(at, f"has {len(entries)} entries at tables of {table}")
    return entries


def _forfeits(value: object, at: At, entries: tuple[int, ...]) -> frozenset[int]:
    return frozenset(numbers(value, at, entries, "no entry of this partie"))


def numbers(value: object, at: At, known: Container[int], fault: str) -> tuple[int, ...]:
    """A list of known numbers, each once; `fault` says what is wrong with another."""
    given = [whole(item, (*at, place)) for place, item in enumerate(items(value, at))]
    for place, number in enumerate(given):
        if number not in known:
            refuse((*at, place), f"is {number}, {fault}")
    if len(set(given)) < len(given):
        refuse(at, "has an entry twice")
    return tuple(given)


def _manches(value: object, at: At, entries: tuple[int, ...], decided_by: DecidedBy) -> tuple[Manche, ...]:
    return tuple([read_manche(item, (*at, place), entries, decided_by) for place, item in enumerate(items(value, at))])


def read_manche(
    item: object, at: At, entries: tuple[int, ...], decided_by: DecidedBy, more: Sequence[str] = ()
) -> Manche:
    """A manche of the sides named by `entries`; members named in `more` stand in it too."""
    figures = ("km", "winner", "coups_fourres", *more)
    required, optional = (("points", *figures), ()) if decided_by == "points" else (figures, ("points",))
    given = members(item, at, required, optional)
    names = tuple(map(str, entries))
    return Manche(
        points=_figures(given["points"], (*at, "points"), names, -LARGEST) if "points" in given else None,
        km=_figures(given["km"], (*at, "km"), names, 0),
        coups_fourres=_figures(given["coups_fourres"], (*at, "coups_fourres"), names, 0),
        winner=_winner(given["winner"], (*at, "winner"), entries),
    )


def _winner(value: object, at: At, entries: tuple[int, ...]) -> int | None:
    if value is None:
        return None
    number = whole(value, at)
    if number not in entries:
        refuse(at, f"is {number}, no entry of this partie")
    return number


def _figures(value: object, at: At, names: tuple[str, ...], lowest: int) -> tuple[int, ...]:
    given = members(value, at, required=names)
    return tuple([whole(given[name], (*at, name), lowest) for name in names])

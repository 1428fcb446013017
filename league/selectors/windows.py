"""Lists for programs: a window begins after, or ends before, a row's own keys, so it neither skips nor repeats rows
while others are written, and costs the same wherever it stands. Pages for people are numbered: league.selectors.paging.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from league.selectors.paging import SIZE

T = TypeVar("T")
M = TypeVar("M", bound=Model)
R = TypeVar("R")

Key = tuple[int | str, ...]
"""What a list is ordered by, of one row; unique in the list."""


class BadKeyError(ValueError):
    """A key that cannot be one of this list's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which part of a list is asked for: `size` rows after a key, or before one; without either from the beginning."""

    size: int = SIZE
    after: Key | None = None
    before: Key | None = None


@dataclass(frozen=True, slots=True)
class Window(Generic[T]):
    """Some items of a list in their order; how to ask for those before and after, None at the ends."""

    items: Sequence[T]
    previous: Asked | None
    next: Asked | None


def window(rows: QuerySet[M], asked: Asked, order: Sequence[tuple[str, type]], shape: Callable[[M], T]) -> Window[T]:
    """A window of rows, in one query and those of their prefetches.

    `order`: the columns with the types of their values, all ascending or, each with a minus sign, all descending.
    Raises BadKeyError.
    """
    descending = order[0][0].startswith("-")
    columns = [name.removeprefix("-") for name, _type in order]
    key = asked.after if asked.before is None else asked.before
    if key is not None:
        _check(key, [type_ for _name, type_ in order])
        rows = rows.filter(_beyond(columns, key, "lt" if descending == (asked.before is None) else "gt"))
    rows = rows.order_by(*(name for name, _type in order))
    found = list((rows if asked.before is None else rows.reverse())[: asked.size + 1])
    return _cut(found, asked, lambda row: tuple(getattr(row, name) for name in columns), shape)


def window_of(items: Sequence[T], asked: Asked, key_of: Callable[[T], Key]) -> Window[T]:
    """A window of a list that is at hand whole, ascending by its keys. Raises BadKeyError."""
    key = asked.after if asked.before is None else asked.before
    if key is not None:
        _check(key, [type(part) for part in (key_of(items[0]) if items else key)])
        items = [item for item in items if (key_of(item) > key if asked.before is None else key_of(item) < key)]
    found = list(items if asked.before is None else reversed(items))[: asked.size + 1]
    return _cut(found, asked, key_of, lambda item: item)


def _cut(found: list[R], asked: Asked, key_of: Callable[[R], Key], shape: Callable[[R], T]) -> Window[T]:
    """From up to one row more than was asked for, in the direction of reading, to the window."""
    more = len(found) > asked.size
    found = found[: asked.size]
    forwards = asked.before is None
    if not forwards:
        found.reverse()
    has_previous, has_next = (asked.after is not None, more) if forwards else (more, True)
    return Window(
        items=[shape(row) for row in found],
        previous=Asked(asked.size, before=key_of(found[0])) if found and has_previous else None,
        next=Asked(asked.size, after=key_of(found[-1])) if found and has_next else None,
    )


def _beyond(columns: Sequence[str], key: Key, than: str) -> Q:
    """Rows whose columns, compared as a tuple, are greater (`gt`) or less (`lt`) than the key."""
    beyond = Q()
    level: dict[str, Any] = {}
    for column, value in zip(columns, key, strict=True):
        beyond |= Q(**level, **{f"{column}__{than}": value})
        level[column] = value
    # says nothing new, but lets the database go straight to the place in its index
    return Q(**{f"{columns[0]}__{than}e": key[0]}) & beyond


def _check(key: Key, types: Sequence[type]) -> None:
    if [type(part) for part in key] != list(types) or any(isinstance(part, str) and "\0" in part for part in key):
        raise BadKeyError

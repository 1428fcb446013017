"""Lists come in pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

T = TypeVar("T")
M = TypeVar("M", bound=Model)

SIZE = 20
LARGEST = 100


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of `total` items, in their order: those of page `number` (from 1) of `size` each."""

    items: Sequence[T]
    number: int
    size: int
    total: int

    @property
    def pages(self) -> int:
        """How many pages there are: one at least."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int:
        """The place of the first item among all, from 1; 0 on an empty page."""
        return (self.number - 1) * self.size + 1 if self.items else 0

    @property
    def has_next(self) -> bool:
        """Whether another page follows."""
        return self.number < self.pages

    @property
    def has_previous(self) -> bool:
        """Whether another page stands before."""
        return self.number > 1


def bounds(number: int, size: int, most: int = LARGEST) -> tuple[int, int]:
    """Page number and size as they can be served: from 1 on, `size` at most `most`."""
    return max(1, number), min(max(1, size), most)


def paged(rows: QuerySet[Any], number: int, size: int, shape: Callable[[Sequence[Any]], Sequence[T]]) -> Page[T]:
    """A page of rows in the query's order, in two queries and those of `shape`, which gets the whole page at once."""
    number, size = bounds(number, size)
    total = rows.order_by().count()
    first = (number - 1) * size
    found = list(rows[first : first + size]) if first < total else []
    return Page(shape(found), number, size, total)

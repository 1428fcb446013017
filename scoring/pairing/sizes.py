"""How many tables a round has, of which size, and how many are left over (STANDINGS 2)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """`full` tables of T, `short` tables of T−1, and `byes`."""

    full: int
    short: int
    byes: int


def sizes(entries: int, *, table: int, short_tables: bool) -> Sizes:
    """The sizes of a round of so many entries: fewest byes, then fewest short tables.

    Without short tables N mod T are left over. With them N is made of tables of T and, as few as possible, of T−1;
    where that cannot be done (one entry; 2 or 5 at tables of four) N mod T are left over as well. A table of one is no
    table, so that short tables change nothing at tables of two. Raises ValueError unless T is 2, 3 or 4.

    >>> sizes(4, table=3, short_tables=True), sizes(5, table=4, short_tables=True)
    (Sizes(full=0, short=2, byes=0), Sizes(full=1, short=0, byes=1))
    """
    if table not in (2, 3, 4):
        raise ValueError(f"tables of {table}: only two, three and four")
    short = -entries % table
    if short_tables and table > 2 and short * (table - 1) <= entries:
        return Sizes((entries - short * (table - 1)) // table, short, 0)
    return Sizes(entries // table, 0, entries % table)

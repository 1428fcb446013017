"""The strict reader of `classement/1`: a decoded JSON object in, a `RankingDocument` out, or a refusal (STANDINGS 7).

Whatever does not fit is refused with the path of the very member; nothing is repaired or passed over. Where
STANDINGS 7 leaves it open:

- a member that the format does not have is refused at every level, since a misspelt `forfeits` would quietly rank
  otherwise; `scale`, `best_n`, `minimum` and `secret` may stand where no chosen key asks for them;
- numbers of entries, parties and rounds count from 1 and are not given twice; whole numbers stay within ±10⁹,
  as in logs;
  `scale` and `penalty` may have six decimals; penalties, km and coups-fourrés are not negative, points may be;
- a partie has as many entries as the championship's tables, or one less, and never one alone;
- in a mêlée it has `teams` instead of `entries`: lists of the numbers of partners, as many of them in each; a team is
  named by its first number in `forfeits`, `winner` and the figures;
- an entry has at most one bye a round, and none in a round where it sits in a partie that is not void; `share` of a bye
  is from 0 to 1, with up to six decimals, 1 where it is left out;
- `points` may be left out of a manche where manches decide: there are rulebooks without points.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import cast, get_args

from scoring.partie_reader import read_partie
from scoring.ranking_document import Bye, DecidedBy, Entry, Partie, RankingDocument
from scoring.ranking_shapes import At, exact, fresh_number, items, members, one_of, refuse, text, truth, whole
from scoring.tiebreaks import PRIMARY_KEYS, TIE_BREAKS, Key

FORMAT = "classement/1"

TABLES = (2, 3, 4)
"""How many entries a table may have in some rulebook (RULES 3)."""


def read(document: object) -> RankingDocument:
    """Read a decoded document; `RankingError`, and nothing else, is raised for one that does not fit."""
    given = members(
        document,
        (),
        required=("format", "table", "decided_by", "primary", "tie_breaks", "entries", "parties"),
        optional=("byes", "scale", "best_n", "minimum", "secret"),
    )
    if text(given["format"], ("format",)) != FORMAT:
        refuse(("format",), f'is not "{FORMAT}"')
    table = whole(given["table"], ("table",), TABLES[0], TABLES[-1])
    decided_by = cast("DecidedBy", one_of(given["decided_by"], ("decided_by",), get_args(DecidedBy)))
    primary = _key(given["primary"], ("primary",), PRIMARY_KEYS, decided_by)
    tie_breaks = _tie_breaks(given["tie_breaks"], primary, decided_by)
    for key in (primary, *tie_breaks):
        if key.needs and key.needs not in given:
            refuse((key.needs,), f"is missing, and {key.name} needs it")
    entries = read_entries(given["entries"], ("entries",))
    parties = _parties(given["parties"], frozenset(entry.number for entry in entries), table, decided_by)
    return RankingDocument(
        table=table,
        decided_by=decided_by,
        primary=primary.name,
        tie_breaks=tuple(key.name for key in tie_breaks),
        entries=entries,
        parties=parties,
        byes=read_byes(given.get("byes", []), ("byes",), entries, parties),
        scale=_scale(given["scale"], table) if "scale" in given else None,
        best_n=whole(given["best_n"], ("best_n",), 1) if "best_n" in given else None,
        minimum=whole(given["minimum"], ("minimum",), 0) if "minimum" in given else None,
        secret=text(given["secret"], ("secret",)) if "secret" in given else None,
    )


def _key(value: object, at: At, table: Mapping[str, Key], decided_by: DecidedBy) -> Key:
    key = table[one_of(value, at, tuple(table))]
    if decided_by not in key.decided_by:
        refuse(at, f"is {key.name}, which is not offered where {decided_by} decide")
    return key


def _tie_breaks(value: object, primary: Key, decided_by: DecidedBy) -> tuple[Key, ...]:
    keys: list[Key] = []
    for place, name in enumerate(items(value, ("tie_breaks",))):
        at = ("tie_breaks", place)
        key = _key(name, at, TIE_BREAKS, decided_by)
        if key.name == primary.name:
            refuse(at, f"is {key.name}, the primary key, again")
        if key in keys:
            refuse(at, f"is {key.name} a second time")
        keys.append(key)
    return tuple(keys)


def _scale(value: object, table: int) -> tuple[Fraction, ...]:
    numbers = items(value, ("scale",))
    if len(numbers) != table:
        refuse(("scale",), f"has {len(numbers)} numbers for tables of {table}")
    return tuple(exact(number, ("scale", place)) for place, number in enumerate(numbers))


def read_entries(value: object, at: At) -> tuple[Entry, ...]:
    """The list of those who are ranked, at a path."""
    entries: dict[int, Entry] = {}
    for place, item in enumerate(items(value, at)):
        here = (*at, place)
        given = members(item, here, required=("number", "name"), optional=("penalty", "withdrawn"))
        number = fresh_number(given["number"], (*here, "number"), entries)
        entries[number] = Entry(
            number=number,
            name=text(given["name"], (*here, "name")),
            penalty=exact(given.get("penalty", 0), (*here, "penalty"), lowest=0),
            withdrawn=truth(given.get("withdrawn", False), (*here, "withdrawn")),
        )
    return tuple(entries.values())


def _parties(value: object, known: frozenset[int], table: int, decided_by: DecidedBy) -> tuple[Partie, ...]:
    parties: dict[int, Partie] = {}
    for place, item in enumerate(items(value, ("parties",))):
        at = ("parties", place)
        partie = read_partie(item, at, known, table, decided_by)
        fresh_number(partie.number, (*at, "number"), parties)
        parties[partie.number] = partie
    return tuple(parties.values())


def read_byes(value: object, at: At, entries: tuple[Entry, ...], parties: tuple[Partie, ...]) -> tuple[Bye, ...]:
    """The list of byes, at a path, held against the entries and against who sits in which round."""
    known = {entry.number for entry in entries}
    sitting = [partie for partie in parties if partie.counts or partie.status == "open"]
    busy = {(partie.round, entry): partie.number for partie in sitting for entry in partie.everybody}
    byes: dict[tuple[int, int], Bye] = {}
    for place, item in enumerate(items(value, at)):
        here = (*at, place)
        given = members(item, here, required=("round", "entry"), optional=("share",))
        bye = Bye(
            whole(given["round"], (*here, "round"), 1),
            whole(given["entry"], (*here, "entry")),
            exact(given.get("share", 1), (*here, "share"), lowest=0),
        )
        if bye.share > 1:
            refuse((*here, "share"), "is more than a whole bye")
        if bye.entry not in known:
            refuse((*here, "entry"), f"is {bye.entry}, the number of no entry")
        if (bye.round, bye.entry) in byes:
            refuse(here, f"is a second bye of entry {bye.entry} in round {bye.round}")
        if (bye.round, bye.entry) in busy:
            refuse(
                here, f"is of entry {bye.entry}, which sits in partie {busy[bye.round, bye.entry]} in round {bye.round}"
            )
        byes[bye.round, bye.entry] = bye
    return tuple(byes.values())

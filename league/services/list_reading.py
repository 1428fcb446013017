"""A file with a list, read into entries: who stands in it, on which lines, and what is wrong with each line.

Nothing is compared with what is known (league/selectors/imports.py) and nothing is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from league.errors import UserFault
from league.listed import Listed, ListedPlayer
from league.names import fold, tidy
from league.services.list_columns import Column, column_of
from league.services.list_files import FileLine, lines_of

_YES = frozenset(("1", "x", "v", "o", "oui", "y", "yes", "vrai", "true", "mineur", "mineure", "minor"))
_NO = frozenset(("", "0", "n", "non", "no", "faux", "false", "majeur", "majeure", "adult", "-", "–"))
_LONGEST = {"name": 100, "club": 100, "licence": 30, "email": 254, "team": 120}


@dataclass
class ReadList:
    """A list that was read: its entries, and the titles of the columns that nothing was made of."""

    entries: list[Listed]
    unused: list[str]


def read_list(body: bytes, *, size: int) -> ReadList:
    """Read a list of entries of `size` players. A team of two stands on one line, or on two that name the same team.

    Raises UserFault: what `lines_of` raises, `no-columns` where the first line names no column with names,
    `column-twice`, `only-titles`.
    """
    head, *lines = lines_of(body, known=lambda title: column_of(title) is not None)
    columns = _columns(head)
    if not lines:
        raise UserFault("only-titles", _("Below the titles of the columns the list is empty."), field="file")
    unused = [tidy(title) for title, column in zip(head.cells, columns, strict=True) if column is None and tidy(title)]
    entries = [_entry(line, columns) for line in lines]
    return ReadList(_sized(_put_together(entries, size), size), unused[:20])


def _columns(head: FileLine) -> list[Column | None]:
    columns = [column_of(title) for title in head.cells]
    known = [column for column in columns if column is not None]
    if not any(what in ("name", "surname") for what, _player in known):
        message = _(
            "The first line must name the columns, and one of them must be that of names: Name, Club, Licence, E-mail, "
            "Minor, Team, Number."
        )
        raise UserFault("no-columns", message, field="file")
    for column in known:
        if known.count(column) > 1:
            twice = [title for title, other in zip(head.cells, columns, strict=True) if other == column]
            message = _("Two columns mean the same: %(titles)s.") % {"titles": ", ".join(map(tidy, twice))}
            raise UserFault("column-twice", message, field="file")
    return columns


def _entry(line: FileLine, columns: Sequence[Column | None]) -> Listed:
    entry = Listed()
    said: dict[Column, str] = {}
    for place, cell in enumerate(line.cells):
        if place >= len(columns):
            if tidy(cell):
                entry.faults.append([line.number, "too-many-cells", {}])
                break
        elif (column := columns[place]) is not None:
            said[column] = tidy(cell)
    entry.team = said.get(("team", 0), "")
    number = said.get(("number", 0), "")
    # anything else is a number of somebody else's: it is no fault of the list
    entry.number = int(number) if number.isascii() and number.isdigit() and 0 < len(number) < 10 else None
    _fits(entry, line.number, "team", entry.team)
    alone = _player(line, said, 0)
    people = [alone] if alone.name else []
    for place in (1, 2):
        player = _player(line, said, place)
        if any((player.name, player.licence, player.email)):
            player.club = player.club or alone.club  # one column for both
            people.append(player)
    if people and not alone.name:  # `E-mail` beside `Player 1`, `Player 2`: the first one's
        people[0].licence = people[0].licence or alone.licence
        people[0].email = people[0].email or alone.email
    for player in people or [alone]:
        _judge(entry, player)
    entry.players = people
    _minors(entry, line.number, said, people)
    return entry


def _player(line: FileLine, said: Mapping[Column, str], place: int) -> ListedPlayer:
    def cell(what: str) -> str:
        return said.get((what, place), "")

    # beside a column of first names that of names holds surnames; beside one of surnames it holds first names
    parts = (cell("first"), cell("surname"), cell("name")) if cell("first") else (cell("name"), cell("surname"))
    name = tidy(" ".join(parts))
    licence = "".join(cell("licence").split()).upper()
    return ListedPlayer(line.number, name, cell("club"), licence, cell("email"))


def _judge(entry: Listed, player: ListedPlayer) -> None:
    if not fold(player.name):
        entry.faults.append([player.line, "name-missing", {}])
    for what in ("name", "club", "licence", "email"):
        _fits(entry, player.line, what, getattr(player, what))
    if player.email:
        try:
            validate_email(player.email)
        except ValidationError:
            entry.faults.append([player.line, "bad-email", {"said": player.email[:60]}])


def _fits(entry: Listed, line: int, what: str, text: str) -> None:
    if len(text) > _LONGEST[what] or len(fold(text)) > 2 * _LONGEST[what]:
        entry.faults.append([line, "too-long", {"said": f"{text[:30]}…", "limit": _LONGEST[what]}])


def _minors(entry: Listed, line: int, said: Mapping[Column, str], people: Sequence[ListedPlayer]) -> None:
    for (what, place), cell in said.items():
        if what != "minor":
            continue
        answer = fold(cell).strip(".?!")
        if answer not in _YES and answer not in _NO:
            entry.faults.append([line, "bad-minor", {"said": cell[:30]}])
        elif answer in _YES and people:
            people[min(max(place, 1), len(people)) - 1].minor = True


def _put_together(entries: Iterable[Listed], size: int) -> list[Listed]:
    """Lines of one player each that name the same team become one entry, where entries have two."""
    if size == 1:
        return list(entries)
    found: list[Listed] = []
    teams: dict[str, Listed] = {}
    for entry in entries:
        name = fold(entry.team)
        if len(entry.players) != 1 or not name:
            found.append(entry)
        elif name in teams:
            whole = teams[name]
            whole.players += entry.players
            whole.faults += entry.faults
            whole.number = whole.number or entry.number
        else:
            teams[name] = entry
            found.append(entry)
    return found


def _sized(entries: list[Listed], size: int) -> list[Listed]:
    for entry in entries:
        if not entry.faults and len(entry.players) != size:
            code = "player-missing" if len(entry.players) < size else "too-many-players"
            entry.faults.append([entry.players[-1].line, code, {"size": size}])
    return entries


def fault_in_words(code: str, said: Mapping[str, Any]) -> str:
    """What is wrong with a line, in a sentence for who wrote the list."""
    sentences = {
        "name-missing": _("A name is missing."),
        "too-long": _("“%(said)s” is too long: at most %(limit)s characters."),
        "bad-email": _("“%(said)s” is no e-mail address."),
        "bad-minor": _("“%(said)s” does not say whether somebody is a minor: write yes or no."),
        "too-many-cells": _("There are more cells than the first line has titles."),
        "player-missing": _("A team has %(size)s players here: one is missing."),
        "too-many-players": _("An entry has %(size)s players here: there are more."),
        "in-other-team": _("%(name)s is in another team of this championship: %(team)s."),
        "in-two-entries": _("%(name)s stands in line %(line)s already, in another team."),
        "player-twice": _("The same player stands twice in the team."),
        "licence-taken": _("The licence number %(licence)s is that of %(name)s."),
        "withdrawn-player": _("This profile can no longer be entered."),
    }
    return sentences[code] % said

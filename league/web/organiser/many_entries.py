"""Entering many at once: one entry a line, and for every name that is known or nearly known, the question who it is.

Ana Etxeberria                      a player
Ana Etxeberria / Zoé Martin         a team of two
The Foxes: Ana Etxeberria / Zoé     with a name of its own
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.errors import Faults, UserFault
from league.models import Entry
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.namesakes import namesakes
from league.selectors.people import PlayerLine
from league.services.entries import enter_players
from league.services.people import add_player

MOST_LINES = 100
NEW = "new"
"""The answer to the question who it is: nobody that is known."""

_BETWEEN = re.compile(r"[/+&;\t]")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry to make: the line that says so (from 1), the team's own name if it has one, its players' names."""

    number: int
    team: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class Question:
    """A name that is known, or nearly: is it one of these? `likely`: the player with just this name, if only one is."""

    field: str
    name: str
    known: Sequence[PlayerLine]
    likely: int | None


def read_lines(text: str, size: int, *, two_people: bool = False) -> list[Line]:
    """The entries of a text for teams of `size` players; `two_people`: a name may stand there twice.

    Raises Faults with one fault a line; those about a name that stands there already have the code `same-name`.
    """
    lines = [_line(number, line, size) for number, line in enumerate(text.splitlines(), 1) if tidy(line)]
    faults = [] if lines else [_fault(_("Write at least one name."))]
    if len(lines) > MOST_LINES:
        faults.append(_fault(_("At most %(most)s lines at a time, please.") % {"most": MOST_LINES}))
    faults += [_fault(_of_line(number, what)) for number, what in _wrong(lines, size)]
    if not two_people:
        faults += [_fault(_of_line(number, what), "same-name") for number, what in _repeated(lines)]
    if faults:
        raise Faults(faults)
    return lines


def _line(number: int, text: str, size: int) -> Line:
    if size == 1:
        return Line(number, "", [tidy(text)])
    team, _colon, players = text.rpartition(":")
    return Line(number, tidy(team), [tidy(name) for name in _BETWEEN.split(players)])


def _wrong(lines: Sequence[Line], size: int) -> Iterator[tuple[int, str]]:
    """What is wrong with each line: its number, and why."""
    for line in lines:
        if len(line.players) != size:
            yield line.number, _("a team has %(size)s players, written “one / other”.") % {"size": size}
        for name in line.players:
            if not fold(name):
                yield line.number, _("a name is missing.")


def _repeated(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """The lines with a name that stands before already, accents and case aside."""
    seen: dict[str, int] = {}
    for line in lines:
        for name in filter(fold, line.players):
            first = seen.get(fold(name))
            if first is not None:
                yield line.number, _("%(name)s stands in line %(first)s already.") % {"name": name, "first": first}
            seen.setdefault(fold(name), line.number)


def _of_line(number: int, what: str) -> str:
    return _("Line %(line)s: %(what)s") % {"line": number, "what": what}


def _fault(message: str, code: str = "bad-lines") -> UserFault:
    return UserFault(code, message, field="lines")


def questions(lines: Sequence[Line]) -> list[Question]:
    """Everybody in the lines who may be somebody known, in their order. One query."""
    names = list({fold(name): name for line in reversed(lines) for name in reversed(line.players)}.values())[::-1]
    people = namesakes(names=names).by_name
    found = []
    for name in names:
        known = [one for one in people.get(fold(name), ()) if not one.is_anonymous]
        exact = [one.id for one in known if one.folded == fold(name)]
        if known:
            people_known = [PlayerLine(one.id, one.name, one.club, one.licence) for one in known]
            found.append(Question(field_of(name), name, people_known, exact[0] if len(exact) == 1 else None))
    return found


def field_of(name: str) -> str:
    """The form's field that says who somebody of this name is."""
    return f"who-{fold(name)}"


def enter_lines(*, actor: Actor, championship_id: int, lines: Sequence[Line], who: Mapping[str, str]) -> list[Entry]:
    """Make every entry, players that are new first. `who` has an answer for every question's field.

    All or nothing: raises Faults with one fault a line that cannot be entered.
    """
    faults: list[UserFault] = []
    made = []
    for line in lines:
        try:
            ids = [_player(actor, name, who.get(field_of(name), NEW)) for name in line.players]
            entry = enter_players(actor=actor, championship_id=championship_id, player_ids=ids, name=line.team)
            made.append(entry)
        except UserFault as fault:
            faults.append(_fault(_of_line(line.number, str(fault.message))))
    if faults:
        raise Faults(faults)
    return made


def _player(actor: Actor, name: str, answer: str) -> int:
    return add_player(actor=actor, name=name, homonym=True).pk if answer == NEW else int(answer)

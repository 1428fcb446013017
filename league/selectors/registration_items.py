"""Registrations for programs, with hints about who these people may be.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first: private addresses stand here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.errors import NotFound
from league.models import Championship, Registration
from league.selectors.imports import NEW, EntrySeen, PersonSeen
from league.selectors.registrations import looked_over, people_of
from league.selectors.windows import Asked, Window, window


@dataclass(frozen=True, slots=True)
class PersonItem:
    """Somebody who registered, as typed, and whom they may be.

    `known`: ids of players of this or nearly this name; `likely`: the one who is offered. `player`: who it surely is;
    `is_new`: that it is surely nobody who is known. Without either somebody must say so.
    """

    name: str
    club: str
    licence: str
    email: str
    is_minor: bool
    known: Sequence[int]
    likely: int | None
    player: int | None
    is_new: bool


@dataclass(frozen=True, slots=True)
class RegistrationItem:
    """A registration. `entry`: the number under which it was accepted. `faults`: codes of what keeps it from that.

    `settled`: it can be accepted without a question; None once it is decided.
    """

    id: int
    number: int
    state: str
    team_name: str
    note: str
    people: Sequence[PersonItem]
    settled: bool | None
    faults: Sequence[str]
    reason: str
    entry: int | None
    at: datetime
    decided_at: datetime | None


def registration_items(
    *, championship: Championship, asked: Asked, state: str | None = None
) -> Window[RegistrationItem]:
    """The registrations of a championship by position, those of one state. Four queries."""
    rows = Registration.objects.filter(championship=championship).select_related("entry")
    if state is not None:
        rows = rows.filter(state=state)
    seen = looked_over(championship=championship, answers={})
    return window(rows, asked, [("position", int)], lambda row: _item(row, seen.get(row.pk)))


def registration_item(*, championship: Championship, number: int) -> RegistrationItem:
    """One registration by its position. Four queries. Raises NotFound."""
    rows = Registration.objects.filter(championship=championship, position=number).select_related("entry")
    row = rows.first()
    if row is None:
        raise NotFound
    return _item(row, looked_over(championship=championship, answers={}).get(row.pk))


def _item(row: Registration, seen: EntrySeen | None) -> RegistrationItem:
    typed = people_of(row)
    found = [None] * len(typed) if seen is None else seen.people
    return RegistrationItem(
        id=row.pk,
        number=row.position,
        state=row.state,
        team_name=row.team_name,
        note=row.note,
        people=[
            PersonItem(said.name, said.club, said.licence, said.email, said.minor, *_who(person))
            for said, person in zip(typed, found, strict=False)
        ],
        settled=None if seen is None else seen.kind == "new",
        faults=[] if seen is None else [code for _line, code, _said in seen.faults],
        reason=row.reason,
        entry=row.entry.number if row.entry else None,
        at=row.at,
        decided_at=row.decided_at,
    )


def _who(person: PersonSeen | None) -> tuple[list[int], int | None, int | None, bool]:
    if person is None:
        return [], None, None, False
    known = [int(choice.answer) for choice in person.choices if choice.answer.isdigit()]
    return known, _id(person.likely), _id(person.answer), person.answer == NEW


def _id(answer: str) -> int | None:
    return int(answer) if answer.isdigit() else None

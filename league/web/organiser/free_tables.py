"""Free tables: parties seated by hand, one by one or a whole round at once, and byes (STANDINGS 2)."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.errors import Faults, NotFound, UserFault
from league.models import LABELS, Championship
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.organising import ByeLine, Seatable, seatable, tables_taken
from league.selectors.parties import rounds
from league.services.free_rounds import TableByHand, open_round
from league.services.parties import add_bye, open_partie, remove_bye
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show
from league.web.seen import number_in

MOST_TABLES = 60
"""Tables of one form: a request has at most 500 fields."""


class SeatsForm(DeedForm):
    """Who sits at a number of tables: for each a table number and the entries in the order of their seats."""

    fault_fields: ClassVar = {"entries": "1-A", "table_number": "1-table"}

    def __init__(self, *args: Any, entries: list[Seatable], size: int, tables: list[int | None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size, self.tables = size, range(1, len(tables) + 1)
        offered = [("", "—"), *((entry.id, _shown(entry)) for entry in entries)]
        for table, number in zip(self.tables, tables, strict=True):
            self.fields[f"{table}-table"] = forms.IntegerField(
                label=_("Table"), required=False, min_value=1, max_value=9999, initial=number
            )
            for label in LABELS[:size]:
                self.fields[f"{table}-{label}"] = forms.TypedChoiceField(
                    label=_("Seat %(label)s") % {"label": label},
                    required=False,
                    coerce=int,
                    empty_value=None,
                    choices=offered,
                )

    def rows(self) -> Iterator[tuple[int, forms.BoundField, list[forms.BoundField]]]:
        """Each table: its place in the form, its number's field and its seats' fields."""
        for table in self.tables:
            yield table, self[f"{table}-table"], [self[f"{table}-{label}"] for label in LABELS[: self.size]]


def seated(said: dict[str, Any], tables: int, size: int) -> Iterator[tuple[int, int | None, list[int]]]:
    """Each table at which somebody was seated: its place in the form, its number, the entries in order."""
    for table in range(1, tables + 1):
        chosen = [said.get(f"{table}-{label}") for label in LABELS[:size]]
        if any(chosen):
            yield table, said.get(f"{table}-table"), [entry for entry in chosen if entry]


def _shown(entry: Seatable) -> str:
    name = f"{entry.number} · {entry.team}"
    return _("%(entry)s (has played in this round)") % {"entry": name} if entry.met else name


class OpenForm(SeatsForm):
    """One partie."""

    round = forms.IntegerField(label=gettext_lazy("Round"), min_value=1, max_value=999)


class WholeRoundForm(SeatsForm):
    """A whole round."""

    byes = forms.BooleanField(label=gettext_lazy("Whoever is left over has a bye"), required=False)


class ByeForm(DeedForm):
    """A bye."""

    entry = forms.TypedChoiceField(label=gettext_lazy("Entry"), coerce=int)

    def __init__(self, *args: Any, entries: list[Seatable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].choices = [(e.id, _shown(e)) for e in entries if not e.met]  # type: ignore[attr-defined]


class RemoveByeForm(DeedForm):
    """A bye taken away."""

    bye = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300)


def free_deeds(
    request: Asked, found: Championship, number: int, free: list[Seatable], byes: list[ByeLine]
) -> dict[str, Deed]:
    """What is done by hand in a round: a partie opened, byes given and taken away."""

    def here(round_: int) -> str:
        return f"{reverse('organise-parties', args=[found.slug])}?round={round_}"

    def seat_one(said: dict[str, Any]) -> Done:
        tables = list(seated(said, 1, found.table_entries))
        _place, table_number, entries = tables[0] if tables else (1, None, [])
        partie = open_partie(
            actor=request.actor,
            championship_id=found.pk,
            entry_ids=entries,
            round=said["round"],
            table_number=table_number,
        )
        return Done(_("Partie %(number)s is open.") % {"number": partie.number}, here(said["round"]))

    def give_bye(said: dict[str, Any]) -> Done:
        bye = add_bye(actor=request.actor, entry_id=said["entry"], round=number)
        return Done(_("%(team)s has a bye.") % {"team": bye.entry.team.name}, here(number))

    def take_bye(said: dict[str, Any]) -> Done:
        if said["bye"] not in {bye.id for bye in byes}:
            raise NotFound
        remove_bye(actor=request.actor, bye_id=said["bye"], reason=said["reason"])
        return Done(_("The bye is taken away."), here(number))

    return {
        "open": Deed(
            lambda *args, **kw: OpenForm(*args, entries=free, size=found.table_entries, tables=[None], **kw),
            Action.RUN,
            seat_one,
            {"round": number},
        ),
        "bye": Deed(lambda *args, **kw: ByeForm(*args, entries=free, **kw), Action.RUN, give_bye),
        "remove_bye": Deed(RemoveByeForm, Action.RUN, take_bye),
    }


@for_organisers
def whole_round(request: Asked, slug: str) -> HttpResponse:
    """Open a whole round: every table at once, in the order of numbers unless changed, and byes for those left over."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    played = rounds(championship=found)
    number = number_in(request, "round", played[-1].number + 1 if played else 1)
    free = seatable(championship=found, round_number=number)
    waiting = [entry for entry in free if not entry.met]
    size = found.table_entries
    count = min(len(waiting) // size + (found.allow_short_tables and len(waiting) % size > 0), MOST_TABLES)
    numbers = _free_tables(tables_taken(championship=found, round_number=number), count)

    def open_all(said: dict[str, Any]) -> Done:
        opened, given = _open_all(request, found, number, said, count)
        text = ngettext("%(n)s partie is open.", "%(n)s parties are open.", opened) % {"n": opened}
        if given:
            text += " " + ngettext("%(n)s bye is given.", "%(n)s byes are given.", given) % {"n": given}
        return Done(text, f"{reverse('organise-parties', args=[slug])}?round={number}")

    initial: dict[str, Any] = {"byes": True}
    for place, entry in enumerate(waiting[: count * size]):
        initial[f"{place // size + 1}-{LABELS[place % size]}"] = entry.id
    deed = Deed(
        lambda *args, **kw: WholeRoundForm(*args, entries=free, size=size, tables=numbers, **kw),
        Action.RUN,
        open_all,
        initial,
    )
    deeds = Deeds(request, found, {"open": deed})
    if answer := deeds.answer():
        return answer
    context = {"number": number, "form": deeds.forms["open"], "waiting": waiting, "left": len(waiting) - count * size}
    return show(request, "round.html", found, "parties", context, deeds)


def _free_tables(taken: set[int], count: int) -> list[int | None]:
    """The first table numbers that nobody uses."""
    free: list[int | None] = []
    number = 1
    while len(free) < count:
        if number not in taken:
            free.append(number)
        number += 1
    return free


def _open_all(request: Asked, found: Championship, number: int, said: dict[str, Any], count: int) -> tuple[int, int]:
    """Open every table that has somebody, and give the byes; all or nothing. How many of each."""
    tables = list(seated(said, count, found.table_entries))
    try:
        opened, left = open_round(
            actor=request.actor,
            championship_id=found.pk,
            round=number,
            tables=[TableByHand(entries, table_number) for _place, table_number, entries in tables],
            byes=said["byes"],
        )
    except UserFault as fault:
        raise Faults([_in_form(each, tables) for each in fault.faults]) from None
    return len(opened), len(left)


def _in_form(fault: UserFault, tables: list[tuple[int, int | None, list[int]]]) -> UserFault:
    """A fault at the field of its table; without one at the first seat."""
    at, _bracket, member = (fault.field or "").removeprefix("tables[").partition("].")
    place = tables[int(at)][0] if at.isdecimal() else 1
    return UserFault(fault.code, fault.message, field=f"{place}-table" if member == "number" else f"{place}-A")

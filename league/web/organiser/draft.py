"""The draft of a round: looked over, changed by hand, drawn again, discarded, published. Only organisers see it."""

from typing import Any, Final

from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.errors import UserFault
from league.models import Championship, Round
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.drafts import DraftTable, DraftView, draft_view
from league.selectors.stages import draft_of, still_open
from league.services.drafts import ABSENT, BYES, NEW, discard_draft, move, number_table, swap, turn
from league.services.draws import redraw
from league.services.rounds import publish_round
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, Deeds, Done, VersionForm, new_key
from league.web.organiser.draft_words import in_words
from league.web.organiser.shown import show

LARGEST: Final = 9999


class ChosenForm(VersionForm):
    """Entries that were marked on the page."""

    chosen = forms.TypedMultipleChoiceField(label=gettext_lazy("Entries"), coerce=int, required=False)

    def __init__(self, *args: Any, numbers: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["chosen"].choices = [(number, str(number)) for number in numbers]  # type: ignore[attr-defined]

    def lay_fault(self, fault: UserFault) -> None:
        """The marks stand all over the page: what is wrong stands above it."""
        for each in fault.faults:
            self.add_error(None, str(each.message))


class SwapForm(ChosenForm):
    """Two entries that change places."""

    def clean_chosen(self) -> list[int]:
        """Exactly two."""
        chosen: list[int] = self.cleaned_data["chosen"]
        if len(chosen) != 2:
            raise forms.ValidationError(_("Mark exactly two entries, then swap them."), code="two")
        return chosen


class MoveForm(ChosenForm):
    """Entries that go somewhere else."""

    to = forms.ChoiceField(label=gettext_lazy("Where to"), required=False)

    def __init__(self, *args: Any, places: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].choices = places  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Somebody, and where to."""
        said = super().clean() or self.cleaned_data
        if not said.get("chosen"):
            raise forms.ValidationError(_("Mark who is to move."), code="nobody")
        if not said.get("to"):
            raise forms.ValidationError(_("Choose where to."), code="where")
        return said


class TableForm(VersionForm):
    """One table."""

    table = forms.IntegerField(min_value=1, max_value=LARGEST, widget=forms.HiddenInput)


class NumberForm(TableForm):
    """Another number of a table."""

    number = forms.IntegerField(label=gettext_lazy("Number"), min_value=1, max_value=LARGEST)


class PublishForm(VersionForm):
    """Publishing; a reason, if tables that still play are postponed for it."""

    reason = forms.CharField(
        label=gettext_lazy("Postpone the tables that still play, because"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Everybody may read it. Their result is taken in whenever it comes."),
    )


@for_organisers
def draft(request: Asked, slug: str) -> HttpResponse:
    """The draft that there is; back to the round where it was published or discarded meanwhile."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    round_ = draft_of(championship=found)
    if round_ is None:
        return HttpResponseRedirect(reverse("organise-parties", args=[slug]))
    view = draft_view(championship=found, round_=round_)
    deeds = Deeds(request, found, _deeds(request, found, round_, view))
    if answer := deeds.answer():
        return answer
    playing = [
        table or number
        for number, table, postponed in still_open(championship=found, before=round_.number)
        if not postponed
    ]
    context = {
        "draft": view,
        "tables": [(table, [in_words(warned) for warned in table.warnings]) for table in view.tables],
        "warnings": [in_words(warned) for warned in view.warnings],
        "playing": playing,
        "has_kept": any(table.kept for table in view.tables),
        "places": _places(view),
        "fresh": new_key(),
    }
    return show(request, "draft.html", found, "parties", context, deeds)


def _places(view: DraftView) -> list[tuple[str, str]]:
    tables = [(str(table.number), _("table %(n)s") % {"n": table.number}) for table in view.tables if not table.kept]
    others = [(BYES, _("byes")), (ABSENT, _("absent"))]
    return others if view.is_melee else [*tables, (NEW, _("a new table")), *others]


def _numbers(view: DraftView) -> list[int]:
    tables: list[DraftTable] = [table for table in view.tables if not table.kept]
    sitting = [one.number for table in tables for side in table.sides for one in side]
    return [*sitting, *(one.number for one in [*view.byes, *view.absent])]


def _deeds(request: Asked, found: Championship, round_: Round, view: DraftView) -> dict[str, Deed]:
    here: dict[str, Any] = {"actor": request.actor, "round_id": round_.pk}
    seen, numbers = {"version": round_.version}, _numbers(view)

    def swap_two(said: dict[str, Any]) -> Done:
        one, other = said["chosen"]
        swap(**here, version=said["version"], one=one, other=other)
        return Done(_("Entries %(one)s and %(other)s have changed places.") % {"one": one, "other": other})

    def move_them(said: dict[str, Any]) -> Done:
        version: int | None = said["version"]
        to: str | int = said["to"] if said["to"] in (BYES, ABSENT, NEW) else int(said["to"])
        for entry in said["chosen"]:
            moved = move(**here, version=version, entry=entry, to=to)
            version = moved.version
            if to == NEW:
                to = moved.pairing["tables"][-1]["number"]
        n = len(said["chosen"])
        return Done(ngettext("%(n)s entry is moved.", "%(n)s entries are moved.", n) % {"n": n})

    def turn_table(said: dict[str, Any]) -> Done:
        turn(**here, version=said["version"], table=said["table"])
        return Done(_("Table %(n)s: everybody moved up one seat.") % {"n": said["table"]})

    def number_it(said: dict[str, Any]) -> Done:
        number_table(**here, version=said["version"], table=said["table"], to=said["number"])
        return Done(_("Table %(n)s is table %(to)s now.") % {"n": said["table"], "to": said["number"]})

    return {
        "swap": Deed(lambda *args, **kw: SwapForm(*args, numbers=numbers, **kw), Action.RUN, swap_two, seen),
        "move": Deed(
            lambda *args, **kw: MoveForm(*args, numbers=numbers, places=[("", "—"), *_places(view)], **kw),
            Action.RUN,
            move_them,
            seen,
        ),
        "turn": Deed(TableForm, Action.RUN, turn_table, seen),
        "number": Deed(NumberForm, Action.RUN, number_it, seen),
        **_whole(request, found, round_),
    }


def _whole(request: Asked, found: Championship, round_: Round) -> dict[str, Deed]:
    """What is done with the draft as a whole."""
    here: dict[str, Any] = {"actor": request.actor, "round_id": round_.pk}
    seen = {"version": round_.version}
    parties = reverse("organise-parties", args=[found.slug])

    def draw_again(said: dict[str, Any]) -> Done:
        redraw(**here, version=said["version"])
        return Done(_("Drawn again: the same seed, whoever can play now."))

    def discard(said: dict[str, Any]) -> Done:
        discard_draft(**here, version=said["version"])
        return Done(_("The draft is discarded."), parties)

    def publish(said: dict[str, Any]) -> Done:
        publish_round(**here, version=said["version"], postpone_open=said["reason"])
        return Done(
            _("Round %(n)s is published: everybody sees it.") % {"n": round_.number},
            f"{parties}?round={round_.number}",
        )

    return {
        "redraw": Deed(VersionForm, Action.RUN, draw_again, seen),
        "discard": Deed(VersionForm, Action.RUN, discard, seen),
        "publish": Deed(PublishForm, Action.RUN, publish, seen | {"reason": _("The next round begins.")}),
    }

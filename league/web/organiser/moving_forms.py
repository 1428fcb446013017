"""Forms for a result on the wrong table or the wrong side, and what they do."""

from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Kind, Manche, Partie
from league.policy import Action, Actor
from league.selectors.addresses import partie_at
from league.selectors.manches import ResultView
from league.selectors.moved_results import Place, places_for
from league.services.moving import move_result, turn_result
from league.web.organiser.deeds import Deed, Done, ReasonForm


class MoveForm(ReasonForm):
    """Where a result belongs."""

    partie_number = forms.TypedChoiceField(label=gettext_lazy("To which table?"), coerce=int)
    manche_number = forms.IntegerField(label=gettext_lazy("Manche"), min_value=1, max_value=9999)
    field_order = ("partie_number", "manche_number", "reason")

    def __init__(self, *args: Any, partie: Partie, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # looked up where the form is shown or sent, not on every page of a manche
        self.fields["partie_number"].choices = lambda: _choices(partie)  # type: ignore[attr-defined]


def _choices(partie: Partie) -> list[tuple[str, Any]]:
    """The tables, those of this round first, in groups by round."""
    choices: list[tuple[str, Any]] = [("", _("Choose a table"))]
    for number, places in groupby(places_for(partie=partie), key=lambda place: place.round):
        choices.append((_("Round %(number)s") % {"number": number}, [(place.partie, _said(place)) for place in places]))
    return choices


def _said(place: Place) -> str:
    teams = " – ".join(place.teams)
    if place.table_number is None:
        return _("Partie %(partie)s · %(teams)s") % {"partie": place.partie, "teams": teams}
    said = _("Table %(table)s · %(teams)s (partie %(partie)s)")
    return said % {"table": place.table_number, "teams": teams, "partie": place.partie}


class TurnForm(ReasonForm):
    """Whose column each side gets."""

    def __init__(self, *args: Any, teams: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.labels = [label for label, _team in teams]
        for label, team in teams:
            self.fields[f"side-{label}"] = forms.ChoiceField(
                label=_("%(team)s gets the column of") % {"team": team}, choices=teams
            )
        self.order_fields([*(f"side-{label}" for label in self.labels), "reason"])


def turned(labels: list[str]) -> dict[str, str]:
    """What a form for turning begins with: each side has the column of the next.

    >>> turned(["A", "B"])
    {'side-A': 'B', 'side-B': 'A'}
    """
    return {f"side-{label}": column for label, column in zip(labels, labels[1:] + labels[:1], strict=True)}


def moving_deeds(actor: Actor, row: Manche, current: ResultView | None) -> dict[str, Deed]:
    """The deeds of a result: moved, exchanged or turned; what would move is shown before.

    Without a result the move alone, so that one that was sent twice is answered as the first time.
    """
    teams = [(score.label, f"{score.label} · {score.team}") for score in current.scores] if current else []
    labels = [label for label, _team in teams]
    about: dict[str, Any] = {"actor": actor, "manche_id": row.pk}

    def move(said: dict[str, Any]) -> Done:
        answer = move_result(
            **about,
            version=said["version"],
            partie_number=said["partie_number"],
            manche_number=said["manche_number"],
            reason=said["reason"],
        )
        done = _("The result is at partie %(partie)s, manche %(manche)s now.")
        return Done(done % {"partie": answer.partie, "manche": answer.manche})

    def touched(said: dict[str, Any]) -> list[Partie]:
        if said["partie_number"] == row.partie.number:
            return [row.partie]
        try:
            return [row.partie, partie_at(actor, row.partie.championship.slug, said["partie_number"])]
        except NotFound:
            return [row.partie]  # which the service says

    def turn(said: dict[str, Any]) -> Done:
        sides = {label: said[f"side-{label}"] for label in labels}
        turn_result(**about, version=said["version"], sides=sides, reason=said["reason"])
        return Done(_("The columns are turned: a new version stands."))

    seen = {"version": current.version if current else 0}
    deeds = {
        "move": Deed(
            lambda *args, **kw: MoveForm(*args, partie=row.partie, **kw),
            Action.CORRECT,
            move,
            {**seen, "manche_number": row.number},
            touches=touched,
        )
    }
    if current is not None and current.kind == Kind.SHEET:
        deeds["turn"] = Deed(
            lambda *args, **kw: TurnForm(*args, teams=teams, **kw),
            Action.CORRECT,
            turn,
            seen | turned(labels),
            touches=lambda _said: [row.partie],
        )
    return deeds

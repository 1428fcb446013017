"""A manche as its organiser sees it: what stands, every version of it, what was refused, and what is decided."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Manche, MancheStatus, ResultState, SettledHow
from league.policy import Action, require
from league.selectors.addresses import manche_at
from league.selectors.disputes import dispute_of
from league.selectors.handed_in import attempts_of, names_of_results
from league.selectors.manches import MancheView, ResultView, manche_view
from league.selectors.moved_results import moved_away
from league.services.rulings import confirm, penalise, reinstate_manche, settle_claim, void_manche
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.blindly import enters_blind
from league.web.organiser.deeds import Deed, Deeds, Done, ReasonForm, VersionForm
from league.web.organiser.moving_forms import moving_deeds
from league.web.organiser.shown import show
from league.web.result_table import result_table


class SettleForm(ReasonForm):
    """How a claim that differs is settled (RULES 10)."""

    how = forms.ChoiceField(
        label=gettext_lazy("What is right?"),
        choices=[
            (SettledHow.COMPUTED, gettext_lazy("The computed score: the table reckoned wrongly.")),
            (SettledHow.ANOTHER_SHEET, gettext_lazy("The table hands in another sheet.")),
            (SettledHow.REFEREE, gettext_lazy("The referee lets it count, and may penalise besides.")),
        ],
        widget=forms.RadioSelect,
    )
    field_order = ("how", "reason")


class PenaltyForm(ReasonForm):
    """Points off one team's total in this manche (STANDINGS 2)."""

    label = forms.ChoiceField(label=gettext_lazy("Whose total?"))
    points = forms.IntegerField(
        label=gettext_lazy("Points off"), min_value=0, max_value=100_000, help_text=gettext_lazy("0 lifts a penalty.")
    )
    field_order = ("label", "points", "reason")

    def __init__(self, *args: Any, teams: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["label"].choices = teams  # type: ignore[attr-defined]


@for_organisers
def manche(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """What stands for a manche and what waits; the versions before it stay to be seen (`?version=`)."""
    row = manche_at(request.actor, slug, number, manche)
    championship = row.partie.championship
    require(request.actor, Action.LOOK_INSIDE, championship)
    view = manche_view(manche=row, inside=True)
    deeds = Deeds(request, championship, _deeds(request, row, view))
    if answer := deeds.answer():
        return answer
    if request.method == "POST":
        view = manche_view(manche=row, inside=True)  # what stands now, for whoever came second
    shown = _shown(request, view)
    context = {
        "partie": row.partie,
        "manche": view,
        "shown": shown,
        "table": result_table(shown, championship) if shown else None,
        "differences": shown.verdict.get("claim_differences", ()) if shown else (),
        "names": names_of_results(manche=row),
        "gone": moved_away(manche=row),
        "attempts": attempts_of(partie=row.partie, manche=row.number),
        "waits": _waits(view),
        "dispute": dispute_of(manche_id=row.pk) if view.status == MancheStatus.CONTESTED else None,
        "is_second": enters_blind(request, row),
    }
    return show(request, "manche.html", championship, "parties", context, deeds)


def _shown(request: Asked, view: MancheView) -> ResultView | None:
    asked = request.GET.get("version")
    return next((version for version in view.versions if str(version.version) == asked), view.current)


def _waits(view: MancheView) -> str:
    """What the current result waits for: `settle`, `sheet`, `dispute`, `confirm`, or nothing."""
    current = view.current
    if current is None or view.status == MancheStatus.VOID:
        return ""
    if current.state in (ResultState.DIFFERS, ResultState.CONTESTED):
        if current.settled_how == SettledHow.ANOTHER_SHEET:
            return "sheet"
        return "settle" if current.state == ResultState.DIFFERS else "dispute"
    return "confirm" if current.state == ResultState.PENDING else ""


def _deeds(request: Asked, row: Manche, view: MancheView) -> dict[str, Deed]:
    current = view.current
    if current is None:
        return moving_deeds(request.actor, row, None)
    seen = {"version": current.version}
    about: dict[str, Any] = {"actor": request.actor, "manche_id": row.pk}

    def do_confirm(said: dict[str, Any]) -> Done:
        confirm(**about, version=said["version"])
        return Done(_("Confirmed: it counts."))

    def do_settle(said: dict[str, Any]) -> Done:
        settle_claim(**about, version=said["version"], how=said["how"], reason=said["reason"])
        if said["how"] == SettledHow.ANOTHER_SHEET:
            return Done(_("Settled: another sheet is awaited."))
        return Done(_("Settled: it counts."))

    def do_penalise(said: dict[str, Any]) -> Done:
        penalise(**about, version=said["version"], label=said["label"], points=said["points"], reason=said["reason"])
        return Done(_("The penalty is noted.") if said["points"] else _("The penalty is lifted."))

    def do_void(said: dict[str, Any]) -> Done:
        void_manche(**about, version=said["version"], reason=said["reason"])
        return Done(_("The manche is annulled: it counts for nothing."))

    def do_reinstate(said: dict[str, Any]) -> Done:
        reinstate_manche(**about, version=said["version"], reason=said["reason"])
        return Done(_("The manche counts again."))

    teams = [(score.label, f"{score.label} · {score.team}") for score in current.scores]
    return moving_deeds(request.actor, row, current) | {
        "confirm": Deed(VersionForm, Action.SETTLE, do_confirm, seen),
        "settle": Deed(SettleForm, Action.SETTLE, do_settle, seen),
        "penalise": Deed(lambda *args, **kw: PenaltyForm(*args, teams=teams, **kw), Action.SETTLE, do_penalise, seen),
        "void": Deed(ReasonForm, Action.SETTLE, do_void, seen, touches=lambda _said: [row.partie]),
        "reinstate": Deed(ReasonForm, Action.SETTLE, do_reinstate, seen, touches=lambda _said: [row.partie]),
    }

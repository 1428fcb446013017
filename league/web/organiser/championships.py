"""The dashboard, and a championship: made, looked over, changed, finished."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.rulebooks import RULEBOOKS
from league.models import Championship, ChampionshipStatus, Role, RoundStatus, Visibility
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.championships import championship_view
from league.selectors.dashboard import decisions, own_championships, waiting_registrations
from league.selectors.inside import refused_count
from league.selectors.organising import club_names
from league.selectors.parties import rounds
from league.selectors.playing_now import playing_of
from league.selectors.ranking import behind, versions
from league.selectors.stages import Now, now
from league.services.championships import (
    change_championship,
    create_championship,
    finish_championship,
    resume_championship,
)
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.championship_forms import (
    ChangeChampionshipForm,
    NewChampionshipForm,
    PlayForm,
    present,
    usual,
)
from league.web.organiser.clubs import club_id
from league.web.organiser.deeds import Deed, Deeds, Done, ReasonForm, VersionForm
from league.web.organiser.key_fields import explanations
from league.web.organiser.publishing import republished
from league.web.organiser.shown import drafts_done, show
from league.web.organiser.time_zones import time_zones
from league.web.rulebook_words import SUMMARIES, TITLES
from league.web.seen import page_number


@for_organisers
def dashboard(request: Asked) -> HttpResponse:
    """One's championships, and what waits in them."""
    context = {
        "page": own_championships(actor=request.actor, number=page_number(request)),
        "decisions": decisions(actor=request.actor),
        "playing": playing_of(actor=request.actor),
        "registrations": waiting_registrations(actor=request.actor),
        "drafts_done": drafts_done(request),
    }
    return render(request, "organiser/dashboard.html", context)


@for_organisers
def new(request: Asked) -> HttpResponse:
    """Choose a rulebook; then make a championship that is played by it."""
    require(request.actor, Action.CREATE)
    chosen = request.GET.get("rulebook", "")
    if chosen not in RULEBOOKS:
        return render(
            request,
            "organiser/new_rulebook.html",
            {"rulebooks": [(one, TITLES[one.id], SUMMARIES[one.id]) for one in RULEBOOKS.values()]},
        )
    rulebook = RULEBOOKS[chosen]

    def make(said: dict[str, Any]) -> Done:
        form = deeds.forms["create"]
        assert isinstance(form, NewChampionshipForm)
        championship = create_championship(
            actor=request.actor,
            name=said["name"],
            slug=said["slug"],
            settings={**_without_name(form.settings()), "club_id": club_id(request.actor, said["club"])},
        )
        goto = reverse("organise-championship", args=[championship.slug])
        return Done(_("“%(name)s” is made. Enter those who take part.") % {"name": championship.name}, goto)

    deed = Deed(
        lambda *args, **kw: NewChampionshipForm(*args, rulebook=rulebook, **kw), Action.CREATE, make, usual(rulebook)
    )
    deeds = Deeds(request, None, {"create": deed})
    if answer := deeds.answer():
        return answer
    context = {"form": deeds.forms["create"], "title": TITLES[rulebook.id], "explanations": explanations(), **_lists()}
    return render(request, "organiser/new.html", context, status=deeds.status)


def _without_name(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key != "name"}


def _lists() -> dict[str, Any]:
    return {"clubs": club_names(), "time_zones": time_zones()}


@for_organisers
def championship(request: Asked, slug: str) -> HttpResponse:
    """Look a championship over: where it stands, what waits, what comes next."""
    found = championship_at(request.actor, slug)
    if request.method != "POST" and request.actor.role_in(found.pk) == Role.SCORER:
        return redirect("organise-tables", slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    deeds = Deeds(request, found, _deeds(request, found))
    if answer := deeds.answer():
        return answer
    published = versions(championship=found)
    overtaken = behind(championship=found, published=published)
    view, where = championship_view(found), now(championship=found)
    context = {
        "view": view,
        "where": where,
        "step": _next_step(found, where, entries=view.entries, playing=view.open_parties),
        "draft": where.last if where.last and where.last.status == RoundStatus.DRAFT else None,
        "rounds": rounds(championship=found),
        "decisions": decisions(actor=request.actor, championship=found, limit=20),
        "behind": overtaken,
        "republished": republished(overtaken, published),
        "refused_documents": refused_count(championship=found),
        "is_draft": found.visibility == Visibility.DRAFT,
        "is_finished": found.status == ChampionshipStatus.FINISHED,
    }
    return show(request, "championship.html", found, "overview", context, deeds)


def _next_step(found: Championship, where: Now, *, entries: int, playing: int) -> str:
    """The one step that is offered first: "enter", "draft", "results", "stage", "end", "draw", or nothing."""
    if found.status == ChampionshipStatus.FINISHED:
        return ""
    if where.last is not None and where.last.status == RoundStatus.DRAFT:
        return "draft"
    if playing:
        return "results"
    if entries < 2:
        return "enter"
    if where.is_over:
        return "stage" if where.following else "end"
    return "draw"


def _deeds(request: Asked, found: Championship) -> dict[str, Deed]:
    seen = {"version": found.version}

    def open_to_all(said: dict[str, Any]) -> Done:
        change_championship(
            actor=request.actor,
            championship_id=found.pk,
            version=said["version"],
            settings={"visibility": Visibility.PUBLIC},
        )
        return Done(_("Everybody can see the championship now."))

    def finish(said: dict[str, Any]) -> Done:
        finish_championship(actor=request.actor, championship_id=found.pk, version=said["version"])
        return Done(_("The championship is finished; the secret of its lots is shown."))

    def resume(said: dict[str, Any]) -> Done:
        resume_championship(
            actor=request.actor, championship_id=found.pk, version=said["version"], reason=said["reason"]
        )
        return Done(_("The championship goes on."))

    return {
        "open": Deed(VersionForm, Action.CHANGE, open_to_all, seen),
        "finish": Deed(VersionForm, Action.CHANGE, finish, seen),
        "resume": Deed(ReasonForm, Action.CHANGE, resume, seen),
    }


@for_organisers
def settings(request: Asked, slug: str) -> HttpResponse:
    """Change a championship. Another rulebook is chosen by `?rulebook=`, as when it was made."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.CHANGE, found)
    rulebook = RULEBOOKS.get(request.GET.get("rulebook", found.rulebook))
    if rulebook is None:
        raise Http404
    is_other = rulebook.id != found.rulebook
    initial = present(found) | (usual(rulebook) if is_other else {})

    def change(said: dict[str, Any]) -> Done:
        form = deeds.forms["change"]
        assert isinstance(form, PlayForm)
        change_championship(
            actor=request.actor,
            championship_id=found.pk,
            version=said["version"],
            settings={**form.settings(), "club_id": club_id(request.actor, said["club"])},
            reason=said["change_reason"],
        )
        return Done(_("Saved."), reverse("organise-settings", args=[slug]))

    deed = Deed(
        lambda *args, **kw: ChangeChampionshipForm(*args, rulebook=rulebook, **kw), Action.CHANGE, change, initial
    )
    deeds = Deeds(request, found, {"change": deed})
    if answer := deeds.answer():
        return answer
    context = {
        "form": deeds.forms["change"],
        "title": TITLES[rulebook.id],
        "rulebooks": [(other, TITLES[other.id]) for other in RULEBOOKS.values() if other.id != rulebook.id],
        "now": _stands(found, deeds.forms["change"]) if deeds.status == 412 else [],
        **_lists(),
    }
    return show(request, "settings.html", found, "settings", context, deeds)


def _stands(found: Championship, form: Any) -> list[tuple[str, str]]:
    """What stands now in each field where something else was typed."""
    stands = present(found)
    differing = [
        name
        for name in form.fields
        if name in stands and name != "version" and str(form[name].value() or "") != str(stands[name] or "")
    ]
    return [(str(form[name].label), str(stands[name] if stands[name] is not None else "—")) for name in differing]

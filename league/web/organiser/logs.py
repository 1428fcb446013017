"""Handing in a hand log, as a file or pasted; and what was refused, with the reason in words and the text to mend."""

import base64
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from league.errors import Refused, UserFault
from league.models import Manche, Media
from league.policy import Action, require
from league.selectors.addresses import championship_at, manche_at
from league.selectors.handed_in import AttemptView, attempt_view, names_of_results
from league.selectors.inside import attempts
from league.selectors.manches import MancheView, manche_view
from league.services.checking import check
from league.services.hand_in_answers import HandIn
from league.services.once import request_name
from league.services.results import hand_in
from league.web.check import CheckForm, verdict_in_words
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.blindly import enters_blind
from league.web.organiser.deeds import DeedForm, lay, new_key
from league.web.organiser.foreseen import correction_foreseen, foreseen_page, is_to_be_seen
from league.web.organiser.sheets import go_on
from league.web.organiser.shown import draft_is_done, show
from league.web.result_table import result_table
from league.web.seen import page_number
from league.wording import sentence


class LogForm(CheckForm, DeedForm):
    """A document, and for a correction the version that it replaces and why."""

    replaces = forms.IntegerField(required=False, widget=forms.HiddenInput)
    kept = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    """The document in base64, byte for byte, between the page that shows what would move and its saving."""
    reason = forms.CharField(
        label=gettext_lazy("Reason of the correction"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Everybody may read it."),
    )

    def clean(self) -> dict[str, Any]:
        """As of any document; one that is kept needs no other."""
        said = forms.Form.clean(self) or {}
        try:
            self._kept = base64.b64decode(said.get("kept") or "", validate=True)
        except ValueError:
            self._kept = b""
        return said if self._kept else super().clean()

    @property
    def body(self) -> bytes:
        """The document as it came."""
        return self._kept or super().body

    def show_present(self, version: int) -> None:
        """From now on this version is the one that is replaced."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["replaces"] = str(version)  # type: ignore[index]


@for_organisers
def log(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """Hand in a log or a sheet as a document. A refused one is kept, and shown with its reason."""
    row = manche_at(request.actor, slug, number, manche)
    require(request.actor, Action.HAND_IN, row.partie.championship, row.partie)
    is_blind = enters_blind(request, row)
    if request.method != "POST":
        view = manche_view(manche=row, inside=not is_blind)
        if not view.takes_results:
            return redirect("organise-manche", slug, number, manche)  # which says that the partie is over
        replaces = view.current.version if view.current else None
        return _page(request, row, view, LogForm(initial={"key": new_key(), "replaces": replaces}), {})
    form = LogForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, row, manche_view(manche=row, inside=not is_blind), form, {}, status=422)
    try:
        return _hand_in(request, row, form)
    except UserFault as fault:
        present = fault.extra.get("present", {}).get("version")
        context: dict[str, Any] = {}
        if fault.code == "result-exists" and present is not None:
            form.show_present(present)
            context = verdict_in_words(check(body=form.body)) | {"has_news": True}
        lay(form, fault)
        return _page(request, row, manche_view(manche=row, inside=not is_blind), form, context, status=fault.status)


def _hand_in(request: Asked, row: Manche, form: LogForm) -> HttpResponse:
    said = form.cleaned_data
    if page := _foreseen(request, row, form):
        return page
    sent = [("at", request.path), ("body", form.body), ("why", said["reason"]), ("for", said["replaces"])]
    answer = _handed_in(request, row, form, request_name(said["key"], sent))
    draft_is_done(request, said["key"])
    if answer.refused:
        return redirect("organise-attempt", row.partie.championship.slug, answer.attempt)
    return go_on(request, row, answer)


def _foreseen(request: Asked, row: Manche, form: LogForm) -> HttpResponse | None:
    """What a correction of something that counts would move; None where it is saved at once, or would be refused."""
    if not is_to_be_seen(request, row, form.cleaned_data["replaces"]):
        return None
    try:
        seen = correction_foreseen(row, lambda: _handed_in(request, row, form, ""))
    except Refused:
        return None  # it is handed in, and kept as an attempt
    kept = base64.b64encode(form.body).decode()
    return foreseen_page(request, row.partie.championship, seen, request.POST, instead={"text": "", "kept": kept})


def _handed_in(request: Asked, row: Manche, form: LogForm, key: str) -> HandIn:
    return hand_in(
        actor=request.actor,
        partie_id=row.partie_id,
        number=row.number,
        body=form.body,
        reason=form.cleaned_data["reason"],
        replaces=form.cleaned_data["replaces"],
        idempotency_key=key,
    )


def _page(
    request: Asked, row: Manche, view: MancheView, form: LogForm, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    current = view.current
    frame = {
        "partie": row.partie,
        "manche": view,
        "form": form,
        "current": current,
        "present": result_table(current, row.partie.championship) if current else None,
        "names": names_of_results(manche=row) if current else {},
    }
    return show(request, "log.html", row.partie.championship, "parties", frame | context, status=status)


@for_organisers
def refused(request: Asked, slug: str) -> HttpResponse:
    """Every document that was refused in a championship, newest first."""
    championship = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, championship)
    page = attempts(championship=championship, number=page_number(request))
    return show(request, "refused.html", championship, "overview", {"page": page, "here": "true"})


@for_organisers
def attempt(request: Asked, slug: str, attempt_id: int) -> HttpResponse:
    """A refused document: where and why the rules refuse it, and its text, to be mended and handed in again."""
    championship = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, championship)
    found = attempt_view(championship=championship, attempt_id=attempt_id)
    text = found.body.decode("utf-8", "replace")
    context = {"attempt": found, "text": text, "form": LogForm(initial={"key": new_key(), "text": text}), **_why(found)}
    return show(request, "attempt.html", championship, "parties", context)


def _why(found: AttemptView) -> dict[str, Any]:
    """The verdict in words: that of the rules, or what does not fit the partie."""
    shown = verdict_in_words(check(body=found.body))
    if shown["verdict"]["valid"] or shown["verdict"].get("code") != found.verdict.get("code"):
        whys = found.verdict["why"] if isinstance(found.verdict["why"], list) else [found.verdict["why"]]
        return {"misfits": [why | {"words": sentence(why)} for why in whys], "reading": shown["reading"]}
    return shown


@for_organisers
def attempt_text(request: Asked, slug: str, attempt_id: int) -> HttpResponse:
    """The bytes of a refused document as they came."""
    championship = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, championship)
    found = attempt_view(championship=championship, attempt_id=attempt_id)
    ending = "json" if found.media == Media.JSON else "bornes"
    name = f"attempt-{attempt_id}.{ending}"
    return HttpResponse(
        found.body,
        content_type="application/json" if ending == "json" else "text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )

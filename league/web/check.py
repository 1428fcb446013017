"""A log or a sheet checked for anybody: pasted or sent as a file, judged, shown, and forgotten."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.notation import HandLog
from engine.steps import steps
from league.errors import TooLarge
from league.services.checking import Reading, check
from league.visitor import address_of
from league.web.game import MoveLine, board_of_state, move_line
from league.web.scores import columns_of_verdict, score_table
from league.web.throttle import wait_for
from league.wording import sentence

MOST, SECONDS = 30, 300
"""Checks of one address in a stretch of seconds."""

MOVES_BEFORE = 5
"""Moves that are shown before the one at fault."""


class CheckForm(forms.Form):
    """A document, in one of two ways."""

    one_of_several = True  # neither field is marked as optional

    text = forms.CharField(
        label=gettext_lazy("Paste it here"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "code", "rows": 12, "spellcheck": "false", "autocapitalize": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("or choose a file"), required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        """Exactly one of them, of a size that a log can have."""
        said: dict[str, Any] = super().clean() or {}
        if not said.get("file") and not (said.get("text") or "").strip() and not self.errors:
            raise forms.ValidationError(_("Paste a log or a sheet, or choose a file."), code="required")
        return said

    @property
    def body(self) -> bytes:
        """The document as it came."""
        file: UploadedFile[bytes] | None = self.cleaned_data.get("file")
        if file is not None:
            return b"".join(file.chunks())
        return str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass")


def check_page(request: HttpRequest) -> HttpResponse:
    """The form; after sending, the verdict above it. Nothing of it is stored."""
    if request.method != "POST":
        return render(request, "check.html", {"form": CheckForm()})
    form = CheckForm(request.POST, request.FILES)
    context: dict[str, Any] = {"form": form}
    if wait := wait_for("check", address_of(request), most=MOST, seconds=SECONDS):
        response = render(request, "check.html", context | {"wait": wait}, status=429)
        response["Retry-After"] = wait
        return response
    if not form.is_valid():
        return render(request, "check.html", context)
    try:
        context |= verdict_in_words(check(body=form.body))
    except TooLarge as fault:
        form.add_error(None, str(fault.message))
        return render(request, "check.html", context, status=fault.status)
    return render(request, "check.html", context)


def verdict_in_words(reading: Reading) -> dict[str, Any]:
    """What a template needs to show a verdict: `verdict` itself, and a score table or what is wrong."""
    judged, verdict = reading.judged, reading.verdict
    shown: dict[str, Any] = {"reading": reading, "verdict": verdict, "rulebook": judged.rulebook}
    if judged.valid:
        assert judged.rulebook is not None
        shown["table"] = score_table(columns_of_verdict(verdict, judged.claim), judged.rulebook)
        shown["differences"] = verdict.get("claim_differences", ())
    elif judged.kind == "sheet":
        shown["faults"] = [fault | {"words": sentence(fault)} for fault in verdict.get("malformed") or verdict["why"]]
    else:
        shown |= _refusal(verdict, judged.document.log)
    return shown


def _refusal(verdict: Mapping[str, Any], log: HandLog | None) -> dict[str, Any]:
    why = verdict["why"]
    shown: dict[str, Any] = {"why": why, "words": sentence(why)}
    if why["state"] is not None and log is not None:
        shown["board"] = board_of_state(why["state"], {})
        shown["before"] = _moves_before(log, verdict["at"])
    return shown


def _moves_before(log: HandLog, at: int) -> Sequence[MoveLine]:
    team_of = {player: team for team, players in log.teams.items() for player in players}
    return [move_line(step, team_of) for step in steps(log) if max(0, at - MOVES_BEFORE) <= step.at < at]

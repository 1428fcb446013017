"""What can be done on a page: forms that are sent once, answered by a redirect, and kept when something is wrong.

A page names its deeds. The form of each carries which one it is (`do`), a key of its own and, where rows can be stale,
the version that the page showed. Sending it twice does it once; what a service refuses comes back with its reason, and
all that was typed.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.errors import Conflict, Stale, UserFault
from league.models import Championship, Partie
from league.policy import Action, require
from league.services.foreseen import foresee
from league.services.once import answered, once, request_name
from league.web.organiser.asked import Asked
from league.web.organiser.foreseen import foreseen_page


class DeedForm(forms.Form):
    """A form that can be sent twice without doing anything twice."""

    fault_fields: ClassVar[Mapping[str, str]] = {}
    """Where a service names a field otherwise than the form: its name to the form's."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def lay_fault(self, fault: UserFault) -> None:
        """Show every fault at its field, or above the form where it is about none."""
        for each in fault.faults:
            name = self.fault_fields.get(each.field or "", each.field or "")
            self.add_error(name if name in self.fields else None, str(each.message))

    def said(self) -> list[tuple[str, Any]]:
        """What was sent, without what makes each sending different."""
        names = sorted(set(self.data) - {"csrfmiddlewaretoken", "key"})
        lists = getattr(self.data, "getlist", lambda name: [self.data[name]])
        return [(name, lists(name)) for name in names]


class VersionForm(DeedForm):
    """A form about a row that may have changed since the page was read."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class ReasonForm(VersionForm):
    """A ruling: it needs a reason."""

    reason = forms.CharField(max_length=300)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("Reason")
        self.fields["reason"].help_text = _("Everybody may read it.")


@dataclass(frozen=True)
class Done:
    """What a deed came to: what to say, and where to go on if not back to the page.

    `shown`: what the page shows at once, without a redirect, and never again: a secret that is kept nowhere.
    """

    said: "str | Promise"
    goto: str = ""
    shown: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Deed:
    """Something to do: its form, the right that it needs, and what does it with the form's cleaned data.

    Without an action it is done to what is one's own. `initial` fills the form when the page is shown. `touches`: the
    parties that it changes; where it is given, what would move is shown first, and only sending that page does it.
    """

    form: Callable[..., DeedForm]
    action: Action | None
    do: Callable[[dict[str, Any]], Done]
    initial: Mapping[str, Any] = field(default_factory=dict)
    touches: Callable[[dict[str, Any]], Sequence[Partie]] | None = None


@dataclass(frozen=True)
class Refused:
    """A deed that came too late, for a page that may have no place for its form any more: why, and what was typed."""

    faults: list[str]
    typed: list[tuple[str, str]]


@dataclass
class Deeds:
    """The deeds of one page, by name.

    After `answer` the template finds a form for each in `forms`, in `shown` what a deed gave to be shown at once, in
    `refused` the deed that somebody else's was in the way of, and the page's `status`.
    """

    request: Asked
    championship: Championship | None
    deeds: Mapping[str, Deed]
    status: int = 200
    forms: dict[str, DeedForm] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    refused: Refused | None = None

    def answer(self) -> HttpResponse | None:
        """Do what was asked for, if anything was: the redirect that follows, or None when the page is to be shown.

        Raises BadRequest for an unknown deed, NotPermitted.
        """
        asked = self.request.POST.get("do") if self.request.method == "POST" else None
        if self.request.method == "POST" and asked not in self.deeds:
            raise BadRequest("no such deed")
        self.forms = {name: self._fresh(name) for name in self.deeds}
        return None if asked is None else self._do(asked, self.deeds[asked])

    def _fresh(self, name: str) -> DeedForm:
        deed = self.deeds[name]
        return deed.form(initial={**deed.initial, "key": new_key()}, auto_id=f"{name}-%s")

    def _do(self, name: str, deed: Deed) -> HttpResponse | None:
        if deed.action is not None:
            require(self.request.actor, deed.action, self.championship)
        form = deed.form(
            self.request.POST,
            self.request.FILES,
            initial=dict(deed.initial),
            auto_id=f"{name}-%s",
        )
        self.forms[name] = form
        sent = request_name(form.data.get("key", ""), [("at", self.request.path), ("do", name), *form.said()])
        # asked before the form is looked at: what it was valid for the first time it may have changed itself
        answer = answered(user=self.request.user, name=sent)
        if answer is None:
            if not form.is_valid():
                self.status = 422
                return None
            try:
                if deed.touches is not None and "foreseen" not in form.data:
                    return self._foreseen(deed, form)
                answer = self._once(sent, deed, form)
            except UserFault as fault:
                lay(form, fault)
                self.status = fault.status
                if isinstance(fault, Stale | Conflict):
                    self.refused = refused_of(form, fault)
                return None
        messages.success(self.request, answer["said"])
        if self.shown:
            self.forms[name] = self._fresh(name)
            return None
        return HttpResponseRedirect(answer["goto"])

    def _foreseen(self, deed: Deed, form: DeedForm) -> HttpResponse:
        """The page that shows what would move, with all that was sent, to be sent once more."""
        assert deed.touches is not None
        assert self.championship is not None
        seen = foresee(
            championship=self.championship,
            parties=deed.touches(form.cleaned_data),
            do=lambda: deed.do(form.cleaned_data),
        )
        return foreseen_page(self.request, self.championship, seen, form.data)

    def _once(self, sent: str, deed: Deed, form: DeedForm) -> dict[str, Any]:
        def do() -> dict[str, Any]:
            done = deed.do(form.cleaned_data)
            self.shown = dict(done.shown)
            return {"said": str(done.said), "goto": done.goto or self.request.get_full_path()}

        answer, _is_repeat = once(user=self.request.user, name=sent, do=do)
        return answer


def new_key() -> str:
    """A key for a form that is shown."""
    return secrets.token_urlsafe(15)


def refused_of(form: DeedForm, fault: UserFault) -> Refused:
    """Why a deed was refused, and what somebody typed for it."""
    typed = [(str(field.label), str(field.value())) for field in form.visible_fields() if field.value()]
    return Refused([str(each.message) for each in fault.faults], typed)


def lay(form: DeedForm, fault: UserFault) -> None:
    """Show a fault in a form. One about another version brings it up to date: sent again, it is meant."""
    form.lay_fault(fault)
    present = fault.extra.get("version") or fault.extra.get("present", {}).get("version")
    if isinstance(fault, Stale | Conflict) and present is not None and "version" in form.fields:
        form.data = form.data.copy()  # type: ignore[attr-defined]
        form.data["version"] = str(present)  # type: ignore[index]
        form.add_error(None, _("This page shows how it stands now. Send it again if it is still right."))

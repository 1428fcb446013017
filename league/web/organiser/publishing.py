"""The ranking as its organiser sees it: how far the live one has come, the versions published, and the next one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Visibility, What
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.organising import names_of_entries
from league.selectors.parties import rounds
from league.selectors.ranking import Version, behind, live_ranking, versions
from league.services.publishing import publish
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, new_key
from league.web.organiser.shown import show
from league.web.ranking_words import keys_in_words, sections, stage_tabs


class PublishForm(DeedForm):
    """The next version."""

    label = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=100,
        help_text=gettext_lazy("Such as “After round 3” or “Final ranking”."),
    )
    round = forms.TypedChoiceField(label=gettext_lazy("Counts"), required=False, coerce=int, empty_value=None)
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, rounds: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        up_to = [
            (number, _("the results of rounds up to %(round)s") % {"round": number}) for number in reversed(rounds)
        ]
        self.fields["round"].choices = [("", _("all results")), *up_to]  # type: ignore[attr-defined]


def _usual_title(round_number: int | None, taken: set[str]) -> str:
    """A title for the next version that none has yet."""
    if round_number is None:
        return ""
    return _not_taken(_("After round %(round)s") % {"round": round_number}, taken)


def _not_taken(first: str, taken: set[str]) -> str:
    """This title, or one that says that it is corrected, if there is such a version already."""
    title, again = first, 1
    while title in taken:
        again += 1
        title = (
            _("%(title)s, corrected") % {"title": first}
            if again == 2
            else _("%(title)s, corrected (%(number)s)") % {"title": first, "number": again - 1}
        )
    return title


@dataclass(frozen=True, slots=True)
class Republished:
    """What one click sends to publish a version again as it stands now; the fields of `PublishForm`."""

    key: str
    label: str
    round: int | None


def republished(behind: Version | None, published: Sequence[Version]) -> Republished | None:
    """What replaces the version that no longer shows what stands, under the title that it was first given."""
    if behind is None:
        return None
    same = [version.label for version in published if version.round == behind.round]
    first = min((label for label in same if behind.label.startswith(label)), key=len)
    return Republished(new_key(), _not_taken(first[:80], {version.label for version in published}), behind.round)


@for_organisers
def ranking(request: Asked, slug: str) -> HttpResponse:
    """Publish a version; see those published, with what moved and why."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    numbers = [round_.number for round_ in rounds(championship=found)]

    def freeze(said: dict[str, Any]) -> Done:
        version = publish(
            actor=request.actor,
            championship_id=found.pk,
            label=said["label"],
            round=said["round"],
            note=said["note"],
        )
        return Done(_("Version %(number)s is published.") % {"number": version.number})

    published = versions(championship=found)
    usual = _usual_title(numbers[-1] if numbers else None, {version.label for version in published})
    deed = Deed(lambda *args, **kw: PublishForm(*args, rounds=numbers, **kw), Action.PUBLISH, freeze, {"label": usual})
    deeds = Deeds(request, found, {"publish": deed})
    if answer := deeds.answer():
        return answer
    live = live_ranking(championship=found, size=10)
    overtaken = behind(championship=found, published=published)
    context = {
        "live": live,
        "keys": keys_in_words(live.keys),
        "is_draft": found.visibility == Visibility.DRAFT,
        "behind": overtaken,
        "republished": republished(overtaken, published),
        "sections": sections(live.page.items, live.names, live.keys),
        "stage_tabs": stage_tabs(live.keys),
        "versions": published,
        "names": names_of_entries(
            championship=found,
            numbers={moved["entry"] for version in published for moved in version.moved}
            | {cause["entry"] for version in published for cause in version.causes if cause["entry"]},
        ),
        "what": dict(What.choices),
        "form": deeds.forms["publish"],
    }
    return show(request, "ranking.html", found, "ranking", context, deeds)

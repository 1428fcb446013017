"""Two profiles of one person: found, looked at beside each other, made one; made two again."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound
from league.models import Player
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.organising import player_in
from league.selectors.player_private import all_kept, merges_into, who_may_be_the_same
from league.selectors.player_rights import changeable_players
from league.services.merging import KEPT, MERGED, choices_to_make, merge_players, obstacles, undo_merge
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done
from league.web.organiser.shown import show

_LABELS = {
    "club_id": gettext_lazy("Club"),
    "licence": gettext_lazy("Licence number"),
    "email": gettext_lazy("E-mail"),
}


class MergeForm(DeedForm):
    """What stays where both profiles say something else, and why they are one."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300, required=False)

    def __init__(self, *args: Any, open_choices: Sequence[tuple[str, str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, kept, merged in open_choices:
            self.fields[field] = forms.ChoiceField(
                label=_LABELS[field],
                choices=[(KEPT, kept), (MERGED, merged)],
                widget=forms.RadioSelect,
                initial=KEPT,
            )
        self.order_fields(["key", *(field for field, _kept, _merged in open_choices), "reason"])
        self.chosen = [field for field, _kept, _merged in open_choices]


class UndoForm(DeedForm):
    """Which merge to undo."""

    merge = forms.IntegerField(widget=forms.HiddenInput)


@for_organisers
def merge(request: Asked, slug: str, player_id: int) -> HttpResponse:
    """Look for the other profile of a player; undo what was made one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    row = player_in(championship=found, player_id=player_id)

    def undo(said: dict[str, Any]) -> Done:
        if said["merge"] not in {line.id for line in merges_into(player=row)}:
            raise NotFound
        undo_merge(actor=request.actor, merge_id=said["merge"])
        return Done(_("They are two profiles again, each as it was."))

    deeds = Deeds(request, found, {"undo": Deed(UndoForm, Action.RUN, undo)})
    if answer := deeds.answer():
        return answer
    text = request.GET.get("q", "")[:100].replace("\0", "")
    context = {
        "player": row,
        "q": text,
        "candidates": who_may_be_the_same(actor=request.actor, player=row, text=text),
        "merges": merges_into(player=row),
    }
    return show(request, "player_merge.html", found, "entries", context, deeds)


@for_organisers
def merge_with(request: Asked, slug: str, player_id: int, other_id: int) -> HttpResponse:
    """Two profiles beside each other; make them one."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.RUN, found)
    row = player_in(championship=found, player_id=player_id)
    other = changeable_players(actor=request.actor).select_related("club").filter(pk=other_id).first()
    if other is None or other.pk == row.pk:
        raise NotFound
    goto = reverse("organise-player", args=[slug, row.pk])
    choices = _open_choices(row, other)

    def make_one(said: dict[str, Any]) -> Done:
        chosen = {field: said[field] for field, _kept, _merged in choices if field in said}
        merge_players(actor=request.actor, kept_id=row.pk, merged_id=other.pk, choices=chosen, reason=said["reason"])
        return Done(_("They are one profile now. It can be undone on the page of duplicates."), goto)

    deed = Deed(lambda *args, **kw: MergeForm(*args, open_choices=choices, **kw), Action.RUN, make_one)
    deeds = Deeds(request, found, {"merge": deed})
    if answer := deeds.answer():
        return answer
    context = {
        "player": row,
        "other": other,
        "both": [all_kept(player=row), all_kept(player=other)],
        "obstacles": [] if other.merged_into_id else list(obstacles(row, other)),
        "gone": other.merged_into_id is not None or other.anonymised_at is not None,
    }
    return show(request, "player_merge_with.html", found, "entries", context, deeds)


def _open_choices(row: Player, other: Player) -> list[tuple[str, str, str]]:
    """The fields in which the two differ, with what each says."""
    return [(field, _said(row, field), _said(other, field)) for field in choices_to_make(row, other)]


def _said(player: Player, field: str) -> str:
    if field == "club_id":
        return player.club.name if player.club else ""
    return str(getattr(player, field))

"""The format of a championship: its stages set up, and each started with those who come into it."""

from typing import Any, ClassVar, Final

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.errors import NotFound, UserFault
from league.models import CarryOver, Championship, Format, Ranks, Stage
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.bracket import bracket
from league.selectors.qualified import BY_LOT, BY_NUMBER, Coming, coming, members_of
from league.selectors.stages import StageLine, planned_rounds, stages
from league.services.stage_starts import start_stage
from league.services.stages import FIELDS, LATER, add_stage, change_stage, plan_stages, remove_stage
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.deeds import Deed, DeedForm, Deeds, Done, VersionForm
from league.web.organiser.shown import show
from league.web.organiser.stage_words import PLANS, plan_of, plans_for

OFF: Final = {"name": "", "format": Format.SWISS, "pools": 1, "table_qualify": 1, "carry_over": CarryOver.NONE}


class PlanForm(DeedForm):
    """A usual format, in one step."""

    plan = forms.ChoiceField(label=gettext_lazy("Format"), widget=forms.RadioSelect)
    rounds = forms.IntegerField(
        label=gettext_lazy("Swiss rounds"), min_value=1, max_value=99, initial=5, required=False
    )
    pools = forms.IntegerField(label=gettext_lazy("Pools"), min_value=2, max_value=64, initial=4, required=False)
    through = forms.IntegerField(
        label=gettext_lazy("Who goes on"),
        min_value=1,
        max_value=999,
        initial=2,
        required=False,
        help_text=gettext_lazy("Of each pool, or of all where there are no pools."),
    )
    one_of_several = True

    def __init__(self, *args: Any, championship: Championship, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["plan"].choices = [(name, PLANS[name]) for name in plans_for(championship)]  # type: ignore[attr-defined]
        if championship.ranks == Ranks.PLAYERS:  # neither pools nor a cut
            del self.fields["pools"], self.fields["through"]


class StageForm(VersionForm):
    """A stage; what its start has settled is not offered any more."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("For example “Pools”, “Final”."),
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=Format.choices)
    rounds_planned = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        max_value=99,
        required=False,
        help_text=gettext_lazy("Empty: a round robin has one leg, the others go on until you stop."),
    )
    pools = forms.IntegerField(
        label=gettext_lazy("Pools"),
        min_value=1,
        max_value=64,
        help_text=gettext_lazy("1: all play together."),
    )
    qualify = forms.IntegerField(
        label=gettext_lazy("Who comes in from the stage before"),
        min_value=1,
        max_value=9999,
        required=False,
        help_text=gettext_lazy("So many of each pool, or of all without pools. Empty: everybody."),
    )
    carry_over = forms.ChoiceField(label=gettext_lazy("Results carried over"), choices=CarryOver.choices)
    table_qualify = forms.IntegerField(
        label=gettext_lazy("Who goes on from a knock-out table"), min_value=1, max_value=3
    )
    place_match = forms.BooleanField(label=gettext_lazy("A match for the third place"), required=False)
    apart_by_club = forms.BooleanField(
        label=gettext_lazy("Entries of one club are kept apart while that is possible"), required=False
    )
    one_of_several = True
    fault_fields: ClassVar = {}

    def __init__(self, *args: Any, championship: Championship, first: bool, begun: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        gone = {"qualify", "carry_over"} if first else set()
        if championship.table_entries == 2:
            gone.add("table_qualify")
        if championship.ranks == Ranks.PLAYERS:
            gone |= {"pools", "table_qualify", "place_match"}
        if begun:
            gone |= set(FIELDS) - set(LATER)
        for name in gone:
            del self.fields[name]
        if "format" in self.fields:
            self.fields["format"].choices = _formats(championship)  # type: ignore[attr-defined]

    def settings(self) -> dict[str, Any]:
        """What the services take."""
        return {name: self.cleaned_data[name] for name in FIELDS if name in self.fields}


def _formats(championship: Championship) -> list[tuple[str, Any]]:
    """The formats that this championship can have."""
    offered = [Format.SWISS, Format.KNOCKOUT, Format.FREE]
    if championship.ranks == Ranks.PLAYERS:
        offered = [Format.SWISS, Format.FREE]
    elif championship.table_entries == 2:
        offered.insert(1, Format.ROUND_ROBIN)
    return [(one.value, one.label) for one in offered]


class NewStageForm(StageForm):
    """A stage that is added."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


@for_organisers
def stages_page(request: Asked, slug: str) -> HttpResponse:
    """The stages: a usual format in one step, each changed, added, taken away."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.CHANGE, found)
    lines = stages(championship=found)
    deeds = Deeds(request, found, _plan_deeds(request, found, lines) | _stage_deeds(request, found, lines))
    if answer := deeds.answer():
        return answer
    context = {
        "stages": [(line, deeds.forms[f"change-{line.id}"], deeds.forms[f"remove-{line.id}"]) for line in lines],
        "begun": any(line.started_at for line in lines),
        "formats": dict(Format.choices),
    }
    return show(request, "stages.html", found, "settings", context, deeds)


def _plan_deeds(request: Asked, found: Championship, lines: list[StageLine]) -> dict[str, Deed]:
    def plan(said: dict[str, Any]) -> Done:
        settings = plan_of(said["plan"], said["rounds"] or 5, said.get("pools") or 4, said.get("through") or 2, found)
        plan_stages(actor=request.actor, championship_id=found.pk, plan=settings)
        return Done(_("The format is set."))

    def add(said: dict[str, Any]) -> Done:
        settings: dict[str, Any] = {name: said[name] for name in FIELDS if name in said}
        stage = add_stage(actor=request.actor, championship_id=found.pk, settings=settings)
        return Done(_("Stage %(n)s is added.") % {"n": stage.number})

    default = plans_for(found)[0]
    return {
        "plan": Deed(
            lambda *args, **kw: PlanForm(*args, championship=found, **kw),
            Action.CHANGE,
            plan,
            {"plan": default, "rounds": 5, "pools": 4, "through": 2},
        ),
        "add": Deed(
            lambda *args, **kw: NewStageForm(*args, championship=found, first=not lines, begun=False, **kw),
            Action.CHANGE,
            add,
            OFF,
        ),
    }


def _stage_deeds(request: Asked, found: Championship, lines: list[StageLine]) -> dict[str, Deed]:
    deeds: dict[str, Deed] = {}
    for line in lines:
        deeds |= _deeds_of(request, found, line)
    return deeds


def _deeds_of(request: Asked, found: Championship, line: StageLine) -> dict[str, Deed]:
    def change(said: dict[str, Any]) -> Done:
        settings: dict[str, Any] = {name: said[name] for name in FIELDS if name in said}
        change_stage(actor=request.actor, stage_id=line.id, version=said["version"], settings=settings)
        return Done(_("Saved."))

    def remove(said: dict[str, Any]) -> Done:
        remove_stage(actor=request.actor, stage_id=line.id, version=said["version"])
        return Done(_("The stage is taken away."))

    initial = {name: getattr(line, name) for name in FIELDS} | {"version": line.version}
    begun = line.started_at is not None
    return {
        f"change-{line.id}": Deed(
            lambda *args, **kw: StageForm(*args, championship=found, first=line.number == 1, begun=begun, **kw),
            Action.CHANGE,
            change,
            initial,
        ),
        f"remove-{line.id}": Deed(VersionForm, Action.CHANGE, remove, {"version": line.version}),
    }


class StartForm(VersionForm):
    """How a first stage is seeded, or who of those level at the limit goes on."""

    order = forms.ChoiceField(
        label=gettext_lazy("Order of the entries"),
        choices=(
            (BY_LOT, gettext_lazy("by lot, which anybody can redo")),
            (BY_NUMBER, gettext_lazy("by their numbers, the strongest first")),
        ),
        widget=forms.RadioSelect,
        required=False,
    )
    chosen = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Level at the limit: who goes on"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    by_lot = forms.BooleanField(label=gettext_lazy("Let lots decide"), required=False)
    one_of_several = True

    def __init__(self, *args: Any, who: Coming, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        level = [number for one in who.level for number in one.numbers]
        if who.ranks:
            del self.fields["order"]
        if level:
            self.fields["chosen"].choices = [(n, f"{n} · {who.names[n]}") for n in level]  # type: ignore[attr-defined]
        else:
            del self.fields["chosen"], self.fields["by_lot"]

    def lay_fault(self, fault: UserFault) -> None:
        """Faults of fields that are not asked stand above."""
        for each in fault.faults:
            self.add_error(each.field if each.field in self.fields else None, str(each.message))


@for_organisers
def stage_page(request: Asked, slug: str, number: int) -> HttpResponse:
    """A stage: started with those who come into it; then who is in it, and the bracket of a knock-out."""
    found = championship_at(request.actor, slug)
    require(request.actor, Action.LOOK_INSIDE, found)
    stage = Stage.objects.filter(championship=found, number=number).first()
    if stage is None:
        raise NotFound
    stage.championship = found
    who = coming(championship=found, stage=stage) if stage.started_at is None else None
    deeds = Deeds(request, found, _start_deeds(request, found, stage, who) if who is not None else {})
    if answer := deeds.answer():
        return answer
    context: dict[str, Any] = {"stage": stage, "who": who, "planned": planned_rounds(found, stage)}
    if who is not None:
        context["certain"] = [(n, who.names[n], who.ranks.get(n)) for n in who.certain]
    else:
        context["members"] = members_of(stage=stage)
        if stage.format == Format.KNOCKOUT:
            context["bracket"] = bracket(championship=found, stage=stage, with_draft=True)
    return show(request, "stage.html", found, "parties", context, deeds)


def _start_deeds(request: Asked, found: Championship, stage: Stage, who: Coming) -> dict[str, Deed]:
    def start(said: dict[str, Any]) -> Done:
        start_stage(
            actor=request.actor,
            stage_id=stage.pk,
            version=said["version"],
            order=said.get("order") or BY_LOT,
            chosen=said.get("chosen") or (),
            by_lot=said.get("by_lot", False),
        )
        return Done(_("The stage has begun: draw its first round."), reverse("organise-draw", args=[found.slug]))

    return {
        "start": Deed(
            lambda *args, **kw: StartForm(*args, who=who, **kw),
            Action.RUN,
            start,
            {"version": stage.version, "order": BY_LOT},
        )
    }

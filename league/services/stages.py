"""Stages: set up, changed, and started with those who come into them (STANDINGS 5)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import (
    CarryOver,
    Championship,
    ExternalKind,
    Format,
    PartieStatus,
    Ranks,
    Round,
    RoundStatus,
    Stage,
    What,
)
from league.names import tidy
from league.policy import Actor
from league.services import audit, journal
from league.services.championships import require_running
from league.services.external_ids import forget_things
from league.services.locks import check_version, lock_championship
from league.services.texts import fitting

FIELDS: Final = (
    "name",
    "format",
    "rounds_planned",
    "pools",
    "qualify",
    "table_qualify",
    "place_match",
    "apart_by_club",
    "carry_over",
)
LATER: Final = ("name", "rounds_planned", "place_match", "apart_by_club")
"""What may still change once the stage was started."""
MOST_ROUNDS: Final = 99
MOST_STAGES: Final = 9
MOST_POOLS: Final = 64


@transaction.atomic
def add_stage(*, actor: Actor, championship_id: int, settings: Mapping[str, Any]) -> Stage:
    """Add a stage after the others: any of FIELDS, `format` at least.

    Raises Conflict `finished`, `too-many-stages`; Faults with one fault a field.
    """
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    last = Stage.objects.filter(championship=championship).order_by("-number").first()
    if last is not None and last.number >= MOST_STAGES:
        raise Conflict("too-many-stages", _("A championship has at most %(most)s stages.") % {"most": MOST_STAGES})
    stage = Stage(championship=championship, number=last.number + 1 if last else 1)
    _lay(stage, settings)
    all_of(list(faults(stage)))
    stage.save(force_insert=True)
    after = audit.state(stage, ("number", *FIELDS))
    audit.record(actor=actor, action="add_stage", on=stage, championship=championship, after=after)
    return stage


@transaction.atomic
def plan_stages(*, actor: Actor, championship_id: int, plan: Collection[Mapping[str, Any]]) -> list[Stage]:
    """Set up all stages at once, instead of those that there are. Raises Conflict `stage-begun`, Faults."""
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    for stage in Stage.objects.filter(championship=championship).order_by("-number"):
        _remove(actor, championship, stage)
    return [add_stage(actor=actor, championship_id=championship_id, settings=settings) for settings in plan]


@transaction.atomic
def change_stage(*, actor: Actor, stage_id: int, version: int | None, settings: Mapping[str, Any]) -> Stage:
    """Change a stage: any of FIELDS before its start, any of LATER afterwards.

    Raises Conflict `finished`, `stage-begun`; Stale; Faults.
    """
    championship, stage = _locked(stage_id)
    check_version(stage, version)
    before = audit.state(stage, FIELDS)
    _lay(stage, settings)
    all_of(list(faults(stage)))
    was, now = audit.changes(before, audit.state(stage, FIELDS))
    if not now:
        return stage
    if stage.started_at is not None and not set(now) <= set(LATER):
        field = next(name for name in FIELDS if name in now and name not in LATER)
        message = _("This stage was started: only its name, its rounds and what is kept apart can still change.")
        raise Conflict("stage-begun", message, field=field)
    stage.version += 1
    stage.save(update_fields=[*now, "version"])
    if stage.started_at is not None and {"name", "place_match"} & set(now):  # a ranking says both
        journal.write(championship, journal.Line(What.STAGE_CHANGED))
    audit.record(actor=actor, action="change_stage", on=stage, championship=championship, before=was, after=now)
    return stage


@transaction.atomic
def remove_stage(*, actor: Actor, stage_id: int, version: int | None) -> None:
    """Take away a stage that was not started; those after it move up. Raises Conflict `stage-begun`, Stale."""
    championship, stage = _locked(stage_id)
    check_version(stage, version)
    _remove(actor, championship, stage)
    for later in Stage.objects.filter(championship=championship, number__gt=stage.number).order_by("number"):
        later.number -= 1
        later.save(update_fields=["number"])
    first = Stage.objects.filter(championship=championship, number=1, started_at=None).first()
    if first is not None:  # nobody can come into it from a stage before
        first.qualify, first.carry_over = None, CarryOver.NONE
        first.save(update_fields=["qualify", "carry_over"])


def _remove(actor: Actor, championship: Championship, stage: Stage) -> None:
    if stage.started_at is not None:
        message = _("Stage %(number)s was started: it stays.") % {"number": stage.number}
        raise Conflict("stage-begun", message)
    before = audit.state(stage, ("number", *FIELDS))
    audit.record(actor=actor, action="remove_stage", on=stage, championship=championship, before=before)
    forget_things(kind=ExternalKind.STAGE, object_ids=[stage.pk])
    stage.delete()


def _locked(stage_id: int) -> tuple[Championship, Stage]:
    championship = lock_championship(stages=stage_id)
    require_running(championship)
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        raise NotFound
    stage.championship = championship
    return championship, stage


def _lay(stage: Stage, settings: Mapping[str, Any]) -> None:
    wrong = set(settings) - set(FIELDS)
    if wrong:
        raise ValueError(f"no such settings here: {sorted(wrong)}")
    for name, value in settings.items():
        setattr(stage, name, value)
    if stage.format == Format.KNOCKOUT:
        stage.pools = 1
    else:
        stage.table_qualify, stage.place_match = 1, False
    if stage.number == 1:
        stage.qualify = None
    if stage.number == 1 or stage.format == Format.KNOCKOUT:
        stage.carry_over = CarryOver.NONE


def faults(stage: Stage) -> Iterator[UserFault]:
    """All that is wrong with a stage, in the order of its form; nothing is saved."""
    championship = stage.championship
    stage.name = fitting(tidy(stage.name), field="name", limit=60)
    if stage.format not in Format.values or stage.carry_over not in CarryOver.values:
        yield UserFault("unknown-choice", _("Choose one of the list."), field="format")
        return
    yield from _format_faults(championship, stage)
    for field, most in (("rounds_planned", MOST_ROUNDS), ("qualify", 9999)):
        value = getattr(stage, field)
        if value is not None and not 1 <= value <= most:
            message = _("Give a whole number from 1 to %(most)s.") % {"most": most}
            yield UserFault("bad-number", message, field=field)
    if not 1 <= stage.pools <= MOST_POOLS:
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_POOLS}
        yield UserFault("bad-number", message, field="pools")
    if not 1 <= stage.table_qualify < championship.table_entries:
        message = _("At a table of %(size)s, from 1 to %(most)s can go on.") % {
            "size": championship.table_entries,
            "most": championship.table_entries - 1,
        }
        yield UserFault("bad-number", message, field="table_qualify")


def _format_faults(championship: Championship, stage: Stage) -> Iterator[UserFault]:
    if stage.format == Format.ROUND_ROBIN and championship.table_entries != 2:
        message = _("A round robin needs tables of two: choose Swiss, which avoids repeated meetings.")
        yield UserFault("bad-format", message, field="format")
    if championship.ranks == Ranks.PLAYERS:
        if stage.format not in (Format.SWISS, Format.FREE):
            message = _("Where teams are drawn afresh each round, a stage is Swiss or has free tables.")
            yield UserFault("bad-format", message, field="format")
        if stage.pools > 1:
            yield UserFault("bad-number", _("Where teams are drawn afresh, all play together."), field="pools")


def require_startable(championship: Championship, stage: Stage) -> None:
    """Raise Conflict `draft-exists`, `stage-before` or `parties-open` where a stage cannot start yet."""
    waiting = Round.objects.filter(championship=championship, status=RoundStatus.DRAFT).first()
    if waiting is not None:
        message = _("Round %(number)s is still a draft: publish or discard it first.") % {"number": waiting.number}
        raise Conflict("draft-exists", message)
    before = Stage.objects.filter(championship=championship, number__lt=stage.number)
    if before.filter(started_at=None).exists():
        raise Conflict("stage-before", _("The stage before was not started yet."))
    still = championship.parties.filter(status=PartieStatus.OPEN).order_by("number").values_list("number", flat=True)
    if stage.number > 1 and still:
        message = _("Close or annul the parties that are still open first: %(numbers)s.") % {
            "numbers": ", ".join(map(str, still[:20]))
        }
        raise Conflict("parties-open", message, extra={"parties": list(still)})


def start(championship: Championship, stage: Stage) -> None:
    """Mark a stage of a locked championship as started, and those before it as finished; for `stage_starts`."""
    before = Stage.objects.filter(championship=championship, number__lt=stage.number)
    now = timezone.now()
    before.filter(finished_at=None).update(finished_at=now, version=F("version") + 1)
    stage.started_at, stage.version = now, stage.version + 1
    stage.save(update_fields=["started_at", "version"])
    journal.write(championship, journal.Line(What.STAGE_STARTED))

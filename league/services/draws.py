"""The next round is drawn, into a draft that only organisers see (STANDINGS 2 and 5)."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import Championship, Format, Round, RoundStatus, Stage
from league.policy import Actor
from league.selectors.pairing_field import PairingField, standing_for_pairing
from league.selectors.players_of_round import PLAY, UNCHECKED, who_plays
from league.selectors.round_results import seed_for
from league.selectors.stages import Now, now, still_open
from league.services import audit
from league.services.championships import require_running
from league.services.drawn import Drawing, draw
from league.services.knockouts import close_extra_manches
from league.services.locks import check_version, lock_championship
from league.services.stage_starts import begin, take_in_late

FIRST: Final = 1


@transaction.atomic
def draw_round(
    *,
    actor: Actor,
    championship_id: int,
    unchecked: str = PLAY,
    anyway: bool = False,
    one_more: bool = False,
) -> Round:
    """Draw the next round into a draft; the first stage starts by itself, in the order of lots.

    `unchecked`: what those do who did not check in, "play" or "absent". `anyway`: draw while tables of earlier rounds
    are open, which count as level (a postponed one holds up a knock-out only). `one_more`: a round beyond the plan.
    Raises Conflict `finished`, `draft-exists`, `parties-open`, `stage-over`, `level-at-the-limit`; UserFault `nobody`.
    """
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    if unchecked not in UNCHECKED:
        raise UserFault("unknown-choice", _("Choose one of the list."), field="unchecked")
    before = now(championship=championship)
    begins = before.stage is not None and before.stage.started_at is None
    where = _begun(actor, championship, before)
    close_extra_manches(actor, championship, where)
    _refuse_second_draft(where)
    _refuse_beyond_plan(where, one_more=one_more)
    _refuse_open(championship, where, anyway=anyway)
    round_ = Round(
        championship=championship,
        stage=where.stage,
        number=where.next_round,
        clock_minutes=championship.clock_minutes,
        clock_at_end=championship.clock_at_end,
        by=actor.user,
    )
    if begins:
        round_.pairing = {"began": True}
    _fill(championship, round_, where, unchecked)
    round_.save(force_insert=True)
    after = {"round": round_.number, "seed": round_.seed, **summary(round_.pairing)}
    audit.record(actor=actor, action="draw_round", on=round_, championship=championship, after=after)
    return round_


@transaction.atomic
def redraw(*, actor: Actor, round_id: int, version: int | None, unchecked: str | None = None) -> Round:
    """Draw a draft again: the same seed and the same entries give the same tables; changes by hand are gone.

    Who may play is looked at anew, so late entries come in; tables that were played when the round was reopened stay.
    Raises Conflict `finished`, `no-draft`; Stale; UserFault `nobody`.
    """
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    round_ = locked_draft(round_id, version)
    before = summary(round_.pairing)
    where = now(championship=championship)
    where = Now(round_.stage, where.following, round_.number, where.drawn - 1, where.planned, where.last)
    _fill(championship, round_, where, unchecked or round_.pairing.get("unchecked", PLAY))
    round_.version += 1
    round_.save(update_fields=["pairing", "seed", "drawn_at", "version"])
    after = summary(round_.pairing)
    audit.record(actor=actor, action="redraw", on=round_, championship=championship, before=before, after=after)
    return round_


def locked_draft(round_id: int, version: int | None) -> Round:
    """The draft of a locked championship. Raises Conflict `no-draft`, Stale."""
    round_ = Round.objects.select_related("stage", "championship").filter(pk=round_id).first()
    if round_ is None or round_.status != RoundStatus.DRAFT:
        raise Conflict("no-draft", _("This is no draft any more: it was published or discarded."))
    check_version(round_, version)
    return round_


def summary(pairing: Mapping[str, Any]) -> dict[str, Any]:
    """What the audit keeps of a pairing: sides by table, byes, absent."""
    tables = {str(table["number"]): [list(side) for side in table["sides"]] for table in pairing.get("tables", [])}
    return {"tables": tables, "byes": list(pairing.get("byes", [])), "absent": list(pairing.get("absent", []))}


def _begun(actor: Actor, championship: Championship, where: Now) -> Now:
    """With the first stage started, if there are stages and none was."""
    if where.stage is None or where.stage.started_at is not None:
        return where
    begin(actor, championship, where.stage)
    return now(championship=championship)


def _refuse_second_draft(where: Now) -> None:
    if where.last is not None and where.last.status == RoundStatus.DRAFT:
        message = _("Round %(number)s is drawn already: publish or discard it first.") % {"number": where.last.number}
        raise Conflict("draft-exists", message, extra={"round": where.last.number})


def _refuse_beyond_plan(where: Now, *, one_more: bool) -> None:
    stage = where.stage
    if stage is None or not where.is_over:
        return
    if one_more and stage.format in (Format.SWISS, Format.FREE):
        return
    message = _("All rounds of this stage are drawn.")
    raise Conflict("stage-over", message, extra={"planned": where.planned})


def _refuse_open(championship: Championship, where: Now, *, anyway: bool) -> None:
    is_knockout = where.stage is not None and where.stage.format == Format.KNOCKOUT
    waiting = [
        table or number
        for number, table, postponed in still_open(championship=championship, before=where.next_round)
        if is_knockout or not postponed
    ]
    if not waiting or (anyway and not is_knockout):
        return
    message = _("Still playing: table %(tables)s. Wait for them, or draw anyway: they count as level.") % {
        "tables": ", ".join(map(str, waiting[:20]))
    }
    if is_knockout:
        message = _("Still playing: table %(tables)s. Who goes on is not known before.") % {
            "tables": ", ".join(map(str, waiting[:20]))
        }
    raise Conflict("parties-open", message, extra={"parties": waiting})


def _fill(championship: Championship, round_: Round, where: Now, unchecked: str) -> None:
    """Put a draw into a round."""
    field = standing_for_pairing(championship=championship, stage=where.stage, round=round_.number)
    if where.stage is not None:
        field = _with_late(championship, where.stage, field, round_.number)
    playing, absent = who_plays(
        championship=championship, round_number=round_.number, numbers=field.contenders, unchecked=unchecked
    )
    kept = [table for table in round_.pairing.get("tables", []) if table.get("kept")]
    busy = frozenset(number for table in kept for side in table["sides"] for number in side)
    round_.seed = seed_for(championship=championship, round_number=round_.number)
    drawing = Drawing(
        championship=championship,
        stage=where.stage,
        seed=round_.seed,
        field=field,
        playing=[number for number in playing if number not in busy],
        drawn=where.drawn,
        round_number=round_.number,
        kept=kept,
        busy=busy,
    )
    found = draw(drawing)
    if not found.tables and not kept:
        raise UserFault("nobody", _("There are not enough entries that can play in this round."))
    round_.pairing = {
        "tables": sorted([*kept, *found.tables], key=lambda table: table["number"]),
        "byes": found.byes,
        "absent": [] if is_fixed(where.stage) else [number for number in absent if number not in busy],
        "idle": found.idle,
        "drawn": {"tables": [table["sides"] for table in found.tables], "byes": list(found.byes)},
        "unchecked": unchecked,
    } | ({"began": True} if round_.pairing.get("began") else {})
    round_.drawn_at = timezone.now()


def is_fixed(stage: Stage | None) -> bool:
    """Whether who meets whom stands from the start, so that who is absent sits at a table all the same."""
    return stage is not None and stage.format in (Format.ROUND_ROBIN, Format.KNOCKOUT)


def _with_late(championship: Championship, stage: Stage, field: PairingField, number: int) -> PairingField:
    """The field with entries that came after the stage was started, where it takes any."""
    if stage.number != FIRST or stage.format not in (Format.SWISS, Format.FREE):
        return field
    everybody = standing_for_pairing(championship=championship, stage=None, round=number)
    if take_in_late(championship, stage, field, everybody):
        return standing_for_pairing(championship=championship, stage=stage, round=number)
    return field

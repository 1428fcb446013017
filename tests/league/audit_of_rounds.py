"""What services do to stages and rounds, for the test that each of them is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Championship, Partie, Round, Stage
from league.services import (
    absences,
    clock,
    drafts,
    draws,
    free_rounds,
    knockouts,
    postponing,
    rounds,
    stage_starts,
    stages,
)
from tests.factories import ChampionshipFactory, EntryFactory, play, sheet

Do = Callable[..., Any]
Tried = Callable[[Any], Any]

SWISS = {"format": "swiss", "rounds_planned": 5}
KNOCKOUT = {"format": "knockout"}


def _cup(hall: Any, settings: dict[str, Any] | None = None) -> Championship:
    """Six entries in a stage that was not started."""
    cup: Championship = ChampionshipFactory(owner=hall.actor.user, partie_end="manches", partie_end_value=1)
    EntryFactory.create_batch(6, championship=cup)
    hall.do(stages.add_stage, championship_id=cup.pk, settings=settings or SWISS)
    return cup


def _draft(hall: Any, cup: Championship | None = None) -> Round:
    cup = cup or _cup(hall)
    drawn: Round = hall.do(draws.draw_round, championship_id=cup.pk)
    return drawn


def _round(hall: Any, cup: Championship | None = None) -> Round:
    drawn = _draft(hall, cup)
    published: Round = hall.do(rounds.publish_round, round_id=drawn.pk, version=drawn.version)
    return published


def _on_stage(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, stage_id=Stage.objects.get(championship=_cup(hall)).pk, version=None, **how)


def _on_draft(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, round_id=_draft(hall).pk, version=None, **how)


def _on_round(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, round_id=_round(hall).pk, version=None, **how)


def _redrawn(hall: Any) -> Any:
    swapped = _on_draft(drafts.swap, one=1, other=6)(hall)
    hall.do(drafts.move, round_id=swapped.pk, version=None, entry=2, to=drafts.BYES)
    return hall.do(draws.redraw, round_id=swapped.pk, version=None)


def _by_hand(hall: Any) -> Any:
    one, other = EntryFactory.create_batch(2, championship=hall.championship)
    table = free_rounds.TableByHand([one.pk, other.pk])
    return hall.do(free_rounds.open_round, championship_id=hall.championship.pk, round=2, tables=[table])


def _on_clock(service: Do, **how: Any) -> Tried:
    def tried(hall: Any) -> Any:
        round_ = _round(hall)
        hall.do(clock.set_clock, round_id=round_.pk, version=None, minutes=50, at_end="stop")
        if service is not clock.start_clock:
            hall.do(clock.start_clock, round_id=round_.pk)
        return hall.do(service, round_id=round_.pk, version=None, **how)

    return tried


def _absent(hall: Any) -> Any:
    entry = _cup(hall).entries.get(number=2)
    hall.do(absences.announce_absence, entry_id=entry.pk, first=1)
    return entry


def _back(hall: Any) -> Any:
    return hall.do(absences.take_absence_back, entry_id=_absent(hall).pk, round_number=1)


def _postponed(hall: Any) -> Partie:
    partie = Partie.objects.filter(championship=_round(hall).championship).earliest("number")
    late: Partie = hall.do(postponing.postpone_partie, partie_id=partie.pk, version=None, reason="R")
    return late


def _resumed(hall: Any) -> Any:
    return hall.do(postponing.resume_partie, partie_id=_postponed(hall).pk, version=None)


def _on_level_table(service: Do) -> Tried:
    """Where nobody reached the target at a table of a knock-out, and both stand at the same kilometre."""

    def tried(hall: Any) -> Any:
        round_ = _round(hall, _cup(hall, KNOCKOUT))
        partie = Partie.objects.filter(championship=round_.championship).earliest("number")
        play(partie, 1, sheet({"A": 475, "B": 475}))
        return hall.do(service, round_id=round_.pk, table=partie.table_number)

    return tried


DONE: dict[str, Tried] = {
    "add_minutes": _on_clock(clock.add_minutes, minutes=5),
    "add_stage": _cup,
    "announce_absence": _absent,
    "change_stage": _on_stage(stages.change_stage, settings={"rounds_planned": 7}),
    "discard_draft": _on_draft(drafts.discard_draft),
    "draw_round": _draft,
    "go_on_as_seeded": _on_level_table(knockouts.go_on_as_seeded),
    "lock_round": _on_round(rounds.lock_round),
    "move": _on_draft(drafts.move, entry=2, to=drafts.BYES),
    "number_table": _on_draft(drafts.number_table, table=1, to=9),
    "open_extra_manche": _on_level_table(knockouts.open_extra_manche),
    "pause_clock": _on_clock(clock.pause_clock),
    "open_round": _by_hand,
    "plan_stages": lambda hall: hall.do(stages.plan_stages, championship_id=_cup(hall).pk, plan=[KNOCKOUT]),
    "postpone_partie": _postponed,
    "publish_round": _round,
    "redraw": _redrawn,
    "remove_stage": _on_stage(stages.remove_stage),
    "reopen_round": _on_round(rounds.reopen_round, reason="R"),
    "resume_partie": _resumed,
    "set_clock": _on_round(clock.set_clock, minutes=45, at_end="stop"),
    "start_clock": _on_clock(clock.start_clock),
    "start_stage": _on_stage(stage_starts.start_stage),
    "stop_clock": _on_clock(clock.stop_clock),
    "swap": _on_draft(drafts.swap, one=1, other=6),
    "take_absence_back": _back,
    "turn": _on_draft(drafts.turn, table=1),
    "undo_step": _on_round(rounds.undo_step),
}
MADE_ANEW = {
    "move": "move_in_draft",
    "number_table": "number_in_draft",
    "open_round": "open_partie",
    "plan_stages": "remove_stage",
    "postpone_partie": "postpone",
    "swap": "swap_in_draft",
    "turn": "turn_in_draft",
    "undo_step": "unpublish_round",
}

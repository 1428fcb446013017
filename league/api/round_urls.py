"""The addresses of stages, rounds and circuits; `league.api.urls` has them among its own."""

from django.urls import URLPattern, path

from league.api import (
    circuit_writes,
    circuits,
    clock,
    drafts,
    draws,
    free_rounds,
    postponing,
    rounds,
    sitting_out,
    stage_reads,
    stages,
)

_AT = "championships/<slug:slug>"
_STAGE = f"{_AT}/stages/<stage:number>"
_ROUND = f"{_AT}/rounds/<round:number>"
_PARTIE = f"{_AT}/parties/<partie:number>"


def paths() -> list[URLPattern]:
    """Made once the converters are (league.api.references)."""
    return [
        *_stages(),
        *_circuits(),
        path(f"{_AT}/draw", draws.BeforeDrawView.as_view(), name="api-draw"),
        path(f"{_AT}/rounds", rounds.RoundsView.as_view(), name="api-rounds"),
        path(_ROUND, rounds.RoundView.as_view(), name="api-round"),
        path(f"{_ROUND}/redraw", drafts.RedrawView.as_view(), name="api-round-redraw"),
        path(f"{_ROUND}/swap", drafts.SwapView.as_view(), name="api-round-swap"),
        path(f"{_ROUND}/move", drafts.MoveView.as_view(), name="api-round-move"),
        path(f"{_ROUND}/turn", drafts.TurnView.as_view(), name="api-round-turn"),
        path(f"{_ROUND}/number", drafts.NumberTableView.as_view(), name="api-round-number"),
        path(f"{_ROUND}/publish", rounds.PublishRoundView.as_view(), name="api-round-publish"),
        path(f"{_ROUND}/lock", rounds.LockRoundView.as_view(), name="api-round-lock"),
        path(f"{_ROUND}/reopen", rounds.ReopenRoundView.as_view(), name="api-round-reopen"),
        path(f"{_ROUND}/undo", rounds.UndoRoundView.as_view(), name="api-round-undo"),
        path(f"{_ROUND}/tables", free_rounds.OpenRoundView.as_view(), name="api-round-tables"),
        path(f"{_ROUND}/tables/<int:table>/extra-manche", draws.ExtraMancheView.as_view(), name="api-extra-manche"),
        path(f"{_ROUND}/tables/<int:table>/as-seeded", draws.AsSeededView.as_view(), name="api-as-seeded"),
        *_clock(),
        path(f"{_ROUND}/absences", sitting_out.AbsencesView.as_view(), name="api-absences"),
        path(f"{_ROUND}/absences/<entry:entry>", sitting_out.AbsenceView.as_view(), name="api-absence"),
        path(f"{_ROUND}/byes", sitting_out.ByesView.as_view(), name="api-byes"),
        path(f"{_ROUND}/byes/<entry:entry>", sitting_out.ByeView.as_view(), name="api-bye"),
        path(f"{_ROUND}/byes/<entry:entry>/remove", sitting_out.RemoveByeView.as_view(), name="api-bye-remove"),
        path(f"{_PARTIE}/postpone", postponing.PostponeView.as_view(), name="api-partie-postpone"),
        path(f"{_PARTIE}/resume", postponing.ResumeView.as_view(), name="api-partie-resume"),
    ]


def _stages() -> list[URLPattern]:
    return [
        path(f"{_AT}/stages", stages.StagesView.as_view(), name="api-stages"),
        path(f"{_AT}/stages/plan", stages.StagePlanView.as_view(), name="api-stage-plan"),
        path(_STAGE, stages.StageView.as_view(), name="api-stage"),
        path(f"{_STAGE}/start", stages.StageStartView.as_view(), name="api-stage-start"),
        path(f"{_STAGE}/coming", stage_reads.ComingView.as_view(), name="api-stage-coming"),
        path(f"{_STAGE}/entries", stage_reads.StageEntriesView.as_view(), name="api-stage-entries"),
        path(f"{_STAGE}/ranking", stage_reads.StageRankingView.as_view(), name="api-stage-ranking"),
        path(f"{_STAGE}/bracket", stage_reads.BracketView.as_view(), name="api-stage-bracket"),
        path(
            f"{_AT}/rankings/<int:version>/stages/<stage:stage>",
            stage_reads.PublishedStageRankingView.as_view(),
            name="api-published-stage-ranking",
        ),
    ]


def _clock() -> list[URLPattern]:
    return [
        path(f"{_ROUND}/clock", clock.ClockView.as_view(), name="api-clock"),
        path(f"{_ROUND}/clock/set", clock.SetClockView.as_view(), name="api-clock-set"),
        path(f"{_ROUND}/clock/start", clock.StartClockView.as_view(), name="api-clock-start"),
        path(f"{_ROUND}/clock/pause", clock.PauseClockView.as_view(), name="api-clock-pause"),
        path(f"{_ROUND}/clock/add", clock.AddMinutesView.as_view(), name="api-clock-add"),
        path(f"{_ROUND}/clock/stop", clock.StopClockView.as_view(), name="api-clock-stop"),
    ]


def _circuits() -> list[URLPattern]:
    own = "circuits/<slug:circuit>"
    leg = f"{own}/legs/<slug:championship>"
    return [
        path("circuits", circuit_writes.CircuitsView.as_view(), name="api-circuits"),
        path(own, circuit_writes.CircuitView.as_view(), name="api-circuit"),
        path(f"{own}/legs", circuit_writes.CircuitLegsView.as_view(), name="api-circuit-legs"),
        path(leg, circuit_writes.CircuitLegView.as_view(), name="api-circuit-leg"),
        path(f"{leg}/move", circuit_writes.MoveLegView.as_view(), name="api-circuit-leg-move"),
        path(f"{own}/rankings", circuit_writes.CircuitRankingsView.as_view(), name="api-circuit-rankings"),
        path(f"{own}/rankings/<int:version>", circuits.CircuitRankingView.as_view(), name="api-circuit-ranking"),
        path(
            f"{own}/rankings/<int:version>/document",
            circuits.CircuitDocumentView.as_view(),
            name="api-circuit-document",
        ),
    ]

"""What a championship is ranked from: `classement/1`, or `etapes/1` where it has stages (STANDINGS 5 and 7).

Which partie and which penalty belongs to which stage is said by `scoring.stage_assembly`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max, Min

from league.models import (
    CarryOver,
    Championship,
    Format,
    Partie,
    ResultEvent,
    Round,
    RoundStatus,
    StageEntry,
    What,
)
from league.selectors.classement import document_and_stages, half_of_those_scheduled, without_secret
from scoring.stage_assembly import BegunStage, DrawnRound, Facts, stages_document
from scoring.stage_reader import FORMAT


def ranking_document(championship: Championship, up_to_round: int | None = None) -> dict[str, Any]:
    """The document that the championship is ranked from, in five queries, with stages in seven to nine.

    `up_to_round`: only the results of rounds up to it, and only the stages that had begun by then. It holds the secret
    where lots are drawn: `public_document` is for everybody.
    """
    return both_documents(championship, up_to_round)[1]


def both_documents(
    championship: Championship, up_to_round: int | None = None, *, with_stage: int | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All results in one table, and the document that the championship is ranked from; without stages they are one.

    `with_stage`: the number of a stage that is looked at even if it has no round yet.
    """
    whole, has_stages = document_and_stages(championship, up_to_round)
    if not has_stages:
        return whole, whole
    return whole, stages_document(whole, _facts(championship), up_to_round, with_stage)


def public_document(championship: Championship, up_to_round: int | None = None) -> dict[str, Any]:
    """The document as anybody may have it: until the championship is finished without its secret and the lots."""
    whole = ranking_document(championship, up_to_round)
    if whole["format"] != FORMAT:
        return without_secret(championship, whole)
    for stage in whole["stages"]:
        for pool in stage.get("pools", ()):
            without_secret(championship, pool)
    return whole


def _facts(championship: Championship) -> Facts:
    """Two queries, and one more where rounds were opened by hand, and where penalties stand beside several stages."""

    def half(parties: Sequence[Mapping[str, Any]]) -> int:
        return half_of_those_scheduled(championship, parties)

    return Facts(
        stages=_stages(championship),
        drawn=_drawn(championship),
        opened=lambda rounds: _opened(championship, rounds),
        penalised=lambda entries: _penalised(championship, entries),
        half=half if championship.primary == "mean_points" and championship.minimum is None else None,
    )


def _stages(championship: Championship) -> list[BegunStage]:
    """The stages that have begun, in order, with who is in them. One query."""
    columns = ("name", "format", "pools", "table_qualify", "carry_over", "started_at")
    found: dict[int, BegunStage] = {}
    rows = StageEntry.objects.filter(stage__championship=championship).order_by("stage__number", "seed")
    for entry, pool, number, name, format_, pools, advance, carry_over, started_at in rows.values_list(
        "entry__number", "pool", "stage__number", *(f"stage__{column}" for column in columns)
    ):
        stage = found.get(number)
        if stage is None:
            stage = found[number] = BegunStage(
                number,
                name,
                is_knockout=format_ == Format.KNOCKOUT,
                pools=pools,
                advance=advance,
                carries_over=carry_over == CarryOver.QUALIFIED,
                started_at=started_at,
            )
        stage.members[entry] = pool
    return list(found.values())


def _drawn(championship: Championship) -> dict[int, DrawnRound]:
    """The rounds that were drawn, by number. One query."""
    rows = Round.objects.filter(championship=championship, stage__isnull=False).exclude(status=RoundStatus.DRAFT)
    return {
        number: DrawnRound(stage, pairing)
        for number, stage, pairing in rows.order_by("number").values_list("number", "stage__number", "pairing")
    }


def _opened(championship: Championship, rounds: Sequence[int]) -> dict[int, datetime]:
    """When the first partie of each of these rounds was opened."""
    rows = Partie.objects.filter(championship=championship, round__in=rounds).order_by("round").values("round")
    return dict(rows.annotate(first=Min("opened_at")).values_list("round", "first"))


def _penalised(championship: Championship, entries: Sequence[int]) -> dict[int, datetime]:
    """When each of these entries was penalised last."""
    rows = ResultEvent.objects.filter(championship=championship, what=What.ENTRY_PENALISED, entry__number__in=entries)
    return dict(rows.order_by().values("entry__number").annotate(last=Max("at")).values_list("entry__number", "last"))

"""The stages of a championship: how each is set up, how far it is, and which one the next round belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from league.models import Bye, Championship, Format, Partie, Round, RoundStatus, Stage, StageEntry
from league.selectors.missing_pairs import missing_pairs
from scoring.pairing import knockout_plan, missing_rounds, round_robin_rounds


@dataclass(frozen=True, slots=True)
class StageLine:
    """A stage as it is set up. `rounds`: how many were drawn, a draft too; `entries`: 0 before its start."""

    id: int
    number: int
    name: str
    format: str
    rounds_planned: int | None
    pools: int
    qualify: int | None
    table_qualify: int
    place_match: bool
    apart_by_club: bool
    carry_over: str
    started_at: datetime | None
    finished_at: datetime | None
    version: int
    entries: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Now:
    """Where a championship stands: the stage that is played, the one after it, and the number of the next round.

    `stage` is None without stages; before the first start it is the first one. `drawn`: rounds of that stage so far;
    `planned`: how many it has, None where nobody said. `last` is the last round that was drawn, of any stage.
    """

    stage: Stage | None
    following: Stage | None
    next_round: int
    drawn: int
    planned: int | None
    last: Round | None

    @property
    def is_over(self) -> bool:
        """Whether all rounds of the stage were drawn."""
        return self.planned is not None and self.drawn >= self.planned


def stages(*, championship: Championship) -> list[StageLine]:
    """The stages in their order. One query."""
    return lines_of(Stage.objects.filter(championship=championship))


def lines_of(rows: QuerySet[Stage]) -> list[StageLine]:
    """Stages as they are listed, by number. One query."""
    counted = (
        rows.order_by("number")
        .annotate(entry_count=Count("members", distinct=True), round_count=Count("rounds", distinct=True))
        .values_list(
            "id",
            "number",
            "name",
            "format",
            "rounds_planned",
            "pools",
            "qualify",
            "table_qualify",
            "place_match",
            "apart_by_club",
            "carry_over",
            "started_at",
            "finished_at",
            "version",
            "entry_count",
            "round_count",
        )
    )
    return [StageLine(*row) for row in counted]


def now(*, championship: Championship) -> Now:
    """Where the championship stands. Six queries at most."""
    rows = list(Stage.objects.filter(championship=championship).order_by("number"))
    begun = [stage for stage in rows if stage.started_at is not None]
    stage = begun[-1] if begun else rows[0] if rows else None
    following = next((one for one in rows if stage is not None and one.number > stage.number), None)
    last = Round.objects.filter(championship=championship).select_related("stage").order_by("-number").first()
    drawn = Round.objects.filter(stage=stage).count() if stage is not None else 0
    return Now(
        stage=stage,
        following=following,
        next_round=last_round_number(championship) + 1,
        drawn=drawn,
        planned=planned_rounds(championship, stage),
        last=last,
    )


def last_round_number(championship: Championship) -> int:
    """The number of the last round that has anything: a draw, a partie or a bye; 0 before. Three queries."""
    found = [
        Round.objects.filter(championship=championship).aggregate(last=Max("number"))["last"],
        Partie.objects.filter(championship=championship).aggregate(last=Max("round"))["last"],
        Bye.objects.filter(championship=championship).aggregate(last=Max("round"))["last"],
    ]
    return max((number or 0 for number in found), default=0)


def planned_rounds(championship: Championship, stage: Stage | None) -> int | None:
    """How many rounds a stage has; a round robin and a knock-out know it from their entries. One query at most.

    A round robin that keeps results of the stage before has only as many as the pairs need that have not met; it takes
    up to seven queries, four more for each stage before those.
    """
    if stage is None:
        return None
    if stage.format == Format.ROUND_ROBIN:
        if stage.rounds_planned is not None:
            return stage.rounds_planned
        if (missing := missing_pairs(stage=stage)) is not None:
            drawn = Round.objects.filter(stage=stage).count()
            return drawn + max(missing_rounds(order, missing.pairs[pool]) for pool, order in missing.order.items())
        sizes = _pool_sizes(stage)
        return max((round_robin_rounds(size) for size in sizes), default=None)
    if stage.format == Format.KNOCKOUT:
        entries = sum(_pool_sizes(stage))
        return len(_plan(championship, stage, entries)) if entries else None
    return stage.rounds_planned


def pools_of(*, stage: Stage | None) -> dict[int, int | None]:
    """The pool of each entry of a stage, by number; nothing where there are no pools. One query at most."""
    if stage is None or stage.pools == 1:
        return {}
    return dict(StageEntry.objects.filter(stage=stage).values_list("entry__number", "pool"))


def _pool_sizes(stage: Stage) -> Sequence[int]:
    rows = StageEntry.objects.filter(stage=stage).order_by().values("pool").annotate(n=Count("pk"))
    return [row["n"] for row in rows]


def _plan(championship: Championship, stage: Stage, entries: int) -> Sequence[object]:
    return knockout_plan(
        entries,
        table=championship.table_entries,
        through=stage.table_qualify,
        short_tables=championship.allow_short_tables,
    )


def draft_of(*, championship: Championship) -> Round | None:
    """The round that is being drawn, if one is. One query."""
    rows = Round.objects.filter(championship=championship, status=RoundStatus.DRAFT)
    return rows.select_related("stage").first()


def still_open(*, championship: Championship, before: int) -> list[tuple[int, int | None, bool]]:
    """Parties of earlier rounds that are open: number, table, and whether it was postponed. One query."""
    rows = Partie.objects.filter(Q(championship=championship, status="open", round__lt=before)).order_by("number")
    return [
        (number, table, at is not None)
        for number, table, at in rows.values_list("number", "table_number", "postponed_at")
    ]

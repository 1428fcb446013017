"""An entry in a round robin that goes on: what its withdrawal would do to its parties (STANDINGS 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from league.models import Championship, Entry, Format, Partie, PartieStatus, Round, RoundStatus, Stage, StageEntry
from scoring.pairing import round_robin_rounds
from scoring.withdrawals import withdrawal_in_round_robin


@dataclass(frozen=True, slots=True)
class RobinEffect:
    """What withdrawing does: `void`, all its parties are annulled; `forfeit`, those played stay and the rest are lost.

    `played` of `scheduled` parties are closed; `rounds`: those of the stage that were drawn.
    """

    what: Literal["void", "forfeit"]
    played: int
    scheduled: int
    rounds: Sequence[int]


def robin_effect(*, championship: Championship, entry: Entry) -> RobinEffect | None:
    """The effect for an entry of the round robin under way; None where it plays none.

    Five queries at most, where results were carried over four more for each stage before.
    """
    from league.selectors.missing_pairs import kept_meetings  # it asks this room for the effect

    stage = (
        Stage.objects.filter(championship=championship, started_at__isnull=False, members__entry=entry)
        .order_by("-number")
        .first()
    )
    if stage is None or stage.format != Format.ROUND_ROBIN or stage.finished_at is not None:
        return None
    pool = StageEntry.objects.filter(stage=stage, entry=entry).values("pool")
    others = StageEntry.objects.filter(stage=stage)
    first = pool[0]["pool"]
    size = others.filter(pool=first).count() if first is not None else others.count()
    drawn = Round.objects.filter(stage=stage).exclude(status=RoundStatus.DRAFT)
    rounds = list(drawn.values_list("number", flat=True))
    own = Partie.objects.filter(championship=championship, round__in=rounds, seats__entry=entry)
    kept = kept_meetings(stage=stage, number=entry.number)
    return effect_of(stage, size, own.filter(status=PartieStatus.CLOSED).count(), rounds, kept=kept)


def effect_of(stage: Stage, size: int, played: int, rounds: Sequence[int], *, kept: int = 0) -> RobinEffect:
    """The effect in a pool of `size` entries after so many closed parties, `kept` of the stage before. No query."""
    a_leg = max(1, round_robin_rounds(size))
    legs = -(-(stage.rounds_planned or a_leg) // a_leg)
    scheduled = max(legs * (size - 1) - kept, played)
    return RobinEffect(withdrawal_in_round_robin(played, scheduled), played, scheduled, rounds)

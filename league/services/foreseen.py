"""What a ruling or a correction would move, found out before anything is saved (DESIGN 2, STANDINGS 4).

It is done in a transaction that is undone, so what is foreseen is what would happen, ends of parties included. The
rankings before and after are computed outside: the championship's lock is held no longer than the thing itself takes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from league.models import Championship, Entry, Partie, PartieStatus
from league.selectors.etapes import ranking_document
from league.selectors.parties import PartieView, partie_view
from league.services.renewal import compute


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry whose rank, or whose values, would not be what they are. A rank is None for who has none."""

    number: int
    name: str
    rank_before: int | None
    rank_after: int | None

    @property
    def places(self) -> int:
        """How many places up (positive) or down; 0 where one of the two has no rank."""
        if self.rank_before is None or self.rank_after is None:
            return 0
        return self.rank_before - self.rank_after


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would be otherwise: the parties concerned before and after, and the entries that would change rank.

    `stage_changes`: entries (number, name, stage before, stage after) that would be placed by another stage, that is
    who would go on, or would not any more.
    """

    parties: Sequence[tuple[PartieView, PartieView]]
    moved: Sequence[Moved]
    stage_changes: Sequence[tuple[int, str, int | None, int | None]]

    @property
    def changes_nothing(self) -> bool:
        """Whether neither a score nor a rank would move."""
        return not self.moved and not self.stage_changes and all(a.seats == b.seats for a, b in self.parties)

    @property
    def opened(self) -> list[int]:
        """The parties that would be open again."""
        return [b.number for a, b in self.parties if b.status == PartieStatus.OPEN != a.status]

    @property
    def closed(self) -> list[int]:
        """The parties that would be over."""
        return [b.number for a, b in self.parties if a.status == PartieStatus.OPEN != b.status]


class _UndoneError(Exception):
    """Ends the transaction of something that was only tried."""


def foresee(*, championship: Championship, parties: Sequence[Partie], do: Callable[[], Any]) -> Foreseen:
    """What `do`, a service's call, would change; nothing of it is kept. Raises what `do` raises."""
    before = [partie_view(partie=partie) for partie in parties]
    ranked_before = ranking_document(championship)
    try:
        with transaction.atomic():
            do()
            after = [partie_view(partie=partie) for partie in parties]
            ranked_after = ranking_document(championship)
            raise _UndoneError
    except _UndoneError:
        pass
    old, new = compute(ranked_before), compute(ranked_after)
    names = dict(Entry.objects.filter(championship=championship).values_list("number", "team__name"))
    return Foreseen(
        parties=[(a, b) for a, b in zip(before, after, strict=True)],
        moved=[
            Moved(number, names[number], old[number]["rank"], row["rank"])
            for number, row in new.items()
            if number in old and old[number]["rank"] != row["rank"]
        ],
        stage_changes=[
            (number, names[number], old[number].get("stage"), row.get("stage"))
            for number, row in new.items()
            if number in old and old[number].get("stage") != row.get("stage")
        ],
    )

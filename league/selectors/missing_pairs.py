"""Who has still to meet in a round robin into which the results among the qualified were carried over (STANDINGS 5)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from django.db.models import Min, Q

from league.models import CarryOver, Format, Partie, PartieStatus, Round, RoundStatus, Seat, Stage, StageEntry
from league.selectors.round_robin import effect_of

Pairs = set[frozenset[int]]


@dataclass(slots=True)
class Missing:
    """Of each pool of the stage (None without pools): its entries in their order, and the pairs that have to meet.

    `kept`: the pairs whose result was carried over; `firsts`: how many times each sat first in this stage so far.
    """

    order: dict[int | None, list[int]]
    pairs: dict[int | None, Pairs]
    kept: Pairs
    firsts: Counter[int] = field(default_factory=Counter)


def keeps_meetings(stage: Stage | None) -> bool:
    """Whether meetings of the stage before may count in a stage, so that these are not played again."""
    return (
        stage is not None
        and stage.number > 1
        and stage.format == Format.ROUND_ROBIN
        and stage.carry_over == CarryOver.QUALIFIED
    )


def missing_pairs(*, stage: Stage, before: int | None = None) -> Missing | None:
    """Who has still to meet, rounds from `before` on left aside; None where every pair plays here anyway.

    No query for most stages; otherwise six, three more for each stage before the last from which results come.
    """
    if not keeps_meetings(stage):
        return None
    order: dict[int | None, list[int]] = defaultdict(list)
    gone = set()
    rows = StageEntry.objects.filter(stage=stage).order_by("seed")
    for number, pool, withdrawn_at in rows.values_list("entry__number", "pool", "entry__withdrawn_at"):
        order[pool].append(number)
        if withdrawn_at is not None:
            gone.add(number)
    kept = _kept(stage, {number for pool in order.values() for number in pool})
    if not kept:
        return None
    found = Missing(dict(order), {}, kept)
    drawn, rounds = _drawn(stage, before, found.firsts)
    for pool, numbers in order.items():
        wanted = {frozenset(pair) for pair in combinations(numbers, 2)} - kept - drawn
        found.pairs[pool] = wanted - _nobody_plays(
            stage, wanted, gone.intersection(numbers), len(numbers), kept, rounds
        )
    return found


def kept_meetings(*, stage: Stage, number: int) -> int:
    """How many meetings of one entry were carried over into a stage."""
    if not keeps_meetings(stage):
        return 0
    inside = set(StageEntry.objects.filter(stage=stage).values_list("entry__number", flat=True))
    return sum(number in pair for pair in _kept(stage, inside))


def _kept(stage: Stage, inside: Collection[int]) -> Pairs:
    """The pairs that met in a pool of the stage before, or in one of which the results were carried over into that."""
    before = Stage.objects.filter(championship=stage.championship_id, number=stage.number - 1).first()
    if before is None or before.format == Format.KNOCKOUT:
        return set()
    pools = dict(StageEntry.objects.filter(stage=before).values_list("entry__number", "pool"))
    own = Round.objects.filter(championship=stage.championship_id, stage__number__gte=stage.number)
    first = own.aggregate(first=Min("number"))["first"]
    of_others = Round.objects.filter(championship=stage.championship_id).exclude(stage=before).values("number")
    parties = Partie.objects.filter(championship=stage.championship_id, status=PartieStatus.CLOSED)
    parties = parties.exclude(round__in=of_others)
    if first is not None:
        parties = parties.filter(round__lt=first)
    sides: dict[int, list[int]] = defaultdict(list)
    for partie, number in Seat.objects.filter(partie__in=parties).values_list("partie_id", "entry__number"):
        sides[partie].append(number)
    found = {
        frozenset(pair)
        for numbers in sides.values()
        if set(numbers) <= set(inside) and len({pools.get(number, 0) for number in numbers}) == 1
        for pair in combinations(numbers, 2)
    }
    return found | _kept(before, inside) if before.carry_over == CarryOver.QUALIFIED and before.number > 1 else found


def _drawn(stage: Stage, before: int | None, firsts: Counter[int]) -> tuple[Pairs, Sequence[int]]:
    """The pairs that were drawn in this stage, and its published rounds."""
    rounds = Round.objects.filter(stage=stage)
    if before is not None:
        rounds = rounds.filter(number__lt=before)
    found: Pairs = set()
    published = []
    for number, status, pairing in rounds.order_by("number").values_list("number", "status", "pairing"):
        if status != RoundStatus.DRAFT:
            published.append(number)
        for table in pairing.get("tables", []):
            numbers = [one for side in table["sides"] for one in side]
            firsts.update(numbers[:1])
            found |= {frozenset(pair) for pair in combinations(numbers, 2)}
    return found, published


def _nobody_plays(stage: Stage, wanted: Pairs, gone: set[int], size: int, kept: Pairs, rounds: Sequence[int]) -> Pairs:
    """The pairs of two who withdrew, and those of one whose parties are all void (STANDINGS 2)."""
    if not gone:
        return set()
    closed = Q(status=PartieStatus.CLOSED, championship=stage.championship_id, round__in=rounds)
    parties = Partie.objects.filter(closed, seats__entry__number__in=gone)
    played = Counter(parties.values_list("seats__entry__number", flat=True))
    void = {
        number
        for number in gone
        if effect_of(stage, size, played[number], rounds, kept=sum(number in pair for pair in kept)).what == "void"
    }
    return {pair for pair in wanted if pair & void or pair <= gone}

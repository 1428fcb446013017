"""A stage is started: who comes into it, in which order, and in which pool (STANDINGS 5)."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.errors import NotFound, UserFault
from league.models import Championship, Format, Round, Stage, StageEntry, What
from league.policy import Actor
from league.selectors.pairing_field import PairingField
from league.selectors.qualified import BY_LOT, BY_NUMBER, Coming, coming, in_order
from league.selectors.round_results import seed_for
from league.selectors.stages import last_round_number
from league.services import audit, journal
from league.services.championships import require_running
from league.services.locks import check_version, lock_championship
from league.services.stages import require_startable, start
from scoring.pairing import Contender, by_hash, pools


@transaction.atomic
def start_stage(
    *,
    actor: Actor,
    stage_id: int,
    version: int | None,
    order: str = BY_LOT,
    chosen: Collection[int] = (),
    by_lot: bool = False,
) -> Stage:
    """Start a stage with those who come into it: StageEntry rows with their seeds and pools.

    `order` of a first stage: `lot` or `number` of registration; a later one is seeded from the stage before. Who is
    level at the limit: `chosen` (entry numbers) says who of them goes on, or `by_lot` lets the order by hash decide.
    Starting a started stage returns it. Raises NotFound, Stale, UserFault `level-at-the-limit`, `nobody`; Conflict
    `finished`, `draft-exists`, `stage-before`, `parties-open`.
    """
    championship = lock_championship(stages=stage_id)
    require_running(championship)
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        raise NotFound
    if stage.started_at is not None:
        return stage
    check_version(stage, version)
    stage.championship = championship
    return begin(actor, championship, stage, order=order, chosen=chosen, by_lot=by_lot)


def begin(
    actor: Actor,
    championship: Championship,
    stage: Stage,
    *,
    order: str = BY_LOT,
    chosen: Collection[int] = (),
    by_lot: bool = False,
) -> Stage:
    """Start a stage of a locked championship; see `start_stage`."""
    if order not in (BY_LOT, BY_NUMBER):
        raise UserFault("unknown-choice", _("Choose one of the list."), field="order")
    require_startable(championship, stage)
    seed = seed_for(championship=championship, round_number=last_round_number(championship) + 1)
    who = coming(championship=championship, stage=stage)
    numbers = in_order(coming_in=who, numbers=[*who.certain, *_told_apart(who, chosen, seed, by_lot=by_lot)])
    if len(numbers) < 2:
        raise UserFault("nobody", _("A stage needs two entries or more: enter them first."))
    if stage.number == 1 and order == BY_LOT:
        numbers = by_hash(seed, numbers)
    start(championship, stage)
    in_pool = _pools(stage, numbers, who.field, seed)
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry_id=who.field.ids[number], pool=in_pool.get(number), seed=place)
        for place, number in enumerate(numbers, 1)
    )
    audit.record(
        actor=actor,
        action="start_stage",
        on=stage,
        championship=championship,
        after={
            "number": stage.number,
            "entries": numbers,
            "level": sorted({n for one in who.level for n in one.numbers}),
        },
    )
    return stage


def take_back_start(championship: Championship, stage: Stage) -> None:
    """Let a first stage of a locked championship not have begun, if no round of it is there: nobody is in it yet."""
    if stage.number != 1 or Round.objects.filter(stage=stage).exists():
        return
    StageEntry.objects.filter(stage=stage).delete()
    stage.started_at, stage.version = None, stage.version + 1
    stage.save(update_fields=["started_at", "version"])
    journal.write(championship, journal.Line(What.STAGE_CHANGED))


def _told_apart(who: Coming, chosen: Collection[int], seed: str, *, by_lot: bool) -> list[int]:
    """Who of those level at the limit goes on."""
    through: list[int] = []
    for level in who.level:
        picked = [number for number in level.numbers if number in set(chosen)]
        if len(picked) != level.places:
            if not by_lot:
                names = ", ".join(who.names[number] for number in level.numbers)
                message = _("Level at the limit: %(names)s. Choose %(places)s of them, or let lots decide.") % {
                    "names": names,
                    "places": level.places,
                }
                extra = {"level": list(level.numbers), "places": level.places}
                raise UserFault("level-at-the-limit", message, field="chosen", extra=extra)
            picked = by_hash(seed, level.numbers)[: level.places]
        through += picked
    return through


def _pools(stage: Stage, numbers: list[int], field: PairingField, seed: str) -> dict[int, int]:
    if stage.pools == 1:
        return {}
    if stage.pools * 2 > len(numbers):
        message = _("%(entries)s entries are too few for %(pools)s pools.") % {
            "entries": len(numbers),
            "pools": stage.pools,
        }
        raise UserFault("too-many-pools", message, field="pools")
    seeded = [replace(field.contenders[number], place=place) for place, number in enumerate(numbers, 1)]
    dealt = pools(seeded, stage.pools, seed=seed, apart_by_club=stage.apart_by_club)
    return {number: pool for pool, members in enumerate(dealt, 1) for number in members}


def take_in_late(championship: Championship, stage: Stage, field: PairingField, everybody: PairingField) -> list[int]:
    """Bring entries that came after the start into a first Swiss or free stage, the smallest pool first; who did.

    A round robin and a knock-out are what they are once they are started.
    """
    if stage.number != 1 or stage.format not in (Format.SWISS, Format.FREE):
        return []
    late = sorted(set(everybody.contenders) - set(_members(stage)))
    if not late:
        return []
    last = StageEntry.objects.filter(stage=stage).aggregate(last=Max("seed"))["last"] or 0
    sizes = _sizes(stage, field.contenders.values(), field)
    for place, number in enumerate(late, 1):
        pool = min(sizes, key=lambda pool: (sizes[pool], pool)) if sizes else None
        if pool is not None:
            sizes[pool] += 1
        StageEntry.objects.create(stage=stage, entry_id=everybody.ids[number], pool=pool, seed=last + place)
    if sizes:  # until now the ranking had them in the last pool
        journal.write(championship, journal.Line(What.STAGE_CHANGED))
    return late


def _members(stage: Stage) -> list[int]:
    return list(StageEntry.objects.filter(stage=stage).values_list("entry__number", flat=True))


def _sizes(stage: Stage, contenders: Iterable[Contender], field: PairingField) -> dict[int, int]:
    if stage.pools == 1:
        return {}
    sizes = dict.fromkeys(range(1, stage.pools + 1), 0)
    for one in contenders:
        pool = field.pools[one.number]
        if pool is not None:
            sizes[pool] += 1
    return sizes

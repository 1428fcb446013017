"""Manches under the ids of whoever hands in: which one is meant, and its name once a document was taken for it."""

from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Conflict
from league.models import ExternalId, ExternalKind, Manche, PartieStatus
from league.services.progress import Table


def manche_meant(table: Table, number: int | None, external_id: str) -> tuple[int, bool]:
    """The number of the manche that a sender means, and whether it has this id already. One query, without an id none.

    Without `number` it is the manche of this id, else the one that is awaited. Under the championship's lock. Raises
    Conflict `external-id-taken`: the id stands for another manche, or the manche has another id; `nothing-awaited`.
    """
    if not external_id:
        assert number is not None  # the service asks for one of the two
        return number, False
    numbers = {manche.pk: manche.number for manche in table.manches}
    rows = ExternalId.objects.filter(championship=table.championship, kind=ExternalKind.MANCHE)
    found = dict(
        rows.filter(Q(external_id=external_id) | Q(object_id__in=numbers)).values_list("external_id", "object_id")
    )
    if external_id in found:
        named = numbers.get(found[external_id])
        if named is not None and number in (None, named):
            return named, True
        if named is not None or Manche.objects.filter(pk=found[external_id]).exists():
            raise _taken()
        rows.filter(external_id=external_id).delete()  # what it stood for is gone
    meant = number if number is not None else _awaited(table)
    if meant in (numbers.get(object_id) for object_id in found.values()):
        raise _taken()
    return meant, False


def name_manche(table: Table, number: int, external_id: str) -> None:
    """Give a manche its id, which `manche_meant` found free under the same lock. One query."""
    manche = table.manche(number)
    assert manche is not None  # a document was taken for it
    ExternalId.objects.create(
        championship=table.championship, kind=ExternalKind.MANCHE, external_id=external_id, object_id=manche.pk
    )


def exchange_names(one: Manche, other: Manche) -> None:
    """Let ids go where results go: what a program sends again comes to the manche that has it now."""
    names = list(ExternalId.objects.filter(kind=ExternalKind.MANCHE, object_id__in=[one.pk, other.pk]))
    ExternalId.objects.filter(pk__in=[name.pk for name in names]).delete()  # neither may stand twice, not for a moment
    for name in names:
        name.object_id = other.pk if name.object_id == one.pk else one.pk
        name.save(force_insert=True)


def _awaited(table: Table) -> int:
    if table.partie.status != PartieStatus.OPEN or table.awaited is None:
        message = _("This partie awaits no manche: it is over, or what was handed in waits to be settled.")
        raise Conflict("nothing-awaited", message)
    return table.awaited


def _taken() -> Conflict:
    message = _("This external id stands for another manche, or this manche has another one.")
    return Conflict("external-id-taken", message, field="external_id")

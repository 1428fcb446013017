"""A document pushed by a program, which names partie and manche by their numbers or by ids of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.errors import NotFound, UserFault
from league.models import ExternalKind, Partie
from league.policy import Action, Actor, require
from league.selectors.addresses import championship_at, partie_to_hand_in
from league.selectors.external_ids import object_named
from league.services.hand_in_answers import HandIn
from league.services.results import hand_in

Reference = int | str
"""A number, or `~` and an external id."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A document with what it is for. `body`: its bytes as they came.

    `partie` may be left out where `manche` is an external id that was given before. `manche` may be left out where
    `external_id` is said: that manche, else the one that the partie awaits. `external_id` names the manche from now on.
    `reason` and `replaces` (a version) make it a correction; `acknowledged`: names of warnings of a sheet.
    """

    body: bytes
    partie: Reference | None = None
    manche: Reference | None = None
    external_id: str = ""
    reason: str = ""
    replaces: int | None = None
    acknowledged: Sequence[str] = ()


def push(*, actor: Actor, slug: str, item: Pushed, idempotency_key: str = "") -> HandIn:
    """Hand in one document, with the rights that its actor has at its table.

    Pushed again after an answer that got lost it is answered `repeated`: nothing doubles. A document that the rules
    refuse is an answer (`refused`, kept as an attempt). Raises NotFound where the championship is none that the actor
    may see; NotPermitted; UserFault `required`, `unknown-partie`, `bad-external-id` with the member at fault; and what
    `league.services.results.hand_in` raises, `in-progress` while another request with the key is under way.
    """
    partie, number, external_id = _meant(actor, slug, item)
    row = _partie(actor, slug, partie)
    require(actor, Action.HAND_IN, row.championship, row)
    return hand_in(
        actor=actor,
        partie_id=row.pk,
        number=number,
        body=item.body,
        reason=item.reason,
        replaces=item.replaces,
        idempotency_key=idempotency_key,
        acknowledged=item.acknowledged,
        external_id=external_id,
        waits=False,
    )


def _meant(actor: Actor, slug: str, item: Pushed) -> tuple[int, int | None, str]:
    """The number of the partie; that of the manche, None where its external id, which comes last, says which it is."""
    partie, manche, external_id = item.partie, item.manche, item.external_id
    if isinstance(partie, str):
        found = object_named(actor=actor, slug=slug, kind=ExternalKind.PARTIE, external_id=_own_id(partie, "partie"))
        if found is None:
            raise _unknown_partie()
        partie = found.number
    if isinstance(manche, str):
        external_id, manche = _same(external_id, _own_id(manche, "manche")), None
    if manche is None and not external_id:
        raise UserFault("required", _("Say for which manche."), field="manche")
    if partie is None:
        named = object_named(actor=actor, slug=slug, kind=ExternalKind.MANCHE, external_id=external_id)
        if named is None or named.partie is None:
            raise UserFault("required", _("Say for which partie: this manche has no such id yet."), field="partie")
        partie = named.partie
    return partie, manche, external_id


def _own_id(said: str, field: str) -> str:
    if not said.startswith("~"):
        message = _("Name it by its number, or by ~ and an external id.")
        raise UserFault("bad-external-id", message, field=field)
    return said[1:]


def _same(external_id: str, of_manche: str) -> str:
    if external_id and external_id != of_manche:
        raise UserFault("bad-external-id", _("The manche is named by another external id."), field="external_id")
    return of_manche


def _partie(actor: Actor, slug: str, number: int) -> Partie:
    try:
        return partie_to_hand_in(actor, slug, number)
    except NotFound:
        championship_at(actor, slug)  # raises where that is what cannot be found
        raise _unknown_partie() from None


def _unknown_partie() -> UserFault:
    return UserFault("unknown-partie", _("There is no such partie in this championship."), field="partie")

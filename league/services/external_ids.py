"""External ids given: what a program calls a thing that it has just made, or that is there already.

Not audited: they change nothing that people see. What was made is audited by the service that made it.
"""

import re
from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import EXTERNAL_ID, ExternalId
from league.policy import Actor
from league.selectors.external_ids import OF_ACCOUNTS


def check_external_id(external_id: str) -> None:
    """Raise UserFault `bad-external-id` for what cannot be one."""
    if re.fullmatch(EXTERNAL_ID, external_id) is None:
        message = _("1 to 100 letters of ASCII, digits, points, colons, hyphens and underscores.")
        raise UserFault("bad-external-id", message, field="external_id")


def name_thing(
    *,
    actor: Actor,
    kind: str,
    object_id: int,
    external_id: str,
    championship_id: int | None = None,
    request_sha256: str = "",
) -> None:
    """Give a thing its external id, in the transaction that makes or finds it; the same again changes nothing.

    `championship_id`: of what belongs to one; players and clubs have theirs in the account of the actor's user.
    `request_sha256`: of the request that made the thing, to know it when it comes again. Raises UserFault
    `bad-external-id`; Conflict `external-id-taken`: it stands for another thing, or the thing has another one.
    """
    check_external_id(external_id)
    space = {"user": actor.user} if kind in OF_ACCOUNTS else {"championship_id": championship_id}
    try:
        with transaction.atomic():
            row, _made = ExternalId.objects.get_or_create(
                **space,
                kind=kind,
                external_id=external_id,
                defaults={"object_id": object_id, "request_sha256": request_sha256},
            )
    except IntegrityError:
        raise _taken() from None
    if row.object_id != object_id:
        raise _taken()


def forget_things(*, kind: str, object_ids: Collection[int]) -> None:
    """Let external ids go with what they stood for, in the transaction that deletes it: they are free again."""
    ExternalId.objects.filter(kind=kind, object_id__in=object_ids).delete()


def _taken() -> Conflict:
    message = _("This external id stands for another thing, or this thing has another one.")
    return Conflict("external-id-taken", message)

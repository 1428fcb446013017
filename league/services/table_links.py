"""The secret link of a table, renewed: whoever has an old slip of it is turned away."""

import secrets

from django.db import transaction
from django.utils import timezone

from league.errors import NotFound
from league.models import Partie, TableLink
from league.policy import Actor
from league.services import audit
from league.services.championships import require_running
from league.services.locks import lock_championship
from league.table_codes import table_address, table_code

__all__ = ["renew_link", "table_address", "table_code"]


@transaction.atomic
def renew_link(*, actor: Actor, partie_id: int, version: int) -> TableLink:
    """Give a table another secret: slips that were printed before, and phones that used them, are void from now on.

    `version` is that of the link that the asker has seen, 0 for one that was never renewed: asked twice it is done
    once. Raises NotFound, Conflict `finished`.
    """
    championship = lock_championship(parties=partie_id)
    require_running(championship)
    partie = Partie.objects.select_related("link").filter(pk=partie_id).first()
    if partie is None:
        raise NotFound
    link = getattr(partie, "link", None) or TableLink(partie=partie, version=0)
    if link.version != version:
        return link
    link.nonce, link.made_at, link.version = secrets.token_hex(16), timezone.now(), link.version + 1
    link.save()
    audit.record(
        actor=actor,
        action="renew_link",
        on=link,
        championship=championship,
        before={"version": version},
        after={"version": link.version, "partie": partie.number},
    )
    return link

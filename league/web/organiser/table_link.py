"""The secret link of a table on its partie's page: where it leads, and a new one when a slip has gone astray."""

from typing import Any

from django.utils.translation import gettext as _

from league.models import Partie
from league.policy import Action
from league.services.table_links import renew_link
from league.web.organiser.asked import Asked
from league.web.organiser.deeds import Deed, Done, VersionForm


def renewing(request: Asked, partie: Partie) -> Deed:
    """The deed that makes old slips of a table void."""

    def renew(said: dict[str, Any]) -> Done:
        renew_link(actor=request.actor, partie_id=partie.pk, version=said["version"])
        return Done(_("The table has a new address: print its slip again. The old one is void."))

    link = getattr(partie, "link", None)
    return Deed(VersionForm, Action.SETTLE, renew, {"version": link.version if link else 0})

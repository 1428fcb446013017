"""What writes of rounds and stages have in common: the championship locked, the right asked, the state looked at."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.named import number_named
from league.api.views import ApiView
from league.api.writing import Data, check_match
from league.errors import NotFound, NotPermitted, UserFault
from league.models import Championship, ExternalKind
from league.policy import Action, may_see_drafts, require
from league.selectors.addresses import championship_at
from league.selectors.organising import entry_id_of
from league.services.locks import lock_championship


def running(view: ApiView, slug: str, action: Action = Action.RUN) -> Championship:
    """The championship of a write, locked, in which the actor may do this. Raises NotFound, NotPermitted."""
    seen = championship_at(view.actor, slug)  # which also says the actor's role
    championship = lock_championship(pk=seen.pk)
    require(view.actor, action, championship)
    return championship


def check_state(request: Request, shown: Callable[[], Data]) -> None:
    """As `check_match`, with the state read only where If-Match asks for it."""
    if "HTTP_IF_MATCH" in request.META:
        check_match(request, shown())


def entry_named(view: ApiView, championship: Championship, said: int | str, field: str = "entry") -> tuple[int, int]:
    """The number and the id of the entry that a body names. Raises UserFault `unknown-entry`, `unknown-reference`."""
    number = number_named(view, kind=ExternalKind.ENTRY, said=said, field=field)
    found = entry_id_of(championship=championship, number=number)
    if found is None:
        raise UserFault("unknown-entry", _("There is no such entry in this championship."), field=field)
    return number, found


def entry_in(championship: Championship, number: int) -> int:
    """The id of the entry that an address names. Raises NotFound."""
    found = entry_id_of(championship=championship, number=number)
    if found is None:
        raise NotFound
    return found


def for_who_draws(view: ApiView, slug: str) -> Championship:
    """The championship of a read that only who runs it may have. Raises NotFound, NotPermitted."""
    championship = championship_at(view.actor, slug)
    if not may_see_drafts(view.actor, championship):
        raise NotPermitted
    return championship

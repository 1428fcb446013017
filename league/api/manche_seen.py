"""Whether whoever corrects or rules has seen what stands: If-Match with the ETag of a manche, or of its result."""

from rest_framework.request import Request

from league.api.manches import ResultSerializer, manche_shown
from league.api.problems import RequestFault
from league.api.writing import check_match
from league.models import Manche
from league.policy import Actor
from league.selectors.manches import manche_view


def is_matched(request: Request) -> bool:
    """Whether a request says which state it means."""
    return "HTTP_IF_MATCH" in request.META


def check_seen(request: Request, actor: Actor, row: Manche) -> None:
    """Ask that If-Match, where it is sent, names the manche or its result as they are. Call it below the lock.

    Raises RequestFault 412 `stale`, whose `present` is the manche.
    """
    if not is_matched(request):
        return
    current = manche_view(manche=row).current
    if current is not None:
        try:
            check_match(request, ResultSerializer(current).data)
        except RequestFault:
            pass  # then it names the manche, or nothing that is there
        else:
            return
    check_match(request, manche_shown(actor, row))

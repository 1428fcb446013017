"""What the refusals of services are in a browser: a page that is not there, or that is forbidden."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import PermissionDenied
from django.http import Http404

from league.errors import NotFound, NotPermitted


@contextmanager
def refusals_as_pages() -> Iterator[None]:
    """What the visitor may not know of is not there (404); what they may not do is forbidden (403)."""
    try:
        yield
    except NotFound as fault:
        raise Http404(str(fault.message)) from fault
    except NotPermitted as fault:
        raise PermissionDenied(str(fault.message)) from fault

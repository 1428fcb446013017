"""Where a request comes from."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str | None:
    """The sender's address: as the outermost of our own proxies saw it (BORNAGE_PROXIES), else the connection's.

    What stands further left in X-Forwarded-For was written by the sender, who may write anything. None for what is no
    address, such as that of a Unix socket.
    """
    said = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        seen = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
        if len(seen) >= settings.PROXIES:
            said = seen[-settings.PROXIES]
    try:
        return str(ipaddress.ip_address(said))
    except ValueError:
        return None

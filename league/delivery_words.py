"""Why a message to a webhook was not answered, or its address cannot be one: in words."""

from typing import Final

from django.utils.translation import gettext_lazy as _

UNFIT: Final = {
    "bad-address": _("This is no web address."),
    "not-http": _("The address must begin with https://."),
    "needs-https": _("Only addresses with https:// are sent to."),
    "user-info": _("The address may not hold a name or a password."),
    "bad-port": _("Ports are 80, 443, or from 1024 on, without those of other protocols."),
    "private-address": _(
        "The address leads into a private network: the operator of this site has not let it in "
        "(BORNAGE_WEBHOOK_NETWORKS)."
    ),
}
"""What can be wrong with an address."""

WHY: Final = UNFIT | {
    "unknown-host": _("There is no such host."),
    "timeout": _("No whole answer came in time."),
    "unreachable": _("The connection failed."),
    "certificate": _("The certificate is not good."),
    "bad-answer": _("The answer is none of HTTP."),
    "redirects": _("It redirects too often."),
    "status": _("The answer was not 2xx."),
    "gone": _("The answer was 410: nobody wants messages there any more."),
    "unfinished": _("Nobody knows: the program was stopped in the middle, or is still at it."),
    "removed": _("The webhook was removed."),
}
"""What the last attempt came to, by the code that is kept."""

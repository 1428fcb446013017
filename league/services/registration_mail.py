"""Mail to those who registered: where they stand. It goes out once what it says is true."""

import structlog
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from league.models import Championship, Registration, RegistrationState

log = structlog.get_logger(__name__)


def tell(championship: Championship, registration: Registration, *, link: str = "") -> None:
    """Write to the addresses of a registration where it stands, in the language in which it was sent, on commit.

    `link`: the page of the registration, which only the first mail can name: it is kept nowhere.
    """
    addresses = list(dict.fromkeys(player["email"] for player in registration.players if player.get("email")))
    if not addresses:
        return
    with translation.override(registration.players[0].get("language") or translation.get_language()):
        subject = _("Your registration: %(championship)s") % {"championship": championship.name}
        names = " · ".join(player["name"] for player in registration.players)
        parts = [names, _sentence(registration)]
        if link:
            parts.append(_("Look at it, or cancel it, here; whoever has this link can:\n%(link)s") % {"link": link})
        else:
            parts.append(_("The link of the first mail still shows it, and cancels it."))
    body = "\n\n".join(parts)
    transaction.on_commit(lambda: _send(addresses, subject, body), robust=True)


def _sentence(registration: Registration) -> str:
    if registration.state == RegistrationState.WAITING:
        return _("All places are taken: you are on the waiting list, and move up when one is free.")
    if registration.state == RegistrationState.RECEIVED:
        return _("You have a place. An organiser still looks your registration over.")
    if registration.state == RegistrationState.ACCEPTED:
        assert registration.entry is not None
        return _("You are entered under number %(number)s.") % {"number": registration.entry.number}
    if registration.state == RegistrationState.DECLINED:
        return _("An organiser has declined it: %(reason)s") % {"reason": registration.reason}
    return _("It is cancelled.")


def _send(addresses: list[str], subject: str, body: str) -> None:
    for address in addresses:  # one by one: nobody reads another one's
        try:
            send_mail(subject, body, None, [address])
        except OSError:  # what SMTP raises; the page shows the same
            log.warning("registration_mail_not_sent", exc_info=True)

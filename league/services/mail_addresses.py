"""Secret addresses to which results come by mail: made, known again, revoked.

An address is that of BORNAGE_MAIL_TO with `+` and a secret: 20 random bytes in signs that mail servers leave alone,
whatever they do to capitals. As with tokens, one SHA-256 of it keeps it safe.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable
from email.utils import parseaddr

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import NotFound, UserFault
from league.models import Championship, MailAddress, User
from league.policy import Actor
from league.services import audit
from league.services.texts import asked_name

_FIELDS = ("name", "user_id", "championship_id", "revoked_at")


def takes_mail() -> bool:
    """Whether this site takes results by mail."""
    return bool(settings.MAIL_TO)


@transaction.atomic
def create_mail_address(*, actor: Actor, user: User, championship: Championship, name: str) -> tuple[MailAddress, str]:
    """Make an address by which a user hands in by mail; return it with its text, which is kept nowhere.

    Raises UserFault `no-mail` where the site takes none, `required` or `too-long` for the name.
    """
    if not takes_mail():
        raise UserFault("no-mail", _("This site takes no results by mail: its operator has not set that up."))
    secret = base64.b32encode(secrets.token_bytes(20)).decode().lower()
    made = MailAddress.objects.create(
        championship=championship, user=user, name=asked_name(name, limit=80), secret_sha256=_digest(secret)
    )
    after = audit.state(made, _FIELDS)
    audit.record(actor=actor, action="create_mail_address", on=made, championship=championship, after=after)
    local, _at, domain = settings.MAIL_TO.rpartition("@")
    return made, f"{local}+{secret}@{domain}"


@transaction.atomic
def revoke_mail_address(*, actor: Actor, address_id: int) -> MailAddress:
    """Let nothing come in by an address any more, for good. Raises NotFound."""
    address = MailAddress.objects.select_for_update(of=("self",)).select_related("championship").filter(pk=address_id)
    found = address.first()
    if found is None:
        raise NotFound
    if found.revoked_at is None:
        found.revoked_at = timezone.now()
        found.save(update_fields=["revoked_at"])
        audit.record(
            actor=actor,
            action="revoke_mail_address",
            on=found,
            championship=found.championship,
            before={"revoked_at": None},
            after={"revoked_at": found.revoked_at.isoformat()},
        )
    return found


def known_addresses(recipients: Iterable[str]) -> list[MailAddress]:
    """The good addresses among recipients of a mail: not revoked, of somebody who may sign in. One query at most.

    Their domain is not looked at: mail servers have several names.
    """
    local = settings.MAIL_TO.rpartition("@")[0].lower()
    digests = [
        _digest(secret)
        for one in recipients
        for base, plus, secret in [one.rpartition("@")[0].lower().strip('"').partition("+")]
        if plus and secret and base == local
    ]
    if not digests or not takes_mail():
        return []
    rows = MailAddress.objects.filter(secret_sha256__in=digests, revoked_at=None, user__is_active=True)
    return list(rows.select_related("championship", "user").order_by("pk"))


def is_ours(address: str) -> bool:
    """Whether a mail to this address comes back to this program, so that an answer to it would be answered."""
    own_local, _at, own_domain = settings.MAIL_TO.lower().rpartition("@")
    local, _at, domain = address.lower().rpartition("@")
    if address.lower() == parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower():
        return True
    return (local.partition("+")[0], domain) == (own_local, own_domain)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

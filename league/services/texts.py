"""What people typed, made fit to keep: names tidied, reasons asked for."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from league.errors import UserFault
from league.names import fold, tidy


def asked_reason(reason: str, *, limit: int = 300) -> str:
    """The reason that a ruling must have. Raises UserFault `reason-required` or `too-long`."""
    text = tidy(reason)
    if not text:
        raise UserFault("reason-required", _("Say why: everybody may read the reason."), field="reason")
    return fitting(text, field="reason", limit=limit)


def asked_name(name: str, *, field: str = "name", limit: int = 100) -> str:
    """A name that has something to it. Raises UserFault `required` or `too-long`."""
    text = tidy(name)
    folded = fold(text)
    if not folded:
        raise UserFault("required", _("Give a name."), field=field)
    # one sign may fold to eighteen; a folded name has room for twice the limit
    return fitting(text if len(folded) <= 2 * limit else folded, field=field, limit=limit)


def asked_email(email: str, *, field: str = "email") -> str:
    """An e-mail address as it is. Raises UserFault `bad-email` or `too-long`."""
    try:
        validate_email(email)
    except ValidationError as error:
        raise UserFault("bad-email", _("This is no e-mail address."), field=field) from error
    return fitting(email, field=field, limit=254)


def fitting(text: str, *, field: str, limit: int) -> str:
    """The text itself. Raises UserFault `too-long` when it has more than `limit` characters."""
    if len(text) > limit:
        raise UserFault("too-long", _("At most %(limit)s characters, please.") % {"limit": limit}, field=field)
    return text

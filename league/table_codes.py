"""The secret part of a table's address: derived, so that a slip can be printed again and no table of secrets is kept.

A code is the id of the partie and a MAC of it under the site's secret and the nonce of its link. Without a row of
`TableLink` the nonce is empty: a row is only made when the old slips are to be void.
"""

import base64

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import override

from league.models import Partie, TableLink

_SALT = "league.table"
_MAC_BYTES = 15
"""120 bits, twenty characters: nobody guesses them, and the QR code stays coarse enough for an old phone."""
_LONGEST_ID = 15
_NO_LANGUAGE = "en"


def table_code(partie: Partie) -> str:
    """The code of a partie's table; no query where the partie was read with `select_related("link")`."""
    return f"{partie.pk}-{_mac(settings.SECRET_KEY, partie.pk, _nonce(partie))}"


def table_address(partie: Partie) -> str:
    """The path of a table's page, for its slip: without a language, which the reader's browser chooses.

    `request.build_absolute_uri` makes it whole. Read the parties with `select_related("link")`.
    """
    with override(_NO_LANGUAGE):
        return reverse("table", args=[table_code(partie)]).removeprefix(f"/{_NO_LANGUAGE}")


def partie_id_of(code: str) -> int | None:
    """The id that a code names, which says nothing of whether it is good; None for what is no code."""
    digits, dash, _rest = code.partition("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_ID and digits[0] != "0"
    return int(digits) if dash and is_number else None


def is_code_of(code: str, partie: Partie) -> bool:
    """Whether this is the code of this partie's table, under the site's secret or one that it had before."""
    _digits, _dash, mac = code.partition("-")
    nonce = _nonce(partie)
    good = [
        constant_time_compare(mac, _mac(str(key), partie.pk, nonce))
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]
    return any(good)


def _nonce(partie: Partie) -> str:
    link: TableLink | None = getattr(partie, "link", None)
    return link.nonce if link is not None else ""


def _mac(key: str, partie_id: int, nonce: str) -> str:
    digest = salted_hmac(_SALT, f"{partie_id}:{nonce}", secret=key, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:_MAC_BYTES]).decode()

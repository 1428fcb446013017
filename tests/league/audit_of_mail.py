"""What is done with addresses for results by mail, for the test that each of it is written down."""

from collections.abc import Callable
from typing import Any

from django.test import override_settings

from league.services import mail_addresses


@override_settings(MAIL_TO="results@club.example")
def _made(hall: Any) -> Any:
    row, _text = hall.do(
        mail_addresses.create_mail_address, user=hall.actor.user, championship=hall.championship, name="Hall"
    )
    return row


def _revoked(hall: Any) -> Any:
    return hall.do(mail_addresses.revoke_mail_address, address_id=_made(hall).pk)


DONE: dict[str, Callable[[Any], Any]] = {"create_mail_address": _made, "revoke_mail_address": _revoked}
